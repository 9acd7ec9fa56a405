"""The windows beside the main one: one of each kind, made anew with it, closed with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PyQt6.QtCore import QRect, Qt
from PyQt6.QtGui import QAction, QKeySequence
from PyQt6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.helpers.gallery import Stage, city_game, staged
from tests.helpers.measure import words_of
from tests.helpers.patience import WAIT_MS
from ui import text
from ui.controller.chronicle import Chronicle
from ui.dialogs.glance import Glance, TableMode
from ui.dialogs.report import Report
from ui.panels.reminders_panel import RemindersPanel
from ui.settings import Settings

KINDS = (Report, Glance, TableMode, RemindersPanel)
PLACE = QRect(40, 50, 900, 620)


@pytest.fixture
def stage(qapp: QApplication) -> Iterator[Stage]:
    """A main window over a game."""
    with staged(qapp, city_game(2), Settings(language="en", is_still=True), (1280, 720)) as opened:
        yield opened
    text.install("en")


def standing(kind: type[QWidget]) -> list[QWidget]:
    """Return the open windows of a kind."""
    return [each for each in QApplication.topLevelWidgets() if isinstance(each, kind) and each.isVisible()]


def open_all(stage: Stage, qtbot: QtBot) -> None:
    """Open one of each kind."""
    side = stage.window.side
    side.open_glance()
    side.open_table_mode()
    side.open_rules(None)
    stage.window.menus.report.trigger()
    qtbot.waitUntil(lambda: all(len(standing(kind)) == 1 for kind in KINDS), timeout=WAIT_MS)


def has_letters_of_russian(window: QWidget) -> bool:
    """Whether anything is written in Cyrillic."""
    return any("а" <= letter <= "я" for words in words_of(window) for letter in words)


def test_they_take_over_the_language(stage: Stage, qtbot: QtBot) -> None:
    """Each speaks the new language at once, in the place of the old one; the rule looked up stays."""
    open_all(stage, qtbot)
    side = stage.window.side
    side.rules_panel.search.setText("dragon")
    rule = side.rules_panel.current()
    side.glance.setGeometry(PLACE)
    assert not any(has_letters_of_russian(standing(kind)[0]) for kind in KINDS)

    stage.window.menus.languages.actions()[2].trigger()

    def is_renewed() -> bool:
        found = [window for kind in KINDS for window in standing(kind)]
        return len(found) == len(KINDS) and all(map(has_letters_of_russian, found))

    qtbot.waitUntil(is_renewed, timeout=WAIT_MS)
    assert side.glance.geometry() == PLACE
    assert "dragon" == side.rules_panel.search.text()
    assert rule is not None
    side.rules_panel.search.clear()
    assert rule.id in {each.id for each in side.rules_panel._reminders}


def test_there_is_one_of_each_kind(stage: Stage, qtbot: QtBot) -> None:
    """Opened again, a window comes in the place of the one that was open."""
    open_all(stage, qtbot)
    open_all(stage, qtbot)

    assert [1, 1, 1, 1] == [len(standing(kind)) for kind in KINDS]


def test_they_close_with_the_main_window(stage: Stage, qtbot: QtBot) -> None:
    """Nothing stays behind that would keep the program running."""
    open_all(stage, qtbot)
    stage.window.close()

    assert [0, 0, 0, 0] == [len(standing(kind)) for kind in KINDS]


def test_a_report_that_comes_after_the_main_window_was_closed_is_not_opened(stage: Stage) -> None:
    """It was asked for just before; nothing would close it any more."""
    late = Chronicle(title="", outcome="", players=("ann",), turns=0, charts=(), gains={})
    stage.window.close()
    stage.window.bridge.chronicled.emit(late)

    assert [] == standing(Report)


def test_a_closed_one_is_not_opened_again(stage: Stage, qtbot: QtBot) -> None:
    """What the players closed stays closed when the colours are changed."""
    open_all(stage, qtbot)
    qtbot.keyClick(stage.window.side.glance, Qt.Key.Key_Escape)
    actions = stage.window.findChildren(QAction)
    next(action for action in actions if action.shortcut() == QKeySequence("D")).trigger()
    qtbot.waitUntil(lambda: len(standing(Report)) == 1, timeout=WAIT_MS)

    assert [] == standing(Glance)
    assert stage.window.settings.theme == "dark"
