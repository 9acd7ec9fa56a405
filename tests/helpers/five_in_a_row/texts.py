"""Five in a row in words: rules, states, actions."""

from __future__ import annotations

from collections.abc import Mapping

from companion.errors import Param
from companion.i18n import msg
from tests.helpers.five_in_a_row.state import Five, Lay, turn_of

TEXTS = {
    "game.over": "The game is over.",
    "turn.other": "It is {player}'s turn.",
    "lay.taken": "A stone goes on a free cell of the grid, which {cell} is not.",
    "lay.moved": "Stones stay where they were laid.",
}


def text(rule: str, params: Mapping[str, Param]) -> str:
    """Return the sentence of a rule; raises KeyError for an unknown id."""
    return msg(TEXTS[rule], **{"player": "?", "cell": "?", **params})


def describe(state: Five) -> str:
    """Return the state in a line."""
    turn = turn_of(state)
    return f"{len(state.stones)} stones, {f'{turn} to move' if turn else 'the game is over'}"


def describe_action(state: Five, action: Lay) -> str:
    """Return the action in words."""
    del state
    return f"{action.player} lays a stone on {action.at}"
