"""The one thread that talks with a board: survives unplugging, resets, hangs and another port's name."""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from calibration.sensor_steps import Look, TableShape
from calibration.sensors import SensorProfile
from companion import log
from companion.errors import DeviceError, DeviceFault
from companion.reconcile.observation import Observation
from companion.table import Place
from companion.words import Message, msg
from firmware_bridge.health import HealthWatch, TableHealth
from firmware_bridge.link import Link, Phase
from firmware_bridge.messages import Colour, Entry, Health, RawReadings, What
from firmware_bridge.news import Finished, Happened, Mismatch, News, Opened, Over, Unanswered, Whole
from firmware_bridge.outputs import Outputs, Tuner
from firmware_bridge.port import Finder, Opener, Port, SerialPort, find_ports
from firmware_bridge.reader import SlotReader, look_at, shape_of
from firmware_bridge.recording import Chunk, FrameLog

REPEAT_S: Final = 0.25
FRESH_S: Final = 0.5
SPEAK_S: Final = 3.0  # a bootloader keeps an Arduino silent for up to two seconds
LOOK_AGAIN_S: Final = 0.3
REOPEN_S: Final = 10.0  # a board that hangs is reset by opening its port anew
SILENT_WORDS: Final = msg("The sensor table has fallen silent: unplug it and plug it in.")
HEALTH_S: Final = 2.0
RAW_S: Final = 10.0
WAITING_MOST: Final = 64


class SensorTable:
    """A sensor table as a source of observations (`companion.ports.ObservationSource`).

    The thread starts with the first look at `observations` (or with `open`) and ends with `close`. A fault
    is raised once from `observations`; iterate again to go on: the thread keeps trying by itself.

    Attributes:
        raw_every_s: how often all spots' untouched readings are asked for; a set-up wants them more often.
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
        self.raw_every_s = RAW_S
        self._profile = profile
        self._finder: Finder = finder if port is None else (lambda: [port])
        self._opener = opener
        self._clock = clock
        self._frame_log = frame_log
        self._name = name
        self._link = Link(lambda: secrets.randbits(32))
        self._reader: SlotReader | None = None
        self._port_name: str | None = None
        self._outputs = Outputs(profile.brightness)
        self._tuner = Tuner(profile)
        self._watch = HealthWatch()
        self._seq = 0
        self._published_s = self._health_s = self._raw_s = float("-inf")
        self._is_news = False
        # Shared with other threads, under the lock:
        self._lock = threading.Condition()
        self._waiting: deque[Observation] = deque(maxlen=WAITING_MOST)
        self._fault: DeviceError | None = None
        self._last_words = ""
        self._latest: Observation | None = None
        self._health = TableHealth()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    # -- for everybody ----------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name that players recognise."""
        return self._name

    def open(self) -> None:
        """Start looking for the table; safe to call twice."""
        with self._lock:
            if self._thread is None and not self._closing.is_set():
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Stop the thread and let go of the port; safe to call twice."""
        self._closing.set()
        with self._lock:
            thread, self._thread = self._thread, None
            self._lock.notify_all()
        if thread is not None:
            thread.join()
        if self._frame_log is not None:
            self._frame_log.close()

    def observations(self) -> Iterator[Observation]:
        """Yield what the sensors see: at every change and at least four times a second.

        Raises DeviceError, once for every fault, with words to act on.
        """
        self.open()
        while True:
            with self._lock:
                while not (self._waiting or self._fault or self._closing.is_set()):
                    self._lock.wait()
                if self._closing.is_set():
                    return
                fault, self._fault = self._fault, None
                if fault is None:
                    seen = self._waiting.popleft()
            if fault is not None:
                raise fault
            yield seen

    def show(self, lit: Mapping[Place, Colour]) -> None:
        """Light exactly these places; kept over unplugging and resets."""
        self._outputs.show(lit)

    def beep(self, hz: int, ms: int) -> None:
        """Sound the buzzer (at most 2 s); of beeps that cannot be sounded now the newest few are kept."""
        self._outputs.beep(hz, ms)

    def set_outputs(self, *, brightness: float | None = None, is_on: bool | None = None) -> None:
        """Dim the lights (0 dark, 1 bright; the profile's value at first), or switch lights and buzzer."""
        if brightness is not None:
            self._outputs.brightness = min(max(brightness, 0.0), 1.0)
        if is_on is not None:
            self._outputs.is_on = is_on

    @property
    def is_relighting(self) -> bool:
        """Whether lights are just changing, so that a camera sees change where nobody moved anything."""
        return self._outputs.is_changing(self._clock())

    @property
    def health(self) -> TableHealth:
        """The table's health, as of the last second or so."""
        with self._lock:
            return self._health

    @property
    def latest(self) -> Observation | None:
        """What was seen last, None before anything was."""
        with self._lock:
            return self._latest

    @property
    def entries(self) -> Sequence[Entry]:
        """The board's geometry, () until it is known."""
        with self._lock:
            return self._link.geometry

    @property
    def raw_readings(self) -> Mapping[int, int]:
        """The last untouched reading of every spot, by number; see `raw_every_s`."""
        with self._lock:
            return dict(self._watch.raw)

    @property
    def corrected_rests(self) -> Sequence[int] | None:
        """The rest of every spot with what it has drifted since, None while nothing was watched."""
        with self._lock:
            return self._watch.corrected_rests()

    def look(self) -> Look | None:
        """Return what a set-up (`calibration.sensor_steps`) has to see, None while that is not known."""
        with self._lock:
            if not self._link.is_whole or self._reader is None:
                return None
            if len(self._watch.raw) < len(self._reader.map.spots):
                return None
            return look_at(self._link.geometry, self._link.slots.values, self._watch.raw)

    @property
    def shape(self) -> TableShape | None:
        """What the table has, None before it has told its geometry."""
        with self._lock:
            return shape_of(self._link.geometry) if self._link.geometry else None

    @property
    def slot_values(self) -> Sequence[int]:
        """The board's slots as last known, for the set-up (15 where unclear)."""
        with self._lock:
            return list(self._link.slots.values)

    # -- the thread -------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self._serve()
            except DeviceError as error:
                self._report(error)
                self._closing.wait(LOOK_AGAIN_S)

    def _report(self, error: DeviceError) -> None:
        with self._lock:
            self._health = replace(self._judged(None), fault=str(error))
            if str(error) == self._last_words:
                return
            self._last_words = str(error)
            self._fault = error
            self._lock.notify_all()
        log.bridge.info("fault=%s text=%r", error.fault.value, str(error))

    def _serve(self) -> None:
        port = self._find()
        try:
            while not self._closing.is_set():
                self._round(port)
        finally:
            port.close()

    def _find(self) -> Port:
        names = list(self._finder())
        if self._port_name in names:
            names.sort(key=lambda name: name != self._port_name)
        if not names:
            raise DeviceError(msg("No sensor table was found: plug it in."), DeviceFault.NOT_FOUND)
        first: DeviceError | None = None
        for name in names:
            try:
                return self._confirmed(self._opener(name))
            except DeviceError as error:
                first = first or error
        assert first is not None
        raise first

    def _confirmed(self, port: Port) -> Port:
        """Return the port once the board on it has spoken; nothing is written before."""
        start_s = self._clock()
        self._note(Chunk(start_s, "|", b""))
        self._link.line_changed(start_s)
        try:
            while not self._link.may_write:
                self._hear(port)
                if self._link.phase is Phase.MISMATCH:
                    self._take_news(self._link.take_news())
                if self._closing.is_set() or self._clock() - start_s > SPEAK_S:
                    raise self._silence(port.name)
        except DeviceError:
            port.close()
            raise
        self._port_name = port.name
        log.bridge.info("found port=%s", port.name)
        return port

    def _silence(self, name: str) -> DeviceError:
        """Return the error of a port on which nothing is heard."""
        if name == self._port_name:
            return DeviceError(SILENT_WORDS, DeviceFault.STALLED)
        return DeviceError(
            msg("What is on {name} is no sensor table, or its firmware is missing: flash it.", name=name),
            DeviceFault.WRONG_FIRMWARE,
        )

    def _hear(self, port: Port) -> None:
        data = port.read()
        now_s = self._clock()
        if data:
            self._note(Chunk(now_s, "<", data))
            with self._lock:
                self._link.feed(data, now_s)

    def _note(self, chunk: Chunk) -> None:
        if self._frame_log is not None:
            self._frame_log.write(chunk)

    def _round(self, port: Port) -> None:
        self._hear(port)
        self._take_news(self._link.take_news())
        now_s = self._clock()
        if self._link.is_stalled(now_s):
            silence = self._silence(port.name)
            if self._link.silence_s(now_s) > REOPEN_S:
                raise silence
            self._report(silence)
        if self._link.phase is Phase.OPEN and self._link.geometry:
            self._know_geometry()
            self._is_news |= self._tuner.push(self._link, self._spots, now_s)
            self._outputs.push(self._link)
            self._ask_health(now_s)
        self._link.poll(now_s)
        out = self._link.take_output()
        if out:
            self._note(Chunk(now_s, ">", out))
            port.write(out)
        self._publish(now_s)

    def _take_news(self, news: Sequence[News]) -> None:
        for item in news:
            match item:
                case Mismatch(board, host):
                    raise DeviceError(_mismatch_words(board, host), DeviceFault.WRONG_VERSION)
                case Opened() | Over():
                    self._reader = None
                    log.bridge.info("session %s", item)
                case Happened() | Whole():
                    self._is_news = True
                case Finished(ticket, is_done):
                    self._outputs.answered(ticket, self._clock())
                    if not is_done:
                        log.bridge.info("refused ticket=%d", ticket)
                case Unanswered(ticket):
                    self._outputs.answered(ticket, self._clock())
                case Health():
                    self._watch.take_board(item, self._clock())
                case RawReadings():
                    self._take_raw(item)
                case _:
                    pass

    def _know_geometry(self) -> None:
        if self._reader is not None:
            return
        entries = self._link.geometry
        reader = SlotReader(entries, self._profile)
        expected, known = len(reader.map.spots), len(self._profile.spots)
        if known and known != expected:
            raise DeviceError(
                msg(
                    "This table has {expected} spots, its profile {known}: set the table up anew.",
                    expected=expected,
                    known=known,
                ),
                DeviceFault.UNREADABLE,
            )
        self._outputs.begin(entries)
        self._tuner.begin()
        with self._lock:
            self._reader = reader
            self._watch.begin([rest for rest, _ in self._tuner.spots(expected)])

    @property
    def _spots(self) -> int:
        return len(self._reader.map.spots) if self._reader else 0

    @property
    def _is_tuned(self) -> bool:
        return self._tuner.is_tuned(self._link, self._spots)

    # -- what is seen -----------------------------------------------------------------------------

    def _publish(self, now_s: float) -> None:
        # What was true when the board was last heard is not repeated as news of now.
        if self._reader is None or not self._link.is_whole or self._link.silence_s(now_s) > FRESH_S:
            return
        if not self._is_news and now_s - self._published_s < REPEAT_S:
            return
        self._is_news = False
        self._published_s = now_s
        self._seq += 1
        seen = self._reader.read(
            self._link.slots.values,
            source=self._name,
            seq=self._seq,
            seen_at_s=now_s,
            spots_known=self._is_tuned,
        )
        with self._lock:
            self._last_words = ""
            self._waiting.append(seen)
            self._latest = seen
            self._lock.notify_all()

    def _ask_health(self, now_s: float) -> None:
        if now_s - self._health_s >= HEALTH_S:
            self._health_s = now_s
            self._link.ask(What.HEALTH, 0, 0, now_s)
            with self._lock:
                self._watch.asked(now_s)
                self._health = self._judged(self._port_name)
        if now_s - self._raw_s >= self.raw_every_s and self._reader is not None:
            self._raw_s = now_s
            self._link.ask(What.RAW, 0, self._spots, now_s)

    def _take_raw(self, raw: RawReadings) -> None:
        if self._reader is None:
            return
        with self._lock:
            self._watch.take_raw(raw, self._reader.map.spots, self._link.slots.values)

    def _judged(self, port: str | None) -> TableHealth:
        return self._watch.judge(self._link, self._reader, port, is_tuned=not self._spots or self._is_tuned)


def _mismatch_words(board: Sequence[int], host: Sequence[int]) -> Message:
    """Say which of the two must be updated."""
    theirs, ours = (f"{version[0]}.{version[1]}" for version in (board, host))
    if tuple(board) < tuple(host):
        return msg(
            "The table speaks version {theirs}, this program {ours}: update the firmware.",
            theirs=theirs,
            ours=ours,
        )
    return msg(
        "The table speaks version {theirs}, this program {ours}: update the program.",
        theirs=theirs,
        ours=ours,
    )
