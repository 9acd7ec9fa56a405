"""Is there anything new to read? Motion from frame to frame, and change since the last frame that was read.

There is no background model that could become stale. Each frame is compared with the one before it and with
the last one that was read, after a change in overall brightness has been removed.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np

from vision.arrays import Picture8
from vision.capture.image_pyramid import HALVINGS, ImagePyramid, differing, gain_of, level_of, smoothed

# This many changed pixels in the small picture are more than a speck of noise.
LEAST_CHANGED = 4


class News(enum.Enum):
    """What a frame brings."""

    MOTION = "motion"
    CHANGED = "changed"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A small picture of a frame, (height, width, 3), and how bright it is."""

    small: Picture8
    level: float

    @classmethod
    def of(cls, frame: ImagePyramid) -> Glimpse:
        """Return the glimpse of a frame."""
        small = smoothed(frame.times(HALVINGS))
        return cls(small, level_of(small, 8))

    def is_alike(self, other: Glimpse) -> bool:
        """Whether the two have the same size."""
        return self.small.shape == other.small.shape

    def differs(self, other: Glimpse) -> bool:
        """Whether two frames show something different; a change in overall brightness does not count."""
        differs = differing(self.small, other.small, gain_of(self.level, other.level))
        return int(np.count_nonzero(differs)) >= LEAST_CHANGED


class MotionGate:
    """Compares each frame of one source with the one before and with the one that was read last."""

    def __init__(self) -> None:
        self._before: Glimpse | None = None
        self._read: Glimpse | None = None

    def compare(self, frame: ImagePyramid) -> News:
        """Say what a frame brings: motion, something to be read, or nothing new."""
        seen = Glimpse.of(frame)
        before, self._before = self._before, seen
        if before is not None and before.is_alike(seen) and before.differs(seen):
            return News.MOTION
        if self._read is None or not self._read.is_alike(seen) or self._read.differs(seen):
            return News.CHANGED
        return News.NOTHING

    def took(self) -> None:
        """Note that the frame compared last has been read."""
        self._read = self._before

    def forget(self) -> None:
        """Treat the next frame as new whatever it shows."""
        self._read = None
