"""How sure a find is: a probability from what speaks for it, fitted on drawn tables."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Floats
from vision.free.comparison import Evidence

FACTORS: Final = np.array([-22.536, 6.584, 7.543, 1.506, 6.512, 3.505, -0.09, 1.812])
"""Factors of `features_of`, fitted on tables in one room, from perfect pictures."""
FACTORS_OF_TILES: Final = np.array([-9.866, 6.005, 0.805, 0.891, 2.459, 5.032, -2.5, 0.219])
"""The same for tiles on which discs may lie, fitted in rooms (`tests.benchmarks.fit_free_confidence`)."""
FACTORS_OF_CARDS: Final = np.array([-8.934, 0.648, 4.013, -0.817, 2.754, 8.268, -2.252, 0.789])
"""The same for all other faces."""
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


def confidence_of(evidence: Evidence, support: float, *, of_tile: bool = False) -> float:
    """Return the probability that a face lies where it was found, and not the rival most like it.

    Both fits have to say so: one knows few tables on which much else is seen, the other few on which hardly
    anything of a face is. `of_tile` says whether discs may lie on it.
    """
    features = features_of(evidence, support)
    sure = _logistic(float(features @ FACTORS))
    # Only its own print speaks for what has no rival.
    if not evidence.closest:
        return sure
    return min(sure, _logistic(float(features @ (FACTORS_OF_TILES if of_tile else FACTORS_OF_CARDS))))


def _logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(value, -30, 30))))
