"""The games: one room each, all behind `companion.game.Game`."""
