"""The table of all actions: every action once, in order, and unharmed by what spreadsheets do."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from companion.errors import JournalError
from companion.games import registry
from companion.session.exporting import ActionRow, action_rows, export_game, write_csv
from companion.session.library import Library
from tests.helpers.city_session import entered_session, played_table
from ui.controller.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """A running game of three."""
    return entered_session(tmp_path, played_table(60, players=3, seed=2))


def test_every_action_has_a_row(session: Session) -> None:
    """The rows' actions, parsed again, are the game; turns never fall; times are those of the journal."""
    referee = session.referee
    times = {entry.number: entry.at_s for entry in referee.journal.entries()}
    rows = tuple(action_rows(referee.game, referee.line, times))
    parsed = [referee.game.parse_action(row.action) for row in rows]
    referee.journal.close()

    assert list(referee.line.actions) == parsed
    assert [row.turn for row in rows] == sorted(row.turn for row in rows)
    assert all(row.at.endswith("+00:00") for row in rows)


def test_both_tables_say_the_same(session: Session, tmp_path: Path) -> None:
    """CSV and JSON have the same rows; JSON also has header and result."""
    referee = session.referee
    for name in ("game.csv", "game.json"):
        export_game(tmp_path / name, referee.game, referee.journal, referee.line, lambda text: text.upper())
    referee.journal.close()
    told = json.loads((tmp_path / "game.json").read_text("utf-8"))
    with (tmp_path / "game.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))

    assert "moontable-actions/1" == told["format"]
    assert referee.journal.header == told["header"]
    assert told["result"] is None
    assert [row["text"] for row in told["actions"]] == [row["text"] for row in rows]
    assert [row["action"] for row in told["actions"]] == [json.loads(row["action"]) for row in rows]
    assert all(row["text"].isupper() for row in rows)


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+1", "-1", "@x"])
def test_a_name_is_no_formula(name: str) -> None:
    """What a spreadsheet would reckon with is marked as text."""
    row = ActionRow(number=1, turn=1, player=name, by="table", at="", text=name, action={})
    stream = io.StringIO()
    write_csv(stream, iter([row]))

    assert 2 == stream.getvalue().count(f"'{name}")


def test_a_past_game_is_exported_without_being_changed(session: Session, tmp_path: Path) -> None:
    """The journal's bytes stay as they are, and a file that cannot be written leaves nothing behind."""
    session.referee.journal.close()
    game = next(path for path in tmp_path.iterdir() if path.name.endswith(session.referee.journal.path.name))
    before = game.read_bytes()
    Library(tmp_path, lookup=registry.lookup).export(game.name, tmp_path / "game.json")
    with pytest.raises(JournalError, match="cannot be written"):
        Library(tmp_path).export(game.name, tmp_path / "no" / "game.json")

    assert before == game.read_bytes()
    assert len(session.referee.line) == len(
        json.loads((tmp_path / "game.json").read_text("utf-8"))["actions"]
    )
