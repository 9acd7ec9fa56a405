"""Whether confidences are true: temperature scaling, calibration error, Brier score, reliability.

Temperature scaling: Guo, Pleiss, Sun, Weinberger, On Calibration of Modern Neural Networks (2017).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats, Singles

_LEAST, _MOST, _STEPS = 0.2, 5.0, 60
# Claims are counted in bins of equal numbers: confident models would fill only the last of equal widths.
BINS = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """One bin of a reliability diagram.

    Attributes:
        confidence: mean of what was claimed.
        right: share of what was right.
        count: how many claims.
    """

    confidence: float
    right: float
    count: int


def negative_log_likelihood(scores: Singles, truth: Floats, temperature: float) -> float:
    """Return the mean over samples of -log p(truth) at a temperature; truth holds class numbers (N,)."""
    scaled = scores.astype(np.float64) / temperature
    top = scaled.max(axis=1, keepdims=True)
    log_total = np.log(np.exp(scaled - top).sum(axis=1)) + top[:, 0]
    picked = scaled[np.arange(len(truth)), truth.astype(int)]
    return float((log_total - picked).mean())


def fit_temperature(scores: Singles, truth: Floats) -> float:
    """Return the temperature at which held-back samples are likeliest, by golden-section search.

    Args:
        scores: (N, classes).
        truth: class numbers, (N,).
    """
    low, high = math.log(_LEAST), math.log(_MOST)
    share = (math.sqrt(5) - 1) / 2
    for _ in range(_STEPS):
        a, b = high - share * (high - low), low + share * (high - low)
        if negative_log_likelihood(scores, truth, math.exp(a)) < negative_log_likelihood(
            scores, truth, math.exp(b)
        ):
            high = b
        else:
            low = a
    return math.exp((low + high) / 2)


def reliability(confidence: Floats, right: Floats, bins: int = BINS) -> tuple[Reliability, ...]:
    """Return the reliability diagram of claims (N,) that were right (1) or wrong (0), least sure first."""
    order = np.argsort(confidence, kind="stable")
    parts = [part for part in np.array_split(order, bins) if len(part)]
    return tuple(
        Reliability(
            confidence=float(confidence[part].mean()), right=float(right[part].mean()), count=len(part)
        )
        for part in parts
    )


def calibration_error(confidence: Floats, right: Floats, bins: int = BINS) -> float:
    """Return the expected calibration error of claims, in bins of equal numbers; of no claims 0."""
    if not len(confidence):
        return 0.0
    parts = reliability(confidence, right, bins)
    return sum(one.count * abs(one.confidence - one.right) for one in parts) / len(confidence)


def brier_score(probabilities: Singles, truth: Floats) -> float:
    """Return the mean squared distance between probabilities (N, classes) and what was true (Brier 1950)."""
    wanted = np.zeros(probabilities.shape)
    wanted[np.arange(len(truth)), truth.astype(int)] = 1
    return float(((probabilities - wanted) ** 2).sum(axis=1).mean())


def confusion(claimed: Floats, truth: Floats, classes: int) -> Floats:
    """Return how often each class (row) was claimed as each other (column)."""
    table = np.zeros((classes, classes))
    np.add.at(table, (truth.astype(int), claimed.astype(int)), 1)
    return table
