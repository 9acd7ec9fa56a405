"""Running the guide's slow answers in a separate thread."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator

from PyQt6.QtCore import QObject, QThread, pyqtSignal

from companion import log
from companion.errors import CompanionError
from ui.text import said

STOP_MS = 5000

# Threads that hang in a driver: Qt must not destroy them while they run.
_stuck: list[QThread] = []


class Live(QThread):
    """Iterates something in a thread; each value is a signal, of a burst only the last one.

    Signals:
        came: a value; the next one comes only after `taken`. The very last value always comes.
        failed: why it ended early, in words.
    """

    came = pyqtSignal(object)
    failed = pyqtSignal(str)

    def __init__(self, values: Callable[[], Iterator[object]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._values = values
        self._lock = threading.Lock()
        self._is_free = True
        self._waiting: list[object] = []
        self._is_stopping = threading.Event()

    def taken(self) -> None:
        """The value was shown; another may come."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
            self._is_free = not waiting
        for value in waiting:
            self.came.emit(value)

    def _offer(self, value: object) -> None:
        with self._lock:
            if not self._is_free:
                self._waiting = [value]
                return
            self._is_free = False
        self.came.emit(value)

    def stop(self, close: Callable[[], None]) -> None:
        """End: `close` must make the iteration end. Waits for the thread."""
        self._is_stopping.set()
        close()
        if not self.wait(STOP_MS):
            log.ui.warning("a camera does not let go")
            _stuck.append(self)

    def run(self) -> None:
        try:
            for value in self._values():
                if self._is_stopping.is_set():
                    return
                self._offer(value)
        except CompanionError as error:
            self.failed.emit(said(str(error)))
        except Exception as error:  # the top of a thread: for the page, and for the last resort
            self.failed.emit(repr(error))
            sys.excepthook(type(error), error, error.__traceback__)
