"""The pictures in a multipart stream (MJPEG over HTTP): bytes in, whole pictures out."""

from __future__ import annotations

import enum
import re
from typing import Final

MOST_BYTES: Final = 8 * 2**20
MOST_HEAD_BYTES: Final = 8 * 2**10
# No JPEG is smaller than the tables it needs.
LEAST_BYTES: Final = 100
_LENGTH = re.compile(rb"^content-length:[ \t]*0*(\d+)[ \t]*$", re.IGNORECASE | re.MULTILINE)
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_DIGITS_MOST: Final = len(str(MOST_BYTES))


class _Place(enum.Enum):
    """What the next byte of the stream belongs to."""

    BETWEEN = enum.auto()  # looking for a boundary
    HEAD = enum.auto()  # after a boundary; looking for the blank line
    SIZED = enum.auto()  # in a part of known length
    OPEN = enum.auto()  # in a part that ends with the next boundary


class MultipartParser:
    """Cuts a multipart stream (RFC 2046) into its parts. No socket, no thread, no clock.

    A part whose header states its length is delivered with its last byte; any other, with the next boundary.
    The same bytes give the same parts however they are split on arrival, and each byte is examined only a few
    times.

    Attributes:
        dropped: how often something was thrown away because it was too long for a part or its header.
        useless: how many of the latest parts in a row cannot be pictures, those thrown away included.
    """

    def __init__(self, boundary: str) -> None:
        """Expect parts separated by this boundary, as the content type names it."""
        # Many cameras include the leading dashes in the name of the boundary.
        core = boundary.strip().strip('"').lstrip("-") or "-"
        self._mark = b"--" + core.encode("latin-1", "replace")
        self._pending = bytearray()
        self._looked = 0  # the search resumes from here
        self._place = _Place.BETWEEN
        self._length = 0
        self.dropped = 0
        self.useless = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """Take bytes as they come; return the parts that they complete, oldest first."""
        self._pending += chunk
        parts: list[bytes] = []
        while self._step(parts):
            pass
        return parts

    def _step(self, parts: list[bytes]) -> bool:
        """Advance one step; return whether there may be more to do."""
        match self._place:
            case _Place.BETWEEN:
                return self._seek()
            case _Place.HEAD:
                return self._read_head()
            case _Place.SIZED:
                return self._end_sized(parts)
            case _Place.OPEN:
                return self._end_open(parts)

    def _seek(self) -> bool:
        at = self._pending.find(self._mark, self._looked)
        if at < 0:
            self._go(max(0, len(self._pending) - len(self._mark) + 1), _Place.BETWEEN)
            return False
        self._go(at + len(self._mark), _Place.HEAD)
        return True

    def _read_head(self) -> bool:
        found = _BLANK_LINE.search(self._pending, self._looked, MOST_HEAD_BYTES)
        if found is None:
            if len(self._pending) >= MOST_HEAD_BYTES:
                self._drop(MOST_HEAD_BYTES)
                return True
            self._looked = max(0, len(self._pending) - len(b"\r\n\r"))
            return False
        length = _LENGTH.search(self._pending[: found.start()].replace(b"\r", b""))
        if length is None:
            self._go(found.end(), _Place.OPEN)
        elif len(length[1]) <= _DIGITS_MOST and 0 < int(length[1]) <= MOST_BYTES:
            self._length = int(length[1])
            self._go(found.end(), _Place.SIZED)
        else:
            self._drop(found.end())
        return True

    def _end_sized(self, parts: list[bytes]) -> bool:
        if len(self._pending) < self._length:
            return False
        self._take(bytes(self._pending[: self._length]), parts)
        self._go(self._length, _Place.BETWEEN)
        return True

    def _end_open(self, parts: list[bytes]) -> bool:
        reach = MOST_BYTES + len(self._mark)
        at = self._pending.find(self._mark, self._looked, reach)
        if at < 0:
            if len(self._pending) >= reach:
                self._drop(MOST_BYTES + 1)
                return True
            self._looked = max(0, len(self._pending) - len(self._mark) + 1)
            return False
        part = bytes(self._pending[:at]).rstrip(b"-")
        self._take(part[:-1].removesuffix(b"\r") if part.endswith(b"\n") else part, parts)
        self._go(at + len(self._mark), _Place.HEAD)
        return True

    def _take(self, part: bytes, parts: list[bytes]) -> None:
        self.useless = 0 if len(part) >= LEAST_BYTES else self.useless + 1
        if part:
            parts.append(part)

    def _drop(self, count: int) -> None:
        self.dropped += 1
        self.useless += 1
        self._go(count, _Place.BETWEEN)

    def _go(self, count: int, place: _Place) -> None:
        """Drop this many bytes: they are processed."""
        del self._pending[:count]
        self._looked, self._place = 0, place
