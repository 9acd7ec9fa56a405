"""Requests to stop: the signals a system sends to end a program, or when its terminal has gone."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, NoReturn

# SIGHUP is unknown to Windows.
STOPS: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Stopped(KeyboardInterrupt):
    """The system asks the program to end. Whatever ends well with Ctrl-C ends well with this.

    Attributes:
        number: the signal's.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def stoppable() -> Iterator[None]:
    """While it lasts, SIGTERM and SIGHUP raise `Stopped` in the main thread, and then are not heard again.

    So journals are closed, records written, temporary folders removed. Elsewhere than in the main thread it
    does nothing.
    """
    with handled(STOPS, _stop):
        yield


@contextmanager
def handled(numbers: tuple[int, ...], handler: Callable[[int, FrameType | None], Any]) -> Iterator[None]:
    """Handle signals in this way while it lasts; does nothing elsewhere than in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _stop(number: int, _frame: FrameType | None) -> NoReturn:
    for each in STOPS:
        signal.signal(each, signal.SIG_IGN)
    raise Stopped(number)
