"""Is there anything new to read? Motion from frame to frame, and change since the last frame that was read.

There is no background model that could become stale. Each frame is compared with the one before it and with
the last one that was read, after a change in overall brightness has been removed. How much a camera's
pictures differ though nothing moves is measured: in the evening, and where they are compressed, it is several
times as much as in daylight.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Picture8
from vision.capture.image_pyramid import (
    CHANGE,
    HALVINGS,
    PARTS,
    PLAIN,
    ImagePyramid,
    beyond,
    differences,
    gain_between,
    smoothed,
)

# The brightness is told by every so manieth pixel.
_EVERY = 8
# This many changed pixels in the small picture are more than a speck of noise.
LEAST_CHANGED = 4
# Of the values of two pictures of a table at rest all but this share differ by no more than their noise; the
# farthest few differ by half as much again.
_FARTHEST, _BEYOND_NOISE = 1e-4, 1.5
# How far each pair of pictures moves what is believed of the noise; what moves a little looks like noise.
_CALMER, _NOISIER = 0.2, 0.1


class News(enum.Enum):
    """What a frame brings."""

    MOTION = "motion"
    CHANGED = "changed"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A small picture of a frame, (height, width, 3)."""

    small: Picture8

    @classmethod
    def of(cls, frame: ImagePyramid) -> Glimpse:
        """Return the glimpse of a frame."""
        return cls(smoothed(frame.times(HALVINGS)))

    def is_alike(self, other: Glimpse) -> bool:
        """Whether the two have the same size."""
        return self.small.shape == other.small.shape

    def apart(self, other: Glimpse) -> Picture8:
        """Return by how much two frames differ; a change in overall brightness does not count."""
        gain = gain_between(self.small, other.small, _EVERY)
        return differences(self.small, other.small, gain)


class Noise:
    """How much the pictures of one camera differ while nothing moves, learnt from one pair to the next.

    Attributes:
        limit: what differs by more levels than this has changed.
    """

    def __init__(self) -> None:
        self._levels: float | None = None

    @property
    def limit(self) -> float:
        """See the class."""
        return min(max(_BEYOND_NOISE * (self._levels or 0.0), CHANGE), PLAIN)

    def learn(self, apart: Picture8) -> None:
        """Take the differences of two pictures, one taken right after the other."""
        if not apart.any():
            return  # the camera has given the same picture again
        counts = np.cumsum(cv2.calcHist([apart.reshape(-1, 1)], [0], None, [256], [0, 256]))
        seen = int(np.searchsorted(counts, (1 - _FARTHEST) * counts[-1])) / PARTS
        if seen > PLAIN:
            return
        if self._levels is None:
            self._levels = seen
        self._levels += (_CALMER if seen < self._levels else _NOISIER) * (seen - self._levels)


class MotionGate:
    """Compares each frame of one source with the one before and with the one that was read last."""

    def __init__(self) -> None:
        self._before: Glimpse | None = None
        self._read: Glimpse | None = None
        self._noise = Noise()
        self._has_moved = False

    def compare(self, frame: ImagePyramid) -> News:
        """Say what a frame brings: motion, something to be read, or nothing new."""
        seen = Glimpse.of(frame)
        before, self._before = self._before, seen
        if before is not None and before.is_alike(seen):
            apart = seen.apart(before)
            self._noise.learn(apart)
            if _is_plain(apart, self._noise.limit):
                self._has_moved = True
                return News.MOTION
        read = self._read
        # What was laid down may be hard to tell from the tile: after a movement even what may be noise is
        # looked at once.
        limit = CHANGE if self._has_moved else self._noise.limit
        if read is None or not read.is_alike(seen) or _is_plain(seen.apart(read), limit):
            return News.CHANGED
        return News.NOTHING

    def took(self) -> None:
        """Note that the frame compared last has been read."""
        self._read = self._before
        self._has_moved = False

    def forget(self) -> None:
        """Treat the next frame as new whatever it shows."""
        self._read = None


def _is_plain(apart: Picture8, limit: float) -> bool:
    """Whether two pictures differ by more than so many levels in more than a speck."""
    return int(np.count_nonzero(beyond(apart, limit))) >= LEAST_CHANGED
