"""Confidences: scaled until they are true, and measured."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.models.network import softmax
from vision.training.calibration import (
    brier_score,
    calibration_error,
    confusion,
    fit_temperature,
    negative_log_likelihood,
    reliability,
)


def _claims(temperature: float, count: int = 20_000) -> tuple[np.ndarray, np.ndarray]:
    """Return scores that are calibrated at a temperature, and what was true."""
    dice = np.random.default_rng(3)
    scores = dice.normal(0, 2, (count, 3)).astype(np.float32)
    chances = softmax(scores)
    truth = (dice.random((count, 1)) > chances.cumsum(axis=1)).sum(axis=1).clip(0, 2)
    return scores * np.float32(temperature), truth.astype(np.float64)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.5])
def test_the_temperature_is_found_again(temperature: float) -> None:
    """Scores that are so many times too bold are divided by as much, and are calibrated then."""
    scores, truth = _claims(temperature)
    found = fit_temperature(scores, truth)
    chances = softmax(scores / np.float32(found))
    right = (chances.argmax(axis=1) == truth).astype(float)

    assert found == pytest.approx(temperature, rel=0.06)
    assert calibration_error(chances.max(axis=1).astype(float), right) < 0.012
    if temperature == 2.5:
        bold = softmax(scores)
        assert calibration_error(bold.max(axis=1).astype(float), right) > 0.05
    assert negative_log_likelihood(scores, truth, found) <= negative_log_likelihood(scores, truth, 1.0)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60))
def test_bins_hold_every_claim_once(claims: list[tuple[float, bool]]) -> None:
    """Counts add up, bins rise, and their means are those of all claims."""
    confidence = np.array([one for one, _ in claims])
    right = np.array([float(is_right) for _, is_right in claims])
    parts = reliability(confidence, right)

    assert len(claims) == sum(one.count for one in parts)
    assert sorted(one.confidence for one in parts) == pytest.approx([one.confidence for one in parts])
    assert sum(one.count * one.right for one in parts) == pytest.approx(right.sum())
    assert 0 <= calibration_error(confidence, right) <= 1


def test_nothing_claimed_is_no_error() -> None:
    assert calibration_error(np.zeros(0), np.zeros(0)) == 0


def test_brier_and_confusion_by_hand() -> None:
    """Two samples reckoned on paper."""
    chances = np.array([[0.8, 0.2], [0.4, 0.6]], np.float32)
    truth = np.array([0.0, 0.0])

    assert brier_score(chances, truth) == pytest.approx((0.08 + 0.72) / 2, rel=1e-5)
    assert confusion(chances.argmax(axis=1).astype(float), truth, 2).tolist() == [[1, 1], [0, 0]]
