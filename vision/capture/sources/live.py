"""Frames from what does not wait for us: the newest frame wins, and a lost link is taken up again."""

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
from vision.arrays import Image
from vision.capture.sources.frame import Frame


class Link(Protocol):
    """An open connection to a camera or stream."""

    def read(self) -> tuple[Image, bytes | None]:
        """Return the next picture and the bytes it was opened from.

        Never blocks for much longer than its own time-out. Raises DeviceError when the link is lost and
        MalformedError when this one picture cannot be used.
        """

    def interrupt(self) -> None:
        """Make a read that waits in another thread give up soon."""

    def close(self) -> None:
        """Let go of the device; called by the thread that reads."""

    def properties(self) -> Mapping[str, float]:
        """Return what the driver tells of its settings; empty where it tells nothing."""


OpenLink: TypeAlias = Callable[[], Link]
Sleep: TypeAlias = Callable[[float], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long to wait for what, seconds.

    Attributes:
        stall_s: no frame for so long is a stall, and is said.
        first_retry_s: pause before the first new attempt; it doubles each time.
        longest_retry_s: the longest pause.
        farewell_s: how long closing waits for the reader.
    """

    stall_s: float = 3.0
    first_retry_s: float = 0.25
    longest_retry_s: float = 8.0
    farewell_s: float = 5.0


class LiveSource:
    """Reads a link in a thread of its own and hands out the newest frame."""

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
        self._closing = threading.Event()
        self._sleep: Sleep = sleep or self._closing.wait
        self._news = threading.Condition()
        self._latest: Frame | None = None
        self._fault: DeviceError | None = None
        self._link: Link | None = None
        self._thread: threading.Thread | None = None
        self._seq = 0
        self._properties: Mapping[str, float] = {}

    @property
    def properties(self) -> Mapping[str, float]:
        """What the driver told of its settings when it was opened: width, height, exposure ..."""
        with self._news:
            return self._properties

    def frames(self) -> Iterator[Frame]:
        """Yield the newest frame each time; frames that came in between are passed over.

        Raises DeviceError when none came for `stall_s` seconds. Iterating again waits on: meanwhile the link
        is taken up again by itself.
        """
        self._start()
        given = -1
        while not self._closing.is_set():
            frame = self._wait_for(given)
            if frame is None:
                return
            given = frame.seq
            yield frame

    def close(self) -> None:
        """Stop the reader and release the device."""
        self._closing.set()
        with self._news:
            self._news.notify_all()
            thread, link = self._thread, self._link
        if link is not None:
            link.interrupt()
        if thread is not None and thread is not threading.current_thread():
            thread.join(self._patience.farewell_s)
            if thread.is_alive():
                log.vision.warning("source closed but its driver still holds the reader name=%s", self.name)

    def _start(self) -> None:
        with self._news:
            if self._thread is None and not self._closing.is_set():
                self._thread = threading.Thread(target=self._run, name=f"frames of {self.name}", daemon=True)
                self._thread.start()

    def _wait_for(self, given: int) -> Frame | None:
        with self._news:
            self._news.wait_for(lambda: self._is_new(given) or self._closing.is_set(), self._patience.stall_s)
            if self._closing.is_set():
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

    def _run(self) -> None:
        pause_s = self._patience.first_retry_s
        while not self._closing.is_set():
            before = self._seq
            try:
                self._read_until_lost()
            except DeviceError as fault:
                self._report(fault)
            except Exception as error:  # a driver's own exceptions are the world's, not ours
                log.vision.exception("source failed name=%s", self.name)
                self._report(DeviceError(msg("the driver failed: {why}", why=error), DeviceFault.UNPLUGGED))
            if self._seq > before:
                pause_s = self._patience.first_retry_s
            if self._closing.is_set():
                return
            self._sleep(pause_s)
            pause_s = min(pause_s * 2, self._patience.longest_retry_s)

    def _report(self, fault: DeviceError) -> None:
        if self._closing.is_set():
            return
        with self._news:
            if self._fault is None or str(self._fault) != str(fault):
                log.vision.warning("source lost name=%s fault=%s", self.name, fault)
            self._fault = fault

    def _read_until_lost(self) -> None:
        link = self._open_link()
        told = dict(link.properties())
        with self._news:
            self._link, self._properties = link, told
        try:
            while not self._closing.is_set():
                try:
                    image, packed = link.read()
                except MalformedError as error:
                    with self._news:
                        self._fault = DeviceError(
                            msg("the pictures cannot be used: {why}", why=error), DeviceFault.UNREADABLE
                        )
                    log.vision.debug("picture left out name=%s reason=%s", self.name, error)
                    continue
                self._publish(image, packed)
        finally:
            with self._news:
                self._link = None
            link.close()

    def _publish(self, image: Image, packed: bytes | None) -> None:
        with self._news:
            self._latest = Frame(image=image, seq=self._seq, seen_at_s=self._clock(), packed=packed)
            self._seq += 1
            self._fault = None
            self._news.notify_all()
