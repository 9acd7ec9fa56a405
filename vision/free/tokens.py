"""Discs that lie upon a face, as far as they matter for telling which face it is.

Whatever the face is, a disc may hide a part of it. Where a disc of a known paint may lie, no face that shows
something else there falls further behind than the disc itself is unlikely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Labels, Singles
from vision.free.discs import filled_circle
from vision.photometry.palette import NOTHING, Palette, Shade

# What of a circle must be in one paint for a disc.
_DISC_SHARE: Final = 0.75
# A disc is taken away somewhat larger than it is: it stands up, and its edge is blurred, mm.
_RIM_MM: Final = 1.0
# Seen from the side a disc is no further from the middle of its spot than this, as a share of the face.
_BESIDE: Final = 0.25
# More discs than this in one paint do not lie on one face.
_MOST: Final = 8
UNLIKELY: Final = 5.0
"""How unlikely a disc is that no face asks for: logarithm of the odds against it."""


class TokenFinder:
    """Finds where discs of some paints may lie on a face seen in the light that it was learnt in.

    Attributes:
        radius_mm: of a disc.
    """

    def __init__(
        self,
        paints: Sequence[tuple[str, Sequence[Shade]]],
        width_mm: float,
        spots: Sequence[tuple[float, float]] = (),
    ) -> None:
        """Prepare.

        Args:
            paints: names with their shades.
            width_mm: of a disc.
            spots: middles of the printed spots on which discs are laid, in shares of a face right of and
                below its upper left corner; without them discs may lie anywhere.
        """
        self._palette = Palette(paints)
        self._spots = tuple(spots)
        self._regions: dict[tuple[int, ...], tuple[Labels, ...]] = {}
        self._count = len(paints)
        self.radius_mm = width_mm / 2

    def find(self, printed: Singles, standing: Singles, px_per_mm: float) -> Bools:
        """Return the pixels of each disc that may be there, (N, height, width), the plainest first.

        Both are coded colours (3, height, width): without the haze of a mirrored lamp, and with it, for a
        disc may hide the reflection (`vision.free.relighting`). Plain print in its paint may be one as well.
        """
        flat, raised = (self._palette.label(np.moveaxis(one, 0, -1)) for one in (printed, standing))
        labels = np.where(flat == NOTHING, raised, flat)
        radius, reach = self.radius_mm * px_per_mm, round((self.radius_mm + _RIM_MM) * px_per_mm)
        circle = filled_circle(radius)
        least = _DISC_SHARE * float(circle.sum())
        circle /= circle.sum()
        found: list[Bools] = []
        many = np.bincount(labels.ravel(), minlength=self._count)
        for number in range(self._count):
            if many[number] >= least:
                mine = (labels == number).astype(np.float32)
                middles = self._on_spots(mine, circle) if self._spots else _anywhere(mine, circle, reach)
                for at in middles:
                    disc = np.zeros(labels.shape, np.uint8)
                    cv2.circle(disc, at, reach, 1, -1)
                    found.append(disc > 0)
        return np.stack(found) if found else np.zeros((0, *labels.shape), np.bool_)

    def _on_spots(self, mine: Singles, circle: Singles) -> Iterator[tuple[int, int]]:
        """Yield the middles of discs in one paint, px, at most one on each spot."""
        share = _share(mine, circle)
        for near in self._near(mine.shape):
            _, best, _, at = cv2.minMaxLoc(share, near)
            if best >= _DISC_SHARE:
                yield at[0], at[1]

    def _near(self, shape: tuple[int, ...]) -> tuple[Labels, ...]:
        """Return for each spot where on a face of so many pixels a disc on it may have its middle, 0 or 1."""
        if shape not in self._regions:
            height, width = shape
            down, across = np.mgrid[:height, :width] + 0.5
            off = (np.hypot(across / width - x, down / height - y) for x, y in self._spots)
            self._regions[shape] = tuple((one <= _BESIDE).astype(np.uint8) for one in off)
        return self._regions[shape]


def _anywhere(mine: Singles, circle: Singles, reach: int) -> Iterator[tuple[int, int]]:
    """Yield the middles of discs in one paint, px, the plainest first; each reaches so far."""
    left = mine.copy()
    for _ in range(_MOST):
        _, best, _, at = cv2.minMaxLoc(_share(left, circle))
        if best < _DISC_SHARE:
            break
        yield at[0], at[1]
        cv2.circle(left, at, reach, 0, -1)


def _share(mine: Singles, circle: Singles) -> Singles:
    """Return how much of a circle about each pixel has a paint, 0 to 1."""
    share = cv2.filter2D(mine, -1, circle, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(cv2.GaussianBlur(share, (0, 0), 0.8), np.float32)


def no_tokens(shape: tuple[int, ...]) -> Bools:
    """Return that no disc is anywhere in a picture of this height and width."""
    return np.zeros((0, *shape), np.bool_)
