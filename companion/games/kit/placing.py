"""From what lies free to the places of a game: what the games share. Millimetres and degrees throughout."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from companion.free_faces import FreeFace, Side
from companion.loose_pieces import LoosePiece, turned
from companion.table_layout import Area, TableLayout

# A middle no further outside of an area than this still belongs to it, mm.
_REACH_MM = 45.0
# Shares of a card's width and height by which it may stick out under the one that covers it.
_COVERED_ACROSS, _COVERED_ALONG = 0.35, 0.22


def area_at(layout: TableLayout, x_mm: float, y_mm: float) -> str | None:
    """Return the area around a point, or the one hardly beside it; None far from all."""
    outside = {name: outside_mm(area, x_mm, y_mm) for name, area in layout.areas.items()}
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


def outside_mm(area: Area, x_mm: float, y_mm: float) -> float:
    """Return how far a point is outside of an area, 0 within it."""
    corners = area.outline_mm
    edges = list(zip(corners, (*corners[1:], corners[0]), strict=True))
    crossed = 0
    for (x, y), (to_x, to_y) in edges:
        if (y > y_mm) != (to_y > y_mm) and x_mm < x + (y_mm - y) / (to_y - y) * (to_x - x):
            crossed += 1
    return 0.0 if crossed % 2 else min(_from_edge(start, end, x_mm, y_mm) for start, end in edges)


def _from_edge(start: tuple[float, float], end: tuple[float, float], x_mm: float, y_mm: float) -> float:
    (x, y), (across, along) = start, (end[0] - start[0], end[1] - start[1])
    length = across**2 + along**2
    share = ((x_mm - x) * across + (y_mm - y) * along) / length if length > 0 else 0.0
    share = min(max(share, 0.0), 1.0)
    return math.hypot(x + share * across - x_mm, y + share * along - y_mm)


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
