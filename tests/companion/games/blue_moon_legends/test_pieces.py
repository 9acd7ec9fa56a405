"""What lies on a table of Blue Moon Legends."""

from __future__ import annotations

import random
from collections import Counter

from companion.games.blue_moon_legends import GAME, PIECES
from companion.games.blue_moon_legends.catalogue import catalogue
from companion.simulation.table import SimulatedTable
from companion.table import place
from tests.helpers.legends import position


def test_no_card_gets_lost() -> None:
    """Both decks and leaders, three dragons and the crystal are there at any time of rest."""
    header = GAME.deal(random.Random(7), {})
    table = SimulatedTable(GAME, header, random.Random(7), stages=GAME.stages)
    seen = Counter[str]()
    for moment in table.moments():
        if moment.busy:
            continue
        laid = list(PIECES.laid(table.states[-1], moment.picture))
        cards = sum(one.thickness for one in laid if one.shape == "flat")
        # What is cleared away late still lies there, and is counted where it goes.
        is_settled = moment.picture == GAME.predict(table.states[-1])
        assert cards == 2 * 31 if is_settled else cards >= 2 * 31
        assert Counter(one.shape for one in laid) >= Counter(dragon=3, gem=1, board=1)
        assert len({one.key for one in laid}) == len(laid)
        seen.update(one.place.split(":")[0] for one in laid)
    assert {"combat", "covered", "support", "under-leader", "discard"} <= seen.keys()


def test_cards_of_one_picture_are_the_look_alikes() -> None:
    """Five cards share one picture, no other does."""
    alike = Counter(face.picture for face in PIECES.faces.values() if face.picture)
    assert list(alike.values()) == [5]


def test_a_leader_tells_that_its_deck_is_known() -> None:
    assert PIECES.seats_among(["hoax-00", "hoax-05", "vulca-00", "flit-05"]) == ("vulca", "hoax")


def test_decks_are_sorted_with_strangers_last() -> None:
    """A deck begins with its leader and ends with cards of other peoples."""
    faces = PIECES.in_play({"players": ["a", "b"], "decks": {"a": "vulca", "b": "hoax"}})
    assert faces[0] == catalogue().decks["vulca"].leader
    assert faces[31] == catalogue().decks["hoax"].leader
    assert len(faces) == 63
    assert [name.startswith("vulca") for name in faces[:31]] == [True] * 27 + [False] * 4


def test_a_card_on_its_way_lies_there_once() -> None:
    """While a row is laid anew one card may be at two of its places; then nothing lies upon itself."""
    state = position(fight="fire", a={"combat": ["vulca-08", "vulca-18"]}, b={"combat": ["hoax-05"]})
    picture = {
        **GAME.predict(state),
        place("combat", "a", 1): "vulca-08",
        place("combat", "a", 2): "vulca-18",
    }
    there = [one for one in PIECES.laid(state, picture) if one.area == "combat:a"]

    assert sorted(one.face for one in there) == ["vulca-08", "vulca-18"]
    assert all(one.on != one.key for one in there)
