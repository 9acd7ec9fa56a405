"""From the home screen to a game's end and to the rematch: by the mouse alone, and by the keyboard alone."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from PyQt6.QtCore import QPoint, Qt, QTimer
from PyQt6.QtGui import QAction
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QAbstractButton, QApplication, QMenu, QMenuBar, QWidget
from pytestqt.qtbot import QtBot

from companion.games import registry
from companion.games.blue_moon_legends import BlueMoonLegends
from companion.games.nova_luna import NovaLuna
from companion.games.urbion import Urbion
from companion.session.journal import Journal
from companion.table import Place
from companion.view_model import HandMove
from tests.helpers.city_session import won_at
from tests.helpers.entering import Hand, Keyboard, Mouse, Player, QtInputs
from tests.helpers.patience import WAIT_MS, WAIT_S
from ui.app import main
from ui.home.home_window import HomeWindow
from ui.home.new_game import NewGame
from ui.main_window import MainWindow
from ui.settings import Settings, write_settings

GAME = "nova_luna"
CITY = "blue_moon_city"
SMALL = (1280, 720)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without cameras, its folders, and games whose stock and decks lie open."""
    monkeypatch.setattr("ui.settings.default_folder", lambda: tmp_path / "settings")
    monkeypatch.setattr("ui.folders.profiles_folder", lambda: tmp_path / "profiles")
    monkeypatch.setattr("ui.folders.games_folder", lambda: tmp_path)
    monkeypatch.setattr("ui.folders.people_file", lambda: tmp_path / "people.json")
    monkeypatch.setattr("ui.assembly.table_camera.list_cameras", lambda: [])
    monkeypatch.setattr("ui.assembly.house_guide.find_ports", lambda: [])
    for game in (NovaLuna, Urbion, BlueMoonLegends):
        monkeypatch.setattr(game, "public_header", lambda _game, header: header)
    write_settings(tmp_path / "settings", Settings(language="en", is_still=True))
    return tmp_path


Script: TypeAlias = Generator[type[QWidget], Any, None]
"""Uses the windows one after the other: yields the kind of the next one and gets it when it is open."""


class Prompter:
    """Runs a script beside the program: between its steps, windows close and others open."""

    def __init__(self, script: Script) -> None:
        self.wrong: list[BaseException] = []
        self._script = script
        self._wanted: type[QWidget] | None = next(script)
        self._is_busy = False
        self._until = time.monotonic() + WAIT_S
        self.timer = QTimer()
        self.timer.timeout.connect(self._tick)
        self.timer.start(20)

    def _tick(self) -> None:
        if self._is_busy:
            return
        if self._wanted is None:
            QApplication.closeAllWindows()
            return
        kind = self._wanted
        found = [one for one in QApplication.topLevelWidgets() if type(one) is kind and one.isVisible()]
        if found:
            self._step(found[0])
        elif time.monotonic() > self._until:
            self._end(TimeoutError(f"no {kind.__name__} was opened"))

    def _step(self, window: QWidget) -> None:
        self._is_busy = True
        try:
            self._wanted = self._script.send(window)
            self._until = time.monotonic() + WAIT_S
        except StopIteration:
            self._wanted = None
        except BaseException as error:
            self._end(error)
        self._is_busy = False

    def _end(self, error: BaseException) -> None:
        self.wrong.append(error)
        self._wanted = None


def run_led(script: Script) -> int:
    """Run ``moontable`` while a script uses its windows; whatever goes wrong there is raised here."""
    prompter = Prompter(script)
    status = main([])
    prompter.timer.stop()
    if prompter.wrong:
        raise prompter.wrong[0]
    return status


class Guest:
    """Somebody who uses whatever window is open; `Clicking` and `Typing` say how."""

    hand: type[Hand]

    def __init__(self, qtbot: QtBot, rng: random.Random, game: str = GAME) -> None:
        self.qtbot = qtbot
        self.rng = rng
        self.game = game

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds."""
        self.qtbot.waitUntil(condition, timeout=WAIT_MS)

    def press(self, widget: QWidget) -> None:
        """Press a button."""
        raise NotImplementedError

    def choose(self, menu: QMenu, action: QAction) -> None:
        """Choose a line of an open menu."""
        raise NotImplementedError

    def unfold(self, menu: QMenu, action: QAction) -> QMenu:
        """Open the menu below a line of an open menu."""
        raise NotImplementedError

    def point(self, window: MainWindow, place: Place) -> None:
        """Point at a place on the twin."""
        raise NotImplementedError

    def menu_entry(self, window: MainWindow, action: QAction) -> None:
        """Choose an entry of the first menu of a window."""
        raise NotImplementedError

    def popup(self) -> QMenu | None:
        """Return the open menu."""
        found = QApplication.activePopupWidget()
        return found if isinstance(found, QMenu) else None

    # -- what is done with the windows ------------------------------------------------------------

    def begin(self) -> Script:
        """Begin a game from the home screen: of one where one can play, else of two."""
        home = yield HomeWindow
        self.wait(home.buttons["new"].isEnabled)
        self.press(home.buttons["new"])
        dialog = yield NewGame
        self.press(dialog.games[self.game])
        assert len(dialog.seats.seats()) == 2
        if dialog.seats.rows[1].remove_button.isVisible():
            self.press(dialog.seats.rows[1].remove_button)
        self.lay_out(dialog)

    def lay_out(self, dialog: NewGame) -> None:
        """Go on from the page of players to the table to lay out, and from there into the game."""
        if dialog.stack.currentIndex() == 0:
            self.press(dialog.next_button)
        assert dialog.stack.currentIndex() == 1
        self.press(dialog.next_button)

    def play_on(self, window: MainWindow) -> None:
        """Play at random until the game is over."""
        referee = window.bridge._session.referee
        self.wait(lambda: window.shown is not None)
        window.resize(*SMALL)  # the screen of a machine without one is smaller than any screen
        if self.game == CITY:  # its pieces are put where they stand now, and the window says what that was
            played = won_at(referee.journal.header, self.rng)
            Player(self.hand(QtInputs(window), window), played, window.bridge).play(0)
            return
        game, presenter = registry.lookup(self.game), registry.display(self.game).presenter
        choose = game.random_player(self.rng)
        while game.result(referee.state) is None:
            before = referee.number
            wanted = choose(referee.state)
            moves = {move.action: move for move in window.bridge.moves()}
            if wanted in moves:
                self.enter(window, moves[wanted])
            else:
                entries = [entry.action for entry in presenter.entries(referee.state)]
                self.offered(window, entries.index(wanted))
            self.wait(lambda before=before: window.shown is not None and len(window.shown.history) > before)

    def close_standings(self, window: MainWindow) -> None:
        """Close the page that opens by itself when a game is over."""
        self.wait(lambda: window.side.standings is not None and window.side.standings.isVisible())
        page = window.side.standings
        assert page is not None
        QTest.keyClick(page, Qt.Key.Key_Escape)
        window.activateWindow()
        self.wait(window.isActiveWindow)

    def enter(self, window: MainWindow, move: HandMove[Any]) -> None:
        """Enter a move by pointing, and choose it in the menu if that may mean several."""
        before = () if window.shown is None else window.shown.history
        for place in move.path:
            if (passing := self.popup()) is not None:
                QTest.keyClick(passing, Qt.Key.Key_Escape)
            self.point(window, place)
        self.wait(
            lambda: self.popup() is not None or (window.shown is not None and window.shown.history != before)
        )
        if (menu := self.popup()) is not None:
            *above, line = way_to(menu, move.text.lower())
            for each in above:
                menu = self.unfold(menu, each)
            self.choose(menu, line)

    def offered(self, window: MainWindow, index: int) -> None:
        """Enter one of the actions that are offered at the button."""
        self.wait(window.entry_button.isVisible)
        assert window.shown is not None
        several = len(window.shown.entries) > 1
        self.press(window.entry_button)
        if several:
            self.wait(lambda: self.popup() is not None)
            menu = self.popup()
            assert menu is not None
            self.choose(menu, menu.actions()[index])


def way_to(menu: QMenu, words: str) -> list[QAction]:
    """Return the lines that lead to the one with these words, which comes last; none if it is not there."""
    for action in menu.actions():
        below = action.menu()
        if below is None and action.text().lower() == words:
            return [action]
        if below is not None and (way := way_to(below, words)):
            return [action, *way]
    return []


class Clicking(Guest):
    """Uses the mouse alone."""

    hand = Mouse

    def press(self, widget: QWidget) -> None:
        self.wait(lambda: widget.isVisible() and widget.isEnabled())
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)

    def choose(self, menu: QMenu, action: QAction) -> None:
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())

    def unfold(self, menu: QMenu, action: QAction) -> QMenu:
        self.choose(menu, action)
        below = action.menu()
        assert below is not None
        self.wait(below.isVisible)
        return below

    def point(self, window: MainWindow, place: Place) -> None:
        item = window.scene.items_by_place()[place]
        where: QPoint = window.twin.mapFromScene(item.sceneBoundingRect().center())
        QTest.mouseClick(window.twin.viewport(), Qt.MouseButton.LeftButton, pos=where)

    def menu_entry(self, window: MainWindow, action: QAction) -> None:
        bar = window.menuBar()
        assert isinstance(bar, QMenuBar)
        first = bar.actions()[0]
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.actionGeometry(first).center())
        self.wait(lambda: self.popup() is not None)
        menu = self.popup()
        assert menu is not None
        self.choose(menu, action)


class Typing(Guest):
    """Uses the keyboard alone."""

    hand = Keyboard

    def press(self, widget: QWidget) -> None:
        self.wait(lambda: widget.isVisible() and widget.isEnabled())
        window = widget.window()
        assert window is not None
        window.activateWindow()
        self.wait(window.isActiveWindow)
        group = widget.group() if isinstance(widget, QAbstractButton) else None
        # Tab leads to the one of a group that is chosen, the arrows from there to the others.
        stop = widget if group is None else group.checkedButton()
        self._go(window, stop, Qt.Key.Key_Tab)
        if stop is not widget:
            self._go(window, widget, Qt.Key.Key_Right)
        else:
            QTest.keyClick(widget, Qt.Key.Key_Space)

    def _go(self, window: QWidget, to: QWidget | None, key: Qt.Key) -> None:
        """Press a key until the focus is where it should be."""
        for _ in range(60):
            if QApplication.focusWidget() is to:
                return
            QTest.keyClick(QApplication.focusWidget() or window, key)
        raise AssertionError(f"no key leads to {to}")

    def choose(self, menu: QMenu, action: QAction) -> None:
        self._go_down(menu, action)
        QTest.keyClick(menu, Qt.Key.Key_Return)

    def _go_down(self, menu: QMenu, action: QAction) -> None:
        for _ in menu.actions():
            QTest.keyClick(menu, Qt.Key.Key_Down)
            if menu.activeAction() is action:
                return
        raise AssertionError(f"no key leads to {action.text()}")

    def unfold(self, menu: QMenu, action: QAction) -> QMenu:
        self._go_down(menu, action)
        QTest.keyClick(menu, Qt.Key.Key_Right)
        below = action.menu()
        assert below is not None
        self.wait(below.isVisible)
        return below

    def point(self, window: MainWindow, place: Place) -> None:
        Keyboard(QtInputs(window), window).focus(place)
        QTest.keyClick(window.twin, Qt.Key.Key_Return)

    def menu_entry(self, window: MainWindow, action: QAction) -> None:
        bar = window.menuBar()
        assert isinstance(bar, QMenuBar)
        first = bar.actions()[0]
        letter = first.text().partition("&")[2][:1]
        QTest.keyClick(window, letter, Qt.KeyboardModifier.AltModifier)
        self.wait(lambda: self.popup() is not None)
        menu = self.popup()
        assert menu is not None
        self.choose(menu, action)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Clicking, Typing])
@pytest.mark.parametrize("game", registry.NAMES)
def test_the_whole_way_through_a_game(game: str, kind: type[Guest], house: Path, qtbot: QtBot) -> None:
    """Home, a new game by hand to its end, its report, the rematch with the same people, and out."""
    guest = kind(qtbot, random.Random(3), game)
    told: list[str] = []
    seats: list[tuple[str, ...]] = []

    def script() -> Script:
        yield from guest.begin()
        window = yield MainWindow
        guest.play_on(window)
        guest.wait(window.rematch_button.isVisible)
        told.append(window.banner.text())
        guest.close_standings(window)
        guest.menu_entry(window, window.menus.report)
        guest.wait(lambda: window.side.report is not None and window.side.report.isVisible())
        window.side.report.close()
        guest.press(window.rematch_button)
        dialog = yield NewGame
        seats.append(dialog.plan.seats)
        assert dialog.stack.currentIndex() == 1
        guest.lay_out(dialog)
        again = yield MainWindow
        guest.wait(lambda: again.shown is not None)
        assert () == again.shown.history
        QTest.keyClick(again, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)

    assert 0 == run_led(script())
    headers = [Journal.look(file, lambda kept: kept.header) for file in house.glob("*.moontable")]

    assert told[0]
    assert [list(seats[0])] * 2 == [header["players"] for header in headers]
    assert [game] * 2 == [header["game"] for header in headers]
    assert headers[0] != headers[1] or game == "blue_moon_legends"


def test_a_game_left_for_home_is_offered_to_be_continued(house: Path, qtbot: QtBot) -> None:
    """A closed game leads home, where its picture and its players are, and a key goes on with it."""
    guest = Clicking(qtbot, random.Random(1))

    def script() -> Script:
        yield from guest.begin()
        window = yield MainWindow
        guest.wait(lambda: window.shown is not None)
        guest.enter(window, window.bridge.moves()[0])
        guest.wait(lambda: len(window.shown.history) == 1)
        window.close()
        home = yield HomeWindow
        guest.wait(lambda: home.last is not None)
        assert "Continue" in home.card.button.text().replace("&", "")
        assert "Red" in home.card.told.text()
        assert home.card.button.hasFocus()
        QTest.keyClick(home.card.button, Qt.Key.Key_Return)
        again = yield MainWindow
        guest.wait(lambda: again.shown is not None)
        assert len(again.shown.history) == 1
        QTest.keyClick(again, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)

    assert 0 == run_led(script())
    assert 1 == len(list(house.glob("*.moontable")))


def test_what_cannot_be_done_is_told_at_home(house: Path, qtbot: QtBot) -> None:
    """A game that is gone when it is to be continued brings the home screen back, with the reason."""
    guest = Clicking(qtbot, random.Random(1))

    def script() -> Script:
        yield from guest.begin()
        window = yield MainWindow
        guest.wait(lambda: window.shown is not None)
        window.close()
        home = yield HomeWindow
        guest.wait(lambda: home.last is not None)
        for file in house.glob("*.moontable*"):
            file.unlink()
        guest.press(home.card.button)
        again = yield HomeWindow
        assert again.notice.isVisible()
        assert again.notice.text()
        again.close()

    assert 0 == run_led(script())
