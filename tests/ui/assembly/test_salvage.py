"""Damaged journals on the command line: said, asked about, salvaged only when wanted."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from companion.errors import JournalError
from companion.games.blue_moon_city.layout import table_layout
from companion.session.journal import Journal
from tests.helpers.toy_play import HEADER
from ui.app import main
from ui.assembly.salvage import ensure_whole


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A journal of three actions of which one is left."""
    path = tmp_path / "game.moontable"
    with Journal.create(path, HEADER) as journal:
        journal.append("action", {"actions": [1]})
        early = path.read_bytes()
        journal.append("action", {"actions": [2, 3]})
    path.write_bytes(early)
    return path


def _answer(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", _Terminal(words))
    monkeypatch.setattr("sys.stderr", _Terminal())


def test_nobody_to_ask_is_a_no(damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a terminal the game is refused, with the way on, and left as it was."""
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    before = damaged.read_bytes()
    with pytest.raises(
        JournalError, match="1 of 3 actions can be read; to continue from there use --salvage"
    ):
        ensure_whole(damaged, salvage=False)

    assert before == damaged.read_bytes()


@pytest.mark.parametrize("words", ["", "\n", "no\n", "perhaps\n"])
def test_anything_but_yes_is_a_no(damaged: Path, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a clear yes goes on with a shorter game."""
    _answer(words, monkeypatch)
    with pytest.raises(JournalError, match="1 of 3"):
        ensure_whole(damaged, salvage=False)


def test_yes_goes_on(damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game goes on from what is left; where the damaged file went is said."""
    _answer("y\n", monkeypatch)
    ensure_whole(damaged, salvage=False)
    with Journal.open(damaged) as journal:
        assert len(journal) == 1
    assert damaged.with_name("game.moontable.damaged").exists()


def test_the_option_answers_beforehand(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --salvage nothing is asked."""
    ensure_whole(damaged, salvage=True)

    assert "kept as" in capsys.readouterr().err


def test_a_whole_game_is_not_asked_about(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing happens to a sound journal."""
    Journal.salvage(damaged)
    ensure_whole(damaged, salvage=True)

    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "command",
    [
        ["games", "--resume", "game.moontable"],
        ["watch", "nowhere", "--profile", "PROFILE", "--headless", "--journal", "game.moontable"],
    ],
)
def test_commands_refuse_a_shorter_game(
    damaged: Path, command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither `games` nor `watch` takes what is left for the game."""
    monkeypatch.chdir(damaged.parent)
    monkeypatch.setattr("ui.assembly.watch.load_profile", lambda _: _Profile())
    monkeypatch.setattr("ui.assembly.watch.game_for", lambda *_: None)
    folder = ["--folder", str(damaged.parent)] if command[0] == "games" else []

    assert main([*command, *folder]) == 1
    assert "1 of 3 actions can be read; to continue from there use --salvage" in capsys.readouterr().err


class _Profile:
    edition, players = "", ()
    layout = table_layout()
