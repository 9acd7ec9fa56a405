"""The camera's tone curve relative to the one that the game was learnt with.

Cameras have their own contrast and change it: mid tones come out lighter or darker than light alone
would make them. Without a correction, a flat picture makes grey pieces white. The recognised tiles
give the curve.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import cv2
import numpy as np

from vision.arrays import Floats, Picture8, Singles
from vision.photometry.light import linear

_Pair: TypeAlias = tuple[Singles, Picture8, Singles]

# Powers that are tried; above 1 the camera's mid tones are too dark.
_POWERS = (0.4, 0.5, 0.63, 0.8, 1.0, 1.25, 1.6, 2.0, 2.5)
# A curve must bring the tiles' residual below this share of the residual without one.
_GAIN = 0.92
_LEAST_TILES = 3
# A coarse face must have this many usable pixels.
_LEAST_SEEN = 60
_CLIP = 0.15
_CODED = 1 / 2.2


def _straight(power: float) -> Picture8:
    """Return for each of 256 values the one that a camera without this curve would have given."""
    return np.asarray(np.rint(255 * (np.arange(256) / 255) ** (1 / power)), np.uint8)


# For each curve the light of every value, (curves, 256).
_BENT = np.stack([linear(_straight(power)) for power in _POWERS])


def tone_of(pairs: Iterable[_Pair]) -> float:
    """Return the power p of the camera's curve, seen = true ** p in coded values; 1 where none is needed.

    `pairs` are recognised faces, coarse and softened, (height, width) each: brightness as learnt, linear;
    as seen, uint8; and how much each pixel is to be trusted, 0 to 1.
    """
    told = [one for one in map(_residuals_of, pairs) if one is not None]
    left, tiles = np.sum(told, axis=0), len(told)
    if tiles < _LEAST_TILES:
        return 1.0
    best = int(np.argmin(left))
    return _POWERS[best] if left[best] < _GAIN * left[_POWERS.index(1.0)] else 1.0


def without_tone(picture: Picture8, power: float) -> Picture8:
    """Return a picture (height, width, 3) as a camera without this curve would have taken it."""
    if power == 1.0:
        return picture
    return np.asarray(cv2.LUT(picture, _straight(power)), np.uint8)


def _residuals_of(pair: _Pair) -> Floats | None:
    """Return the residual of a face under each curve, None if too little of it is seen."""
    known, seen, trust = pair
    use = (trust > 0.5) & (seen < 248) & (seen > 2)
    if np.count_nonzero(use) < _LEAST_SEEN:
        return None
    height, width = trust.shape
    y, x = np.mgrid[:height, :width].astype(np.float32)
    x, y = (x / (width - 1) * 2 - 1)[use], (y / (height - 1) * 2 - 1)[use]
    return _residuals(known[use], _BENT[:, seen[use]], x, y)


def _residuals(known: Singles, seen: Singles, x: Singles, y: Singles) -> Floats:
    """Return the residual of a face (N,), after fitting its light, for each curve's picture (curves, N).

    It is the mean of the clipped coded differences, (curves,).
    """
    design = np.stack([known, known * x, known * y, np.ones_like(known)])
    prior = np.diag(np.array([1e-6, 1e-2, 1e-2, 1e-6], np.float32))
    plain = cv2.pow(known, _CODED).ravel()
    weight, off = np.ones_like(seen), np.ones_like(seen)
    for _ in range(2):
        weighed = design * weight[:, None]
        factors = np.linalg.solve(weighed @ design.T + prior, weighed @ seen[:, :, None])[..., 0]
        gain = np.maximum(factors[:, :3] @ np.stack([np.ones_like(x), x, y]), 1e-3)
        shown = np.clip((seen - factors[:, 3:]) / gain, 0, 2)
        off = np.abs(cv2.pow(shown, _CODED) - plain)
        weight = 1 / (1 + (off / np.float32(0.05)) ** 2)
    return np.asarray(np.minimum(off, _CLIP).mean(axis=1), np.float64)
