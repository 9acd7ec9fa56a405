"""The window: every flow through the real widgets, by keyboard and by mouse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PyQt6.QtCore import QPoint, Qt, QTimer
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QApplication, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from companion.prompts import PromptKind
from companion.table import Place
from tests.helpers.measure import words_of
from tests.helpers.patience import WAIT_MS
from tests.helpers.scripted_guide import HOME, TWO, ScriptedGuide
from tests.helpers.toy_game import Act
from tests.helpers.toy_session import ScriptedSource, sight_of, toy_session
from ui.assembly.cable import SimulatedCable
from ui.controller.bridge import ControllerBridge
from ui.controller.session import Lookout, Session
from ui.controller.view_state import ViewState
from ui.dialogs.mend_dialog import MendDialog
from ui.main_window import MainWindow
from ui.onward import Left, Onward
from ui.panels.players_panel import HIDDEN
from ui.settings import read_settings
from ui.speech import Speaker
from ui.start import run


class Table:
    """A window on a toy game, and what a tester does with it."""

    def __init__(self, folder: Path, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.folder = folder
        self.source = ScriptedSource()
        self.session: Session = toy_session(folder, self.source)
        self.bridge = ControllerBridge(self.session)
        self.window = MainWindow(self.bridge, folder, "Test")
        qtbot.addWidget(self.window)
        self._seq = 0

    @property
    def shown(self) -> ViewState:
        """What the window shows."""
        assert self.window.shown is not None
        return self.window.shown

    def open(self) -> None:
        """Open the window and wait for its first moment."""
        with self.qtbot.waitActive(self.window):
            self.window.show()
            self.window.activateWindow()
        self.bridge.start()
        self.wait(lambda: self.window.shown is not None)

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds."""
        self.qtbot.waitUntil(condition, timeout=WAIT_MS)

    def wait_for_history(self, count: int) -> None:
        """Wait until so many actions are listed."""
        self.wait(lambda: len(self.shown.history) == count)
        assert count == self.window.log.list.count()

    def see(self, changes: dict[str, str | None] | None = None) -> None:
        """Let the camera see the table as it began, with changes."""
        start = self.session.referee.line.start
        self.source.show(sight_of(start, self._seq + i, changes) for i in range(4))
        self._seq += 4

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press and release a key wherever the focus is."""
        self.qtbot.keyClick(QApplication.focusWidget() or self.window, key, modifier)

    def click(self, place: str) -> None:
        """Click a place on the twin."""
        viewport = self.window.twin.viewport()
        assert viewport is not None
        self.qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=self.point(place))

    def point(self, place: str) -> QPoint:
        """Return where a place lies on the twin."""
        item = self.window.scene.items_by_place()[Place(place)]
        return self.window.twin.mapFromScene(item.sceneBoundingRect().center())

    def menu(self) -> QMenu:
        """Return the open menu."""
        popup = QApplication.activePopupWidget()
        assert isinstance(popup, QMenu)
        return popup

    def pick(self, words: str) -> None:
        """Choose a line of the open menu."""
        menu = self.menu()
        action = next(action for action in menu.actions() if words in action.text())
        action.trigger()
        menu.close()

    def button(self, words: str) -> QPushButton:
        """Return the visible button with these words."""
        return next(
            button
            for button in self.window.findChildren(QPushButton)
            if words in button.text() and button.isVisible()
        )


@pytest.fixture
def table(tmp_path: Path, qtbot: QtBot) -> Iterator[Table]:
    """An open window, closed after the test."""
    made = Table(tmp_path, qtbot)
    made.open()
    yield made
    made.window.close()
    made.session.referee.journal.close()


def test_the_camera_drives_the_window(table: Table) -> None:
    """What the camera sees appears in banner, twin, log and players."""
    assert "Ann's turn" == table.window.banner.text()

    table.see()
    table.see({"figure:ann": "1"})
    table.wait_for_history(1)

    assert "Ben's turn" == table.window.banner.text()
    assert "to play" in table.window.players.cards["ben"].accessibleName()


def test_crystals_are_hidden_until_asked_for(table: Table) -> None:
    """C held down or the button pressed shows them, letting go hides them again."""
    row = table.window.players.cards["ann"].rows["crystals"]
    assert HIDDEN == row.number.text()

    table.qtbot.keyPress(table.window, Qt.Key.Key_C)
    assert "0–1" == row.number.text()
    table.qtbot.keyRelease(table.window, Qt.Key.Key_C)
    assert HIDDEN == row.number.text()

    table.qtbot.mousePress(table.window.reveal_button, Qt.MouseButton.LeftButton)
    assert "0–1" == row.number.text()
    table.qtbot.mouseRelease(table.window.reveal_button, Qt.MouseButton.LeftButton)
    assert HIDDEN == row.number.text()


def test_new_numbers_stay_hidden(table: Table) -> None:
    """An update while the crystals are hidden does not show them."""
    table.key(Qt.Key.Key_E)
    table.wait_for_history(1)

    assert HIDDEN == table.window.players.cards["ann"].rows["crystals"].number.text()


def test_entry_undo_redo_by_keyboard(table: Table) -> None:
    """E enters the offered action, Ctrl+Z takes it back, Ctrl+Y brings it again."""
    table.key(Qt.Key.Key_E)
    table.wait_for_history(1)
    table.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    table.wait_for_history(0)
    table.key(Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    table.wait_for_history(1)


def test_entry_undo_redo_by_mouse(table: Table) -> None:
    """The same by the buttons below."""
    table.qtbot.mouseClick(table.window.entry_button, Qt.MouseButton.LeftButton)
    table.wait_for_history(1)
    table.qtbot.mouseClick(table.button("Undo"), Qt.MouseButton.LeftButton)
    table.wait_for_history(0)
    table.qtbot.mouseClick(table.button("Redo"), Qt.MouseButton.LeftButton)
    table.wait_for_history(1)


def test_prompts_are_confirmed_by_enter(table: Table) -> None:
    """Enter closes the uppermost prompt, which is the most important one."""
    table.key(Qt.Key.Key_E)
    table.wait_for_history(1)
    first = table.shown.prompts[0]
    assert PromptKind.REWARD is first.kind

    table.key(Qt.Key.Key_Return)
    table.wait(lambda: first not in table.shown.prompts)


def test_prompts_are_confirmed_by_mouse(table: Table) -> None:
    """The button of a prompt closes that prompt."""
    table.key(Qt.Key.Key_E)
    table.wait_for_history(1)
    first = table.shown.prompts[0]
    table.qtbot.mouseClick(table.button("Done (Enter)"), Qt.MouseButton.LeftButton)
    table.wait(lambda: first not in table.shown.prompts)


def test_a_question_is_answered_by_digit(table: Table) -> None:
    """The camera sees something ambiguous; 2 chooses the second answer."""
    walk = [Act("ann", "step", 1), Act("ben", "step", 3), Act("ann", "step", 2), Act("ben", "step", 4)]
    table.session.referee.enter(*walk)
    table.see({"figure:ann": "2"})
    table.see({"figure:ann": "2", "box:2": "ann", "cell:2": "lit"})
    table.wait(lambda: table.shown.question is not None)
    assert 2 == len(table.window.prompts.choice_buttons)

    table.key(Qt.Key.Key_2)
    table.wait_for_history(5)

    assert "bright" in table.shown.history[-1].text


def test_a_space_is_put_right_in_two_clicks(table: Table) -> None:
    """Click the space, choose whose marker it is: the action that this means is entered."""
    table.click("box:0")
    table.pick("ann")
    table.wait_for_history(1)


def test_a_piece_is_put_right_in_two_clicks(table: Table) -> None:
    """Click the figure, click the tile where it really stands."""
    table.click("figure:ann")
    assert "ann" in table.window.inspector.text()

    table.click("cell:1")
    table.wait_for_history(1)


def test_a_tile_is_put_right_by_keyboard(table: Table) -> None:
    """Arrows to the tile, Enter, choose the piece that stands there."""
    table.window.twin.setFocus()
    for _ in range(2):  # the first press goes to the middle
        table.key(Qt.Key.Key_Left)
    assert table.window.scene.focusItem() is not None
    table.key(Qt.Key.Key_Return)
    table.pick("ann is here")
    table.wait_for_history(1)


def test_trouble_offers_its_ways_out(table: Table) -> None:
    """Out of step: the fixes are listed; R says misread, Esc puts it off."""
    table.see()
    table.see({"figure:ann": "3"})
    table.wait(lambda: table.shown.trouble is not None)
    assert table.button("Correct the game")

    table.key(Qt.Key.Key_R)
    table.wait(lambda: table.shown.trouble is None)
    table.see({"figure:ann": "4"})
    table.wait(lambda: table.shown.trouble is not None)
    table.key(Qt.Key.Key_Escape)
    table.wait(lambda: table.shown.trouble is None)


def test_a_lost_camera_is_a_calm_banner(table: Table) -> None:
    """The notice says what to do while the source is away and goes when it is back; the game goes on."""
    table.see()
    table.source.unplug()
    table.wait(table.window.notice.isVisible)
    assert "The cable was pulled." in table.window.notice.text()

    table.key(Qt.Key.Key_E)
    table.wait_for_history(1)
    table.source.plug()
    table.see({"box:0": "ann", "cell:0": "lit"})
    table.wait(lambda: not table.window.notice.isVisible())


def test_pause_says_so(table: Table) -> None:
    """P pauses with a notice that stays, in another language too; P again goes on."""
    table.key(Qt.Key.Key_P)
    table.wait(table.window.notice.isVisible)
    assert "Paused" in table.window.notice.text()
    table.key(Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    table.wait(lambda: "Пауза" in table.window.notice.text())
    assert table.window.menus.pause.isChecked()
    table.key(Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    table.wait(lambda: "Paused" in table.window.notice.text())
    table.key(Qt.Key.Key_P)
    table.wait(lambda: not table.window.notice.isVisible())


def test_a_refused_wish_is_a_passing_notice(table: Table) -> None:
    """Mending with nothing to mend is told, no dialog opens."""
    table.key(Qt.Key.Key_F2)

    assert table.window.notice.isVisible()
    assert not table.window.findChildren(MendDialog)


def test_mending_by_dialog(table: Table) -> None:
    """F2, choose the action on the left and the truth on the right, Mend: refolded and told."""
    table.key(Qt.Key.Key_E)
    table.wait_for_history(1)
    table.key(Qt.Key.Key_F2)
    dialog = table.window.side.mend_dialog
    assert dialog.isVisible()
    moment = dialog.scene.view
    assert moment is not None
    assert "ann" == moment.tiles[0].spots[0].owner
    timeline = dialog.timeline
    view, item = timeline.viewport(), timeline.currentItem()
    assert view is not None
    assert item is not None
    table.wait(lambda: view.rect().contains(timeline.visualItemRect(item).center()))
    row = next(
        row
        for row in range(dialog.instead.count())
        if "step 1" in (dialog.instead.item(row) or pytest.fail("no item")).text()
    )
    dialog.instead.setCurrentRow(row)
    table.qtbot.mouseClick(dialog.mend_button, Qt.MouseButton.LeftButton)
    table.wait(lambda: "Corrected" in dialog.outcome.text())

    assert "step 1" in table.shown.history[0].text
    dialog.reject()


def test_mending_can_say_that_nothing_happened(table: Table) -> None:
    """The first line on the right takes the action out; a refusal is told in the dialog."""
    table.key(Qt.Key.Key_E)
    table.wait_for_history(1)
    table.window.log.list.setCurrentRow(0)
    table.window.log.list.itemActivated.emit(table.window.log.list.item(0))
    dialog = table.window.side.mend_dialog
    dialog.search.setText("never happened")
    dialog.instead.setCurrentRow(0)
    table.qtbot.mouseClick(dialog.mend_button, Qt.MouseButton.LeftButton)
    table.wait_for_history(0)
    dialog.reject()


def test_choices_are_kept(table: Table) -> None:
    """Dark, larger text, no motion: the window is rebuilt and the next start begins so."""
    table.key(Qt.Key.Key_E)
    table.wait_for_history(1)
    table.key(Qt.Key.Key_D)
    table.key(Qt.Key.Key_M)
    table.key(Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    kept = read_settings(table.folder)

    assert ("dark", 1.15, True) == (kept.theme, kept.scale, kept.is_still)
    assert 1 == table.window.log.list.count()
    assert "Ben's turn" == table.window.banner.text()


def test_every_menu_entry_has_a_key(table: Table) -> None:
    """All of the window can be used by keyboard."""
    actions = [
        action
        for menu in table.window.findChildren(QMenu)
        for action in menu.actions()
        if isinstance(action, QAction) and not action.isSeparator() and action.menu() is None
    ]

    assert len(actions) > 10
    assert not [action.text() for action in actions if action.shortcut().isEmpty()]
    shortcuts = [action.shortcut().toString() for action in actions]
    assert len(shortcuts) == len(set(shortcuts))


def test_the_menu_ticks_what_is_on(table: Table) -> None:
    """Each entry that switches something shows whether it is on, also after it was changed elsewhere."""
    menus = table.window.menus
    ticks = {name: action.isChecked() for name, action in menus.ticked.items()}
    assert {"dark": False, "motion": True, "outlines": True, "sounds": True} == {
        name: ticks[name] for name in ("dark", "motion", "outlines", "sounds")
    }
    table.key(Qt.Key.Key_D)
    table.key(Qt.Key.Key_M)
    table.key(Qt.Key.Key_O)
    table.window.adopt(replace(table.window.settings, has_sounds=False))
    menus = table.window.menus
    ticks = {name: action.isChecked() for name, action in menus.ticked.items()}

    assert {"dark": True, "motion": False, "outlines": False, "sounds": False} == {
        name: ticks[name] for name in ("dark", "motion", "outlines", "sounds")
    }
    assert read_settings(table.folder).is_plain


def test_the_first_game_is_guided_once(table: Table) -> None:
    """The hints stay when the window is rebuilt; once skipped, that is kept."""
    table.window.begin_guide()
    assert table.window.guide is not None
    table.window.guide.next.click()
    table.key(Qt.Key.Key_D)
    assert 1 == table.window.guide.step
    assert not table.window.guide.isHidden()
    table.window.guide.skip.click()

    assert table.window.guide.isHidden()
    assert read_settings(table.folder).is_guided


def test_keys_are_listed(table: Table) -> None:
    """Shift+F1 shows the list of keys."""
    table.key(Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)

    listed = "".join(words_of(table.window.side.keys_window))
    assert all(key in listed for key in ("Ctrl+Z", "F11", "Ctrl+Q", "hold to see the crystals"))
    table.window.side.keys_window.close()


def test_f1_opens_the_rule_of_the_moment(table: Table) -> None:
    """In trouble F1 opens the rule that was broken, otherwise the one of the phase."""
    table.key(Qt.Key.Key_F1)
    shown = table.window.side.rules_panel.current()
    assert shown is not None
    assert "turn" == shown.id
    table.window.side.rules_panel.close()

    table.see()
    table.see({"figure:ann": "3"})
    table.wait(lambda: table.shown.trouble is not None)
    with table.qtbot.waitActive(table.window):
        table.window.activateWindow()
    table.key(Qt.Key.Key_F1)
    shown = table.window.side.rules_panel.current()
    assert shown is not None
    assert "step" == shown.id
    table.window.side.rules_panel.close()


def test_glance_and_table_mode_follow_the_game(table: Table) -> None:
    """Opened by G and T, they show what the window shows, and closing them leaves the window at work."""
    table.key(Qt.Key.Key_G)
    glance = table.window.side.glance
    assert "Ann" in glance.turn.text()
    table.bridge.enter(0)
    table.wait(lambda: "Ben" in glance.turn.text())
    glance.close()
    with table.qtbot.waitActive(table.window):
        table.window.activateWindow()
    table.key(Qt.Key.Key_T)
    mode = table.window.side.table_mode
    assert {"ann", "ben"} == set(mode.cards)
    mode.close()
    table.bridge.undo()
    table.wait_for_history(0)


def test_camera_and_twin_change_places(table: Table) -> None:
    """V makes the camera large and the twin small, V again the other way round; the log stays where it is."""
    table.see()
    wide = table.window.large
    assert wide.isAncestorOf(table.window.twin)
    table.key(Qt.Key.Key_V)
    assert wide.isAncestorOf(table.window.camera)
    assert table.window.camera.isVisible()
    assert 2 == table.window.tabs.count()
    table.key(Qt.Key.Key_V)
    assert wide.isAncestorOf(table.window.twin)
    assert table.window.twin.isVisible()
    assert table.window.log is table.window.tabs.widget(1)


def test_the_report_opens(table: Table) -> None:
    """Ctrl+R shows the charts of the game so far."""
    table.key(Qt.Key.Key_E)
    table.wait_for_history(1)
    table.key(Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    table.wait(lambda: table.window.side.report is not None)
    assert table.window.side.report is not None
    table.window.side.report.close()


def test_speech_follows_what_is_due(table: Table) -> None:
    """S switches speech on; the reward that becomes due is said."""
    said: list[str] = []

    class Remembering:
        def say(self, words: str) -> None:
            said.append(words)

        def stop(self) -> None:
            said.append("(stop)")

    table.window.speaker = Speaker(Remembering)
    table.key(Qt.Key.Key_S)
    table.key(Qt.Key.Key_E)
    table.wait_for_history(1)
    assert ["A point!"] == said
    table.key(Qt.Key.Key_S)
    assert "(stop)" == said[-1]


def test_a_piece_clicked_twice_may_leave_the_table(table: Table) -> None:
    """The second click on the same piece offers what is not a cell; here there is nothing to offer."""
    table.click("figure:ann")
    table.click("figure:ann")
    assert "" == table.window.inspector.text()
    table.click("figure:ben")
    table.key(Qt.Key.Key_Escape)
    assert "" == table.window.inspector.text()
    table.click("cell:1")
    assert "ann is here" in [action.text() for action in table.menu().actions()]
    table.menu().close()


def test_without_a_display_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where no window can be opened, the words say what to do instead, and nothing crashes."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    session = toy_session(tmp_path)
    left = run(session, tmp_path)
    session.referee.journal.close()

    assert left == Left(status=1, onward=Onward.QUIT)
    assert "--headless" in capsys.readouterr().err


def test_the_whole_application_runs_until_its_window_is_closed(tmp_path: Path, qtbot: QtBot) -> None:
    """`run` opens the window, watches, and ends with status 0 when it is closed."""
    session = toy_session(tmp_path)

    def close() -> None:
        for window in QApplication.topLevelWidgets():
            if isinstance(window, MainWindow) and window.isVisible():
                window.close()

    QTimer.singleShot(300, close)
    left = run(session, tmp_path)
    session.referee.journal.close()

    assert qtbot is not None
    assert Left(status=0) == left


def test_camera_and_profile_are_set_up_again_in_mid_game(tmp_path: Path, qtbot: QtBot) -> None:
    """The old source is let go, the wizard chooses, a new source watches on: the game stays as it is."""
    first, second = ScriptedSource(), ScriptedSource()
    asked: list[tuple[str, str]] = []

    def sources(camera: str, profile: str) -> list[ScriptedSource]:
        asked.append((camera, profile))
        return [second]

    lookout = Lookout(
        guide=ScriptedGuide((HOME,)), game=TWO, camera="camera:9", profile="old", sources=sources
    )
    session = replace(toy_session(tmp_path, first), lookout=lookout)
    window = MainWindow(ControllerBridge(session), tmp_path, "Test")
    qtbot.addWidget(window)
    window.show()
    window.bridge.start()
    start = session.referee.line.start
    first.show(sight_of(start, seq) for seq in range(4))
    first.show(sight_of(start, seq, {"figure:ann": "1"}) for seq in range(4, 8))
    qtbot.waitUntil(lambda: window.shown is not None and len(window.shown.history) == 1, timeout=WAIT_MS)

    window.side.set_up_again()
    wizard = window.side.wizard
    qtbot.waitUntil(wizard.camera_page.isComplete, timeout=WAIT_MS)
    wizard.next()
    wizard.accept()
    assert [("camera:0", "home")] == asked

    second.show(sight_of(start, seq, {"figure:ann": "1", "figure:ben": "3"}) for seq in range(8, 12))
    qtbot.waitUntil(lambda: window.shown is not None and len(window.shown.history) == 2, timeout=WAIT_MS)

    window.side.set_up_again()  # and left without choosing: it watches as before
    window.side.wizard.reject()
    assert ("camera:0", "home") == asked[-1]
    window.close()
    session.referee.journal.close()


def test_of_a_game_whose_pieces_lie_anywhere_camera_and_copy_are_chosen_again(
    tmp_path: Path, qtbot: QtBot
) -> None:
    """A phone's address changes with its network: the game goes on with the new one."""
    asked: list[tuple[str, str]] = []

    def sources(camera: str, profile: str) -> list[ScriptedSource]:
        asked.append((camera, profile))
        return [ScriptedSource()]

    lookout = Lookout(
        copies=ScriptedGuide((HOME,)), game=TWO, camera="camera:9", profile="home", sources=sources
    )
    session = replace(toy_session(tmp_path, ScriptedSource()), lookout=lookout)
    window = MainWindow(ControllerBridge(session), tmp_path, "Test")
    qtbot.addWidget(window)
    window.show()
    window.bridge.start()
    window.side.set_up_again()
    wizard = window.side.wizard
    qtbot.waitUntil(wizard.camera_page.isComplete, timeout=WAIT_MS)
    wizard.next()
    wizard.accept()

    assert asked == [("camera:0", "home")]
    window.close()
    session.referee.journal.close()


def test_a_simulated_table_cannot_be_set_up_again(table: Table) -> None:
    """The window says why, and watches on."""
    table.window.side.set_up_again()

    assert "simulated" in table.window.notice.text()


def test_the_cable_of_a_simulated_camera_is_pulled_by_a_key(tmp_path: Path, qtbot: QtBot) -> None:
    """U pulls it and puts it in again."""
    cable = SimulatedCable()
    session = replace(toy_session(tmp_path, ScriptedSource()), cable=cable)
    window = MainWindow(ControllerBridge(session), tmp_path, "Test")
    qtbot.addWidget(window)
    window.show()
    window.bridge.start()
    window.menus.cable.trigger()
    assert cable.is_out
    window.menus.cable.trigger()
    assert not cable.is_out
    window.close()
    session.referee.journal.close()
