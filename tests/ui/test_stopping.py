"""Signals while a window is open: it closes like any window, and the record is written."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from companion.games.blue_moon_city import GAME
from companion.record.game_record import read_record
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.stopping import STOPS
from tests.helpers.city_session import played_table, unseen_cards
from ui.assembly.play import show_window
from ui.main_window import MainWindow
from ui.onward import Onward
from ui.stopping import closing_when_stopped

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are a matter of POSIX")


@pytest.mark.parametrize("number", [*STOPS, signal.SIGINT])
def test_a_window_that_is_stopped_closes_well(
    tmp_path: Path, number: int, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGTERM, SIGHUP and Ctrl-C: the loop ends, threads end, the record is there."""
    assert qtbot is not None
    monkeypatch.setattr("ui.settings.default_folder", lambda: tmp_path / "settings")
    monkeypatch.setattr("ui.folders.games_folder", lambda: tmp_path)
    game = played_table(6, seed=1)
    record = tmp_path / "record"

    def stop() -> None:
        windows = [each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow)]
        if any(window.isVisible() and window.shown is not None for window in windows):
            os.kill(os.getpid(), number)
        else:
            QTimer.singleShot(20, stop)

    QTimer.singleShot(20, stop)
    with Journal.create(tmp_path / "one.moontable", game.header) as journal:
        referee = Referee(GAME, journal)
        referee.enter(*map(unseen_cards, game.actions))
        left = show_window(referee, [], record)

    assert (0, Onward.QUIT) == (left.status, left.onward)
    assert len(read_record(record).actions) == len(referee.actions)


def test_a_dialog_that_is_stopped_closes(qtbot: QtBot) -> None:
    """Also where a dialog has a loop of its own."""
    dialog = QDialog()
    qtbot.addWidget(dialog)
    QTimer.singleShot(20, lambda: os.kill(os.getpid(), signal.SIGTERM))
    with closing_when_stopped() as stopping:
        dialog.exec()

    assert not dialog.isVisible()
    assert stopping.is_stopped
