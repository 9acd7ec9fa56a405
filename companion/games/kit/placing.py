"""From what lies free to the places of a game: what the games share. Millimetres and degrees throughout."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from companion.free_faces import NAMED, FreeFace, Side
from companion.free_pieces import FreeTable
from companion.loose_pieces import LoosePiece, Point, turned
from companion.table_layout import Area, TableLayout

# A middle no further outside of an area than this still belongs to it, mm.
_REACH_MM = 45.0
# Shares of a card's width and height by which it may stick out under the one that covers it.
_COVERED_ACROSS, _COVERED_ALONG = 0.35, 0.22
# Nothing that is seen is surer than this.
_LEAST_DOUBT = 1e-3


def area_at(layout: TableLayout, x_mm: float, y_mm: float) -> str | None:
    """Return the area around a point, or the one hardly beside it; None far from all."""
    outside = {name: area.outside_mm(x_mm, y_mm) for name, area in layout.areas.items()}
    middles = {name: area.around for name, area in layout.areas.items()}
    name = min(
        outside,
        key=lambda each: (
            outside[each],
            math.hypot(x_mm - middles[each].x_mm, y_mm - middles[each].y_mm),
        ),
        default=None,
    )
    return name if name is not None and outside[name] <= _REACH_MM else None


def loose(face: FreeFace, area: str, *, name: str | None, seat_deg: float = 0.0) -> LoosePiece:
    """Return a face as a piece of an area, in the axes of someone for whom the table is turned by so much."""
    x, y = turned(face.x_mm, face.y_mm, -seat_deg)
    return LoosePiece(
        face=name,
        area=area,
        x_mm=x,
        y_mm=y,
        turn_deg=(face.turn_deg - seat_deg + 180.0) % 360.0 - 180.0,
        width_mm=face.width_mm,
        height_mm=face.height_mm,
        confidence=face.confidence,
    )


def covered_points(
    table: FreeTable,
    area: Area | None,
    faces: Sequence[FreeFace] = (),
    *,
    reach: float = 1.0,
    seat_deg: float = 0.0,
) -> tuple[Point, ...]:
    """Return the points at which something hides an area, if there is one, or what lies beside its faces.

    Beside them is what is no further from one of their middles than `reach` times its longer edge. The points
    are in the axes of someone for whom the table is turned by so much, as in `loose`.
    """

    def is_near(at: Point) -> bool:
        is_in = area is not None and area.outside_mm(*at) <= _REACH_MM
        return is_in or any(
            math.dist((one.x_mm, one.y_mm), at) <= reach * max(one.width_mm, one.height_mm) for one in faces
        )

    return tuple(turned(x, y, -seat_deg) for x, y in table.reading.hidden if is_near((x, y)))


def as_many_as_exist(faces: Iterable[FreeFace], copies: Callable[[str], int]) -> list[FreeFace]:
    """Return the faces with how sure each still is if a game has only so many copies of it.

    Where more were found than exist, not all of them can be right: each is as sure as it is in the cases in
    which enough of the others are wrong. One that is not sure enough any more counts as not read.
    """
    ordered = list(faces)
    found: dict[str, list[int]] = {}
    for at, one in enumerate(ordered):
        if one.name is not None and one.side is Side.FACE:
            found.setdefault(one.name, []).append(at)
    for name, places in found.items():
        many = copies(name)
        if len(places) <= many:
            continue
        claimed = [ordered[at].confidence for at in places]
        for at, sure in zip(places, _at_most(many, claimed), strict=True):
            one = replace(ordered[at], confidence=sure)
            if sure < NAMED:
                one = replace(one, name=None, side=Side.UNKNOWN, others={})
            ordered[at] = one
    return ordered


def _at_most(many: int, claimed: Sequence[float]) -> list[float]:
    """Return how likely each of some claims is right, if at most so many of them are."""
    odds = [one / max(1.0 - one, _LEAST_DOUBT) for one in claimed]
    # Of how many of the others are right, from none on: products of their odds, summed.
    whole = sum(_products(odds)[: many + 1])
    return [each * sum(_products(odds[:at] + odds[at + 1 :])[:many]) / whole for at, each in enumerate(odds)]


def _products(odds: Sequence[float]) -> list[float]:
    """Return the sums of the products of none, of one, of two ... of some odds."""
    sums = [1.0]
    for each in odds:
        sums = [low + each * below for low, below in zip([*sums, 0.0], [0.0, *sums], strict=True)]
    return sums


def is_covered(face: FreeFace, others: Iterable[FreeFace]) -> bool:
    """Whether another face lies upon nearly the whole of this one."""
    return any(other.order > face.order and _is_over(other, face) for other in others)


def _is_over(upper: FreeFace, lower: FreeFace) -> bool:
    across, along = turned(upper.x_mm - lower.x_mm, upper.y_mm - lower.y_mm, -lower.turn_deg)
    near_across = abs(across) < _COVERED_ACROSS * lower.width_mm
    return near_across and abs(along) < _COVERED_ALONG * lower.height_mm


def top_of(faces: Sequence[FreeFace]) -> FreeFace | None:
    """Return the uppermost of a pile's faces."""
    return max(faces, key=lambda one: one.order, default=None)
