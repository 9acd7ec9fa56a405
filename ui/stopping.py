"""Ctrl+C and the system's signals while a window is open: they close it as a user would.

Python handles signals only between two bytecode instructions, and Qt's event loop may not run any for a
long time; an exception raised inside a call from Qt would abort the program. So the signal only writes a
byte to a socket that Qt watches (`signal.set_wakeup_fd`).
"""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from PyQt6.QtCore import QSocketNotifier
from PyQt6.QtWidgets import QApplication
from PyQt6.sip import voidptr

from companion.stopping import STOPS, handled
from ui.ties import tie

_ALL: Final = (signal.SIGINT, *STOPS)


@dataclass(slots=True)
class Stopping:
    """Whether the program has been asked to stop."""

    is_stopped: bool = False


@contextmanager
def closing_when_stopped() -> Iterator[Stopping]:
    """Let signals that ask the program to stop close all windows while it is active."""
    reading, writing = socket.socketpair()
    reading.setblocking(False)
    writing.setblocking(False)
    notifier = QSocketNotifier(voidptr(reading.fileno()), QSocketNotifier.Type.Read)

    told = Stopping()

    def close_all() -> None:
        told.is_stopped = True
        with contextlib.suppress(BlockingIOError):
            reading.recv(64)
        QApplication.closeAllWindows()  # this ends the event loop, or that of a dialog

    tie(notifier.activated, notifier, close_all)
    with reading, writing, handled(_ALL, lambda _number, _frame: None):
        before = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
        try:
            yield told
        finally:
            signal.set_wakeup_fd(before)
            notifier.setEnabled(False)
