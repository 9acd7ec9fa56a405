"""The main window by keyboard alone: the first focus, arrows, Enter, menus of places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PyQt6.QtCore import QEvent, QPoint, Qt
from PyQt6.QtGui import QCursor, QKeyEvent
from PyQt6.QtWidgets import QApplication, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from companion.table import Place
from tests.helpers.gallery import Stage, city_game, staged
from tests.helpers.patience import WAIT_MS
from ui import text
from ui.controller.view_state import Question
from ui.panels.prompt_panel import SILENT_KINDS
from ui.settings import Settings

KEY = Qt.Key


class Player:
    """Somebody without a mouse."""

    def __init__(self, stage: Stage, qtbot: QtBot) -> None:
        self.window = stage.window
        self.qtbot = qtbot
        with qtbot.waitActive(self.window):
            self.window.activateWindow()

    def press(self, *keys: Qt.Key) -> None:
        """Press and release keys, each where the focus is then."""
        for key in keys:
            self.qtbot.keyClick(QApplication.focusWidget() or self.window, key)

    def wait_for(self, prompts: list[str]) -> None:
        """Wait until exactly these prompts are due."""
        self.qtbot.waitUntil(lambda: self.due() == prompts, timeout=WAIT_MS)
        QApplication.processEvents()

    def due(self) -> list[str]:
        """Return the ids of the prompts that have a card, in order."""
        shown = self.window.shown
        assert shown is not None
        return [prompt.id for prompt in shown.prompts if prompt.kind not in SILENT_KINDS]

    def tab_to(self, words: str, times: int = 1) -> None:
        """Press Tab until the focus is on a button with these words, for the so-manieth time."""
        for _ in range(60):
            self.press(KEY.Key_Tab)
            focus = QApplication.focusWidget()
            times -= isinstance(focus, QPushButton) and words in focus.text()
            if not times:
                return
        pytest.fail(f"no button with {words}")

    def menu(self) -> QMenu:
        """Return the open menu."""
        popup = QApplication.activePopupWidget()
        assert isinstance(popup, QMenu)
        return popup

    def on_screen(self, place: str) -> QPoint:
        """Return where the middle of a place is on the screen."""
        item = self.window.scene.items_by_place()[Place(place)]
        viewport = self.window.twin.viewport()
        assert viewport is not None
        return viewport.mapToGlobal(self.window.twin.mapFromScene(item.sceneBoundingRect().center()))


@pytest.fixture
def player(qapp: QApplication, qtbot: QtBot) -> Iterator[Player]:
    """At a window over a game in which a lot is due."""
    with staged(qapp, city_game(4), Settings(language="en", is_still=True), (1280, 720)) as opened:
        made = Player(opened, qtbot)
        assert len(made.due()) > 3
        yield made
    text.install("en")


def test_arrows_go_over_the_table_at_once(player: Player) -> None:
    """Nothing has to be clicked before: the first arrow goes to the middle, the next to its neighbours."""
    assert QApplication.focusWidget() is player.window.twin
    before = player.window.twin.grab().toImage()
    visited = []
    for key in (KEY.Key_Right, KEY.Key_Right, KEY.Key_Up, KEY.Key_Left):
        player.press(key)
        visited.append(player.window.scene.focused)

    assert ["cell:2,2", "cell:2,3", "cell:1,3", "cell:1,2"] == visited
    assert player.window.twin.grab().toImage() != before
    named = player.window.scene.tile_of(Place("cell:1,2"))
    assert named is not None
    assert player.window.inspector.text().startswith(named.name)


def test_arrows_go_over_the_table_where_nothing_has_the_focus(player: Player) -> None:
    """A key that comes to the window itself is the table's."""
    player.window.twin.clearFocus()
    player.qtbot.keyClick(player.window, KEY.Key_Left)
    player.press(KEY.Key_Left)

    assert "cell:2,1" == player.window.scene.focused


def test_the_place_is_kept_in_other_colours(player: Player) -> None:
    """Built anew, the window has its focus where it was."""
    player.press(KEY.Key_Right, KEY.Key_Right, KEY.Key_D, KEY.Key_Down)

    assert "cell:3,3" == player.window.scene.focused


def test_enter_closes_the_uppermost_prompt_where_none_has_the_focus(player: Player) -> None:
    """At the start, and after Esc gave the table's focus back."""
    due = player.due()
    player.press(KEY.Key_Return)
    player.wait_for(due[1:])
    player.press(KEY.Key_Right, KEY.Key_Escape, KEY.Key_Enter)
    player.wait_for(due[2:])

    assert QApplication.focusWidget() is player.window.twin


def test_enter_closes_the_prompt_in_focus(player: Player) -> None:
    """The third by Tab and Enter; the focus is then on the one in its place, after the last on the table."""
    due = player.due()
    player.tab_to("Done", times=3)
    player.press(KEY.Key_Return)
    player.wait_for([*due[:2], *due[3:]])
    for left in range(3, len(due)):
        player.press(KEY.Key_Return)
        player.wait_for([*due[:2], *due[left + 1 :]])

    assert QApplication.focusWidget() is player.window.twin
    player.press(KEY.Key_Return)
    player.wait_for(due[1:2])


def test_the_focus_stays_with_its_prompt(player: Player) -> None:
    """The uppermost is closed by the table: the second, in focus, comes to the top and keeps the focus."""
    due = player.due()
    player.tab_to("Done", times=2)
    player.window.bridge.confirm(due[0])
    player.wait_for(due[1:])
    player.press(KEY.Key_Return)
    player.wait_for(due[2:])


def test_enter_held_down_closes_one_prompt(player: Player) -> None:
    """A key that repeats by itself is no further answer."""
    due = player.due()
    player.press(KEY.Key_Return)
    repeated = QKeyEvent(QEvent.Type.KeyPress, KEY.Key_Return, Qt.KeyboardModifier.NoModifier, "", True)
    QApplication.sendEvent(player.window.twin, repeated)
    player.wait_for(due[1:])
    player.window.bridge.enter(0)
    player.qtbot.waitUntil(lambda: due[1] in player.due() and due[0] not in player.due(), timeout=WAIT_MS)


def test_a_clicked_button_does_not_get_the_next_enter(player: Player) -> None:
    """Done of the third prompt by mouse, then Enter: the uppermost one is closed."""
    due = player.due()
    third = [button for button in player.window.prompts.buttons if "Done" in button.text()][2]
    player.qtbot.mouseClick(third, Qt.MouseButton.LeftButton)
    player.wait_for([*due[:2], *due[3:]])
    player.press(KEY.Key_Return)
    player.wait_for([due[1], *due[3:]])


def test_an_answer_in_focus_is_given_by_enter(player: Player) -> None:
    """Of a question with three choices the second is reached by Tab."""
    given: list[int] = []
    player.window.prompts.answered.connect(given.append)
    shown = player.window.shown
    assert shown is not None
    player.window.show_shown(
        replace(shown, question=Question(text="Which?", choices=("one", "two", "three")))
    )
    player.qtbot.waitUntil(lambda: len(player.window.prompts.choice_buttons) == 3, timeout=WAIT_MS)
    player.press(KEY.Key_Tab, KEY.Key_Tab, KEY.Key_Return)

    assert [1] == given


def test_enter_presses_the_button_in_focus(player: Player) -> None:
    """Undo by Tab and Enter, until nothing is left: the focus goes to the table, and ends nobody's turn."""
    shown = player.window.shown
    assert shown is not None
    count = len(shown.history)
    player.tab_to("Undo")
    for left in range(count - 1, -1, -1):
        player.press(KEY.Key_Return)
        player.qtbot.waitUntil(lambda n=left: len(player.window.shown.history) == n, timeout=WAIT_MS)
        QApplication.processEvents()

    assert QApplication.focusWidget() is player.window.twin


def test_the_menu_opens_at_the_tile_in_focus(player: Player) -> None:
    """Wherever the pointer is; when it is closed, arrows go on from there."""
    QCursor.setPos(player.on_screen("cell:3,3"))
    player.press(KEY.Key_Up, KEY.Key_Up, KEY.Key_Left)
    assert "cell:1,1" == player.window.scene.focused
    player.press(KEY.Key_Return)

    assert player.on_screen("cell:1,1") == player.menu().pos()
    player.qtbot.keyClick(player.menu(), KEY.Key_Escape)
    player.press(KEY.Key_Right)
    assert "cell:1,2" == player.window.scene.focused


def test_the_menu_opens_at_the_pointer_for_a_click(player: Player) -> None:
    """Though another tile has the focus."""
    player.press(KEY.Key_Up)
    QCursor.setPos(player.on_screen("cell:1,1"))
    viewport = player.window.twin.viewport()
    assert viewport is not None
    player.qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=viewport.mapFromGlobal(QCursor.pos()))

    assert QCursor.pos() == player.menu().pos()
    player.menu().close()


def test_a_tile_is_put_right_by_keyboard_alone(player: Player) -> None:
    """Arrows, Enter, Down, Enter: what is chosen in the menu is reported."""
    player.press(KEY.Key_Up, KEY.Key_Up, KEY.Key_Return)
    menu = player.menu()
    chosen = menu.actions()[1]
    told: list[str] = []
    chosen.triggered.connect(lambda: told.append(chosen.text()))
    player.qtbot.keyClick(menu, KEY.Key_Down)
    player.qtbot.keyClick(menu, KEY.Key_Down)
    player.qtbot.keyClick(menu, KEY.Key_Return)

    assert 1 == len(told)
