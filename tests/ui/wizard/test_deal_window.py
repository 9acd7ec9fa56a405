"""The window in which tiles or cards are dealt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.helpers.drawn_deal import drawn_deal
from ui.settings import Settings
from ui.wizard.deal_window import DealWindow

SOUNDED: list[int] = []


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[DealWindow]:
    """Three cards have come, the last one once too often; the pictures have ended."""
    SOUNDED.clear()
    lesson = drawn_deal("nova_luna", ["back", "1", "1"], tmp_path)
    made = DealWindow(lesson, Settings(), lambda: SOUNDED.append(1))
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    qtbot.waitUntil(lambda: made.panel.state.text() == "The pictures have ended.")
    yield made
    made.close()


def texts(window: DealWindow) -> list[str]:
    """Return what is written below the cards."""
    items = (window.panel.cards.item(row) for row in range(window.panel.cards.count()))
    return [item.text() for item in items if item is not None]


def test_what_came_and_what_is_missing_are_shown(window: DealWindow) -> None:
    """With what is doubtful, and what comes next; what came before is not acknowledged anew."""
    assert 3 == len(texts(window))
    assert texts(window)[0] == "1. The back of a tile"
    assert texts(window)[2].endswith(" ?")
    assert window.panel.following.text().startswith("Next: ")
    assert window.panel.missing.text().endswith("and 63 more")
    assert 2 == window.panel.progress.value()
    assert not SOUNDED


def test_a_card_is_named_and_the_last_one_undone(qtbot: QtBot, window: DealWindow) -> None:
    """The doubtful one is gone to by a key, named by the list, then forgotten by another key."""
    window.panel.cards.setCurrentRow(0)
    qtbot.keyClick(window, Qt.Key.Key_F3)
    qtbot.waitUntil(lambda: window.panel.cards.currentRow() == 2)
    window.panel.names.setCurrentIndex(window.panel.names.findData("30"))
    window.panel.names.activated.emit(window.panel.names.currentIndex())
    qtbot.waitUntil(lambda: not texts(window)[2].endswith(" ?"))
    named = window.panel.names.currentData()
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: len(texts(window)) == 2)

    assert "30" == named
    assert not window.panel.doubtful.isEnabled()


def test_a_card_that_comes_is_acknowledged(window: DealWindow) -> None:
    """By a sound, each once, and shown."""
    assert window.panel._view is not None
    more = replace(window.panel._view, cards=(*window.panel._view.cards, window.panel._view.cards[0]))
    window.panel.show_view(more)
    window.panel.show_view(more)

    assert [1] == SOUNDED
    assert 3 == window.panel.cards.currentRow()


def test_only_what_is_wanted_is_saved(qtbot: QtBot, window: DealWindow) -> None:
    """Closing the window keeps the deal for later."""
    window.reject()
    assert not window.is_wanted
    window.show()
    qtbot.mouseClick(window.save, Qt.MouseButton.LeftButton)

    assert window.is_wanted
