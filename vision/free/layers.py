"""Tells which of the pieces that lie flat lies over which."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Singles
from vision.free.peeling import Find

# Pieces overlap if they share more than this of the smaller.
_LEAST_OVERLAP: Final = 0.03


def in_order(finds: Sequence[Find]) -> tuple[list[Find], list[set[int]]]:
    """Return finds from the lowest up, and for each the numbers of those that it covers in part."""
    below: dict[int, set[int]] = {n: set() for n in range(len(finds))}
    for high, low in _overlapping(finds):
        below[high].add(low)
    order: list[int] = []
    left = set(below)
    while left:
        # Of cards that lie over each other in a circle any may be the lowest.
        ready = [n for n in sorted(left) if not below[n] & left] or [min(left)]
        order += ready
        left -= set(ready)
    numbers = {n: place for place, n in enumerate(order)}
    return [finds[n] for n in order], [{numbers[low] for low in below[n]} for n in order]


def _overlapping(finds: Sequence[Find]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of those that overlap, the upper one first."""
    outlines = [np.asarray(one.outline(), np.float32) for one in finds]
    boxes = [(*one.min(axis=0).tolist(), *one.max(axis=0).tolist()) for one in outlines]
    for one, other in itertools.combinations(range(len(finds)), 2):
        (left, top, right, bottom), (x0, y0, x1, y1) = boxes[one], boxes[other]
        if left <= x1 and x0 <= right and top <= y1 and y0 <= bottom:
            common = _common(outlines[one], outlines[other])
            if common is not None:
                is_over = finds[one].shown_in(common) >= finds[other].shown_in(common)
                yield (one, other) if is_over else (other, one)


def _common(one: Singles, other: Singles) -> Singles | None:
    """Return what two outlines have in common, None if that is next to nothing."""
    share, common = cv2.intersectConvexConvex(one, other)
    if share < _LEAST_OVERLAP * min(cv2.contourArea(one), cv2.contourArea(other)):
        return None
    return np.asarray(common, np.float32)
