"""Reduced pictures: how much brighter one is than another."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.capture.image_pyramid import differing, differing_but_for_specks, gain_between


def table(light: float = 1.0) -> NDArray[np.uint8]:
    """A dark table with light tiles on nearly half of it, in some light."""
    levels = np.full((90, 160, 3), 60.0)
    levels[:, :76] = 180.0
    noise = np.random.default_rng(1).normal(0, 1, levels.shape)
    return np.asarray(np.clip(levels * light + noise, 0, 255), np.uint8)


def with_hand(picture: NDArray[np.uint8], level: int) -> NDArray[np.uint8]:
    """The picture with something over its right third."""
    covered = picture.copy()
    covered[:, 110:] = level
    return covered


@pytest.mark.parametrize("level", [10, 120, 200])
def test_a_hand_is_no_change_of_light(level: int) -> None:
    """What it covers differs, and nothing else, though the median brightness of the picture changes."""
    before, after = table(), with_hand(table(), level)
    gain = gain_between(before, after)
    assert gain == pytest.approx(1.0, abs=0.005)
    differs = differing(before, after, gain)
    assert differs[:, 110:].all()
    assert not differs[:, :110].any()


@pytest.mark.parametrize("light", [0.85, 1.1, 1.2])
def test_light_is_told_with_a_hand_over_the_table(light: float) -> None:
    """The pixels that are no hand's say how much brighter it is."""
    gain = gain_between(with_hand(table(light), 120), table())
    assert gain == pytest.approx(light, abs=0.01)


def test_more_than_lamps_can_cause_is_none() -> None:
    """A picture twice as bright shows something else."""
    assert gain_between(table(), table(0.5)) == pytest.approx(1.25)
    assert gain_between(table(0.5), table()) == pytest.approx(0.8)


@pytest.mark.parametrize("level", [0, 255])
def test_where_nothing_is_told_the_light_is_the_same(level: int) -> None:
    """Black and burnt-out pictures say nothing of light."""
    flat = np.full((90, 160, 3), level, np.uint8)
    assert gain_between(flat, flat) == 1.0
    assert gain_between(table(), flat) == 1.0


def with_spot(picture: NDArray[np.uint8], edge: int, levels: int) -> NDArray[np.uint8]:
    """The picture with a square on it that differs by so many levels."""
    changed = picture.astype(int)
    changed[40 : 40 + edge, 100 : 100 + edge] += levels
    return np.asarray(np.clip(changed, 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("edge", "levels", "is_told"), [(2, 8, False), (3, 8, False), (5, 8, True), (1, 30, True), (5, 2, False)]
)
def test_a_small_and_faint_change_is_a_speck(edge: int, levels: int, *, is_told: bool) -> None:
    """One that is plain, or as large as a piece, is not."""
    before = np.full((90, 160, 3), 60, np.uint8)
    differs = differing_but_for_specks(before, with_spot(before, edge, levels))
    assert differs.any() == is_told
    assert np.count_nonzero(differs) == edge**2 * is_told


def test_specks_are_left_out_beside_a_hand() -> None:
    """What differs elsewhere counts by itself."""
    before = table()
    differs = differing_but_for_specks(before, with_spot(with_hand(before, 120), 2, 8))
    assert differs[:, 110:].all()
    assert not differs[:, :110].any()
