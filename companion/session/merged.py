"""Several sources as one: each in a thread of its own, and no game stops because one of them fails."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from companion import log
from companion.errors import DeviceError
from companion.observation import Observation
from companion.ports import ObservationSource

RETRY_S: Final = 1.0
# Observations that may wait; a source that is faster than the referee is held back.
WAITING_MOST: Final = 4
STOP_S: Final = 5.0
_LOOK_S: Final = 0.2

_Told: TypeAlias = tuple[str, Observation | DeviceError | None]


class MergedSource:
    """What several sources see, in the order in which it comes.

    A source that fails is tried again every second while any other still sees. Only when all have failed does
    `observations` raise the newest DeviceError; iterate again to go on. It ends when all are at their end.
    """

    def __init__(self, sources: Sequence[ObservationSource], *, retry_s: float = RETRY_S) -> None:
        self._sources = {source.name: source for source in sources}
        self._retry_s = retry_s
        self._told: queue.Queue[_Told] = queue.Queue(maxsize=WAITING_MOST)
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._lost: set[str] = set()
        self._ended: set[str] = set()

    @property
    def name(self) -> str:
        """Name that players recognise."""
        return " and ".join(self._sources)

    def observations(self) -> Iterator[Observation]:
        """Yield what any of the sources sees; raises DeviceError when none of them sees any more."""
        self._start()
        while not self._closing.is_set() and len(self._ended) < len(self._sources):
            try:
                name, told = self._told.get(timeout=_LOOK_S)
            except queue.Empty:
                continue
            if told is None:
                self._ended.add(name)
            elif isinstance(told, DeviceError):
                self._note_lost(name, told)
            else:
                self._lost.discard(name)
                yield told

    def close(self) -> None:
        """Release all of them; safe to call twice."""
        with self._lock:
            self._closing.set()
        for source in self._sources.values():
            source.close()
        for thread in self._threads:
            thread.join(STOP_S)

    def _note_lost(self, name: str, fault: DeviceError) -> None:
        is_new = name not in self._lost
        self._lost.add(name)
        if is_new:
            log.reconcile.warning("source lost name=%s fault=%s text=%s", name, fault.fault, fault)
        if self._lost | self._ended >= self._sources.keys():
            raise fault

    def _start(self) -> None:
        with self._lock:
            if self._threads or self._closing.is_set():
                return
            for source in self._sources.values():
                thread = threading.Thread(target=self._watch, args=(source,), name=source.name, daemon=True)
                self._threads.append(thread)
                thread.start()

    def _watch(self, source: ObservationSource) -> None:
        while not self._closing.is_set():
            try:
                for observation in source.observations():
                    if not self._put(source.name, observation):
                        return
                self._put(source.name, None)
                return
            except DeviceError as error:
                self._put(source.name, error)
                self._closing.wait(self._retry_s)

    def _put(self, name: str, told: Observation | DeviceError | None) -> bool:
        while not self._closing.is_set():
            try:
                self._told.put((name, told), timeout=_LOOK_S)
            except queue.Full:
                continue
            return True
        return False
