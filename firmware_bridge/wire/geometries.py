"""Geometries of boards (docs/protocol.md, section 4): assembled from parts, stored by their check. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from companion.errors import MalformedError
from firmware_bridge.wire import messages
from firmware_bridge.wire.framing import crc16
from firmware_bridge.wire.messages import LIGHT_KINDS, SLOT_KINDS, GeometryEntry, GeometryPart, Hello


class Atlas:
    """All geometries received so far, and the parts of the one being received."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[GeometryEntry, ...]] = {}
        self._parts: dict[int, GeometryEntry] = {}

    def begin(self, hello: Hello) -> tuple[GeometryEntry, ...]:
        """Return the geometry that a board announces, () if it has to be asked for.

        Raises MalformedError if the board has nothing at all, or the geometry with its check is of another
        size.
        """
        self._parts.clear()
        if not hello.entries or not hello.slots:
            raise MalformedError(f"a board of {hello.slots} slots in {hello.entries} entries")
        known = self._known.get(hello.geometry, ())
        if known:
            check_fits(known, hello)
        return known

    @property
    def first_missing(self) -> int:
        """The number of the first entry that was not received yet."""
        return next(index for index in itertools.count() if index not in self._parts)

    def take(self, part: GeometryPart, hello: Hello) -> tuple[GeometryEntry, ...]:
        """Take a part; return the geometry if it is complete, else ().

        Raises MalformedError, and begins again, if it is complete but not what the board announced.
        """
        self._parts.update(enumerate(part.entries, part.index))
        if self.first_missing < hello.entries:
            return ()
        entries = tuple(self._parts[index] for index in range(hello.entries))
        self._parts.clear()
        if crc16(messages.geometry_bytes(entries)) != hello.geometry:
            raise MalformedError(f"a geometry that fails its check {hello.geometry:#06x}")
        check_fits(entries, hello)
        self._known[hello.geometry] = entries
        return entries


def check_fits(entries: Iterable[GeometryEntry], hello: Hello) -> None:
    """Raise MalformedError unless a geometry takes just the slots and lights that its board announces."""
    slots = lights = 0
    for number, entry in enumerate(entries):
        slots += entry.count if entry.kind in SLOT_KINDS else 0
        lights += entry.count if entry.kind in LIGHT_KINDS else 0
        if entry.kind in SLOT_KINDS and not entry.count:
            raise MalformedError(f"entry {number} of the geometry is empty")
    if (slots, lights) != (hello.slots, hello.lights):
        raise MalformedError(
            f"a geometry of {slots} slots and {lights} lights, {hello.slots} and {hello.lights} announced"
        )
