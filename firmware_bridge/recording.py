"""Every byte of the line with its time, kept in a ring of two files, and played through the engine again."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final, Literal, NamedTuple, TextIO, TypeAlias, cast

from companion import log
from companion.errors import MalformedError
from companion.storage.strict import (
    as_choice,
    as_number,
    as_object,
    as_text,
    named,
    parse_json,
    read_lines,
    shown,
)
from firmware_bridge.wire.framing import Deframer
from firmware_bridge.wire.link import Link
from firmware_bridge.wire.messages import Type
from firmware_bridge.wire.news import Mismatch, Missed, News, Opened, Over, Unanswered

Direction: TypeAlias = Literal["<", ">", "|"]
DIRECTIONS: Final = ("<", ">", "|")
MOST_BYTES: Final = 64 * 2**20
MOST_S: Final = 1e10


class Chunk(NamedTuple):
    """Bytes from the board (``<``), to the board (``>``), or a port newly opened (``|``)."""

    at_s: float
    direction: Direction
    data: bytes


class FrameLog:
    """Writes chunks to a file; at half of `most_bytes` the file becomes ``NAME.old`` and a new one begins.

    Raises OSError if the file cannot be created. If it cannot be written later (a full disk), the log ends
    there; what it logs continues.
    """

    def __init__(self, path: Path, most_bytes: int = 8_000_000) -> None:
        self._path = path
        self._half = most_bytes // 2
        self._file: TextIO | None = path.open("w", encoding="utf-8")

    def write(self, chunk: Chunk) -> None:
        """Add one chunk."""
        if self._file is None:
            return
        line = {"t": round(chunk.at_s, 6), "d": chunk.direction, "hex": chunk.data.hex()}
        try:
            self._file.write(json.dumps(line) + "\n")
            if self._file.tell() > self._half:
                self._file.close()
                self._path.replace(old_part(self._path))
                self._file = self._path.open("w", encoding="utf-8")
        except OSError as error:
            self._give_up(error)

    def close(self) -> None:
        """Close the file; safe to call twice."""
        if self._file is None:
            return
        try:
            self._file.close()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        log.bridge.warning("the frame log ends here file=%s error=%s", self._path, error)
        file, self._file = self._file, None
        if file is not None:
            with contextlib.suppress(OSError):
                file.close()


def old_part(path: Path) -> Path:
    """Return the file that holds the older half of a ring."""
    return path.with_name(path.name + ".old")


def read_log(path: Path) -> Iterator[Chunk]:
    """Yield the chunks of a ring file, oldest first.

    Raises MalformedError with the line at fault, and OSError.
    """
    for part in (old_part(path), path):
        if not part.exists():
            continue
        lines = read_lines(part, MOST_BYTES)
        for number in itertools.count(1):
            with named(f"{part.name}, line {number}"):
                line = next(lines, None)
                if line is None:
                    break
                chunk = _parse_chunk(line)
            yield chunk


def _parse_chunk(line: bytes) -> Chunk:
    found = as_object(parse_json(line), "a chunk", ("t", "d", "hex"))
    at_s = as_number(found["t"], "t", -MOST_S, MOST_S)
    direction = as_choice(found["d"], "d", DIRECTIONS)
    text = as_text(found["hex"], "hex")
    try:
        return Chunk(at_s, cast(Direction, direction), bytes.fromhex(text))
    except ValueError as error:
        raise MalformedError(f"{shown(text)} is not bytes as digits") from error


def replay(chunks: Iterable[Chunk]) -> tuple[Link, list[News]]:
    """Play a recording through a fresh engine; return the engine and all its news.

    The sessions are those of the recording, so that the board's answers fit.
    """
    recorded = list(chunks)
    sessions = iter(_opened_sessions(recorded))
    link = Link(lambda: next(sessions, 1))
    news: list[News] = []
    for chunk in recorded:
        if chunk.direction == "|":
            link.line_changed(chunk.at_s)
        elif chunk.direction == "<":
            link.feed(chunk.data, chunk.at_s)
        link.poll(chunk.at_s)
        link.take_output()
        news.extend(link.take_news())
    return link, news


def _opened_sessions(chunks: Iterable[Chunk]) -> list[int]:
    deframer = Deframer()
    sessions: list[int] = []
    for chunk in chunks:
        for frame in deframer.feed(chunk.data) if chunk.direction == ">" else ():
            session = int.from_bytes(frame.body[4:8], "little")
            if frame.type == Type.OPEN and session not in sessions[-1:]:
                sessions.append(session)
    return sessions


def told(link: Link, news: Iterable[News]) -> Iterator[str]:
    """Return in lines what the engine made of a recording: sessions, losses, the values in the end."""
    for item in news:
        if isinstance(item, Opened | Over | Missed | Mismatch | Unanswered):
            yield str(item)
    counters = ", ".join(f"{name} {count}" for name, count in asdict(link.counters).items())
    yield f"{counters}, damaged {link.bad_frames}"
    filled = {slot: value for slot, value in enumerate(link.slots.values) if value}
    yield f"{'whole' if link.is_whole else 'not whole'}; slots that hold something: {filled}"
