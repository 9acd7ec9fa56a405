"""Merges several sources: each runs in its own thread, and the game continues if one fails."""

from __future__ import annotations

import functools
import queue
import threading
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from companion import log
from companion.errors import DeviceError
from companion.observation import Observation
from companion.ports import ObservationSource
from companion.source_runner import RETRY_S, SourceRunner

# Length of the queue; a source that is faster than the referee has to wait.
WAITING_MOST: Final = 4
_LOOK_S: Final = 0.2

_Told: TypeAlias = tuple[str, Observation | Exception | None]


class MergedSource:
    """The observations of several sources, in the order of arrival.

    A source that fails is tried again every second while any other still works. Once all have failed,
    `observations` raises the newest DeviceError; iterate again to continue. It ends when all sources have
    ended. An unexpected error is raised at once.
    """

    def __init__(self, sources: Sequence[ObservationSource], *, retry_s: float = RETRY_S) -> None:
        self._sources = {source.name: source for source in sources}
        self._retry_s = retry_s
        self._told: queue.Queue[_Told] = queue.Queue(maxsize=WAITING_MOST)
        self._closing = threading.Event()
        self._runners = [self._hired(source) for source in self._sources.values()]
        self._lost: set[str] = set()
        self._ended: set[str] = set()

    @property
    def name(self) -> str:
        """Name that players recognise."""
        return " and ".join(self._sources)

    def observations(self) -> Iterator[Observation]:
        """Yield the observations of all sources; raises DeviceError when all of them have failed."""
        for runner in self._runners:
            runner.start()
        while not self._closing.is_set() and len(self._ended) < len(self._sources):
            try:
                name, told = self._told.get(timeout=_LOOK_S)
            except queue.Empty:
                continue
            if told is None:
                self._ended.add(name)
            elif isinstance(told, DeviceError):
                self._note_lost(name, told)
            elif isinstance(told, Exception):
                raise told
            else:
                self._lost.discard(name)
                yield told

    def close(self) -> None:
        """Release all of them; safe to call twice."""
        self._closing.set()
        for source in self._sources.values():
            source.close()
        for runner in self._runners:
            runner.stop()

    def _note_lost(self, name: str, fault: DeviceError) -> None:
        is_new = name not in self._lost
        self._lost.add(name)
        if is_new:
            log.reconcile.warning("source lost name=%s fault=%s text=%s", name, fault.fault, fault)
        if self._lost | self._ended >= self._sources.keys():
            raise fault

    def _hired(self, source: ObservationSource) -> SourceRunner[Observation]:
        put = functools.partial(self._put, source.name)

        def lost(error: Exception, _running: int) -> float:
            put(error)
            return self._retry_s

        return SourceRunner(source.name, source.observations, put, lost=lost, ended=lambda: put(None))

    def _put(self, name: str, told: Observation | Exception | None) -> None:
        """Put something into the queue when there is room; does nothing once all is closed."""
        while not self._closing.is_set():
            try:
                self._told.put((name, told), timeout=_LOOK_S)
            except queue.Full:
                continue
            return
