"""Playing Blue Moon Legends for the tests: random games, and the same games as an onlooker sees them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from companion.errors import RuleViolation
from companion.game import Event, Json
from companion.games.blue_moon_legends import GAME
from companion.games.blue_moon_legends.actions import (
    Action,
    Announce,
    Bluff,
    Decline,
    Discard,
    Pay,
    Play,
    Use,
)
from companion.games.blue_moon_legends.catalogue import CardId, catalogue
from companion.games.blue_moon_legends.record import totals
from companion.games.blue_moon_legends.state import Fight, Hidden, Laid, Ship, Side, State, with_side

MOST_ACTIONS = 4000

Zones: TypeAlias = Mapping[str, Sequence[str]]

# Powers whose cards an onlooker does not see.
_UNSEEN = frozenset(
    {
        "discard_own_hand",
        "draw_reveal_discard_one",
        "draw_then_shuffle_back",
        "hand_to_deck_bottom",
        "opp_random_discard",
        "pay_discard_attract_dragon",
        "search_discard",
    }
)

PAIRINGS: Sequence[tuple[str, str]] = tuple(itertools.combinations(sorted(catalogue().decks), 2))


def pairing(number: int) -> tuple[str, str]:
    """Return the decks of the numbered game: all pairings in turn, each deck first as often as second."""
    decks = PAIRINGS[number % len(PAIRINGS)]
    return decks if number // len(PAIRINGS) % 2 == 0 else (decks[1], decks[0])


def playout(rng: random.Random, header: Json) -> Iterator[tuple[State, Action, State, tuple[Event, ...]]]:
    """Yield (before, action, after, events) of a random legal game to its end."""
    state, choose = GAME.start(header), GAME.random_player(rng)
    for _ in range(MOST_ACTIONS):
        if state.outcome is not None:
            return
        action = choose(state)
        after, events = GAME.apply(state, action)
        yield state, action, after, events
        state = after
    raise AssertionError(f"no end after {MOST_ACTIONS} actions: {GAME.describe(state)}")


def veiled(state: State, action: Action) -> Action:
    """Return the action as an onlooker can know it: cards from a hand only where they lay open."""
    if isinstance(action, Decline | Discard | Pay):
        side = state.setup.players.index(action.player)
        return replace(action, cards=_seen(state.sides[side], action.cards))
    if isinstance(action, Bluff) and not action.from_ship:
        return replace(action, card=_seen(state.mine, (action.card,))[0])
    if isinstance(action, Use):
        power = state.card(action.card).power
        effect = power.effect if power is not None else ""
        hidden = effect in _UNSEEN or (effect == "search_deck" and not (power and power.word("select")))
        side_of = state.theirs if effect == "opp_random_discard" else state.mine
        return replace(action, cards=_seen(side_of, action.cards)) if hidden else action
    return action


def _seen(side: Side, cards: tuple[Hidden, ...]) -> tuple[Hidden, ...]:
    return tuple(card if card in side.revealed else None for card in cards)


# -- positions made by hand ---------------------------------------------------------------------------


def ids(*cards: str) -> tuple[CardId, ...]:
    """Return card ids."""
    return tuple(CardId(card) for card in cards)


def position(
    decks: str = "vulca,hoax",
    *,
    fight: str | None = None,
    active: int = 0,
    dragons: int = 0,
    corrections: Json | None = None,
    a: Zones | None = None,
    b: Zones | None = None,
) -> State:
    """Return a state at the start of a turn, with named cards in named zones; the rest fills the decks.

    Players are called a and b. Zones: hand, deck (the next cards), discard, combat (uncovered), covered,
    support, bluffs, leadership, ships (each followed by its cargo, ``ship:card,card``). `fight` names the
    contested element of a running fight; with a zone ``only`` the rest lies in the discard pile.
    """
    names = decks.split(",")
    header = GAME.deal(random.Random(1), {"decks": names, "players": ["a", "b"]})
    state = GAME.start({**header, "corrections": corrections or {}})
    for number, zones in enumerate((a or {}, b or {})):
        state = with_side(state, number, _placed(names[number], zones))
    running = Fight(turns=2, element=fight) if fight is not None else None
    return replace(state, fight=running, active=active, dragons=dragons)


def _placed(deck: str, zones: Zones) -> Side:
    named = {zone: ids(*cards) for zone, cards in zones.items() if zone not in ("ships", "only")}
    ships = tuple(_ship(text) for text in zones.get("ships", ()))
    used = {card for cards in named.values() for card in cards}
    used |= {card for ship in ships for card in (ship.card, *ship.cargo)}
    rest = tuple(card for card in catalogue().decks[deck].cards if card not in used)
    discard = named.get("discard", ())
    return Side(
        deck=named.get("deck", ()) if "only" in zones else (*named.get("deck", ()), *rest),
        hand=named.get("hand", ()),
        discard=(*discard, *rest) if "only" in zones else discard,
        combat=(
            *(Laid(card=card, is_active=False) for card in named.get("covered", ())),
            *(Laid(card=card) for card in named.get("combat", ())),
        ),
        support=(
            *(Laid(card=card) for card in named.get("support", ())),
            *(Laid(card=card, is_bluff=True) for card in named.get("bluffs", ())),
        ),
        leadership=named.get("leadership", ()),
        ships=ships,
    )


def _ship(text: str) -> Ship:
    ship, _, cargo = text.partition(":")
    return Ship(card=CardId(ship), cargo=ids(*(card for card in cargo.split(",") if card)))


def run_through(state: State, *actions: Action) -> State:
    """Return the state after the actions."""
    for action in actions:
        state, _ = GAME.apply(state, action)
    return state


def play(player: str, *cards: str, from_ship: bool = False, joins: bool = False) -> list[Action]:
    """Return the laying of cards, one after the other."""
    return [
        Play(player=player, card=card, from_ship=from_ship, joins=joins and at == 0)
        for at, card in enumerate(ids(*cards))
    ]


def announce(state: State, element: str | None = None) -> State:
    """Return the state after the active player announced the total as it is."""
    for action in GAME.legal_actions(state):
        if isinstance(action, Announce) and element in (None, action.element):
            return GAME.apply(state, action)[0]
    raise AssertionError(f"no announcement is legal: {GAME.describe(state)}")


def refused(state: State, action: Action) -> str:
    """Return the id of the rule that refuses an action."""
    try:
        GAME.apply(state, action)
    except RuleViolation as error:
        return error.rule
    raise AssertionError(f"{action} was not refused")


def value(state: State, player: str, element: str) -> int:
    """Return a player's total."""
    return totals(state)[player][element]
