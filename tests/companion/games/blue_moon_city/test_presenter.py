"""Blue Moon City as a window draws it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.blue_moon_city.actions import Contribute, End, Move
from companion.games.blue_moon_city.presenter import CityPresenter
from companion.games.blue_moon_city.rules.apply import apply
from companion.games.blue_moon_city.table import predict
from companion.table import Place
from companion.view_model import TableView
from tests.helpers.city import city_after, closed_city, played_city

SHOW = CityPresenter()


def places_of(view: TableView) -> dict[Place, str | None]:
    """Return the picture that a view draws, as far as it draws one."""
    drawn: dict[Place, str | None] = {}
    for tile in view.tiles:
        drawn[tile.place] = f"{tile.tile}/{tile.side}"
        drawn.update({spot.place: spot.owner for spot in tile.spots})
    for piece in view.pieces:
        drawn[piece.place] = None if piece.cell is None else f"{piece.cell[0]},{piece.cell[1]}"
    for track in view.tracks:
        drawn.update({spot.place: spot.owner for spot in track.spots})
    return drawn


@given(steps=st.integers(0, 200), players=st.integers(2, 4), seed=st.integers(0, 50))
def test_the_view_draws_what_the_state_predicts(steps: int, players: int, seed: int) -> None:
    """Every place of the predicted picture but the discard pile is drawn, with the same value."""
    state = city_after(steps, players=players, seed=seed)
    predicted = dict(predict(state))
    predicted.pop(Place("discard"), None)

    assert predicted == places_of(SHOW.present(state))


def test_every_place_can_be_put_right() -> None:
    """Each predicted place offers what lies there first, and at least one other thing."""
    state = city_after(60)
    for place, value in predict(state).items():
        options = SHOW.options(state, place)
        is_courtyard = place == Place("cell:2,2")

        assert value == options[0].value, place
        assert len({option.value for option in options}) == len(options) >= (1 if is_courtyard else 2), place
        assert SHOW.name_place(state, place)


def test_hidden_numbers_are_ranges() -> None:
    """In a closed game the crystals are secret and the hands are bounds."""
    state = closed_city()
    counters = {counter.name: counter for counter in SHOW.present(state).players[0].counters}

    assert counters["crystals"].secret
    assert "8" == counters["cards"].text


def test_a_finished_game_says_how_it_ended() -> None:
    """The outcome names the winners, nobody plays any more, and there is nothing to enter."""
    state = next(
        ended
        for seed in range(40)
        if (ended := city_after(3000, seed=seed)).outcome and ended.outcome.winners
    )
    view = SHOW.present(state)
    assert state.outcome is not None

    assert view.outcome is not None
    assert state.outcome.winners[0] in view.outcome
    assert not any(player.is_active for player in view.players)
    assert {player.player for player in view.players if player.is_winner} == set(state.outcome.winners)
    assert () == SHOW.entries(state)


def test_the_turn_can_be_ended_by_hand() -> None:
    """The one entry of a closed game is the end of the turn, with nothing known of the cards."""
    state = closed_city()

    assert (End(player=state.player, discard=None),) == tuple(entry.action for entry in SHOW.entries(state))


@pytest.mark.parametrize("steps", [0, 17, 60])
def test_alternatives_are_possible_and_the_same_kind_comes_first(steps: int) -> None:
    """What could have been done instead is legal, is not what was done, and begins with its own kind."""
    played = played_city(steps + 1)
    state, action = played[steps]
    assert action is not None
    entries = SHOW.alternatives(state, action)

    assert action not in [entry.action for entry in entries]
    kinds = [type(entry.action) is type(action) for entry in entries]
    assert kinds == sorted(kinds, reverse=True)


def test_alternatives_of_a_closed_game_name_no_card() -> None:
    """In a closed game a walk can be replaced by another one without knowing the cards."""
    state = closed_city()
    entries = SHOW.alternatives(state, Move(player=state.player, to=3, cards=None))
    moves = [entry.action for entry in entries if isinstance(entry.action, Move)]

    assert len(moves) > 5
    assert all(apply(state, move) for move in moves)
    assert not any(
        isinstance(entry.action, Contribute) for entry in entries
    )  # the figure is in the courtyard


def test_notes_tell_who_stands_to_win() -> None:
    """A tile with markers names the one who would get the majority reward."""
    told = [
        note
        for seed in range(5)
        for tile in SHOW.present(city_after(120, seed=seed)).tiles
        for note in tile.notes
        if "so far" in note
    ]

    assert told
