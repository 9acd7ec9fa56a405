"""The light that falls on a face, and its colours with that taken off.

A lamp shines more on one part of a table than on another, and where it is mirrored it lays a white haze over
what is printed there. What stands on a face hides the lamp's reflection, so that it has no haze.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Bools, Singles
from vision.photometry.light import LIGHTEST, valued

# How far coded colours may be off to count in full, round by round: the first know the light only roughly.
_OFF: Final = (0.3, 0.2, 0.12, 0.08, 0.06)
# How much is held against each part of the light, as a share of all that is seen: the gain, its slopes across
# and down; haze, its slopes; and by how much the gains of the three colours differ.
_HABIT: Final = np.array([1e-6, 0.003, 0.003, 0.001, 0.01, 0.01, 0.03, 0.03, 0.03])
# The gains of the colours differ from that of all by no more than this share.
_COLOURED: Final = 0.15
_FLOOR: Final = np.eye(len(_HABIT)) * 1e-9
# One pixel in so many is fitted, along each edge.
_EVERY: Final = 3
# What is darker tells nothing of the gain; no light is weaker than the least gain.
_DARK, _FAINT, _LEAST_GAIN = 0.05, 0.01, 0.02
# Noise grows with light: a coded level is so much of it, by this power.
_GAMMA: Final = 2.2
_POWER: Final = 1 - 1 / _GAMMA
# What was learnt is no lighter than this: white may have been burnt out, and be lighter in other light.
_LIGHTEST: Final = float(valued(np.array([LIGHTEST], np.float32))[0])


@dataclass(frozen=True, slots=True)
class Relit:
    """Colours in the light in which a face was learnt, coded, (3, height, width).

    Attributes:
        printed: of what is printed there.
        standing: of what stands there: no haze is taken off.
    """

    printed: Singles
    standing: Singles


def relit(seen: Singles, known: Singles, usable: Singles) -> Relit:
    """Return linear colours seen (height, width, 3) in the light of the `known` ones, as large.

    `usable` (height, width) says how much of each pixel can be used. The gain of the light varies evenly over
    the face and differs little by colour; haze is white. What does not fit loses weight.
    """
    some = slice(1, None, _EVERY)
    weight = usable[some, some].ravel()
    learnt, light = (
        np.ascontiguousarray(one[some, some].reshape(-1, 3).T, np.float32) for one in (known, seen)
    )
    level = _level(learnt, light, weight > 0)
    across, down = _position(seen.shape[:2])
    parts = _fitted(learnt, light / level, weight, across[some, some].ravel(), down[some, some].ravel())
    gain = parts[0] + parts[1] * across + parts[2] * down
    haze = parts[3] + parts[4] * across + parts[5] * down
    gains = np.maximum(gain + parts[6:, None, None], _LEAST_GAIN)
    standing = np.moveaxis(seen, -1, 0) / np.float32(level) / gains
    return Relit(
        printed=np.minimum(valued(np.ascontiguousarray(standing - haze / gains)), _LIGHTEST),
        standing=valued(np.ascontiguousarray(standing)),
    )


def _level(learnt: Singles, light: Singles, usable: Bools) -> float:
    """Return how bright the light (3, pixels) is beside the learnt one, roughly."""
    if not usable.any():
        return 1.0
    ratios = light.sum(axis=0)[usable] / np.maximum(learnt.sum(axis=0)[usable], _DARK)
    return max(float(np.median(ratios)), _FAINT)


@functools.lru_cache(maxsize=16)
def _position(shape: tuple[int, int]) -> tuple[Singles, Singles]:
    """Return how far right of and below a face's middle its pixels are, -1 to 1, (height, width) each."""
    down, across = (((np.arange(many) + 0.5) * 2 / many - 1).astype(np.float32) for many in shape)
    x, y = np.meshgrid(across, down)
    return np.asarray(x, np.float32), np.asarray(y, np.float32)


def _fitted(learnt: Singles, light: Singles, weight: Singles, x: Singles, y: Singles) -> Singles:
    """Return the parts of the light, in the order of `_HABIT`; `learnt` and `light` are (3, pixels)."""
    design = np.zeros((len(_HABIT), *learnt.shape), np.float32)
    design[0], design[1], design[2] = learnt, learnt * x, learnt * y
    design[3], design[4], design[5] = 1, x, y
    for colour, own in enumerate(learnt):
        design[6 + colour, colour] = own
    design = design.reshape(len(_HABIT), -1)
    wanted, weights = light.ravel(), np.tile(weight, 3)
    # Where little of the face is seen, as much is held against unusual light as by a whole one.
    seldom = weight.size / max(float(weight.sum()), 1.0)
    parts = np.eye(1, len(_HABIT), dtype=np.float32)[0]
    for scale in _OFF:
        expected = parts @ design
        step = np.float32(_GAMMA) * np.maximum(expected, _FAINT) ** np.float32(_POWER)
        off = (wanted - expected) / (step * np.float32(scale))
        trust = weights / (step * (1 + off * off)) ** 2
        pulled, habit = design * trust, _HABIT * float(trust.sum()) * seldom
        square = np.asarray(pulled @ design.T, np.float64) + np.diag(habit) + _FLOOR
        pull = np.asarray(pulled @ wanted, np.float64)
        pull[0] += habit[0]
        parts = np.linalg.solve(square, pull).astype(np.float32)
        # Paper is white in both lights.
        most = _COLOURED * abs(float(parts[0]))
        parts[6:] = np.clip(parts[6:], -most, most)
    return np.asarray(parts, np.float32)
