"""Fitting: what can be learnt is learnt, the same again from a seed, and OpenCV computes what was fitted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.errors import MalformedError, ProfileError
from vision.models.network import ModelCard, Network, compared, parse_card, softmax

pytest.importorskip("torch", reason="what training needs is not installed: .ci/setup train")
from torch import nn

from vision.training.fit import NetworkShape, Samples, Schedule, fit, scores, to_onnx

SHAPE = NetworkShape(channels=2, size_px=12, coloured=(), widths=(6, 8), hidden=8, classes=2)
CARD = ModelCard(
    name="toy",
    channels=2,
    size_px=12,
    coloured=(),
    classes=("left", "right"),
    temperature=1.5,
    data="made up",
    figures={"right": 0.99},
)


def _samples(count: int, seed: int) -> Samples:
    """Return patches that are brighter on their left (0) or on their right (1)."""
    dice = np.random.default_rng(seed)
    truth = dice.integers(0, 2, count)
    patches = dice.integers(0, 120, (count, 2, 12, 12))
    for patch, side in zip(patches, truth, strict=True):
        patch[:, :, 6 * side : 6 * side + 6] += 60
    return Samples(
        patches=patches.astype(np.uint8), truth=truth.astype(float), is_used=np.ones(count, np.bool_)
    )


@pytest.fixture(scope="module")
def fitted() -> nn.Sequential:
    return fit(SHAPE, _samples(600, 1), Schedule(epochs=12, batch=32, rate=0.02))


def test_what_can_be_learnt_is_learnt(fitted: nn.Sequential) -> None:
    """New samples are told apart; losses fall."""
    losses: list[float] = []
    fit(
        SHAPE,
        _samples(200, 1),
        Schedule(epochs=6, batch=32, rate=0.02),
        lambda _epoch, loss: losses.append(loss),
    )
    held_back = _samples(300, 2)
    claimed = scores(fitted, held_back.patches).argmax(axis=1)

    assert (claimed == held_back.truth).mean() > 0.97
    assert losses[-1] < losses[0]


def test_the_same_seed_gives_the_same_network() -> None:
    few = _samples(60, 4)
    one, same = (scores(fit(SHAPE, few, Schedule(epochs=2)), few.patches) for _ in range(2))

    assert np.array_equal(one, same)


def test_opencv_computes_what_was_fitted(fitted: nn.Sequential) -> None:
    """Scores of the ONNX file by OpenCV are those of PyTorch, for one patch and for many."""
    network = Network(to_onnx(fitted, SHAPE.ways, SHAPE.classes), CARD)
    for count in (1, 7, 40):
        patches = _samples(count, 5).patches
        wanted = scores(fitted, patches)

        assert np.abs(network.scores(patches) - wanted).max() < 1e-4
        assert np.allclose(network.probabilities(patches), softmax(wanted / np.float32(1.5)), atol=1e-4)
    assert network.scores(np.zeros((0, 2, 12, 12), np.uint8)).shape == (0, 2)


def test_colours_are_compared_with_what_is_seen_now() -> None:
    """How far each pixel is from every other picture, in the colour in which it is farthest."""
    patches = np.zeros((1, 7, 2, 2), np.uint8)
    patches[0, 0:3] = np.array([255, 51, 0])[:, None, None]
    patches[0, 4:7] = np.array([255, 102, 153])[:, None, None]
    seen = compared(patches, (0, 4))

    assert seen.shape == (1, 8, 2, 2)
    assert np.allclose(seen[0, :7], patches[0] / 255)
    assert np.allclose(seen[0, 7], 153 / 255)
    assert compared(patches, ()).shape == (1, 7, 2, 2)


def test_patches_of_another_shape_are_refused(fitted: nn.Sequential) -> None:
    network = Network(to_onnx(fitted, SHAPE.ways, SHAPE.classes), CARD)
    with pytest.raises(ValueError, match="wants patches"):
        network.scores(np.zeros((1, 3, 12, 12), np.uint8))


def test_cards_print_and_parse_to_themselves() -> None:
    assert CARD == parse_card(CARD.text())
    with pytest.raises(MalformedError):
        parse_card("{}")


def test_torn_or_missing_files_are_told(tmp_path: Path) -> None:
    """A model that is not there or not whole says so in words."""
    with pytest.raises(ProfileError, match="missing"):
        Network.load("toy", tmp_path)
    (tmp_path / "toy.json").write_text(CARD.text(), encoding="utf-8")
    (tmp_path / "toy.onnx").write_bytes(b"no model")
    with pytest.raises(ProfileError, match="cannot be read"):
        Network.load("toy", tmp_path)


def test_nothing_is_learnt_from_what_is_held_back() -> None:
    """Samples that are told wrongly, but not used, change nothing."""
    made = _samples(200, 3)
    torn = np.concatenate([made.truth, 1 - made.truth])
    both = Samples(
        patches=np.concatenate([made.patches, made.patches]), truth=torn, is_used=np.arange(400) < 200
    )
    schedule = Schedule(epochs=2, batch=32, rate=0.02)
    one, same = (scores(fit(SHAPE, each, schedule), made.patches) for each in (made, both))

    assert len(both) == 200
    assert np.array_equal(one, same)
