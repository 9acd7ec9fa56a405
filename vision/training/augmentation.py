"""Samples seen a little otherwise each time: what a recogniser must not mind.

Patches are turned so that what stands up leans upwards, so left and right may be swapped. Which colour is
which says nothing, so blue, green and red may change places, in all pictures of a patch at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from vision.arrays import Bools, Patches, Singles

_ORDERS = np.array(list(itertools.permutations(range(3))))
# The light as it is fitted is off by so much, and the haze by so much of 255: standard deviations; so much
# noise has a pixel at most.
_LIGHT_OFF, _HAZE_OFF, _NOISE = 0.04, 3.0, 5.0
# Every so manieth patch is cut a pixel off.
_SHIFTED = 0.8
# A mirrored lamp: how much of what is seen is its light in the middle of a patch, how much that changes
# across it at most, evenly and towards two edges, and the most that it comes to; how bright it is, and how
# far its colours are from white (a standard deviation).
_MIRRORED, _EVENLY, _UNEVENLY, _MOST = (0.05, 0.9), 1.0, 0.5, 0.92
_LAMP_LEVEL, _LAMP_TINT = (204.0, 255.0), 0.06
# Where more than the second share of the middle of a patch is burnt out nobody can tell any more what is
# there. Where it is more than the first some could: such patches are left as they were.
_BURNT, _BURNT_OUT = 250, (0.2, 0.5)
_MIDDLE_ROWS, _MIDDLE_COLUMNS = (0.25, 0.83), (0.17, 0.83)


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


def hazed(patches: Patches, share: float, dice: np.random.Generator) -> tuple[Patches, Bools]:
    """Return patches with haze over what is seen now in a share of them: the print stays, but paler.

    A lamp that varnish mirrors adds its light; where what lies under it is shaded or in the lens's veil, it
    replaces some of it as well. Returned, too, is in which patches nobody could tell any more what is there.

    Args:
        patches: (N, channels, size, size); channels 0 to 2 are what is seen now.
        share: of the patches.
        dice: decides.
    """
    changed = patches.copy()
    rows = np.flatnonzero(dice.random(len(patches)) < share)
    shape, size = (len(rows), 1, 1, 1), patches.shape[-1]
    light = _ramps(len(rows), size, dice)
    lamp = dice.uniform(*_LAMP_LEVEL, shape) * dice.normal(1, _LAMP_TINT, (len(rows), 3, 1, 1))
    replaced = dice.uniform(0, 1, shape)
    seen = patches[rows, :3] * (1 - replaced * light) + lamp * light
    down, right = (slice(*(round(one * size) for one in part)) for part in (_MIDDLE_ROWS, _MIDDLE_COLUMNS))
    burnt = (seen.min(axis=1) > _BURNT)[:, down, right].mean(axis=(1, 2))
    least, most = _BURNT_OUT
    is_plain = (burnt < least) | (burnt > most)
    changed[rows[is_plain], :3] = np.clip(seen[is_plain], 0, 255).astype(np.uint8)
    is_lost = np.zeros(len(patches), np.bool_)
    is_lost[rows[burnt > most]] = True
    return changed, is_lost


def _ramps(count: int, size: int, dice: np.random.Generator) -> Singles:
    """Return how much of the lamp is seen in each pixel of patches, (count, 1, size, size), 0 to 1."""
    shape = (count, 1, 1)
    across = np.linspace(-0.5, 0.5, size)
    turn = dice.uniform(0, 2 * np.pi, shape)
    along = np.cos(turn) * across[None, None, :] + np.sin(turn) * across[None, :, None]
    ramp = dice.uniform(*_MIRRORED, shape) + dice.uniform(0, _EVENLY, shape) * along
    ramp += dice.uniform(-_UNEVENLY, _UNEVENLY, shape) * along**2
    return np.clip(ramp, 0, _MOST)[:, None].astype(np.float32)


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
