"""Pieces that may be put down anywhere: what is seen of an area without printed places.

A camera reports where a piece is, in millimetres. The game decides which of its places that is
(`Game.located`), since it knows what was there before. If nobody could tell, it reports nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
"""A point of the table: x right and y away, mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoosePiece:
    """A piece in a free area.

    Attributes:
        face: its name, for example ``mill/sketch``; None = something lies there that could not be read.
        area: the area's name.
        x_mm, y_mm: its middle on the table, x right and y away from the reference side.
        turn_deg: how far it is turned anticlockwise, -180 to 180, from how it lay when it was learnt.
        width_mm, height_mm: its size.
        confidence: how surely it lies there, 0 to 1.
    """

    face: str | None
    area: str
    x_mm: float
    y_mm: float
    turn_deg: float
    width_mm: float
    height_mm: float
    confidence: float

    def offset_of(self, other: LoosePiece, turn_deg: float) -> tuple[float, float]:
        """Return where another piece lies from here, mm, in axes turned by so much: right, away."""
        return turned(other.x_mm - self.x_mm, other.y_mm - self.y_mm, -turn_deg)


def turned(x: float, y: float, turn_deg: float) -> tuple[float, float]:
    """Return a vector turned anticlockwise."""
    cos, sin = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return x * cos - y * sin, x * sin + y * cos


def mean_turn_deg(turns_deg: Iterable[float], period_deg: float) -> float:
    """Return the mean of turns that repeat after `period_deg` (90 for squares), around 0."""
    full = [math.radians(turn * 360.0 / period_deg) for turn in turns_deg]
    mean = math.atan2(sum(map(math.sin, full)), sum(map(math.cos, full)))
    return math.degrees(mean) * period_deg / 360.0
