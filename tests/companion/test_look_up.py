"""``moontable rules``: rules to look up, of every game."""

from __future__ import annotations

import json

import pytest

from companion import cli
from companion.games import registry


@pytest.mark.parametrize("name", registry.NAMES)
def test_every_game_has_rules_to_look_up(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each has an id of its own, a topic, a title and a text; without words all are listed."""
    assert cli.main(["rules", "--game", name, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["reminders"]

    assert len(told) >= 10
    assert len({each["id"] for each in told}) == len(told)
    assert all(each["topic"] and each["title"] and each["text"].endswith((".", "!")) for each in told)


@pytest.mark.parametrize(
    ("name", "words", "title"),
    [
        ("nova_luna", ["three", "tiles"], "Which tiles may be taken"),
        ("nova_luna", ["cover.not_fulfilled"], "When a task is fulfilled"),
        ("urbion", ["stronger", "chaos"], "Where Chaos may lie"),
        ("urbion", ["balance.sum"], "Claiming and removing"),
        ("blue_moon_legends", ["caller"], "Bluffing and calling"),
        ("blue_moon_legends", ["backing.limit"], "Boosters and supports"),
    ],
)
def test_rules_are_found_by_words_and_by_what_was_named(
    name: str, words: list[str], title: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """All words must occur; the id of a broken rule leads to what explains it."""
    assert cli.main(["rules", "--game", name, *words]) == 0

    assert title in capsys.readouterr().out


def test_words_that_nothing_has_are_said_to_find_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing found is no error."""
    assert cli.main(["rules", "--game", "urbion", "bicycle"]) == 0

    assert "No rule matches" in capsys.readouterr().out
