"""Cards that nobody saw: what a player may choose from, and the action that they make."""

from __future__ import annotations

import pytest

from companion.games.blue_moon_city.actions import Action, Contribute, End, Move, MoveDragon, Offer
from companion.games.blue_moon_city.rules.apply import apply
from companion.games.blue_moon_city.unseen import named_action, unseen_cards
from tests.helpers.city_session import unseen_cards as hidden
from tests.helpers.random_play import played


def spent(action: Action) -> list[str]:
    """Return the cards that an action spends."""
    match action:
        case Contribute(cards=cards, pairs=pairs, recolour=recolour):
            paired = [card for pair in pairs or () for card in pair]
            return sorted([*(cards or ()), *paired, *(hoax for hoax, _ in recolour or ())])
        case Move(cards=cards):
            return sorted(cards or ())
        case End(discard=cards):
            return sorted(cards or ())
        case MoveDragon(card=card) | Offer(pillar=card):
            return [] if card is None else [card]
        case _:
            return []


@pytest.mark.parametrize("seed", range(3))
def test_the_cards_that_were_spent_can_be_named(seed: int) -> None:
    """In a game whose cards nobody saw every action takes the cards that were really spent."""
    tried = set()
    for step in played("blue_moon_city", seed, 60).steps:
        action = hidden(step.action)
        asked = unseen_cards(step.known, action)
        if asked is None:
            continue
        cards, least, most = asked
        really = spent(step.action)
        assert set(cards) >= set(really)
        assert least <= len(really) <= most
        named = named_action(step.known, action, tuple(really))
        assert named is not None, step.action
        assert really == spent(named)
        apply(step.known, named)
        tried.add(type(action))

    assert {Contribute, End} <= tried


def test_other_cards_are_refused() -> None:
    """A box is not paid with what does not make up its value, nor with a card too many."""
    steps = played("blue_moon_city", 0, 60).steps
    step = next(one for one in steps if isinstance(one.action, Contribute))
    action, really = hidden(step.action), spent(step.action)

    assert named_action(step.known, action, ()) is None
    assert named_action(step.known, action, (*really, "khind-1", "khind-1", "khind-1")) is None


def test_nothing_is_asked_where_all_cards_are_known() -> None:
    """In an open game every action names its cards."""
    assert all(
        unseen_cards(step.before, hidden(step.action)) is None
        for step in played("blue_moon_city", 0, 60).steps
    )
