"""Reduced pictures, in which a change is found quickly."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Bools, Picture8

# Pictures are compared at a quarter of their size, smoothed over three pixels, which a marker still covers.
HALVINGS = 2
REDUCTION = 2**HALVINGS
_SMOOTH_PX = 3
# Levels of 255 in any colour: a marker of the paper's colour differs by twice that, noise of four levels by a
# third. Bright places are noisier, by such a share of their own level.
_CHANGE, _NOISY = 3.0, 0.03
# A camera and its lamps change the whole brightness by as much.
_SAME_LIGHT = 1.25
# Differences are counted in so many parts of a level.
_PARTS = 8


class ImagePyramid:
    """A frame at its full size, half of it, a quarter ...: each is made when it is first asked for."""

    def __init__(self, frame: Picture8) -> None:
        """Begin with a frame (height, width, 3)."""
        self._sizes = [frame]

    def times(self, count: int) -> Picture8:
        """Return the frame halved so many times; an odd row or column is squeezed in."""
        while len(self._sizes) <= count:
            last = self._sizes[-1]
            size = max(last.shape[1] // 2, 1), max(last.shape[0] // 2, 1)
            # Halved twice is quartered, in less than half the time.
            self._sizes.append(np.asarray(cv2.resize(last, size, interpolation=cv2.INTER_AREA), np.uint8))
        return self._sizes[count]


def smoothed(small: Picture8) -> Picture8:
    """Return a reduced picture (height, width, 3) with its noise evened out, ready to be compared."""
    return np.asarray(cv2.blur(small, (_SMOOTH_PX, _SMOOTH_PX)), np.uint8)


def level_of(small: Picture8, every: int) -> float:
    """Return how bright a reduced picture is, at least 1, told from every so many pixels."""
    return max(float(np.median(small[::every, ::every])), 1.0)


def gain_of(one: float, other: float) -> float:
    """Return how much brighter than the other a picture is, by their levels; more than lamps do is change."""
    return min(max(one / other, 1 / _SAME_LIGHT), _SAME_LIGHT)


def differing(one: Picture8, other: Picture8, gain: float) -> Bools:
    """Return where reduced pictures plainly differ, (height, width); the first is `gain` times as bright."""
    apart = cv2.convertScaleAbs(other, alpha=gain)
    # In place: asking for room again and again takes longer than counting.
    cv2.absdiff(one, apart, dst=apart)
    cv2.addWeighted(apart, _PARTS, one, -_NOISY * _PARTS, 0, dst=apart)
    limit = round(_CHANGE * _PARTS)
    return np.asarray(cv2.inRange(apart, (0, 0, 0, 0), (limit, limit, limit, 255)) == 0, np.bool_)
