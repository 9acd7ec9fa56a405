"""From measurements to claims: when something is claimed at all, and how surely.

The limits were set on rendered and on photographed tables; `tests/benchmarks/read_accuracy.py` shows how they hold.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.table import Value
from vision.figures import Standing
from vision.markers import BoxLook
from vision.palette import NOTHING
from vision.tiles import Match


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
    if look.blind > 0.4 or foreign > 0.3:
        return None
    if look.bare > 0.85 and look.print > 0.6:
        return None, 0.999 if look.bare > 0.93 and look.print > 0.75 else 0.98
    if pieces > 0.3:
        return None
    if look.best == NOTHING or look.fill < 0.75 or look.fill - look.second < 0.3:
        return None
    if look.print > 0.6 or look.size < 0.5 or look.around < 0.5:
        return None
    sure = 0.998 if look.fill > 0.9 and look.around > 0.7 else 0.97
    return names[look.best], sure
