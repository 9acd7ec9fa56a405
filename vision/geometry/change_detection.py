"""Which parts of a picture look otherwise than when they were read: only those are read again."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from vision.arrays import Picture8
from vision.capture.image_pyramid import REDUCTION, differing, gain_of, level_of
from vision.geometry.regions import Region

_LEAST_CHANGED = 2
# The level is told from every so many pixels.
_EVERY = 3


class ChangeDetector:
    """Remembers how each part of a picture looked when it was read. For one view."""

    def __init__(self, regions: Mapping[str, Region]) -> None:
        """Begin with nothing read; `regions` are windows of the picture at its full size, by name."""
        self._parts = {name: _reduced(region) for name, region in regions.items()}
        self._read: Picture8 | None = None

    def changed(self, small: Picture8) -> frozenset[str]:
        """Return the parts of a picture that look otherwise than when they were read.

        `small` is the picture (height, width, 3) shrunk and smoothed. The parts count as read with it. A
        change of the whole brightness is none.
        """
        if self._read is None:
            self._read = small.copy()
            return frozenset(self._parts)
        gain = gain_of(level_of(self._read, _EVERY), level_of(small, _EVERY))
        differs = differing(self._read, small, gain)
        changed = {
            name
            for name, region in self._parts.items()
            if np.count_nonzero(differs[region]) >= _LEAST_CHANGED
        }
        if len(changed) == len(self._parts):
            self._read = small.copy()
            return frozenset(changed)
        for region in (self._parts[name] for name in changed):
            # Kept as bright as the rest of what is remembered.
            self._read[region] = cv2.convertScaleAbs(small[region], alpha=gain)
        return frozenset(changed)


def _reduced(region: Region) -> Region:
    rows, columns = (slice(one.start // REDUCTION, -(-one.stop // REDUCTION)) for one in region)
    return rows, columns
