"""What weighs networks' words with measures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.models.network import ModelCard, Network, softmax

pytest.importorskip("torch", reason="what training needs is not installed: .ci/setup train")
from vision.training.classifiers import Choices, Classifier, choice_scores, fit_choices, fit_classifier

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


def _lists(seed: int, count: int = 600) -> Choices:
    """Lists of which the first number of a row tells the right one, and that of the list whether none is."""
    dice = np.random.default_rng(seed)
    counts = dice.integers(0, 4, count)
    values = dice.normal(0, 1, (count, 3, 2)).astype(np.float32)
    common = dice.normal(0, 1, (count, 2)).astype(np.float32)
    shown = np.where(np.arange(3)[None] < counts[:, None], values[..., 0], -9)
    none = np.where(common[:, 0] > 0, 3, 4)
    truth = np.where(shown.max(axis=1) > 0.3, shown.argmax(axis=1), none)
    return Choices(
        values=values,
        counts=counts.astype(np.float64),
        groups=np.tile(np.arange(3.0), (count, 1)),
        common=common,
        truth=truth.astype(np.float64),
    )


def test_rows_that_say_the_same_are_told_together() -> None:
    """Two rows that are as likely as a third make up what is likelier than that."""
    lists = _lists(3)
    lists = replace(lists, counts=np.full(len(lists.counts), 3.0))
    rows, none = fit_choices(lists, 2, epochs=2)
    alone = softmax(choice_scores(rows, none, lists))
    paired = choice_scores(rows, none, replace(lists, groups=np.tile([0.0, 1.0, 0.0], (len(alone), 1))))
    told = softmax(paired)

    assert np.allclose(told[:, 0], alone[:, 0] + alone[:, 2], atol=1e-5)
    assert np.allclose(told[:, 1], alone[:, 1], atol=1e-5)
    assert told[:, 2].max() < 1e-4


def test_the_right_one_of_a_list_is_chosen_or_none() -> None:
    """Rows that are not used are never chosen."""
    rows, none = fit_choices(_lists(1, 3000), 2, epochs=20)
    unseen = _lists(2)
    chosen = choice_scores(rows, none, unseen).argmax(axis=1)

    assert (chosen == unseen.truth).mean() > 0.85
    assert (chosen[chosen < 3] < unseen.counts[chosen < 3]).all()


def test_several_fitted_ones_make_up_one_whose_scores_are_their_mean() -> None:
    """It is one dense network, as OpenCV runs them."""
    lists, unseen = _lists(1), _lists(2)
    (first, _), (second, _) = (fit_choices(lists, 2, epochs=2, seed=seed) for seed in (4, 5))
    both, none = fit_choices(lists, 2, epochs=2, seed=4, times=2)
    rows = unseen.values.reshape(-1, 2)

    assert np.allclose(both.scores(rows), (first.scores(rows) + second.scores(rows)) / 2, atol=1e-5)
    assert not np.allclose(first.scores(rows), second.scores(rows), atol=1e-2)
    assert none.scores(unseen.common).shape == (len(unseen.common), 2)
    assert both.onnx()
