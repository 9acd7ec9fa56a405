"""Closed play: whatever is hidden, the bounds hold the truth and nothing that happened is refused."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import RuleViolation
from companion.game import Verdict
from companion.games.blue_moon_city.actions import Action
from companion.games.blue_moon_city.state import CityState
from tests.helpers.city_scene import GAME
from tests.helpers.city_veil import closed_header, hidden, random_header, wasteful

PUBLIC = ("figures", "dragons", "boxes", "built", "obelisk", "markers", "scales", "supply")


def check_bounds(truth: CityState, seen: CityState) -> None:
    """Assert that the closed state holds the open one."""
    bounds = seen.hidden
    assert bounds is not None
    for seat in range(len(truth.hands)):
        assert bounds.hand_low[seat] <= len(truth.hands[seat]) <= bounds.hand_high[seat]
        assert bounds.aside_low[seat] <= len(truth.aside[seat]) <= bounds.aside_high[seat]
        assert bounds.crystals_low[seat] <= truth.crystals[seat] <= seen.crystals[seat]
    assert bounds.deck_low <= len(truth.deck) <= bounds.deck_high
    assert bounds.steps_low <= truth.steps <= seen.steps
    assert (truth.active, truth.moving, truth.turn) == (seen.active, seen.moving, seen.turn)
    assert [getattr(truth, name) for name in PUBLIC] == [getattr(seen, name) for name in PUBLIC]
    whole = GAME.predict(truth)
    assert {where: whole[where] for where in GAME.predict(seen)} == GAME.predict(seen)
    GAME.check(seen, GAME.checkpoint(truth))
    assert GAME.defects(seen) == ()


def check_verdict(truth: CityState, before: CityState, full: Action, part: Action) -> None:
    """Assert that a legal action is never refused and that what is surely legal is legal."""
    assert GAME.judge(before, part) is not Verdict.REFUSED
    assert GAME.judge(truth, full) is Verdict.LEGAL


def play_veiled(seed: int, keep: float, most: int) -> None:
    """Play an open game and, beside it, what a table shows of it."""
    rng = random.Random(seed)
    header = random_header(rng)
    truth, seen = GAME.start(header), GAME.start(closed_header(header))
    choose = GAME.random_player(rng)
    for _ in range(most):
        if truth.outcome is not None:
            break
        full = GAME.with_chance(truth, choose(truth), rng)
        if rng.random() < 0.3:
            full = wasteful(truth, full, rng)
        part = hidden(full, rng, keep)
        check_verdict(truth, seen, full, part)
        truth, _ = GAME.apply(truth, full)
        seen, _ = GAME.apply(seen, part)
        check_bounds(truth, seen)
    result = GAME.result(truth)
    if result is not None:
        assert GAME.result(seen) == result or GAME.admits(seen, result)
    elif seen.outcome is not None:
        pytest.fail("the closed game is over before the open one")


@given(st.integers(0, 100_000), st.sampled_from([0.0, 0.3, 0.7, 1.0]))
@settings(max_examples=25)
def test_the_bounds_always_hold_the_truth(seed: int, keep: float) -> None:
    """Cards and ways hidden at random: nothing that was played is refused, and every bound holds."""
    play_veiled(seed, keep, 100)


@pytest.mark.slow
@pytest.mark.parametrize("keep", [0.0, 0.5, 1.0])
def test_whole_games_stay_within_their_bounds(keep: float) -> None:
    """To the very end: the closed game ends as the open one did, or admits that it may have."""
    for seed in range(20):
        play_veiled(seed, keep, 3000)


@given(st.integers(0, 100_000), st.integers(0, 150), st.data())
def test_what_is_refused_closed_is_illegal_open(seed: int, steps: int, data: st.DataObject) -> None:
    """An action refused by the bounds is refused with the cards known, whatever these are."""
    rng = random.Random(seed)
    header = random_header(rng)
    truth, seen = GAME.start(header), GAME.start(closed_header(header))
    choose = GAME.random_player(rng)
    tried: list[Action] = []
    for _ in range(steps):
        if truth.outcome is not None:
            break
        action = GAME.with_chance(truth, choose(truth), rng)
        tried.append(action)
        truth, _ = GAME.apply(truth, action)
        seen, _ = GAME.apply(seen, hidden(action, rng, 0.5))
    if not tried or truth.outcome is not None:
        return
    action = data.draw(st.sampled_from(tried))  # an old action, out of place by now more often than not
    try:
        full = GAME.with_chance(truth, action, rng)  # an open game must be told the order of a reshuffle
    except RuleViolation:
        full = action

    if GAME.judge(seen, hidden(full, rng, 0.5)) is Verdict.REFUSED:
        assert GAME.judge(truth, full) is Verdict.REFUSED
    if GAME.judge(seen, full) is Verdict.LEGAL:
        assert GAME.judge(truth, full) is Verdict.LEGAL
