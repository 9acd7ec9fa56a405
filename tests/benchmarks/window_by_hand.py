"""A whole game entered by keyboard only, and by mouse only, through a real X server and window manager.

``python -m tests.benchmarks.window_by_hand [--actions 25] [--only keyboard|mouse]``; 0 = the whole game.
Neither camera nor sensors watch: what was played at a table elsewhere is put right on the twin, prompts are
confirmed, questions answered, turns ended, at the end the report is opened. Every key and every click
comes from `xdotool`. Printed: what was done, how many keys or clicks it took, and whether the game in the
window is the one that was played. Needs Xvfb, openbox and xdotool; says so where they are missing.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from PyQt6.QtCore import QPoint
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QApplication, QMenu, QPushButton, QWidget

from companion.decision import Ask
from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.actions import End
from companion.simulation.scorekeeper import agrees
from companion.table import Picture, Place, Value, kind_of, parts_of, place
from tests.helpers.city_session import PlayedTable, city_session, played_table
from ui.controller.bridge import ControllerBridge
from ui.main_window import MainWindow
from ui.settings import Settings, write_settings

TOOLS = ("Xvfb", "openbox", "xdotool")
PATIENCE_S = 8.0


class Stuck(Exception):  # noqa: N818 -- what happened, not what kind of thing it is
    """The window did not come to where it was led."""


class Hand:
    """Presses keys and clicks, and waits for what comes of it."""

    def __init__(self, app: QApplication, window: MainWindow) -> None:
        self.app = app
        self.window = window
        self.done: Counter[str] = Counter()
        self.inputs = 0

    def wait(self, condition: Callable[[], bool], what: str) -> None:
        """Let the window work until something holds."""
        end = time.monotonic() + PATIENCE_S
        while not condition():
            if time.monotonic() > end:
                raise Stuck(what)
            self.app.processEvents()
            time.sleep(0.002)

    def idle(self, seconds: float = 0.05) -> None:
        """Let the window work for a moment."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.app.processEvents()
            time.sleep(0.002)

    def key(self, *names: str) -> None:
        """Press keys, one after the other."""
        subprocess.run(["xdotool", "key", "--delay", "1", *names], check=True)
        self.inputs += len(names)
        self.idle()

    def click(self, where: QPoint) -> None:
        """Click a point of the screen."""
        command = ["xdotool", "mousemove", str(where.x()), str(where.y()), "click", "1"]
        subprocess.run(command, check=True)
        self.inputs += 1
        self.idle()

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
            self._focus(where)
            self._choose_value(where, value)
            return
        tile = self.tile_of(value or "" if kind in ("figure", "dragon") else parts_of(where)[0])
        self._focus(tile)
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

    def _focus(self, where: Place) -> None:
        """Go to a place by arrow keys, by the nearest way the window offers."""
        scene, twin = self.window.scene, self.window.twin
        for _ in range(40):
            if twin.hasFocus():
                break
            self.key("Tab")
        target = scene.items_by_place()[where]
        if scene.focusItem() is None:
            self.key("Left")
        for _ in range(40):
            here = scene.focusItem()
            if here is target:
                return
            assert here is not None
            way = target.sceneBoundingRect().center() - here.sceneBoundingRect().center()
            before = here
            flat, steep = ("Right" if way.x() > 0 else "Left"), ("Down" if way.y() > 0 else "Up")
            first, second = (flat, steep) if abs(way.x()) >= abs(way.y()) else (steep, flat)
            self.key(first)
            if scene.focusItem() is before:
                self.key(second)
        raise Stuck(f"the arrows do not lead to {where}")

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
            self._answer(number)
        asked = self.controller._edited or self.referee.decision
        action = self.game.actions[number - 1]
        self.hand.wait(lambda: self.referee.number > first, f"{action} was not understood: {asked.text}")
        self.hand.wait(self._is_shown, "the window lags")

    def _is_shown(self) -> bool:
        shown = self.window.shown
        return shown is not None and len(shown.history) == self.referee.number

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
        self.hand.wait(self._is_shown, "the window lags")
        for _ in range(12):
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


@contextlib.contextmanager
def screen() -> Iterator[None]:
    """Run an X server and a window manager of our own, 1366x768."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1366x768x24"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as told:
        os.environ["DISPLAY"] = f":{told.readline().strip()}"
    os.environ["QT_QPA_PLATFORM"] = "xcb"
    manager = subprocess.Popen(["openbox"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        manager.terminate()
        server.terminate()
        manager.wait()
        server.wait()


def enter_game(
    app: QApplication, kind: type[Hand], game: PlayedTable, actions: int, shot: Path | None
) -> bool:
    """Enter one game; print what was done; say whether it came to its end."""
    with tempfile.TemporaryDirectory() as folder:
        write_settings(Path(folder), Settings(is_still=True, language="en"))
        session = city_session(Path(folder), game.header)
        bridge = ControllerBridge(session)
        window = MainWindow(bridge, Path(folder), session.title)
        window.show()
        bridge.start()
        hand = kind(app, window)
        player = Player(hand, game, bridge)
        began = time.monotonic()
        trouble = ""
        try:
            hand.wait(lambda: window.shown is not None and window.isActiveWindow(), "the window did not open")
            player.play(actions)
            hand.open_report()
            hand.wait(lambda: window.side.report is not None, "the report did not open")
        except Stuck as stuck:
            trouble = str(stuck)
        hand.idle(0.3)
        if shot is not None:
            shown = window.side.report or window
            shown.grab().save(str(shot / f"{kind.__name__.lower()}.png"))
        told = ", ".join(f"{count} {what}" for what, count in sorted(hand.done.items()))
        result = session.referee.result
        took_s = time.monotonic() - began
        print(f"{kind.__name__.lower()} only: {session.referee.number} actions in {took_s:.0f} s")
        print(f"  {hand.inputs} {'keys' if kind is Keyboard else 'clicks'}: {told}")
        print(f"  {'STUCK: ' + trouble if trouble else 'the same game as played'}; result {result}")
        window.close()
        session.referee.journal.close()
    return not trouble


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=25, help="0 = the whole game")
    parser.add_argument("--only", choices=("keyboard", "mouse"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shot", type=Path, metavar="DIR", help="keep a picture of the last moment")
    chosen = parser.parse_args()
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        print(f"skipped: {', '.join(missing)} not installed")
        return 0
    hands = [hand for hand in (Keyboard, Mouse) if chosen.only in (None, hand.__name__.lower())]
    with screen():
        app = QApplication(sys.argv[:1])
        game = played_table(2000, seed=chosen.seed)
        print(f"a game of {len(game.actions)} actions")
        done = [enter_game(app, hand, game, chosen.actions, chosen.shot) for hand in hands]
        app.processEvents()
        del app
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
