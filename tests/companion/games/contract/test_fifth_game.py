"""Five in a row: what only its own rules say."""

from __future__ import annotations

import pytest

from companion.decision import Accepted, Ask, OutOfStep
from companion.errors import RuleViolation
from companion.observation import Query
from companion.table import Place
from tests.helpers.five_in_a_row import GAME
from tests.helpers.five_in_a_row.state import Five, Lay
from tests.helpers.random_play import applied

START = GAME.start({"record": "moontable/1", "game": "five_in_a_row", "players": ["ann", "ben"]})


def laid(*cells: str) -> Five:
    """Return the state after stones on these cells, in turn."""
    state: Five = applied(GAME, START, [Lay(START.players[at % 2], cell) for at, cell in enumerate(cells)])
    return state


@pytest.mark.parametrize(
    "row",
    [
        ("4,2", "4,3", "4,6", "4,5", "4,4"),
        ("0,0", "1,0", "2,0", "3,0", "4,0"),
        ("8,8", "7,7", "6,6", "5,5", "4,4"),
        ("0,8", "1,7", "2,6", "4,4", "3,5"),
    ],
)
def test_five_in_any_direction_win(row: tuple[str, ...]) -> None:
    """Across, down, and both ways aslant, whichever stone comes last."""
    others = ("8,0", "8,2", "8,4", "8,6")
    cells = [cell for pair in zip(row, (*others, ""), strict=True) for cell in pair if cell]
    state = laid(*cells)

    assert {"winners": ["ann"], "reason": "five", "draw": False} == GAME.result(state)
    assert None is GAME.result(laid(*cells[:-1]))
    with pytest.raises(RuleViolation, match="over"):
        GAME.apply(state, Lay("ben", "0,1"))


def test_several_stones_are_found_in_turn() -> None:
    """Two stones of two players at once are two actions."""
    decision = GAME.explain(START, Query(picture=GAME.predict(laid("4,4", "4,5"))))

    assert isinstance(decision, Accepted)
    assert (Lay("ann", "4,4"), Lay("ben", "4,5")) == decision.actions


def test_faults_are_named_with_what_to_put_back() -> None:
    """A stone out of turn, and one that was moved: what is to be taken off comes first."""
    state = laid("4,4")
    again = {**GAME.predict(state), Place("cell:0,0"): "ann"}
    moved = {**GAME.predict(state), Place("cell:4,4"): None, Place("cell:0,0"): "ann"}

    for picture, rule, first in ((again, "turn.other", "0,0"), (moved, "lay.moved", "0,0")):
        decision = GAME.explain(state, Query(picture=picture))
        assert isinstance(decision, OutOfStep)
        assert rule == decision.rule
        assert f"Take the stone off {first}." == decision.fixes[0].text
        assert not isinstance(decision, Ask)
