"""The report: the game in numbers, drawn and kept."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PyQt6.QtCharts import QChartView
from PyQt6.QtGui import QImage
from pytestqt.qtbot import QtBot

from companion.record.game_record import verify
from tests.helpers.city_session import entered_session, played_table
from tests.helpers.patience import WAIT_MS
from tests.helpers.toy_session import toy_session
from ui.controller.bridge import ControllerBridge
from ui.controller.chronicle import chronicle
from ui.controller.session import Session
from ui.dialogs.report import Report
from ui.theme import DARK, LIGHT, Theme


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A finished game of three."""
    session = entered_session(tmp_path_factory.mktemp("game"), played_table(2000, players=3, seed=2))
    yield session
    session.referee.journal.close()


def test_numbers_end_as_the_game_did(finished: Session) -> None:
    """Each line has a value a turn and ends with the last state's number; offerings never fall."""
    told = chronicle(finished.referee.line, finished.presenter)
    view = finished.presenter.present(finished.referee.state)
    charts = {chart.label: chart for chart in told.charts}

    assert told.outcome == view.outcome
    for player in view.players:
        for counter in player.counters[:4]:
            values = charts[counter.label].lines[player.player]

            assert told.turns + 1 == len(values)
            assert counter.high == values[-1]
        offerings = list(charts["Offerings"].lines[player.player])
        assert offerings == sorted(offerings)
    assert sum(sum(gains.values()) for gains in told.gains.values()) > 0


def test_a_running_game_keeps_its_secrets(tmp_path: Path) -> None:
    """Crystals are in the report only when the game is over."""
    session = entered_session(tmp_path, played_table(60, players=2, seed=5))
    told = chronicle(session.referee.line, session.presenter)
    session.referee.journal.close()

    assert "Crystals" not in [chart.label for chart in told.charts]
    assert not any(told.gains.values())


def test_a_game_without_a_move_has_a_report(tmp_path: Path, qtbot: QtBot) -> None:
    """At the start there is one moment, and nothing to divide by."""
    session = toy_session(tmp_path)
    told = chronicle(session.referee.line, session.presenter)
    report = Report(told, ControllerBridge(session).export, LIGHT)
    qtbot.addWidget(report)
    session.referee.journal.close()

    assert 0 == told.turns


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_report_is_drawn_and_kept(finished: Session, qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    """A chart for each number, and picture, PDF and record as files that can be read again."""
    bridge = ControllerBridge(finished)
    told = chronicle(finished.referee.line, finished.presenter)
    report = Report(told, bridge.export, theme)
    qtbot.addWidget(report)
    with qtbot.waitExposed(report):
        report.show()
    bridge.start()
    report.save_png(tmp_path / "a.png")
    report.save_pdf(tmp_path / "a.pdf")
    report.save_record(tmp_path / "a.jsonl")
    report.save_record(tmp_path / "a.csv")
    report.save_record(tmp_path / "a.json")
    qtbot.waitUntil((tmp_path / "a.json").exists, timeout=WAIT_MS)
    bridge.stop()

    assert len(told.charts) + 1 == len(report.findChildren(QChartView))
    assert not QImage(str(tmp_path / "a.png")).isNull()
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    assert "result" in json.loads((tmp_path / "a.jsonl").read_text().splitlines()[-1])
    assert verify(tmp_path / "a.jsonl").result is not None
    actions = json.loads((tmp_path / "a.json").read_text("utf-8"))["actions"]
    with (tmp_path / "a.csv").open(encoding="utf-8-sig", newline="") as stream:
        assert [row["text"] for row in actions] == [row["text"] for row in csv.DictReader(stream)]
    assert len(finished.referee.line) == len(actions)


def test_what_cannot_be_written_is_told(finished: Session, qtbot: QtBot, tmp_path: Path) -> None:
    """A folder that is not there is told in words, for the picture and for the record."""
    bridge = ControllerBridge(finished)
    report = Report(chronicle(finished.referee.line, finished.presenter), bridge.export, LIGHT)
    qtbot.addWidget(report)
    report.save_png(tmp_path / "no" / "a.png")
    assert "could not" in report.said.text()
    with qtbot.waitSignal(bridge.refused, timeout=WAIT_MS) as heard:
        bridge.start()
        report.save_record(tmp_path / "no" / "a.jsonl")
    bridge.stop()

    assert "cannot be written" in heard.args[0]
