"""The table of Nova Luna as the window draws it, and what pointing at it means."""

from __future__ import annotations

import random

import pytest

from companion.errors import RuleViolation
from companion.games.nova_luna import DISPLAY, GAME
from companion.games.nova_luna.actions import Refill, Reveal, Take
from companion.games.nova_luna.presenter import STOCK
from companion.games.nova_luna.state import NovaState, clockwise, reach
from companion.games.nova_luna.table import area_place, predict, wheel_place

PRESENTER = DISPLAY.presenter


def state_after(steps: int, *, is_closed: bool = False) -> NovaState:
    """Return a random game of two after so many actions."""
    rng = random.Random(4)
    header = GAME.deal(rng, {"players": 2})
    state = GAME.start(GAME.public_header(header) if is_closed else header)
    choose = GAME.random_player(rng)
    for _ in range(steps):
        state, _ = GAME.apply(state, choose(state))
    return state


@pytest.mark.parametrize("steps", [0, 9, 25])
def test_all_that_the_table_shows_is_drawn(steps: int) -> None:
    """Every tile, task, disc and empty slot of the predicted picture has a card of its own."""
    state = state_after(steps)
    cards = PRESENTER.present(state).cards
    areas = {area_place(seat.player) for seat in state.seats}
    slot = wheel_place(state.figure)

    assert predict(state).keys() - areas - {slot} <= cards.keys()


@pytest.mark.parametrize("steps", [0, 9, 25])
def test_what_is_there_is_offered_first(steps: int) -> None:
    """Of everything that may lie on a place, what lies there by the state comes first."""
    state = state_after(steps)
    picture = predict(state)
    for where in PRESENTER.present(state).cards.keys() & picture.keys():
        assert PRESENTER.options(state, where)[0].value == picture[where]


def test_a_tile_out_of_reach_is_refused_by_its_rule() -> None:
    """Pointing at a tile beyond the next three means to take it, and the rule that forbids it is named."""
    state = state_after(0)
    far = next(slot for slot in reversed(clockwise(0)) if slot not in reach(state))
    player = GAME.turn_of(state)
    assert player is not None
    action = PRESENTER.attempt(state, (wheel_place(far), area_place(player, "0,0")))

    assert isinstance(action, Take)
    with pytest.raises(RuleViolation) as refused:
        GAME.apply(state, action)
    assert refused.value.rule == "take.out_of_reach"


def test_unseen_tiles_are_named_at_the_stock_before_the_wheel_is_filled() -> None:
    """With the stock face down the stock offers which tile comes next, until all are known; then it fills."""
    state = state_after(0, is_closed=True)
    while not any(isinstance(move.action, Reveal) for move in PRESENTER.moves(state)):
        state, _ = GAME.apply(state, PRESENTER.moves(state)[0].action)
    named = 0
    while not any(isinstance(move.action, Refill) for move in PRESENTER.moves(state)):
        shown = [move for move in PRESENTER.moves(state) if isinstance(move.action, Reveal)]
        assert {move.path for move in shown} == {(STOCK,)}
        state, _ = GAME.apply(state, shown[0].action)
        named += 1
    filled, _ = GAME.apply(state, next(m.action for m in PRESENTER.moves(state) if m.path == (STOCK,)))

    assert named == sum(a != b for a, b in zip(state.wheel, filled.wheel, strict=True))
