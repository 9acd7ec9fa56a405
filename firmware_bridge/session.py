"""A thread that talks to a sensor table, and the table as a source of observations."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from calibration.sensors import SensorProfile
from companion import log
from companion.errors import DeviceError, DeviceFault
from companion.i18n import msg
from companion.observation import Observation
from companion.source_runner import SourceRunner
from firmware_bridge.port import Finder, Opener, SerialPort, find_ports
from firmware_bridge.recording import FrameLog
from firmware_bridge.talk import BoardTalk

LOOK_AGAIN_S: Final = 0.3
WAITING_MOST: Final = 64


class SensorTable(BoardTalk):
    """A sensor table as a source of observations (`companion.ports.ObservationSource`).

    The thread starts with the first look at `observations` (or with `open`) and ends with `close`. A fault
    is raised once from `observations`; iterate again to go on: the thread keeps trying by itself.
    """

    def __init__(
        self,
        profile: SensorProfile,
        *,
        port: str | None = None,
        opener: Opener = SerialPort,
        finder: Finder = find_ports,
        clock: Callable[[], float] = time.monotonic,
        frame_log: FrameLog | None = None,
        name: str = msg("sensor table"),
    ) -> None:
        super().__init__(
            profile,
            port=port,
            opener=opener,
            finder=finder,
            clock=clock,
            frame_log=frame_log,
            name=name,
        )
        self._told = threading.Condition()
        self._waiting: deque[Observation] = deque(maxlen=WAITING_MOST)
        self._fault: DeviceError | None = None
        self._runner = SourceRunner(self.name, self._rounds, self._keep, lost=self._note_fault)

    def open(self) -> None:
        """Start looking for the table; safe to call twice."""
        self._runner.start()

    def close(self) -> None:
        """Stop the thread and let go of the port; safe to call twice."""
        if self._runner.stop(self._wake):
            self.let_go()
        if self._frame_log is not None:
            self._frame_log.close()

    def observations(self) -> Iterator[Observation]:
        """Yield what the sensors see: at every change and at least four times a second.

        Raises DeviceError, once for every fault, with words to act on.
        """
        self.open()
        while True:
            with self._told:
                while not (self._waiting or self._fault or self._runner.stopping.is_set()):
                    self._told.wait()
                if self._runner.stopping.is_set():
                    return
                fault, self._fault = self._fault, None
                if fault is None:
                    seen = self._waiting.popleft()
            if fault is not None:
                raise fault
            yield seen

    def _rounds(self) -> Iterator[Observation]:
        """Yield what is new on the table, round by round, until the thread is to end."""
        while not self._runner.stopping.is_set():
            seen = self.step()
            if seen is not None:
                yield seen
            if self.rests:
                self._runner.stopping.wait(LOOK_AGAIN_S)

    def _keep(self, seen: Observation) -> None:
        with self._told:
            self._waiting.append(seen)
            self._told.notify_all()

    def _note_fault(self, error: Exception, _running: int) -> float:
        """Let `observations` raise a fault; return how long to wait before the next round, seconds."""
        if not isinstance(error, DeviceError):
            # Whatever it was: a game must not wait forever for a thread that has ended.
            log.bridge.exception("unforeseen in the talk with the sensor table")
            self.let_go()
            words = msg("Something went wrong while reading the sensor table; trying again.")
            error = DeviceError(words, DeviceFault.UNREADABLE)
        with self._told:
            self._fault = error
            self._told.notify_all()
        return LOOK_AGAIN_S if self.rests else 0.0

    def _wake(self) -> None:
        with self._told:
            self._told.notify_all()
