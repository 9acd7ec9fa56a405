"""What must hold in every state of Urbion."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.urbion.catalogue import CHAOS_CARDS, HAND_SIZE, SIDE_LIMIT, dream_totals
from companion.games.urbion.rules import impossible_cards, known_dreams
from companion.games.urbion.state import UrbionState


def defects(state: UrbionState) -> tuple[str, ...]:
    """Return every broken invariant in words; empty when the state is sound."""
    return (*_of_cards(state), *_of_rows(state), *_of_hands(state), *_of_the_end(state))


def _of_cards(state: UrbionState) -> Iterator[str]:
    total = CHAOS_CARDS + sum(dream_totals(with_metas=state.archiplaces).values())
    cards = len(known_dreams(state)) + state.dreams.count(None)
    if cards != total:
        yield f"there are {cards} dreams, not {total}"
    for card in impossible_cards(state):
        yield f"there are too many cards {card}"
    cities = sum(row is not None for row in state.rows) + len(state.cities) + state.subdued
    if cities != state.all_cities:
        yield f"there are {cities} cities, not {state.all_cities}"
    if state.last_discards and state.discards[-len(state.last_discards) :] != state.last_discards:
        yield "the last discards do not lie on top"


def _of_rows(state: UrbionState) -> Iterator[str]:
    for number, row in enumerate(state.rows):
        if row is None:
            if state.cities and state.reason is None:
                yield f"row {number} has no city, but the deck has"
        elif max(len(row.left), len(row.right)) > SIDE_LIMIT:
            yield f"row {number} has more than {SIDE_LIMIT} cards on a side"


def _of_hands(state: UrbionState) -> Iterator[str]:
    for player, hand in zip(state.players, state.hands, strict=True):
        if len(hand) > HAND_SIZE:
            yield f"{player} holds {len(hand)} cards"
        if len(hand) < HAND_SIZE and state.reason is None and state.pending is None:
            yield f"{player} holds {len(hand)} cards at the start of a turn"


def _of_the_end(state: UrbionState) -> Iterator[str]:
    if (state.reason == "cities") != (state.subdued == state.all_cities):
        ended = state.reason or "on"
        yield f"{state.subdued} of {state.all_cities} cities are claimed, and the game is {ended}"
