"""Windows come and go; the game goes on: nothing that was closed or destroyed is ever called again."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from PyQt6 import sip
from PyQt6.QtCore import QCoreApplication, QEvent, Qt
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QApplication, QDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot

import ui
from tests.helpers.gallery import SCENES, Stage, city_game, staged
from tests.helpers.patience import WAIT_MS
from ui import text
from ui.dialogs.past_games import PastGames
from ui.dialogs.standings import StandingsPage
from ui.painting.table_view import TableScene
from ui.settings import Settings

SIZE = (1280, 720)
OF_THE_MAIN_WINDOW = {"rewards", "trouble", "question", "end", "log", "camera", "mishap"}
# The wizard comes by them on its way to later pages.
PASSED = {f"wizard-{page}" for page in ("camera", "game", "profile", "learn", "names")}
# Opens after the last action only, so that no game can go on beside it.
ENDING = {"standings": StandingsPage}
BESIDE = [name for name in SCENES if name not in OF_THE_MAIN_WINDOW | PASSED | ENDING.keys()]
# These hold a camera or a sensor table until they are closed.
HOLDING = {"wizard-numbers", "wizard-check", "table-reading", "sensor-lesson", "deal"}


@pytest.fixture
def stage(qapp: QApplication) -> Iterator[Stage]:
    """A main window over a game."""
    with staged(qapp, city_game(2), Settings(language="en", is_still=True), SIZE) as opened:
        yield opened
    text.install("en")


def go_on(stage: Stage, qtbot: QtBot) -> None:
    """Have three more actions accepted and one taken back, each shown."""
    count = actions_shown(stage)
    for number in range(count + 1, count + 4):
        stage.window.bridge.enter(0)
        wait_for_actions(stage, qtbot, number)
    stage.window.bridge.undo()
    wait_for_actions(stage, qtbot, count + 2)


def actions_shown(stage: Stage) -> int:
    """Return how many actions the window shows."""
    shown = stage.window.shown
    return 0 if shown is None else len(shown.history)


def wait_for_actions(stage: Stage, qtbot: QtBot, count: int) -> None:
    """Wait until the window shows so many actions."""
    qtbot.waitUntil(lambda: actions_shown(stage) == count, timeout=WAIT_MS)


def destroy(window: QWidget) -> None:
    """Destroy a window's widgets as Qt does, whatever Python still holds of them."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if not sip.isdeleted(window):
        sip.delete(window)


@pytest.mark.parametrize("scene", BESIDE)
def test_the_game_goes_on_without_a_window(stage: Stage, qtbot: QtBot, scene: str) -> None:
    """Opened, closed and destroyed, no window beside the game hears of the next actions."""
    shot = SCENES[scene].prepare(stage)
    assert shot is not stage.window
    shot.close()
    destroy(shot)

    go_on(stage, qtbot)


@pytest.mark.parametrize("scene", [name for name in BESIDE if name not in HOLDING])
def test_the_game_goes_on_where_a_window_vanished(stage: Stage, qtbot: QtBot, scene: str) -> None:
    """The same where it is destroyed at once, without having been closed, while signals are on their way."""
    count = actions_shown(stage)
    shot = SCENES[scene].prepare(stage)
    if isinstance(shot, PastGames):
        qtbot.waitUntil(lambda: bool(shot.games), timeout=WAIT_MS)
    stage.window.bridge.enter(0)
    sip.delete(shot)
    wait_for_actions(stage, qtbot, count + 1)

    go_on(stage, qtbot)


def test_every_window_is_among_them(stage: Stage) -> None:
    """The scenes show every kind of window that the product has."""
    for found in pkgutil.walk_packages(ui.__path__, "ui."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    kinds = {kind for kind in every_subclass(QWidget) if kind.__module__.startswith("ui.")}
    windows = {kind.__name__ for kind in kinds if issubclass(kind, QDialog)} | {
        "Glance",
        "TableMode",
        "HomeWindow",
    }
    shown = set()
    for scene in BESIDE:
        shot = SCENES[scene].prepare(stage)
        shown.add(type(shot).__name__)
        shot.close()
        destroy(shot)

    assert windows == shown | {kind.__name__ for kind in ENDING.values()}


def every_subclass(kind: type) -> set[type]:
    """Return the classes made from a class, at any depth."""
    found = set(kind.__subclasses__())
    return found.union(*map(every_subclass, found))


def test_the_game_goes_on_when_a_menu_was_left(stage: Stage, qtbot: QtBot) -> None:
    """The menu of a place goes when it is closed."""
    scene = stage.window.scene
    cell = scene.focus_stops()[0].place
    scene.chosen.emit(cell, True)
    popup = QApplication.activePopupWidget()
    assert isinstance(popup, QMenu)
    popup.close()
    destroy(popup)
    go_on(stage, qtbot)


def test_the_game_goes_on_in_other_colours(stage: Stage, qtbot: QtBot) -> None:
    """With windows open all is built anew twice: what it was made of before is gone, and the game goes on."""
    side = stage.window.side
    side.open_glance()
    side.open_table_mode()
    side.open_rules(None)
    before: TableScene = stage.window.scene
    entries = len(stage.window.findChildren(QAction))
    for _ in range(2):
        qtbot.keyClick(stage.window, Qt.Key.Key_D)
        go_on(stage, qtbot)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    destroyed = sip.isdeleted(before)

    assert destroyed
    assert entries == len(stage.window.findChildren(QAction))
