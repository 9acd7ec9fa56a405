"""The predicted table, and its object in records."""

from __future__ import annotations

import random

import pytest

from companion.errors import MalformedError
from companion.games.blue_moon_legends.table import cards_of, length_of, rows_of
from companion.observation import Observation, Sighting
from tests.helpers.legends import GAME, pairing, playout, position


def test_the_picture_names_every_card_that_can_be_seen():
    """Rows end with None; covered cards are not there; a bluff shows its back."""
    state = position(
        "buka,vulca",
        fight="fire",
        dragons=-2,
        a={
            "covered": ["buka-01"],
            "combat": ["buka-02"],
            "bluffs": ["buka-05"],
            "ships": ["buka-28:buka-03"],
        },
        b={"combat": ["vulca-13", "vulca-18"], "leadership": ["vulca-30"]},
    )
    picture = GAME.predict(state)

    assert "buka-02" == picture["combat:a:0"]
    assert picture["combat:a:1"] is None
    assert "back" == picture["support:a:0"]
    assert "buka-03" == picture["cargo:a:buka-28:0"]
    assert ["b", "b", "board"] == [picture[f"dragon:{at}"] for at in range(3)]
    assert ("buka-00", "vulca-30") == (picture["leader:a"], picture["leader:b"])
    assert "fire" == picture["element"]
    assert picture["hand:a"] is None


def test_without_an_uncovered_card_the_top_of_the_pile_is_seen():
    """After the top cards were taken back the covered ones show, though they count no more."""
    state = position(fight="fire", a={"covered": ["vulca-01", "vulca-03"]}, b={"combat": ["hoax-01"]})

    assert "vulca-03" == GAME.predict(state)["combat:a:0"]
    assert 0 == GAME.checkpoint(state)["totals"]["a"]["fire"]


def test_tables_read_as_they_were_written():
    """Over whole games, names with colons included."""
    for seed in range(3):
        rng = random.Random(seed)
        header = GAME.deal(rng, {"decks": pairing(seed), "players": ["x:y", "b>c%"]})
        for _, _, after, _ in playout(rng, header):
            picture = GAME.predict(after)
            assert picture == GAME.parse_table(GAME.format_table(picture))


def test_unread_cards_and_open_ends():
    """``?`` is a card nobody could read, ``...`` an end nobody saw."""
    picture = GAME.parse_table(
        {"combat": {"a": ["?", "vulca-01"], "b": ["hoax-01", "..."]}, "dragons": ["a", "?", "board"]}
    )
    rows = rows_of(picture)

    assert (["vulca-01"], 2) == (cards_of(rows["combat:a"]), length_of(rows["combat:a"]))
    assert (["hoax-01"], None) == (cards_of(rows["combat:b"]), length_of(rows["combat:b"]))
    table = GAME.format_table(picture)
    assert {"a": ["vulca-01", "?"], "b": ["hoax-01", "..."]} == table["combat"]
    assert ["a", "board", "?"] == table["dragons"]


def test_what_is_remembered_behind_the_end_of_a_row_does_not_count():
    """A card that was taken away leaves an old place behind."""
    rows = rows_of({"combat:a:0": "vulca-01", "combat:a:1": None, "combat:a:2": "vulca-03"})

    assert (["vulca-01"], 1) == (cards_of(rows["combat:a"]), length_of(rows["combat:a"]))


@pytest.mark.parametrize(
    "table",
    [
        {"combat": ["vulca-01"]},
        {"combat": {"a": ["vulca-99"]}},
        {"combat": {"a": ["vulca-01", "vulca-01"]}},
        {"combat": {"a": ["back"]}},
        {"combat": {"a": ["...", "vulca-01"]}},
        {"cargo": {"a": {"vulca-01": []}}},
        {"leader": {"a": None}},
        {"hand": {"a": -1}},
        {"hand": {"a": "6"}},
        {"dragons": ["a", "b"]},
        {"element": "water"},
        {"winner": 3},
        {"weather": "fine"},
    ],
)
def test_wrong_tables_are_refused(table):
    """Unknown cards, shapes and members."""
    with pytest.raises(MalformedError):
        GAME.parse_table(table)


@pytest.mark.parametrize(
    "claim",
    [
        {"combat": {"b": ["hoax-02"]}},
        {"combat": {"b": []}},
        {"combat": {"c": []}},
        {"support": {"b": ["back"]}},
        {"hand": {"a": 5}},
        {"leader": {"a": "vulca-30"}},
        {"dragons": ["a", "board", "board"]},
        {"element": "earth"},
        {"winner": "a"},
    ],
)
def test_false_checkpoint_tables_are_refused(claim):
    """Each single thing is compared."""
    state = position(fight="fire", b={"combat": ["hoax-01"]})

    GAME.check(state, {"table": {"combat": {"b": ["?"]}, "t": 1.5, "dragons": ["board", "?", "?"]}})
    with pytest.raises(MalformedError):
        GAME.check(state, {"table": claim})


def test_hands_are_compared_as_sets_of_cards():
    """Order does not matter, and what is not known contradicts nothing."""
    state = position(a={"hand": ["vulca-01", "vulca-03"]})

    GAME.check(state, {"hands": {"a": ["vulca-03", "vulca-01"], "b": []}})
    GAME.check(state, {"hands": {"a": ["vulca-03", None], "b": []}})
    for hand in (["vulca-01"], ["vulca-01", "vulca-04"], ["vulca-01", "vulca-01"], [None, "vulca-04"]):
        with pytest.raises(MalformedError):
            GAME.check(state, {"hands": {"a": hand, "b": []}})


def test_a_reading_carries_its_confidences():
    """The same shape as the table."""
    sightings = {
        place: Sighting(place=place, value=value, confidence=0.9)
        for place, value in GAME.predict(position(b={"combat": ["hoax-01"]})).items()
    }
    reading = GAME.format_reading(Observation(source="test", seq=1, seen_at_s=2.0, sightings=sightings))

    assert 2.0 == reading["t"]
    assert ["hoax-01"] == reading["combat"]["b"]
    assert [0.9, 0.9] == reading["confidence"]["combat"]["b"]
    assert 0.9 == reading["confidence"]["element"]
    assert [0.9] * 3 == reading["confidence"]["dragons"]
    GAME.parse_table(reading)
