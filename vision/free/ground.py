"""The ground on which pieces lie: nobody has learnt it, but its colours are found all over the table."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Numbers, Singles
from vision.photometry.light import total

# Hues are counted in shares of blue and green, in so many steps each.
_STEPS: Final = 64
# The picture is divided into so many parts across and along; ground is what is seen in so many of them.
_PARTS: Final = 12
_LEAST_PARTS: Final = 0.2
# A part in which a smaller share of what lies bare has a hue does not show it: that is noise or a piece.
_LEAST_SHARE: Final = 0.01
# What is darker has no hue.
_LEAST_LIGHT: Final = 0.05


def off_ground(seen: Singles, bare: Bools) -> Bools:
    """Return where bare ground has a hue that is not found all over it, (height, width).

    Cloth and wood have many hues, but each of them in many places; pieces are in a few.

    Args:
        seen: (height, width, 3) colours, linear or coded alike all over.
        bare: (height, width) where nothing known lies.
    """
    if not bare.any():
        return np.zeros(bare.shape, np.bool_)
    hue = _hues(seen)
    height, width = bare.shape
    rows = np.arange(height)[:, None] * _PARTS // height
    columns = np.arange(width)[None] * _PARTS // width
    part = np.broadcast_to(rows * _PARTS + columns, bare.shape)
    counts = np.bincount(part[bare] * _STEPS**2 + hue[bare], minlength=_PARTS**2 * _STEPS**2)
    by_part = counts.reshape(_PARTS**2, _STEPS, _STEPS).astype(np.float32)
    # Noise carries a hue a step further.
    near = np.stack([cv2.blur(one, (3, 3), borderType=cv2.BORDER_CONSTANT) * 9 for one in by_part])
    whole = by_part.sum(axis=(1, 2))
    there = whole > 0
    shows = near[there] > _LEAST_SHARE * whole[there, None, None]
    is_ground = shows.mean(axis=0) >= _LEAST_PARTS
    return np.asarray(~is_ground.ravel()[hue] & bare, np.bool_)


def _hues(seen: Singles) -> Numbers:
    """Return the step of the hue of each pixel, (height, width)."""
    whole = np.maximum(total(seen), _LEAST_LIGHT)
    blue, green, _ = cv2.split(seen)
    steps = [np.minimum((one / whole * _STEPS).astype(np.int32), _STEPS - 1) for one in (blue, green)]
    return np.asarray(steps[0] * _STEPS + steps[1], np.int32)
