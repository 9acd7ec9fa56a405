"""The table of Nova Luna: the picture that a state casts, and the record's ``table state`` object.

Names of places, by kind:

    wheel:S          the tile in slot S of the wheel, the lower id of its twins; None = no tile
    meeple           the slot in which the figure stands; None = it stands in none
    track:S          the tokens on space S of the track, bottom first, ``red>blue``; None = nobody
    area:P           all occupied cells of player P's area, sorted, ``-1,0 0,0``; None = no tile at all, or
                     none but a loose one
    area:P:R,C       the tile on that cell, as on the wheel
    cover:P:R,C:T    ``token`` on task T of the tile on that cell; None = the task is open
    loose:P          a tile of which nobody could tell on which cell it lies, and which it may be,
                     ``23 0,1 1,1``; ``?`` = one that was not read, or several; None = there is none

In the solo game no track place is predicted. A place that the prediction lacks is expected to be empty, so a
picture may say that it saw nothing there. Players' names are escaped in places and values
(`companion.games.kit.notation.escape`).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from companion.errors import MalformedError
from companion.game import Json
from companion.games.kit.notation import UNSEEN, as_cell, compare, escape, format_cell, unescape
from companion.games.kit.table_codec import ABSENT, Entry, Listed, One, Own, TableCodec, or_none
from companion.games.nova_luna.catalogue import MOST_TASKS, SLOTS, TILES, twin
from companion.games.nova_luna.setup import as_tile
from companion.games.nova_luna.state import NovaState, Seat, track
from companion.storage.strict import as_integer, as_list, as_map, as_mapping, as_object, as_string
from companion.table import Picture, Place, Value, kind_of, parts_of, place

TOKEN: Final = "token"
MEEPLE: Final = Place("meeple")
# The length of the track makes no difference to how a table is written.
SPACES: Final = 24


# -- places -----------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=4096)
def wheel_place(slot: int) -> Place:
    """Return the place of a slot of the wheel."""
    return place("wheel", slot)


@functools.lru_cache(maxsize=4096)
def track_place(space: int) -> Place:
    """Return the place of a space of the track."""
    return place("track", space)


@functools.lru_cache(maxsize=4096)
def area_place(player: str, cell: str | None = None) -> Place:
    """Return the place of a player's area as a whole, or of one of its cells."""
    return place("area", escape(player)) if cell is None else place("area", escape(player), cell)


def is_cell(where: Place) -> bool:
    """Whether this is the place of a tile on a cell of an area."""
    return kind_of(where) == "area" and len(parts_of(where)) == 2


@functools.lru_cache(maxsize=4096)
def cover_place(player: str, cell: str, task: int) -> Place:
    """Return the place of one task on a laid tile."""
    return place("cover", escape(player), cell, task)


@functools.lru_cache(maxsize=4096)
def loose_place(player: str) -> Place:
    """Return the place of a tile that lies between the cells of a player's area."""
    return place("loose", escape(player))


def loose_value(face: str, cells: Iterable[str]) -> str:
    """Return the value of a tile that lies between these cells."""
    return " ".join((face, *sorted(cells)))


def stack_value(players: tuple[str, ...] | list[str]) -> Value:
    """Return the value of a space with these tokens, bottom first."""
    return ">".join(map(escape, players)) or None


def cells_value(cells: Iterable[str]) -> Value:
    """Return the value of an area with these occupied cells."""
    return " ".join(sorted(cells)) or None


# -- the picture ------------------------------------------------------------------------------------


def predict(state: NovaState) -> dict[Place, Value]:
    """Return the picture that the state casts."""
    picture: dict[Place, Value] = {MEEPLE: str(state.figure)}
    for slot, tile in enumerate(state.wheel):
        picture[wheel_place(slot)] = None if tile is None else str(twin(tile))
    if not state.is_solo:
        spaces = track(state)
        for space in range(state.options.spaces):
            picture[track_place(space)] = stack_value(spaces.get(space, ()))
    for seat in state.seats:
        picture.update(_area_picture(seat))
    return picture


def _area_picture(seat: Seat) -> Iterator[tuple[Place, Value]]:
    cells = []
    for laid in seat.area:
        cell = format_cell(laid.at)
        cells.append(cell)
        yield area_place(seat.player, cell), str(twin(laid.tile))
        for task in range(len(TILES[laid.tile].tasks)):
            yield cover_place(seat.player, cell, task), TOKEN if task in laid.covered else None
    yield area_place(seat.player), cells_value(cells)


# -- the table state object: reading ----------------------------------------------------------------


def _as_looks(value: object, what: str) -> str:
    return str(twin(as_tile(value, what)))


def _as_slot(value: object, what: str) -> str:
    return str(as_integer(value, what, 0, SLOTS - 1))


def _parse_track(value: object, spaces: int) -> Iterator[tuple[Place, Value]]:
    names = tuple(map(str, range(spaces)))
    occupied = as_map(value, "track", names)
    for space in names:
        stack = occupied.get(space, [])
        if stack == UNSEEN:
            continue
        if space in occupied and not stack:
            raise MalformedError(f"track space {space} is named but empty")
        tokens = [
            as_string(name, f"a token on space {space}") for name in as_list(stack, f"track space {space}")
        ]
        if UNSEEN not in tokens:
            yield Place(f"track:{space}"), stack_value(tokens)


def _parse_areas(value: object) -> Iterator[tuple[Place, Value]]:
    for player, area in as_mapping(value, "areas").items():
        if area != UNSEEN:
            yield from _parse_area(as_string(player, "a player's name"), area)


def _parse_area(player: str, value: object) -> Iterator[tuple[Place, Value]]:
    area = as_mapping(value, f"the area of {player}")
    for name, entry in area.items():
        yield from _parse_cell(player, format_cell(as_cell(name, "a cell")), entry)
    yield area_place(player), cells_value(list(area))


def _parse_cell(player: str, cell: str, entry: object) -> Iterator[tuple[Place, Value]]:
    if entry == UNSEEN:
        return
    what = f"{player}'s cell {cell}"
    known = as_object(entry, what, ("tile",), ("covered", "confidence"))
    tile = None if known["tile"] == UNSEEN else as_tile(known["tile"], f"the tile on {what}")
    if tile is not None:
        yield area_place(player, cell), str(twin(tile))
    if known.get("covered", UNSEEN) != UNSEEN:
        tasks = MOST_TASKS if tile is None else len(TILES[tile].tasks)
        covered = as_tasks(known["covered"], what, tasks)
        yield from ((cover_place(player, cell, t), TOKEN if t in covered else None) for t in range(tasks))


def as_tasks(value: object, what: str, tasks: int) -> list[int]:
    """Return the ascending numbers of covered tasks."""
    numbers = [
        as_integer(n, f"a covered task on {what}", 0, tasks - 1) for n in as_list(value, f"covered of {what}")
    ]
    if numbers != sorted(set(numbers)):
        raise MalformedError(f"covered of {what} must be ascending")
    return numbers


# -- the table state object: writing ----------------------------------------------------------------


def _number(value: Value) -> int | None:
    return None if value is None else int(value)


def _format_track(picture: Picture, _entry: Entry, _unseen: object) -> Any:
    seen = {int(parts_of(where)[0]): value for where, value in picture.items() if kind_of(where) == "track"}
    if not seen:
        return {} if _is_solo(picture) else ABSENT
    spaces: dict[str, Any] = {
        str(space): [unescape(name) for name in value.split(">")]
        for space, value in sorted(seen.items())
        if value is not None
    }
    return {**spaces, **{str(space): UNSEEN for space in range(max(seen)) if space not in seen}}


def _is_solo(picture: Picture) -> bool:
    """Whether a whole picture shows one area and no track: the solo game's."""
    return sum(kind_of(where) == "area" and len(parts_of(where)) == 1 for where in picture) == 1


def _format_areas(picture: Picture, _entry: Entry, _unseen: object) -> dict[str, Any]:
    areas: dict[str, Any] = {}
    for where, value in picture.items():
        if kind_of(where) == "area" and len(parts_of(where)) == 1:
            player = unescape(parts_of(where)[0])
            cells = value.split(" ") if value is not None else []
            areas[player] = {cell: _format_cell_entry(picture, player, cell) for cell in cells}
    return areas


def _format_cell_entry(picture: Picture, player: str, cell: str) -> dict[str, Any]:
    value = picture.get(area_place(player, cell), UNSEEN)
    entry: dict[str, Any] = {"tile": value if value == UNSEEN else _number(value)}
    places = [cover_place(player, cell, task) for task in range(MOST_TASKS)]
    tasks = len(TILES[int(value)].tasks) if value is not None and value != UNSEEN else MOST_TASKS
    if all(where in picture for where in places[:tasks]):
        entry["covered"] = [task for task in range(tasks) if picture[places[task]] == TOKEN]
    return entry


@functools.cache
def codec(spaces: int) -> TableCodec:
    """Return what writes and reads a table whose track has so many spaces."""
    return TableCodec(
        Listed("wheel", "wheel", SLOTS, or_none(_as_looks)),
        One("meeple", MEEPLE, or_none(_as_slot)),
        Own("track", functools.partial(_parse_track, spaces=spaces), _format_track),
        Own("areas", _parse_areas, _format_areas),
        write={"wheel": _number, "meeple": _number},
    )


def format_table(picture: Picture, *, state: NovaState | None = None) -> Json:
    """Return the ``table state`` object of a picture; a state gives twins their own ids."""
    table = codec(SPACES).format_table(picture)
    return table if state is None else _with_own_ids(table, state)


def _with_own_ids(table: Json, state: NovaState) -> Json:
    areas = {}
    for seat in state.seats:
        cells = table["areas"][seat.player]
        areas[seat.player] = {
            format_cell(laid.at): {**cells[format_cell(laid.at)], "tile": laid.tile} for laid in seat.area
        }
    return {**table, "wheel": list(state.wheel), "areas": areas}


def confidences(_picture: Picture, confidence: Mapping[Place, float]) -> Json:
    """Return the ``confidence`` member of a reading: the same shape as the table state."""
    members: Json = {}
    slots = [confidence.get(wheel_place(slot)) for slot in range(SLOTS)]
    if any(value is not None for value in slots):
        members["wheel"] = slots
    if MEEPLE in confidence:
        members["meeple"] = confidence[MEEPLE]
    for where, value in confidence.items():
        kind, parts = kind_of(where), parts_of(where)
        if kind == "track":
            members.setdefault("track", {})[parts[0]] = value
        elif kind in ("area", "cover"):
            _cell_confidence(members, kind, parts, value)
    return members


def _cell_confidence(members: Json, kind: str, parts: tuple[str, ...], value: float) -> None:
    if len(parts) < 2:
        return
    cell = members.setdefault("areas", {}).setdefault(unescape(parts[0]), {}).setdefault(parts[1], {})
    if kind == "area":
        cell["tile"] = value
    else:
        cell.setdefault("covered", {})[parts[2]] = value


# -- the table state object: comparing --------------------------------------------------------------


def compare_table(state: NovaState, table: object) -> None:
    """Compare a checkpoint's table with the state; raises MalformedError naming the first difference."""
    seen = codec(state.options.spaces).parse_table(table)
    expected = predict(state)
    players = {escape(seat.player) for seat in state.seats}
    for where, value in seen.items():
        if kind_of(where) in ("area", "cover") and parts_of(where)[0] not in players:
            raise MalformedError(f"there is no player {unescape(parts_of(where)[0])!r}")
        compare(value, expected.get(where), f"{where} of the table")
