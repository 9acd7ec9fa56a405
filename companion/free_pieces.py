"""What stands or lies free on a table besides tiles and cards, and the places that all of it comes to.

A reader reports where pieces are (`companion.free_faces` the flat ones); each game says which of its
places they are on (`companion.game.Game.placed`), by how they lie to each other more than by the layout.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.free_faces import FreeReading
from companion.loose_pieces import LoosePiece, Point
from companion.observation import Sighting
from companion.table import Place


class Shape(enum.StrEnum):
    """What a piece that is not flat looks like."""

    DISC = "disc"
    MEEPLE = "meeple"
    GEM = "gem"
    DRAGON = "dragon"


@dataclass(frozen=True, slots=True, kw_only=True)
class FreePiece:
    """A disc, figure or the like that is anywhere.

    Attributes:
        name: of its paint as it was learnt; None: something of this shape, of which colour cannot be told.
        shape: what it looks like.
        x_mm, y_mm: the middle of its base on the table.
        confidence: probability that such a piece is here, calibrated.
        area: the area of the layout in which its middle is, None: outside of all.
        on: the order of the face on which it is (`FreeFace.order`), None: on none.
        spot: the printed spot of that face that it is on, counted from 0; None: on none, or unclear.
        level: how many pieces it stands upon: 0 on a face or on the table.
    """

    name: str | None
    shape: Shape
    x_mm: float
    y_mm: float
    confidence: float
    area: str | None = None
    on: int | None = None
    spot: int | None = None
    level: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeTable:
    """Everything that one frame shows of a table without printed places.

    Attributes:
        reading: tiles and cards.
        pieces: what is not flat; None = nobody looked for them, so nothing follows from there being none.
        has_hand: an arm, or something like it, reaches over the table.
    """

    reading: FreeReading = field(default_factory=FreeReading)
    pieces: tuple[FreePiece, ...] | None = None
    has_hand: bool = False

    def of_shape(self, shape: Shape) -> tuple[FreePiece, ...]:
        """Return the pieces of a shape."""
        return tuple(one for one in self.pieces or () if one.shape is shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """What a game makes of it without knowing what lay there before.

    Attributes:
        sightings: what is known of places by itself.
        areas: the pieces of areas whose places depend on what was there (`Game.located`), in the axes of
            those who sit there: x to their right, y away from them.
        covered: points of these areas at which something hides the table, as in `Observation.covered`.
        likely: what places of pieces that nobody can name are likest to show, as in `Observation.likely`.
    """

    sightings: tuple[Sighting, ...] = ()
    likely: tuple[Sighting, ...] = ()
    areas: Mapping[str, tuple[LoosePiece, ...]] = field(default_factory=dict)
    covered: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Homes:
    """Where each face and each piece of a table lies, as people would point at it.

    It says more than `Placed`: covered cards, piles, discs that nobody has laid yet. And it is surer of less:
    numbers of cells and of cards in a row are counted from what is seen.

    Attributes:
        faces: the place of each face by its order; of one that lies nowhere in particular there is none.
        pieces: the place of each piece by its number in `FreeTable.pieces`.
    """

    faces: Mapping[int, Place] = field(default_factory=dict)
    pieces: Mapping[int, Place] = field(default_factory=dict)
