"""A seen picture of Nova Luna's table, asked in the words of the game."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.kit.evidence import MISSING
from companion.games.kit.notation import UNSEEN, Cell, as_cell, escape, format_cell, unescape
from companion.games.nova_luna.catalogue import TILES, twin
from companion.games.nova_luna.state import NovaState, Seat
from companion.games.nova_luna.table import (
    TOKEN,
    area_place,
    cover_place,
    loose_place,
    predict,
    track_place,
    wheel_place,
)
from companion.games.nova_luna.tasks import fulfilled_open
from companion.table import Place, Value, kind_of, parts_of


class SeenTable:
    """The believed picture; places that are absent were not seen."""

    def __init__(self, picture: Mapping[Place, Value], spaces: int) -> None:
        self.picture = picture
        self.spaces = spaces
        self.on_track = frozenset(
            name
            for space in range(spaces)
            for name in (picture.get(track_place(space)) or "").split(">")
            if name
        )
        self.sees_whole_track = all(track_place(space) in picture for space in range(spaces))
        self.sees_whole_wheel = all(wheel_place(slot) in picture for slot in range(12))
        self._cells: dict[str, frozenset[Cell] | None] = {}

    def slot(self, slot: int) -> object:
        """Return the value of a slot of the wheel, MISSING where it was not seen."""
        return self.picture.get(wheel_place(slot), MISSING)

    def cells(self, player: str) -> frozenset[Cell] | None:
        """Return all occupied cells of an area, None if the area as a whole was not seen."""
        if player not in self._cells:
            where = area_place(player)
            listed = self.picture.get(where)
            cells = frozenset(as_cell(cell, where) for cell in listed.split(" ")) if listed else frozenset()
            self._cells[player] = cells if where in self.picture else None
        return self._cells[player]

    def tile(self, player: str, cell: Cell) -> object:
        """Return the tile seen on a cell; None = surely none; MISSING = not seen, or not read."""
        value: object = self.picture.get(area_place(player, format_cell(cell)), MISSING)
        cells = self.cells(player)
        if value is MISSING and cells is not None and cell not in cells:
            return None
        return value

    def loose(self, player: str) -> tuple[str, frozenset[Cell]] | None:
        """Return the look of a tile that lies between cells, and the cells that it may lie on."""
        where = loose_place(player)
        value = self.picture.get(where)
        if value is None:
            return None
        face, *cells = value.split(" ")
        return face, frozenset(as_cell(cell, where) for cell in cells)

    def lies_between(self, player: str, cell: Cell, face: str) -> bool:
        """Whether a tile that looks like this, or cannot be read, may lie on the cell or beside it."""
        loose = self.loose(player)
        return loose is not None and cell in loose[1] and loose[0] in (face, UNSEEN)

    def holds(self, player: str, cell: Cell) -> bool:
        """Whether a tile was surely seen on a cell, read or not."""
        cells = self.cells(player)
        return self.tile(player, cell) not in (None, MISSING) or (cells is not None and cell in cells)


def differences(state: NovaState, sight: SeenTable) -> dict[Place, Value]:
    """Return the seen places that do not show what the state predicts, with what they should show."""
    expected = predict(state)
    found: dict[Place, Value] = {}
    for where, value in sight.picture.items():
        wanted = expected.get(where)
        if value != wanted:
            found[where] = wanted
    for seat in state.seats:
        _forgive_loose(seat, sight, found)
        if seat.supply == 0 and any(kind_of(where) == "cover" for where in found):
            _forgive_choice(seat, found)
    return found


def _forgive_loose(seat: Seat, sight: SeenTable, found: dict[Place, Value]) -> None:
    """Let a loose tile lie on a cell that it may lie on, if the state has it there."""
    own = [laid.at for laid in seat.area if sight.lies_between(seat.player, laid.at, str(twin(laid.tile)))]
    listed = sight.cells(seat.player)
    if own:
        found.pop(loose_place(seat.player), None)
        if listed is not None and {laid.at for laid in seat.area} - listed == {own[0]}:
            found.pop(area_place(seat.player), None)


def _forgive_choice(seat: Seat, found: dict[Place, Value]) -> None:
    """Let the last tokens lie on any fulfilled tasks: which of them changes nothing any more."""
    fair = {
        cover_place(seat.player, format_cell(laid.at), task) for laid in seat.area for task in laid.covered
    }
    fair |= {
        cover_place(seat.player, format_cell(seat.area[index].at), task)
        for index, task in fulfilled_open(seat.area)
    }
    own = {where: wanted for where, wanted in found.items() if _is_cover_of(where, seat.player)}
    moved_off = [where for where, wanted in own.items() if wanted == TOKEN]
    moved_on = [where for where, wanted in own.items() if wanted is None]
    if len(moved_off) == len(moved_on) and all(where in fair for where in own):
        for where in own:
            del found[where]


def _is_cover_of(where: Place, player: str) -> bool:
    return kind_of(where) == "cover" and parts_of(where)[0] == escape(player)


def read_player(where: Place) -> str:
    """Return the player to whose area a place belongs."""
    return unescape(parts_of(where)[0])


def read_cell(where: Place) -> tuple[str, Cell]:
    """Return player and cell of a place in an area."""
    player, cell, *_ = parts_of(where)
    return unescape(player), as_cell(cell, where)


def tile_of_value(value: str, known: set[int]) -> int | None:
    """Return a tile that looks like this value and is not among the known ones.

    None if all are known, or if nobody can tell which tile lies there.
    """
    if value == UNSEEN:
        return None
    looks = [tile for tile in TILES if twin(tile) == int(value)]
    return next((tile for tile in looks if tile not in known), None)
