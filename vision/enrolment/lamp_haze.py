"""What a lamp that is mirrored adds to a face while it is learnt."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Bools, Singles
from vision.faces.cutting import lightest_around
from vision.photometry.light import LIGHTEST

# Of the print of a face so many per cent are black, as dark as such a share of white paper.
_DARKEST: Final = 2.0
_BLACK: Final = 0.05
# That a lamp's haze is level counts for as much as so large a share of the face.
_LEVEL: Final = 1.0


def without_haze(picture: Singles, valid: Bools) -> Singles:
    """Return a face (height, width, 3), in shares of white paper's light, without a mirrored lamp's haze.

    Where any of it is lighter than paper more light falls than was measured, or a lamp is mirrored. Only then
    no print is black, though some should be.
    """
    excess = lightest_around(picture) - LIGHTEST
    hazed = excess > 0
    if not hazed.any() or not valid.any():
        return picture
    # It changes evenly, so that what it is where no print is light follows from where some is.
    height, width = excess.shape
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    plane = np.stack([np.ones_like(x), x, y], axis=-1)
    known = plane[hazed]
    prior = np.diag([0.0, 1.0, 1.0]) * _LEVEL * x.size
    uneven = plane @ np.linalg.solve(known.T @ known + prior, known.T @ excess[hazed])
    even = picture - uneven[..., None].astype(np.float32)
    # How much there is of it black print tells, but no colour may fall below nothing where it is thinner.
    darkest = np.percentile(even[valid].max(axis=1), _DARKEST) - _BLACK
    level = min(float(darkest), float(np.percentile(even[valid].min(axis=1), _DARKEST)))
    haze = np.maximum(uneven + level, 0)[..., None].astype(np.float32)
    return np.asarray(np.maximum(picture - haze, 0), np.float32)
