"""What a board's bytes say, read a second time: written from docs/protocol.md alone, byte by byte.

Nothing of `firmware_bridge` is used, so that a mistake made there is not made here.
"""

from __future__ import annotations

import binascii
from collections.abc import Iterator

Message = dict[str, object]

# Section 5: name and the fields of the body, each with its number of bytes.
_FIXED: dict[int, tuple[str, tuple[tuple[str, int], ...]]] = {
    0x01: (
        "Hello",
        (
            ("magic", 2), ("major", 1), ("minor", 1), ("firmware", 3), ("reset", 1), ("boot", 4),
            ("session", 4), ("abilities", 2), ("slots", 2), ("lights", 2), ("entries", 2), ("geometry", 2),
            ("config", 2), ("next", 2), ("serial", 4),
        ),
    ),
    0x02: (
        "Alive",
        (
            ("magic", 2), ("major", 1), ("flags", 1), ("boot", 2), ("session", 2), ("uptime_ms", 4),
            ("oldest", 2), ("next", 2), ("digest", 2), ("config", 2), ("command", 1),
        ),
    ),
    0x04: ("Done", (("session", 2), ("command", 1), ("status", 1), ("expected", 1))),
    0x08: (
        "Health",
        (
            ("bad", 2), ("overruns", 2), ("resent", 2), ("dropped", 2), ("sweep_ms", 2), ("scan_10us", 2),
            ("free", 2), ("dead", 4),
        ),
    ),
}  # fmt: skip
# Types with a head and then as many rows as there are bytes left.
_ROWS: dict[int, tuple[str, tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]] = {
    0x03: ("Events", (("oldest", 2), ("first", 2)), (("ms", 4), ("slot", 2), ("value", 4))),
    0x06: (
        "Geometry",
        (("index", 1), ("total", 1)),
        (("kind", 1), ("row", 1), ("col", 1), ("first", 1), ("count", 1)),
    ),
    0x07: ("Raw", (("first", 2),), (("reading", 2),)),
}


def messages(stream: bytes) -> Iterator[Message]:
    """Yield what each sound frame of a board's stream says; what is damaged says nothing."""
    *pieces, _unfinished = stream.split(b"\x00")
    for piece in pieces:
        raw = _unstuffed(piece) if 0 < len(piece) <= 65 else None
        if raw is None or not 4 <= len(raw) <= 64:
            continue
        if binascii.crc_hqx(raw[:-2], 0xFFFF) == raw[-2] + 256 * raw[-1]:
            yield _message(raw[0], raw[1], raw[2:-2])


def _unstuffed(piece: bytes) -> bytes | None:
    raw, rest = b"", piece
    while rest:
        count = rest[0]
        if len(rest) < count:
            return None
        raw += rest[1:count]
        rest = rest[count:]
        if rest and count < 255:
            raw += b"\x00"
    return raw


def _message(kind: int, number: int, body: bytes) -> Message:
    if kind in _FIXED:
        name, fields = _FIXED[kind]
        return {"type": name, "number": number, **_fields(fields, body)}
    if kind in _ROWS:
        name, head, row = _ROWS[kind]
        size = sum(count for _, count in head)
        step = sum(count for _, count in row)
        rows = [_fields(row, body[at : at + step]) for at in range(size, len(body), step)]
        return {"type": name, "number": number, **_fields(head, body[:size]), "rows": rows}
    if kind == 0x05:
        found = _fields((("as_of", 2), ("first", 2), ("count", 1)), body[:5])
        return {"type": "Snapshot", "number": number, **found, "values": _vars(body[5:])}
    return {"type": f"unknown {kind:#04x}", "number": number}


def _fields(fields: tuple[tuple[str, int], ...], body: bytes) -> Message:
    found: Message = {}
    for name, count in fields:
        part, body = body[:count], body[count:]
        found[name] = list(part) if name == "firmware" else int.from_bytes(part, "little")
    return found


def _vars(body: bytes) -> list[int]:
    values, value, shift = [], 0, 0
    for byte in body:
        value += (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            values.append(value)
            value = shift = 0
    return values
