"""The words that all rooms share for what is on a table.

A *place* is anything that can be looked at and holds one thing: a cell, a contribution box, a figure's
whereabouts, a box of the obelisk, the top of the discard pile. Its *value* is a string, or None for
"seen, and nothing is there". A *picture* maps places to values; a place that was not seen is absent.

Names of places, by kind (the part before the first colon):

    cell:R,C        tile and side, ``mill/sketch``; None = no tile
    box:R,C:I       owner of the marker on contribution box I of the tile on cell R,C
    figure:PLAYER   the cell the player's figure is on; None = not on the city
    dragon:NAME     the cell the dragon is on; None = not in the city
    obelisk:I       owner of the marker on obelisk box I
    discard         the card on top of the discard pile; None = the pile is empty

Other games add their own kinds; code outside a game's room reads only the name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NewType, TypeAlias

Place = NewType("Place", str)
Value: TypeAlias = str | None
Picture: TypeAlias = Mapping[Place, Value]


def place(kind: str, *parts: str | int) -> Place:
    """Return the place of this kind, for example ``place("box", "0,1", 2)`` -> ``box:0,1:2``."""
    return Place(":".join((kind, *map(str, parts))))


def kind_of(where: Place) -> str:
    """Return the kind of a place, the part before its first colon."""
    return where.partition(":")[0]


def parts_of(where: Place) -> tuple[str, ...]:
    """Return what follows the kind: ``box:0,1:2`` -> ``("0,1", "2")``."""
    return tuple(where.split(":")[1:])
