"""Which parts of a picture look otherwise than when they were read: only those are read again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from calibration.layout import TableLayout
from vision.light import greatest
from vision.parts import Part
from vision.rectify import Flat
from vision.shrunk import SHRINK, shrunk, unlikeness

Picture8: TypeAlias = NDArray[np.uint8]
Singles: TypeAlias = NDArray[np.float32]

# What stands beside a cell may lean into it.
_MARGIN_MM = 5.0
# Levels of 255: a marker of the paper's colour differs by twice that, noise of a small picture by a third.
_CHANGE = 3.0
_LEAST_CHANGED = 2


class LookMemory:
    """Remembers how each part of a picture looked when it was read. For one view."""

    def __init__(self, parts: Mapping[str, Part]) -> None:
        """Begin with nothing read; `parts` are windows of the picture, by name."""
        self._windows = {name: _shrunk(window) for name, window in parts.items()}
        self._read: Singles | None = None

    def changed(self, picture: Picture8) -> frozenset[str]:
        """Return the parts of a picture (height, width, 3) that look otherwise than when they were read.

        They count as read with this picture. A change of the whole brightness is none.
        """
        small = _small(picture)
        if self._read is None:
            self._read = small
            return frozenset(self._windows)
        level, before = _level(small), _level(self._read)
        differs = greatest(unlikeness(self._read, small, before / level)) > _CHANGE
        changed = {
            name
            for name, window in self._windows.items()
            if np.count_nonzero(differs[window]) >= _LEAST_CHANGED
        }
        for name in changed:
            # Kept as bright as the rest of what is remembered.
            self._read[self._windows[name]] = small[self._windows[name]] / max(level / before, 0.1)
        return frozenset(changed)


def cell_parts(layout: TableLayout, flat: Flat) -> dict[str, Part]:
    """Return the windows of all cells with a margin around them, on the city at full scale."""
    half = (layout.tile_edge_mm / 2 + _MARGIN_MM) * flat.px_per_mm
    parts = {}
    for name, at in layout.cells.items():
        x, y = flat.to_px(np.array(at)).tolist()
        parts[name] = (
            slice(max(int(y - half), 0), int(y + half)),
            slice(max(int(x - half), 0), int(x + half)),
        )
    return parts


def _shrunk(window: Part) -> Part:
    rows, columns = (slice(one.start // SHRINK, -(-one.stop // SHRINK)) for one in window)
    return rows, columns


def _small(picture: Picture8) -> Singles:
    height, width = (max(edge - edge % SHRINK, SHRINK) for edge in picture.shape[:2])
    # Whole squares of pixels are put together four times as quickly.
    return shrunk(picture[:height, :width])


def _level(small: Singles) -> float:
    return max(float(np.median(small[::3, ::3])), 1.0)
