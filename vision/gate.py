"""Is there anything new to read? Motion from frame to frame, and change since the frame that was read last.

Nothing is learnt and nothing goes stale: a frame is compared with the one before it and with the one that was
read, after the brightness of the whole picture has been taken out.
"""

from __future__ import annotations

import enum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.draw import Image

Singles = NDArray[np.float32]

# Frames are compared at a quarter of their size, smoothed over three pixels: what a marker then still covers.
SHRINK = 4
SMOOTH_PX = 3
# Levels of 255 in any colour. Noise of 4 levels shrinks to a third of one; white on white paper differs by 8.
CHANGE = 3.0
# So many changed pixels of the small picture are more than a speck of noise.
LEAST_CHANGED = 4


class News(enum.Enum):
    """What a frame brings."""

    MOTION = "motion"
    CHANGED = "changed"
    NOTHING = "nothing"


class FrameGate:
    """Compares each frame with the one before and with the one that was read last. For one source."""

    def __init__(self) -> None:
        self._before: Singles | None = None
        self._read: Singles | None = None

    def judge(self, frame: Image) -> News:
        """Say what a frame (height, width, 3) brings: motion, something to be read, or nothing new."""
        small = _small(frame)
        before, self._before = self._before, small
        if before is not None and before.shape == small.shape and differs(before, small):
            return News.MOTION
        if self._read is None or self._read.shape != small.shape or differs(self._read, small):
            return News.CHANGED
        return News.NOTHING

    def took(self) -> None:
        """The frame judged last has been read."""
        self._read = self._before

    def forget(self) -> None:
        """The next frame is news whatever it shows."""
        self._read = None


def _small(frame: Image) -> Singles:
    size = max(frame.shape[1] // SHRINK, 1), max(frame.shape[0] // SHRINK, 1)
    small = cv2.resize(frame, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(small, (SMOOTH_PX, SMOOTH_PX)), np.float32)


def differs(one: Singles, other: Singles) -> bool:
    """Whether two small pictures show something different; a change of the whole brightness is none."""
    gain = float(np.median(one)) / max(float(np.median(other)), 1.0)
    gain = min(max(gain, 0.8), 1.25)
    changed = np.abs(one - gain * other) > CHANGE + 0.03 * one
    return int(np.count_nonzero(changed.any(axis=2))) >= LEAST_CHANGED
