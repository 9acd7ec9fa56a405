"""The last resort: an unexpected error is logged and shown, and the game continues.

PyQt aborts the program if an exception leaves a slot, an event handler or a QThread, unless Python's
`sys.excepthook` was replaced. `last_resort` replaces it while it is active.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final

from PyQt6.QtCore import QCoreApplication, QEvent, QObject, pyqtSignal

from companion import log
from companion.addresses import hidden
from companion.i18n import msg

# How long the same error is not shown again, seconds; it may occur with every frame or every paint.
QUIET_S: Final = 30.0
# How many different errors a report holds.
MOST: Final = 20
LONGEST: Final = 120


class Mishaps(QObject):
    """Keeps the unexpected errors of all threads.

    Signals:
        told: a message for the players; repetitions of the same error are skipped for a while. Always emitted
            in this object's thread and never at once, since the error may have occurred while painting.
    """

    told = pyqtSignal(object)

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._clock = clock
        self._lock = threading.Lock()
        self._texts: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._told_at_s: dict[str, float] = {}
        self._untold: deque[str] = deque()

    def note(self, error: BaseException) -> None:
        """Keep an error and show it; may be called in any thread."""
        kind = _kind(error)
        now_s = self._clock()
        with self._lock:
            is_kept = kind in self._texts or len(self._texts) < MOST
            kind = kind if is_kept else ""  # after the most that are kept, all others count as one kind
            self._counts[kind] = self._counts.get(kind, 0) + 1
            if kind not in self._texts:
                self._texts[kind] = _without_homes("".join(traceback.format_exception(error)))
            if now_s - self._told_at_s.get(kind, -QUIET_S) < QUIET_S:
                return
            self._told_at_s[kind] = now_s
        log.ui.error("unforeseen error thread=%s", threading.current_thread().name, exc_info=error)
        self._untold.append(msg("Internal error: {error}", error=_brief(error)))
        QCoreApplication.postEvent(self, QEvent(QEvent.Type.User))

    def customEvent(self, event: QEvent | None) -> None:
        """Emit the errors that were noted."""
        while self._untold:
            self.told.emit(self._untold.popleft())

    def as_text(self) -> str:
        """Return all errors with their tracebacks and counts; empty if there was none."""
        with self._lock:
            return "\n".join(f"{self._counts[kind]} x {text}" for kind, text in self._texts.items())


@contextmanager
def last_resort(mishaps: Mishaps) -> Iterator[None]:
    """Note all errors that leave a slot, an event handler, a thread or a QThread while it is active."""
    before = sys.excepthook, threading.excepthook

    def leave_slot(_kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        if isinstance(error, Exception):
            mishaps.note(error)
        else:  # Ctrl+C in the terminal: quit as from the menu
            QCoreApplication.quit()

    def leave_thread(left: threading.ExceptHookArgs) -> None:
        if isinstance(left.exc_value, Exception):
            mishaps.note(left.exc_value)

    sys.excepthook, threading.excepthook = leave_slot, leave_thread
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook = before


def _kind(error: BaseException) -> str:
    """Return the key by which errors count as the same: their type and the line that raised them."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"


def _without_homes(text: str) -> str:
    """Return a traceback without paths of this machine, user names and passwords."""
    for home, short in ((Path(__file__).parents[1], ""), (Path(sys.prefix), ""), (Path.home(), "~/")):
        text = text.replace(f"{home}{os.sep}", short)
    return hidden(text)


def _brief(error: BaseException) -> str:
    words = hidden(" ".join(repr(error).split()))
    return words if len(words) <= LONGEST else f"{words[:LONGEST]}…"
