"""Playing Blue Moon Legends for the tests: random games, and the same games as an onlooker sees them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.games.blue_moon_legends import GAME
from companion.games.blue_moon_legends.actions import (
    Action,
    Announce,
    Bluff,
    Decline,
    Discard,
    Pay,
    Retreat,
    Use,
)
from companion.games.blue_moon_legends.catalogue import CardId, catalogue
from companion.games.blue_moon_legends.state import Hidden, Laid, Side, State, with_side
from companion.games.game import Event, Json

# Plain random play gives up nearly every fight at once; these weights let fights run.
_WEIGHTS: dict[type[Action], float] = {Retreat: 0.15, Decline: 0.02, Announce: 3.0}
MOST_ACTIONS = 4000

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


def choose(rng: random.Random, actions: Sequence[Action]) -> Action:
    """Return one of the legal actions."""
    return rng.choices(actions, [_WEIGHTS.get(type(action), 1.0) for action in actions])[0]


def playout(rng: random.Random, header: Json) -> Iterator[tuple[State, Action, State, tuple[Event, ...]]]:
    """Yield (before, action, after, events) of a random legal game to its end."""
    state = GAME.start(header)
    for _ in range(MOST_ACTIONS):
        actions = list(GAME.legal_actions(state))
        if not actions:
            return
        action = choose(rng, actions)
        after, events = GAME.apply(state, action)
        yield state, action, after, events
        state = after
    raise AssertionError(f"no end after {MOST_ACTIONS} actions: {GAME.describe(state)}")


def closed(header: Json) -> Json:
    """Return the header of the same game as an onlooker knows it."""
    nobody = dict.fromkeys(header["players"])
    return {**header, "order": nobody, "shuffles": nobody}


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


def position(decks: str = "vulca,hoax", **sides: dict[str, Sequence[str]]) -> State:
    """Return a state before the first turn with named cards in named zones; the rest fills the decks.

    ``a`` and ``b`` name the zones of the two sides: hand, combat, support, discard, leadership, deck (the
    next cards). The players are called a and b.
    """
    names = decks.split(",")
    header = GAME.deal(random.Random(1), {"decks": names, "players": ["a", "b"]})
    state = GAME.start(header)
    for number, player in enumerate("ab"):
        state = with_side(state, number, _placed(names[number], sides.get(player, {})))
    return state


def _placed(deck: str, zones: dict[str, Sequence[str]]) -> Side:
    used = {card for cards in zones.values() for card in cards}
    rest = [card for card in catalogue().decks[deck].cards if card not in used]
    named = {zone: ids(*cards) for zone, cards in zones.items()}
    return Side(
        deck=(*named.get("deck", ()), *rest),
        hand=named.get("hand", ()),
        discard=named.get("discard", ()),
        combat=tuple(Laid(card=card) for card in named.get("combat", ())),
        support=tuple(Laid(card=card) for card in named.get("support", ())),
        leadership=named.get("leadership", ()),
    )


def run_through(state: State, *actions: Action) -> State:
    """Return the state after the actions."""
    for action in actions:
        state, _ = GAME.apply(state, action)
    return state
