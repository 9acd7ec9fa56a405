"""From measurements to claims: when something is claimed at all, and how surely.

The limits were set on photograph-like tables; `tests/benchmarks/read_accuracy.py` shows how they hold.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.table import Value
from vision.figures import Standing
from vision.markers import BoxLook, Marker
from vision.tiles import Match

# A marker between two boxes belongs to the one that it is nearer to by this much.
_NEARER_MM = 1.5


def judge_cell(found: Sequence[Match], names: Sequence[str]) -> float:
    """Return how surely the best match is right, 0 when it is not to be claimed."""
    best = found[0]
    rival = next((one.score for one in found[1:] if names[one.face] != names[best.face]), -1.0)
    margin = best.score - rival
    if best.score > 0.55 and margin > 0.12:
        return 0.999
    if best.score > 0.45 and margin > 0.07:
        return 0.97
    return 0.0


def judge_standing(found: Standing, learnt: float) -> float:
    """Return how surely a figure stands where it was found, 0 when it is not to be claimed."""
    share = found.share / learnt
    if found.spill > 0.35:
        return 0.0
    if share > 0.8 and found.share - found.rival > 0.3:
        return 0.995
    if share > 0.65 and found.share - found.rival > 0.15:
        return 0.95
    return 0.0


def judge_box(
    look: BoxLook, names: Sequence[str], covered: tuple[float, float]
) -> tuple[Value, float] | None:
    """Return what a box holds and how surely, None when that cannot be told.

    `covered` are the shares of it under foreign things and under figures.
    """
    foreign, pieces = covered
    marker = look.marker
    if look.blind > 0.4 or foreign > 0.3 or look.contested:
        return None
    if marker is not None and look.off_mm < 9.0 and is_solid(marker):
        if look.print > 0.6 and look.off_mm < 4.5:
            # A marker would hide the print.
            return (None, 0.97) if look.bare > 0.3 and marker.strange < 0.9 else None
        clear = look.off_mm < look.next_mm - _NEARER_MM and marker.fill - marker.second > 0.25
        if not clear or pieces > 0.3 or marker.around < 0.5:
            return None
        sure = marker.fill > 0.85 and marker.around > 0.7 and marker.strange > 0.8 and look.off_mm < 5.5
        return names[marker.label], 0.998 if sure else 0.97
    if marker is not None and look.off_mm < 4.0 and pieces < 0.3 and _hides_print(look, marker):
        return names[marker.label], 0.97
    if look.print > 0.55 and look.bare > 0.6:
        return None, 0.999 if look.bare > 0.75 and look.print > 0.65 else 0.98
    if look.print > 0.7 and look.bare > 0.15 and pieces < 0.3:
        return None, 0.97
    return None


def _hides_print(look: BoxLook, marker: Marker) -> bool:
    """Whether a marker of the box's own colour lies there: hardly strange, but the print is gone."""
    return (
        look.print < 0.48 and marker.fill > 0.6 and 0.8 < marker.size < 1.8 and marker.around > 0.7
        and marker.fill - marker.second > 0.25
    )  # fmt: skip


def is_plain(look: BoxLook, names: Sequence[str]) -> bool:
    """Whether a marker lies there by itself, so plainly that it is no part of a figure."""
    verdict = judge_box(look, names, (0.0, 0.0))
    if verdict is None or verdict[0] is None or look.marker is None:
        return False
    return look.marker.size < 1.75 and look.marker.around > 0.6


def is_solid(marker: Marker) -> bool:
    """Whether something in a marker's colour is a marker rather than a stain, a shadow or a blurred print."""
    return marker.fill > 0.72 and marker.size > 0.55 and marker.strange > 0.45
