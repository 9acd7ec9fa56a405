"""Random players of Nova Luna lay their tiles where a place has room for them."""

from __future__ import annotations

import random

import pytest

from companion.games import registry

GAME = registry.lookup("nova_luna")
# Tiles in a row of 43 mm each, in a place of 280 mm.
ROOM = 6


@pytest.mark.parametrize("seed", range(12))
def test_random_players_stay_in_their_place(seed):
    rng = random.Random(seed)
    state = GAME.start(GAME.deal(rng, {}))
    choose = GAME.random_player(rng)
    while GAME.result(state) is None:
        state = GAME.apply(state, choose(state))[0]

    areas = [seat.area for seat in state.seats]
    spans = [
        max(laid.at[axis] for laid in area) - min(laid.at[axis] for laid in area) + 1
        for area in areas
        for axis in (0, 1)
    ]

    assert max(spans) <= ROOM
    assert max(map(len, areas)) > ROOM
