"""The games by name, each imported only when it is asked for."""

from __future__ import annotations

import importlib
from typing import Any

from companion.errors import BugError, MalformedError
from companion.game import Game

NAMES = ("blue_moon_city", "nova_luna", "urbion", "blue_moon_legends")


def lookup(name: str) -> Game[Any, Any]:
    """Return the game of this name; raises MalformedError for a name that no game has."""
    if name not in NAMES:
        raise MalformedError(f"there is no game {name!r}: it is one of {', '.join(NAMES)}")
    game = importlib.import_module(f"companion.games.{name}").GAME
    if not isinstance(game, Game):
        raise BugError(f"companion.games.{name} does not export its game as GAME")
    return game
