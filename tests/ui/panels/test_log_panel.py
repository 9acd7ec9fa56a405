"""The game so far, action by action."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from ui.controller.view_state import HistoryLine
from ui.panels.log_panel import LogPanel


def test_the_log_follows_the_game_and_its_corrections(qtbot: QtBot) -> None:
    """New lines are added, changed ones replaced, others removed; a double click names the action."""
    panel = LogPanel()
    qtbot.addWidget(panel)
    lines = tuple(HistoryLine(number=n, turn=n, player="a", text=f"action {n}") for n in range(1, 6))
    panel.show_lines(lines[:3])
    kept = panel.list.item(0)
    panel.show_lines(lines)
    assert kept is panel.list.item(0)
    mended = (*lines[:2], HistoryLine(number=3, turn=3, player="a", text="something else"))
    panel.show_lines(mended)
    told: list[int] = []
    panel.picked.connect(told.append)
    panel.list.itemActivated.emit(panel.list.item(2))
    last = panel.list.item(2)
    assert last is not None

    assert 3 == panel.list.count()
    assert "3.  Something else" == last.text()
    assert [3] == told
