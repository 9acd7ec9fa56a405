"""What weighs networks' words with measures."""

from __future__ import annotations

import numpy as np
import pytest

from vision.models.network import ModelCard, Network

pytest.importorskip("torch", reason="what training needs is not installed: .ci/setup train")
from vision.training.classifiers import Classifier, fit_classifier

COUNT = 600


def made_up(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of a network's word and of a measure in other units, both often wrong, and the truth."""
    dice = np.random.default_rng(seed)
    truth = dice.integers(0, 2, COUNT)
    word = truth + dice.normal(0, 0.7, COUNT)
    measure = 250 + 40 * (truth + dice.normal(0, 0.7, COUNT))
    return np.column_stack([word, measure, np.full(COUNT, 7.0)]).astype(np.float32), truth.astype(np.float64)


@pytest.fixture(scope="module")
def classifier() -> Classifier:
    """A classifier that has heard both."""
    return fit_classifier(*made_up(1), 2, epochs=30)


def test_together_they_tell_more_than_each_alone(classifier: Classifier) -> None:
    """Whatever units things are measured in, and though one of them never changes."""
    values, truth = made_up(2)
    alone = ((values[:, 0] > 0.5) == truth).mean()

    assert (classifier.scores(values).argmax(axis=1) == truth).mean() > alone + 0.03


def test_opencv_judges_the_same(classifier: Classifier) -> None:
    """To the last digits that matter."""
    card = ModelCard(
        name="classifier", channels=classifier.inputs, size_px=1, coloured=(), classes=("no", "yes"),
        temperature=2.0, data="made up", figures={},
    )  # fmt: skip
    values, _ = made_up(3)
    found = Network(classifier.onnx(), card)

    assert np.allclose(found.classified(values), classifier.scores(values) / 2, atol=1e-3)
    assert found.classified(values[:0]).shape == (0, 2)
    with pytest.raises(ValueError, match="3 numbers"):
        found.classified(values[:, :2])


def test_the_same_seed_gives_the_same_judge(classifier: Classifier) -> None:
    """On the same machine."""
    assert fit_classifier(*made_up(1), 2, epochs=30).onnx() == classifier.onnx()
