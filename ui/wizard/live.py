"""Running the guide's slow calls in a separate thread."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator

from PyQt6.QtCore import QObject, QThread, pyqtSignal

from companion import log
from companion.errors import CompanionError
from ui.text import said
from ui.ties import tie

STOP_MS = 5000

# Threads that are stuck in a driver: Qt must not destroy them while they run.
_stuck: list[QThread] = []


class Live(QThread):
    """Runs an iteration in a thread and emits its values; skips all but the last while the receiver is busy.

    Signals:
        came: a value; the next one comes only after `taken` is called. The last value is always emitted.
        failed: why it ended early, as text.
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
        """Allow the next value: the last one has been shown."""
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
        """Stop the thread and wait for it; `close` must make the iteration end."""
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
        except Exception as error:  # the top of a thread: tell the page and the last resort
            self.failed.emit(repr(error))
            sys.excepthook(type(error), error, error.__traceback__)


class Task:
    """At most one slow call of a page at a time; `page` is told how it ended as long as it exists."""

    def __init__(self, page: QObject) -> None:
        self._page = page
        self._running: Live | None = None

    @property
    def is_running(self) -> bool:
        """Whether a call has not been ended yet."""
        return self._running is not None

    def begin(
        self,
        values: Callable[[], Iterator[object]],
        came: Callable[[object], None],
        failed: Callable[[str], None],
    ) -> None:
        """Run an iteration in place of the one that runs; `came` or `failed` is to call `end`."""
        self.end()
        self._running = Live(values)
        tie(self._running.came, self._page, came)
        tie(self._running.failed, self._page, failed)
        self._running.start()

    def end(self) -> None:
        """Wait for the call, if there is one."""
        if self._running is not None:
            self._running.stop(lambda: None)
            self._running = None
