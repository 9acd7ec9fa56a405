"""Urbion's cards without a grid: rows and sides from positions, doubt where nobody could tell."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.decision import Accepted, Ask, InStep, Waiting
from companion.games.kit.areas import card_at
from companion.games.urbion import GAME
from companion.games.urbion.actions import Discard, Fly, Play
from companion.games.urbion.reconcile.seen_table import SeenTable, differences
from companion.games.urbion.state import UrbionState
from companion.observation import Query
from companion.simulation.loose_pieces import Hands
from companion.table import Picture, Place
from tests.helpers.free_areas import by_hand, careful, known_from_areas, read


def played(seed: int, actions: int) -> list[UrbionState]:
    """Return the states of a random game of two, from the start on."""
    rng = random.Random(seed)
    states = [GAME.start(GAME.deal(rng, {"players": 2}))]
    player = GAME.random_player(rng)
    for _ in range(actions):
        if GAME.result(states[-1]) is None:
            states.append(GAME.apply(states[-1], player(states[-1]))[0])
    return states


@given(seed=st.integers(0, 40), actions=st.integers(0, 30))
def test_rows_and_sides_are_read_from_cards_laid_by_hand(seed: int, actions: int) -> None:
    """Cards several millimetres off and a little turned: every place is told, as the state has it."""
    states = played(seed, actions)
    before = states[-2] if len(states) > 1 else states[-1]

    picture = read(GAME, before, by_hand(GAME, states, seed, Hands()))

    assert picture.keys() - {"stray", "pushed"} == known_from_areas(GAME, GAME.predict(states[-1])).keys()
    assert not differences(states[-1], SeenTable(picture, states[-1].players))


def laid_card() -> tuple[UrbionState, Play, UrbionState]:
    """Return a card that is the first on its side of a row in the middle, with the states around it."""
    return next(
        (state, action, GAME.apply(state, action)[0])
        for seed in range(40)
        for state in played(seed, 14)
        if state.pending is None and state.turns > 3
        for action in GAME.legal_actions(state)
        if isinstance(action, Play) and action.row in (1, 2)
        if (row := state.rows[action.row]) is not None and not row.side(action.side)
    )


def shown_astray(
    before: UrbionState, after: UrbionState, play: Play, right: float, away: float
) -> tuple[Picture, Picture]:
    """Return what both states read of a table on which the card lies so many millimetres off."""
    picture = GAME.predict(after)
    where = Place(f"dream:{play.row}:{play.side}:0")
    spot = GAME.spots(picture)[where]
    areas = careful(GAME, picture, {where: replace(spot, x_mm=spot.x_mm + right, y_mm=spot.y_mm + away)})
    other = {place: value for place, value in picture.items() if GAME.area_of(place) is None}
    return {**other, **read(GAME, before, areas)}, {**other, **read(GAME, after, areas)}


@pytest.mark.parametrize("away", [55.0, -55.0])
def test_a_new_card_between_two_rows_is_asked_about(away: float) -> None:
    """At which city it lies nobody could tell; once it is known, it lies where it was said to."""
    state, play, after = laid_card()
    before_it, after_it = shown_astray(state, after, play, 0.0, away)

    decision = GAME.explain(state, Query(picture=before_it))

    assert before_it["stray"].startswith(play.card)
    assert isinstance(decision, Ask)
    ends = [choice.actions[-1] for choice in decision.choices if choice.actions]
    assert play in ends
    assert decision.choices[-1].actions == ()
    assert after_it["stray"] is None
    assert isinstance(GAME.explain(after, Query(picture=after_it)), InStep)


def test_a_card_astray_beside_full_sides_is_waited_for() -> None:
    """It would be the fourth on either of them."""
    state = played(4, 14)[-1]
    full = {Place(f"dream:{row}:left:{index}"): "incubus-air-1" for row in (0, 1) for index in range(3)}
    picture = {**GAME.predict(state), **full, Place("stray"): "incubus-fire-1 0:left 1:left"}

    assert isinstance(GAME.explain(state, Query(picture=picture)), Waiting)


def test_two_cards_astray_are_waited_for() -> None:
    state = played(4, 14)[-1]
    picture = {**GAME.predict(state), Place("stray"): "?"}

    assert isinstance(GAME.explain(state, Query(picture=picture)), Waiting)


@pytest.mark.parametrize(("right", "away"), [(0.0, 55.0), (0.0, -55.0), (45.0, 0.0)])
def test_a_card_that_was_only_pushed_belongs_where_it_is_missed(right: float, away: float) -> None:
    states = played(4, 14)
    picture = GAME.predict(states[-1])
    where = next(w for w in picture if w.startswith("dream:2:left") and picture[w] is not None)
    spot = GAME.spots(picture)[where]
    moved = replace(spot, x_mm=spot.x_mm + right, y_mm=spot.y_mm + away)

    seen = read(GAME, states[-1], careful(GAME, picture, {where: moved}))

    assert seen["stray"] is None
    assert not differences(states[-1], SeenTable(seen, states[-1].players))


def flown() -> tuple[UrbionState, Fly, UrbionState]:
    """Return a Sanae that flies to the next row and lies between the two, with the states around it."""
    return next(
        (state, action, GAME.apply(state, action)[0])
        for seed in range(40)
        if (state := GAME.start(GAME.deal(random.Random(seed), {"books": ["flying_sanae"]}))).pending is None
        for action in GAME.legal_actions(state)
        if isinstance(action, Fly) and action.end == action.start + 1
    )


def between_rows(before: UrbionState, after: UrbionState, flight: Fly) -> Picture:
    """Return what is read of a table on which the card that flew lies between the two rows."""
    picture = GAME.predict(after)
    row = after.rows[flight.end]
    assert row is not None
    where = Place(f"dream:{flight.end}:right:{row.right.index(flight.dream)}")
    spot = GAME.spots(picture)[where]
    areas = careful(GAME, picture, {where: replace(spot, y_mm=spot.y_mm + 52.0)})
    other = {place: value for place, value in picture.items() if GAME.area_of(place) is None}
    return {**other, **read(GAME, before, areas)}


def test_a_card_that_may_have_been_moved_or_only_pushed_is_asked_about() -> None:
    """It lies between its own city and the next, and nothing else tells what a card was spent for."""
    state, flight, after = flown()
    picture = between_rows(state, after, flight)

    decision = GAME.explain(state, Query(picture=picture))

    assert picture[Place("pushed")] == f"{flight.dream} {flight.start}:right {flight.end}:right"
    assert isinstance(decision, Ask)
    spent = [choice.actions[-1] for choice in decision.choices if choice.actions]
    assert spent == [Discard(player=flight.player, card=flight.card), flight]
    assert decision.choices[-1].actions == ()


def test_a_card_that_lay_between_two_cities_before_was_not_moved() -> None:
    state, flight, after = flown()
    picture = between_rows(state, after, flight)

    decision = GAME.explain(state, Query(picture=picture, before={Place("pushed"): picture[Place("pushed")]}))

    assert isinstance(decision, Accepted)
    assert decision.actions == (Discard(player=flight.player, card=flight.card),)


def test_a_city_that_is_gone_leaves_the_others_their_rows() -> None:
    states = played(4, 14)
    picture = {place: v for place, v in GAME.predict(states[-1]).items() if not place.startswith("dream:1")}

    seen = read(GAME, states[-1], careful(GAME, {**picture, Place("city:1"): None}))

    assert seen[Place("city:1")] is None
    assert all(seen[Place(f"city:{row}")] == picture[Place(f"city:{row}")] for row in (0, 2, 3))


def test_an_empty_area_says_that_nothing_lies_there() -> None:
    """All cities claimed, none left in the deck: that is seen, too."""
    state = played(4, 14)[-1]

    seen = read(GAME, state, {"cities": ()})

    assert {seen[Place(f"city:{row}")] for row in range(4)} == {None}
    assert {value for place, value in seen.items() if place.startswith("dream")} == {None}


def test_a_fourth_card_on_a_side_is_told() -> None:
    states = played(4, 14)
    picture = dict(GAME.predict(states[-1]))
    picture |= {Place(f"dream:0:left:{index}"): "incubus-air-1" for index in range(4)}

    seen = read(GAME, states[-1], careful(GAME, picture))

    assert seen[Place("dream:0:left:3")] == "incubus-air-1"


@given(
    spread=st.lists(
        st.tuples(
            st.floats(-200, 200),
            st.floats(-500, 100),
            st.floats(-180, 180),
            st.none()
            | st.sampled_from(("fire-air", "earth-water", "chaos", "meta-air-1", "sanae-air-2", "x")),
        ),
        max_size=12,
    ),
    area=st.sampled_from(("cities", "hand:anna", "waiting", "drawn:0")),
)
def test_whatever_lies_there_can_be_explained(
    spread: list[tuple[float, float, float, str | None]], area: str
) -> None:
    """Also what was misread: a city in a hand, a card that is none of the game's."""
    state = played(2, 10)[-1]
    pieces = tuple(replace(card_at("", area, x, y), turn_deg=turn, face=face) for x, y, turn, face in spread)

    picture = read(GAME, state, {area: pieces})

    assert "x" not in picture.values()
    assert GAME.explain(state, Query(picture={**GAME.predict(state), **picture}))
