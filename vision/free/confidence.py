"""How sure a find is: a probability from what speaks for it, fitted on drawn tables."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Floats
from vision.free.comparison import Evidence

FACTORS: Final = np.array([-8.733, 5.616, 0.527, 0.192, 2.557, 5.771, -1.934, 0.184])
"""Factors of `features_of`, as `tests.benchmarks.fit_free_confidence` finds them."""
# A greater distance from the closest rival proves no more.
_MOST_AHEAD: Final = 20.0


def features_of(evidence: Evidence, support: float) -> Floats:
    """Return what the confidence depends on, in the order of the factors."""
    open_share = max(evidence.open_share, 0.05)
    return np.array(
        [
            1.0,
            evidence.likeness,
            np.sqrt(evidence.shown),
            support,
            min(evidence.shown / open_share, 1.0),
            max(evidence.clear, -1.0),
            evidence.hole,
            np.arcsinh(np.clip(evidence.ahead, -_MOST_AHEAD, _MOST_AHEAD)),
        ]
    )


def confidence_of(evidence: Evidence, support: float) -> float:
    """Return the probability that a face lies where it was found, and not the rival most like it."""
    return _logistic(float(features_of(evidence, support) @ FACTORS))


def _logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(value, -30, 30))))
