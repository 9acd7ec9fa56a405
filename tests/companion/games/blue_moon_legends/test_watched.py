"""The game in the house: dealt, laid out, watched on the simulated table to its end."""

from __future__ import annotations

import random

import pytest

from companion.errors import MalformedError
from companion.game import Game
from companion.games.blue_moon_legends.actions import Announce, Retreat, Reveal
from companion.games.registry import lookup
from tests.benchmarks.legends_watched import watched
from tests.helpers.legends import GAME, pairing, playout, position, value


def test_the_house_finds_the_game_by_name():
    """Registered under its name."""
    assert lookup("blue_moon_legends") is GAME
    assert isinstance(GAME, Game)


@pytest.mark.parametrize("number", [0, 20, 31])
def test_a_watched_game_comes_to_its_true_end(number, tmp_path):
    """Noisy frames, settled and explained: the true result, nothing committed wrongly."""
    tally = watched(number, tmp_path, is_held=False)

    assert 1 == tally["ended"]
    assert 0 == tally["wrong"]
    assert tally["questions"] <= 2


@pytest.mark.parametrize("number", [0, 5, 10])
def test_a_game_with_cards_held_in_hands_comes_to_its_true_end(number, tmp_path):
    """What nothing on the table can show is asked, and nothing is committed wrongly."""
    tally = watched(number, tmp_path, is_held=True)

    assert 1 == tally["ended"]
    assert 0 == tally["wrong"]
    assert tally["questions"] <= 0.1 * tally["actions"]


def test_the_set_up_on_the_table_gives_the_header():
    """The leaders tell the decks; cards in the areas, a missing or a doubled leader are refused."""
    picture = dict(GAME.predict(position("buka,flit")))
    header = GAME.header_from_table(picture, {"players": ["a", "b"]})

    assert {"a": "buka", "b": "flit"} == header["decks"]
    assert GAME.predict(GAME.start(header)).keys() >= {"leader:a", "leader:b"}
    assert header == GAME.public_header(header)
    for places, players in (
        ({"leader:a": None}, ["a", "b"]),
        ({"leader:a": "flit-00"}, ["a", "b"]),
        ({"combat:a:0": "buka-01"}, ["a", "b"]),
        ({}, ["a"]),
    ):
        with pytest.raises(MalformedError):
            GAME.header_from_table({**picture, **places}, {"players": players})


def test_a_copy_with_other_prints_is_another_game():
    """Corrections of the copy count in every game that is played with it; those of a header come on top."""
    copy = GAME.corrected({"vulca-13": {"earth": 9}})
    header = GAME.deal(random.Random(1), {"decks": "vulca,hoax"})

    assert 9 == copy.start(header).card("vulca-13").earth
    assert 8 == copy.start({**header, "corrections": {"vulca-13": {"earth": 8}}}).card("vulca-13").earth
    assert 3 == GAME.start(header).card("vulca-13").earth
    assert "players" == copy.start(header).card("vulca-13").confidence["values"]
    with pytest.raises(MalformedError):
        GAME.corrected({"vulca-99": {}})


def test_simulated_players_mostly_reach_what_they_must():
    """Where an announcement is possible nobody retreats; fights last several turns."""
    fights, announcements = 0, 0
    for number in range(8):
        rng = random.Random(number)
        header = GAME.deal(rng, {"decks": pairing(number * 4)})
        state, choose = GAME.start(header), GAME.random_player(rng)
        while state.outcome is None:
            action = choose(state)
            could = any(isinstance(each, Announce) for each in GAME.legal_actions(state))
            assert not (could and isinstance(action, Retreat))
            fights += isinstance(action, Retreat)
            announcements += isinstance(action, Announce)
            state, _ = GAME.apply(state, action)

    assert announcements > 2 * fights


def test_values_in_a_correction_may_be_missing():
    """A card that prints no value at all counts as 0."""
    state = position(
        "vulca,hoax", corrections={"vulca-13": {"fire": None}}, fight="fire", a={"combat": ["vulca-13"]}
    )

    assert (0, 3) == (value(state, "a", "fire"), value(state, "a", "earth"))


@pytest.mark.parametrize("number", [1, 5, 14, 329])
def test_a_whole_game_can_be_told(number):
    """To a referee who knows no hand and no deck; a hand that is laid open is told as well."""
    rng = random.Random(number)
    header = GAME.deal(rng, {"decks": pairing(number)})
    state, told = GAME.start(GAME.public_header(header)), []
    for before, action, after, _ in playout(rng, header):
        for each in GAME.told(state, before, action):
            state, _ = GAME.apply(state, each)
            told.append(each)
        true = GAME.predict(after)
        assert {place: value for place, value in GAME.predict(state).items() if true[place] != value} == {}

    assert GAME.result(state) is not None
    assert number != 329 or any(isinstance(each, Reveal) for each in told)
