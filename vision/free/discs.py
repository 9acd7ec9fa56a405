"""Finds circles of one size in pictures of what may belong to discs of one paint."""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Singles
from vision.geometry.regions import region_of, widened

# The ring around a disc, in radii.
_RING_FROM, _RING_TO = 1.15, 1.5
# Circles are looked for in a picture reduced so many times.
_REDUCED: Final = 2
# What is strange counts so much beside what is marked, what is marked around a circle against it.
_STRANGE, _AROUND = 0.5, 0.5


class DiscSearch:
    """Finds circles of one radius, px."""

    def __init__(self, radius_px: float) -> None:
        """Prepare."""
        self.radius_px = radius_px
        small = radius_px / _REDUCED
        circle, ring = filled_circle(small), filled_circle(small * _RING_TO)
        ring -= _padded(filled_circle(small * _RING_FROM), ring.shape[0])
        self._circle, self._ring = circle / circle.sum(), ring / ring.sum()

    def places(
        self, marked: Bools, strange: Bools, least: float, least_strange: float, apart: float, step: float
    ) -> list[tuple[float, float]]:
        """Return the middles of circles, px, x and y, the likeliest first.

        Args:
            marked: (height, width) what may belong to one.
            strange: (height, width) what is not as it is known.
            least: how much of a circle is marked at least.
            least_strange: how much of it is strange at least, unless it stands out.
            apart: it does if the ring around it is marked by so much less.
            step: how far apart middles are at least, in radii.
        """
        held = region_of(marked)
        if held is None:
            return []
        rim = math.ceil(_RING_TO * self.radius_px) + _REDUCED
        window = widened(held, marked.shape, (rim, rim))
        mine, odd = (_reduced(one[window]) for one in (marked, strange))
        share = _share(mine, self._circle)
        around, unlike = _share(mine, self._ring), _share(odd, self._circle)
        may_be = (share >= least) & ((unlike >= least_strange) | (share - around >= apart))
        y, x = np.nonzero(may_be)
        value = (share + _STRANGE * unlike - _AROUND * around)[y, x]
        free, found = may_be.astype(np.uint8), []
        reach = max(math.ceil(step * self.radius_px / _REDUCED), 1)
        for number in np.argsort(-value, kind="stable").tolist():
            at = int(x[number]), int(y[number])
            if free[at[1], at[0]]:
                cv2.circle(free, at, reach, 0, -1)
                middle = ((one + 0.5) * _REDUCED - 0.5 for one in at)
                found.append(tuple(one + part.start for one, part in zip(middle, window[::-1], strict=True)))
        return found


def _reduced(some: Bools) -> Singles:
    """Return a mask reduced, each pixel the share that was marked."""
    height, width = some.shape
    size = (max(width // _REDUCED, 1), max(height // _REDUCED, 1))
    part = some[: size[1] * _REDUCED, : size[0] * _REDUCED]
    return np.asarray(cv2.resize(part.astype(np.float32), size, interpolation=cv2.INTER_AREA), np.float32)


def _share(mine: Singles, kernel: Singles) -> Singles:
    return np.asarray(cv2.filter2D(mine, -1, kernel, borderType=cv2.BORDER_CONSTANT), np.float32)


def filled_circle(radius: float) -> Singles:
    """Return a filled circle, 1 within, in the smallest square of odd edge around it."""
    reach = math.ceil(radius)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    return np.asarray(np.hypot(x, y) <= radius, np.float32)


def _padded(kernel: Singles, edge: int) -> Singles:
    """Return a kernel in the middle of a square of this edge, px."""
    return np.pad(kernel, (edge - kernel.shape[0]) // 2)
