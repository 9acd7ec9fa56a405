"""The rules of five in a row."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from companion.errors import RuleViolation
from companion.game import Event, Verdict
from tests.helpers.five_in_a_row.state import CELLS, Five, Lay, turn_of
from tests.helpers.five_in_a_row.texts import text

_WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


def apply(state: Five, action: Lay) -> tuple[Five, tuple[Event, ...]]:
    """Return the next state, or raise RuleViolation."""
    turn = turn_of(state)
    if turn is None:
        raise RuleViolation("game.over", text("game.over", {}))
    if action.player != turn:
        raise RuleViolation("turn.other", text("turn.other", {"player": turn}), player=turn)
    if action.at not in CELLS or action.at in state.stones:
        raise RuleViolation("lay.taken", text("lay.taken", {"cell": action.at}), cell=action.at)
    own = {action.at, *state.stones[len(state.stones) % 2 :: 2]}
    winner = turn if any(_row(own, action.at, *way) >= 5 for way in _WAYS) else None
    return replace(state, stones=(*state.stones, action.at), winner=winner), ()


def _row(own: set[str], cell: str, down: int, right: int) -> int:
    """Return how many of the stones stand in a row through a cell."""
    row, col = map(int, cell.split(","))
    both = 1
    for sign in (1, -1):
        far = 1
        while f"{row + sign * far * down},{col + sign * far * right}" in own:
            far += 1
        both += far - 1
    return both


def legal_actions(state: Five) -> Iterator[Lay]:
    """Yield what may be done, in the order of the cells."""
    turn = turn_of(state)
    if turn is not None:
        yield from (Lay(turn, cell) for cell in CELLS if cell not in state.stones)


def judge(state: Five, action: Lay) -> Verdict:
    """Say whether the action is legal."""
    try:
        apply(state, action)
    except RuleViolation:
        return Verdict.REFUSED
    return Verdict.LEGAL


def random_player(rng: random.Random) -> Callable[[Five], Lay]:
    """Return a player who lays stones anyhow, more often near the last ones."""
    return lambda state: rng.choice(_near(state) or list(legal_actions(state)))


def _near(state: Five) -> list[Lay]:
    last = [tuple(map(int, cell.split(","))) for cell in state.stones[-2:]]
    return [
        lay
        for lay in legal_actions(state)
        if any(abs(int(lay.at[0]) - row) <= 1 and abs(int(lay.at[2]) - col) <= 1 for row, col in last)
    ]
