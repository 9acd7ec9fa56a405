"""Using the powers of cards: every effect that is a choice, as a function of the draft and the action."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from companion.games.blue_moon_legends.actions import Use
from companion.games.blue_moon_legends.catalogue import SHIP, CardId, Power
from companion.games.blue_moon_legends.events import Discarded
from companion.games.blue_moon_legends.rules.draft import Draft
from companion.games.blue_moon_legends.rules.flow import (
    attract,
    draw,
    draw_block,
    intake_block,
    powers_at_the_end,
)
from companion.games.blue_moon_legends.rules.play import check_intake, put_on_ship, put_ship, take_back
from companion.games.blue_moon_legends.rules.targets import Target, discard_choices, pays, retrieve_choices
from companion.games.blue_moon_legends.state import Demand, Hidden, Pending, Phase
from companion.games.blue_moon_legends.texts import violation

Effect: TypeAlias = Callable[[Draft, Power, Use], None]

AFTER_BACKING = "after_my_booster_support_phase"
IN_MY_TURN = "my_turn_optional"


def use(draft: Draft, action: Use) -> None:
    """Use the power of an active card that is offered now; raises RuleViolation."""
    entry = draft.force().find(draft.active, action.card)
    power = entry.card.power if entry is not None and entry.has_text else None
    if (
        entry is None
        or power is None
        or power.effect not in EFFECTS
        or not is_offered(draft, action.card, power)
    ):
        raise violation("use.not_offered", card=action.card)
    if action.number is not None and power.effect not in _WITH_NUMBER:
        raise violation("use.number", card=action.card)
    if action.backs and power.effect != "discard_opp_cards" and power.effect != "retrieve_card":
        raise violation("use.target", card=action.card)
    if action.ship is not None and power.effect != "search_deck":
        raise violation("use.target", card=action.card)
    _spend(draft, action.card, power)
    EFFECTS[power.effect](draft, power, action)
    draft.worked(entry)


def is_offered(draft: Draft, card: CardId, power: Power) -> bool:
    """Whether the power may be used at this moment of the turn."""
    if power.when == "end_of_my_turn":
        return draft.turn.phase == Phase.END and card in powers_at_the_end(draft)
    if power.when == IN_MY_TURN:
        return draft.turn.phase <= Phase.POWER and card not in draft.turn.used
    if power.when == AFTER_BACKING:
        played = any(each.card == card for each in draft.turn.played)
        return Phase.CHARACTER <= draft.turn.phase <= Phase.POWER and played and card not in draft.turn.used
    return any(each == card for each, _ in draft.turn.offers)


def _spend(draft: Draft, card: CardId, power: Power) -> None:
    if power.when == "on_play":
        left = [(each, many - 1) if each == card else (each, many) for each, many in draft.turn.offers]
        draft.mark(offers=tuple((each, many) for each, many in left if many > 0))
        return
    draft.mark(used=draft.turn.used | {card}, offers=())
    if power.when == AFTER_BACKING:
        draft.mark(phase=Phase.POWER)


def _one(action: Use) -> Hidden:
    if len(action.cards) != 1 or action.backs:
        raise violation("use.target", card=action.card)
    return action.cards[0]


def _none(action: Use) -> None:
    if action.cards:
        raise violation("use.target", card=action.card)


def _known(card: Hidden, source: CardId) -> CardId:
    if card is None:
        raise violation("cards.unnamed", card=source)
    return card


# -- drawing ----------------------------------------------------------------------------------------


def _draw(draft: Draft, power: Power, action: Use) -> None:
    _none(action)
    if power.effect == "draw_up_to":
        draw(draft, draft.active, power.number("to") - len(draft.state.mine.hand))
    else:
        draw(draft, draft.active, power.number("n"))


def _number(draft: Draft, power: Power, action: Use) -> int:
    """Return how many cards the player draws: one up to the power's number, not more than there are."""
    most = min(power.number("n"), len(draft.state.mine.deck))
    if action.number is None or not 1 <= action.number <= most:
        raise violation("use.number", card=action.card, most=most)
    return action.number


def _draw_exactly(draft: Draft, number: int, card: CardId) -> None:
    if draw(draft, draft.active, number) != number:
        raise violation("use.number", card=card)


def _draw_reveal_discard(draft: Draft, power: Power, action: Use) -> None:
    """Turn up some cards of the deck, discard one of them, take the others (ruling 22)."""
    number, gone = _number(draft, power, action), _one(action)
    side = draft.state.mine
    top = draft.take(draft.active, side.deck[:number], gone, "use.target")
    draft.put(draft.active, deck=(*top, *side.deck[number:]))
    draft.discard(draft.active, gone)
    if number > 1:
        _draw_exactly(draft, number - 1, action.card)


def _draw_then_shuffle_back(draft: Draft, power: Power, action: Use) -> None:
    _draw_exactly(draft, _number(draft, power, action), action.card)
    if len(action.cards) != min(power.number("back"), len(draft.state.mine.hand)):
        raise violation("use.target", card=action.card)
    for card in action.cards:
        draft.from_hand(draft.active, card)
    draft.put(draft.active, deck=draft.shuffled(draft.active, (*draft.state.mine.deck, *action.cards)))


def _draw_from_shuffled_discard(draft: Draft, power: Power, action: Use) -> None:
    _none(action)
    check_intake(draft)
    if draft.state.mine.uncounted and len(draft.state.mine.discard) < power.number("n"):
        raise violation("deck.uncounted", player=draft.name(draft.active))
    pile = draft.shuffled(draft.active, draft.state.mine.discard)
    for _ in range(power.number("n")):
        if not pile or intake_block(draft, draft.active) is not None:
            break
        draft.put(draft.active, hand=(*draft.state.mine.hand, pile[0]))
        pile = pile[1:]
    draft.put(draft.active, discard=pile)


# -- searching --------------------------------------------------------------------------------------


def _search_deck(draft: Draft, power: Power, action: Use) -> None:
    """Take a card from the deck, or with a ship's word play or load it, and shuffle."""
    card = _one(action)
    side = draft.state.mine
    to_ships = power.word("select") == "ship_to_play_or_card_to_load"
    blocked = None if to_ships else draw_block(draft, draft.active)
    if blocked is not None:
        raise violation("hand.closed", by=blocked.card.id)
    draft.put(draft.active, deck=draft.take(draft.active, side.deck, card, "use.target"))
    if to_ships:
        _to_ships(draft, _known(card, action.card), action)
    elif action.ship is not None:
        raise violation("use.target", card=action.card)
    else:
        draft.put(draft.active, hand=(*side.hand, card))
        draft.mark(drawn=draft.turn.drawn + 1)
    draft.put(draft.active, deck=draft.shuffled(draft.active, draft.state.mine.deck))


def _to_ships(draft: Draft, card: CardId, action: Use) -> None:
    if draft.card(card).type == SHIP and action.ship is None:
        put_ship(draft, draft.card(card))
    elif action.ship is not None:
        put_on_ship(draft, card, action.ship, from_hand=False)
    else:
        raise violation("use.target", card=action.card)


def _search_discard(draft: Draft, _power: Power, action: Use) -> None:
    card = _one(action)
    check_intake(draft)
    pile = draft.take(draft.active, draft.state.mine.discard, card, "use.target")
    draft.put(draft.active, discard=pile, hand=(*draft.state.mine.hand, card))


def _shuffle_discard_into_deck(draft: Draft, _power: Power, action: Use) -> None:
    _none(action)
    side = draft.state.mine
    deck = draft.shuffled(draft.active, (*side.deck, *side.discard))
    draft.put(draft.active, deck=deck, discard=(), uncounted=0)


# -- the own cards ----------------------------------------------------------------------------------


def _retrieve_card(draft: Draft, power: Power, action: Use) -> None:
    if action.backs:
        _retrieve_bluff(draft, power, action)
        return
    card = _known(_one(action), action.card)
    for zone, each in retrieve_choices(draft.state, action.card, power):
        if each == card:
            take_back(draft, zone, card)
            return
    raise violation("use.target", card=action.card)


def _retrieve_bluff(draft: Draft, power: Power, action: Use) -> None:
    """Take back an own face-down card, named by its place, without showing it."""
    support = draft.state.mine.support
    at = action.backs[0]
    if action.cards or len(action.backs) != 1 or power.word("from") != "active":
        raise violation("use.target", card=action.card)
    if at >= len(support) or not support[at].is_bluff:
        raise violation("use.target", card=action.card)
    check_intake(draft)
    draft.put(draft.active, support=support[:at] + support[at + 1 :])
    draft.put(draft.active, hand=(*draft.state.mine.hand, support[at].card))


def _discard_own(draft: Draft, _power: Power, action: Use) -> None:
    card = _one(action)
    draft.from_hand(draft.active, card)
    draft.discard(draft.active, card)


def _under_the_deck(draft: Draft, _power: Power, action: Use) -> None:
    card = _one(action)
    draft.from_hand(draft.active, card)
    draft.put(draft.active, deck=(*draft.state.mine.deck, card))


def _load_from_hand(draft: Draft, _power: Power, action: Use) -> None:
    put_on_ship(draft, _known(_one(action), action.card), action.card)


def _pay_for_dragon(draft: Draft, power: Power, action: Use) -> None:
    pay_from_hand(draft, action.card, action.cards, power)
    attract(draft, draft.active, power.number("n"), "power", action.card)


# -- the other side's cards ---------------------------------------------------------------------------


def pay_from_hand(
    draft: Draft, source: CardId, cards: tuple[Hidden, ...], power: Power, factor: int = 1
) -> None:
    """Discard a payment from the active hand; cards that nobody saw are believed to meet the demand."""
    known = [draft.card(card) for card in cards if card is not None]
    if not cards or (len(known) == len(cards) and not pays(known, power, factor)):
        raise violation("pay.wrong_cards", card=source)
    if power.word("card_type") and len(cards) != power.number("count"):
        raise violation("pay.wrong_cards", card=source)
    for card in cards:
        draft.from_hand(draft.active, card)
        draft.discard(draft.active, card)


def _discard_opp_cards(draft: Draft, power: Power, action: Use) -> None:
    chosen = [Target(_known(card, action.card)) for card in action.cards]
    chosen += [Target("", at) for at in action.backs]
    choices = discard_choices(draft.state, draft.force(), draft.active, power)
    if len(set(chosen)) != len(chosen) or frozenset(chosen) not in choices:
        raise violation("use.target", card=action.card)
    other = 1 - draft.active
    side = draft.side(other)
    named = {target.card for target in chosen if target.card}
    support = [(at, laid) for at, laid in enumerate(side.support)]
    gone: list[Hidden] = [laid.card for laid in side.combat if laid.card in named]
    gone += [laid.card for at, laid in support if _is_hit(at, laid.card, laid.is_bluff, named, action.backs)]
    draft.put(
        other,
        combat=tuple(laid for laid in side.combat if laid.card not in named),
        support=tuple(
            laid for at, laid in support if not _is_hit(at, laid.card, laid.is_bluff, named, action.backs)
        ),
    )
    draft.discard(other, *gone)
    draft.say(Discarded(player=draft.name(other), number=len(gone), by=action.card))


def _is_hit(at: int, card: Hidden, is_bluff: bool, named: set[str], backs: tuple[int, ...]) -> bool:
    return at in backs if is_bluff else card in named


def _random_discard(draft: Draft, power: Power, action: Use) -> None:
    other = 1 - draft.active
    if len(action.cards) != min(power.number("n"), len(draft.side(other).hand)) or not action.cards:
        raise violation("use.target", card=action.card)
    for card in action.cards:
        draft.from_hand(other, card)
        draft.discard(other, card)
    draft.say(Discarded(player=draft.name(other), number=len(action.cards), by=action.card))


def _opp_chooses(draft: Draft, power: Power, action: Use) -> None:
    _none(action)
    other = 1 - draft.active
    number = min(power.number("n"), len(draft.side(other).hand))
    if number:
        draft.demand(Pending(side=other, demand=Demand.DISCARD, number=number, card=action.card))


def _mill(draft: Draft, power: Power, action: Use) -> None:
    _none(action)
    other = 1 - draft.active
    deck = draft.side(other).deck
    draft.put(other, deck=deck[power.number("n") :])
    draft.discard(other, *deck[: power.number("n")])
    draft.say(Discarded(player=draft.name(other), number=min(len(deck), power.number("n")), by=action.card))


_WITH_NUMBER = frozenset({"draw_reveal_discard_one", "draw_then_shuffle_back"})

EFFECTS: dict[str, Effect] = {
    "discard_opp_cards": _discard_opp_cards,
    "discard_own_hand": _discard_own,
    "draw": _draw,
    "draw_up_to": _draw,
    "draw_from_shuffled_discard": _draw_from_shuffled_discard,
    "draw_reveal_discard_one": _draw_reveal_discard,
    "draw_then_shuffle_back": _draw_then_shuffle_back,
    "hand_to_deck_bottom": _under_the_deck,
    "load_from_hand": _load_from_hand,
    "opp_chooses_discard": _opp_chooses,
    "opp_mill": _mill,
    "opp_random_discard": _random_discard,
    "pay_discard_attract_dragon": _pay_for_dragon,
    "retrieve_card": _retrieve_card,
    "search_deck": _search_deck,
    "search_discard": _search_discard,
    "shuffle_discard_into_deck": _shuffle_discard_into_deck,
}
