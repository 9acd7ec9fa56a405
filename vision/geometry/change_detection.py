"""Change detection: finds the parts of a picture that changed since they were read, to reread only those."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from vision.arrays import Picture8
from vision.capture.image_pyramid import REDUCTION, differing, gain_between
from vision.geometry.regions import Region

_LEAST_CHANGED = 2


class ChangeDetector:
    """Finds the regions of a picture that look different from when they were read. For one camera pose."""

    def __init__(self, regions: Mapping[str, Region]) -> None:
        """Begin; `regions` are windows of the picture at its full size, by name."""
        self._regions = {name: _reduced(region) for name, region in regions.items()}

    def changed(self, small: Picture8, read: Picture8 | None) -> tuple[frozenset[str], Picture8]:
        """Return the regions of a picture that look different from when they were read, and how all look now.

        `small` is the picture (height, width, 3), reduced and smoothed; `read` is what this method returned
        for the previous picture, None = nothing was read yet. A change in overall brightness is ignored.
        """
        if read is None:
            return frozenset(self._regions), small.copy()
        gain = gain_between(read, small)
        differs = differing(read, small, gain)
        changed = frozenset(
            name
            for name, region in self._regions.items()
            if np.count_nonzero(differs[region]) >= _LEAST_CHANGED
        )
        if not changed:
            return changed, read
        if len(changed) == len(self._regions):
            return changed, small.copy()
        now = read.copy()
        for region in (self._regions[name] for name in changed):
            # Stored at the same brightness as the regions remembered before.
            now[region] = cv2.convertScaleAbs(small[region], alpha=gain)
        return changed, now


def _reduced(region: Region) -> Region:
    rows, columns = (slice(one.start // REDUCTION, -(-one.stop // REDUCTION)) for one in region)
    return rows, columns
