"""Nova Luna's areas without a grid: cells from positions, doubt where nobody could tell."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.decision import Accepted, Ask, InStep, OutOfStep
from companion.games.nova_luna import GAME
from companion.games.nova_luna.actions import Take
from companion.games.nova_luna.catalogue import TILES, twin
from companion.games.nova_luna.loose_pieces import EDGE_MM, covers_of, spots, token_face
from companion.games.nova_luna.state import Laid, NovaState, reach, turn_of
from companion.games.nova_luna.table import TOKEN, area_place, cover_place, loose_place
from companion.loose_pieces import LoosePiece
from companion.observation import Query
from companion.simulation.loose_pieces import Hands
from companion.table import Picture, Place, kind_of
from tests.helpers.free_areas import by_hand, careful, known_from_areas, read


def played(seed: int, actions: int) -> list[NovaState]:
    """Return the states of a random game of two, from the start on."""
    rng = random.Random(seed)
    states = [GAME.start(GAME.deal(rng, {"players": 2}))]
    player = GAME.random_player(rng)
    for _ in range(actions):
        states.append(GAME.apply(states[-1], player(states[-1]))[0])
    return states


def laid_last(states: list[NovaState]) -> Place:
    """Return the cell's place that the last action filled."""
    before, after = (spots(GAME.predict(state)) for state in states[-2:])
    return next(iter(after.keys() - before.keys()))


@given(seed=st.integers(0, 40), actions=st.integers(0, 30), turn=st.floats(-35, 35))
def test_cells_are_read_from_tiles_laid_by_hand(seed: int, actions: int, turn: float) -> None:
    """Tiles a few millimetres off, a little turned, in an area turned any way short of 45 degrees."""
    states = played(seed, actions)
    areas = by_hand(GAME, states, seed, Hands(slip_mm=2.0, turn_deg=2.0), turn)

    picture = read(GAME, states[-1], areas)

    expected = known_from_areas(GAME, GAME.predict(states[-1]))
    assert expected == known_from_areas(GAME, picture)
    assert not any(picture[where] for where in picture if kind_of(where) == "loose")


def test_an_unread_tile_counts_as_one_that_lies_there() -> None:
    states = played(3, 12)
    picture = GAME.predict(states[-1])
    where = laid_last(states)
    areas = careful(GAME, picture, {where: replace(spots(picture)[where], face=None)})

    seen = read(GAME, states[-1], areas)

    listed = {place: value for place, value in picture.items() if kind_of(place) == "area" and place != where}
    assert listed == known_from_areas(GAME, seen)


def test_the_first_of_two_tiles_that_nobody_saw_laid_is_told_by_the_wheel() -> None:
    """One who plays alone took two tiles before anybody looked: the figure came to one of them first."""
    states = [GAME.start(GAME.deal(random.Random(4), {"players": 1}))]
    for cell in ((0, 0), (1, 0)):
        tile = states[-1].wheel[reach(states[-1])[1]] or 0
        states.append(GAME.apply(states[-1], Take(player="red", tile=tile, at=cell))[0])
    picture = GAME.predict(states[-1])

    seen = read(GAME, states[0], careful(GAME, picture))

    assert known_from_areas(GAME, picture).items() <= seen.items()


def test_a_known_tile_that_was_pushed_askew_still_lies_where_it_is_known_to() -> None:
    states = played(3, 14)
    picture = GAME.predict(states[-1])
    where = laid_last(states)
    spot = spots(picture)[where]
    askew = replace(spot, x_mm=spot.x_mm + 0.45 * EDGE_MM, y_mm=spot.y_mm + 0.45 * EDGE_MM)

    seen = read(GAME, states[-1], careful(GAME, picture, {where: askew}))

    assert known_from_areas(GAME, picture).items() <= seen.items()


def pushed(state: NovaState, right: float, away: float) -> tuple[Picture, NovaState]:
    """Return what is seen when the first reachable tile lies beside the mover's only tile, off by edges."""
    mover = turn_of(state) or ""
    action = Take(player=mover, tile=state.wheel[reach(state)[0]] or 0, at=(0, 1))
    after = GAME.apply(state, action)[0]
    picture = GAME.predict(after)
    where = Place(f"area:{mover}:0,1")
    spot = spots(picture)[where]
    moved = replace(spot, x_mm=spot.x_mm + right * EDGE_MM, y_mm=spot.y_mm + away * EDGE_MM)
    seen = {place: value for place, value in picture.items() if kind_of(place) not in ("area", "cover")}
    covers = {place: value for place, value in picture.items() if kind_of(place) == "cover"}
    areas = read(GAME, state, careful(GAME, picture, {where: moved}))
    cells = {str(place).removeprefix("area:") for place in areas}
    told = {place: value for place, value in covers.items() if ":".join(place.split(":")[1:3]) in cells}
    return {**seen, **areas, **told}, after


def second_tile() -> NovaState:
    """Return a state in which the mover has one tile and two more to choose from."""
    states = played(5, 12)
    return next(
        state
        for state in states
        if any(seat.player == turn_of(state) and len(seat.area) == 1 for seat in state.seats)
        and len(reach(state)) > 1
    )


@pytest.mark.parametrize(("right", "away"), [(0.0, 0.0), (0.15, 0.1), (-0.1, -0.2), (0.2, 0.25)])
def test_a_tile_laid_carelessly_is_laid(right: float, away: float) -> None:
    state = second_tile()
    picture, after = pushed(state, right, away)

    decision = GAME.explain(state, Query(picture=picture))

    assert isinstance(decision, Accepted)
    assert [GAME.apply(state, action)[0] for action in decision.actions] == [after]


@pytest.mark.parametrize(("right", "away"), [(0.0, 0.5), (0.0, -0.45), (0.42, 0.1), (-0.2, 0.6), (0.0, 0.76)])
def test_a_tile_between_cells_is_asked_about(right: float, away: float) -> None:
    """Also "not laid yet" may be the answer; what is chosen is then what the table shows."""
    state = second_tile()
    picture, after = pushed(state, right, away)

    decision = GAME.explain(state, Query(picture=picture))

    assert isinstance(decision, Ask)
    ends = [GAME.apply(state, choice.actions[0])[0] for choice in decision.choices if choice.actions]
    assert after in ends
    assert decision.choices[-1].actions == ()
    assert isinstance(GAME.explain(after, Query(picture=picture)), InStep)


@pytest.mark.parametrize(("drift", "is_clear"), [(0.0, True), (0.8, False), (1.0, False)])
def test_a_tile_in_a_bend_of_drifted_rows_is_asked_about(drift: float, is_clear: bool) -> None:
    """Seven tiles in a bend came closer by a row in all: the eighth lies right below the first as well."""
    start = GAME.start(GAME.deal(random.Random(4), {"players": 2}))
    seat = start.seats[0]
    bend = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (3, 2), (3, 1), (3, 0)]
    after = replace(seat, area=tuple(Laid(tile=n, at=at) for n, at in enumerate([*bend, (2, 0)], 1)))
    before = replace(start, seats=(replace(seat, area=after.area[:-1]), *start.seats[1:]))
    picture = GAME.predict(replace(start, seats=(after, *start.seats[1:])))
    moved = {}
    for number, (row, col) in enumerate([*bend, (2, 0)]):
        where = Place(f"area:{seat.player}:{row},{col}")
        spot = spots(picture)[where]
        share = min(number, len(bend) - 1) / (len(bend) - 1)
        moved[where] = replace(spot, y_mm=spot.y_mm + drift * share * 1.04 * EDGE_MM)

    seen = read(GAME, before, careful(GAME, picture, moved))

    assert (Place(f"area:{seat.player}:2,0") in seen) is is_clear
    between = seen[loose_place(seat.player)]
    assert (between is None) is is_clear
    assert is_clear or str(between).split()[1:] == ["1,0", "2,0"]


@pytest.mark.parametrize(("right", "away"), [(1.0, 0.0), (0.0, 1.0), (2.1, 0.1)])
def test_a_tile_that_touches_none_is_named(right: float, away: float) -> None:
    state = second_tile()
    picture, _ = pushed(state, right, away)

    decision = GAME.explain(state, Query(picture=picture))

    assert isinstance(decision, OutOfStep)
    assert decision.rule == "place.not_adjacent"


@pytest.mark.parametrize(("face", "is_tile"), [(None, False), ("9", True)])
def test_what_touches_no_tile_and_cannot_be_read_is_none(face: str | None, is_tile: bool) -> None:
    """It may be a shadow; what can be read is a tile wherever it lies."""
    state = second_tile()
    mover = turn_of(state) or ""
    areas = careful(GAME, GAME.predict(state))
    area = f"area:{mover}"
    first = areas[area][0]
    there = (first, replace(first, face=face, x_mm=first.x_mm - 3.0 * EDGE_MM, y_mm=first.y_mm + EDGE_MM))

    seen = read(GAME, state, {**areas, area: there})

    assert (seen[Place(area)] != read(GAME, state, areas)[Place(area)]) is is_tile


def test_nothing_is_said_of_an_area_whose_tiles_nobody_knows() -> None:
    """Two tiles where none was known: which of them is the first cannot be told."""
    state = GAME.start(GAME.deal(random.Random(1), {"players": 2}))
    player = turn_of(state) or ""
    piece = LoosePiece(
        face="5",
        area=f"area:{player}",
        x_mm=0.0,
        y_mm=0.0,
        turn_deg=0.0,
        width_mm=EDGE_MM,
        height_mm=EDGE_MM,
        confidence=0.9,
    )
    areas = {piece.area: (piece, replace(piece, face="9", x_mm=EDGE_MM))}

    assert read(GAME, state, areas) == {}


@given(
    spread=st.lists(st.tuples(st.floats(-150, 150), st.floats(-150, 150), st.floats(-180, 180)), max_size=9),
    faces=st.lists(st.none() | st.integers(0, 67), min_size=9, max_size=9),
)
def test_whatever_lies_there_is_read_without_a_claim_to_one_cell_twice(
    spread: list[tuple[float, float, float]], faces: list[int | None]
) -> None:
    state = played(2, 10)[-1]
    name = f"area:{state.seats[0].player}"
    pieces = tuple(
        LoosePiece(
            face=None if face is None else str(face),
            area=name,
            x_mm=x,
            y_mm=y,
            turn_deg=turn,
            width_mm=EDGE_MM,
            height_mm=EDGE_MM,
            confidence=0.9,
        )
        for (x, y, turn), face in zip(spread, faces, strict=False)
    )

    picture = read(GAME, state, {name: pieces})

    tiles = [place for place, value in picture.items() if place.count(":") == 2 and value is not None]
    assert len(tiles) <= len(pieces)
    assert all(math.isfinite(float(part)) for place in tiles for part in place.split(":")[2].split(","))


def with_a_token(state: NovaState, where: Place, face: int) -> Picture:
    """Return what is told of a tile of an area with a token on its first task that is read as another one."""
    picture = GAME.predict(state)
    areas = dict(careful(GAME, picture, {where: replace(spots(picture)[where], face=str(twin(face)))}))
    lying = next(one for one in areas[str(area_place("red"))] if one.face == str(twin(face)))
    areas[covers_of("red")] = (replace(lying, area=covers_of("red"), face=token_face(0)),)
    return read(GAME, state, areas)


def test_a_tile_whose_tokens_hide_what_tells_it_from_another_is_the_one_that_lay_there() -> None:
    """But one of another colour is another one, tokens or not."""
    first, like = 22, 23
    assert (TILES[first].colour, TILES[first].cost) == (TILES[like].colour, TILES[like].cost)
    unlike = next(tile for tile, one in TILES.items() if one.colour != TILES[first].colour and one.tasks)
    start = GAME.start(GAME.deal(random.Random(4), {"players": ["red", "blue"]}))
    area = (Laid(tile=first, at=(0, 0)), Laid(tile=1, at=(0, 1)))
    seats = (replace(start.seats[0], area=area), *start.seats[1:])
    state = replace(start, seats=seats)
    where = area_place("red", "0,0")

    doubted, other = with_a_token(state, where, like), with_a_token(state, where, unlike)

    assert where not in doubted
    assert doubted[cover_place("red", "0,0", 0)] == TOKEN
    assert {one for one in doubted if one.startswith("cover:red:0,0:")} == {
        cover_place("red", "0,0", task) for task in range(len(TILES[first].tasks))
    }
    assert other[where] == str(twin(unlike))


def test_a_new_tile_under_a_token_is_none_that_lies_elsewhere() -> None:
    one = next(tile for tile in TILES if TILES[tile].tasks and twin(tile) == tile and copies(tile) == 1)
    start = GAME.start(GAME.deal(random.Random(4), {"players": ["red", "blue"]}))
    blue = replace(start.seats[1], area=(Laid(tile=one, at=(0, 0)),))
    state = replace(start, seats=(start.seats[0], blue))
    taken = replace(state, seats=(replace(start.seats[0], area=(Laid(tile=one, at=(0, 0)),)), blue))
    picture = GAME.predict(taken)
    areas = dict(careful(GAME, picture))
    (lying,) = areas[str(area_place("red"))]
    areas[covers_of("red")] = (replace(lying, area=covers_of("red"), face=token_face(0)),)

    seen = read(GAME, state, areas)

    assert area_place("red", "0,0") not in seen
    assert seen[area_place("red")] == "0,0"


def copies(tile: int) -> int:
    """Return how many tiles look like this one."""
    return sum(twin(other) == twin(tile) for other in TILES)
