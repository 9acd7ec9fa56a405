"""The sensor part of a set-up: tags, magnets, thresholds, drift."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.sensors import (
    MAGNET_WINDOWS,
    DriftWatch,
    SensorProfile,
    Tag,
    format_profile,
    learn_rest,
    learn_scale,
    learn_windows,
    normalised,
    parse_profile,
)
from companion.errors import ProfileError

names = st.text(st.characters(categories=["Ll", "Lu"]), min_size=1, max_size=8)
tags = st.builds(
    Tag, st.sampled_from(["tile", "figure", "dragon"]), names, st.sampled_from([None, "sketch", "built"])
)
profiles = st.builds(
    SensorProfile,
    tags=st.dictionaries(st.integers(0, 2**32 - 1), tags, max_size=5),
    players=st.dictionaries(st.integers(1, 7), names, max_size=4),
    boxes=st.dictionaries(names, st.lists(st.integers(0, 3), max_size=4).map(tuple), max_size=3),
    layout=st.dictionaries(names, names, max_size=3),
    spots=st.lists(st.tuples(st.integers(0, 1023), st.integers(1, 255)), max_size=9).map(tuple),
    colours=st.dictionaries(names, st.tuples(*[st.integers(0, 255)] * 3), max_size=3),
    brightness=st.floats(0, 1),
)


@given(profiles)
def test_a_profile_is_read_as_it_was_written(profile: SensorProfile) -> None:
    """By way of JSON text."""
    assert parse_profile(json.loads(json.dumps(format_profile(profile)))) == profile


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": 99}, "version 99"),
        ({"tags": {"zz": ["tile", "mill", None]}}, "damaged"),
        ({"tags": {"1": ["tower", "mill", None]}}, "tower"),
        ({"windows": [[0, 1]]}, "8 class windows"),
        ({"spots": [[5000, 1]]}, "rest 5000"),
        ({"players": None}, "damaged"),
        ({"brightness": 2}, "0 to 1"),
    ],
)
def test_a_damaged_profile_says_what_is_wrong(change: dict[str, object], words: str) -> None:
    """And what to do."""
    with pytest.raises(ProfileError, match=words):
        parse_profile({**format_profile(SensorProfile()), **change})


def test_a_tag_belongs_to_one_piece() -> None:
    """Learning it twice is fine, as something else it is refused with both names."""
    profile = SensorProfile().with_tag(7, Tag("tile", "mill", "sketch"))

    assert profile.with_tag(7, Tag("tile", "mill", "sketch")) == profile
    with pytest.raises(ProfileError, match=r"tile mill.*figure purple"):
        profile.with_tag(7, Tag("figure", "purple"))


def test_rests_are_learned_and_loose_wires_named() -> None:
    """The median of some scans; a spot that wavers is named."""
    rng = random.Random(1)
    scans = [[500 + spot + rng.randrange(-3, 4) for spot in range(20)] for _ in range(15)]
    rests = learn_rest(scans)

    assert all(abs(rest - 500 - spot) <= 2 for spot, rest in enumerate(rests))
    scans[3][4] = 900
    with pytest.raises(ProfileError, match="Spot 4"):
        learn_rest(scans)


@given(st.integers(400, 620), st.integers(30, 300), st.booleans())
def test_a_learned_scale_puts_the_weak_magnet_in_its_window(rest: int, felt: int, is_south: bool) -> None:
    """Whatever the distance of magnet and sensor."""
    reading = rest - felt if is_south else rest + felt
    low, high = MAGNET_WINDOWS[2 if is_south else 1]

    assert low <= normalised(reading, rest, learn_scale(rest, [reading - 1, reading, reading + 1])) <= high


def test_no_magnet_is_not_learned() -> None:
    """It must be felt clearly."""
    with pytest.raises(ProfileError, match="No magnet"):
        learn_scale(512, [515, 514, 516])


def test_windows_are_learned_with_gaps_between() -> None:
    """Every sample falls into its window, the middle between two classes into none."""
    samples = {0: [-6, 0, 5], 1: [60, 70], 2: [-75, -60], 3: [180, 200]}
    windows = learn_windows(samples)

    for class_, values in samples.items():
        assert all(windows[class_][0] <= v <= windows[class_][1] for v in values)
    assert not [w for w in windows if w[0] <= 32 <= w[1]]
    assert windows[7] == (1, 0)
    with pytest.raises(ProfileError, match="read almost the same"):
        learn_windows({0: [0, 5], 1: [12, 40]})


def test_drift_is_noticed_and_corrected() -> None:
    """A rest that wanders by warmth, one that does not."""
    watch = DriftWatch([512, 512, 512])
    rng = random.Random(2)
    for step in range(300):
        watch.see(0, 512 + step // 10 + rng.randrange(-2, 3))
        watch.see(1, 512 + rng.randrange(-2, 3))

    assert watch.wandering() == (0,)
    assert abs(watch.corrected()[0] - 540) < 6
    assert watch.corrected()[1:] == (512, 512)
    assert 0 < watch.noise(1) < 6
    assert watch.noise(2) == watch.drift(2) == 0
