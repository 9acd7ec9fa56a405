"""Cards that nobody saw being spent: which they can have been, and the action with their names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.errors import RuleViolation
from companion.games.blue_moon_city.actions import Action, Contribute, End, Move, MoveDragon, Offer
from companion.games.blue_moon_city.catalogue import (
    ANY,
    CARDS,
    DRAGON_PEOPLE,
    DRAGONS,
    PEOPLES,
    VALUE,
    shortest_path,
)
from companion.games.blue_moon_city.rules.apply import apply
from companion.games.blue_moon_city.rules.legal import payments
from companion.games.blue_moon_city.rules.spending import PILLARS, needs_no_card
from companion.games.blue_moon_city.state import CityState

# Eight contributed cards of value 1 are the most that one box takes; a recolouring Hoax comes on top.
MOST_PAID = 9
MOST_FLITS = 3
MOST_DISCARDED = 2


def unseen_cards(state: CityState, action: Action) -> tuple[tuple[str, ...], int, int] | None:
    """Return which cards an action can have spent unseen, and the bounds of their number; None for none."""
    if state.setup.is_open:
        return None
    match action:
        case Contribute(cards=None):
            return tuple(CARDS), 1, MOST_PAID
        case MoveDragon(card=None):
            people = DRAGON_PEOPLE[action.dragon]
            return (f"{people}-1", f"{people}-2"), 1, 1
        case Move(cards=None) if not needs_no_card(state, action):
            return ("flit-2",), 0, MOST_FLITS
        case Offer(pillar=None) if state.offered:
            return tuple(sorted(PILLARS)), 1, 1
        case End(discard=None):
            return tuple(CARDS), 0, MOST_DISCARDED
        case _:
            return None


def named_action(state: CityState, action: Action, cards: tuple[str, ...]) -> Action | None:
    """Return the action with its cards, in the first way that the rules allow; None if they allow none."""
    return next((one for one in _ways(state, action, cards) if _is_legal(state, one)), None)


def _ways(state: CityState, action: Action, cards: tuple[str, ...]) -> Iterator[Action]:
    match action:
        case Contribute():
            yield from _contributions(state, action, cards)
        case MoveDragon() if len(cards) == 1:
            here = state.dragons[DRAGONS.index(action.dragon)]
            is_leap = VALUE[cards[0]] == 1
            path = None if is_leap or here < 0 else shortest_path(here, action.to)
            yield replace(action, card=cards[0], path=path)
        case Move():
            way = shortest_path(state.figures[state.active], action.to)
            yield replace(action, cards=cards, path=action.path or way)
        case Offer() if len(cards) == 1:
            yield replace(action, pillar=cards[0])
        case End():
            yield replace(action, discard=cards)


def _contributions(state: CityState, action: Contribute, cards: tuple[str, ...]) -> Iterator[Action]:
    """Yield the ways in which exactly these cards pay for the box."""
    building = state.setup.buildings[state.figures[state.active]]
    if building is None:
        return
    colours = (action.colour, *PEOPLES) if building.colour == ANY else (building.colour,)
    for colour in dict.fromkeys(colours):
        for singles, pairs, recolour in payments(cards, colour, building.values[action.box]):
            spent = [*singles, *(card for pair in pairs for card in pair), *(hoax for hoax, _ in recolour)]
            if sorted(spent) == sorted(cards):
                yield replace(action, colour=colour, cards=singles, pairs=pairs, recolour=recolour)


def _is_legal(state: CityState, action: Action) -> bool:
    try:
        apply(state, action)
    except RuleViolation:
        return False
    return True
