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
from collections.abc import Iterator
from pathlib import Path

from PyQt6.QtCore import QPoint
from PyQt6.QtWidgets import QApplication

from tests.helpers.city_session import PlayedTable, city_session, played_table
from tests.helpers.entering import Hand, Keyboard, Mouse, Player, Stuck
from ui.controller.bridge import ControllerBridge
from ui.main_window import MainWindow
from ui.settings import Settings, write_settings

TOOLS = ("Xvfb", "openbox", "xdotool")


class XInputs:
    """Keys and clicks that come through the X server."""

    settles_s = 0.05

    def key(self, name: str) -> None:
        """Press a key."""
        subprocess.run(["xdotool", "key", "--delay", "1", name], check=True)

    def click(self, where: QPoint) -> None:
        """Click a point of the screen."""
        command = ["xdotool", "mousemove", str(where.x()), str(where.y()), "click", "1"]
        subprocess.run(command, check=True)


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


def leave_standings(hand: Hand, window: MainWindow) -> None:
    """Go from the page of the finished game back to the table."""
    hand.wait(lambda: getattr(window.side, "standings", None) is not None, "the standings did not open")
    page = window.side.standings
    hand.wait(page.isActiveWindow, "the standings are not in front")
    hand.press(page.buttons["close"], "alt+t")
    hand.wait(lambda: window.isActiveWindow() and not page.isVisible(), "the standings did not close")


def enter_game(kind: type[Hand], game: PlayedTable, actions: int, shot: Path | None) -> bool:
    """Enter one game; print what was done; say whether it came to its end."""
    with tempfile.TemporaryDirectory() as folder:
        write_settings(Path(folder), Settings(is_still=True, language="en"))
        session = city_session(Path(folder), game.header)
        bridge = ControllerBridge(session)
        window = MainWindow(bridge, Path(folder), session.title)
        window.show()
        bridge.start()
        hand = kind(XInputs(), window)
        player = Player(hand, game, bridge)
        began = time.monotonic()
        trouble = ""
        try:
            hand.wait(lambda: window.shown is not None and window.isActiveWindow(), "the window did not open")
            player.play(actions)
            if session.referee.result is not None:
                leave_standings(hand, window)
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
        done = [enter_game(hand, game, chosen.actions, chosen.shot) for hand in hands]
        app.processEvents()
        del app
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
