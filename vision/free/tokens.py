"""Discs that lie upon a face, as far as they matter for telling which face it is.

Whatever the face is, a disc may hide a part of it. Where a disc of a known paint may lie, no face that shows
something else there falls further behind than the disc itself is unlikely.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Singles
from vision.free.discs import filled_circle
from vision.photometry.palette import Palette, Shade

# What of a circle must be in one paint for a disc.
_DISC_SHARE: Final = 0.75
# A disc is taken away somewhat larger than it is: it stands up, and its edge is blurred, mm.
_RIM_MM: Final = 1.0
# More discs than this do not lie on one face.
_MOST: Final = 8
UNLIKELY: Final = 5.0
"""How unlikely a disc is that no face asks for: logarithm of the odds against it."""


class TokenFinder:
    """Finds where discs of some paints may lie on a face seen in the light that it was learnt in.

    Attributes:
        radius_mm: of a disc.
    """

    def __init__(self, paints: Sequence[tuple[str, Sequence[Shade]]], width_mm: float) -> None:
        """Prepare; `paints` are names with their shades, `width_mm` is that of a disc."""
        self._palette = Palette(paints)
        self._count = len(paints)
        self.radius_mm = width_mm / 2

    def find(self, seen: Singles, px_per_mm: float) -> Bools:
        """Return the pixels of each disc that may be there, (N, height, width), the plainest first.

        `seen` (3, height, width) are coded colours. Plain print in the paint of a disc may be one as well.
        """
        labels = self._palette.label(np.moveaxis(seen, 0, -1))
        radius = self.radius_mm * px_per_mm
        circle = filled_circle(radius)
        least = _DISC_SHARE * float(circle.sum())
        circle /= circle.sum()
        found: list[Bools] = []
        many = np.bincount(labels.ravel(), minlength=self._count)
        for number in range(self._count):
            if many[number] < least:
                continue
            left = (labels == number).astype(np.float32)
            while len(found) < _MOST:
                share = cv2.filter2D(left, -1, circle, borderType=cv2.BORDER_CONSTANT)
                _, best, _, at = cv2.minMaxLoc(cv2.GaussianBlur(share, (0, 0), 0.8))
                if best < _DISC_SHARE:
                    break
                disc = np.zeros(left.shape, np.uint8)
                cv2.circle(disc, at, round(radius + _RIM_MM * px_per_mm), 1, -1)
                found.append(disc > 0)
                left[disc > 0] = 0
        return np.stack(found) if found else np.zeros((0, *labels.shape), np.bool_)


def no_tokens(shape: tuple[int, ...]) -> Bools:
    """Return that no disc is anywhere in a picture of this height and width."""
    return np.zeros((0, *shape), np.bool_)
