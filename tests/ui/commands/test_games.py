"""``moontable games export``: one game in every form."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from companion.record.game_record import verify
from tests.helpers.city_session import entered_session, played_table
from ui.app import main


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A past game of two."""
    session = entered_session(tmp_path, played_table(40, players=2, seed=5))
    session.referee.journal.close()
    return session.referee.journal.path


@pytest.mark.parametrize(
    ("ending", "begin"),
    [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("csv", b"\xef\xbb\xbfnumber"), ("json", b"{")],
)
def test_a_game_is_exported(game: Path, qtbot: QtBot, ending: str, begin: bytes) -> None:
    """Each ending gives its kind of file."""
    file = game.with_name(f"out.{ending}")
    del qtbot  # its application is the one that the command finds
    status = main(["games", "--folder", str(game.parent), "export", game.name, str(file)])

    assert 0 == status
    assert file.read_bytes().startswith(begin)


def test_the_record_is_a_record(game: Path) -> None:
    """What is exported as a record is read again."""
    file = game.with_name("out.jsonl")
    main(["games", "--folder", str(game.parent), "export", game.name, str(file)])

    assert verify(file).ok


def test_the_words_are_in_the_language_wanted(game: Path) -> None:
    """The texts are translated, the actions are not."""
    file = game.with_name("out.csv")
    main(["games", "--folder", str(game.parent), "export", game.name, str(file), "--language", "ru"])
    told = file.read_text("utf-8-sig")

    assert "Фиолетовый" in told or "Белый" in told or "идёт" in told
    assert '""do""' in told or '""action""' in told or '""player""' in told


@pytest.mark.parametrize("file", ["out.doc", "no/out.csv", "no/out.png"])
def test_what_cannot_be_written_is_told(game: Path, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, and a status that says so."""
    status = main(["games", "--folder", str(game.parent), "export", game.name, str(game.parent / file)])

    assert 0 != status
    assert 1 == len(capsys.readouterr().err.strip().splitlines())
