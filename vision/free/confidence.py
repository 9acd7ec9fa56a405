"""How sure a find is: a probability from what speaks for it, fitted on drawn tables."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Floats
from vision.free.comparison import Evidence

OF_CARDS: Final = np.array([-5.24, 2.558, 4.991, 0.074, 0.344, 5.345, 0.023, 0.065])
"""Factors of `features_of` for cards, as `tests.benchmarks.fit_free_confidence` finds them."""
OF_TILES: Final = np.array([-9.866, 6.005, 0.805, 0.891, 2.459, 5.032, -2.5, 0.219])
"""The same for tiles on which discs may lie: they are printed much like each other."""
OF_BOARDS: Final = np.array([-22.536, 6.584, 7.543, 1.506, 6.512, 3.505, -0.09, 1.812])
"""The same for what has no rival, so that nothing but its own print speaks for it; fitted in one room."""
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


def confidence_of(evidence: Evidence, support: float, factors: Floats = OF_CARDS) -> float:
    """Return the probability that a face lies where it was found, and not the rival most like it."""
    if not evidence.closest:
        factors = OF_BOARDS
    return _logistic(float(features_of(evidence, support) @ factors))


def _logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(value, -30, 30))))
