"""Whole games as text that people can read, line by line as they were told once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.games import registry
from companion.record.game_record import verify
from tests.helpers.golden import golden_records
from tests.helpers.playthrough import FOLDER, TOLD, playthrough


@pytest.mark.parametrize("game", sorted(TOLD))
def test_a_game_goes_as_it_was_told(game: str) -> None:
    """Every action, every fact that it changed, and the end."""
    (record,) = golden_records(f"{TOLD[game]}.jsonl")

    assert list(playthrough(record)) == (FOLDER / f"{game}.txt").read_text("utf-8").splitlines()


def test_every_game_is_told() -> None:
    """A new game brings its record and its playthrough."""
    assert set(TOLD) == set(registry.NAMES)


@pytest.mark.parametrize("record", golden_records("legends-*.jsonl"), ids=lambda path: path.stem)
def test_games_of_legends_played_elsewhere_verify(record: Path) -> None:
    """With every checkpoint; the one that ends gives its result."""

    verdict = verify(record)
    last = json.loads(record.read_text("utf-8").splitlines()[-1])

    assert verdict.error is None
    assert verdict.result == last.get("result")
