"""A sensor table's health in words: for the window's page and for ``moontable board health``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from companion.i18n import join, msg, nmsg
from companion.observation import Observation
from companion.sensor_health import CellHealth, HealthLine, HealthReport
from companion.table import Place, Value, kind_of, parts_of
from firmware_bridge.health import TableHealth
from firmware_bridge.reader import map_slots, spot_places
from firmware_bridge.talk import BoardTalk
from firmware_bridge.wire.messages import GeometryEntry

# More than this is worth a look: share of frames, milliseconds, least significant bits of 1023.
DAMAGED_MOST: Final = 0.01
TRIP_MOST_MS: Final = 60.0
SWEEP_MOST_MS: Final = 250
NOISE_MOST: Final = 5.0
# Of many faults of one kind so many are named.
NAMED_MOST: Final = 6

Label: TypeAlias = Callable[[Place, Value], str]
"""Returns the words for what was felt at a place."""


def report_on(table: BoardTalk, label: Label) -> HealthReport:
    """Return how a table fares; `label` has the words for what is felt at a place."""
    entries = table.entries
    health = table.health
    places = spot_places(entries)
    lines = (
        _connection(health),
        HealthLine(name=msg("Firmware"), value=health.firmware or msg("not known yet")),
        _frames(health),
        *_round_trip(health),
        *_readers(health),
        *(_spots(health, places) if health.spots else ()),
    )
    return HealthReport(lines=lines, cells=_cells(health, entries, table.latest, label))


def report_lines(report: HealthReport) -> Iterator[str]:
    """Return a report as lines to print."""
    for line in report.lines:
        yield f"{'!' if line.is_bad else ' '} {line.name}: {line.value}"
        if line.advice:
            yield f"    {line.advice}"
    for cell in report.cells:
        if cell.words or cell.faults:
            told = "; ".join((*cell.words, *(f"! {fault}" for fault in cell.faults)))
            yield f"  cell {cell.cell[0]},{cell.cell[1]}: {told}"


def _round_trip(health: TableHealth) -> Iterator[HealthLine]:
    if health.round_trip_ms is None or health.round_trip_worst_ms is None:
        return
    slow = health.round_trip_ms > TRIP_MOST_MS
    yield HealthLine(
        name=msg("Round trip"),
        value=msg(
            "{middle:.0f} ms, worst {worst:.0f} ms",
            middle=health.round_trip_ms,
            worst=health.round_trip_worst_ms,
        ),
        advice=msg("Another program is slowing the computer down: close it.") if slow else "",
    )


def _readers(health: TableHealth) -> Iterator[HealthLine]:
    """Return what there is to say about the readers of tags, where the table has any."""
    if not health.readers:
        return
    yield _listed(
        msg("Dead readers"),
        health.dead_readers,
        msg("Does the reader get 3.3 V? Is its select wire connected? Is the bus too long?"),
    )
    if health.board is not None:
        slow = health.board.sweep_ms > SWEEP_MOST_MS
        yield HealthLine(
            name=msg("Scan of all readers"),
            value=msg("{ms} ms", ms=health.board.sweep_ms),
            advice=msg("One dead reader slows down all the others: find it.") if slow else "",
        )


def _spots(health: TableHealth, places: Sequence[Place]) -> Iterator[HealthLine]:
    """Return what there is to say about the spots that feel magnets."""
    yield _listed(
        msg("Stuck spots"),
        _named(health.stuck_spots, places),
        msg("A supply, ground or signal wire has come off, or a multiplexer channel is dead."),
    )
    yield _listed(
        msg("Stuck presence sensors"),
        health.stuck_cells,
        msg("If nothing is there: a short circuit, or a magnet under the cloth?"),
    )
    yield _listed(
        msg("Unclear spots"),
        _named(health.unclear_spots, places),
        msg("If nothing is there: a loose wire, or a magnet too close. Otherwise learn the magnets again."),
    )
    noisy = (spot for spot, noise in health.noise.items() if noise > NOISE_MOST)
    yield _listed(
        msg("Noisy spots"),
        _named(noisy, places),
        msg("A long wire without a 100 nF capacitor, or noise from the lights' supply."),
    )
    yield _listed(
        msg("Drifted spots"),
        _named(health.wandering_spots, places),
        msg("Clear the table and measure it again: moontable board rest."),
    )
    yield _listed(
        msg("Unknown tags"),
        tuple(sorted(health.foreign)),
        msg("Pieces from another copy of the game? Learn them in the set-up."),
    )
    if not health.is_tuned:
        yield HealthLine(
            name=msg("Thresholds"),
            value=msg("not received yet"),
            advice=msg("Wait a moment; if this stays, flash the firmware again."),
        )


def _connection(health: TableHealth) -> HealthLine:
    if health.port is not None:
        return HealthLine(name=msg("Connected to"), value=health.port)
    return HealthLine(
        name=msg("Connected to"),
        value=msg("nothing"),
        advice=health.fault or msg("Looking for the table."),
    )


def _frames(health: TableHealth) -> HealthLine:
    """Return what got lost on the line, by the host's counting and by the board's own."""
    board = health.board
    sent = 0 if board is None else board.bad
    damaged = health.bad + health.lost + sent
    return HealthLine(
        name=msg("Messages"),
        value=msg(
            "{frames} received, {bad} damaged, {lost} lost; {sent} damaged when sent",
            frames=health.frames,
            bad=health.bad,
            lost=health.lost,
            sent=sent,
        ),
        advice=msg("Check the cable, the power supply and the ground wires.")
        if damaged > 5 + health.frames * DAMAGED_MOST
        else "",
    )


def _listed(name: str, found: Sequence[str], advice: str) -> HealthLine:
    if not found:
        return HealthLine(name=name, value=msg("none"))
    more = len(found) - NAMED_MOST
    named = [*found[:NAMED_MOST], *([nmsg("{n} more", "{n} more", more)] if more > 0 else [])]
    return HealthLine(name=name, value=join("; ", named), advice=advice)


def _named(spots: Iterable[int], places: Sequence[Place]) -> tuple[str, ...]:
    return tuple(spot_name(spot, places) for spot in spots)


def spot_name(spot: int, places: Sequence[Place]) -> str:
    """Return a spot's number and where it is."""
    if spot >= len(places):
        return str(spot)
    where = places[spot]
    parts = parts_of(where)
    match kind_of(where):
        case "box":
            return msg("{spot} (box {number} of {cell})", spot=spot, number=int(parts[1]) + 1, cell=parts[0])
        case "obelisk":
            return msg("{spot} (obelisk {number})", spot=spot, number=int(parts[0]) + 1)
        case _:
            return msg("{spot} (side of {cell})", spot=spot, cell=parts[0])


# -- cell by cell ----------------------------------------------------------------------------------------


def _cells(
    health: TableHealth, entries: Sequence[GeometryEntry], seen: Observation | None, label: Label
) -> tuple[CellHealth, ...]:
    places = spot_places(entries)
    faults = _faults_of_cells(health, places)
    felt = _felt(seen, label)
    return tuple(
        CellHealth(
            cell=(int(name.split(",")[0]), int(name.split(",")[1])),
            words=tuple(felt.get(name, ())),
            faults=tuple(faults.get(name, ())),
        )
        for name in map_slots(entries).cells
    )


def _faults_of_cells(health: TableHealth, places: Sequence[Place]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for cell in health.dead_readers:
        found.setdefault(cell, []).append(msg("reader dead"))
    for cell in health.stuck_cells:
        found.setdefault(cell, []).append(msg("presence stuck"))
    kinds = (
        (health.stuck_spots, msg("stuck")),
        (health.unclear_spots, msg("unclear")),
        (health.wandering_spots, msg("drifted")),
    )
    for spots, fault in kinds:
        for spot in spots:
            where = places[spot] if spot < len(places) else Place("obelisk")
            if kind_of(where) in ("box", "side"):
                found.setdefault(parts_of(where)[0], []).append(_fault_name(where, fault))
    return found


def _fault_name(where: Place, fault: str) -> str:
    if kind_of(where) == "side":
        return msg("side {fault}", fault=fault)
    return msg("box {number} {fault}", number=int(parts_of(where)[1]) + 1, fault=fault)


def _felt(seen: Observation | None, label: Label) -> Mapping[str, list[str]]:
    """Return what is felt on each cell: the tile, whose markers lie there, who stands there."""
    found: dict[str, list[str]] = {}
    for where, sighting in (seen.sightings if seen is not None else {}).items():
        kind, value = kind_of(where), sighting.value
        if value is None:
            continue
        words = label(where, value)
        if kind == "figure":
            found.setdefault(value, []).append(msg("the figure of {player}", player=words))
        elif kind == "dragon":
            found.setdefault(value, []).append(words)
        elif kind == "cell":
            found.setdefault(parts_of(where)[0], []).insert(0, words)
        elif kind == "box":
            number = int(parts_of(where)[1]) + 1
            found.setdefault(parts_of(where)[0], []).append(
                msg("box {number}: {what}", number=number, what=words)
            )
    return found
