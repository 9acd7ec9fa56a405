"""How long players wait: from the start of the program to its first window, and to a moving demo.

``python -m tests.benchmarks.first_window [--repeat 3]``: each figure comes from a fresh process with empty
folders of its own, without a display, timed from outside. Printed: seconds until the home screen is first
painted; until the demo's window shows its second, different picture, when the demo has never run on this
computer and when it has (median and worst; the goals beside them).
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

HOME_GOAL_S: Final = 2.0
DEMO_GOAL_S: Final = 6.0
PATIENCE_S: Final = 120.0
SAID: Final = "seen"


def note_home() -> None:
    """Run the program; say when the home screen is painted for the first time, and end."""
    from PyQt6.QtGui import QPaintEvent

    from ui.home.paintings import TitleBanner

    paint: Callable[[TitleBanner, QPaintEvent | None], None] = TitleBanner.paintEvent

    def painted(self: TitleBanner, event: QPaintEvent | None) -> None:
        paint(self, event)
        _end()

    TitleBanner.paintEvent = painted  # type: ignore[method-assign]
    _run_program([])


def note_demo() -> None:
    """Run the demo; say when its window has shown two different pictures, and end."""
    from companion.view_model import CameraView
    from ui.painting.camera_view import CameraPicture

    show: Callable[[CameraPicture, CameraView], None] = CameraPicture.show_view
    first: list[bytes] = []

    def shown(self: CameraPicture, view: CameraView) -> None:
        show(self, view)
        if first and view.bgr != first[0]:
            _end()
        first[:] = first or [view.bgr]

    CameraPicture.show_view = shown  # type: ignore[method-assign]
    _run_program(["demo"])


def _end() -> None:
    """Tell the process outside, and leave without tidying up, which is not what is measured."""
    print(SAID, flush=True)
    os._exit(0)


def _run_program(arguments: list[str]) -> None:
    from ui.app import main

    sys.argv = ["moontable", *arguments]
    sys.exit(main())


def waited(what: str, folder: Path) -> float:
    """Return the seconds from starting a process until it says that it was seen; `folder` is its home."""
    places = {
        name: str(folder / name.lower()) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
    }
    around = {**os.environ, **places, "HOME": str(folder), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-m", "tests.benchmarks.first_window", "--be", what]
    began = time.perf_counter()
    done = subprocess.run(
        command, env=around, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    took = time.perf_counter() - began
    if SAID not in done.stdout.split():
        raise SystemExit(f"{what}: nothing was seen\n{done.stdout}{done.stderr}")
    return took


def told(what: str, times: list[float], goal_s: float) -> str:
    """Return one line: the median, the worst and the goal."""
    return f"{what}: {statistics.median(times):.2f} s, worst {max(times):.2f} s (goal {goal_s:.0f} s)"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--be", choices=["home", "demo"], help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.be is not None:
        {"home": note_home, "demo": note_demo}[wanted.be]()
        return
    home, fresh, again = [], [], []
    for _ in range(wanted.repeat):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            home.append(waited("home", folder))
            fresh.append(waited("demo", folder))
            again.append(waited("demo", folder))
    print(f"load: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(told("home screen painted", home, HOME_GOAL_S))
    print(told("demo moving, never run before", fresh, DEMO_GOAL_S))
    print(told("demo moving, run before", again, DEMO_GOAL_S))


if __name__ == "__main__":
    main()
