"""Whole games entered in the window by keyboard only or by mouse only."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Protocol

from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QAction, QKeySequence
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QMenu, QPushButton, QWidget

from companion.decision import Ask
from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.actions import End
from companion.simulation.scorekeeper import agrees
from companion.table import Picture, Place, Value, kind_of, parts_of, place
from tests.helpers.city_session import PlayedTable
from ui.controller.bridge import ControllerBridge
from ui.main_window import MainWindow
from ui.painting.table_items import PlaceItem
from ui.painting.table_view import ARROWS

PATIENCE_S = 8.0
BRIEF_S = 0.005


class Stuck(Exception):  # noqa: N818 -- what happened, not what kind of thing it is
    """The window did not come to where it was led."""


class Inputs(Protocol):
    """Where keys and clicks come from; `settles_s` is how long they are under way, seconds."""

    settles_s: float

    def key(self, name: str) -> None:
        """Press a key, named as in ``Return`` or ``ctrl+r``."""

    def click(self, where: QPoint) -> None:
        """Click a point of the screen."""


class QtInputs:
    """Keys and clicks as Qt's own test library makes them."""

    settles_s = 0.0

    def __init__(self, window: QWidget) -> None:
        self._window = window

    def key(self, name: str) -> None:
        """Press a key where the focus is, or in the menu that is open."""
        code = QKeySequence(name.replace("Escape", "Esc"))[0]
        if QApplication.activeWindow() is None:  # there is no window manager to see to it
            self._window.activateWindow()
            QApplication.processEvents()
        target = QApplication.activePopupWidget() or QApplication.focusWidget() or self._window
        QTest.keyClick(target, code.key(), code.keyboardModifiers())

    def click(self, where: QPoint) -> None:
        """Click what is at a point, or the menu that is open."""
        # The window may be larger than the screen of a machine without one.
        inside = self._window.childAt(self._window.mapFromGlobal(where))
        target = QApplication.activePopupWidget() or inside or self._window
        QTest.mouseClick(target, Qt.MouseButton.LeftButton, pos=target.mapFromGlobal(where))


class Hand:
    """Presses keys and clicks, and waits for what comes of it."""

    def __init__(self, inputs: Inputs, window: MainWindow) -> None:
        self.window = window
        self._inputs = inputs
        self.done: Counter[str] = Counter()
        self.inputs = 0

    def wait(self, condition: Callable[[], bool], what: str) -> None:
        """Let the window work until something holds."""
        end = time.monotonic() + PATIENCE_S
        while not condition():
            if time.monotonic() > end:
                raise Stuck(what)
            QApplication.processEvents()
            time.sleep(0.002)

    def idle(self, seconds: float = 0.05) -> None:
        """Let the window work for a moment."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            QApplication.processEvents()
            time.sleep(0.002)

    def key(self, *names: str) -> None:
        """Press keys, one after the other."""
        for name in names:
            self._inputs.key(name)
        self.inputs += len(names)
        self.idle(self._inputs.settles_s)

    def click(self, where: QPoint) -> None:
        """Click a point of the screen."""
        self._inputs.click(where)
        self.inputs += 1
        self.idle(self._inputs.settles_s)

    def menu(self) -> QMenu:
        """Return the open menu."""
        self.wait(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "no menu opened")
        popup = QApplication.activePopupWidget()
        assert isinstance(popup, QMenu)
        return popup

    # -- what the two hands do differently --------------------------------------------------------

    def put(self, where: Place, value: Value) -> None:
        """Say what lies on a place."""
        raise NotImplementedError

    def press(self, button: QPushButton, key: str) -> None:
        """Press a button, or the key that it names."""
        raise NotImplementedError

    def open_report(self) -> None:
        """Open the report from the menu or by its key."""
        raise NotImplementedError

    def tile_of(self, cell: str) -> Place:
        """Return the place of a cell's tile."""
        return place("cell", cell)


class Keyboard(Hand):
    """Never touches the mouse."""

    def put(self, where: Place, value: Value) -> None:
        """Walk to the place by arrows, open its menu, choose."""
        kind = kind_of(where)
        if kind == "obelisk":
            self.focus(where)
            self._choose_value(where, value)
            return
        tile = self.tile_of(value or "" if kind in ("figure", "dragon") else parts_of(where)[0])
        self.focus(tile)
        self.key("Return")
        menu = self.menu()
        if kind in ("figure", "dragon"):
            name = self._piece_name(where)
            self._take(menu, lambda action: action.text().startswith(name))
        elif kind == "cell":
            self._take(menu, lambda action: self._means(where, value, action))
        else:
            number = int(parts_of(where)[1])
            below = [action for action in menu.actions() if action.menu() is not None][number]
            self._go_to(menu, below)
            self.key("Right")
            inner = below.menu()
            assert inner is not None
            self.wait(inner.isVisible, "the menu of the space did not open")
            self._take(inner, lambda action: self._means(where, value, action), is_first_active=True)

    def _choose_value(self, where: Place, value: Value) -> None:
        self.key("Return")
        self._take(self.menu(), lambda action: self._means(where, value, action))

    def focus(self, where: Place) -> None:
        """Go to a place by arrow keys: towards it, or round about where all near it have been tried."""
        scene, twin = self.window.scene, self.window.twin
        for _ in range(40):
            if twin.hasFocus():
                break
            self.key("Tab")
        target = scene.items_by_place()[where]
        if scene.focusItem() is None:
            self.key("Left")
        been: set[PlaceItem] = set()
        while (here := scene.focusItem()) is not target:
            assert isinstance(here, PlaceItem)
            been.add(here)
            nearest = min(
                (
                    (distance(beyond, target), key)
                    for key, direction in ARROWS.items()
                    if (beyond := twin.stop_beyond(here, direction)) is not None and beyond not in been
                ),
                default=None,
            )
            if nearest is None:
                self.key(*self._way(here, target))
                self.wait(lambda: scene.focusItem() is target, f"the arrows do not lead to {where}")
                return
            self.key(name_of(nearest[1]))

    def _way(self, start: PlaceItem, target: PlaceItem) -> tuple[str, ...]:
        """Return the fewest arrow keys from a place to another one."""
        ways: dict[PlaceItem, tuple[str, ...]] = {start: ()}
        for here in (queue := [start]):
            for key, direction in ARROWS.items():
                beyond = self.window.twin.stop_beyond(here, direction)
                if beyond is not None and beyond not in ways:
                    ways[beyond] = (*ways[here], name_of(key))
                    queue.append(beyond)
            if target in ways:
                return ways[target]
        raise Stuck("no arrows lead there")

    def _go_to(self, menu: QMenu, wanted: QAction, *, is_first_active: bool = False) -> None:
        usable = [action for action in menu.actions() if not action.isSeparator()]
        steps = usable.index(wanted) + (0 if is_first_active and menu.activeAction() else 1)
        self.key(*["Down"] * steps) if steps else None
        self.wait(lambda: menu.activeAction() is wanted, f"the menu does not reach {wanted.text()}")

    def _take(self, menu: QMenu, fits: Callable[[QAction], bool], *, is_first_active: bool = False) -> None:
        self._go_to(
            menu, next(action for action in menu.actions() if fits(action)), is_first_active=is_first_active
        )
        self.key("Return")

    def _means(self, where: Place, value: Value, action: QAction) -> bool:
        return option_text(self.window, where, value) == action.text()

    def _piece_name(self, where: Place) -> str:
        return piece_name(self.window, where)

    def press(self, button: QPushButton, key: str) -> None:  # noqa: ARG002 -- the other hand needs it
        """Press the key; the twin's own focus is left first, since Enter belongs to the focused tile."""
        if key == "Return" and self.window.scene.focusItem() is not None:
            self.key("Escape")
        self.key(key)

    def open_report(self) -> None:
        """By its key."""
        self.key("ctrl+r")


class Mouse(Hand):
    """Never touches a key."""

    def put(self, where: Place, value: Value) -> None:
        """Click the place and choose; a piece is clicked, then the tile where it stands."""
        kind = kind_of(where)
        if kind in ("figure", "dragon"):
            self.click(self._point(where))
            self.click(self._corner(self.tile_of(value or "")))
            return
        self.click(self._corner(where) if kind == "cell" else self._point(where))
        menu = self.menu()
        wanted = option_text(self.window, where, value)
        action = next(action for action in menu.actions() if action.text() == wanted)
        self.click(menu.mapToGlobal(menu.actionGeometry(action).center()))

    def _point(self, where: Place) -> QPoint:
        return self._global(self.window.scene.items_by_place()[where].sceneBoundingRect().center().toPoint())

    def _corner(self, where: Place) -> QPoint:
        """Return a point on the tile's name, where no piece stands."""
        area = self.window.scene.items_by_place()[where].sceneBoundingRect()
        return self._global((area.topLeft() + (area.bottomRight() - area.topLeft()) * 0.12).toPoint())

    def _global(self, scene_point: QPoint) -> QPoint:
        twin = self.window.twin
        viewport = twin.viewport()
        assert viewport is not None
        return viewport.mapToGlobal(twin.mapFromScene(scene_point.toPointF()))

    def press(self, button: QPushButton, key: str) -> None:  # noqa: ARG002 -- the other hand needs it
        """Click it."""
        self.wait(lambda: button.isVisible() and button.isEnabled(), f"{button.text()} cannot be pressed")
        before = None
        while before != (before := button.mapToGlobal(button.rect().center())):
            self.idle()  # cards that have just appeared are still being laid out
        self.click(before)

    def open_report(self) -> None:
        """From the menu."""
        bar = self.window.menuBar()
        assert bar is not None
        first = bar.actions()[0]
        self.click(bar.mapToGlobal(bar.actionGeometry(first).center()))
        menu = self.menu()
        self.click(menu.mapToGlobal(menu.actionGeometry(self.window.menus.report).center()))


def name_of(key: Qt.Key) -> str:
    """Return how a key is named."""
    return key.name.removeprefix("Key_")


def distance(one: PlaceItem, other: PlaceItem) -> float:
    """Return how far apart two places are in the drawing."""
    way = one.sceneBoundingRect().center() - other.sceneBoundingRect().center()
    return math.hypot(way.x(), way.y())


def option_text(window: MainWindow, where: Place, value: Value) -> str:
    """Return the words of the menu for a value on a place."""
    return next(option.text for option in window.bridge.options(where) if option.value == value)


def piece_name(window: MainWindow, where: Place) -> str:
    """Return the name of a piece."""
    assert window.shown is not None
    return next(piece.name for piece in window.shown.table.pieces if piece.place == where)


class Player:
    """Enters a game that was played elsewhere, action by action, by one hand."""

    def __init__(self, hand: Hand, game: PlayedTable, bridge: ControllerBridge) -> None:
        self.hand = hand
        self.game = game
        self.window = hand.window
        self.bridge = bridge
        self.controller = bridge._controller
        self.referee = self.controller._referee

    def play(self, actions: int) -> None:
        """Enter so many actions (0 = all)."""
        for number, action in enumerate(self.game.actions[: actions or None], 1):
            if isinstance(action, End):
                before = self.referee.number
                self.hand.press(self.window.entry_button, "e")
                self.hand.wait(lambda n=before: self.referee.number > n, "the turn did not end")  # type: ignore[misc]
            else:
                self._show(self.game.tables[number - 1], self.game.tables[number], number)
            self.hand.done[type(action).__name__] += 1
            self._settle_prompts()
            if not agrees(GAME, self.referee.state, self.game.states[number]):
                raise Stuck(f"action {number} became something else: {self.referee.history[-1].text}")

    def _show(self, before: Picture, after: Picture, number: int) -> None:
        """Put right on the twin what an action changed, until the window knows it."""
        first = self.referee.number
        changed = [
            where
            for where, value in after.items()
            if before.get(where) != value and kind_of(where) != "discard" and value is not None
        ]
        for where in sorted(changed, key=lambda each: kind_of(each) == "cell"):
            if self.referee.number > first:
                break
            self.hand.put(where, after[where])
            self.hand.wait(
                lambda: (
                    self.referee.number > first or self._asked() is not None or bool(self.controller._edits)
                ),
                f"nothing came of action {number} at {where}",
            )
            self._finish()
            self._answer(number)
        asked = self.controller._edited or self.referee.decision
        action = self.game.actions[number - 1]
        self.hand.wait(lambda: self.referee.number > first, f"{action} was not understood: {asked.text}")
        self._finish()

    def _finish(self) -> None:
        """Wait until what was entered has been judged, and shown."""
        finished = threading.Event()
        self.bridge._jobs.put(finished.set)
        self.hand.wait(finished.is_set, "the controller does not finish")
        self.hand.idle(BRIEF_S)
        self.hand.wait(self._is_shown, "the window lags")

    def _is_shown(self) -> bool:
        shown = self.window.shown
        is_current = shown is not None and len(shown.history) == self.referee.number
        return is_current and not self.window._panels_timer.isActive()

    def _asked(self) -> Ask[object] | None:
        edited = self.controller._edited
        return edited if isinstance(edited, Ask) else None

    def _answer(self, number: int) -> None:
        asked = self._asked()
        if asked is None:
            return
        self.hand.wait(lambda: bool(self.window.prompts.choice_buttons), "the question is not shown")
        for index, choice in enumerate(asked.choices):
            state = self.referee.state
            for action in choice.actions:
                state = GAME.apply(state, action)[0]  # type: ignore[arg-type]
            if agrees(GAME, state, self.game.states[number]):
                self.hand.press(self.window.prompts.choice_buttons[index], str(index + 1))
                self.hand.done["question answered"] += 1
                return
        raise Stuck(f"no answer to {asked.text} is right")

    def _settle_prompts(self) -> None:
        """Confirm what is due, as players do who have paid it out."""
        for _ in range(12):
            self._finish()
            top = self.window.prompts.top_prompt
            if top is None or self.referee.result is not None:
                return
            self.hand.press(main_button(self.window.prompts), "Return")
            self.hand.wait(lambda: self.window.prompts.top_prompt != top, "a prompt does not close")  # noqa: B023
            self.hand.done["prompt confirmed"] += 1


def main_button(panel: QWidget) -> QPushButton:
    """Return the button of the uppermost prompt."""
    return next(
        button
        for button in panel.findChildren(QPushButton)
        if button.property("role") == "main" and button.isVisible()
    )
