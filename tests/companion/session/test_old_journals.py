"""Journals that earlier programs wrote, made before their formats changed, load as what they were."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.games import registry
from companion.observation import Snapshot
from companion.session.journal import UPGRADE_FROM_1, VERSION, Journal
from companion.session.referee import Referee
from companion.session.rulings import format_rulings
from tests.helpers.golden import GOLDEN

FOLDER = GOLDEN / "journals"
NAMES = sorted(path.stem for path in FOLDER.glob("*.moontable"))


@pytest.fixture(params=NAMES)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of an old journal with what lies beside it: opening may write."""
    for path in FOLDER.glob(f"{request.param}.*"):
        shutil.copy(path, tmp_path)
    return tmp_path / f"{request.param}.moontable"


def version_of(path: Path) -> int:
    """Return the version that a journal's head tells."""
    return int.from_bytes(path.read_bytes()[60:64], "big")


def test_there_is_one_of_each_version() -> None:
    """A pattern that finds nothing would pass everything below."""
    assert len(NAMES) >= 4


def test_an_old_journal_is_the_game_that_was_played(old: Path) -> None:
    """Every action, the state, the evidence and the confirmed prompt are there."""
    expected = json.loads(old.with_suffix(".json").read_text("utf-8"))
    with Journal.open(old) as journal:
        game = registry.lookup(journal.header["game"])
        referee = Referee(game, journal)
        kinds = {entry.kind for entry in journal.entries()}
        evidence = [entry for entry in journal.entries() if entry.kind == "evidence"]

    assert [game.format_action(action) for action in referee.actions] == expected["actions"]
    assert game.checkpoint(referee.state) == expected["check"]
    assert {"action", "undo", "redo", "correct", "confirm", "evidence"} <= kinds
    assert [entry.data for entry in evidence] == [b"\x89PNG not really"]
    assert format_rulings(referee.line.rulings) == expected.get("rulings", {})


def test_an_old_journal_goes_on(old: Path) -> None:
    """The game is played on, closed, and opened again with the new action in it."""
    with Journal.open(old) as journal:
        game = registry.lookup(journal.header["game"])
        referee = Referee(game, journal)
        before = referee.number
        action = next(iter(game.legal_actions(referee.state)))
        referee.enter(action)
    with Journal.open(old) as journal:
        again = Referee(game, journal)

    assert again.number == before + 1
    assert again.actions[-1] == action


def test_an_old_journal_takes_back(old: Path) -> None:
    """Undo and redo reach what an earlier program wrote."""
    with Journal.open(old) as journal:
        referee = Referee(registry.lookup(journal.header["game"]), journal)
        actions = referee.actions
        referee.undo()
        undone = referee.actions
        referee.redo()

        assert undone != actions
        assert referee.actions == actions


def test_an_old_journal_takes_rulings(old: Path) -> None:
    """Once open it is one of today's version, with every entry and seal as it was, and open to new kinds."""
    before = Journal.look(old, lambda kept: list(kept.entries()))
    with Journal.open(old) as journal:
        assert list(journal.entries()) == before
        referee = Referee(registry.lookup(journal.header["game"]), journal)
        expected = referee.expectation.picture
        odd = {where: None for where, value in expected.items() if value is not None}
        referee.consider(Snapshot(picture=odd))
        referee.accept_as_is(*odd)
        rulings = referee.line.rulings
    with Journal.open(old) as journal:
        again = Referee(registry.lookup(journal.header["game"]), journal)

    assert again.line.rulings == rulings
    assert rulings.misread.items() >= odd.items()
    assert version_of(old) == VERSION


def test_an_upgrade_that_is_cut_short_changes_nothing(old: Path, tmp_path: Path) -> None:
    """Whatever of it a power cut leaves: the journal is the old one, and is upgraded the next time."""
    if version_of(old) == VERSION:
        return
    before = Journal.look(old, lambda kept: list(kept.entries()))
    for number in range(1, len(UPGRADE_FROM_1)):
        cut = tmp_path / f"cut-{number}.moontable"
        with closing(sqlite3.connect(old, isolation_level=None)) as connection:
            for statement in UPGRADE_FROM_1[:number]:
                connection.execute(statement)
            for path in old.parent.glob(f"{old.name}*"):
                shutil.copy(path, cut.with_name(path.name.replace(old.name, cut.name)))
            connection.execute("ROLLBACK")
        assert version_of(cut) == 1
        assert Journal.look(cut, lambda kept: list(kept.entries())) == before
        with Journal.open(cut) as journal:
            assert list(journal.entries()) == before
        assert version_of(cut) == VERSION


def test_a_look_leaves_an_old_journal_as_it_is(old: Path) -> None:
    """What is only looked at is not upgraded."""
    before = {path.name: path.read_bytes() for path in old.parent.iterdir()}

    assert Journal.look(old, lambda kept: kept.header["record"]) == "moontable/1"
    assert {path.name: path.read_bytes() for path in old.parent.iterdir()} == before
