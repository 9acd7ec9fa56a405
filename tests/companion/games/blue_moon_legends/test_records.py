"""Short records, each of which shows one rule: sound ones, and ones whose last line is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import RecordError
from companion.record.game_record import read_record
from tests.helpers.legends import value

RECORDS = Path(__file__).parent / "records"


def lines_of(name):
    """Return the lines of a record."""
    return (RECORDS / f"{name}.jsonl").read_text("utf-8").splitlines()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("first_turn_any_supports", {"fire": 10, "earth": 5}),
        ("first_turn_any_boosters", {"fire": 10, "earth": 9}),
        ("first_turn_one_support", {"fire": 5, "earth": 5}),
        ("first_turn_free_support", {"fire": 7, "earth": 5}),
    ],
)
def test_texts_and_icons_allow_cards_in_the_turn_that_begins_a_fight(name, expected):
    """Supports, boosters, one support more, a free one: each counts in the total that is announced."""
    state = read_record(lines_of(name)).state

    assert expected == {element: value(state, "a", element) for element in expected}
    assert "fire" == state.fight.element


def test_a_bluff_card_is_an_even_support():
    """CoolCub leaves 4 of 6 to announce."""
    assert 4 == value(read_record(lines_of("even_bluff_is_zero")).state, "b", "fire")


def test_a_ship_found_in_the_deck_loads_as_it_is_played():
    """The Devil brought by Entreat Favor takes a card of the hand on board."""
    ship = read_record(lines_of("found_ship_loads")).state.sides[0].ships[0]

    assert ("buka-29", ("buka-01",)) == (ship.card, ship.cargo)


def test_a_fight_may_be_declined_after_bounce_back():
    """It begins none."""
    state = read_record(lines_of("bounce_back_declined")).state

    assert (None, 1) == (state.fight, state.active)


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("yin_under_fog", "character.limit"),
        ("from_ship_under_fog", "character.limit"),
        ("free_if_under_fog", "character.limit"),
        ("bluff_under_fog", "bluff.ignored"),
    ],
)
def test_ignored_icons_do_not_help_to_lay_a_card(name, rule):
    """Not the free icon that a power or a ship gives, nor that of a bluff: only the last line is wrong."""
    lines = lines_of(name)

    assert read_record(lines[:-1]).state.outcome is None
    with pytest.raises(RecordError) as caught:
        read_record(lines)
    assert (len(lines), rule) == (caught.value.line, caught.value.rule)
