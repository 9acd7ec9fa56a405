"""The printed facts: nine decks of thirty cards."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.blue_moon_legends.__main__ import main
from companion.games.blue_moon_legends.catalogue import POWERS, catalogue

# Counted by others than the table's source: types, fire, earth.
COUNTED = {
    "vulca": ({"leadership": 3, "character": 18, "booster": 4, "support": 5}, 69, 46),
    "hoax": ({"leadership": 3, "character": 18, "booster": 3, "support": 6}, 55, 44),
    "flit": ({"leadership": 3, "character": 14, "booster": 13}, 44, 45),
    "mimix": ({"leadership": 2, "character": 23, "booster": 2, "support": 3}, 72, 69),
}


def test_there_are_nine_decks_of_thirty_cards_and_no_card_twice():
    """A card's id tells it apart from every other card of the box."""
    decks = catalogue().decks

    assert [30] * 9 == [len(deck.cards) for deck in decks.values()]
    assert 270 == len({card for deck in decks.values() for card in deck.cards})
    assert 9 == len({deck.leader for deck in decks.values()})


@pytest.mark.parametrize("deck", COUNTED)
def test_types_and_sums_are_those_counted_elsewhere(deck):
    """Four decks' types and sums agree with independent counts."""
    cards = [catalogue().cards[card] for card in catalogue().decks[deck].cards]
    types, fire, earth = COUNTED[deck]

    assert types == Counter(card.type for card in cards)
    assert (fire, earth) == (sum(card.fire or 0 for card in cards), sum(card.earth or 0 for card in cards))


def test_every_power_is_one_that_the_engine_executes(capsys):
    """All 132 powers are words of the vocabulary, and the command says so."""
    powers = [card.power for card in catalogue().cards.values() if card.power is not None]

    assert 132 == len(powers)
    assert POWERS == {power.effect for power in powers}
    assert 0 == main()
    assert "132 of 132 powers" in capsys.readouterr().out


def test_every_fact_carries_how_sure_it_is():
    """Cards keep the marks of the catalogue."""
    card = catalogue().cards[next(iter(catalogue().cards))]

    assert {"values", "icons", "decks", "powers", "names"} == set(card.confidence)
    assert "paraphrased" == card.confidence["powers"]
    assert all({"level", "why"} == set(mark) for mark in catalogue().confidence.values())


def test_a_value_that_is_not_printed_is_none():
    """None and 0 are told apart: parity and shields need it."""
    cards = catalogue().cards

    assert (None, None) == (cards["vulca-20"].fire, cards["vulca-20"].earth)
    assert (0, 0) == (cards["vulca-19"].fire, cards["vulca-19"].earth)
