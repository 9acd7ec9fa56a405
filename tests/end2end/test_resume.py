"""Going on: the table that was watched last, past games on the command line, resuming one."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from companion.errors import ProfileError
from companion.games.blue_moon_city import GAME
from companion.session.journal import Journal
from companion.session.referee import Referee
from tests.helpers.city_session import played_table, unseen_cards
from tests.helpers.logfail import WarningCollector
from ui.app import main
from ui.assembly.play import shelf_of, sources_of
from ui.dialogs.past_games import PastGames, choose_game
from ui.last_table import LastTable, last_table, remember_table
from ui.main_window import MainWindow


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an unfinished game, and settings of its own."""
    monkeypatch.setattr("ui.settings.default_folder", lambda: tmp_path / "settings")
    monkeypatch.setattr("ui.folders.games_folder", lambda: tmp_path)
    game = played_table(12, seed=1)
    with Journal.create(tmp_path / "one.moontable", game.header) as journal:
        Referee(GAME, journal).enter(*map(unseen_cards, game.actions))
    return tmp_path


def test_the_last_table_is_remembered(tmp_path: Path, logged_warnings: WarningCollector) -> None:
    """What watched comes back; nothing, torn or foreign files are nothing."""
    table = LastTable(camera="camera:1", profile="/home/me/profile")
    assert last_table(folder=tmp_path) is None
    remember_table(table, "one.moontable", tmp_path)
    assert table == last_table(folder=tmp_path)
    for torn in ("", "{", "[]", '{"camera": 1}'):
        (tmp_path / "last_table.json").write_text(torn)
        assert last_table(folder=tmp_path) is None
        assert ["last table read=no"] == [line[:18] for line in logged_warnings.take()]


@pytest.mark.skipif(os.name != "posix", reason="modes of files are a matter of POSIX")
def test_the_last_table_is_for_its_players_alone(tmp_path: Path) -> None:
    """An address may hold a password: nobody else may read it, also where an older file was open to all."""
    file = tmp_path / "last_table.json"
    file.write_text('{"camera": "camera:0", "profile": "p"}')
    file.chmod(0o644)
    old = os.umask(0)
    try:
        remember_table(LastTable(camera="http://anna:secret@cam/", profile="p"), "one.moontable", tmp_path)
    finally:
        os.umask(old)

    assert 0o600 == file.stat().st_mode & 0o777


def test_past_games_are_told_as_json(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The list and the statistics, without a window."""
    assert 0 == main(["games", "--folder", str(games), "--json"])
    told = json.loads(capsys.readouterr().out)

    assert [("one.moontable", 12, None)] == [(g["name"], g["actions"], g["winners"]) for g in told["games"]]
    assert 1 == told["statistics"]["unfinished"]


def test_a_game_is_gone_on_with_by_hand(games: Path, qtbot: QtBot) -> None:
    """Where the last table does not serve, the window opens where the game stopped, without eyes."""
    assert qtbot is not None
    seen: list[int] = []

    def look() -> None:
        for window in QApplication.topLevelWidgets():
            if isinstance(window, MainWindow) and window.isVisible() and window.shown is not None:
                seen.append(len(window.shown.history))
                window.close()
        if not seen:
            QTimer.singleShot(50, look)

    QTimer.singleShot(50, look)
    status = main(["games", "--folder", str(games), "--resume", "one.moontable"])

    assert (0, [12]) == (status, seen)


def test_the_list_alone_chooses_a_game(games: Path, qtbot: QtBot) -> None:
    """`moontable games` opens the list; *Go on with it* names the game."""
    assert qtbot is not None

    def choose() -> None:
        for window in QApplication.topLevelWidgets():
            if isinstance(window, PastGames) and window.games:
                window.resume_button.click()
                return
        QTimer.singleShot(50, choose)

    QTimer.singleShot(50, choose)

    assert "one.moontable" == choose_game(shelf_of(games))


def test_a_profile_of_other_players_does_not_serve(games: Path) -> None:
    """A missing profile is refused in words."""
    with Journal.open(games / "one.moontable") as journal:
        referee = Referee(GAME, journal)
        with pytest.raises(ProfileError):
            sources_of(LastTable(camera="camera:0", profile=str(games / "nowhere")), referee)
