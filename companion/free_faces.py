"""What lies free on a table: tiles and cards as a reader sees them, before a game names their places.

A reader reports only what the picture alone says. Which row, grid or ship a face belongs to follows from the
layout and the game's rules, and is each game's own to say.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from companion.loose_pieces import Point

NAMED: Final = 0.8
"""A face that is less sure than this is not named."""


class Side(enum.StrEnum):
    """Which side of a flat piece is up."""

    FACE = "face"
    BACK = "back"
    UNKNOWN = "unknown"  # something flat lies there, no more can be said


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeFace:
    """A tile or card that lies anywhere, turned anyhow, perhaps partly covered.

    Attributes:
        name: of the face, or of the back; None: something lies there, but which it is cannot be told.
        side: which side is up.
        x_mm, y_mm: the middle of the whole piece, covered parts included, on the table.
        turn_deg: its rotation, anticlockwise, -180 to 180; at 0 its upper edge points away (+y).
        width_mm, height_mm: its size, unturned.
        visible_share: share of it that the camera sees, 0 to 1.
        order: faces with greater numbers lie over those with smaller ones where they overlap.
        over: the orders of the faces that it partly covers.
        confidence: probability that this face lies here, calibrated; without a name, that something does.
        area: the area of the layout in which its middle lies, None: outside of all.
        top_mm: how high its upper face seems to be above the table.
        alike: faces that are printed exactly like it: it may as well be one of them.
        others: what else it may be, by name, with probabilities; empty when it is sure.
    """

    name: str | None
    side: Side
    x_mm: float
    y_mm: float
    turn_deg: float
    width_mm: float
    height_mm: float
    visible_share: float
    order: int
    over: tuple[int, ...] = ()
    confidence: float
    area: str | None
    top_mm: float = 0.0
    alike: tuple[str, ...] = ()
    others: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.name is None) != (self.side is Side.UNKNOWN):
            raise ValueError(f"a face with the name {self.name} cannot show the side {self.side}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeReading:
    """Everything flat that one frame shows.

    Attributes:
        faces: by order, the lowest first. Of a pile only the top; of a spread hand, each back that shows.
        hidden: points x, y of the table, mm, at which something hides it, such as a hand: what was there
            before may still be there. Each stands for what is around it up to the next one.
    """

    faces: tuple[FreeFace, ...] = ()
    hidden: tuple[Point, ...] = ()

    def is_clear(self, x_mm: float, y_mm: float, reach_mm: float) -> bool:
        """Whether nothing hides the table so near to a point."""
        return all(math.dist((x_mm, y_mm), at) > reach_mm for at in self.hidden)

    def in_area(self, area: str) -> tuple[FreeFace, ...]:
        """Return the faces in an area, the lowest first."""
        return tuple(one for one in self.faces if one.area == area)
