"""Urbion: dreams around the cities of sleep, to be balanced; solo and two-player co-operative."""

from companion.games.urbion.game import Urbion

GAME = Urbion()

__all__ = ["GAME", "Urbion"]
