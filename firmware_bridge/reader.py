"""Slot values to sightings: what the sensors say is on the table. Pure.

A place that is unclear is left out: unclear is not empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from calibration.sensor_steps import SensorScan, TableShape
from calibration.sensors import SensorProfile, Tag
from companion.observation import Observation, Sighting
from companion.table import Place, place
from firmware_bridge.wire.messages import EMPTY, SLOT_KINDS, SPOT_KINDS, TAG_BIT, UNCLEAR, GeometryEntry, Kind

# Calibrated on the test bench with the faults of weak tags and noisy spots; absence is a
# little less certain than presence.
TAG_SURE: Final = 0.999
CLASS_SURE: Final = 0.998
EMPTY_SURE: Final = 0.997
LAYOUT_SURE: Final = 0.99


@dataclass(slots=True)
class CellSlots:
    """The slots that belong to one cell."""

    tags: range | None = None
    boxes: range | None = None
    side: int | None = None
    presence: int | None = None


@dataclass(frozen=True, slots=True)
class SlotMap:
    """Which slot is where, derived from a board's geometry.

    Attributes:
        cells: by cell "row,col".
        obelisk: slots of the obelisk's boxes, by box.
        spots: the slot of every spot.
        readers: the cell of every reader.
        presences: the cell of every presence sensor.
    """

    cells: dict[str, CellSlots] = field(default_factory=dict)
    obelisk: dict[int, int] = field(default_factory=dict)
    spots: list[int] = field(default_factory=list)
    readers: list[str] = field(default_factory=list)
    presences: list[str] = field(default_factory=list)


def map_slots(entries: Sequence[GeometryEntry]) -> SlotMap:
    """Return which slot is where; kinds of a newer version are skipped with their slots."""
    found = SlotMap()
    slot = 0
    for entry in entries:
        if entry.kind not in SLOT_KINDS:
            continue
        slots = range(slot, slot + entry.count)
        slot += entry.count
        if entry.kind in SPOT_KINDS:
            found.spots.extend(slots)
        if entry.kind == Kind.OBELISK:
            found.obelisk.update(enumerate(slots, entry.first))
            continue
        name = f"{entry.row},{entry.col}"
        cell = found.cells.setdefault(name, CellSlots())
        match entry.kind:
            case Kind.READER:
                cell.tags = slots
                found.readers.append(name)
            case Kind.BOX:
                cell.boxes = slots
            case Kind.SIDE:
                cell.side = slots.start
            case Kind.PRESENCE:
                cell.presence = slots.start
                found.presences.append(name)
    return found


def spot_places(entries: Sequence[GeometryEntry]) -> list[Place]:
    """Return where each spot is: ``box:R,C:I``, ``obelisk:I``, ``side:R,C`` (under the tile's magnet)."""
    found: list[Place] = []
    for entry in entries:
        cell = f"{entry.row},{entry.col}"
        numbers = range(entry.first, entry.first + entry.count)
        if entry.kind == Kind.BOX:
            found += [place("box", cell, number) for number in numbers]
        elif entry.kind == Kind.OBELISK:
            found += [place("obelisk", number) for number in numbers]
        elif entry.kind == Kind.SIDE:
            found += [place("side", cell)] * entry.count
    return found


def shape_of(entries: Sequence[GeometryEntry]) -> TableShape:
    """Return what a set-up needs to know about a board's geometry."""
    found = map_slots(entries)
    spot_of = {slot: spot for spot, slot in enumerate(found.spots)}
    sides = {name: spot_of[cell.side] for name, cell in found.cells.items() if cell.side is not None}
    return TableShape(spots=len(found.spots), sides=sides, has_readers=bool(found.readers))


def look_at(
    entries: Sequence[GeometryEntry], values: Sequence[int], readings: Mapping[int, int]
) -> SensorScan:
    """Return a scan for the set-up: tags by cell, and all raw readings (-1: not received yet)."""
    found = map_slots(entries)
    tags = {
        name: frozenset(values[slot] for slot in cell.tags or () if values[slot] & TAG_BIT)
        for name, cell in found.cells.items()
    }
    return SensorScan(tags=tags, readings=[readings.get(spot, -1) for spot in range(len(found.spots))])


class SlotReader:
    """Turns the slots of one board into observations, with the profile of its pieces.

    Attributes:
        foreign: tags on the table that the profile does not know, by cell (of the last reading).
    """

    def __init__(self, entries: Sequence[GeometryEntry], profile: SensorProfile) -> None:
        self.map = map_slots(entries)
        self.foreign: dict[str, tuple[int, ...]] = {}
        self._profile = profile
        self._figures = sorted(
            {(t.piece, t.name) for t in profile.tags.values() if t.piece in ("figure", "dragon")}
        )

    def read(
        self, values: Sequence[int], *, source: str, seq: int, seen_at_s: float, spots_known: bool = True
    ) -> Observation:
        """Return what these slot values show.

        `spots_known` False leaves out everything based on spots: the board is not tuned to the profile yet.
        """
        if not spots_known:
            values = list(values)
            for slot in self.map.spots:
                values[slot] = UNCLEAR
        sightings = [*self._cells(values), *self._obelisk(values), *self._standing(values)]
        return Observation(
            source=source, seq=seq, seen_at_s=seen_at_s, sightings={s.place: s for s in sightings}
        )

    # -- tiles and boxes --------------------------------------------------------------------------

    def _cells(self, values: Sequence[int]) -> Iterator[Sighting]:
        self.foreign = {}
        for name, slots in self.map.cells.items():
            tile = self._tile(name, slots, values)
            if tile is None:
                continue
            yield tile
            if tile.value is not None and slots.boxes is not None:
                yield from self._boxes(name, tile.value, slots.boxes, values)

    def _tile(self, name: str, slots: CellSlots, values: Sequence[int]) -> Sighting | None:
        where = place("cell", name)
        if slots.tags is None:
            return self._laid_out(where, name, slots, values)
        tags = [values[s] for s in slots.tags]
        if UNCLEAR in tags:
            return None
        foreign = self._unknown(tags)
        if foreign:
            self.foreign[name] = foreign
        known = filter(None, (self._profile.tags.get(v) for v in tags if v & TAG_BIT))
        tiles = [tag for tag in known if tag.piece == "tile"]
        names = {tag.name for tag in tiles}
        if len(names) > 1 or (not names and foreign):
            return None
        if names:
            side = self._side(tiles, slots, values)
            value = f"{names.pop()}/{side}"
            return None if side is None else Sighting(place=where, value=value, confidence=TAG_SURE)
        return self._empty(where, slots, values)

    def _empty(self, where: Place, slots: CellSlots, values: Sequence[int]) -> Sighting | None:
        """Return that a cell is empty; None where something may lie there."""
        # A tile whose tag was missed is still seen by its magnet or the presence sensor.
        is_bare = self._bare(slots, values)
        return Sighting(place=where, value=None, confidence=EMPTY_SURE) if is_bare else None

    def _unknown(self, tags: Sequence[int]) -> tuple[int, ...]:
        return tuple(v for v in tags if v & TAG_BIT and v not in self._profile.tags)

    @staticmethod
    def _bare(slots: CellSlots, values: Sequence[int]) -> bool:
        sensors = [s for s in (slots.side, slots.presence) if s is not None]
        return all(values[s] == EMPTY for s in sensors)

    def _side(self, tiles: Sequence[Tag], slots: CellSlots, values: Sequence[int]) -> str | None:
        told = {tag.side for tag in tiles if tag.side is not None}
        if slots.side is not None and values[slots.side] != EMPTY:
            felt = self._profile.sides.get(values[slots.side])
            # Through a thin tile both faces' tags may answer; the magnet decides, a single tag must agree.
            return None if felt is None or (len(told) == 1 and felt not in told) else felt
        return told.pop() if len(told) == 1 else None

    def _laid_out(self, where: Place, name: str, slots: CellSlots, values: Sequence[int]) -> Sighting | None:
        tile, _, side = self._profile.layout.get(name, "").partition("/")
        sensors = [s for s in (slots.side, slots.presence) if s is not None]
        if not sensors or UNCLEAR in [values[s] for s in sensors]:
            return None
        if self._bare(slots, values):
            return Sighting(place=where, value=None, confidence=EMPTY_SURE)
        if slots.side is not None:
            side = self._profile.sides.get(values[slots.side], "")
        if not tile or not side:
            return None
        return Sighting(place=where, value=f"{tile}/{side}", confidence=LAYOUT_SURE)

    def _boxes(self, name: str, tile: str, slots: range, values: Sequence[int]) -> Iterator[Sighting]:
        title, _, side = tile.partition("/")
        if side != "sketch":
            return
        for box, spot in enumerate(self._profile.boxes.get(title, tuple(range(len(slots))))):
            if spot < len(slots):
                yield from self._marker(place("box", name, box), values[slots[spot]])

    def _obelisk(self, values: Sequence[int]) -> Iterator[Sighting]:
        for box, slot in self.map.obelisk.items():
            yield from self._marker(place("obelisk", box), values[slot])

    def _marker(self, where: Place, value: int) -> Iterator[Sighting]:
        if value == EMPTY:
            yield Sighting(place=where, value=None, confidence=EMPTY_SURE)
        elif value in self._profile.players:
            yield Sighting(place=where, value=self._profile.players[value], confidence=CLASS_SURE)

    # -- figures and dragons ----------------------------------------------------------------------

    def _standing(self, values: Sequence[int]) -> Iterator[Sighting]:
        if not self.map.readers:
            return
        tags = {name: [values[slot] for slot in self.map.cells[name].tags or ()] for name in self.map.readers}
        unclear = any(UNCLEAR in read for read in tags.values())
        for piece, title in self._figures:
            cells = self._cells_of(piece, title, tags)
            # On two cells at once it is being slid; on none it may be on a cell that cannot be read.
            if len(cells) == 1:
                yield Sighting(place=place(piece, title), value=cells[0], confidence=TAG_SURE)
            elif not cells and not unclear:
                yield Sighting(place=place(piece, title), value=None, confidence=EMPTY_SURE)

    def _cells_of(self, piece: str, name: str, tags: Mapping[str, Sequence[int]]) -> list[str]:
        """Return the cells whose readers read a tag of this piece, once for each of its tags."""
        known = ((cell, self._profile.tags.get(value)) for cell, read in tags.items() for value in read)
        return [cell for cell, tag in known if tag is not None and (tag.piece, tag.name) == (piece, name)]
