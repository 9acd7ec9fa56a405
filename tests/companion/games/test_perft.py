"""The legal sequences of actions from known positions, counted: as many as a second generator finds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.games import registry
from tests.helpers.perft import FOLDER, POSITIONS, count, naive_counts, position

CASES = [
    pytest.param(name, row, id=f"{row['record']}-{row['after']}")
    for name in registry.NAMES
    for row in json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
]


@pytest.mark.parametrize(("name", "row"), CASES)
def test_there_are_as_many_sequences_as_counted(name: str, row: dict[str, Any]) -> None:
    """To every depth that was counted."""
    game, state = position(row["record"], row["after"])

    assert game.name == name
    assert [count(game, state, 1 + depth) for depth in range(len(row["counts"]))] == row["counts"]


@pytest.mark.parametrize(("name", "row"), CASES)
def test_the_counts_are_still_what_was_counted(name: str, row: dict[str, Any]) -> None:
    """A naive generator says the same today at the first two depths; what was counted by hand says how."""
    if name in POSITIONS:
        assert naive_counts(name, row["record"], row["after"], 2) == row["counts"][:2]
    else:
        assert len(row["by_hand"]) == len(row["counts"])
