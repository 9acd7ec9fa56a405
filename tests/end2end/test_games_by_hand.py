"""Every game whose table has zones, played to its end in the window with the mouse alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from companion.games import registry
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.table import Place
from companion.view_model import HandMove
from tests.helpers.patience import WAIT_MS
from ui.controller.bridge import ControllerBridge
from ui.controller.session import Session
from ui.main_window import MainWindow
from ui.settings import Settings, write_settings

ZONED = [name for name in registry.NAMES if not registry.has_components(name)]


class Hand:
    """Somebody at the window of a game that nothing watches."""

    def __init__(self, window: MainWindow, referee: Referee[Any, Any], qtbot: QtBot) -> None:
        self.window = window
        self.referee = referee
        self.qtbot = qtbot

    def point_of(self, place: Place) -> QPoint:
        """Return where a place is in the twin's viewport."""
        item = self.window.scene.items_by_place()[place]
        return self.window.twin.mapFromScene(item.sceneBoundingRect().center())

    def click(self, place: Place, button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
        """Click the middle of a place."""
        self.qtbot.mouseClick(self.window.twin.viewport(), button, pos=self.point_of(place))

    def menu(self) -> QMenu | None:
        """Return the open menu."""
        popup = QApplication.activePopupWidget()
        return popup if isinstance(popup, QMenu) else None

    def play(self, move: HandMove[Any]) -> None:
        """Enter a move by clicks, and choose it in the menu if the clicks may mean several."""
        before = self.referee.number
        for place in move.path:
            if (passing := self.menu()) is not None:  # what the first place means by itself is not meant
                passing.close()
            self.click(place)
        if (menu := self.menu()) is not None:
            lines = {line.text().lower(): line for line in lines_of(menu)}
            chosen = lines[move.text.lower()]
            menu.close()
            chosen.trigger()
        self.wait_beyond(before)

    def offered(self, index: int) -> None:
        """Enter one of the actions that are offered as buttons."""
        before = self.referee.number
        self.window.bridge.enter(index)
        self.wait_beyond(before)

    def wait_beyond(self, number: int) -> None:
        """Wait until the window shows more actions than so many."""

        def is_shown() -> bool:
            shown = self.window.shown
            return shown is not None and len(shown.history) > number

        self.qtbot.waitUntil(is_shown, timeout=WAIT_MS)


def lines_of(menu: QMenu) -> Iterator[QAction]:
    """Yield the lines of a menu and of those below it."""
    for action in menu.actions():
        below = action.menu()
        if below is None:
            yield action
        else:
            yield from lines_of(below)


@contextmanager
def by_hand(
    name: str, folder: Path, qtbot: QtBot, *, seed: int = 0, is_closed: bool = False
) -> Iterator[Hand]:
    """Open the window on a new game of two that nothing watches."""
    game = registry.lookup(name)
    header = game.deal(random.Random(seed), {"players": 2})
    write_settings(folder, Settings(language="en", is_still=True))
    header = game.public_header(header) if is_closed else header
    with Journal.create(folder / "game.moontable", header) as journal:
        referee = Referee(game, journal)
        bridge = ControllerBridge(Session(referee=referee, presenter=registry.display(name).presenter))
        window = MainWindow(bridge, folder, "Moontable")
        window.resize(1280, 720)
        with qtbot.waitExposed(window):
            window.show()
        bridge.start()
        qtbot.waitUntil(lambda: window.shown is not None, timeout=WAIT_MS)
        try:
            yield Hand(window, referee, qtbot)
        finally:
            window.close()


@pytest.mark.parametrize("name", ZONED)
def test_a_whole_game_is_entered_with_the_mouse(name: str, tmp_path: Path, qtbot: QtBot) -> None:
    """Every action of a random game is entered by clicks or offered as a button, up to the end."""
    rng = random.Random(1)
    game = registry.lookup(name)
    choose = game.random_player(rng)
    with by_hand(name, tmp_path, qtbot) as hand:
        for _ in range(400):
            if game.result(hand.referee.state) is not None:
                break
            wanted = choose(hand.referee.state)
            moves = {move.action: move for move in hand.window.bridge.moves()}
            if wanted in moves:
                hand.play(moves[wanted])
            else:
                entries = registry.display(name).presenter.entries(hand.referee.state)
                hand.offered([entry.action for entry in entries].index(wanted))

        assert game.result(hand.referee.state) is not None
        assert hand.window.shown is not None
        assert hand.window.banner.text().lower() == (hand.window.shown.table.outcome or "").lower()


@pytest.mark.parametrize("name", ZONED)
def test_every_legal_action_can_be_entered(name: str) -> None:
    """At every moment of a random game each legal action is a move or a button, and no two say the same."""
    rng = random.Random(2)
    game, presenter = registry.lookup(name), registry.display(name).presenter
    state = game.start(game.deal(rng, {"players": 2}))
    choose = game.random_player(rng)
    for _ in range(60):
        if game.result(state) is not None:
            break
        moves = presenter.moves(state)
        told = [*moves, *presenter.entries(state)]
        cards = presenter.present(state).cards

        assert set(game.legal_actions(state)) <= {each.action for each in told}
        assert {place for move in moves for place in move.path} <= cards.keys()
        assert all(cards[move.path[0]].can_move for move in moves)
        assert len({(move.path, move.groups, move.text) for move in moves}) == len(moves)
        state, _ = game.apply(state, game.with_chance(state, choose(state), rng))


def test_a_move_against_the_rules_is_refused_with_the_rule(tmp_path: Path, qtbot: QtBot) -> None:
    """A tile out of reach is not taken; the window says why, and the game is as it was."""
    with by_hand(ZONED[0], tmp_path, qtbot) as hand:
        hand.click(Place("wheel:9"))
        hand.click(hand.window.bridge.moves()[0].path[1])
        qtbot.waitUntil(lambda: "next three tiles" in hand.window.notice.text(), timeout=WAIT_MS)

        assert hand.referee.number == 0


def test_a_tile_is_taken_with_the_keyboard(tmp_path: Path, qtbot: QtBot) -> None:
    """Enter picks up the tile in focus, Enter on a free place lays it."""
    with by_hand(ZONED[0], tmp_path, qtbot) as hand:
        for place in hand.window.bridge.moves()[0].path:
            hand.window.scene.focus_on(place)
            qtbot.keyClick(hand.window.twin, Qt.Key.Key_Return)
        hand.wait_beyond(0)

        assert hand.referee.number == 1


def test_a_right_click_offers_what_can_lie_there(tmp_path: Path, qtbot: QtBot) -> None:
    """The menu has every tile once, what is there now is ticked, and choosing it changes nothing."""
    with by_hand(ZONED[0], tmp_path, qtbot) as hand:
        hand.click(Place("wheel:3"), Qt.MouseButton.RightButton)
        menu = hand.menu()
        assert menu is not None
        lines = list(lines_of(menu))
        menu.close()

        assert lines[0].isChecked()
        assert len({line.text() for line in lines}) == len(lines) > 50
        assert hand.referee.number == 0
