"""The health of a sensor table: what its health page shows, collected while the table is watched."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from calibration.sensors import DriftWatch
from firmware_bridge.reader import SlotMap, SlotReader
from firmware_bridge.wire.link import Link
from firmware_bridge.wire.messages import EMPTY, UNCLEAR, Health, RawReadings

# Without supply or ground a sensor reads one end of its range, which no magnet can cause.
RAIL_LOW: Final = 8
RAIL_HIGH: Final = 1015
# Round trips kept for the median.
TRIPS: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHealth:
    """What the health page shows.

    Attributes:
        port: where the table is, None if it is not connected.
        firmware: version of the board's firmware, "" before the first Hello.
        round_trip_ms: from a question to its answer, the median of the last ones; None before the first.
        round_trip_worst_ms: the longest of them.
        frames, bad, lost: frames from the board; pieces that were not frames; frames that never came.
        board: the board's own counters, None before they were told.
        readers, spots: how many the table has.
        dead_readers: cells whose reader does not answer.
        unclear_spots: numbers of the spots that read between two classes.
        stuck_spots: numbers of the spots that read as if a wire were off.
        stuck_cells: cells whose presence sensor detects a tile although no other sensor of the cell does.
        wandering_spots: numbers of the spots whose rest has drifted.
        drift: by spot, how far its rest has drifted (LSB), if it was watched.
        noise: by spot, its largest recent departure from the mean (LSB), if it was watched.
        foreign: tags that the profile does not know, by cell.
        is_tuned: whether the board works with the profile's thresholds.
        fault: what is wrong with the connection, in words; "" when nothing is.
    """

    port: str | None = None
    firmware: str = ""
    round_trip_ms: float | None = None
    round_trip_worst_ms: float | None = None
    frames: int = 0
    bad: int = 0
    lost: int = 0
    board: Health | None = None
    readers: int = 0
    spots: int = 0
    dead_readers: tuple[str, ...] = ()
    unclear_spots: tuple[int, ...] = ()
    stuck_spots: tuple[int, ...] = ()
    stuck_cells: tuple[str, ...] = ()
    wandering_spots: tuple[int, ...] = ()
    drift: Mapping[int, float] = field(default_factory=dict)
    noise: Mapping[int, float] = field(default_factory=dict)
    foreign: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    is_tuned: bool = True
    fault: str = ""


class HealthWatch:
    """Collects the reports on a table's health; for the thread that owns the link."""

    def __init__(self) -> None:
        self.raw: dict[int, int] = {}
        self._board: Health | None = None
        self._drift: DriftWatch | None = None
        self._rests: Sequence[int] = ()
        self._trips: deque[float] = deque(maxlen=TRIPS)
        self._asked_s: float | None = None

    def begin(self, rests: Sequence[int]) -> None:
        """A session has begun on a table whose spots were tuned to these rests."""
        self._rests = rests
        self._drift = DriftWatch(rests)
        self._asked_s = None

    def asked(self, now_s: float) -> None:
        """The board was asked for its counters."""
        self._asked_s = now_s

    def take_board(self, told: Health, now_s: float) -> None:
        """Take the board's own counters."""
        self._board = told
        if self._asked_s is not None:
            self._trips.append(now_s - self._asked_s)
            self._asked_s = None

    def take_raw(self, told: RawReadings, spots: Sequence[int], values: Sequence[int]) -> None:
        """Take raw readings; `spots` gives the slot of every spot, `values` what the slots hold.

        Readings of spots that the table does not have are skipped.
        """
        for spot, reading in list(enumerate(told.readings, told.first))[: max(0, len(spots) - told.first)]:
            self.raw[spot] = reading
            if self._drift is not None and values[spots[spot]] == EMPTY:
                self._drift.see(spot, reading)

    def corrected_rests(self) -> tuple[int, ...] | None:
        """Return the rests as they are now, None while nothing was watched."""
        return None if self._drift is None else self._drift.corrected()

    def judge(
        self, link: Link, reader: SlotReader | None, port: str | None, *, is_tuned: bool
    ) -> TableHealth:
        """Return the health as known now."""
        drift, values = self._drift, link.slots.values
        found = reader.map if reader else SlotMap()
        trips = sorted(self._trips)
        watched = [spot for spot in range(len(found.spots)) if drift is not None and drift.is_watched(spot)]
        return TableHealth(
            port=port,
            firmware=".".join(map(str, link.hello.firmware)) if link.hello else "",
            round_trip_ms=trips[len(trips) // 2] * 1000 if trips else None,
            round_trip_worst_ms=trips[-1] * 1000 if trips else None,
            frames=link.counters.frames,
            bad=link.bad_frames,
            lost=link.counters.lost,
            board=self._board,
            readers=len(found.readers),
            spots=len(found.spots),
            dead_readers=self._dead(found),
            unclear_spots=tuple(i for i, slot in enumerate(found.spots) if values[slot] == UNCLEAR),
            stuck_spots=tuple(i for i, reading in sorted(self.raw.items()) if self._is_stuck(i, reading)),
            stuck_cells=_stuck_cells(found, values),
            wandering_spots=drift.wandering() if drift else (),
            drift={i: drift.drift(i) for i in watched} if drift else {},
            noise={i: drift.noise(i) for i in watched} if drift else {},
            foreign=dict(reader.foreign) if reader else {},
            is_tuned=is_tuned,
        )

    def _is_stuck(self, spot: int, reading: int) -> bool:
        """Whether a spot reads one end of its range that is not its rest (with resistor discs it is)."""
        rest = self._rests[spot] if spot < len(self._rests) else 512
        return RAIL_LOW <= rest <= RAIL_HIGH and not RAIL_LOW <= reading <= RAIL_HIGH

    def _dead(self, found: SlotMap) -> tuple[str, ...]:
        dead = self._board.dead if self._board else 0
        return tuple(cell for i, cell in enumerate(found.readers) if dead >> i & 1)


def _stuck_cells(found: SlotMap, values: Sequence[int]) -> tuple[str, ...]:
    """Return the cells with presence although neither a tag nor a side is read."""
    stuck = []
    for name, cell in found.cells.items():
        others = [*(cell.tags or ()), *([] if cell.side is None else [cell.side])]
        if cell.presence is None or not others or cell.presence >= len(values):
            continue
        if values[cell.presence] not in (EMPTY, UNCLEAR) and all(values[slot] == EMPTY for slot in others):
            stuck.append(name)
    return tuple(stuck)
