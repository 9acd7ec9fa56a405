"""What a viewer of an open game cannot know, drawn anew: pages must look the same before and after."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from companion.games.blue_moon_city.state import CityState
from companion.games.blue_moon_legends.state import Side, State, changed
from companion.games.nova_luna.state import NovaState
from companion.games.urbion.state import UrbionState


def _city(state: CityState, viewer: str, rng: random.Random) -> CityState:
    """Deal anew all hands but the viewer's, the cards set aside, and the deck."""
    mine = state.setup.players.index(viewer) if viewer in state.setup.players else -1
    seats = [seat for seat in range(len(state.hands)) if seat != mine]
    pool = [card for seat in seats for card in (*state.hands[seat], *state.aside[seat])]
    pool = rng.sample([*pool, *state.deck], len(pool) + len(state.deck))
    hands, aside = list(state.hands), list(state.aside)
    for seat in seats:
        for held in (hands, aside):
            held[seat] = tuple(pool.pop() for _ in held[seat])
    return replace(state, hands=tuple(hands), aside=tuple(aside), deck=tuple(pool))


def _legends(state: State, viewer: str, rng: random.Random) -> State:
    """Deal anew what the other sides hold unseen, and every deck."""
    sides = [
        _side(side, rng, is_mine=player == viewer)
        for player, side in zip(state.setup.players, state.sides, strict=True)
    ]
    return changed(state, sides=(sides[0], sides[1]))


def _side(side: Side, rng: random.Random, *, is_mine: bool) -> Side:
    if is_mine:
        return changed(side, deck=tuple(rng.sample(side.deck, len(side.deck))))
    shut = [card for card in side.hand if card not in side.revealed]
    pool = rng.sample([*shut, *side.deck, *side.discard], len(shut) + len(side.deck) + len(side.discard))
    drawn = [tuple(pool.pop() for _ in pile) for pile in (shut, side.deck, side.discard)]
    opened = tuple(card for card in side.hand if card in side.revealed)
    return changed(side, hand=(*opened, *drawn[0]), deck=drawn[1], discard=drawn[2])


def _nova_luna(state: NovaState, viewer: str, rng: random.Random) -> NovaState:
    del viewer
    return replace(state, stock=tuple(rng.sample(state.stock, len(state.stock))))


def _urbion(state: UrbionState, viewer: str, rng: random.Random) -> UrbionState:
    """Shuffle both decks; hands lie open."""
    del viewer
    dreams, cities = (rng.sample(deck, len(deck)) for deck in (state.dreams, state.cities))
    return replace(state, dreams=tuple(dreams), cities=tuple(cities))


REDEALT: Final[dict[str, Callable[[Any, str, random.Random], Any]]] = {
    "blue_moon_city": _city,
    "blue_moon_legends": _legends,
    "nova_luna": _nova_luna,
    "urbion": _urbion,
}
