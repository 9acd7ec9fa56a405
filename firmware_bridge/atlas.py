"""Geometries of boards (docs/protocol.md, section 4): put together of parts, kept by their check. Pure."""

from __future__ import annotations

import itertools

from firmware_bridge import messages
from firmware_bridge.framing import crc16
from firmware_bridge.messages import Entry, GeometryPart


class Atlas:
    """Every geometry that was ever told, and the parts of the one that is being told."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Entry, ...]] = {}
        self._parts: dict[int, Entry] = {}

    def begin(self, check: int) -> tuple[Entry, ...]:
        """Return the geometry with this check, () where it has to be asked for."""
        self._parts.clear()
        return self._known.get(check, ())

    @property
    def first_missing(self) -> int:
        """The number of the first entry that was not told yet."""
        return next(index for index in itertools.count() if index not in self._parts)

    def take(self, part: GeometryPart, check: int) -> tuple[Entry, ...]:
        """Take a part; return the geometry if it is complete and fits its check, else ()."""
        self._parts.update(enumerate(part.entries, part.index))
        if len(self._parts) < part.total:
            return ()
        entries = tuple(self._parts[index] for index in range(part.total))
        self._parts.clear()
        if crc16(messages.geometry_bytes(entries)) != check:
            return ()
        self._known[check] = entries
        return entries
