"""Which parts of a picture look otherwise than when they were read: only those are read again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import TableLayout
from vision.light import greatest
from vision.rectify import Flat

Picture8: TypeAlias = NDArray[np.uint8]
Singles: TypeAlias = NDArray[np.float32]
Window: TypeAlias = tuple[slice, slice]

_SHRINK = 4
# What stands beside a cell may lean into it.
_MARGIN_MM = 5.0
# Levels of 255: a marker of the paper's colour differs by twice that, noise of a small picture by a third.
_CHANGE = 3.0
_LEAST_CHANGED = 2


class LookMemory:
    """Remembers how each part of a picture looked when it was read. For one view."""

    def __init__(self, parts: Mapping[str, Window]) -> None:
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
        differs = _differs(self._read, small)
        changed = {
            name
            for name, window in self._windows.items()
            if np.count_nonzero(differs[window]) >= _LEAST_CHANGED
        }
        gain = _level(small) / _level(self._read)
        for name in changed:
            # Kept as bright as the rest of what is remembered.
            self._read[self._windows[name]] = small[self._windows[name]] / max(gain, 0.1)
        return frozenset(changed)


def cell_parts(layout: TableLayout, flat: Flat) -> dict[str, Window]:
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


def _shrunk(window: Window) -> Window:
    rows, columns = (slice(one.start // _SHRINK, -(-one.stop // _SHRINK)) for one in window)
    return rows, columns


def _small(picture: Picture8) -> Singles:
    size = max(picture.shape[1] // _SHRINK, 1), max(picture.shape[0] // _SHRINK, 1)
    # Whole squares of pixels are put together four times as quickly.
    whole = picture[: size[1] * _SHRINK, : size[0] * _SHRINK]
    # And halved twice they are quartered in half the time.
    half = cv2.resize(whole, (2 * size[0], 2 * size[1]), interpolation=cv2.INTER_AREA)
    small = cv2.resize(half, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(small, (3, 3)), np.float32)


def _differs(one: Singles, other: Singles) -> NDArray[np.bool_]:
    """Return where two small pictures differ, (height, width)."""
    gain = min(max(_level(one) / _level(other), 0.8), 1.25)
    apart = other * np.float32(gain)
    # In place: asking for room again and again takes longer than counting.
    cv2.absdiff(one, apart, dst=apart)
    cv2.scaleAdd(one, -0.03, apart, dst=apart)
    return np.asarray(greatest(apart) > _CHANGE, np.bool_)


def _level(small: Singles) -> float:
    return max(float(np.median(small[::3, ::3])), 1.0)
