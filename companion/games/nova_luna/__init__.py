"""Nova Luna: tiles from a moon wheel, laid to fulfil tasks; 1 to 4 players."""

from companion.games.nova_luna.game import NovaLuna

GAME = NovaLuna()

__all__ = ["GAME", "NovaLuna"]
