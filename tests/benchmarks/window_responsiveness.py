"""How long the event loop is ever blocked while a 1080p camera is watched, and whether memory stays flat.

``python -m tests.benchmarks.window_responsiveness [--frames 600]``: a fast source shows a whole game of Blue
Moon City table by table, with a full picture at every sight. With ``--demo SECONDS`` the demo is played
instead, its simulated camera of 1080 lines read for real; with ``--game NAME`` a whole game of any game is
entered by hand, an action every fifth of a second. Printed: the worst block of the event loop, the
worst without the time in which the system gave the core to others, the worst of the thread's own work (the
rest is waiting for Python's other threads), what the event loop was doing in the longest blocks, who
collected garbage for how long, and resident memory along the way.
"""

from __future__ import annotations

import argparse
import functools
import os
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QApplication

from companion.games import registry
from companion.games.blue_moon_city.presenter import CityPresenter
from companion.observation import Observation
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.session.watch import turns_of
from companion.table import Place
from companion.view_model import CameraView, Outline
from tests.helpers.city_session import city_session, played_table, sights_of
from tests.helpers.stalls import Watchdog
from ui.assembly import demo
from ui.controller.bridge import ControllerBridge
from ui.controller.session import PicturedObservation, Session
from ui.main_window import SIZE_WH, MainWindow
from ui.onward import Left
from ui.qt_environment import favour_the_window
from ui.tidying import Tidying
from ui.ties import tie

WIDTH, HEIGHT = 1920, 1080
FRAME_S = 1 / 30
LONGEST_MS = 50
WORST = 6
NOTED_MS = 10
ACTION_MS = 200
MOST_ACTIONS = 300


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
        self.memory_mb: list[float] = []

    def pictured(self) -> Iterator[PicturedObservation]:
        """Yield the frames."""
        game = played_table(400, seed=1)
        pixels = os.urandom(WIDTH * HEIGHT * 3)
        marks = outlines()
        shown: list[Observation] = [s.observation for table in game.tables for s in sights_of(table, 0)]
        each = max(1, self._frames // len(shown))
        for seq in range(self._frames):
            if self._closed:
                return
            due = time.monotonic() + FRAME_S
            observation = replace(shown[min(seq // each, len(shown) - 1)], seq=seq, seen_at_s=seq * FRAME_S)
            picture = CameraView(width=WIDTH, height=HEIGHT, bgr=bytes(bytearray(pixels)), outlines=marks)
            yield PicturedObservation(observation=observation, camera=picture)
            if (seq + 1) % max(1, self._frames // 10) == 0:
                self.memory_mb.append(resident_mb())
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One absence of the event loop, ms: by the clock, without what others had of the core, own work."""

    whole: float
    awake: float
    own: float
    began_s: float


class Pulse:
    """Counts how long the event loop is away, from its first tick on."""

    def __init__(self, app: QApplication, is_over: Callable[[], bool], at_most_s: float) -> None:
        self.ticks = 0
        self.first: Block | None = None
        self.blocks: list[Block] = []
        self.last_there = time.perf_counter()
        self.watchdog = Watchdog(lambda: self.last_there)
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
            whole, own, waited = (1000 * (new - old) for new, old in zip(now, self._last, strict=True))
            block = Block(whole=whole, awake=whole - waited, own=own, began_s=self.last_there)
            self.ticks += 1
            if self.first is None:
                self.first = block
            elif whole > NOTED_MS:  # the others would fill the memory that is measured
                self.blocks.append(block)
        self._last = now
        self.last_there = now[0]
        if self._is_over() or now[0] > self._end:
            self._timer.stop()
            self.watchdog.stop()
            self._app.quit()

    def report(self) -> None:
        """Print the worst blocks, and what went on in them; the first is the window's first paint."""
        assert self.first is not None
        print(f"first paint {self.first.whole:.0f} ms")
        for words, blocks in (
            ("event loop", [block.whole for block in self.blocks]),
            ("without the time that others had the core", [block.awake for block in self.blocks]),
            ("the thread's own work", [block.own for block in self.blocks]),
        ):
            over, worst = sum(each > LONGEST_MS for each in blocks), max(blocks, default=0.0)
            print(f"{words}: worst block {worst:.1f} ms, {over} of {self.ticks} over {LONGEST_MS} ms")
        for block in sorted(self.blocks, key=lambda block: -block.whole)[:WORST]:
            print(f"{block.whole:.0f} ms, own work {block.own:.0f} ms:")
            for where, times in Counter(self.watchdog.during(block.began_s)).most_common(3):
                print(f"    {times} x {where}")
        for generation in range(3):
            took = [one.took_ms for one in self.watchdog.collections if one.generation == generation]
            worst = max(took, default=0)
            print(f"garbage of generation {generation}: collected {len(took)} times, worst {worst:.0f} ms")


def watch_table(app: QApplication, frames: int) -> None:
    """Show a fast 1080p source and print."""
    with tempfile.TemporaryDirectory() as folder:
        camera = Camera(frames)
        session = city_session(Path(folder), played_table(1, seed=1).header, camera)
        pulse = run_window(app, session, Path(folder), lambda: camera.is_over, 36_000)
        print(f"frames {frames}, actions accepted {session.referee.number}")
        pulse.report()
        print("memory, MB, after each tenth:", *(f"{each:.0f}" for each in camera.memory_mb))
        session.referee.journal.close()


def watch_demo(app: QApplication, seconds: float) -> None:
    """Play the demo with its simulated camera and print."""

    def measured(referee: Any, sources: Any, *, played: Any, **others: Any) -> Left:
        session = Session(
            referee=referee,
            presenter=CityPresenter(),
            sources=sources,
            answer=played.answer,
            protest=played.protest,
            cable=others.get("cable"),
        )
        began = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            pulse = run_window(app, session, Path(folder), lambda: referee.result is not None, seconds)
        print(f"seconds {time.perf_counter() - began:.0f}")
        print(f"demo: {turns_of(referee)} turns, result {referee.result}, wrong {played.wrong}")
        pulse.report()
        print(f"memory {resident_mb():.0f} MB at the end")
        return Left(status=0)

    demo.show_window = measured
    demo.SimulatedCamera = functools.partial(demo.SimulatedCamera, size_wh=(WIDTH, HEIGHT))  # type: ignore[misc,assignment]
    demo.play_demo(demo.Demo())


def play_by_hand(app: QApplication, name: str) -> None:
    """Enter a whole game by hand and print."""
    game = registry.lookup(name)
    options = {"players": registry.display(name).form.seats(2, {})} if name != "blue_moon_legends" else {}
    header = game.deal(random.Random(1), options)
    rng = random.Random(2)
    state, choose, actions = game.start(header), game.random_player(rng), list[Any]()
    while game.result(state) is None and len(actions) < MOST_ACTIONS:
        actions.append(game.with_chance(state, choose(state), rng))
        state, _ = game.apply(state, actions[-1])
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal.create(Path(folder) / "game.moontable", header)
        presenter = registry.display(name).presenter
        session = Session(referee=Referee(game, journal), presenter=presenter, sources=())
        hand = Hand(actions)
        pulse = run_window(app, session, Path(folder), hand.is_over, 36_000, hand.begin)
        print(f"{name}: actions entered {session.referee.number} of {len(actions)}")
        pulse.report()
        journal.close()


class Hand:
    """Enters actions one after the other."""

    def __init__(self, actions: list[Any]) -> None:
        self._left = actions[::-1]
        self._timer = QTimer()

    def begin(self, bridge: ControllerBridge) -> None:
        """Enter the first action soon, and the others after it."""
        tie(self._timer.timeout, self._timer, lambda: self._enter(bridge))
        self._timer.start(ACTION_MS)

    def is_over(self) -> bool:
        """Whether all actions were entered."""
        return not self._left

    def _enter(self, bridge: ControllerBridge) -> None:
        if self._left:
            bridge.carry_out(self._left.pop())


def run_window(
    app: QApplication,
    session: Session,
    folder: Path,
    is_over: Callable[[], bool],
    at_most_s: float,
    begin: Callable[[ControllerBridge], None] = lambda _: None,
) -> Pulse:
    """Open a window on a session and run it until it is over."""
    bridge = ControllerBridge(session)
    window = MainWindow(bridge, folder, "")
    window.resize(*SIZE_WH)
    window.show()
    tidying = Tidying()
    tidying.start()
    bridge.start()
    begin(bridge)
    pulse = Pulse(app, is_over, at_most_s)
    app.exec()
    tidying.stop()
    window.close()
    return pulse


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=600)
    parser.add_argument("--demo", type=float, metavar="SECONDS", help="the demo instead, for so long at most")
    parser.add_argument("--game", choices=registry.NAMES, help="a game entered by hand instead")
    chosen = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    favour_the_window()
    app = QApplication(sys.argv[:1])
    if chosen.demo is not None:
        watch_demo(app, chosen.demo)
    elif chosen.game is not None:
        play_by_hand(app, chosen.game)
    else:
        watch_table(app, chosen.frames)
    return 0


if __name__ == "__main__":
    sys.exit(main())
