"""Reduced pictures, in which a change is found quickly."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Bools, Picture8

# Pictures are compared at a quarter of their size and smoothed over three pixels; a marker is larger than
# that.
HALVINGS = 2
REDUCTION = 2**HALVINGS
_SMOOTH_PX = 3
# Levels of 255 in any colour. A marker of the paper's colour differs by twice that, noise of four levels by a
# third of it. Bright places are noisier, by this share of their own level.
CHANGE, _NOISY = 3.0, 0.03
PLAIN = 8.0
"""A hand differs from what is below it by more levels than this, however noisy a camera is."""
# What is smaller, and nowhere plain, is a speck: the smallest piece has some twenty pixels.
_NO_SPECK_PX = 12
# The camera and the lamps alone may change the overall brightness by up to this factor.
_SAME_LIGHT = 1.25
# Levels from which and up to which a pixel tells how bright its picture is.
_LIT, _BURNT = 32.0, 250.0
PARTS = 8
"""Differences are counted in fractions of a level, this many to one level."""


class ImagePyramid:
    """A frame at full size, half size, quarter size ...; each level is made when it is first needed."""

    def __init__(self, frame: Picture8) -> None:
        """Begin with a frame (height, width, 3)."""
        self._sizes = [frame]

    def times(self, count: int) -> Picture8:
        """Return the frame halved this many times; an odd last row or column is squeezed in."""
        while len(self._sizes) <= count:
            last = self._sizes[-1]
            size = max(last.shape[1] // 2, 1), max(last.shape[0] // 2, 1)
            # Quartering in one step takes less than half the time of halving twice.
            self._sizes.append(np.asarray(cv2.resize(last, size, interpolation=cv2.INTER_AREA), np.uint8))
        return self._sizes[count]


def smoothed(small: Picture8) -> Picture8:
    """Return a reduced picture (height, width, 3) with its noise evened out, ready to be compared."""
    return np.asarray(cv2.blur(small, (_SMOOTH_PX, _SMOOTH_PX)), np.uint8)


def gain_between(one: Picture8, other: Picture8, every: int = 3) -> float:
    """Return how many times as bright the first of two reduced pictures is, limited to what lamps can cause.

    Told by what most of a sample of their pixels say, each compared with its like: a hand that has come
    covers less than half of a picture, but may well change its median brightness by a tenth.
    """
    first, second = (np.asarray(each[::every, ::every], np.float32).ravel() for each in (one, other))
    # Dark pixels tell steps of whole levels, burnt-out ones nothing.
    least = min(_LIT, float(np.median(second)))
    is_told = (second >= max(least, 1.0)) & (np.maximum(first, second) < _BURNT)
    if not is_told.any():
        return 1.0
    gain = float(np.median(first[is_told] / second[is_told]))
    return min(max(gain, 1 / _SAME_LIGHT), _SAME_LIGHT)


def differences(one: Picture8, other: Picture8, gain: float) -> Picture8:
    """Return by how much reduced pictures differ beyond the noise of bright places, (height, width, 3).

    The first is `gain` times as bright; the unit is 1 / `PARTS` of a level.
    """
    apart = cv2.convertScaleAbs(other, alpha=gain)
    # In place: allocating arrays again and again takes longer than the arithmetic.
    cv2.absdiff(one, apart, dst=apart)
    cv2.addWeighted(apart, PARTS, one, -_NOISY * PARTS, 0, dst=apart)
    return np.asarray(apart, np.uint8)


def beyond(apart: Picture8, levels: float) -> Bools:
    """Return where `differences` are more than so many levels in any colour, (height, width)."""
    limit = round(levels * PARTS)
    return np.asarray(cv2.inRange(apart, (0, 0, 0, 0), (limit, limit, limit, 255)) == 0, np.bool_)


def differing(one: Picture8, other: Picture8, gain: float) -> Bools:
    """Return where reduced pictures plainly differ, (height, width); the first is `gain` times as bright."""
    return beyond(differences(one, other, gain), CHANGE)


def differing_but_for_specks(one: Picture8, other: Picture8) -> Bools:
    """Return where reduced pictures differ, (height, width), without specks of noise and change of light.

    In the evening, and where pictures are compressed, faint specks are all over the table in each of them.
    """
    apart = differences(one, other, gain_between(one, other))
    differs = beyond(apart, CHANGE)
    if not differs.any():
        return differs
    _, patches, stats, _ = cv2.connectedComponentsWithStats(differs.view(np.uint8), connectivity=8)
    is_plain = np.asarray(stats[:, cv2.CC_STAT_AREA] >= _NO_SPECK_PX)
    is_plain[np.unique(patches[beyond(apart, PLAIN)])] = True
    is_plain[0] = False
    return np.asarray(is_plain[patches], np.bool_)
