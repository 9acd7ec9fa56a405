"""From what lies free to the places of a game: what the games share. Millimetres and degrees throughout."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from companion.free_faces import FreeFace, Side
from companion.free_pieces import FreeTable
from companion.loose_pieces import LoosePiece, Point, turned
from companion.table_layout import Area, TableLayout

# A middle no further outside of an area than this still belongs to it, mm.
_REACH_MM = 45.0
# Shares of a card's width and height by which it may stick out under the one that covers it.
_COVERED_ACROSS, _COVERED_ALONG = 0.35, 0.22


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
    """Return the faces, the least sure of those of which there are more than copies as not read."""
    ordered = list(faces)
    found: Counter[str] = Counter()
    doubtful: set[int] = set()
    for at in sorted(range(len(ordered)), key=lambda at: -ordered[at].confidence):
        name = ordered[at].name
        if name is None or ordered[at].side is not Side.FACE:
            continue
        found[name] += 1
        if found[name] > copies(name):
            doubtful.add(at)
    return [
        replace(one, name=None, side=Side.UNKNOWN, others={}) if at in doubtful else one
        for at, one in enumerate(ordered)
    ]


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
