"""Blue Moon Legends: two decks of peoples fight in fire and earth for three dragons; 2 players."""

from companion.games.blue_moon_legends.game import BlueMoonLegends

GAME = BlueMoonLegends()

__all__ = ["GAME", "BlueMoonLegends"]
