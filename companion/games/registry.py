"""The games by name, each imported only when it is asked for."""

from __future__ import annotations

import importlib
from typing import Any

from companion.components import Components, Display
from companion.errors import BugError, MalformedError
from companion.game import Game
from companion.table_pieces import PieceSet

NAMES = ("blue_moon_city", "nova_luna", "urbion", "blue_moon_legends")
# What is played where nobody says which game.
DEFAULT = NAMES[0]


def lookup(name: str) -> Game[Any, Any]:
    """Return the game of this name; raises MalformedError for a name that no game has."""
    if name not in NAMES:
        raise MalformedError(f"there is no game {name!r}: it is one of {', '.join(NAMES)}")
    game = importlib.import_module(f"companion.games.{name}").GAME
    if not isinstance(game, Game):
        raise BugError(f"companion.games.{name} does not export its game as GAME")
    return game


def display(name: str) -> Display:
    """Return how the game of this name is shown in a window; raises MalformedError for an unknown name."""
    lookup(name)
    found = importlib.import_module(f"companion.games.{name}").DISPLAY
    if not isinstance(found, Display):
        raise BugError(f"companion.games.{name} exports as DISPLAY what is none")
    return found


def can_be_followed(name: str) -> bool:
    """Whether a camera reads the table of the game of this name well enough to referee it."""
    return has_components(name) or (has_pieces(name) and pieces(name).is_readable)


def has_components(name: str) -> bool:
    """Whether the game of this name has printed places, which sensors can be under, too."""
    lookup(name)
    return hasattr(importlib.import_module(f"companion.games.{name}"), "COMPONENTS")


def components(name: str) -> Components:
    """Return what is in the box of the game of this name.

    Raises MalformedError for a name that no game has, and for one that no camera or sensors can follow.
    """
    lookup(name)
    found = getattr(importlib.import_module(f"companion.games.{name}"), "COMPONENTS", None)
    if found is None:
        raise MalformedError(f"no camera can follow {name} yet: play it by hand")
    if not isinstance(found, Components):
        raise BugError(f"companion.games.{name} exports as COMPONENTS what is none")
    return found


def has_pieces(name: str) -> bool:
    """Whether the pieces of the game of this name lie anywhere on the table, without printed places."""
    lookup(name)
    return hasattr(importlib.import_module(f"companion.games.{name}"), "PIECES")


def pieces(name: str) -> PieceSet:
    """Return the pieces of the game of this name, for one whose pieces lie anywhere.

    Raises MalformedError for a name that no game has, and for a game with printed places.
    """
    lookup(name)
    found = getattr(importlib.import_module(f"companion.games.{name}"), "PIECES", None)
    if found is None:
        raise MalformedError(f"the pieces of {name} lie on printed places: its components tell about them")
    if not isinstance(found, PieceSet):
        raise BugError(f"companion.games.{name} exports as PIECES what is none")
    return found
