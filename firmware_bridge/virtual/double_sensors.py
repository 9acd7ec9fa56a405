"""What is on the table of a Python double, and when each sensor notices it."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from firmware_bridge.wire.messages import (
    EMPTY,
    SLOT_KINDS,
    SPOT_KINDS,
    UNCLEAR,
    GeometryEntry,
    Kind,
    tag_value,
)

# How long the firmware takes to accept a sensor's reading.
PRESENCE_US: Final = 10_000
SPOT_US: Final = 22_000
TAGS_US: Final = 50_000
READY_US: Final = 110_000
MIDDLE: Final = 512


def standard_entries() -> tuple[GeometryEntry, ...]:
    """Return the geometry of the standard table: 21 cells with readers, spots, presence and lights."""
    cells = [(r, c) for r in range(5) for c in range(5) if r % 4 or c % 4]
    tiles = [cell for cell in cells if cell != (2, 2)]
    return tuple(
        [GeometryEntry(Kind.READER, r, c, 0, 6) for r, c in cells]
        + [GeometryEntry(Kind.BOX, r, c, 0, 4) for r, c in tiles]
        + [GeometryEntry(Kind.OBELISK, 0, 0, 0, 13)]
        + [GeometryEntry(Kind.SIDE, r, c, 0, 1) for r, c in tiles]
        + [GeometryEntry(Kind.PRESENCE, r, c, 0, 1) for r, c in cells]
        + [GeometryEntry(Kind.CELL_LIGHT, r, c, 0, 1) for r, c in cells]
        + [GeometryEntry(Kind.BOX_LIGHT, r, c, 0, 4) for r, c in tiles]
        + [GeometryEntry(Kind.OBELISK_LIGHT, 0, 0, 0, 13)]
    )


class DoubleSensors:
    """The sensors of one table; changes reach their slots after a while.

    Attributes:
        slots: how many slots there are.
        readings: what each spot reads.
        broken: the readers that are cut off.
    """

    def __init__(self, entries: Sequence[GeometryEntry]) -> None:
        slot = 0
        self._readers: list[range] = []
        self._presences: list[int] = []
        self._spots: list[int] = []
        for entry in entries:
            taken = range(slot, slot + entry.count)
            if entry.kind == Kind.READER:
                self._readers.append(taken)
            elif entry.kind in SPOT_KINDS:
                self._spots.extend(taken)
            elif entry.kind == Kind.PRESENCE:
                self._presences.extend(taken)
            slot += entry.count if entry.kind in SLOT_KINDS else 0
        self.slots = slot
        self.readings = [MIDDLE] * len(self._spots)
        self._tags: dict[int, frozenset[bytes]] = {}
        self._present = [False] * len(self._presences)
        self.broken: set[int] = set()
        self._due: list[tuple[int, int]] = []

    @property
    def is_waiting(self) -> bool:
        """Whether anything has changed that was not noticed yet."""
        return bool(self._due)

    def set_presence(self, cell: int, present: bool, now_us: int) -> None:
        """Put a magnet over the presence sensor of a cell, or take it away."""
        self._present[cell] = present
        self._later(now_us + PRESENCE_US, self._presences[cell])

    def set_spot(self, spot: int, reading: int, now_us: int) -> None:
        """Set a spot's reading."""
        self.readings[spot] = reading
        self._later(now_us + SPOT_US, self._spots[spot])

    def set_tags(self, reader: int, uids: Iterable[bytes], now_us: int) -> None:
        """Lay exactly these tags on a reader."""
        self._tags[reader] = frozenset(uids)
        self._later(now_us + TAGS_US, self._readers[reader].start)

    def break_reader(self, reader: int, broken: bool, now_us: int) -> None:
        """Disconnect a reader, or connect it again."""
        (self.broken.add if broken else self.broken.discard)(reader)
        self._later(now_us + TAGS_US, self._readers[reader].start)

    def wake(self, now_us: int) -> list[int]:
        """Begin again, as after a reset; return the slots' values before anything was read."""
        values = [UNCLEAR] * self.slots
        for slots in self._readers:
            for slot in slots[1:]:
                values[slot] = EMPTY
        self._due.clear()
        for slot in [*self._spots, *self._presences, *(slots.start for slots in self._readers)]:
            self._later(now_us + READY_US, slot)
        return values

    def look_again(self, now_us: int) -> None:
        """The spots were tuned: read them all again."""
        for slot in self._spots:
            self._later(now_us + SPOT_US, slot)

    def found(
        self, now_us: int, values: Sequence[int], classify: Callable[[int, int], int]
    ) -> Iterator[tuple[int, int]]:
        """Yield slot and new value of what is noticed by now.

        `values` is what the slots hold and is to be changed as this is iterated; `classify` gives the class
        of a spot's reading.
        """
        while self._due and self._due[0][0] <= now_us:
            slot = heapq.heappop(self._due)[1]
            if slot in self._spots:
                spot = self._spots.index(slot)
                yield slot, classify(spot, self.readings[spot])
            elif slot in self._presences:
                yield slot, int(self._present[self._presences.index(slot)])
            else:
                yield from self._tags_found(slot, values)

    def _tags_found(self, slot: int, values: Sequence[int]) -> Iterator[tuple[int, int]]:
        reader = next(i for i, slots in enumerate(self._readers) if slot in slots)
        slots = self._readers[reader]
        if reader in self.broken:
            yield slots.start, UNCLEAR
            return
        wanted = {tag_value(uid) for uid in self._tags.get(reader, ())}
        for each in slots:
            if values[each] not in wanted:
                yield each, EMPTY
        for tag in sorted(wanted - {values[each] for each in slots}):
            free = next((each for each in slots if values[each] == EMPTY), slots[-1])
            yield free, tag if values[free] == EMPTY else UNCLEAR

    def _later(self, at_us: int, slot: int) -> None:
        heapq.heappush(self._due, (at_us, slot))
