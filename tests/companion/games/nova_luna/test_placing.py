"""From tiles, discs and the moon figure that lie free to the places of Nova Luna."""

from __future__ import annotations

import math
import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from companion.free_faces import FreeFace, Side
from companion.free_pieces import FreeTable, Shape
from companion.games.kit.notation import format_cell
from companion.games.nova_luna import GAME
from companion.games.nova_luna.catalogue import SLOTS, TILES, twin
from companion.games.nova_luna.placing import BOARD
from companion.games.nova_luna.state import NovaState, Seat
from companion.games.nova_luna.table import MEEPLE, area_place, cover_place, predict, track_place, wheel_place
from companion.loose_pieces import turned
from companion.table import kind_of
from tests.helpers.free_tables import Laying, contradictions, differences, seen_places, under_a_hand
from tests.helpers.random_play import played

TILE_MM = (43.0, 43.0)
PITCH_MM = 44.0
SPOTS_MM = ((10.0, 10.0), (-10.0, -10.0), (10.0, -10.0))
SEATS_DEG = (0.0, -90.0, 180.0, 90.0)


def laid(
    state: NovaState, rng: random.Random, *, with_board: bool = True, turn_deg: float = 5.0
) -> FreeTable:
    """Lay a state's table: the wheel anywhere near the middle, the players on any sides of it."""
    hands = Laying(rng)
    around = rng.uniform(-40, 40), rng.uniform(-40, 40)
    board = hands.flat(BOARD, around, (192.0, 192.0), turn_deg=turn_deg)
    around, turn_deg = (board.x_mm, board.y_mm), board.turn_deg
    for slot, tile in enumerate(state.wheel):
        if tile is not None:
            angle = turn_deg - 30.0 * slot
            hands.flat(str(tile), _out(around, 120.0, angle), TILE_MM, turn_deg=angle)
    hands.solid("moon", Shape.MEEPLE, _out(around, 106.0, turn_deg - 30.0 * state.figure))
    if not state.is_solo:
        for space in range(24):
            there = (predict(state)[track_place(space)] or "").split(">")
            for level, player in enumerate(name for name in there if name):
                at = _out(around, 67.0, turn_deg - 15.0 * space)
                hands.solid(player, Shape.DISC, at, on=board, level=level)
    for seat, side in zip(state.seats, rng.sample(SEATS_DEG, len(state.seats)), strict=True):
        _lay_area(hands, seat, side, around)
    for corner in ((-128, 128), (128, 128), (128, -128), (-128, -128)):
        at = around[0] + corner[0], around[1] + corner[1]
        hands.flat("back", at, TILE_MM, side=Side.BACK, turn_deg=rng.uniform(-8, 8))
    table = hands.table()
    if with_board:
        return table
    faces = tuple(one for one in table.reading.faces if one.name != BOARD)
    return replace(table, reading=replace(table.reading, faces=faces))


def _out(around: tuple[float, float], radius_mm: float, angle_deg: float) -> tuple[float, float]:
    """Return a point of a ring; angles run anticlockwise from far away."""
    x, y = turned(0.0, radius_mm, angle_deg)
    return around[0] + x, around[1] + y


def _lay_area(hands: Laying, seat: Seat, seat_deg: float, around: tuple[float, float]) -> None:
    cells = [one.at for one in seat.area] or [(0, 0)]
    rows, cols = [row for row, _ in cells], [col for _, col in cells]
    # The tile nearest to the wheel is clear of it, however the area has grown.
    middle = (min(cols) + max(cols)) / 2
    for one in seat.area:
        right, away = (one.at[1] - middle) * PITCH_MM, -200.0 - (one.at[0] - min(rows)) * PITCH_MM
        x, y = turned(right, away, seat_deg)
        tile = hands.flat(str(one.tile), (around[0] + x, around[1] + y), TILE_MM, turn_deg=seat_deg)
        for task in one.covered:
            spot = turned(*SPOTS_MM[task], tile.turn_deg)
            at = tile.x_mm + spot[0], tile.y_mm + spot[1]
            hands.solid(seat.player, Shape.DISC, at, on=tile, spot=task)
    for number in range(seat.supply):
        x, y = turned(-190.0 + 14 * (number % 5), -190.0 - 14 * (number // 5), seat_deg)
        hands.solid(seat.player, Shape.DISC, (around[0] + x, around[1] + y))


def names(state: NovaState) -> list[str]:
    return [seat.player for seat in state.seats]


@given(seed=st.integers(0, 7), step=st.integers(0, 60))
def test_a_table_laid_by_hand_is_read_as_it_is(seed: int, step: int) -> None:
    states = played("nova_luna", seed).states
    state = states[min(step, len(states) - 1)]
    known = states[max(0, min(step, len(states) - 1) - 1)]

    picture = seen_places(GAME, known, names(state), laid(state, random.Random(seed)))

    truth = predict(state)
    assert differences(GAME, picture, truth) == {}
    assert truth.keys() <= picture.keys()


@given(seed=st.integers(0, 7), turn=st.floats(-10, 10))
def test_the_ring_says_where_the_wheel_is(seed: int, turn: float) -> None:
    state = played("nova_luna", seed).states[0]
    table = laid(state, random.Random(seed), with_board=False, turn_deg=turn)

    picture = seen_places(GAME, state, names(state), table)

    assert differences(GAME, picture, predict(state)) == {}
    assert picture[wheel_place(0)] is None


def test_nothing_is_said_of_pieces_nobody_looked_for() -> None:
    state = played("nova_luna", 1).states[20]
    table = replace(laid(state, random.Random(1)), pieces=None)

    picture = seen_places(GAME, state, names(state), table)

    assert {kind_of(where) for where in picture} == {"wheel", "area", "loose"}


def test_what_a_hand_hides_is_not_called_empty() -> None:
    state = played("nova_luna", 0).states[20]
    table = laid(state, random.Random(0))
    first, second = names(state)[:2]
    free = next(slot for slot in range(SLOTS) if state.wheel[slot] is None)
    own = [one for one in table.reading.faces if one.name == str(twin(state.seats[0].area[0].tile))]
    board = next(one for one in table.reading.faces if one.name == BOARD)
    at = _out((board.x_mm, board.y_mm), 120.0, board.turn_deg - 30.0 * free)
    beside = [(one.x_mm + x, one.y_mm) for one in own for x in (-0.7 * one.width_mm, 0.7 * one.width_mm)]
    hides = replace(table.reading, hidden=(at, *beside))

    picture = seen_places(GAME, state, names(state), replace(table, reading=hides))

    assert wheel_place(free) not in picture
    assert wheel_place((free + 1) % SLOTS) in picture
    assert area_place(first) not in picture
    assert area_place(second) in picture
    assert all(value is not None for where, value in picture.items() if where.startswith("area:" + first))


def test_what_is_on_a_tile_hides_no_other_one() -> None:
    """It may be a token that nobody made out, so that nothing is said of free tasks there."""
    state = played("nova_luna", 0).states[20]
    table = laid(state, random.Random(0))
    first = names(state)[0]
    own = next(one for one in state.seats[0].area if len(TILES[one.tile].tasks) > len(one.covered))
    at = next((one.x_mm, one.y_mm) for one in table.reading.faces if one.name == str(twin(own.tile)))
    task = next(number for number in range(len(TILES[own.tile].tasks)) if number not in own.covered)
    where = cover_place(first, format_cell(own.at), task)
    seen = seen_places(GAME, state, names(state), table)
    hides = replace(table, reading=replace(table.reading, hidden=(at,)))

    picture = seen_places(GAME, state, names(state), hides)

    assert picture[area_place(first)] == seen[area_place(first)]
    assert where in seen
    assert where not in picture


@given(seed=st.integers(0, 6), step=st.integers(0, 60), hand=st.integers(0, 1000))
def test_beside_a_hand_nothing_wrong_is_told(seed: int, step: int, hand: int) -> None:
    states = played("nova_luna", seed).states
    state = states[min(step, len(states) - 1)]
    table = under_a_hand(laid(state, random.Random(seed)), random.Random(hand))

    picture = seen_places(GAME, state, names(state), table)

    assert contradictions(GAME, picture, predict(state)) == {}


def test_under_the_only_stack_is_the_token_that_is_missing() -> None:
    state = played("nova_luna", 0).states[0]
    table = laid(state, random.Random(0))
    stack = str(predict(state)[track_place(0)]).split(">")
    pieces = tuple(one for one in table.pieces or () if not (one.name == stack[0] and one.on is not None))
    tops = tuple(replace(one, level=0) if one.name == stack[-1] else one for one in pieces)
    seen = replace(table, pieces=tops)
    board = next(one for one in table.reading.faces if one.name == BOARD)
    hides = replace(table.reading, hidden=(_out((board.x_mm, board.y_mm), 67.0, board.turn_deg - 150.0),))

    whole = seen_places(GAME, state, names(state), seen)
    partly = seen_places(GAME, state, names(state), replace(seen, reading=hides))

    assert whole[track_place(0)] == ">".join(stack)
    assert track_place(0) not in partly


def test_of_a_tile_that_is_read_twice_the_surer_one_counts() -> None:
    state = played("nova_luna", 0).states[0]
    table = laid(state, random.Random(0))
    on_ring = next(one for one in table.reading.faces if one.name == str(state.wheel[3]))
    other = next(one for one in table.reading.faces if one.name == str(state.wheel[4]))

    def misread(face: FreeFace) -> FreeFace:
        return replace(face, name=on_ring.name, confidence=0.6) if face is other else face

    faces = tuple(map(misread, table.reading.faces))
    picture = seen_places(
        GAME, state, names(state), replace(table, reading=replace(table.reading, faces=faces))
    )

    assert wheel_place(3) in picture
    assert wheel_place(4) not in picture


def test_of_a_tile_on_the_wheel_that_nobody_can_name_the_likest_is_told() -> None:
    """As likely, not as seen: nothing is claimed of its slot."""
    state = played("nova_luna", 3).states[0]
    table = laid(state, random.Random(3))
    first = next(slot for slot, tile in enumerate(state.wheel) if tile is not None)
    tile = str(state.wheel[first])
    faces = tuple(
        one
        if one.name != tile
        else replace(one, name=None, side=Side.UNKNOWN, others={tile: 0.4, "back": 0.3, "1": 0.1})
        for one in table.reading.faces
    )

    layout = GAME.table_layout(names(state))
    assert layout is not None
    seen = replace(table, reading=replace(table.reading, faces=faces))
    placed = GAME.placed(layout, names(state), seen)

    assert wheel_place(first) not in {one.place for one in placed.sightings}
    (likely,) = placed.likely
    assert (likely.place, likely.value) == (wheel_place(first), str(twin(int(tile))))
    assert likely.confidence == 0.4


def test_a_token_between_the_tasks_leaves_its_tile_open() -> None:
    games = (played("nova_luna", seed).states[-1] for seed in range(4))
    state = next(one for one in games if any(laid_one.covered for laid_one in one.seats[0].area))
    table = laid(state, random.Random(0))
    assert table.pieces is not None
    odd = next(one for one in table.pieces if one.spot is not None)
    pieces = tuple(replace(one, spot=None) if one is odd else one for one in table.pieces)

    picture = seen_places(GAME, state, names(state), replace(table, pieces=pieces))

    truth = predict(state)
    open_places = {where for where in truth if where not in picture}
    assert open_places
    assert {where.rpartition(":")[0] for where in open_places} == {min(open_places).rpartition(":")[0]}
    assert differences(GAME, picture, {where: truth[where] for where in picture if where in truth}) == {}


def test_the_figure_between_two_slots_is_not_placed() -> None:
    state = played("nova_luna", 0).states[0]
    table = laid(state, random.Random(0), turn_deg=0.0)
    board = table.reading.faces[0]
    angle = math.radians(15.0)
    at = board.x_mm + 106 * math.sin(angle), board.y_mm + 106 * math.cos(angle)
    pieces = tuple(
        replace(one, x_mm=at[0], y_mm=at[1]) if one.shape is Shape.MEEPLE else one
        for one in table.pieces or ()
    )
    assert MEEPLE not in seen_places(GAME, state, names(state), replace(table, pieces=pieces))
