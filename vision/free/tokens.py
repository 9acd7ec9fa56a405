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
from vision.photometry.palette import NOTHING, Palette, Shade

# What of a circle must be in one paint for a disc.
_DISC_SHARE: Final = 0.75
# A disc is taken away somewhat larger than it is: it stands up, and its edge is blurred, mm.
_RIM_MM: Final = 1.0
# Seen from the side a disc is no further from the middle of its spot than this, as a share of the face.
_BESIDE: Final = 0.25
# More discs than this do not lie on one face.
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
        self._count = len(paints)
        self.radius_mm = width_mm / 2

    def find(self, printed: Singles, standing: Singles, px_per_mm: float) -> Bools:
        """Return the pixels of each disc that may be there, (N, height, width), the plainest first.

        Both are coded colours (3, height, width): without the haze of a mirrored lamp, and with it, for a
        disc may hide the reflection (`vision.free.relighting`). Plain print in its paint may be one as well.
        """
        flat, raised = (self._palette.label(np.moveaxis(one, 0, -1)) for one in (printed, standing))
        labels = np.where(flat == NOTHING, raised, flat)
        elsewhere = self._elsewhere(labels.shape)
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
                share = cv2.GaussianBlur(share, (0, 0), 0.8)
                share[elsewhere] = 0
                _, best, _, at = cv2.minMaxLoc(share)
                if best < _DISC_SHARE:
                    break
                disc = np.zeros(left.shape, np.uint8)
                cv2.circle(disc, at, round(radius + _RIM_MM * px_per_mm), 1, -1)
                found.append(disc > 0)
                left[disc > 0] = 0
        return np.stack(found) if found else np.zeros((0, *labels.shape), np.bool_)

    def _elsewhere(self, shape: tuple[int, int]) -> Bools:
        """Return where on a face of so many pixels no disc has its middle, (height, width)."""
        if not self._spots:
            return np.zeros(shape, np.bool_)
        height, width = shape
        down, across = np.mgrid[:height, :width] + 0.5
        off = [np.hypot(across / width - x, down / height - y) for x, y in self._spots]
        return np.asarray(np.min(off, axis=0) > _BESIDE, np.bool_)


def no_tokens(shape: tuple[int, ...]) -> Bools:
    """Return that no disc is anywhere in a picture of this height and width."""
    return np.zeros((0, *shape), np.bool_)
