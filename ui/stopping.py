"""Ctrl+C and the system's signals while a window is open: it closes as if a user had closed it.

Python handles signals only between two of its own steps, and Qt's loop may not run one for a long time; an
exception raised in one of Qt's calls would end the program at once. So the signal only writes a byte, which
Qt reads.
"""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from PyQt6.QtCore import QSocketNotifier
from PyQt6.QtWidgets import QApplication
from PyQt6.sip import voidptr

from companion.stopping import STOPS, handled
from ui.ties import tie

_ALL: Final = (signal.SIGINT, *STOPS)


@contextmanager
def closing_when_stopped() -> Iterator[None]:
    """While it lasts, signals that ask for an end close all windows."""
    reading, writing = socket.socketpair()
    reading.setblocking(False)
    writing.setblocking(False)
    notifier = QSocketNotifier(voidptr(reading.fileno()), QSocketNotifier.Type.Read)

    def close_all() -> None:
        with contextlib.suppress(BlockingIOError):
            reading.recv(64)
        QApplication.closeAllWindows()  # which ends the loop, or the dialog's own

    tie(notifier.activated, notifier, close_all)
    with reading, writing, handled(_ALL, lambda _number, _frame: None):
        before = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            notifier.setEnabled(False)
