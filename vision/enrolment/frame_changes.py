"""Where two frames of one camera show something different, against the noise of these two frames."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Picture8, Singles

BLOCK_PX: Final = 8
"""Edge of the blocks that are compared."""
# A level is rounded: the mean of a block is no better known than this, levels of 255.
_ROUNDED: Final = 0.29 / BLOCK_PX
_MAD: Final = 1.4826
# By the normal law one block in 10^15 differs by so many spreads; compressed pictures have heavier tails.
_SPREADS: Final = 8.0


def block_means(frame: Picture8) -> Singles:
    """Return the mean colours of the blocks of a frame (height, width, 3): (rows, columns, 3)."""
    rows, columns = frame.shape[0] // BLOCK_PX, frame.shape[1] // BLOCK_PX
    whole = frame[: rows * BLOCK_PX, : columns * BLOCK_PX]
    # The mean of whole pixels, not rounded to levels.
    return np.asarray(
        cv2.resize(whole.astype(np.float32), (columns, rows), interpolation=cv2.INTER_AREA), np.float32
    )


def changed_blocks(before: Singles, now: Singles, usual: Singles | None = None) -> Bools:
    """Return which blocks differ by more than noise, (rows, columns).

    Most of what a frame shows stays as it is: how far the middle half of all blocks differ is its noise. A
    common gain of each colour is none of a change. A single block that nothing beside it goes with is noise.

    Args:
        before, now: (rows, columns, 3), `block_means` of two frames of the same size.
        usual: (3,), the noise of other frames of this camera: two may happen to agree better.
    """
    apart = _apart(before, now)
    spread = np.maximum(_noise(apart), 0 if usual is None else usual)
    score = np.abs(apart) / np.maximum(spread, _ROUNDED).astype(np.float32)
    changed = (score.max(axis=2) > _SPREADS).astype(np.uint8)
    beside = cv2.filter2D(changed, -1, np.ones((3, 3), np.uint8), borderType=cv2.BORDER_CONSTANT)
    return np.asarray((changed > 0) & (beside > 1), np.bool_)


def noise_of(before: Singles, now: Singles) -> Singles:
    """Return how much the blocks of two frames differ by chance, (3,), levels: a standard deviation."""
    return _noise(_apart(before, now))


def _noise(apart: Singles) -> Singles:
    return np.asarray(_MAD * np.median(np.abs(apart).reshape(-1, 3), axis=0), np.float32)


def _apart(before: Singles, now: Singles) -> Singles:
    gain = np.median(now.reshape(-1, 3), axis=0) / np.maximum(np.median(before.reshape(-1, 3), axis=0), 1.0)
    apart = now - before * gain.astype(np.float32)
    return np.asarray(apart - np.median(apart.reshape(-1, 3), axis=0).astype(np.float32), np.float32)


def sharpness(patch: Picture8) -> float | None:
    """Return how steep the steps of a gray patch (height, width) are for its contrast; None without any."""
    values = patch.astype(np.float32)
    contrast = float(values.var())
    if contrast <= 1.0:
        return None
    x = cv2.Sobel(values, cv2.CV_32F, 1, 0, scale=0.125)
    y = cv2.Sobel(values, cv2.CV_32F, 0, 1, scale=0.125)
    return float((x * x + y * y).mean()) / contrast
