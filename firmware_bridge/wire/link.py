"""The host's end of the wire protocol (docs/protocol.md): no port, no thread, no clock.

Bytes and times go in, bytes and news come out; a captured stream can be replayed through it.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.errors import MalformedError
from firmware_bridge.wire import messages
from firmware_bridge.wire.board_clock import BoardClock
from firmware_bridge.wire.command_queue import CommandQueue
from firmware_bridge.wire.framing import Deframer, WireFrame, encode
from firmware_bridge.wire.geometries import Atlas
from firmware_bridge.wire.messages import (
    MAJOR,
    MINOR,
    Alive,
    Command,
    Done,
    Events,
    Flag,
    GeometryEntry,
    GeometryPart,
    Health,
    Hello,
    RawReadings,
    SlotValues,
    Type,
    What,
)
from firmware_bridge.wire.news import (
    AtOdds,
    Counters,
    Finished,
    Happened,
    Mismatch,
    Missed,
    News,
    Opened,
    Over,
    Unanswered,
    Whole,
)
from firmware_bridge.wire.slots import SlotTable, ahead_by

OPEN_AGAIN_S: Final = 0.060
GET_AGAIN_S: Final = 0.060
ACK_AT_LEAST_S: Final = 0.250
NAK_AT_MOST_S: Final = 0.020
STALLED_S: Final = 2.0
GET_SIZES: Final = (64, 40, 24)


class LinkPhase(enum.Enum):
    """The state of the conversation with the board."""

    SILENT = "silent"  # the board has not spoken yet on this port: nothing may be written
    OPENING = "opening"
    OPEN = "open"
    MISMATCH = "mismatch"  # the board speaks another major version


@dataclass(slots=True)
class _Get:
    """A request that is waiting for its answer."""

    what: What
    first: int
    count: int
    asked_s: float
    tries: int = 0


class Link:
    """The engine; `new_session` returns a random 32-bit number for each new session.

    Attributes:
        counters: what went over the line.
        slots: what is known of the board's slots.
        geometry: the board's geometry, () until known.
        hello: the board's last Hello, None before.
        alive: the board's last sign of life in this session, None before.
        round_trip_s: time from a command to its answer, the last one measured (None before).
    """

    def __init__(self, new_session: Callable[[], int]) -> None:
        self.counters = Counters()
        self.slots = SlotTable()
        self.geometry: tuple[GeometryEntry, ...] = ()
        self.hello: Hello | None = None
        self.alive: Alive | None = None
        self.round_trip_s: float | None = None
        self._new_session = new_session
        self._phase = LinkPhase.SILENT
        self._may_write = False
        self._deframer = Deframer()
        self._out = bytearray()
        self._news: list[News] = []
        self._session = 0
        self._boot = 0
        self._number = 0
        self._board_number: int | None = None
        self._heard_s = float("-inf")
        self._wrote_s = float("-inf")
        self._opened_s = float("-inf")
        self._nak_s = float("-inf")
        self._ack_due: bool | None = None  # True: with a request to send again
        self._clock = BoardClock()
        self._proved_s = float("-inf")
        self._is_proved = False
        self._was_whole = False
        self._get: _Get | None = None
        self._atlas = Atlas()
        self._commands = CommandQueue()

    # -- what is so -------------------------------------------------------------------------------

    @property
    def phase(self) -> LinkPhase:
        """The state of the conversation with the board."""
        return self._phase

    @property
    def may_write(self) -> bool:
        """Whether the board has spoken on this port."""
        return self._may_write

    @property
    def bad_frames(self) -> int:
        """Pieces of the stream that were no valid frame."""
        return self._deframer.bad

    @property
    def is_whole(self) -> bool:
        """Whether the slots' values are those of one instant, all of them known."""
        return (
            self._phase is LinkPhase.OPEN
            and self._may_write
            and bool(self.geometry)
            and self.alive is not None
            and self._is_ready
            # After the line was away, an Alive comes before the events made meanwhile.
            and ahead_by(self.alive.next, self.slots.expected) <= 0
            and self.slots.is_whole
        )

    @property
    def proved_s(self) -> float | None:
        """When the board sent the newest Alive that proves the host's picture; None while none does.

        Nothing else proves it: an event may be an old one that comes late, other frames do not concern the
        slots, and one damaged frame in 65,536 passes its check.
        """
        return self._proved_s if self._is_proved and self.is_whole else None

    @property
    def config(self) -> int | None:
        """The check of the board's tuning, None while unknown."""
        return self.alive.config if self.alive else self.hello.config if self.hello else None

    @property
    def unanswered(self) -> int:
        """How many commands are waiting or under way."""
        return len(self._commands)

    def silence_s(self, now_s: float) -> float:
        """Return the time since the last valid frame from the board, or since the port was opened."""
        return now_s - self._heard_s

    def is_stalled(self, now_s: float) -> bool:
        """Whether the board has been silent for too long."""
        return self.silence_s(now_s) > STALLED_S

    # -- in and out -------------------------------------------------------------------------------

    def line_changed(self, now_s: float) -> None:
        """Note that the port was (re)opened: the host is silent until the board speaks again."""
        self._may_write = False
        self._was_whole = self._is_proved = False
        self._deframer.reset()
        self._out.clear()
        self._board_number = None
        self._heard_s = now_s
        self._opened_s = self._wrote_s = float("-inf")
        if self._phase is LinkPhase.MISMATCH:
            self._phase = LinkPhase.SILENT

    def feed(self, data: bytes, now_s: float) -> bool:
        """Take bytes from the board; return whether anything valid was among them."""
        valid = False
        for frame in self._deframer.feed(data):
            self.counters.frames += 1
            try:
                message = messages.parse(frame.type, frame.body)
            except MalformedError:
                self.counters.malformed += 1
                continue
            self._count_lost(frame)
            self._heard_s = now_s
            valid = True
            if message is None:
                self.counters.unknown += 1
            else:
                self._take(message, now_s)
        # One answer for everything that came at once: after a pause it may be a lot.
        if self._ack_due is not None and self._phase is LinkPhase.OPEN:
            self._ack(now_s, again=self._ack_due)
        self._ack_due = None
        self._note_whole()
        return valid

    def poll(self, now_s: float) -> None:
        """Do what is due at this time."""
        if not self._may_write or self.is_stalled(now_s):
            return
        if self._phase is LinkPhase.OPENING:
            self._open(now_s)
        elif self._phase is LinkPhase.OPEN:
            self._ask(now_s)
            self._push_command(now_s)
            if now_s - self._wrote_s >= ACK_AT_LEAST_S:
                self._ack(now_s, again=False)

    def take_output(self) -> bytes:
        """Return and forget the bytes to be written to the board."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def take_news(self) -> list[News]:
        """Return and forget what happened."""
        news, self._news = self._news, []
        return news

    def send(self, command: Command) -> int:
        """Queue a command; return the ticket that `Finished` or `Unanswered` will name."""
        return self._commands.add(command)

    def ask(self, what: What, first: int, count: int, now_s: float) -> None:
        """Ask once for raw readings or the board's health; the answer is news and may be lost."""
        if self._phase is LinkPhase.OPEN and self._may_write:
            self._write(Type.GET, messages.format_get(self._session, what, first, count, GET_SIZES[0]), now_s)

    # -- what the board says ----------------------------------------------------------------------

    def _take(self, message: messages.FromBoard, now_s: float) -> None:
        match message:
            case Hello():
                self._take_hello(message, now_s)
            case Alive():
                self._take_alive(message, now_s)
            case _ if self._phase is LinkPhase.OPEN and self._may_write:
                self._take_in_session(message, now_s)

    def _take_in_session(self, message: messages.FromBoard, now_s: float) -> None:
        match message:
            case Events():
                self._take_events(message, now_s)
            case Done():
                self._take_done(message, now_s)
            case SlotValues():
                self._take_snapshot(message, now_s)
            case GeometryPart():
                self._take_geometry(message, now_s)
            case RawReadings() | Health():
                self._news.append(message)

    def _take_hello(self, hello: Hello, now_s: float) -> None:
        before, self.hello = self.hello, hello
        if hello.major != MAJOR:
            self._refuse(hello.major, hello.minor)
            return
        self._spoken()
        if self._phase is LinkPhase.OPENING and hello.session == self._session:
            self._begin(hello)
        elif self._phase is not LinkPhase.OPEN or (hello.session, hello.boot) != (self._session, self._boot):
            self._start_over("the board started anew" if hello.session == 0 else "another session", now_s)
        elif before is None or not _is_same_board(before, hello):
            self._start_over("the board is another one than it said", now_s)

    def _take_alive(self, alive: Alive, now_s: float) -> None:
        if alive.major != MAJOR:
            self._refuse(alive.major, 0)
            return
        self._spoken()
        ours = (self._session & 0xFFFF, self._boot & 0xFFFF)
        if self._phase is not LinkPhase.OPEN or (alive.session, alive.boot) != ours:
            self._start_over("the board is in another session", now_s)
            return
        self.alive = alive
        sent_s = self._clock.take(alive.uptime_ms, now_s)
        self._skip_lost(alive.oldest)
        self._is_proved = False
        if ahead_by(alive.next, self.slots.expected) > 0:
            self._ack_due = True
        elif self.slots.is_whole and alive.next == self.slots.expected and self._is_ready:
            if alive.digest == self.slots.digest:
                self._is_proved = True
                self._proved_s = max(self._proved_s, sent_s)
            else:
                self.counters.digest_mismatches += 1
                self._doubt()

    def _take_events(self, events: Events, now_s: float) -> None:
        self._skip_lost(events.oldest)
        offset = ahead_by(self.slots.expected, events.first)
        if offset < 0:
            self.counters.holes += 1
            self._ack_due = True
            return
        self.counters.doubles += min(offset, len(events.changes))
        for change in events.changes[offset:]:
            number = self.slots.expected
            self._is_proved = False
            self.slots.take_event(change)
            self.counters.events += 1
            at_s = min(now_s, self._clock.at_s(change.ms))
            self._news.append(Happened(number, change.slot, change.value, at_s))
        self._ack_due = False

    def _take_done(self, done: Done, now_s: float) -> None:
        answered = self._commands.take(done, now_s) if done.session == self._session & 0xFFFF else None
        if answered is None:
            return
        ticket, self.round_trip_s = answered
        self._news.append(Finished(ticket, done.status == 0))
        self._push_command(now_s)

    def _take_snapshot(self, part: SlotValues, now_s: float) -> None:
        self.counters.snapshots += 1
        self._is_proved = False
        if not self.slots.take_snapshot(part.as_of, part.first, part.values):
            return
        get = self._get
        if get and get.what is What.SNAPSHOT:
            is_last = part.first + len(part.values) >= get.first + get.count
            self._get = None if is_last else get
            get.asked_s = now_s
            get.tries = 0 if is_last else get.tries

    def _take_geometry(self, part: GeometryPart, now_s: float) -> None:
        if self.geometry or self.hello is None or part.total != self.hello.entries:
            return
        get = self._get if self._get and self._get.what is What.GEOMETRY else None
        if get:
            get.asked_s = now_s
        try:
            self.geometry = self._atlas.take(part, self.hello)
        except MalformedError as error:
            self._news.append(AtOdds(str(error)))
            return
        if get and part.index + len(part.entries) == part.total:
            self._get = None

    # -- session ----------------------------------------------------------------------------------

    def _spoken(self) -> None:
        if not self._may_write:
            self._may_write = True
            self._out += b"\x00"
        if self._phase is LinkPhase.MISMATCH:
            self._phase = LinkPhase.SILENT

    def _refuse(self, major: int, minor: int) -> None:
        if self._phase is not LinkPhase.MISMATCH:
            self._end("the board speaks another version")
            self._phase = LinkPhase.MISMATCH
            self._news.append(Mismatch((major, minor), (MAJOR, MINOR)))

    def _start_over(self, reason: str, now_s: float) -> None:
        if self._phase is not LinkPhase.OPENING:
            self._end(reason)
            self._phase = LinkPhase.OPENING
            self._session = self._new_session() | 1
            self._opened_s = float("-inf")
        self._open(now_s)

    def _begin(self, hello: Hello) -> None:
        self._phase = LinkPhase.OPEN
        self._boot = hello.boot
        self._commands.begin()
        self._clock = BoardClock()
        self._is_proved = False
        self.alive = None
        self._get = None
        self.geometry = ()
        self.slots.start(hello.slots, hello.next)
        self.counters.opens += 1
        self._news.append(Opened(hello))
        try:
            self.geometry = self._atlas.begin(hello)
        except MalformedError as error:
            self._news.append(AtOdds(str(error)))
            self._phase = LinkPhase.SILENT  # nothing may be requested: the session starts again

    def _end(self, reason: str) -> None:
        if self._phase is LinkPhase.OPEN:
            self._news.append(Over(reason))
            self._was_whole = self._is_proved = False
            self.slots.start(len(self.slots.values), 0)
        self._news.extend(Unanswered(ticket) for ticket in self._commands.drop())

    # -- events and snapshots ---------------------------------------------------------------------

    @property
    def _is_ready(self) -> bool:
        return self.alive is not None and bool(self.alive.flags & Flag.READY)

    def _skip_lost(self, oldest: int) -> None:
        first = self.slots.expected
        if ahead_by(oldest, first) > 0:
            self.counters.gaps += 1
            self.slots.jump(oldest)
            self._forget_snapshot()
            self._news.append(Missed(first, oldest))

    def _doubt(self) -> None:
        self.slots.doubt()
        self._forget_snapshot()

    def _forget_snapshot(self) -> None:
        self._was_whole = self._is_proved = False
        if self._get and self._get.what is What.SNAPSHOT:
            self._get = None

    def _note_whole(self) -> None:
        is_whole = self.is_whole
        if is_whole and not self._was_whole:
            self._news.append(Whole())
        self._was_whole = is_whole

    def _ask(self, now_s: float) -> None:
        if self._get and now_s - self._get.asked_s < GET_AGAIN_S:
            return
        tries = self._get.tries + 1 if self._get else 0
        self._get = self._wanted(tries, now_s)
        if self._get:
            most = GET_SIZES[min(tries // 2, len(GET_SIZES) - 1)]
            get = self._get
            body = messages.format_get(self._session, get.what, get.first, get.count, most)
            self._write(Type.GET, body, now_s)

    def _wanted(self, tries: int, now_s: float) -> _Get | None:
        hello = self.hello
        if hello and not self.geometry:
            first = self._atlas.first_missing
            return _Get(What.GEOMETRY, first, hello.entries - first, now_s, tries)
        span = self.slots.missing_span() if self._is_ready else None
        return _Get(What.SNAPSHOT, *span, now_s, tries) if span else None

    # -- writing ----------------------------------------------------------------------------------

    def _open(self, now_s: float) -> None:
        if now_s - self._opened_s >= OPEN_AGAIN_S:
            self._opened_s = now_s
            self._write(Type.OPEN, messages.format_open(self._session), now_s)

    def _ack(self, now_s: float, *, again: bool) -> None:
        if again:
            if now_s - self._nak_s < NAK_AT_MOST_S:
                return
            self._nak_s = now_s
        self._write(Type.ACK, messages.format_ack(self._session, self.slots.expected, again=again), now_s)

    def _push_command(self, now_s: float) -> None:
        due = self._commands.due(now_s) if self._phase is LinkPhase.OPEN else None
        if due is None:
            return
        self.counters.repeated_commands += due.is_repeated
        body = messages.format_command(self._session, due.command)
        self._write_numbered(due.command.type, due.number, body, now_s)

    def _write(self, type_: Type, body: bytes, now_s: float) -> None:
        self._number = self._number + 1 & 0xFF
        self._write_numbered(type_, self._number, body, now_s)

    def _write_numbered(self, type_: Type, number: int, body: bytes, now_s: float) -> None:
        self._out += encode(WireFrame(type_, number, body))
        self._wrote_s = now_s

    def _count_lost(self, frame: WireFrame) -> None:
        # A board that restarts counts from 0 again, and announces this with a Hello.
        if self._board_number is not None and frame.type != Type.HELLO:
            self.counters.lost += (frame.number - self._board_number - 1) & 0xFF
        self._board_number = frame.number


def _is_same_board(one: Hello, other: Hello) -> bool:
    """Whether two boards have the same slots and lights; their tuning and events may differ."""
    return (one.slots, one.lights, one.entries, one.geometry) == (
        other.slots, other.lights, other.entries, other.geometry
    )  # fmt: skip
