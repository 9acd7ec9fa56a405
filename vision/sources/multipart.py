"""The pictures inside a multipart stream (MJPEG over HTTP): bytes in, whole pictures out."""

from __future__ import annotations

import re

MOST_BYTES = 32 * 2**20
_LENGTH = re.compile(rb"^content-length:\s*(\d+)\s*$", re.IGNORECASE | re.MULTILINE)
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_LINE_END = re.compile(rb"\r?\n$")


class MultipartParser:
    """Cuts a stream into its parts. No socket, no thread, no clock.

    A part with a length in its head is delivered with its last byte; one without, with the next boundary.

    Attributes:
        dropped: how often bytes had to be thrown away because they were no part.
    """

    def __init__(self, boundary: str) -> None:
        """Expect parts separated by this boundary, as the content type names it."""
        # Many cameras name the boundary with the dashes that belong in front of it.
        core = boundary.strip().strip('"').lstrip("-") or "-"
        self._mark = re.compile(rb"-*" + re.escape(b"--" + core.encode("latin-1", "replace")))
        self._reach = len(core) + 64
        self._pending = b""
        self._length: int | None = None
        self._inside = False
        self.dropped = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """Take bytes as they come; return the parts that they complete, oldest first."""
        self._pending += chunk
        parts: list[bytes] = []
        while self._step(parts):
            pass
        if len(self._pending) > MOST_BYTES:
            self._pending, self._inside, self._length = b"", False, None
            self.dropped += 1
        return [one for one in parts if one]

    def _step(self, parts: list[bytes]) -> bool:
        """Go one step on; return whether there may be more to do."""
        if not self._inside:
            return self._open_part()
        if self._length is not None:
            if len(self._pending) < self._length:
                return False
            parts.append(self._pending[: self._length])
            self._pending = self._pending[self._length :]
            self._inside = False
            return True
        found = self._mark.search(self._pending)
        if found is None or found.end() == len(self._pending):
            return False
        parts.append(_LINE_END.sub(b"", self._pending[: found.start()]))
        self._pending = self._pending[found.start() :]
        self._inside = False
        return True

    def _open_part(self) -> bool:
        """Look for a boundary and the head behind it."""
        found = self._mark.search(self._pending)
        if found is None:
            self._pending = self._pending[-self._reach :]
            return False
        head_end = _BLANK_LINE.search(self._pending, found.end())
        if head_end is None:
            self._pending = self._pending[found.start() :]
            return False
        length = _LENGTH.search(self._pending[found.end() : head_end.start()].replace(b"\r", b""))
        self._length = None if length is None else int(length[1])
        self._pending = self._pending[head_end.end() :]
        self._inside = True
        if self._length is not None and not 0 < self._length <= MOST_BYTES:
            self._inside = False
            self.dropped += 1
        return True
