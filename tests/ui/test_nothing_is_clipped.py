"""No label, button or number is cut off, at any size of text that a small screen can take."""

from __future__ import annotations

from pathlib import Path

import pytest
from PyQt6.QtCore import QPoint, QRect
from pytestqt.qtbot import QtBot

from tests.helpers.city_session import entered_session, played_table
from tests.helpers.gallery import completes, cut
from tests.helpers.measure import clipped, overflowing
from tests.helpers.patience import WAIT_MS
from ui.controller.bridge import ControllerBridge
from ui.main_window import MainWindow
from ui.settings import Settings, write_settings


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(
    ("scale", "size"),
    [(1.0, (1280, 720)), (0.8, (1280, 720)), (1.75, (1280, 720)), (1.3, (1920, 1080)), (1.75, (1920, 1080))],
)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_nothing_is_clipped(
    qtbot: QtBot, tmp_path: Path, players: int, scale: float, size: tuple[int, int], language: str
) -> None:
    """With rewards due and four players, every word has the room it needs, and Done is in sight."""
    game = cut(played_table(150, players=players, seed=5), completes)
    write_settings(tmp_path, Settings(scale=scale, is_still=True, language=language))
    session = entered_session(tmp_path, game)
    bridge = ControllerBridge(session)
    window = MainWindow(bridge, tmp_path, "")
    qtbot.addWidget(window)
    window.resize(*size)
    with qtbot.waitExposed(window):
        window.show()
    bridge.start()
    qtbot.waitUntil(lambda: window.shown is not None, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not list(clipped(window)), timeout=WAIT_MS)
    faults = [*clipped(window), *overflowing(window)]
    grown = window.width() - size[0], window.height() - size[1]
    done = window.prompts.buttons[0]
    room = window.prompts.viewport()
    assert room is not None
    is_done_in_sight = room.rect().contains(QRect(done.mapTo(room, QPoint(0, 0)), done.size()))
    is_hidden = (
        window.prompts.more.isVisible() and window.prompts.more.y() < done.mapTo(room, QPoint(0, 0)).y()
    )
    window.close()
    session.referee.journal.close()

    assert [] == faults
    assert max(grown) <= 0
    assert is_done_in_sight
    assert not is_hidden
