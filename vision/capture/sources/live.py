"""Frames from live sources: the newest frame wins, and a lost connection is restored."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from companion import log
from companion.errors import DeviceError, DeviceFault, MalformedError
from companion.i18n import join, msg
from companion.ports import Clock
from companion.source_runner import SourceRunner
from vision.arrays import Image
from vision.capture.sources.frame import Frame


class CameraConnection(Protocol):
    """An open connection to a camera or stream."""

    def read(self) -> tuple[Image, bytes | None]:
        """Return the next picture and the bytes it was opened from.

        Never blocks for much longer than its own time-out. Raises DeviceError if the link is lost,
        MalformedError if only this picture cannot be used.
        """

    def interrupt(self) -> None:
        """Make a read that waits in another thread give up soon."""

    def close(self) -> None:
        """Let go of the device; called by the thread that reads."""

    def properties(self) -> Mapping[str, float]:
        """Return the settings that the driver reports; may be empty."""


# What a read returns: the picture, and the bytes it was decoded from.
Picture: TypeAlias = tuple[Image, bytes | None]
OpenLink: TypeAlias = Callable[[], CameraConnection]
Sleep: TypeAlias = Callable[[float], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Time limits, in seconds.

    Attributes:
        stall_s: after this long without a frame, a stall is reported.
        first_retry_s: pause before the first new attempt; it doubles each time.
        longest_retry_s: the longest pause.
        farewell_s: how long closing waits for the reader.
    """

    stall_s: float = 3.0
    first_retry_s: float = 0.25
    longest_retry_s: float = 8.0
    farewell_s: float = 5.0


# The pause doubles at most this often: enough for any `Patience`, and the number stays finite.
_DOUBLED_MOST = 20


class LiveSource:
    """Reads a link in its own thread and delivers the newest frame."""

    def __init__(
        self,
        name: str,
        open_link: OpenLink,
        *,
        patience: Patience | None = None,
        clock: Clock = time.monotonic,
        sleep: Sleep | None = None,
    ) -> None:
        """Prepare; the link is opened with the first call of `frames`.

        Args:
            name: for people.
            open_link: opens the device or raises DeviceError.
            patience: time limits.
            clock: stamps the frames.
            sleep: pauses between attempts; by default a pause that `close` ends.
        """
        self.name = name
        self._open_link = open_link
        self._patience = patience or Patience()
        self._clock = clock
        self._news = threading.Condition()
        self._latest: Frame | None = None
        self._fault: DeviceError | None = None
        self._link: CameraConnection | None = None
        self._seq = 0
        self._properties: Mapping[str, float] = {}
        self._runner = SourceRunner(
            f"frames of {name}", self._pictures, self._publish, lost=self._note_fault, wait=sleep
        )

    @property
    def properties(self) -> Mapping[str, float]:
        """The settings the driver reported when it was opened: width, height, exposure ..."""
        with self._news:
            return self._properties

    def frames(self) -> Iterator[Frame]:
        """Yield the newest frame each time; frames that came in between are skipped.

        Raises DeviceError if none came for `stall_s` seconds. Iterating again goes on waiting; the link is
        reopened in the background.
        """
        self._runner.start()
        given = -1
        while not self._runner.stopping.is_set():
            frame = self._wait_for(given)
            if frame is None:
                return
            given = frame.seq
            yield frame

    def close(self) -> None:
        """Stop the reader and release the device."""
        self._runner.stop(self._interrupt, self._patience.farewell_s)

    def _interrupt(self) -> None:
        """Wake the thread that waits for a frame, and make a waiting read give up."""
        with self._news:
            self._news.notify_all()
            link = self._link
        if link is not None:
            link.interrupt()

    def _wait_for(self, given: int) -> Frame | None:
        with self._news:
            stopping = self._runner.stopping
            self._news.wait_for(lambda: self._is_new(given) or stopping.is_set(), self._patience.stall_s)
            if stopping.is_set():
                return None
            if self._is_new(given):
                return self._latest
            fault = self._fault
        if fault is not None:
            text = str(fault) if self.name in str(fault) else join(": ", (self.name, str(fault)))
            raise DeviceError(text, fault.fault)
        text = msg(
            "{name} has sent no picture for {seconds} s",
            name=self.name,
            seconds=f"{self._patience.stall_s:.0f}",
        )
        raise DeviceError(text, DeviceFault.STALLED)

    def _is_new(self, given: int) -> bool:
        return self._latest is not None and self._latest.seq != given

    def _note_fault(self, error: Exception, running: int) -> float:
        """Store why the link was lost; return the pause before the next attempt, seconds."""
        if isinstance(error, DeviceError):
            fault = error
        else:  # drivers raise exceptions of their own: treat them as a lost link
            log.vision.exception("source failed name=%s", self.name)
            fault = DeviceError(msg("the driver failed: {why}", why=error), DeviceFault.UNPLUGGED)
        with self._news:
            if self._fault is None or str(self._fault) != str(fault):
                log.vision.warning("source lost name=%s fault=%s", self.name, fault)
            self._fault = fault
        doubled = self._patience.first_retry_s * 2.0 ** min(running - 1, _DOUBLED_MOST)
        return min(doubled, self._patience.longest_retry_s)

    def _pictures(self) -> Iterator[Picture]:
        """Open the link and yield its pictures until it is lost or `close` is called."""
        link = self._open_link()
        told = dict(link.properties())
        with self._news:
            self._link, self._properties = link, told
        try:
            while not self._runner.stopping.is_set():
                try:
                    picture = link.read()
                except MalformedError as error:
                    with self._news:
                        self._fault = DeviceError(
                            msg("the pictures cannot be used: {why}", why=error), DeviceFault.UNREADABLE
                        )
                    log.vision.debug("picture left out name=%s reason=%s", self.name, error)
                    continue
                yield picture
        finally:
            with self._news:
                self._link = None
            link.close()

    def _publish(self, picture: Picture) -> None:
        image, packed = picture
        with self._news:
            self._latest = Frame(image=image, seq=self._seq, seen_at_s=self._clock(), packed=packed)
            self._seq += 1
            self._fault = None
            self._news.notify_all()
