"""Pictures at a quarter of their size, in which it is quickly told whether anything has changed."""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Picture8: TypeAlias = NDArray[np.uint8]
Singles: TypeAlias = NDArray[np.float32]

# Pictures are compared at a quarter of their size, smoothed over three pixels, which a marker still covers.
SHRINK = 4
_SMOOTH_PX = 3


def shrunk(picture: Picture8) -> Singles:
    """Return a picture (height, width, 3) at a quarter of its size, smoothed."""
    height, width = (max(edge // SHRINK, 1) for edge in picture.shape[:2])
    # Halved twice is quartered, in less than half the time.
    half = cv2.resize(picture, (2 * width, 2 * height), interpolation=cv2.INTER_AREA)
    small = cv2.resize(half, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(small, (_SMOOTH_PX, _SMOOTH_PX)), np.float32)


def unlikeness(one: Singles, other: Singles, gain: float) -> Singles:
    """Return by how much shrunk pictures differ, in each colour; the other one is `gain` times as dark."""
    apart = other * np.float32(min(max(gain, 0.8), 1.25))
    # In place: asking for room again and again takes longer than counting.
    cv2.absdiff(one, apart, dst=apart)
    cv2.scaleAdd(one, -0.03, apart, dst=apart)
    return apart
