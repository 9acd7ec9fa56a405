"""How long the event loop is ever blocked while a 1080p camera is watched, and whether memory stays flat.

``python -m tests.benchmarks.window_responsiveness [--frames 600]``: a fast source shows a whole game of Blue
Moon City table by table, with a full picture at every sight. With ``--demo SECONDS`` the demo is played
instead, its simulated camera read for real. Printed: the worst block of the event loop, the worst without the
time in which the system gave the core to others, the worst of the thread's own work (the rest is waiting for
Python's other threads), resident memory after a tenth of the frames and at the end.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QApplication

from companion.games.blue_moon_city.present import CityPresenter
from companion.reconcile.observation import Observation
from companion.table import Place
from companion.view import CameraView, Outline
from companion.watch import turns_of
from tests.helpers.city_session import city_session, played_table, sights_of
from ui.bridge import ControllerBridge
from ui.commands import demo
from ui.main_window import MainWindow
from ui.qt_environment import favour_the_window
from ui.session import Session, Sight

WIDTH, HEIGHT = 1920, 1080
FRAME_S = 1 / 30
LONGEST_MS = 50


def outlines() -> tuple[Outline, ...]:
    """Return 21 tiles recognised in the picture."""
    return tuple(
        Outline(
            place=Place(f"cell:{i // 5},{i % 5}"),
            corners=((x, y), (x + 150.0, y), (x + 150.0, y + 150.0), (x, y + 150.0)),
            label=f"tile {i}",
            confidence=0.97,
        )
        for i in range(21)
        for x, y in [(300.0 + 200 * (i % 5), 50.0 + 200 * (i // 5))]
    )


class Camera:
    """Shows the tables of a game, each for a few frames, as fast as a camera does."""

    name = "camera"

    def __init__(self, frames: int) -> None:
        self._frames = frames
        self._closed = False
        self.is_over = False
        self.at_tenth_mb = 0.0

    def sights(self) -> Iterator[Sight]:
        """Yield the frames."""
        game = played_table(400, seed=1)
        pixels = os.urandom(WIDTH * HEIGHT * 3)
        marks = outlines()
        shown: list[Observation] = [s.observation for table in game.tables for s in sights_of(table, 0)]
        for seq in range(self._frames):
            if self._closed:
                return
            due = time.monotonic() + FRAME_S
            observation = replace(shown[seq % len(shown)], seq=seq, seen_at_s=seq * FRAME_S)
            picture = CameraView(width=WIDTH, height=HEIGHT, bgr=bytes(bytearray(pixels)), outlines=marks)
            yield Sight(observation=observation, camera=picture)
            if seq == self._frames // 10:
                self.at_tenth_mb = resident_mb()
            time.sleep(max(0.0, due - time.monotonic()))
        self.is_over = True

    def close(self) -> None:
        """End."""
        self._closed = True


def waited_s() -> float:
    """Return how long this thread has been ready to run without being given a core, as far as Linux tells."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


def resident_mb() -> float:
    """Return the memory in use now, in megabytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


class Pulse:
    """Counts how long the event loop is away, from its first tick on."""

    def __init__(self, app: QApplication, is_over: Callable[[], bool], at_most_s: float) -> None:
        self.blocks_ms: list[float] = []
        self.awake_ms: list[float] = []
        self.own_ms: list[float] = []
        self._app = app
        self._is_over = is_over
        self._end = time.perf_counter() + at_most_s
        self._last: tuple[float, float, float] | None = None
        self._timer = QTimer()
        self._timer.timeout.connect(self._tick)
        self._timer.start(1)

    def _tick(self) -> None:
        now = time.perf_counter(), time.thread_time(), waited_s()
        if self._last is not None:
            block, own, waited = (new - old for new, old in zip(now, self._last, strict=True))
            self.blocks_ms.append(block * 1000)
            self.awake_ms.append((block - waited) * 1000)
            self.own_ms.append(own * 1000)
        self._last = now
        if self._is_over() or now[0] > self._end:
            self._timer.stop()
            self._app.quit()

    def report(self) -> None:
        """Print the worst blocks; the first is the window's first paint."""
        print(f"first paint {self.blocks_ms[0]:.0f} ms")
        for words, blocks in (
            ("event loop", self.blocks_ms[1:]),
            ("without the time that others had the core", self.awake_ms[1:]),
            ("the thread's own work", self.own_ms[1:]),
        ):
            over = sum(each > LONGEST_MS for each in blocks)
            print(f"{words}: worst block {max(blocks):.1f} ms, {over} of {len(blocks)} over {LONGEST_MS} ms")


def watch_table(app: QApplication, frames: int) -> None:
    """Show a fast 1080p source and print."""
    with tempfile.TemporaryDirectory() as folder:
        camera = Camera(frames)
        session = city_session(Path(folder), played_table(1, seed=1).header, camera)
        pulse = run_window(app, session, Path(folder), lambda: camera.is_over, 36_000)
        print(f"frames {frames}, actions accepted {session.referee.number}")
        pulse.report()
        print(f"memory {camera.at_tenth_mb:.0f} MB after a tenth, {resident_mb():.0f} MB at the end")
        session.referee.journal.close()


def watch_demo(app: QApplication, seconds: float) -> None:
    """Play the demo with its simulated camera and print."""

    def measured(referee: Any, sources: Any, record: Any, *, played: Any, **others: Any) -> int:  # noqa: ARG001
        session = Session(
            referee=referee,
            presenter=CityPresenter(),
            sources=sources,
            answer=played.answer,
            protest=played.protest,
            cable=others.get("cable"),
        )
        with tempfile.TemporaryDirectory() as folder:
            pulse = run_window(app, session, Path(folder), lambda: referee.result is not None, seconds)
        print(f"demo: {turns_of(referee)} turns, result {referee.result}, wrong {played.wrong}")
        pulse.report()
        print(f"memory {resident_mb():.0f} MB at the end")
        return 0

    demo.show_window = measured
    parser = argparse.ArgumentParser()
    demo.add_commands(parser.add_subparsers())
    demo.run_demo(parser.parse_args(["demo"]))


def run_window(
    app: QApplication, session: Session, folder: Path, is_over: Callable[[], bool], at_most_s: float
) -> Pulse:
    """Open a window on a session and run it until it is over."""
    bridge = ControllerBridge(session)
    window = MainWindow(bridge, folder, "")
    window.show()
    bridge.start()
    pulse = Pulse(app, is_over, at_most_s)
    app.exec()
    window.close()
    return pulse


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=600)
    parser.add_argument("--demo", type=float, metavar="SECONDS", help="the demo instead, for so long at most")
    chosen = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    favour_the_window()
    app = QApplication(sys.argv[:1])
    if chosen.demo is not None:
        watch_demo(app, chosen.demo)
    else:
        watch_table(app, chosen.frames)
    return 0


if __name__ == "__main__":
    sys.exit(main())
