"""The legal actions of an open game, in a fixed order."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import TypeAlias

from companion.errors import RuleViolation
from companion.games.blue_moon_legends.actions import (
    Action,
    Announce,
    Bluff,
    Call,
    Decline,
    Discard,
    Double,
    Drop,
    End,
    Launch,
    Lead,
    Load,
    Pay,
    Play,
    Retreat,
    Retrieve,
    Reveal,
    Trust,
    Unload,
    Use,
)
from companion.games.blue_moon_legends.catalogue import (
    CHARACTER,
    ELEMENTS,
    FIGHTERS,
    LEADERSHIP,
    SHIP,
    CardId,
    Power,
)
from companion.games.blue_moon_legends.rules.apply import apply, check_announcement, unmet_caterpillars
from companion.games.blue_moon_legends.rules.draft import Draft
from companion.games.blue_moon_legends.rules.effects import EFFECTS, is_offered
from companion.games.blue_moon_legends.rules.flow import powers_at_the_end, unmet_sirens
from companion.games.blue_moon_legends.rules.force import ActiveCard, Force
from companion.games.blue_moon_legends.rules.play import CHECKS, has_bluff_icon
from companion.games.blue_moon_legends.rules.targets import (
    Choice,
    demand_factor,
    discard_choices,
    payments,
    retrieve_choices,
)
from companion.games.blue_moon_legends.rules.totals import total
from companion.games.blue_moon_legends.state import Demand, Phase, Side, State

_MOST_DECLINED = 3


def is_legal(state: State, action: Action) -> bool:
    """Whether the rules take the action."""
    try:
        apply(state, action)
    except RuleViolation:
        return False
    return True


def legal_actions(state: State) -> Iterator[Action]:
    """Yield the legal actions of an open game; none when it is over."""
    if state.outcome is not None:
        return
    if state.pending:
        yield from _answers(state)
        return
    player = state.setup.players[state.active]
    if state.turn.phase == Phase.END:
        yield from _uses(state, player)
        yield End(player=player)
        return
    yield from _checked(state, player)
    yield from _uses(state, player)
    yield from _payments(state, player)
    yield from _doubles(state, player)
    if not state.is_first_turn:
        yield Retreat(player=player)
    if state.fight is None:
        yield from _declines(state, player)


def _checked(state: State, player: str) -> Iterator[Action]:
    """Yield single cards and announcements that the rules would take, without carrying them out."""
    draft = Draft(state)
    for action in _candidates(draft, player):
        try:
            if isinstance(action, Announce):
                check_announcement(draft, action)
            else:
                CHECKS[type(action)](draft, action)
        except RuleViolation:
            continue
        yield action


def _answers(state: State) -> Iterator[Action]:
    pending = state.pending[0]
    player = state.setup.players[pending.side]
    hand = state.sides[pending.side].hand
    if pending.demand is Demand.DISCARD:
        for cards in itertools.combinations(hand, pending.number):
            yield Discard(player=player, cards=cards)
    elif pending.demand is Demand.REVEAL:
        yield Reveal(player=player, cards=hand)
    else:
        support = state.mine.support
        bluffs = tuple(laid.card for laid in support if laid.is_bluff and laid.card is not None)
        yield Trust(player=player)
        for is_true in (True, False):
            call = Call(player=player, cards=bluffs, is_true=is_true)
            if is_legal(state, call):
                yield call


def _declines(state: State, player: str) -> Iterator[Action]:
    hand = state.mine.hand
    if not hand:
        yield Decline(player=player, cards=())
    for size in range(1, min(_MOST_DECLINED, len(hand)) + 1):
        for cards in itertools.combinations(hand, size):
            yield Decline(player=player, cards=cards)


def _candidates(draft: Draft, player: str) -> Iterator[Action]:
    """Yield what might be legal: single cards and announcements."""
    state, side = draft.state, draft.state.mine
    if state.turn.phase == Phase.START:
        yield from _openings(side, player)
    for card in side.hand:
        if card is not None:
            yield from _from_hand(state, player, card)
    for card in (card for ship in side.landed for card in ship.cargo):
        yield from _plays(state, player, card, from_ship=True)
    yield from _announcements(draft, player)


def _openings(side: Side, player: str) -> Iterator[Action]:
    """Yield what may be done with cards that lie there when a turn begins."""
    laid = [each for each in (*side.combat, *side.support) if each.is_active and not each.is_bluff]
    yield from (Retrieve(player=player, card=each.card) for each in laid if each.card is not None)
    yield from (Drop(player=player, at=at) for at, each in enumerate(side.support) if each.is_bluff)
    yield from (Unload(player=player, ship=ship.card) for ship in side.ships)


def _from_hand(state: State, player: str, card: CardId) -> Iterator[Action]:
    kind = state.card(card).type
    if kind == LEADERSHIP:
        yield Lead(player=player, card=card)
    elif kind == SHIP:
        yield Launch(player=player, card=card)
    else:
        yield from _plays(state, player, card, from_ship=False)
        for ship in state.mine.ships:
            yield Load(player=player, card=card, ship=ship.card)


def _plays(state: State, player: str, card: CardId, *, from_ship: bool) -> Iterator[Action]:
    facts = state.card(card)
    yield Play(player=player, card=card, from_ship=from_ship)
    if facts.type == CHARACTER and any(icon.startswith("gang_") for icon in facts.icons):
        yield Play(player=player, card=card, from_ship=from_ship, joins=True)
    if has_bluff_icon(facts):
        yield Bluff(player=player, card=card, from_ship=from_ship)


def _announcements(draft: Draft, player: str) -> Iterator[Action]:
    state = draft.state
    if state.fight is None or (state.turn.count(CHARACTER) == 0 and not state.turn.again):
        return
    elements = ELEMENTS if state.fight.element is None else (state.fight.element,)
    for element in elements:
        value = total(state, draft.force(), state.active, element).value
        yield Announce(player=player, element=element, total=value)


def _payments(state: State, player: str) -> Iterator[Action]:
    draft, force = Draft(state), Force(state)
    for entry in (*unmet_caterpillars(draft, force), *unmet_sirens(draft, state.active, force)):
        if entry.card.power is not None:
            factor = demand_factor(state, force, entry)
            for cards in payments(state, state.active, entry.card.power, factor):
                yield Pay(player=player, card=entry.card.id, cards=cards)


def _doubles(state: State, player: str) -> Iterator[Action]:
    force = Force(state)
    targets = [entry.card.id for entry, _ in force.powers(state.active, "opp_discard_or_retreat")]
    for entry, _ in force.powers(state.active, "double_caterpillar"):
        if entry.card.id not in state.turn.used:
            for target in targets:
                yield Double(player=player, card=entry.card.id, target=target)


# -- using powers -----------------------------------------------------------------------------------


def offered(state: State) -> list[tuple[ActiveCard, Power]]:
    """Return the active side's powers that may be used now."""
    draft, found = Draft(state), []
    at_end = powers_at_the_end(draft) if state.turn.phase == Phase.END else []
    for entry in draft.force().sides[state.active]:
        power = entry.card.power
        if power is None or not entry.has_text or power.effect not in EFFECTS:
            continue
        is_open = entry.card.id in at_end if at_end else is_offered(draft, entry.card.id, power)
        if is_open:
            found.append((entry, power))
    return found


def _uses(state: State, player: str) -> Iterator[Action]:
    for entry, power in offered(state):
        for action in _OPTIONS.get(power.effect, _plain)(state, player, entry.card.id, power):
            if power.effect in _SURE or is_legal(state, action):
                yield action


_Options: TypeAlias = Callable[[State, str, CardId, Power], Iterator[Use]]


def _plain(_state: State, player: str, card: CardId, _power: Power) -> Iterator[Use]:
    yield Use(player=player, card=card)


def use_of(player: str, card: CardId, choice: Choice) -> Use:
    """Return the use of a power on a set of cards of the other side."""
    ordered = sorted(choice)
    return Use(
        player=player,
        card=card,
        cards=tuple(CardId(target.card) for target in ordered if target.card),
        backs=tuple(target.at for target in ordered if not target.card),
    )


def _discarding(state: State, player: str, card: CardId, power: Power) -> Iterator[Use]:
    for choice in discard_choices(state, Force(state), state.active, power):
        yield use_of(player, card, choice)


def _from_own_hand(state: State, player: str, card: CardId, _power: Power) -> Iterator[Use]:
    for each in state.mine.hand:
        yield Use(player=player, card=card, cards=(each,))


def _from_their_hand(state: State, player: str, card: CardId, power: Power) -> Iterator[Use]:
    hand = state.theirs.hand
    if hand:
        for cards in itertools.combinations(hand, min(power.number("n"), len(hand))):
            yield Use(player=player, card=card, cards=cards)


def _paying(state: State, player: str, card: CardId, power: Power) -> Iterator[Use]:
    for cards in payments(state, state.active, power):
        yield Use(player=player, card=card, cards=cards)


def _revealing(state: State, player: str, card: CardId, power: Power) -> Iterator[Use]:
    top = state.mine.deck[: power.number("n")]
    for number in range(1, len(top) + 1):
        for gone in top[:number]:
            yield Use(player=player, card=card, cards=(gone,), number=number)


def _shuffling_back(state: State, player: str, card: CardId, power: Power) -> Iterator[Use]:
    side = state.mine
    for number in range(1, min(power.number("n"), len(side.deck)) + 1):
        hand = (*side.hand, *side.deck[:number])
        for cards in itertools.combinations(hand, min(power.number("back"), len(hand))):
            yield Use(player=player, card=card, cards=cards, number=number)


def _retrieving(state: State, player: str, card: CardId, power: Power) -> Iterator[Use]:
    for _, each in retrieve_choices(state, card, power):
        yield Use(player=player, card=card, cards=(each,))
    if power.word("from") == "active":
        for at, laid in enumerate(state.mine.support):
            if laid.is_bluff:
                yield Use(player=player, card=card, backs=(at,))


def _searching(state: State, player: str, card: CardId, power: Power) -> Iterator[Use]:
    zone = state.mine.deck if power.effect == "search_deck" else state.mine.discard
    to_ships = bool(power.word("select"))
    for each in sorted(known for known in zone if known is not None):
        if not to_ships or state.card(each).type == SHIP:
            yield Use(player=player, card=card, cards=(each,))
        elif state.card(each).type in FIGHTERS:
            for ship in state.mine.ships:
                yield Use(player=player, card=card, cards=(each,), ship=ship.card)


_OPTIONS: dict[str, _Options] = {
    "discard_opp_cards": _discarding,
    "discard_own_hand": _from_own_hand,
    "draw_reveal_discard_one": _revealing,
    "draw_then_shuffle_back": _shuffling_back,
    "hand_to_deck_bottom": _from_own_hand,
    "load_from_hand": _from_own_hand,
    "opp_random_discard": _from_their_hand,
    "pay_discard_attract_dragon": _paying,
    "retrieve_card": _retrieving,
    "search_deck": _searching,
    "search_discard": _searching,
}

# Effects whose options are legal as they are made; the others are tried.
_SURE = frozenset(
    {
        "discard_opp_cards",
        "discard_own_hand",
        "hand_to_deck_bottom",
        "opp_random_discard",
        "pay_discard_attract_dragon",
    }
)
