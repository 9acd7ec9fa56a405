"""Pieces in paints of their own: what is known of them, and what was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from companion.free_pieces import Shape
from vision.photometry.palette import Shade

SIZES_MM: Final[Mapping[Shape, tuple[float, float]]] = {
    Shape.DISC: (13.0, 4.0),
    Shape.MEEPLE: (26.0, 36.0),
    Shape.GEM: (12.0, 11.0),
    Shape.DRAGON: (24.0, 32.0),
}
"""Width of the base and height of pieces as they usually are, mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPaint:
    """Pieces of one paint.

    Attributes:
        name: of the paint.
        shape: of the pieces in it.
        palette: its shades under white light, blue, green, red, 0 to 255.
    """

    name: str
    shape: Shape
    palette: tuple[Shade, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Solid:
    """A piece that was found.

    Attributes:
        name: of its paint, None if that cannot be told: something may lie there.
        shape: what it looks like.
        at_mm: the middle of its base on the table, x and y.
        confidence: probability that it is there.
    """

    name: str | None
    shape: Shape
    at_mm: tuple[float, float]
    confidence: float
