"""Samples seen a little otherwise each time: what a recogniser must not mind.

Patches are turned so that what stands up leans upwards, so left and right may be swapped. Which colour is
which says nothing, so blue, green and red may change places, in all pictures of a patch at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from vision.arrays import Patches

_ORDERS = np.array(list(itertools.permutations(range(3))))
# The light as it is fitted is off by so much, and the haze by so much of 255: standard deviations; so much
# noise has a pixel at most.
_LIGHT_OFF, _HAZE_OFF, _NOISE = 0.04, 3.0, 5.0
# Every so manieth patch is cut a pixel off.
_SHIFTED = 0.8


def augmented(patches: Patches, coloured: Sequence[int], dice: np.random.Generator) -> Patches:
    """Return patches (N, channels, size, size) seen a little otherwise.

    Args:
        patches: as they were cut; channels 0 to 2 are what is seen now.
        coloured: the first channels of all pictures in blue, green, red.
        dice: decides.
    """
    changed = patches.copy()
    count = len(changed)
    order = _ORDERS[dice.integers(len(_ORDERS), size=count)]
    for first in coloured:
        part = np.take_along_axis(changed[:, first : first + 3], order[:, :, None, None], axis=1)
        changed[:, first : first + 3] = part
    _relight(changed, dice)
    is_mirrored = dice.random(count) < 0.5
    changed[is_mirrored] = changed[is_mirrored, :, :, ::-1]
    shifts = dice.integers(-1, 2, (count, 2)) * (dice.random((count, 1)) < _SHIFTED)
    for down, right in set(map(tuple, shifts.tolist())) - {(0, 0)}:
        rows = (shifts == (down, right)).all(axis=1)
        changed[rows] = _shifted(changed[rows], down, right)
    return changed


def _shifted(patches: Patches, down: int, right: int) -> Patches:
    """Return patches from a pixel farther down or to the right; what is not known there is as at the rim."""
    size = patches.shape[-1]
    padded = np.pad(patches, ((0, 0), (0, 0), (1, 1), (1, 1)), mode="edge")
    return padded[:, :, 1 + down : 1 + down + size, 1 + right : 1 + right + size]


def _relight(patches: Patches, dice: np.random.Generator) -> None:
    """Change the light on what is seen now, as if it had been fitted a little worse."""
    shape = (len(patches), 3, 1, 1)
    common = dice.normal(1, _LIGHT_OFF, (len(patches), 1, 1, 1))
    gain = (common * dice.normal(1, _LIGHT_OFF / 2, shape)).astype(np.float32)
    haze = dice.normal(0, _HAZE_OFF, shape).astype(np.float32)
    noise = dice.normal(0, 1, patches[:, :3].shape).astype(np.float32)
    noise *= dice.uniform(0, _NOISE, (len(patches), 1, 1, 1)).astype(np.float32)
    patches[:, :3] = np.clip(patches[:, :3] * gain + haze + noise, 0, 255).astype(np.uint8)
