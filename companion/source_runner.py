"""Iterating over a source and starting again when it fails: once, for every kind of source.

`resumed` is just the loop, for callers that can wait. `SourceRunner` gives it a thread, a way
to stop it, and a listener that learns when the source goes away and comes back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import Final, Generic, TypeAlias, TypeVar

from companion import log
from companion.errors import DeviceError

T = TypeVar("T")

# What goes through the source from where it is now: a look at a camera, a session with a board.
Begin: TypeAlias = Callable[[], Iterator[T]]
# Hears of a failure and how many there were since anything came; returns how many seconds to wait.
Lost: TypeAlias = Callable[[Exception, int], float]

RETRY_S: Final = 1.0
STOP_S: Final = 5.0


def resumed(
    begin: Begin[T],
    lost: Lost,
    *,
    wait: Callable[[float], object],
    failures: type[Exception] = DeviceError,
) -> Generator[T, None, None]:
    """Yield what a source yields until its end, beginning again after every failure.

    `lost` gives up by raising. `wait` waits for this many seconds, or for less where it is no use to go on.
    Exceptions that are no `failures` pass.
    """
    running = 0
    while True:
        try:
            for item in begin():
                running = 0
                yield item
            return
        except failures as error:
            running += 1
            wait(lost(error, running))


class SourceRunner(Generic[T]):
    """A thread that hands on what a source yields, until the source ends or `stop`.

    Every exception counts as a failure of the source, also one of `take`: a thread that ends without a word
    is worse than one that tries again. All the functions given are called in the thread.

    Attributes:
        stopping: set when the thread is to end; waiting code in `begin` and `take` checks it.
    """

    def __init__(
        self,
        name: str,
        begin: Begin[T],
        take: Callable[[T], object],
        *,
        lost: Lost = lambda _error, _running: RETRY_S,
        found: Callable[[], object] = lambda: None,
        ended: Callable[[], object] = lambda: None,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        """Make a runner, not yet started.

        Args:
            name: the thread's.
            begin: iterates the source; called again after each failure.
            take: is handed everything, one after the other.
            lost: called for every failure except those after `stop`.
            found: called when something came again.
            ended: called when the source has nothing more to show.
            wait: waits before the next try; by default a wait that `stop` ends.
        """
        self.stopping = threading.Event()
        self._begin = begin
        self._take = take
        self._lost = lost
        self._found = found
        self._ended = ended
        self._wait = wait or self.stopping.wait
        self._is_lost = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._lock = threading.Lock()

    @property
    def is_alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin; does nothing where it has begun already, or was stopped before."""
        with self._lock:
            if self._thread.ident is None and not self.stopping.is_set():
                self._thread.start()

    def stop(self, release: Callable[[], object] = lambda: None, timeout_s: float = STOP_S) -> bool:
        """End the thread; return whether it has ended. Safe to call twice, and from the thread itself.

        `release` lets whatever the thread waits for come to an end: it is called first. A thread that hangs
        in a driver is left to itself.
        """
        with self._lock:
            self.stopping.set()
            has_begun = self._thread.ident is not None
        release()
        if not has_begun:
            return True
        if self._thread is threading.current_thread():
            return False
        self._thread.join(timeout_s)
        if self._thread.is_alive():
            log.engine.warning("a source does not let go of its device name=%s", self._thread.name)
            return False
        return True

    def _run(self) -> None:
        with closing(resumed(self._handed_on, self._hear, wait=self._wait, failures=Exception)) as items:
            for _ in items:
                pass
        if not self.stopping.is_set():
            self._ended()

    def _handed_on(self) -> Iterator[T]:
        """Begin, unless it is to end, and hand on what comes."""
        if self.stopping.is_set():
            return
        for item in self._begin():
            if self._is_lost:
                self._is_lost = False
                self._found()
            if self.stopping.is_set():
                return
            self._take(item)
            yield item

    def _hear(self, error: Exception, running: int) -> float:
        """Tell of a failure; what fails because it is being stopped is none."""
        if self.stopping.is_set():
            return 0.0
        self._is_lost = True
        return self._lost(error, running)
