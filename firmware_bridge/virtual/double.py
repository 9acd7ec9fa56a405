"""A board in Python that speaks the same protocol as the firmware, for computers without a C compiler.

It has no sensors to scan: a change reaches its slot after the time that the firmware would take.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from firmware_bridge.virtual.double_outputs import DoubleOutputs
from firmware_bridge.virtual.double_sensors import READY_US, SPOT_US, TAGS_US, DoubleSensors, standard_entries
from firmware_bridge.wire import messages
from firmware_bridge.wire.framing import Deframer, WireFrame, crc16, encode
from firmware_bridge.wire.messages import (
    MAGIC,
    MAJOR,
    MINOR,
    Ability,
    Alive,
    Change,
    Colour,
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
    mix,
    put_var,
)
from firmware_bridge.wire.slots import ahead_by

BYTE_US: Final = 85
ALIVE_MS: Final = 50
AGAIN_MS: Final = 80
SESSION_MS: Final = 3000
STRANGER_MS: Final = 20
RING: Final = 32
EVENTS_EACH: Final = 5
QUEUE_BYTES: Final = 128


@dataclass(slots=True)
class _Cursor:
    """A question that takes several frames to answer."""

    at: int = 0
    end: int = 0
    most: int = 64


class DoubleBoard:
    """The board's double; see `SimulatedBoard`."""

    def __init__(self, seed: int = 1, entries: Sequence[GeometryEntry] | None = None) -> None:
        self._entries = tuple(entries) if entries is not None else standard_entries()
        self._light_count = sum(e.count for e in self._entries if e.kind in messages.LIGHT_KINDS)
        self._sensors = DoubleSensors(self._entries)
        self._seed = seed
        self._now_us = 0
        self._clock_us = 0
        self._boot = 0
        self._outputs = DoubleOutputs(self._light_count, self._spot_count)
        self.reset(1)

    # -- the face ---------------------------------------------------------------------------------

    @property
    def entries(self) -> tuple[GeometryEntry, ...]:
        """The geometry as the board tells it."""
        return self._entries

    @property
    def now_us(self) -> int:
        """Virtual time, microseconds."""
        return self._now_us

    @property
    def lights(self) -> list[Colour]:
        """What the lights show."""
        return list(self._outputs.shown)

    @property
    def buzzer_hz(self) -> int:
        """What the buzzer sounds."""
        return self._outputs.buzz_hz

    @property
    def next_event(self) -> int:
        """The number of the next event that the board will make."""
        return self._next

    @property
    def digest(self) -> int:
        """The digest of what the board holds."""
        return self._digest

    def made_event(self, number: int) -> tuple[int, int]:
        """Return (slot, value) of an event made since boot."""
        return self._made[number]

    def slot_values(self) -> list[int]:
        """Return what the board holds, slot by slot."""
        return list(self._values)

    def power(self, seed: int) -> None:
        """Start from new: nothing on the table, nothing stored, time zero."""
        self.__init__(seed, self._entries)  # type: ignore[misc]

    def feed(self, data: bytes) -> None:
        """Put bytes on the line to the board."""
        self._coming += data

    def take(self) -> bytes:
        """Return and forget the bytes that have left the board."""
        gone = bytes(self._gone)
        self._gone.clear()
        return gone

    def set_presence(self, cell: int, present: bool) -> None:
        """Put a magnet over the presence sensor of a cell, or take it away."""
        self._sensors.set_presence(cell, present, self._now_us)

    def set_spot(self, spot: int, reading: int, noise: int = 0) -> None:  # noqa: ARG002 -- the double hears none
        """Set a spot's reading."""
        self._sensors.set_spot(spot, reading, self._now_us)

    def set_tags(self, reader: int, uids: Iterable[bytes], missed_permille: int = 0) -> None:  # noqa: ARG002
        """Lay exactly these tags on a reader."""
        self._sensors.set_tags(reader, uids, self._now_us)

    def break_reader(self, reader: int, broken: bool = True) -> None:
        """Disconnect a reader, or connect it again."""
        self._sensors.break_reader(reader, broken, self._now_us)

    def close(self) -> None:
        """Nothing to free."""

    def reset(self, cause: int = 2) -> None:
        """Reset the processor; stored settings stay."""
        self._cause = cause
        self._boot += 1
        self._clock_us = self._now_us
        self._outputs.reset()
        self._values = self._sensors.wake(self._now_us)
        self._digest = sum(mix(s, v) for s, v in enumerate(self._values)) & 0xFFFF
        self._ready = False
        self._coming = bytearray()
        self._line_us = self._now_us
        self._going = bytearray(b"\x00")
        self._gone = bytearray()
        self._deframer = Deframer()
        self._events: list[Change] = []
        self._made: dict[int, tuple[int, int]] = {}
        self._oldest = self._sent = self._again = 0
        self._resent = self._dropped = self._number = 0
        self._session = 0
        self._heard_ms = self._beat_ms = self._progress_ms = 0
        self._stranger_ms = -STRANGER_MS
        self._urgent: dict[str, bytes] = {}
        self._wanted: set[str] = {"hello"}
        self._cursors = {What.GEOMETRY: _Cursor(), What.SNAPSHOT: _Cursor(), What.RAW: _Cursor()}
        self._command = 0
        self._last_status = 0
        self._answer: Done | None = None

    def run(self, us: int) -> None:
        """Let virtual time pass."""
        until = self._now_us + us
        while self._now_us < until:
            self._now_us = min(until, self._now_us + BYTE_US * 2)
            self._receive()
            self._sense()
            self._look_at_clock()
            while len(self._going) < QUEUE_BYTES - 66 and self._send_one():
                pass
            self._transmit()

    # -- line -------------------------------------------------------------------------------------

    def _receive(self) -> None:
        count = (self._now_us - self._line_us) // BYTE_US
        self._line_us += count * BYTE_US
        chunk = bytes(self._coming[:count])
        del self._coming[:count]
        for frame in self._deframer.feed(chunk):
            if not self._take_frame(frame):
                self._deframer.bad += 1
        self._may_send = count

    def _transmit(self) -> None:
        self._gone += self._going[: self._may_send]
        del self._going[: self._may_send]

    # -- sensors ----------------------------------------------------------------------------------

    @property
    def _spot_count(self) -> int:
        return len(self._sensors.readings)

    def _sense(self) -> None:
        for slot, value in self._sensors.found(self._now_us, self._values, self._outputs.classify):
            self._set(slot, value)
        is_settled = self._now_us - self._clock_us >= READY_US and not self._sensors.is_waiting
        if not self._ready and is_settled:
            self._ready = True
            self._wanted.add("alive")

    def _set(self, slot: int, value: int) -> None:
        old = self._values[slot]
        if old == value:
            return
        self._values[slot] = value
        self._digest = self._digest - mix(slot, old) + mix(slot, value) & 0xFFFF
        if self._ready:
            if len(self._events) == RING:
                self._dropped += RING
                self._free(self._next)
            self._made[self._next] = slot, value
            self._events.append(Change(self._ms, slot, value))

    # -- events -----------------------------------------------------------------------------------

    @property
    def _ms(self) -> int:
        return (self._now_us - self._clock_us) // 1000 & 0xFFFF_FFFF

    @property
    def _next(self) -> int:
        return self._oldest + len(self._events) & 0xFFFF

    def _free(self, expected: int) -> None:
        count = expected - self._oldest & 0xFFFF
        if count <= len(self._events):
            del self._events[:count]
            self._oldest = expected
        if ahead_by(self._sent, self._oldest) < 0:
            self._sent = self._oldest
        if ahead_by(self._again, self._oldest) < 0:
            self._again = self._oldest

    def _rewind(self) -> None:
        if ahead_by(self._again, self._sent) < 0:
            self._again = self._sent
        self._sent = self._oldest

    def _look_at_clock(self) -> None:
        now = self._ms
        if self._session and now - self._heard_ms >= SESSION_MS:
            self._session = 0
            self._forget_questions()
            self._wanted.add("hello")
        if now - self._beat_ms >= ALIVE_MS:
            self._beat_ms = now
            self._wanted.add("alive" if self._session else "hello")
        if self._session and self._sent != self._oldest and now - self._progress_ms >= AGAIN_MS:
            self._progress_ms = now
            self._rewind()
        self._outputs.poll(now)

    # -- sending ----------------------------------------------------------------------------------

    def _put(self, type_: Type, body: bytes) -> None:
        self._going += encode(WireFrame(type_, self._number, body))
        self._number = self._number + 1 & 0xFF

    def _send_one(self) -> bool:
        if "hello" in self._wanted:
            self._wanted.discard("hello")
            self._put(Type.HELLO, messages.format_hello(self._hello()))
        elif self._answer:
            self._put(Type.DONE, messages.format_done(self._answer))
            self._answer = None
        elif self._session and self._sent != self._next:
            self._send_events()
        elif "alive" in self._wanted:
            self._wanted.discard("alive")
            if self._session:
                self._put(Type.ALIVE, messages.format_alive(self._alive()))
        else:
            return self._send_answer()
        return True

    def _send_answer(self) -> bool:
        for what, cursor in self._cursors.items():
            if cursor.at < cursor.end:
                if what is What.GEOMETRY:
                    self._send_geometry(cursor)
                elif what is What.SNAPSHOT:
                    self._send_snapshot(cursor)
                else:
                    self._send_raw(cursor)
                return True
        if "health" in self._wanted:
            self._wanted.discard("health")
            dead = sum(1 << reader for reader in self._sensors.broken)
            sweep_ms, scan_10us = TAGS_US // 1000, SPOT_US // 30
            body = Health(self._deframer.bad, 0, self._resent, self._dropped, sweep_ms, scan_10us, 0, dead)
            self._put(Type.HEALTH, messages.format_health(body))
            return True
        return False

    def _hello(self) -> Hello:
        return Hello(
            MAJOR, MINOR, (0, 1, 0), self._cause, self._boot, self._session, sum(Ability),
            self._sensors.slots, self._light_count, len(self._entries),
            crc16(messages.geometry_bytes(self._entries)),
            self._config(), self._next, self._seed,
        )  # fmt: skip

    def _alive(self) -> Alive:
        flags = Flag.READY if self._ready else 0
        return Alive(
            MAJOR, flags, self._boot & 0xFFFF, self._session & 0xFFFF, self._ms, self._oldest, self._next,
            self._digest, self._config(), self._command,
        )  # fmt: skip

    def _config(self) -> int:
        return messages.config_check(self._outputs.windows, self._outputs.tuning)

    def _send_events(self) -> None:
        is_again = ahead_by(self._sent, self._again) < 0
        at = self._sent - self._oldest & 0xFFFF
        if at == 0:
            self._progress_ms = self._ms
        changes = tuple(self._events[at : at + (1 if is_again else EVENTS_EACH)])
        self._resent += is_again
        self._put(Type.EVENTS, messages.format_events(Events(self._oldest, self._sent, changes)))
        self._sent = self._sent + len(changes) & 0xFFFF

    def _send_geometry(self, cursor: _Cursor) -> None:
        count = min(cursor.end - cursor.at, (cursor.most - 6) // 5)
        part = self._entries[cursor.at : cursor.at + count]
        self._put(Type.GEOMETRY, messages.format_geometry(GeometryPart(cursor.at, len(self._entries), part)))
        cursor.at += count

    def _send_snapshot(self, cursor: _Cursor) -> None:
        first, room = cursor.at, cursor.most - 9
        values: list[int] = []
        while cursor.at < cursor.end and (room := room - len(put_var(self._values[cursor.at]))) >= 0:
            values.append(self._values[cursor.at])
            cursor.at += 1
        part = SlotValues(self._next, first, tuple(values))
        self._put(Type.SNAPSHOT, messages.format_snapshot(part))

    def _send_raw(self, cursor: _Cursor) -> None:
        count = min(cursor.end - cursor.at, (cursor.most - 6) // 2)
        part = RawReadings(cursor.at, tuple(self._sensors.readings[cursor.at : cursor.at + count]))
        self._put(Type.RAW, messages.format_raw(part))
        cursor.at += count

    # -- receiving --------------------------------------------------------------------------------

    def _forget_questions(self) -> None:
        for cursor in self._cursors.values():
            cursor.at = cursor.end = 0
        self._wanted.discard("health")
        self._answer = None
        self._outputs.darken()

    def _take_frame(self, frame: WireFrame) -> bool:
        body = frame.body
        if frame.type == Type.OPEN:
            return self._take_open(body)
        is_command = Type.LIGHTS <= frame.type <= Type.KEEP
        if not is_command and frame.type not in (Type.ACK, Type.GET):
            return True
        if len(body) < 2:
            return False
        if self._session == 0 or int.from_bytes(body[:2], "little") != self._session & 0xFFFF:
            if self._ms - self._stranger_ms >= STRANGER_MS:
                self._stranger_ms = self._ms
                self._wanted.add("hello")
            return True
        self._heard_ms = self._ms
        if is_command:
            return self._take_command(frame)
        return self._take_ack(body) if frame.type == Type.ACK else self._take_get(body)

    def _take_open(self, body: bytes) -> bool:
        if len(body) != 8 or body[:2] != MAGIC:
            return False
        session = int.from_bytes(body[4:], "little")
        self._wanted.add("hello")
        if body[2] != MAJOR or not session & 0xFFFF:
            return True
        self._heard_ms = self._ms
        self._wanted.add("alive")
        if session != self._session:
            self._session = session
            self._command = 0
            self._free(self._next)
            self._forget_questions()
        return True

    def _take_ack(self, body: bytes) -> bool:
        if len(body) != 5:
            return False
        _, expected, flags = struct.unpack("<HHB", body)
        oldest = self._oldest
        self._free(expected)
        if self._oldest != oldest:
            self._progress_ms = self._ms
        if flags & 1:
            self._rewind()
        return True

    def _take_get(self, body: bytes) -> bool:
        if len(body) != 8:
            return False
        _, what, first, count, most = struct.unpack("<HBHHB", body)
        if what == What.HELLO:
            self._wanted.add("hello")
        elif what == What.HEALTH:
            self._wanted.add("health")
        elif what in self._cursors:
            last = {What.GEOMETRY: len(self._entries), What.SNAPSHOT: self._sensors.slots}
            end = min(first + count, last.get(what, self._spot_count))
            self._cursors[What(what)] = _Cursor(first, end, max(16, min(64, most)))
        return True

    def _take_command(self, frame: WireFrame) -> bool:
        status = self._outputs.carry_out(frame, self._ms) if frame.number == self._command else 0
        if self._outputs.is_retuned:
            self._outputs.is_retuned = False
            self._sensors.look_again(self._now_us)
        if status is None:
            return False
        if frame.number == self._command:
            self._last_status = status
            self._command = self._command + 1 & 0xFF
        elif frame.number == self._command - 1 & 0xFF:
            status = self._last_status
        else:
            status = 2
        self._answer = Done(self._session & 0xFFFF, frame.number, status, self._command)
        return True
