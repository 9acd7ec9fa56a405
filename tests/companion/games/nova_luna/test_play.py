"""Played games of Nova Luna and Urbion: random games by the hundred, and one that is won."""

from __future__ import annotations

import random

import pytest

from companion.games import registry
from tests.benchmarks.nova_urbion_random import prove

GAMES = ("nova_luna", "urbion")


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_random_games_keep_their_invariants_and_make_sound_records(name):
    """Whole random games over all set-ups: no exception, nothing broken, every record verifies."""
    figures = prove(name, 200, 0, 4)

    assert figures.defects == []
    assert figures.records == 50
    if name == "nova_luna":
        assert {ending.split()[1] for ending in figures.endings} == {"tokens", "no_tiles"}


def test_urbion_can_be_won():
    """A player who works for balance wins now and then."""
    game = registry.lookup("urbion")
    for seed in range(400):
        rng = random.Random(f"urbion/0/{seed}")
        state = game.start(game.deal(rng, {"books": seed % 7}))
        player = game.random_player(rng)
        while game.result(state) is None:
            state = game.apply(state, player(state))[0]
        if state.reason == "cities":
            break

    assert game.result(state) == {"winners": ["anna"], "reason": "cities", "draw": False}
    assert state.subdued == 12
