"""The one thread that talks with a board: survives unplugging, resets, hangs and another port's name."""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from calibration.sensor_steps import Look, TableShape
from calibration.sensors import DriftWatch, SensorProfile
from companion import log
from companion.errors import DeviceError, DeviceFault
from companion.reconcile.observation import Observation
from companion.table import Place
from firmware_bridge import messages
from firmware_bridge.lights import DARK, dimmed, light_commands, map_lights
from firmware_bridge.link import Link, Phase
from firmware_bridge.messages import (
    EMPTY,
    SPOT_KINDS,
    TUNE_MOST,
    UNCLEAR,
    Colour,
    Command,
    Health,
    RawReadings,
    What,
)
from firmware_bridge.news import Finished, Happened, Mismatch, News, Opened, Over, Whole
from firmware_bridge.port import Finder, Opener, Port, SerialPort, find_ports
from firmware_bridge.reader import SlotReader, look_at, shape_of
from firmware_bridge.recording import Chunk, FrameLog

REPEAT_S: Final = 0.25
FRESH_S: Final = 0.5
SPEAK_S: Final = 3.0  # a bootloader keeps an Arduino silent for up to two seconds
LOOK_AGAIN_S: Final = 0.3
REOPEN_S: Final = 10.0  # a board that hangs is reset by opening its port anew
SILENT_WORDS: Final = "The sensor table has fallen silent: unplug it and plug it in."
TUNE_AGAIN_S: Final = 2.0
HEALTH_S: Final = 2.0
RAW_S: Final = 10.0
WAITING_MOST: Final = 64
START_TUNING: Final = (512, 64)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHealth:
    """What the health page shows.

    Attributes:
        port: where the table is, None when it is not connected.
        firmware: version of the board's firmware, "" before the first Hello.
        round_trip_ms: of the last command, None before the first.
        frames, bad, lost: frames from the board; pieces that were no frame; frames that never came.
        board: the board's own counters, None before they were told.
        dead_readers: cells whose reader does not answer.
        unclear_spots: numbers of the spots that read between two classes.
        wandering_spots: numbers of the spots whose rest has drifted.
        noise: by spot, its largest recent departure from the mean (LSB), where it was watched.
        foreign: tags that the profile does not know, by cell.
    """

    port: str | None
    firmware: str
    round_trip_ms: float | None
    frames: int
    bad: int
    lost: int
    board: Health | None
    dead_readers: tuple[str, ...] = ()
    unclear_spots: tuple[int, ...] = ()
    wandering_spots: tuple[int, ...] = ()
    noise: Mapping[int, float] = field(default_factory=dict)
    foreign: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


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
        name: str = "sensor table",
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
        self._lamps: dict[Place, int] = {}
        self._shown: list[Colour] = []
        self._seq = 0
        self._published_s = self._tuned_s = self._health_s = self._raw_s = float("-inf")
        self._is_news = False
        self._board_health: Health | None = None
        self._drift: DriftWatch | None = None
        self._raw: dict[int, int] = {}
        # Shared with other threads, under the lock:
        self._lock = threading.Condition()
        self._waiting: deque[Observation] = deque(maxlen=WAITING_MOST)
        self._fault: DeviceError | None = None
        self._last_words = ""
        self._wanted: dict[Place, Colour] = {}
        self._commands: deque[Command] = deque()
        self._health = TableHealth(
            port=None, firmware="", round_trip_ms=None, frames=0, bad=0, lost=0, board=None
        )
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
        with self._lock:
            self._wanted = dict(lit)

    def beep(self, hz: int, ms: int) -> None:
        """Sound the buzzer (at most 2 s); a beep that cannot be sounded now is dropped."""
        with self._lock:
            self._commands.append(messages.buzz(hz, ms))

    @property
    def health(self) -> TableHealth:
        """The table's health, as of the last second or so."""
        with self._lock:
            return self._health

    @property
    def raw_readings(self) -> Mapping[int, int]:
        """The last untouched reading of every spot, by number; see `raw_every_s`."""
        with self._lock:
            return dict(self._raw)

    def look(self) -> Look | None:
        """Return what a set-up (`calibration.sensor_steps`) has to see, None while that is not known."""
        with self._lock:
            if not self._link.is_whole or self._reader is None:
                return None
            if len(self._raw) < len(self._reader.map.spots):
                return None
            return look_at(self._link.geometry, self._link.slots.values, self._raw)

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
            self._health = self._judge_health(None)
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
            raise DeviceError("No sensor table was found: plug it in.", DeviceFault.NOT_FOUND)
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
            f"What is on {name} is no sensor table, or its firmware is missing: flash it.",
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
            self._tune(now_s)
            self._light()
            self._watch(now_s)
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
                    older = "firmware" if board < host else "program"
                    raise DeviceError(
                        f"The table speaks version {board[0]}.{board[1]}, this program {host[0]}.{host[1]}: "
                        f"update the {older}.",
                        DeviceFault.WRONG_VERSION,
                    )
                case Opened() | Over():
                    self._reader = None
                    self._tuned_s = float("-inf")
                    log.bridge.info("session %s", item)
                case Happened() | Whole():
                    self._is_news = True
                case Finished(ticket, False):
                    log.bridge.info("refused ticket=%d", ticket)
                case Health():
                    self._board_health = item
                case RawReadings():
                    self._take_raw(item)
                case _:
                    pass

    # -- outputs and tuning -----------------------------------------------------------------------

    def _know_geometry(self) -> None:
        if self._reader is not None:
            return
        entries = self._link.geometry
        self._reader = SlotReader(entries, self._profile)
        self._lamps = map_lights(entries)
        self._shown = [DARK] * sum(e.count for e in entries if e.kind in messages.LIGHT_KINDS)
        self._drift = DriftWatch([rest for rest, _ in self._spots()])
        expected = sum(e.count for e in entries if e.kind in SPOT_KINDS)
        if len(self._spots()) != expected:
            raise DeviceError(
                f"This table has {expected} spots, its profile {len(self._spots())}: set the table up anew.",
                DeviceFault.UNREADABLE,
            )

    def _spots(self) -> Sequence[tuple[int, int]]:
        count = len(self._reader.map.spots) if self._reader else 0
        return self._profile.spots or (START_TUNING,) * count

    @property
    def _is_tuned(self) -> bool:
        return self._link.config == messages.config_check(self._profile.windows, self._spots())

    def _tune(self, now_s: float) -> None:
        if self._is_tuned or self._link.unanswered or now_s - self._tuned_s < TUNE_AGAIN_S:
            return
        self._tuned_s = now_s
        self._is_news = True
        self._link.send(messages.windows(0, self._profile.windows))
        spots = self._spots()
        for first in range(0, len(spots), TUNE_MOST):
            self._link.send(messages.tune(first, spots[first : first + TUNE_MOST]))
        self._link.send(messages.keep())

    def _light(self) -> None:
        if self._link.unanswered:
            return
        with self._lock:
            wanted = dict(self._wanted)
            while self._commands:
                self._link.send(self._commands.popleft())
        colours = [DARK] * len(self._shown)
        for where, colour in wanted.items():
            if where in self._lamps:
                colours[self._lamps[where]] = dimmed(colour, self._profile.brightness)
        for command in light_commands(self._shown, colours):
            self._link.send(command)
        self._shown = colours

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
            self._lock.notify_all()

    def _watch(self, now_s: float) -> None:
        if now_s - self._health_s >= HEALTH_S:
            self._health_s = now_s
            self._link.ask(What.HEALTH, 0, 0, now_s)
            health = self._judge_health(self._port_name)
            with self._lock:
                self._health = health
        if now_s - self._raw_s >= self.raw_every_s and self._reader is not None:
            self._raw_s = now_s
            self._link.ask(What.RAW, 0, len(self._reader.map.spots), now_s)

    def _take_raw(self, raw: RawReadings) -> None:
        if self._reader is None or self._drift is None:
            return
        with self._lock:
            self._raw.update(enumerate(raw.readings, raw.first))
        values = self._link.slots.values
        for spot, slot in list(enumerate(self._reader.map.spots))[raw.first :][: len(raw.readings)]:
            if values[slot] == EMPTY:
                self._drift.see(spot, raw.readings[spot - raw.first])

    def _judge_health(self, port: str | None) -> TableHealth:
        link, reader, board = self._link, self._reader, self._board_health
        hello = link.hello
        dead = board.dead if board else 0
        readers = reader.map.readers if reader else []
        spots = reader.map.spots if reader else []
        drift = self._drift
        return TableHealth(
            port=port,
            firmware=".".join(map(str, hello.firmware)) if hello else "",
            round_trip_ms=None if link.round_trip_s is None else link.round_trip_s * 1000,
            frames=link.counters.frames,
            bad=link.bad_frames,
            lost=link.counters.lost,
            board=board,
            dead_readers=tuple(cell for i, cell in enumerate(readers) if dead >> i & 1),
            unclear_spots=tuple(i for i, slot in enumerate(spots) if link.slots.values[slot] == UNCLEAR),
            wandering_spots=drift.wandering() if drift else (),
            noise={i: drift.noise(i) for i in range(len(spots))} if drift else {},
            foreign=dict(reader.foreign) if reader else {},
        )
