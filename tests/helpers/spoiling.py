"""Spoiling files as accidents and malice do: flipped and missing bytes, odd values, swelling zips."""

from __future__ import annotations

import io
import json
import random
import sqlite3
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

from companion.session.journal import JournalEntry, _first_seal, _sealed

Spoil: TypeAlias = Callable[[bytes, random.Random], bytes]

# JSON as it is written, well or badly: whatever stands somewhere may be replaced by one of these.
ODD_VALUES: Final = (
    "null", "true", "false", "0", "1", "-1", "7", "2000", "0.5", "-0.0", "1e-320", "1e308", "1e999", "-1e999",
    "NaN", "Infinity", "-Infinity", str(2**31), str(2**63), str(2**64), "9" * 400, "9" * 5000, "0x10", "01",
    '""', '"x"', '"?"', '"0,0"', '"2,2"', '"-0,1"', '"99,99"', '"\\ud800"', '"\\u0000"', '"a\\nb"', '"%3A:>"',
    '"../../x"', '"/dev/zero"', '"' + "x" * 100_000 + '"', '"' + "\\u001b[2J" * 50 + '"', "[]", "{}", "[[]]",
    "[0]", "[null]", '["?"]', "[0,0,0,0]", '{"":""}', '{"x":[]}', "[1,2],", "'x'", "[" * 900 + "]" * 900,
    "[" * 100_000, '{"a":' * 2000 + "1" + "}" * 2000, "[" + "0," * 700_000 + "0]",
)  # fmt: skip
_RAW: Final = "@odd@"
_DOUBLE: Final = "@double@"
_SWOLLEN: Final = bytes(90_000_000)


def spoil_bytes(content: bytes, rng: random.Random) -> bytes:
    """Return the bytes with a few of them changed, missing or doubled."""
    found = bytearray(content)
    at = rng.randrange(len(found) + 1)
    match rng.randrange(7):
        case 0:
            for _ in range(rng.choice((1, 1, 3, 20))):
                if found:
                    found[rng.randrange(len(found))] ^= 1 << rng.randrange(8)
        case 1:
            del found[at:]
        case 2:
            del found[at : at + rng.choice((1, 4, 100))]
        case 3:
            found[at:at] = rng.choice((b"\x00", b"\xff", b"\xef\xbb\xbf", b"\r\n", b"\n\n", b"\xed\xa0\x80"))
        case 4:
            found[at:at] = found[max(at - 200, 0) : at]
        case 5:
            found[at : at + 4] = rng.randbytes(4)
        case _:
            return rng.choice((b"", b"\x00" * 64, rng.randbytes(200), b"[" * 200_000, b"{}", b"null", b"\n"))
    return bytes(found)


def spoil_json(content: bytes, rng: random.Random) -> bytes:
    """Return a JSON text, or lines of JSON, with one value replaced, removed, doubled or moved elsewhere."""
    if rng.random() < 0.25:
        return spoil_bytes(content, rng)
    lines = content.splitlines(keepends=True)
    try:
        json.loads(content)
        lines = [content]
    except ValueError:
        pass
    number = rng.randrange(len(lines))
    try:
        value = json.loads(lines[number])
    except ValueError:
        return spoil_bytes(content, rng)
    lines[number] = _with_one_odd(value, rng).encode("utf-8", "surrogatepass") + b"\n" * (len(lines) > 1)
    if rng.random() < 0.05:
        rng.shuffle(lines)
    return b"".join(lines)


def _with_one_odd(value: Any, rng: random.Random) -> str:
    """Return the value as JSON in which one thing is as nobody expects it."""
    spots = list(_spots(value))
    if not spots:
        return rng.choice(ODD_VALUES)
    parent, key = rng.choice(spots)
    double = odd = ""
    fate = rng.random()
    if fate < 0.12:
        del parent[key]
    elif fate < 0.2 and isinstance(parent, dict):
        double = str(key)
        parent[_DOUBLE] = parent[key]
    elif fate < 0.25 and isinstance(parent, dict):
        parent[rng.choice(("", "x", "\ud800", "a:b", "-1", "99"))] = parent[key]
    elif fate < 0.35:
        parent[key] = json.loads(json.dumps(_at(*rng.choice(spots))))
    else:
        odd = rng.choice(ODD_VALUES)
        parent[key] = _RAW
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5)
    return text.replace(f'"{_DOUBLE}"', json.dumps(double)).replace(f'"{_RAW}"', odd)


def _spots(value: Any) -> Iterator[tuple[Any, Any]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        yield value, key
        yield from _spots(item)


def _at(parent: Any, key: Any) -> Any:
    return parent[key]


def spoil_zip(content: bytes, rng: random.Random) -> bytes:
    """Return a zip of which a member, its directory or its packing is not as it should be."""
    if rng.random() < 0.3:
        return spoil_bytes(content, rng)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    number = rng.randrange(len(members))
    name, inside = members[number]
    kind = zipfile.ZIP_DEFLATED
    match rng.randrange(8):
        case 0:
            members.append((name, inside))
        case 1:
            members.append((rng.choice(("../x", "/x", "x.png", "readme", "a\\b.png", "x/")), b"x"))
        case 2:
            del members[number]
        case 3:
            members[number] = (name, rng.choice((_SWOLLEN, b"[" * 5_000_000, b"{}\n" * 3_000_000)))
        case 4:
            kind = rng.choice((zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_STORED))
        case _:
            members[number] = (name, spoil_named(name, inside, rng))
    packed = _zip(members, kind)
    if rng.random() < 0.3:
        return _lying_zip(packed, rng)
    return spoil_bytes(packed, rng) if kind != zipfile.ZIP_DEFLATED else packed


def _zip(members: list[tuple[str, bytes]], kind: int) -> bytes:
    written = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a name that occurs twice is meant
        with zipfile.ZipFile(written, "w", kind) as archive:
            for name, inside in members:
                archive.writestr(name, inside)
    return written.getvalue()


def _lying_zip(packed: bytes, rng: random.Random) -> bytes:
    """Return a zip whose directory tells something else of a member: its size, packing, flags or place."""
    entries = [at for at in range(len(packed) - 46) if packed.startswith(b"PK\x01\x02", at)]
    if not entries:
        return packed
    found = bytearray(packed)
    offset, form = rng.choice(((24, "<I"), (20, "<I"), (10, "<H"), (8, "<H"), (42, "<I"), (16, "<I")))
    odd = rng.choice((0, 1, 12, 14, 99, 2**16 - 1)) if form == "<H" else rng.choice((0, 9, 2**31, 2**32 - 1))
    struct.pack_into(form, found, rng.choice(entries) + offset, odd)
    return bytes(found)


def spoil_picture(content: bytes, rng: random.Random) -> bytes:
    """Return a picture that is damaged, most of all in its head."""
    found = bytearray(spoil_bytes(content, rng)) if rng.random() < 0.4 else bytearray(content)
    for _ in range(rng.randrange(4)):
        if len(found) > 8:
            at = rng.randrange(min(len(found) - 4, 200))
            found[at : at + rng.choice((1, 2, 4))] = rng.choice(
                (b"\xff\xff", b"\x7f", b"\x00\x00", b"\x80\x00")
            )
    return bytes(found)


def spoil_journal(content: bytes, rng: random.Random, file: Path) -> bytes:
    """Return a journal that is damaged, or whose seals were made anew over something odd."""
    if rng.random() < 0.3:
        return spoil_bytes(content, rng)
    file.write_bytes(content)
    connection = sqlite3.connect(file, isolation_level=None)
    try:
        _craft(connection, rng)
    except (sqlite3.Error, UnicodeError):  # what SQLite itself does not take
        pass
    finally:
        connection.close()
    return file.read_bytes()


def _craft(connection: sqlite3.Connection, rng: random.Random) -> None:
    connection.execute(f"PRAGMA journal_mode = {rng.choice(('DELETE', 'WAL'))}")
    connection.execute("DROP TRIGGER entries_stay")
    connection.execute("DROP TRIGGER entries_last")
    match rng.randrange(8):
        case 0:
            connection.execute("ALTER TABLE entries RENAME TO others")
            endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
            columns = "i AS number, 'undo' AS kind, '{}' AS json, 0.0 AS at_s, NULL AS data, '' AS seal"
            connection.execute(f"CREATE VIEW entries AS {endless} SELECT {columns} FROM n")
        case 1:
            column = rng.choice(("json", "at_s", "data", "seal"))
            connection.execute(f"UPDATE entries SET {column} = ?", (rng.choice((1, "x", b"\xff", 2.5)),))
        case 2:
            header = _with_one_odd(json.loads(*connection.execute("SELECT json FROM header").fetchone()), rng)
            connection.execute("UPDATE header SET json = ?, seal = ?", (header, _first_seal(header)))
            _seal_again(connection, -1, "", rng)
        case _:
            rows = connection.execute("SELECT number, json FROM entries").fetchall()
            number, body = rng.choice(rows)
            _seal_again(connection, number, _with_one_odd(json.loads(body), rng), rng)


def _seal_again(connection: sqlite3.Connection, changed: int, body: str, rng: random.Random) -> None:
    """Give all entries seals that hold, one of them with another body."""
    (seal,) = connection.execute("SELECT seal FROM header").fetchone()
    rows = connection.execute("SELECT number, kind, json, at_s, data FROM entries ORDER BY number").fetchall()
    for number, before, whole, at_s, data in rows:
        text, kind = whole, before
        if number == changed:
            text = body
            kind = rng.choice((before, before, before, "correct", "confirm", "undo", "redo", "evidence"))
        entry = JournalEntry(number=number, kind=kind, body={}, at_s=at_s, data=data)
        seal = _sealed(seal, entry, text)
        connection.execute(
            "UPDATE entries SET kind = ?, json = ?, seal = ? WHERE number = ?", (kind, text, seal, number)
        )


def spoil_named(name: str, content: bytes, rng: random.Random) -> bytes:
    """Return a file spoiled as befits its name."""
    ending = name.rpartition(".")[2].lower()
    if ending in ("json", "jsonl", "ring", "log"):
        return spoil_json(content, rng)
    if ending in ("png", "jpg", "bmp", "webp", "tif", "ppm", "gif"):
        return spoil_picture(content, rng)
    return spoil_zip(content, rng) if ending == "zip" else spoil_bytes(content, rng)
