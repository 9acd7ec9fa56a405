"""How long the event loop is ever blocked while a 1080p camera is watched, and whether memory stays flat.

``python -m tests.benchmarks.window_responsiveness [--frames 600]``: a fast source shows a whole game of Blue
Moon City table by table, with a full picture at every sight. Printed: the worst block of the event loop, how
much of it is the thread's own work (the rest is waiting for other programs and for Python's other threads),
resident memory after a tenth of the frames and at the end.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QApplication

from companion.reconcile.observation import Observation
from companion.table import Place
from companion.view import CameraView, Outline
from tests.helpers.city_session import city_session, played_table, sights_of
from ui.bridge import ControllerBridge
from ui.main_window import MainWindow
from ui.qt_environment import favour_the_window
from ui.session import Sight

WIDTH, HEIGHT = 1920, 1080
FRAME_S = 1 / 30


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


def resident_mb() -> float:
    """Return the memory in use now, in megabytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=600)
    chosen = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    favour_the_window()
    app = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as folder:
        camera = Camera(chosen.frames)
        session = city_session(Path(folder), played_table(1, seed=1).header, camera)
        bridge = ControllerBridge(session)
        window = MainWindow(bridge, Path(folder), "")
        blocks: list[float] = []
        own: list[float] = []
        last = [time.perf_counter()]
        spent = [time.thread_time()]

        def tick() -> None:
            now = time.perf_counter()
            blocks.append(now - last[0])
            last[0] = now
            own.append(time.thread_time() - spent[0])
            spent[0] = time.thread_time()
            if camera.is_over:
                app.quit()

        timer = QTimer()
        timer.timeout.connect(tick)
        began = time.perf_counter()
        window.show()
        bridge.start()
        last[0] = time.perf_counter()
        opened_ms = (last[0] - began) * 1000
        timer.start(1)
        app.exec()
        print(f"frames {chosen.frames}, actions accepted {session.referee.number}")
        print(f"window open after {opened_ms:.0f} ms")
        settled = sorted(block * 1000 for block in blocks[1:])
        over = sum(block > 50 for block in settled)
        print(f"event loop: worst block {settled[-1]:.1f} ms, {over} over 50 ms")
        busy = sorted(slice_s * 1000 for slice_s in own[1:])
        long = sum(each > 50 for each in busy)
        print(f"of it the thread's own work: worst {busy[-1]:.1f} ms, {long} over 50 ms")
        print(f"first paint {blocks[0] * 1000:.0f} ms")
        print(f"memory {camera.at_tenth_mb:.0f} MB after a tenth, {resident_mb():.0f} MB at the end")
        window.close()
        session.referee.journal.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
