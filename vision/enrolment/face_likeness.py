"""Whether two faces that were cut out look exactly alike: copies of one face do, faces of one deck seldom.

A difference counts if neither the noise nor a slip of the cut explains it: three pairs of tiles differ in the
colour of one dot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Image, Singles

# Faces are compared in pictures of this scale, block by block of this edge: a dot is about as large.
_PX_PER_MM: Final = 1.5
_BLOCK_MM: Final = 3.0
# Rims are not compared: a cut that is a little off has something else there, mm.
_RIM_MM: Final = 5.0
# Two cuts are shifted against each other by up to this share of the shorter edge: on a heap of its like a
# card's edges are sometimes mistaken. What is left of shift and turn is so many px.
_SLIP: Final = 1 / 6
_LEFT_PX: Final = 1.0
_HALVES: Final = (-0.5, 0.0, 0.5)
# Steps of light that nothing explains: one pixel's rounding, and glare too weak to be left out, levels.
_HAZE: Final = 4.0
# Blocks differ by no more than this many times what a slip and haze explain.
_TIMES: Final = 2.0


@dataclass(frozen=True, slots=True)
class FaceLook:
    """A face as it is compared.

    Attributes:
        colours: (height, width, 3), reduced and slightly softened.
        slopes: (height, width), how much a shift by one pixel changes each pixel at most, levels.
        usable: (height, width), where it was seen.
    """

    colours: Singles
    slopes: Singles
    usable: Bools


def look_of(image: Image, valid: Bools, size_mm: tuple[float, float]) -> FaceLook:
    """Return how a face (height, width, 3) of this size looks; `valid` (height, width) where it was seen."""
    size = (round(size_mm[0] * _PX_PER_MM), round(size_mm[1] * _PX_PER_MM))
    small = cv2.GaussianBlur(cv2.resize(image, size, interpolation=cv2.INTER_AREA), (0, 0), 0.7)
    colours = small.astype(np.float32)
    x = np.abs(cv2.Sobel(colours, cv2.CV_32F, 1, 0, scale=0.125))
    y = np.abs(cv2.Sobel(colours, cv2.CV_32F, 0, 1, scale=0.125))
    seen = cv2.resize(valid.astype(np.uint8), size, interpolation=cv2.INTER_AREA) > 0
    rim = round(_RIM_MM * _PX_PER_MM)
    inner = np.zeros_like(seen)
    inner[rim:-rim, rim:-rim] = True
    return FaceLook(
        colours=colours,
        slopes=np.asarray((x + y).max(axis=2), np.float32),
        usable=np.asarray(seen & inner, np.bool_),
    )


def are_alike(one: FaceLook, other: FaceLook) -> bool:
    """Whether two faces look exactly alike, the same way up."""
    if one.colours.shape != other.colours.shape:
        return False
    usable = one.usable & other.usable
    if not usable.any() or usable.mean() < 0.5 * min(one.usable.mean(), other.usable.mean()):
        return False
    moved, seen = _shifted(one, other)
    both = np.asarray(one.usable & seen, np.bool_)
    return bool(both.any()) and _odd(one, moved, both) <= _TIMES


def _shifted(one: FaceLook, other: FaceLook) -> tuple[Singles, Bools]:
    """Return the other face shifted onto the first: its colours, and where it was seen."""
    height, width = one.usable.shape
    slip = round(min(height, width) * _SLIP)
    inner = other.colours[slip : height - slip, slip : width - slip]
    far = cv2.matchTemplate(one.colours, inner, cv2.TM_SQDIFF)
    down, right = (int(at) - slip for at in np.unravel_index(int(far.argmin()), far.shape))
    within = (slice(slip, height - slip), slice(slip, width - slip))
    best: tuple[float, Singles, Bools] | None = None
    for y in _HALVES:
        for x in _HALVES:
            matrix = np.array([[1.0, 0.0, right + x], [0.0, 1.0, down + y]])
            moved = np.asarray(cv2.warpAffine(other.colours, matrix, (width, height)), np.float32)
            off = float(np.abs(moved - one.colours)[within].mean())
            if best is None or off < best[0]:
                seen = cv2.warpAffine(other.usable.astype(np.uint8), matrix, (width, height), flags=0)
                best = off, moved, np.asarray(seen > 0, np.bool_)
    assert best is not None
    return best[1], best[2]


def _odd(one: FaceLook, other: Singles, usable: Bools) -> float:
    """Return by how many times the worst block differs more than a slip and haze explain."""
    weight = usable.astype(np.float32)
    ratio = np.median(one.colours[usable], axis=0) / np.maximum(np.median(other[usable], axis=0), 1.0)
    apart = np.abs(one.colours - other * ratio.astype(np.float32)).max(axis=2)
    edge = round(_BLOCK_MM * _PX_PER_MM)
    share = cv2.blur(weight, (edge, edge))
    differs = cv2.blur(apart * weight, (edge, edge)) / np.maximum(share, 1e-3)
    explained = cv2.blur(one.slopes * weight, (edge, edge)) / np.maximum(share, 1e-3)
    scores = differs / (explained * np.float32(_LEFT_PX) + np.float32(_HAZE))
    return float(scores[share > 0.5].max(initial=0.0))
