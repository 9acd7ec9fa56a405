"""What a lamp that is mirrored adds to a face while it is learnt."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Bools, Image, Singles
from vision.faces.cutting import lightest_around
from vision.photometry.light import LIGHTEST, greatest

# Of the print of a face so many per cent are black, as dark as such a share of white paper.
_DARKEST: Final = 2.0
_BLACK: Final = 0.05
# That a lamp's haze is level counts for as much as so large a share of the face.
_LEVEL: Final = 1.0
# So much haze is plainly a lamp's; a colour that is so light may be any lighter.
_HAZY: Final = 0.1
_BURNT: Final = 253


def haze_on(picture: Singles, valid: Bools) -> Singles:
    """Return how much light a mirrored lamp adds to a face (height, width, 3), (height, width).

    Face and haze are in shares of white paper's light; `valid` (height, width) is where the face was seen.
    Where any of it is lighter than paper more light falls than was measured, or a lamp is mirrored. Only then
    no print is black, though some should be.
    """
    excess = lightest_around(picture) - LIGHTEST
    hazed = excess > 0
    if not hazed.any() or not valid.any():
        return np.asarray(np.maximum(excess, 0), np.float32)
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
    return np.asarray(np.maximum(uneven + level, 0), np.float32)


def share_in_glare(image: Image, haze: Singles) -> float:
    """Return the share of a face (height, width, 3) uint8 whose colours a lamp's haze made too light to tell.

    What is burnt out without any haze is white print in bright light.
    """
    return float(((haze > _HAZY) & (greatest(image) >= _BURNT)).mean())
