"""Which parts of a picture look otherwise than when they were read: only those are read again."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from vision.arrays import Picture8
from vision.capture.image_pyramid import SHRINK, differing, gain_of, level_of
from vision.geometry.regions import Part

_LEAST_CHANGED = 2
# The level is told from every so many pixels.
_EVERY = 3


class LookMemory:
    """Remembers how each part of a picture looked when it was read. For one view."""

    def __init__(self, parts: Mapping[str, Part]) -> None:
        """Begin with nothing read; `parts` are windows of the picture at its full size, by name."""
        self._parts = {name: _shrunk(part) for name, part in parts.items()}
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
            name for name, part in self._parts.items() if np.count_nonzero(differs[part]) >= _LEAST_CHANGED
        }
        if len(changed) == len(self._parts):
            self._read = small.copy()
            return frozenset(changed)
        for part in (self._parts[name] for name in changed):
            # Kept as bright as the rest of what is remembered.
            self._read[part] = cv2.convertScaleAbs(small[part], alpha=gain)
        return frozenset(changed)


def _shrunk(part: Part) -> Part:
    rows, columns = (slice(one.start // SHRINK, -(-one.stop // SHRINK)) for one in part)
    return rows, columns
