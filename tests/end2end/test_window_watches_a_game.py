"""A whole simulated game, watched by the window from the first sight to the winner."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PyQt6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.presenter import CityPresenter
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.simulation.eye import NoisyEye, SimulatedSource
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import SimulatedTable
from tests.helpers.patience import WAIT_MS
from tests.helpers.watched_eye import Eye
from ui import text
from ui.controller.bridge import ControllerBridge
from ui.controller.session import Session
from ui.main_window import MainWindow


@pytest.mark.slow
@pytest.mark.parametrize(("players", "seed"), [(2, 11), (4, 12)])
def test_the_window_follows_a_whole_game(qtbot: QtBot, tmp_path: Path, players: int, seed: int) -> None:
    """Noisy sights of a whole game end with the true winner in the banner, nothing wrong on the way."""
    rng = random.Random(seed)
    header = GAME.deal(rng, {"players": players})
    table = SimulatedTable(GAME, header, rng, stages=GAME.stages)
    with Journal.create(tmp_path / "game.moontable", GAME.public_header(header)) as journal:
        referee = Referee(GAME, journal)
        keeper = Scorekeeper(table, referee)
        eye = Eye(SimulatedSource(table.moments(), NoisyEye(rng)))
        bridge = ControllerBridge(
            Session(referee=referee, presenter=CityPresenter(), sources=[eye], answer=keeper.answer)
        )
        window = MainWindow(bridge, tmp_path, "")
        qtbot.addWidget(window)
        window.show()
        ticks: list[int] = []
        timer = QTimer()
        timer.timeout.connect(lambda: ticks.append(1))
        timer.start(10)
        bridge.start()
        qtbot.waitUntil(
            lambda: window.shown is not None and window.shown.table.outcome is not None, timeout=WAIT_MS
        )
        timer.stop()
        window.close()

        assert 0 == keeper.wrong
        assert window.shown is not None
        assert window.banner.text() == text.opening(str(window.shown.table.outcome))
        assert len(window.shown.history) == window.log.list.count() == referee.number
        assert len(ticks) > 10
