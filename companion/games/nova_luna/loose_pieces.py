"""Tiles that lie freely in the players' areas: on which cells they lie, and where nobody could tell.

Nothing is printed in an area. A tile's cell is known from its neighbours: who lies clearly beside one that is
a row or a column further. The clearest neighbours count first. Where the cells of the tiles that are known
already come to lie says which cell is which; the rules' cells are only defined up to a shift. A tile that
lies between two cells, or so far off that it may or may not be a neighbour, is reported at the place
``loose:P`` as its look and the cells that it may lie on. Where something hides a part of an area, only the
tiles that lie clearly beside known ones are told, and not that there are no others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from companion.games.kit.areas import only
from companion.games.kit.notation import UNSEEN, Cell, escape, format_cell
from companion.games.nova_luna.catalogue import TILES, twin
from companion.games.nova_luna.reconcile.seen_table import read_cell, read_player
from companion.games.nova_luna.state import NovaState, Seat, clockwise
from companion.games.nova_luna.table import (
    TOKEN,
    area_place,
    cells_value,
    cover_place,
    is_cell,
    loose_place,
    loose_value,
)
from companion.loose_pieces import LoosePiece, Point, mean_turn_deg, turned
from companion.observation import Observation, Sighting
from companion.table import Picture, Place, Value, kind_of, parts_of

_LOOKS: Final = frozenset(str(twin(tile)) for tile in TILES)
_COPIES: Final = Counter(str(twin(tile)) for tile in TILES)
EDGE_MM: Final = 50.0  # of a simulated tile
_GAP: Final = 1.04  # from tile to tile, in edges, where they are laid with care

# All in edges of a tile. Beside each other: so far along the one axis, at most so far off along the other.
_BESIDE, _OFF = (0.82, 1.30), 0.30
_SURE: Final = 0.2  # so little amiss in all, and no other cell can be meant
_CONTRARY: Final = 0.3  # unless another neighbour with no more amiss says so
_REACH: Final = math.hypot(_BESIDE[1], _OFF)  # the middles are no further apart, however the tiles are turned
# Perhaps beside each other.
_PERHAPS, _FAR_OFF = (0.70, 1.75), 0.80
# So near to its cell a tile that is known to lie there was only pushed.
_PUSHED = 0.9
# What hides a token is no further from the middle of its tile.
_HIDES = 0.75


@dataclass(frozen=True, slots=True)
class _Link:
    """One tile beside another: the step in cells from the first to the second, and how much is amiss."""

    first: int
    second: int
    step: Cell
    amiss: float


@dataclass(slots=True)
class _Area:
    """What can be told of one area.

    Attributes:
        cells: cell of each tile by its number, as far as it is clear.
        loose: for each other tile the cells that it may lie on.
    """

    cells: dict[int, Cell] = field(default_factory=dict)
    loose: dict[int, frozenset[Cell]] = field(default_factory=dict)


def located(state: NovaState, observation: Observation) -> Observation:
    """Return the observation with the places that the tiles in its areas lie on.

    Of an area in which the cells cannot be told nothing is said, of the tasks on its tiles neither.
    """
    if not observation.areas:
        return observation
    found: list[Sighting] = []
    known: set[tuple[str, ...]] = set()  # player and cell of each tile, as in places
    for seat in state.seats:
        seen = observation.areas.get(str(area_place(seat.player)))
        pieces = only(seen or (), _LOOKS)
        covered = observation.covered.get(str(area_place(seat.player)), ())
        is_whole = not _beside(pieces, covered)
        area = None if seen is None else _read(state, seat, pieces, is_whole=is_whole)
        if area is not None:
            known |= {parts_of(area_place(seat.player, format_cell(at))) for at in area.cells.values()}
            on = _upon(observation.areas.get(covers_of(seat.player)), pieces)
            found += _told(seat, _doubted(state, seat, pieces, area, on or {}), area, is_whole=is_whole)
            found += _with_tokens(seat, on, pieces, area, covered)
    others = observation.sightings.items()
    found += [each for where, each in others if kind_of(where) != "cover" or parts_of(where)[:2] in known]
    return replace(observation, sightings={each.place: each for each in found}, areas={}, covered={})


def cells_alone(pieces: Sequence[LoosePiece]) -> dict[int, Cell]:
    """Return a cell for each tile by its number, as they lie to each other; the corner's is 0,0.

    Tiles that lie clearly beside none of the others count from where they seem to be.
    """
    pieces = _straightened(pieces)
    groups = sorted(_groups(pieces), key=len, reverse=True)
    if not groups:
        return {}
    cells = dict(groups[0])
    for group in groups[1:]:
        first = next(iter(group))
        row, col = _cell_from(cells, first, pieces)
        cells |= {number: (row + at[0], col + at[1]) for number, at in group.items()}
    top, left = min(row for row, _ in cells.values()), min(col for _, col in cells.values())
    return {number: (row - top, col - left) for number, (row, col) in cells.items()}


def _cell_from(cells: Mapping[int, Cell], number: int, pieces: Sequence[LoosePiece]) -> Cell:
    """Return the cell on which a tile seems to lie, seen from the nearest one whose cell is known."""
    offsets = {other: _offset(pieces[other], pieces[number]) for other in cells}
    nearest = min(cells, key=lambda other: math.hypot(*offsets[other]))
    (row, col), (x, y) = cells[nearest], offsets[nearest]
    return row - round(y / _GAP), col + round(x / _GAP)


def covers_of(player: str) -> str:
    """Return the name of the area that holds the tokens on a player's tiles."""
    return f"cover:{escape(player)}"


def token_face(task: int | None) -> str:
    """Return what a token on a task is called in such an area."""
    return f"{TOKEN}/{task}"


def _with_tokens(
    seat: Seat,
    on: Mapping[int, Sequence[LoosePiece]] | None,
    pieces: Sequence[LoosePiece],
    area: _Area,
    covered: Sequence[Point],
) -> Iterator[Sighting]:
    """Yield the tasks of the tiles that are read; those of a tile with a token between them are not told.

    Of a tile that something hides in part no task is told to be free.
    """
    if on is None:
        return
    for number, cell in area.cells.items():
        piece, there = pieces[number], on.get(number, [])
        tile = _known_at(seat, cell, piece.face) if there else piece.face
        faces = [token.face for token in there]
        if tile is None or None in faces or len(set(faces)) < len(faces):
            continue
        sure = min((token.confidence for token in there), default=piece.confidence)
        is_hidden = piece.face is None or _is_hidden(piece, covered)
        for task, value in _tasks_of(tile, faces, is_hidden=is_hidden):
            yield Sighting(
                place=cover_place(seat.player, format_cell(cell), task), value=value, confidence=sure
            )


def _tasks_of(tile: str, tokens: Sequence[str | None], *, is_hidden: bool) -> Iterator[tuple[int, Value]]:
    """Yield the tasks of a tile and what is on them; while it is partly hidden only those with a token."""
    for task in range(len(TILES[int(tile)].tasks)):
        if token_face(task) in tokens:
            yield task, TOKEN
        elif not is_hidden:
            yield task, None


def _upon(
    tokens: Sequence[LoosePiece] | None, pieces: Sequence[LoosePiece]
) -> dict[int, list[LoosePiece]] | None:
    """Return the tokens on each tile by the number of the tile; None if nobody looked for tokens."""
    if tokens is None:
        return None
    on: dict[int, list[LoosePiece]] = {}
    for token in tokens:
        apart = [math.dist((piece.x_mm, piece.y_mm), (token.x_mm, token.y_mm)) for piece in pieces]
        on.setdefault(min(range(len(pieces)), key=apart.__getitem__), []).append(token)
    return on


def _doubted(
    state: NovaState,
    seat: Seat,
    pieces: Sequence[LoosePiece],
    area: _Area,
    on: Mapping[int, Sequence[LoosePiece]],
) -> list[LoosePiece]:
    """Return the tiles, those as not read whose tokens hide what tells them from the one that is known there.

    A tile that nobody knows there yet is not one that lies elsewhere.
    """
    elsewhere = Counter(str(twin(laid.tile)) for other in state.seats for laid in other.area)
    laid = {one.at: str(twin(one.tile)) for one in seat.area}
    result = list(pieces)
    for number in on:
        cell, face = area.cells.get(number), pieces[number].face
        if cell is None or face is None:
            continue
        is_other = cell in laid and face != laid[cell] and _known_at(seat, cell, face) != face
        if is_other or (cell not in laid and elsewhere[face] >= _COPIES[face]):
            result[number] = replace(pieces[number], face=None)
    return result


def _known_at(seat: Seat, cell: Cell, face: str | None) -> str | None:
    """Return the tile that is known on a cell if that may be the one that is read, all but its tasks."""
    known = next((str(twin(laid.tile)) for laid in seat.area if laid.at == cell), None)
    if known is None or face is None:
        return face if known is None else known
    one, other = TILES[int(known)], TILES[int(face)]
    return known if (one.colour, one.cost) == (other.colour, other.cost) else face


def _is_hidden(piece: LoosePiece, covered: Sequence[Point]) -> bool:
    """Whether something hides a part of a tile."""
    reach = _HIDES * max(piece.width_mm, piece.height_mm)
    return any(math.dist((piece.x_mm, piece.y_mm), at) <= reach for at in covered)


def _beside(pieces: Sequence[LoosePiece], points: Sequence[Point]) -> list[Point]:
    """Return the points that are on no tile: what is on one hides no other."""
    return [at for at in points if not any(_is_on(piece, at) for piece in pieces)]


def _is_on(piece: LoosePiece, at: Point) -> bool:
    """Whether a point is within the outline of a tile."""
    x, y = turned(at[0] - piece.x_mm, at[1] - piece.y_mm, -piece.turn_deg)
    return abs(x) <= piece.width_mm / 2 and abs(y) <= piece.height_mm / 2


def _told(seat: Seat, pieces: Sequence[LoosePiece], area: _Area, *, is_whole: bool) -> Iterator[Sighting]:
    """Yield what is seen at which place of an area; the whole is as sure as its least sure tile."""
    for number, cell in area.cells.items():
        piece = pieces[number]
        if piece.face is not None:
            where = area_place(seat.player, format_cell(cell))
            yield Sighting(place=where, value=piece.face, confidence=piece.confidence)
    if not is_whole:
        return
    sure = min((piece.confidence for piece in pieces), default=1.0)
    cells = cells_value(map(format_cell, area.cells.values()))
    yield Sighting(place=area_place(seat.player), value=cells, confidence=sure)
    yield Sighting(place=loose_place(seat.player), value=_loose_value(pieces, area), confidence=sure)


def _loose_value(pieces: Sequence[LoosePiece], area: _Area) -> Value:
    if len(area.loose) != 1:
        return loose_value(UNSEEN, ()) if area.loose else None
    ((number, cells),) = area.loose.items()
    return loose_value(pieces[number].face or UNSEEN, map(format_cell, cells))


# -- from positions to cells --------------------------------------------------------------------------


def _read(state: NovaState, seat: Seat, pieces: Sequence[LoosePiece], *, is_whole: bool) -> _Area | None:
    """Return the cells of the tiles; None if it cannot be told which cell is which.

    Where the area is not seen whole, a tile that lies apart from all others may lie beside a hidden one.
    """
    pieces = _straightened(pieces)
    groups = _groups(pieces)
    laid = {tile.at: str(twin(tile.tile)) for tile in seat.area}
    anchored = _anchored(groups, pieces, laid) if laid else _begun(state, groups, pieces)
    if anchored is None:
        return None
    area = _Area()
    left: list[int] = []
    for number in sorted(range(len(pieces)), key=lambda number: number not in anchored):
        cell = anchored.get(number)
        if cell is None or cell in area.cells.values() or not _is_known(pieces[number], cell, laid):
            left.append(number)
        else:
            area.cells[number] = cell
    _grow(area, left, pieces, laid)
    if is_whole:
        for number in left:
            _add_other(area, number, pieces)
    return area


def _is_known(piece: LoosePiece, cell: Cell, laid: Mapping[Cell, str]) -> bool:
    """Whether a tile lies where it is known to lie, or where the first one does.

    One that is known elsewhere was laid or pushed badly, and so may be what a new one was laid beside.
    """
    if not laid:
        return cell == (0, 0)
    return cell in laid and (piece.face == laid[cell] or piece.face not in laid.values())


def _straightened(pieces: Sequence[LoosePiece]) -> list[LoosePiece]:
    """Return the tiles with the area turned so that they lie straight on the whole."""
    turn = mean_turn_deg((piece.turn_deg for piece in pieces), 90.0)
    return [
        replace(piece, x_mm=x, y_mm=y, turn_deg=piece.turn_deg - turn)
        for piece in pieces
        for x, y in [turned(piece.x_mm, piece.y_mm, -turn)]
    ]


def _grow(area: _Area, left: list[int], pieces: Sequence[LoosePiece], laid: Mapping[Cell, str]) -> None:
    """Place what lies near the cell on which it is known to lie, and what lies clearly beside that."""
    while True:
        taken = set(area.cells.values())
        found = (
            (number, cell)
            for find in (_own_cell, _clear_cell)
            for number in left
            if (cell := find(area, number, pieces, laid)) is not None and cell not in taken
        )
        number, cell = next(found, (-1, (0, 0)))
        if number < 0:
            return
        area.cells[number] = cell
        left.remove(number)


def _own_cell(
    area: _Area, number: int, pieces: Sequence[LoosePiece], laid: Mapping[Cell, str]
) -> Cell | None:
    """Return the cell on which the tile is known to lie, if it is still near; if unread, any missed."""
    face, taken = pieces[number].face, set(area.cells.values())
    own = [cell for cell, known in laid.items() if face in (None, known) and cell not in taken]
    near = [cell for cell in own if _distance(area, number, pieces, cell) <= _PUSHED]
    return near[0] if len(near) == 1 else None


def _distance(area: _Area, number: int, pieces: Sequence[LoosePiece], cell: Cell) -> float:
    """Return how far a tile lies from where a cell is, seen from the nearest tile, in edges."""

    def away(other: int) -> int:
        row, col = area.cells[other]
        return abs(row - cell[0]) + abs(col - cell[1])

    if not area.cells:
        return math.inf
    nearest = min(area.cells, key=away)
    row, col = area.cells[nearest]
    x, y = _offset(pieces[nearest], pieces[number])
    return math.hypot(x - (cell[1] - col) * _GAP, y + (cell[0] - row) * _GAP)


def _clear_cell(
    area: _Area, number: int, pieces: Sequence[LoosePiece], laid: Mapping[Cell, str]
) -> Cell | None:
    """Return the cell of a tile that lies clearly beside one whose cell is known.

    Round a bend rows may drift by as much as a cell, so that its neighbours say different things: then it is
    not clear.
    """
    del laid
    taken = set(area.cells.values())
    links = []
    for other, at in area.cells.items():
        along, off, step = _relation(pieces[other], pieces[number])
        if _BESIDE[0] <= along <= _BESIDE[1] and off <= _OFF:
            links.append((abs(along - 1.0) + off, (at[0] + step[0], at[1] + step[1])))
    if not links:
        return None
    amiss, clear = min(links)
    meant = {cell for how_far, cell in links if how_far <= _CONTRARY and cell not in taken}
    is_clear = meant == {clear} if amiss <= _SURE else not _perhaps(area, number, pieces) - {clear}
    return clear if is_clear else None


def _perhaps(area: _Area, number: int, pieces: Sequence[LoosePiece]) -> set[Cell]:
    """Return the free cells beside tiles with known cells that a tile may lie on."""
    taken = set(area.cells.values())
    return {
        cell
        for other, at in area.cells.items()
        if other != number
        for cell in _cells_beside(pieces[other], pieces[number], at)
        if cell not in taken
    }


def _groups(pieces: Sequence[LoosePiece]) -> list[dict[int, Cell]]:
    """Return the groups of tiles that clearly lie beside each other, with cells counted from one of them."""
    links = sorted(_links(pieces), key=lambda link: link.amiss)
    groups = {number: {number: (0, 0)} for number in range(len(pieces))}
    for link in links:
        one, other = groups[link.first], groups[link.second]
        if one is other:
            continue
        at, step, there = one[link.first], link.step, other[link.second]
        shift = (at[0] + step[0] - there[0], at[1] + step[1] - there[1])
        for number, cell in other.items():
            one[number] = (cell[0] + shift[0], cell[1] + shift[1])
            groups[number] = one
    return list({id(group): group for group in groups.values()}.values())


def _links(pieces: Sequence[LoosePiece]) -> Iterator[_Link]:
    for first, one in enumerate(pieces):
        reach = _REACH * max(one.width_mm, one.height_mm)
        for second in range(first + 1, len(pieces)):
            other = pieces[second]
            if abs(other.x_mm - one.x_mm) > reach or abs(other.y_mm - one.y_mm) > reach:
                continue
            along, off, step = _relation(one, other)
            if _BESIDE[0] <= along <= _BESIDE[1] and off <= _OFF:
                yield _Link(first, second, step, abs(along - 1.0) + off)


def _offset(one: LoosePiece, other: LoosePiece) -> tuple[float, float]:
    """Return where another tile lies, right and away, in edges and in the axes of both."""
    turn = mean_turn_deg((one.turn_deg, other.turn_deg), 90.0)
    x, y = one.offset_of(other, turn)
    return x / one.width_mm, y / one.height_mm


def _relation(one: LoosePiece, other: LoosePiece) -> tuple[float, float, Cell]:
    """Return how far another tile lies along the nearer axis, how far off it, in edges, and the step."""
    x, y = _offset(one, other)
    if abs(x) >= abs(y):
        return abs(x), abs(y), (0, 1 if x > 0 else -1)
    return abs(y), abs(x), (-1 if y > 0 else 1, 0)


def _anchored(
    groups: list[dict[int, Cell]], pieces: Sequence[LoosePiece], laid: Mapping[Cell, str]
) -> dict[int, Cell] | None:
    """Return the group that shows most of the known tiles, shifted to their cells; {} if no tile lies.

    None if no tile is recognised, or two shifts fit alike.
    """
    if not pieces:
        return {}
    votes: Counter[tuple[int, Cell]] = Counter()
    for index, group in enumerate(groups):
        for number, (row, col) in group.items():
            alike = [at for at, face in laid.items() if face == pieces[number].face]
            votes.update((index, (at[0] - row, at[1] - col)) for at in alike)
    best = votes.most_common(2)
    if not best or (len(best) == 2 and best[0][1] == best[1][1]):
        return None
    index, (down, right) = best[0][0]
    return {number: (row + down, col + right) for number, (row, col) in groups[index].items()}


def _begun(
    state: NovaState, groups: list[dict[int, Cell]], pieces: Sequence[LoosePiece]
) -> dict[int, Cell] | None:
    """Return the group with the tile that was laid first of all, shifted so that it lies in the middle.

    None if nobody can tell which was the first.
    """
    if not pieces:
        return {}
    first = _laid_first(state, [piece.face for piece in pieces])
    if first is None:
        return None
    group = next(group for group in groups if first in group)
    row, col = group[first]
    return {number: (at[0] - row, at[1] - col) for number, at in group.items()}


def _laid_first(state: NovaState, faces: Sequence[str | None]) -> int | None:
    """Return which of the tiles was laid first.

    The figure goes round the wheel, so whose tile it came to first laid it first. None if one of several
    cannot be told on the wheel as it was.
    """
    if len(faces) == 1:
        return 0
    looks = [None if tile is None else str(twin(tile)) for tile in state.wheel]
    if any(face is None or looks.count(face) != 1 for face in faces) or len(set(faces)) < len(faces):
        return None
    order = [looks[slot] for slot in clockwise(state.figure)]
    return min(range(len(faces)), key=lambda number: order.index(faces[number]))


def _add_other(area: _Area, number: int, pieces: Sequence[LoosePiece]) -> None:
    """Place a tile that lies clearly beside none of the others: apart from all, or perhaps beside some.

    What touches no tile and cannot be read may be no tile at all, but a shadow or a scrap of paper.
    """
    perhaps = _perhaps(area, number, pieces)
    if perhaps or not area.cells:
        area.loose[number] = frozenset(perhaps)
    elif pieces[number].face is not None:
        area.cells[number] = _cell_apart(area)


def _cells_beside(one: LoosePiece, other: LoosePiece, at: Cell) -> Iterator[Cell]:
    """Yield the cells beside one tile on which another one may lie."""
    x, y = _offset(one, other)
    for along, off, step in ((x, y, (0, 1 if x > 0 else -1)), (y, x, (-1 if y > 0 else 1, 0))):
        if _PERHAPS[0] <= abs(along) <= _PERHAPS[1] and abs(off) <= _FAR_OFF:
            yield at[0] + step[0], at[1] + step[1]


def _cell_apart(area: _Area) -> Cell:
    """Return a cell that touches none, for a tile that touches none.

    Which it is says nothing, and must not change from frame to frame.
    """
    bottom = max(row for row, _ in area.cells.values())
    return bottom + 2, 0


# -- where careful players lay tiles ------------------------------------------------------------------


def spots(picture: Picture) -> dict[Place, LoosePiece]:
    """Return where the tiles of the areas lie when they are laid with care, by place."""
    found = {}
    for where, value in picture.items():
        if is_cell(where) and value is not None:
            player, (row, col) = read_cell(where)
            found[where] = LoosePiece(
                face=value,
                area=str(area_place(player)),
                x_mm=col * EDGE_MM * _GAP,
                y_mm=-row * EDGE_MM * _GAP,
                turn_deg=0.0,
                width_mm=EDGE_MM,
                height_mm=EDGE_MM,
                confidence=1.0,
            )
    return found


def area_of(where: Place) -> str | None:
    """Return the free area from which a place is known: cells, and the list of them; None for all others."""
    return str(area_place(read_player(where))) if kind_of(where) == "area" else None
