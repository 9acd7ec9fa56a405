"""The conversation with a board, one round at a time: survives unplugging, resets, hangs and a new port name.

It has no thread and no clock: `firmware_bridge.session` runs it in a thread, a demo in virtual time.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from calibration.sensor_steps import SensorScan, TableShape
from calibration.sensors import SensorProfile
from companion import log
from companion.errors import DeviceError, DeviceFault
from companion.i18n import Message, msg
from companion.observation import Observation
from companion.table import Place
from firmware_bridge.health import HealthWatch, TableHealth
from firmware_bridge.outputs import Outputs, Tuner
from firmware_bridge.port import Finder, Opener, Port, SerialPort, find_ports
from firmware_bridge.reader import SlotReader, look_at, shape_of
from firmware_bridge.recording import Chunk, FrameLog
from firmware_bridge.wire.link import STALLED_S, Link, LinkPhase
from firmware_bridge.wire.messages import Colour, GeometryEntry, Health, RawReadings, What
from firmware_bridge.wire.news import (
    AtOdds,
    Finished,
    Happened,
    Mismatch,
    News,
    Opened,
    Over,
    Unanswered,
    Whole,
)

REPEAT_S: Final = 0.25
# What the board proved longer ago than this is not reported as the current table.
CURRENT_S: Final = 0.25
SPEAK_S: Final = 3.0  # a bootloader keeps an Arduino silent for up to two seconds
REOPEN_S: Final = 10.0  # a board that hangs is reset by opening its port again
# A board that speaks for this long without proving its picture has a bad line.
UNPROVED_S: Final = 5.0
# A round counts for at most this: if it took longer, the computer was busy, not the board silent.
ROUND_MOST_S: Final = 0.05
HEALTH_S: Final = 2.0
RAW_S: Final = 10.0
SILENT_WORDS: Final = msg("The sensor table has stopped sending: unplug it and plug it in again.")
BAD_LINE_WORDS: Final = msg("Only damaged data comes from the sensor table: check its cable and plugs.")
AT_ODDS_WORDS: Final = msg(
    "The sensor table's description of itself is inconsistent: flash its firmware again."
)


class BoardTalk:
    """The conversation with one sensor table; call `step` again and again.

    Everything but `step` and `let_go` may be used from any thread.

    Attributes:
        raw_every_s: how often all spots' raw readings are asked for; a set-up wants them more often.
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
        new_session: Callable[[], int] = lambda: secrets.randbits(32),
    ) -> None:
        self.raw_every_s = RAW_S
        self._profile = profile
        self._finder: Finder = finder if port is None else (lambda: [port])
        self._opener = opener
        self._clock = clock
        self._frame_log = frame_log
        self._name = name
        self._link = Link(new_session)
        self._reader: SlotReader | None = None
        self._news: list[News] = []  # what the link has reported and nobody has taken yet
        self._port: Port | None = None
        self._port_name: str | None = None  # where the table was found last
        self._is_found = False
        self._untried: list[str] = []
        self._first_fault: DeviceError | None = None
        self._last_words = ""
        self._round_s = float("-inf")
        self._silent_s = self._unproved_s = 0.0
        self._outputs = Outputs(profile.brightness)
        self._tuner = Tuner(profile)
        self._watch = HealthWatch()
        self._seq = 0
        self._told_s = self._health_s = self._raw_s = float("-inf")
        self._is_news = False
        self._lock = threading.Lock()
        self._latest: Observation | None = None
        self._health = TableHealth()

    # -- for everyone ----------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name that players recognise."""
        return self._name

    def show(self, lit: Mapping[Place, Colour]) -> None:
        """Light exactly these places; this survives unplugging and resets."""
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
        """Whether lights are changing just now, which a camera could mistake for a movement."""
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
    def entries(self) -> Sequence[GeometryEntry]:
        """The board's geometry, () until it is known."""
        with self._lock:
            return self._link.geometry

    @property
    def raw_readings(self) -> Mapping[int, int]:
        """The last raw reading of every spot, by number; see `raw_every_s`."""
        with self._lock:
            return dict(self._watch.raw)

    @property
    def corrected_rests(self) -> Sequence[int] | None:
        """The rest of every spot, corrected for drift; None while nothing was watched."""
        with self._lock:
            return self._watch.corrected_rests()

    def look(self) -> SensorScan | None:
        """Return a scan for the set-up (`calibration.sensor_steps`), None while it is not known."""
        with self._lock:
            if self._link.proved_s is None or self._reader is None:
                return None
            if len(self._watch.raw) < len(self._reader.map.spots):
                return None
            return look_at(self._link.geometry, self._link.slots.values, self._watch.raw)

    @property
    def shape(self) -> TableShape | None:
        """What the table has, None before its geometry is known."""
        with self._lock:
            return shape_of(self._link.geometry) if self._link.geometry else None

    @property
    def slot_values(self) -> Sequence[int]:
        """The board's slots as last known, for the set-up (15 where unclear)."""
        with self._lock:
            return list(self._link.slots.values)

    # -- round by round ---------------------------------------------------------------------------

    @property
    def rests(self) -> bool:
        """Whether there is no port to listen to: look again a little later."""
        return self._port is None and not self._untried

    def step(self) -> Observation | None:
        """Do one round: find the table, or read it and answer; return what is new on it, if anything.

        A round takes as long as a port's `read`, a few milliseconds. Raises DeviceError with words to act on,
        once for every fault; the next round goes on from there.
        """
        try:
            seen = self._go_round()
        except DeviceError as error:
            self.let_go()
            self._tell(error)
            return None
        if seen is None and self._is_found:
            self._look_at_line()
        return seen

    def let_go(self) -> None:
        """Close the port, if one is open; safe to call twice."""
        port, self._port, self._is_found = self._port, None, False
        if port is not None:
            port.close()

    def _go_round(self) -> Observation | None:
        if self._port is None:
            self._port = self._opened()
        elif self._is_found:
            return self._round(self._port)
        else:
            self._listen(self._port)
        return None

    def _tell(self, error: DeviceError) -> None:
        """Raise the fault, unless it was raised already and nothing has been seen since."""
        with self._lock:
            self._health = replace(self._judged(None), fault=str(error))
        if str(error) == self._last_words:
            return
        self._last_words = str(error)
        log.bridge.info("fault=%s text=%r", error.fault.value, str(error))
        raise error

    def _look_at_line(self) -> None:
        """Report a table that has gone silent, or whose line is bad."""
        if self._silent_s > STALLED_S:
            self._tell(self._silence())
        elif self._unproved_s > UNPROVED_S:
            self._tell(DeviceError(BAD_LINE_WORDS, DeviceFault.UNREADABLE))

    # -- finding it -------------------------------------------------------------------------------

    def _opened(self) -> Port | None:
        """Return the next port that may be the table's; None if it does not open, but others are left."""
        if not self._untried:
            self._first_fault = None
            self._untried = sorted(self._finder(), key=lambda name: name != self._port_name)
        if not self._untried:
            raise DeviceError(msg("No sensor table was found: plug it in."), DeviceFault.NOT_FOUND)
        try:
            port = self._opener(self._untried.pop(0))
        except DeviceError as error:
            self._pass_on(error)
            return None
        now_s = self._clock()
        self._note(Chunk(now_s, "|", b""))
        with self._lock:
            self._link.line_changed(now_s)
        self._silent_s, self._round_s = 0.0, now_s
        return port

    def _pass_on(self, error: DeviceError) -> None:
        """Continue with the next port; if there is none, raise the error of the first."""
        self._first_fault = self._first_fault or error
        if not self._untried:
            raise self._first_fault

    def _listen(self, port: Port) -> None:
        """Wait until the board on a port has spoken; nothing is written before."""
        try:
            self._hear(port)
            if self._link.phase is LinkPhase.MISMATCH:
                self._take_news()
            if not self._link.may_write and self._silent_s > SPEAK_S:
                raise self._silence()
        except DeviceError as error:
            self.let_go()
            self._pass_on(error)
            return
        if self._link.may_write:
            self._port_name, self._is_found = port.name, True
            self._untried.clear()
            self._unproved_s = 0.0
            self._health_s = float("-inf")  # its health is still that of the earlier session
            log.bridge.info("found port=%s", port.name)

    def _silence(self) -> DeviceError:
        """Return the error of a port on which nothing is heard."""
        name = "" if self._port is None else self._port.name
        if name == self._port_name:
            return DeviceError(SILENT_WORDS, DeviceFault.STALLED)
        return DeviceError(
            msg("The device on {name} is not a sensor table, or it has no firmware: flash it.", name=name),
            DeviceFault.WRONG_FIRMWARE,
        )

    # -- hearing it -------------------------------------------------------------------------------

    def _hear(self, port: Port) -> float:
        """Read what has arrived; return the time."""
        data = port.read()
        now_s = self._clock()
        passed_s = min(now_s - self._round_s, ROUND_MOST_S)
        self._round_s = now_s
        self._silent_s += passed_s
        self._unproved_s += passed_s
        if data:
            self._note(Chunk(now_s, "<", data))
            self._take_in(data, now_s)
        return now_s

    def _take_in(self, data: bytes, now_s: float) -> None:
        """Pass what arrived to the link.

        A reader is replaced together with the session it was made for: another thread finds a reader with the
        geometry and slots it reads, or none.
        """
        with self._lock:
            if self._link.feed(data, now_s):
                self._silent_s = 0.0
            news = self._link.take_news()
            if any(isinstance(item, Opened | Over) for item in news):
                self._reader = None
        self._news.extend(news)

    def _note(self, chunk: Chunk) -> None:
        if self._frame_log is not None:
            self._frame_log.write(chunk)

    def _round(self, port: Port) -> Observation | None:
        now_s = self._hear(port)
        self._take_news()
        if self._silent_s > REOPEN_S:
            raise self._silence()
        if self._link.phase is LinkPhase.OPEN and self._link.geometry:
            self._know_geometry()
            self._is_news |= self._tuner.push(self._link, self._spots, now_s)
            self._outputs.push(self._link)
            self._ask_health(now_s)
        self._link.poll(now_s)
        out = self._link.take_output()
        if out:
            self._note(Chunk(now_s, ">", out))
            port.write(out)
        return self._seen(now_s)

    def _take_news(self) -> None:
        news, self._news = self._news, []
        for item in news:
            match item:
                case Mismatch(board, host):
                    raise DeviceError(_mismatch_words(board, host), DeviceFault.WRONG_VERSION)
                case AtOdds(reason):
                    log.bridge.info("at odds reason=%s", reason)
                    raise DeviceError(AT_ODDS_WORDS, DeviceFault.WRONG_FIRMWARE)
                case Opened() | Over():
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
                    "This table has {expected} spots, its profile {known}: set up the table again.",
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

    def _seen(self, now_s: float) -> Observation | None:
        """Return what is on the table if there is anything new, each time on a new proof."""
        proved_s = self._link.proved_s
        if self._reader is None or proved_s is None or now_s - proved_s > CURRENT_S:
            return None
        passed_s = proved_s - self._told_s
        if passed_s <= 0 or (not self._is_news and passed_s < REPEAT_S):
            return None
        self._is_news = False
        self._told_s, self._unproved_s = proved_s, 0.0
        self._last_words = ""
        self._seq += 1
        seen = self._reader.read(
            self._link.slots.values,
            source=self._name,
            seq=self._seq,
            seen_at_s=proved_s,
            spots_known=self._is_tuned,
        )
        with self._lock:
            self._latest = seen
        return seen

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
            "The table uses protocol version {theirs}, this program {ours}: update the firmware.",
            theirs=theirs,
            ours=ours,
        )
    return msg(
        "The table uses protocol version {theirs}, this program {ours}: update the program.",
        theirs=theirs,
        ours=ours,
    )
