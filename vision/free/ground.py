"""The ground on which pieces lie: nobody has learnt it, but most of what lies bare looks like it."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Bools, Singles

# Shares of a colour in which ground differs from most of it, besides so many times of what it usually varies.
_OTHER_HUE: Final = 0.04
_VARIES: Final = 2.0


def off_ground(seen: Singles, bare: Bools) -> Bools:
    """Return where bare ground has another hue than most of it, (height, width)."""
    hue = seen / np.maximum(seen.sum(axis=2, keepdims=True), 0.05)
    ground = hue[bare]
    if not len(ground):
        return np.zeros(bare.shape, np.bool_)
    usual = np.median(ground, axis=0)
    varies = np.median(np.abs(ground - usual), axis=0)
    return np.asarray((np.abs(hue - usual) > _OTHER_HUE + _VARIES * varies).any(axis=2) & bare, np.bool_)
