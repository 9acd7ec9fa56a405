"""From what lies free to the places of Nova Luna: slots of the wheel, spaces of the track, players' areas.

The wheel's board says where the ring and the track are; without it the ring's own tiles do, whose upper edges
point away from its middle. Nobody tells which tiles outside of it are whose: tokens do, which lie upon them
or beside them. Which cell an area's tile lies on is not for here (`loose_pieces.located`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from companion.free_faces import FreeFace, Side
from companion.free_pieces import FreePiece, FreeTable, Homes, Placed, Shape
from companion.games.kit.notation import escape, format_cell
from companion.games.kit.placing import as_many_as_exist, covered_points, loose
from companion.games.nova_luna.catalogue import SLOTS, TILES, twin
from companion.games.nova_luna.loose_pieces import cells_alone, covers_of, token_face
from companion.games.nova_luna.table import (
    MEEPLE,
    SPACES,
    area_place,
    stack_value,
    track_place,
    wheel_place,
)
from companion.loose_pieces import LoosePiece, Point, mean_turn_deg, turned
from companion.observation import Sighting
from companion.table import Place, kind_of, parts_of, place
from companion.table_layout import TableLayout

BOARD: Final = "board"
_COPIES: Final = Counter(str(twin(tile)) for tile in TILES)
# Distances from the middle of the wheel, in radii of the ring of tiles.
_RING: Final = (0.72, 1.3)
# How far out the ring truly is is told by so many tiles.
_MEASURED: Final = 3
_MOON: Final = (0.72, 1.25)
_TRACK: Final = (0.3, 0.72)
# How far from the line to its slot or space a piece may be, in steps from one to the next.
_BESIDE = 0.38
# How far the size of a tile may be off.
_ODD_SIZE = 0.3
# Tiles whose middles are no further apart, in edges, belong to one area.
_TOGETHER = 1.6
# What hides a tile is no further from its middle, in edges. What hides the next tile, all of it, begins no
# further from the middle of the one beside it.
_HIDES, _HIDES_NEXT = 0.6, 1.2
# Tiles that are turned alike say how their owner sits.
_ALIKE = 0.9


@dataclass(frozen=True, slots=True)
class _Wheel:
    """Where the wheel is: its middle, mm, how far it is turned, and the radius of its ring of tiles, mm."""

    x_mm: float
    y_mm: float
    turn_deg: float
    radius_mm: float

    def polar(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Return how far out a point is, in radii, and how far clockwise from the first slot, in turns."""
        x, y = turned(x_mm - self.x_mm, y_mm - self.y_mm, -self.turn_deg)
        return math.hypot(x, y) / self.radius_mm, math.atan2(x, y) / (2 * math.pi) % 1.0

    def step_at(
        self, x_mm: float, y_mm: float, steps: int, within: tuple[float, float]
    ) -> tuple[int, float] | None:
        """Return which of so many steps around a point is at, and how far off, in steps; None = elsewhere."""
        out, around = self.polar(x_mm, y_mm)
        if not within[0] <= out <= within[1]:
            return None
        step = round(around * steps)
        return step % steps, abs(around * steps - step)


def placed(layout: TableLayout, players: Sequence[str], table: FreeTable) -> Placed:
    """Return what is known of the places by itself, and the tiles and tokens of each player's area."""
    looks = as_many_as_exist(map(_by_look, table.reading.faces), lambda name: _COPIES.get(name, 1))
    wheel = _wheel(layout, looks)
    ring, others = _at_wheel_and_beside(layout, wheel, looks)
    hidden = [slot for slot in range(SLOTS) if not _is_clear(wheel, slot, layout.tile_edge_mm, table)]
    sightings, likely = [*_slots(wheel, ring, hidden)], [*_guessed_slots(wheel, ring)]
    if table.pieces is not None:
        sightings += _moon(wheel, table)
        if len(players) > 1:
            sightings += _track(wheel, players, table)
    areas: dict[str, tuple[LoosePiece, ...]] = {}
    covered: dict[str, tuple[Point, ...]] = {}
    for player, laid in _by_owner(layout, wheel, players, others, table).items():
        name, seat = str(area_place(player)), _seat_deg(wheel, laid)
        areas[name] = tuple(loose(one, name, name=one.name, seat_deg=seat) for one in laid)
        near = covered_points(table, None, laid, reach=_HIDES_NEXT, seat_deg=seat)
        covered[name] = near if laid else _hidden_outside(wheel, table)
        areas |= _tokens_of(player, laid, table, seat)
    return Placed(sightings=tuple(sightings), likely=tuple(likely), areas=areas, covered=covered)


def _at_wheel_and_beside(
    layout: TableLayout, wheel: _Wheel, faces: Iterable[FreeFace]
) -> tuple[list[FreeFace], list[FreeFace]]:
    """Return the tiles of the ring, and the others."""
    tiles = [one for one in faces if one.side is not Side.BACK and _is_tile(one, layout)]
    ring = _on_ring(layout, wheel, tiles)
    return ring, [one for one in tiles if one not in ring]


def _on_ring(layout: TableLayout, wheel: _Wheel, tiles: Sequence[FreeFace]) -> list[FreeFace]:
    """Return the tiles of the ring: an area may grow up to it, but not as near to the middle."""
    near = [one for one in tiles if wheel.step_at(one.x_mm, one.y_mm, SLOTS, _RING) is not None]
    if len(near) < _MEASURED:
        return near
    out = {one.order: wheel.polar(one.x_mm, one.y_mm)[0] for one in near}
    usual = sorted(out.values())[len(out) // 2]
    half = layout.tile_edge_mm / 2 / wheel.radius_mm
    return [one for one in near if abs(out[one.order] - usual) <= half]


def _hidden_outside(wheel: _Wheel, table: FreeTable) -> tuple[Point, ...]:
    """Return the points outside of the wheel at which something hides the table: a first tile, say."""
    return tuple(at for at in table.reading.hidden if wheel.polar(*at)[0] > _RING[1])


def homes(layout: TableLayout, players: Sequence[str], table: FreeTable) -> Homes:
    """Return where each tile, disc and figure is; the cells of an area are counted from its corner."""
    looks = as_many_as_exist(map(_by_look, table.reading.faces), lambda name: _COPIES.get(name, 1))
    wheel = _wheel(layout, looks)
    faces, others = dict(_at_wheel(layout, wheel, looks)), []
    for one in looks:
        if one.order not in faces and _is_tile(one, layout):
            others.append(one)
    for player, laid in _by_owner(layout, wheel, players, others, table).items():
        seat = _seat_deg(wheel, laid)
        tiles = [loose(one, area_place(player), name=one.name, seat_deg=seat) for one in laid]
        for number, cell in cells_alone(tiles).items():
            faces[laid[number].order] = area_place(player, format_cell(cell))
    return Homes(faces=faces, pieces=dict(_homes_of_pieces(wheel, faces, table)))


def _at_wheel(layout: TableLayout, wheel: _Wheel, faces: Sequence[FreeFace]) -> Iterator[tuple[int, Place]]:
    """Yield the places of the board, of the tiles around it and of the piles."""
    piles = {name: area.around for name, area in layout.areas.items() if name.startswith("stock")}
    ring = {one.order for one in _at_wheel_and_beside(layout, wheel, faces)[0]}
    for one in faces:
        step = wheel.step_at(one.x_mm, one.y_mm, SLOTS, _RING)
        if one.name == BOARD:
            yield one.order, Place(BOARD)
        elif one.side is Side.BACK:
            nearest = min(
                piles, key=lambda name: math.dist(_middle(one), (piles[name].x_mm, piles[name].y_mm))
            )
            yield one.order, Place(nearest)
        elif step is not None and one.order in ring:
            yield one.order, wheel_place(step[0])


def _homes_of_pieces(
    wheel: _Wheel, faces: Mapping[int, Place], table: FreeTable
) -> Iterator[tuple[int, Place]]:
    """Yield the places of the discs and of the figure by their number."""
    for number, one in enumerate(table.pieces or ()):
        slot = wheel.step_at(one.x_mm, one.y_mm, SLOTS, _MOON)
        space = wheel.step_at(one.x_mm, one.y_mm, SPACES, _TRACK)
        under = faces.get(one.on) if one.on is not None else None
        if one.shape is Shape.MEEPLE:
            if slot is not None:
                yield number, place(MEEPLE, slot[0])
        elif space is not None:
            yield number, place("track", space[0], one.level)
        elif under is not None and kind_of(under) == "area" and one.spot is not None:
            yield number, place("cover", *parts_of(under), one.spot)
        elif one.name is not None:
            yield number, place("supply", escape(one.name))


def _by_look(face: FreeFace) -> FreeFace:
    """Return a tile under the name that all tiles of its look share."""
    if face.name is None or not face.name.isdigit() or int(face.name) not in TILES:
        return face
    return replace(face, name=str(twin(int(face.name))))


def _is_tile(face: FreeFace, layout: TableLayout) -> bool:
    return face.name != BOARD and abs(face.width_mm / layout.tile_edge_mm - 1.0) < _ODD_SIZE


# -- the wheel ----------------------------------------------------------------------------------------


def _wheel(layout: TableLayout, faces: Sequence[FreeFace]) -> _Wheel:
    """Return where the wheel is: by its board and the ring of tiles, or as it is usually laid.

    Nobody said how the board lay when it was learnt. But the first slot is the one that points away.
    """
    usual = layout.areas["wheel"].around
    radius = math.hypot(*next(iter(layout.areas["wheel"].places_mm.values())))
    for one in faces:
        if one.name == BOARD:
            wheel = _Wheel(one.x_mm, one.y_mm, one.turn_deg, radius)
            return replace(wheel, turn_deg=_turn_of_ring(wheel, layout, faces))
    middles, turns = [], []
    for one in faces:
        x, y = turned(0.0, radius, one.turn_deg)
        at = one.x_mm - x, one.y_mm - y
        if one.side is Side.FACE and math.dist(at, (usual.x_mm, usual.y_mm)) < radius / 2:
            middles.append(at)
            turns.append(one.turn_deg)
    if not middles:
        return _Wheel(usual.x_mm, usual.y_mm, 0.0, radius)
    x = sorted(x for x, _ in middles)[len(middles) // 2]
    y = sorted(y for _, y in middles)[len(middles) // 2]
    return _Wheel(x, y, mean_turn_deg(turns, 360.0 / SLOTS), radius)


def _turn_of_ring(wheel: _Wheel, layout: TableLayout, faces: Iterable[FreeFace]) -> float:
    """Return how far the slots of a wheel are turned by where tiles lie around it; as it is, without any."""
    around = [
        math.degrees(math.atan2(wheel.x_mm - one.x_mm, one.y_mm - wheel.y_mm))
        for one in faces
        if one.side is Side.FACE
        and _is_tile(one, layout)
        and _RING[0] <= wheel.polar(one.x_mm, one.y_mm)[0] <= _RING[1]
    ]
    return mean_turn_deg(around, 360.0 / SLOTS) if around else wheel.turn_deg


def _is_clear(wheel: _Wheel, slot: int, edge_mm: float, table: FreeTable) -> bool:
    """Whether nothing hides a tile in a slot."""
    x, y = turned(0.0, wheel.radius_mm, wheel.turn_deg - 360.0 * slot / SLOTS)
    return table.reading.is_clear(wheel.x_mm + x, wheel.y_mm + y, _HIDES * edge_mm)


def _slots(wheel: _Wheel, ring: Sequence[FreeFace], hidden: Sequence[int]) -> Iterator[Sighting]:
    """Yield the tiles of the ring; a slot with two tiles, or with one between two slots, is not told."""
    slots: dict[int, list[FreeFace]] = {slot: [] for slot in range(SLOTS)}
    unclear = set()
    for one in ring:
        slot, off = wheel.step_at(one.x_mm, one.y_mm, SLOTS, _RING) or (0, 1.0)
        slots[slot].append(one)
        if off > _BESIDE:
            unclear |= {slot, (slot + 1) % SLOTS, (slot - 1) % SLOTS}
    sure = min((one.confidence for one in ring), default=1.0)
    for slot, there in slots.items():
        if slot in unclear or len(there) > 1:
            continue
        if not there and slot not in hidden:
            yield Sighting(place=wheel_place(slot), value=None, confidence=sure)
        elif there and there[0].name is not None:
            yield Sighting(place=wheel_place(slot), value=there[0].name, confidence=there[0].confidence)


def _guessed_slots(wheel: _Wheel, ring: Sequence[FreeFace]) -> Iterator[Sighting]:
    """Yield what the tiles of the ring are likest to be that nobody can name."""
    for one in ring:
        slot, off = wheel.step_at(one.x_mm, one.y_mm, SLOTS, _RING) or (0, 1.0)
        tiles = {name: likely for name, likely in one.others.items() if name.isdigit()}
        if one.name is None and tiles and off <= _BESIDE:
            likest = max(tiles, key=tiles.__getitem__)
            yield Sighting(place=wheel_place(slot), value=str(twin(int(likest))), confidence=tiles[likest])


def _moon(wheel: _Wheel, table: FreeTable) -> Iterator[Sighting]:
    """Yield the slot of the figure, if just one is seen and it stands clearly at one."""
    figures = table.of_shape(Shape.MEEPLE)
    if len(figures) == 1:
        at = wheel.step_at(figures[0].x_mm, figures[0].y_mm, SLOTS, _MOON)
        if at is not None and at[1] <= _BESIDE:
            yield Sighting(place=MEEPLE, value=str(at[0]), confidence=figures[0].confidence)


def _track(wheel: _Wheel, players: Sequence[str], table: FreeTable) -> Iterator[Sighting]:
    """Yield the tokens on the track; while one is missing it may be in any stack, but on no free space.

    Under the only stack that there is, the one that is missing must be.
    """
    spaces = _on_track(wheel, table)
    if not spaces:
        return
    free = [space for space in range(SPACES) if space not in spaces and _is_free(wheel, space, table)]
    sure = min(token.confidence for stack in spaces.values() for token in stack)
    stacks = {space: _stack_of(tokens) for space, tokens in spaces.items()}
    missing = {*players} - {name for stack in stacks.values() for name in stack or ()}
    if len(missing) == 1 == len(stacks) and len(free) == SPACES - 1:
        ((space, tokens),) = stacks.items()
        stacks, missing = {space: tokens and [*missing, *tokens]}, set()
    for space in range(SPACES):
        stack = stacks.get(space)
        if space in free:
            yield Sighting(place=track_place(space), value=None, confidence=sure)
        elif stack and not missing:
            yield Sighting(place=track_place(space), value=stack_value(stack), confidence=sure)


def _stack_of(tokens: Sequence[FreePiece]) -> list[str] | None:
    """Return the names of the tokens of a stack, bottom first; None if it is not clear which lies where."""
    is_clear = [token.level for token in tokens] == list(range(len(tokens)))
    return [token.name or "" for token in tokens] if is_clear else None


def _is_free(wheel: _Wheel, space: int, table: FreeTable) -> bool:
    """Whether nothing hides a space of the track, wherever on it a token may lie."""
    for at in table.reading.hidden:
        hides = wheel.step_at(*at, SPACES, _TRACK)
        if hides is not None and (hides[0] - space + 1) % SPACES <= 2:
            return False
    return True


def _on_track(wheel: _Wheel, table: FreeTable) -> dict[int, list[FreePiece]]:
    """Return the tokens on each space, bottom first; none at all if one of them cannot be placed or named."""
    spaces: dict[int, list[FreePiece]] = {}
    named: Counter[str | None] = Counter()
    for token in sorted(table.of_shape(Shape.DISC), key=lambda one: one.level):
        at = wheel.step_at(token.x_mm, token.y_mm, SPACES, _TRACK)
        if at is None:
            continue
        if at[1] > _BESIDE:
            return {}
        named[token.name] += 1
        spaces.setdefault(at[0], []).append(token)
    return {} if None in named or max(named.values(), default=0) > 1 else spaces


# -- the players' areas -------------------------------------------------------------------------------


def _by_owner(
    layout: TableLayout, wheel: _Wheel, players: Sequence[str], tiles: Sequence[FreeFace], table: FreeTable
) -> dict[str, list[FreeFace]]:
    """Return the tiles outside of the wheel by their owners, who own all that lies together."""
    owned: dict[str, list[FreeFace]] = {player: [] for player in players}
    heaps = _heaps(layout, wheel, players, table)
    for group in _groups(tiles, _TOGETHER * layout.tile_edge_mm):
        orders = {one.order for one in group}
        voices = Counter(
            token.name for token in table.of_shape(Shape.DISC) if token.on in orders and token.name in owned
        )
        owner = voices.most_common(1)[0][0] if voices else None
        if owner is None:
            owner = min(players, key=lambda player: _distance(group, heaps[player]))
        owned[owner] += group
    return owned


def _groups(tiles: Sequence[FreeFace], reach_mm: float) -> list[list[FreeFace]]:
    """Return the tiles in groups that lie together."""
    groups: list[list[FreeFace]] = []
    for tile in tiles:
        near = [
            group for group in groups if any(_distance([one], _middle(tile)) <= reach_mm for one in group)
        ]
        groups = [group for group in groups if group not in near]
        groups.append([tile, *(one for group in near for one in group)])
    return groups


def _middle(tile: FreeFace) -> tuple[float, float]:
    """Return the middle of a tile, mm."""
    return tile.x_mm, tile.y_mm


def _distance(group: Sequence[FreeFace], at: tuple[float, float]) -> float:
    """Return how far the nearest tile of a group is from a point."""
    return min(math.dist(_middle(one), at) for one in group)


def _heaps(
    layout: TableLayout, wheel: _Wheel, players: Sequence[str], table: FreeTable
) -> dict[str, tuple[float, float]]:
    """Return where each player's tokens are that lie on nothing; without any, where his area usually is."""
    heaps = {}
    for player in players:
        own = [
            (token.x_mm, token.y_mm)
            for token in table.of_shape(Shape.DISC)
            if token.name == player
            and token.on is None
            and wheel.polar(token.x_mm, token.y_mm)[0] > _TRACK[1]
        ]
        usual = layout.areas[str(area_place(player))].around
        xs, ys = zip(*own, strict=True) if own else ((usual.x_mm,), (usual.y_mm,))
        heaps[player] = sum(xs) / len(xs), sum(ys) / len(ys)
    return heaps


def _seat_deg(wheel: _Wheel, tiles: Sequence[FreeFace]) -> float:
    """Return how far the table is turned for the owner of tiles: as the tiles are, else by where they lie."""
    if not tiles:
        return 0.0
    turns = [math.radians(one.turn_deg) for one in tiles]
    x, y = sum(map(math.cos, turns)) / len(turns), sum(map(math.sin, turns)) / len(turns)
    if math.hypot(x, y) >= _ALIKE:
        return math.degrees(math.atan2(y, x))
    right = sum(one.x_mm for one in tiles) / len(tiles) - wheel.x_mm
    away = sum(one.y_mm for one in tiles) / len(tiles) - wheel.y_mm
    return 90.0 * round(math.degrees(math.atan2(right, -away)) / 90.0)


def _tokens_of(
    player: str, tiles: Sequence[FreeFace], table: FreeTable, seat_deg: float
) -> dict[str, tuple[LoosePiece, ...]]:
    """Return the tokens on a player's tiles as an area of their own, none if nobody looked for tokens."""
    if table.pieces is None:
        return {}
    return {covers_of(player): tuple(_tokens(player, tiles, table, seat_deg))}


def _tokens(
    player: str, tiles: Sequence[FreeFace], table: FreeTable, seat_deg: float
) -> Iterator[LoosePiece]:
    """Yield the tokens on tiles, each where its tile is; one between the tasks is not read."""
    by_order = {one.order: one for one in tiles}
    for token in table.of_shape(Shape.DISC):
        tile = by_order.get(token.on) if token.on is not None else None
        if tile is not None:
            told = token.spot is not None and token.name == player
            piece = loose(
                tile, covers_of(player), name=token_face(token.spot) if told else None, seat_deg=seat_deg
            )
            yield replace(piece, confidence=token.confidence)
