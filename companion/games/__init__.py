"""The games: one room each, all behind `companion.games.game.Game`."""
