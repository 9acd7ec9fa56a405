"""What an event loop was doing when it stayed away: a second thread looks at its stack."""

from __future__ import annotations

import faulthandler
import gc
import re
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
LOOK_S: Final = 0.004
# Away for so long is worth a look.
LATE_S: Final = 0.016
DEEPEST: Final = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Garbage was collected: for how long, and of which generation."""

    took_ms: float
    generation: int


class Watchdog:
    """Looks again and again when the event loop was there last; notes what keeps it, who collects garbage."""

    def __init__(self, last_there: Callable[[], float]) -> None:
        self.collections: list[Collection] = []
        self._stalls: dict[float, list[str]] = {}
        self._last_there = last_there
        self._watched = threading.get_ident()
        self._over = threading.Event()
        self._collecting_since = 0.0
        self._thread = threading.Thread(target=self._look, daemon=True)
        gc.callbacks.append(self._collected)
        self._thread.start()

    def stop(self) -> None:
        """Look no longer."""
        self._over.set()
        self._thread.join()
        gc.callbacks.remove(self._collected)

    def during(self, began_s: float) -> list[str]:
        """Return where the thread was during the absence that began then."""
        return self._stalls.get(began_s, [])

    def _look(self) -> None:
        with tempfile.TemporaryFile() as paper:
            while not self._over.wait(LOOK_S):
                began = self._last_there()
                if time.perf_counter() - began > LATE_S:
                    # Not sys._current_frames: who holds a frame keeps its painters alive; Qt dies of that.
                    paper.seek(0)
                    paper.truncate()
                    faulthandler.dump_traceback(paper, all_threads=True)
                    paper.seek(0)
                    self._stalls.setdefault(began, []).append(_told(paper.read().decode(), self._watched))

    def _collected(self, phase: str, told: dict[str, Any]) -> None:
        if phase == "start":
            self._collecting_since = time.perf_counter()
        else:
            took_ms = (time.perf_counter() - self._collecting_since) * 1000
            self.collections.append(Collection(took_ms=took_ms, generation=told["generation"]))


def _told(dump: str, thread: int) -> str:
    """Return the stack of a thread in one line, innermost last; only our own code."""
    _, _, after = dump.partition(f"{thread:#018x}")
    lines = re.findall(r'File "([^"]*)", line (\d+) in (\S+)', after.partition("\n\n")[0])
    ours = [
        f"{Path(file).stem}.{name}:{line}"
        for file, line, name in reversed(lines)
        if ROOT in Path(file).parents and ".venv" not in file and "benchmarks" not in file
    ]
    return " > ".join(ours[-DEEPEST:]) or "Qt"
