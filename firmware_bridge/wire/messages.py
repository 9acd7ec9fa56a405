"""Frames to messages and back (docs/protocol.md, sections 4 to 6): plain values, strict lengths."""

from __future__ import annotations

import enum
import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from companion.errors import MalformedError
from firmware_bridge.wire.framing import crc16

MAJOR: Final = 1
MINOR: Final = 0
MAGIC: Final = b"MT"

EMPTY: Final = 0
UNCLEAR: Final = 15
TAG_BIT: Final = 0x8000_0000


class Type(enum.IntEnum):
    """The types of frames."""

    HELLO = 0x01
    ALIVE = 0x02
    EVENTS = 0x03
    DONE = 0x04
    SNAPSHOT = 0x05
    GEOMETRY = 0x06
    RAW = 0x07
    HEALTH = 0x08
    OPEN = 0x41
    ACK = 0x42
    GET = 0x43
    LIGHTS = 0x50
    FILL = 0x51
    BUZZ = 0x52
    TUNE = 0x53
    WINDOWS = 0x54
    KEEP = 0x55


class What(enum.IntEnum):
    """What a Get asks for."""

    HELLO = 0
    GEOMETRY = 1
    SNAPSHOT = 2
    RAW = 3
    HEALTH = 4


class Kind(enum.IntEnum):
    """The kinds of geometry entries that this version knows."""

    READER = 0x01
    BOX = 0x02
    OBELISK = 0x03
    SIDE = 0x04
    PRESENCE = 0x05
    CELL_LIGHT = 0x41
    BOX_LIGHT = 0x42
    OBELISK_LIGHT = 0x43


SPOT_KINDS: Final = frozenset({Kind.BOX, Kind.OBELISK, Kind.SIDE})
LIGHT_KINDS: Final = range(0x40, 0x80)
SLOT_KINDS: Final = range(0x00, 0x40)


class Flag(enum.IntFlag):
    """Flags of an Alive."""

    READY = 1
    KEEPING = 2


class Ability(enum.IntFlag):
    """What a board can do, as its Hello says."""

    READERS = 1
    SPOTS = 2
    PRESENCE = 4
    LIGHTS = 8
    BUZZER = 16
    KEEPS = 32


@dataclass(frozen=True, slots=True)
class Hello:
    """The board's description of itself; also the answer to Open. `session` 0 = none."""

    major: int
    minor: int
    firmware: tuple[int, int, int]
    reset: int
    boot: int
    session: int
    abilities: int
    slots: int
    lights: int
    entries: int
    geometry: int
    config: int
    next: int
    serial: int


@dataclass(frozen=True, slots=True)
class Alive:
    """The sign of life: what the board holds and which events it can still send."""

    major: int
    flags: int
    boot: int
    session: int
    uptime_ms: int
    oldest: int
    next: int
    digest: int
    config: int
    command: int


@dataclass(frozen=True, slots=True)
class Change:
    """One event: the slot took this value at this time of the board's clock."""

    ms: int
    slot: int
    value: int


@dataclass(frozen=True, slots=True)
class Events:
    """Events in a row, the first of them numbered `first`."""

    oldest: int
    first: int
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """The answer to a command: status 0 done, 1 refused, 2 not the expected number."""

    session: int
    command: int
    status: int
    expected: int


@dataclass(frozen=True, slots=True)
class SlotValues:
    """The values of some slots in a row, all events before `as_of` included."""

    as_of: int
    first: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GeometryEntry:
    """One entry of the geometry: `count` slots or lights of one kind on one cell."""

    kind: int
    row: int
    col: int
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class GeometryPart:
    """Some entries of the geometry, from number `index` of `total`."""

    index: int
    total: int
    entries: tuple[GeometryEntry, ...]


@dataclass(frozen=True, slots=True)
class RawReadings:
    """Raw readings (0 to 1023) of consecutive spots."""

    first: int
    readings: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Health:
    """The board's own counters; bit n of `dead` = reader n does not answer."""

    bad: int
    overruns: int
    resent: int
    dropped: int
    sweep_ms: int
    scan_10us: int
    free_bytes: int
    dead: int


FromBoard: TypeAlias = Hello | Alive | Events | Done | SlotValues | GeometryPart | RawReadings | Health

_HELLO = struct.Struct("<2sBB3BBIIHHHHHHHI")
_ALIVE = struct.Struct("<2sBBHHIHHHHB")
_CHANGE = struct.Struct("<IHI")
_DONE = struct.Struct("<HBBB")
_HEALTH = struct.Struct("<HHHHHHHI")
_ENTRY = struct.Struct("<5B")


def tag_value(uid: bytes) -> int:
    """Return the slot value of a tag with this serial number (4, 7 or 10 bytes)."""
    return zlib.crc32(uid) | TAG_BIT


def mix(slot: int, value: int) -> int:
    """Return the part of the digest that one slot contributes."""
    h = (slot * 0x9E37 + (value & 0xFFFF)) & 0xFFFF
    h ^= h >> 7
    h = (h * 0x2C1B + (value >> 16)) & 0xFFFF
    h ^= h >> 9
    h = (h * 0x297B) & 0xFFFF
    return h ^ h >> 8


def put_var(value: int) -> bytes:
    """Return a u32 as `var`."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def take_vars(data: bytes, count: int) -> tuple[int, ...]:
    """Return `count` values that fill `data` exactly; raises MalformedError."""
    values: list[int] = []
    value = shift = 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            if value > 0xFFFF_FFFF or (shift > 7 and not byte):
                raise MalformedError(f"value {value:#x} is not the shortest form of a u32")
            values.append(value)
            value = shift = 0
        elif shift > 28:
            raise MalformedError("value of more than 5 bytes")
    if shift or len(values) != count:
        raise MalformedError(f"{len(values)} values, {count} announced")
    return tuple(values)


def _parse_hello(body: bytes) -> Hello:
    magic, major, minor, f0, f1, f2, *rest = _HELLO.unpack(body)
    _check_magic(magic)
    return Hello(major, minor, (f0, f1, f2), *rest)


def _parse_alive(body: bytes) -> Alive:
    magic, *rest = _ALIVE.unpack(body)
    _check_magic(magic)
    return Alive(*rest)


def _check_magic(magic: bytes) -> None:
    if magic != MAGIC:
        raise MalformedError(f"no Moontable board: {magic!r}")


def _parse_events(body: bytes) -> Events:
    oldest, first = struct.unpack_from("<HH", body)
    if not 14 <= len(body) <= 54:
        raise MalformedError(f"events of {len(body)} bytes")
    return Events(oldest, first, tuple([Change(*c) for c in _CHANGE.iter_unpack(body[4:])]))


def _parse_snapshot(body: bytes) -> SlotValues:
    as_of, first, count = struct.unpack_from("<HHB", body)
    if not count:
        raise MalformedError("snapshot of no slots")
    return SlotValues(as_of, first, take_vars(body[5:], count))


def _parse_geometry(body: bytes) -> GeometryPart:
    index, total = struct.unpack_from("<BB", body)
    entries = tuple([GeometryEntry(*e) for e in _ENTRY.iter_unpack(body[2:])])
    if not entries or index + len(entries) > total:
        raise MalformedError(f"{len(entries)} entries from {index} of {total}")
    return GeometryPart(index, total, entries)


def _parse_raw(body: bytes) -> RawReadings:
    words = [w for (w,) in struct.iter_unpack("<H", body)]
    if not 2 <= len(words) <= 30 or max(words[1:]) > 1023:
        raise MalformedError(f"{len(words)} raw words")
    return RawReadings(words[0], tuple(words[1:]))


_PARSERS = {
    Type.HELLO: _parse_hello,
    Type.ALIVE: _parse_alive,
    Type.EVENTS: _parse_events,
    Type.DONE: lambda body: Done(*_DONE.unpack(body)),
    Type.SNAPSHOT: _parse_snapshot,
    Type.GEOMETRY: _parse_geometry,
    Type.RAW: _parse_raw,
    Type.HEALTH: lambda body: Health(*_HEALTH.unpack(body)),
}


def parse(type_: int, body: bytes) -> FromBoard | None:
    """Return the message of a board's frame, None for a type that this version does not know.

    Raises MalformedError if the body does not have the form of its type.
    """
    parser = _PARSERS.get(type_)  # type: ignore[call-overload]
    if parser is None:
        return None
    try:
        return parser(body)  # type: ignore[no-any-return]
    except struct.error as error:
        raise MalformedError(f"frame of type {type_:#04x} with {len(body)} bytes") from error


def format_hello(m: Hello) -> bytes:
    """Return the body of a Hello."""
    return _HELLO.pack(
        MAGIC, m.major, m.minor, *m.firmware, m.reset, m.boot, m.session, m.abilities, m.slots, m.lights,
        m.entries, m.geometry, m.config, m.next, m.serial,
    )  # fmt: skip


def format_alive(m: Alive) -> bytes:
    """Return the body of an Alive."""
    return _ALIVE.pack(
        MAGIC,
        m.major,
        m.flags,
        m.boot,
        m.session,
        m.uptime_ms,
        m.oldest,
        m.next,
        m.digest,
        m.config,
        m.command,
    )


def format_events(m: Events) -> bytes:
    """Return the body of Events."""
    head = struct.pack("<HH", m.oldest, m.first)
    return head + b"".join(_CHANGE.pack(c.ms, c.slot, c.value) for c in m.changes)


def format_done(m: Done) -> bytes:
    """Return the body of a Done."""
    return _DONE.pack(m.session, m.command, m.status, m.expected)


def format_snapshot(m: SlotValues) -> bytes:
    """Return the body of a Snapshot."""
    head = struct.pack("<HHB", m.as_of, m.first, len(m.values))
    return head + b"".join(put_var(value) for value in m.values)


def format_geometry(m: GeometryPart) -> bytes:
    """Return the body of a Geometry."""
    return bytes((m.index, m.total)) + geometry_bytes(m.entries)


def geometry_bytes(entries: Iterable[GeometryEntry]) -> bytes:
    """Return the entries as they are sent and checked."""
    return b"".join(_ENTRY.pack(e.kind, e.row, e.col, e.first, e.count) for e in entries)


def format_raw(m: RawReadings) -> bytes:
    """Return the body of a Raw."""
    return struct.pack(f"<H{len(m.readings)}H", m.first, *m.readings)


def format_health(m: Health) -> bytes:
    """Return the body of a Health."""
    return _HEALTH.pack(m.bad, m.overruns, m.resent, m.dropped, m.sweep_ms, m.scan_10us, m.free_bytes, m.dead)


# -- what the host sends ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Command:
    """Something to be executed exactly once: a frame type and its body after the session."""

    type: Type
    payload: bytes


Colour: TypeAlias = tuple[int, int, int]
Window: TypeAlias = tuple[int, int]
LIGHTS_MOST: Final = 17
TUNE_MOST: Final = 18


def lights(first: int, colours: Iterable[Colour], *, show: bool) -> Command:
    """Return the command that sets up to 17 lights (red, green, blue, 0 to 255) from number `first`."""
    body = b"".join(map(bytes, colours))
    if not 3 <= len(body) <= 3 * LIGHTS_MOST:
        raise ValueError(f"{len(body) // 3} lights in one command")
    return Command(Type.LIGHTS, struct.pack("<HB", first, show) + body)


def fill(first: int, count: int, colour: Colour, *, show: bool) -> Command:
    """Return the command that gives `count` lights one colour."""
    return Command(Type.FILL, struct.pack("<HHB3B", first, count, show, *colour))


def buzz(hz: int, ms: int) -> Command:
    """Return the command that sounds the buzzer, 0 Hz or 0 ms = silence."""
    return Command(Type.BUZZ, struct.pack("<HH", hz, ms))


def tune(spot: int, values: Iterable[tuple[int, int]]) -> Command:
    """Return the command that gives up to 18 spots their (rest, scale), from spot `spot`."""
    body = b"".join(struct.pack("<HB", rest, scale) for rest, scale in values)
    return Command(Type.TUNE, struct.pack("<H", spot) + body)


def windows(first: int, values: Iterable[Window]) -> Command:
    """Return the command that sets class windows (low, high) from class `first`."""
    return Command(Type.WINDOWS, bytes((first,)) + b"".join(struct.pack("<hh", *w) for w in values))


def keep() -> Command:
    """Return the command that makes the board keep its tuning over a power cut."""
    return Command(Type.KEEP, b"")


def config_check(class_windows: Iterable[Window], spots: Iterable[tuple[int, int]]) -> int:
    """Return the `config` that a board tuned like this reports."""
    data = b"".join(struct.pack("<hh", *w) for w in class_windows)
    return crc16(data + b"".join(struct.pack("<HB", rest, scale) for rest, scale in spots))


def format_open(session: int) -> bytes:
    """Return the body of an Open."""
    return MAGIC + struct.pack("<BBI", MAJOR, MINOR, session)


def format_ack(session: int, expected: int, *, again: bool) -> bytes:
    """Return the body of an Ack."""
    return struct.pack("<HHB", session & 0xFFFF, expected, again)


def format_get(session: int, what: What, first: int, count: int, most: int) -> bytes:
    """Return the body of a Get."""
    return struct.pack("<HBHHB", session & 0xFFFF, what, first, count, most)


def format_command(session: int, command: Command) -> bytes:
    """Return the body of a command in this session."""
    return struct.pack("<H", session & 0xFFFF) + command.payload
