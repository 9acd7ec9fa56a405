"""Laying cards: leadership, ships, characters, boosters, supports, bluffs, loading; and the start phase."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from companion.games.blue_moon_legends.actions import (
    Bluff,
    Drop,
    Launch,
    Lead,
    Load,
    Play,
    Retrieve,
    Unload,
)
from companion.games.blue_moon_legends.catalogue import (
    CHARACTER,
    FIGHTERS,
    LEADERSHIP,
    SHIP,
    SUPPORT,
    Card,
    CardId,
    Power,
)
from companion.games.blue_moon_legends.events import ByHand, ElementChanged
from companion.games.blue_moon_legends.rules.draft import Draft
from companion.games.blue_moon_legends.rules.flow import intake_block, keep_retreat_cost
from companion.games.blue_moon_legends.rules.force import BLUFF, BLUFF_CARD, ActiveCard
from companion.games.blue_moon_legends.rules.limits import (
    LOAD,
    as_played,
    changed_element,
    check_backing_limit,
    check_backing_phase,
    check_ban,
    check_card_limit,
    check_character_limit,
    check_condition,
    check_gang,
    check_may_lay,
    check_source,
)
from companion.games.blue_moon_legends.state import (
    Demand,
    Fight,
    Hidden,
    Laid,
    Pending,
    Phase,
    PlayedCard,
    Ship,
    known_places,
)
from companion.games.blue_moon_legends.texts import violation

_ANY = 99

_OFFERED_ON_PLAY = frozenset(
    {
        "discard_opp_cards",
        "discard_own_hand",
        "draw",
        "draw_from_shuffled_discard",
        "hand_to_deck_bottom",
        "load_from_hand",
        "opp_chooses_discard",
        "opp_random_discard",
        "pay_discard_attract_dragon",
        "retrieve_card",
        "search_deck",
        "search_discard",
        "shuffle_discard_into_deck",
    }
)


# -- start phase ------------------------------------------------------------------------------------


def _check_start(draft: Draft) -> None:
    if draft.turn.phase > Phase.START:
        raise violation("phase.over", phase="start")


def check_retrieve(draft: Draft, action: Retrieve) -> ActiveCard:
    """Return the active card that may be taken back; raises RuleViolation."""
    _check_start(draft)
    force = draft.force()
    entry = force.find(draft.active, action.card)
    if entry is None or entry.zone not in ("combat", "support"):
        raise violation("retrieve.not_active", card=action.card)
    if "retrieve" not in entry.icons:
        raise violation("retrieve.no_icon", card=action.card)
    theirs = force.of_type(1 - draft.active, CHARACTER)
    rival = next((other for other in theirs if "retrieve" in other.icons), None)
    if entry.card.type == CHARACTER and rival is not None:
        raise violation("retrieve.blocked", card=action.card, by=rival.card.id)
    check_intake(draft)
    return entry


def check_intake(draft: Draft) -> None:
    """Refuse any card for the active hand while a power of the other side closes it."""
    blocked = intake_block(draft, draft.active)
    if blocked is not None:
        raise violation("hand.closed", by=blocked.card.id)


def retrieve(draft: Draft, action: Retrieve) -> None:
    """Take back an active card with the retrieve icon."""
    take_back(draft, check_retrieve(draft, action).zone, action.card)


def take_back(draft: Draft, zone: str, card: CardId) -> None:
    """Move a card from the own combat or support area into the hand; raises ``hand.closed``."""
    check_intake(draft)
    side = draft.state.mine
    row = side.combat if zone == "combat" else side.support
    kept = tuple(laid for laid in row if laid.card != card)
    draft.put(draft.active, hand=(*side.hand, card), **{zone: kept})


def check_drop(draft: Draft, action: Drop) -> None:
    """Refuse a place where no own bluff card lies."""
    _check_start(draft)
    support = draft.state.mine.support
    if action.at >= len(support) or not support[action.at].is_bluff:
        raise violation("bluff.not_there", at=action.at)


def drop(draft: Draft, action: Drop) -> None:
    """Discard an own bluff card."""
    check_drop(draft, action)
    support = draft.state.mine.support
    draft.put(draft.active, support=support[: action.at] + support[action.at + 1 :])
    draft.discard(draft.active, support[action.at].card)


def check_unload(draft: Draft, action: Unload) -> Ship:
    """Return the own ship; raises RuleViolation."""
    _check_start(draft)
    ship = next((ship for ship in draft.state.mine.ships if ship.card == action.ship), None)
    if ship is None:
        raise violation("ship.not_there", card=action.ship)
    return ship


def unload(draft: Draft, action: Unload) -> None:
    """Move a ship and its cargo in front of the player."""
    ship = check_unload(draft, action)
    side, force = draft.state.mine, draft.force()
    entry = force.find(draft.active, action.ship)
    ships = tuple(other for other in side.ships if other.card != action.ship)
    draft.put(draft.active, ships=ships, landed=(*side.landed, ship))
    opens_hand = entry is not None and entry.live("ship_also_hand") is not None
    if entry is not None and opens_hand:
        draft.worked(entry)
    draft.mark(landed=True, hand_too=draft.turn.hand_too or opens_hand)


# -- leadership phase ---------------------------------------------------------------------------------


def _check_leadership(draft: Draft, card: Card, kind: str) -> None:
    if card.type != kind:
        raise violation("lead.wrong_kind", card=card.id)
    if draft.turn.count(LEADERSHIP, SHIP):
        raise violation("lead.once")
    if draft.turn.phase > Phase.START:
        raise violation("phase.over", phase="leadership")
    force = draft.force()
    check_ban(draft, force, card)
    check_card_limit(draft, force, kind)


def check_lead(draft: Draft, action: Lead) -> Card:
    """Return the facts of a leadership card that may be played; raises RuleViolation."""
    card = draft.card(action.card)
    _check_leadership(draft, card, LEADERSHIP)
    return card


def lead(draft: Draft, action: Lead) -> None:
    """Play a leadership card onto the leader."""
    card = check_lead(draft, action)
    draft.from_hand(draft.active, card.id)
    draft.put(draft.active, leadership=(*draft.state.mine.leadership, card.id), lead=card.id)
    _count(draft, PlayedCard(card=card.id, kind=LEADERSHIP), Phase.LEADERSHIP)
    _after_laying(draft, card.id)


def check_launch(draft: Draft, action: Launch) -> Card:
    """Return the facts of a ship that may be played; raises RuleViolation."""
    card = draft.card(action.card)
    _check_leadership(draft, card, SHIP)
    return card


def launch(draft: Draft, action: Launch) -> None:
    """Play a ship instead of a leadership card."""
    card = check_launch(draft, action)
    draft.from_hand(draft.active, card.id)
    put_ship(draft, card)


def put_ship(draft: Draft, card: Card) -> None:
    """Play a ship, from the hand or found in the deck, into the own influence area."""
    draft.put(draft.active, ships=(*draft.state.mine.ships, Ship(card=card.id)))
    _count(draft, PlayedCard(card=card.id, kind=SHIP), Phase.LEADERSHIP)
    _after_laying(draft, card.id)


def _count(draft: Draft, played: PlayedCard, phase: Phase) -> None:
    """Count a card that was laid; powers offered by earlier ones lapse."""
    draft.mark(played=(*draft.turn.played, played), phase=max(phase, draft.turn.phase), offers=())


# -- characters, boosters, supports --------------------------------------------------------------------


def check_play(draft: Draft, action: Play) -> PlayedCard:
    """Return how a card counts if it is laid now; raises RuleViolation."""
    card = draft.card(action.card)
    if card.type not in FIGHTERS:
        raise violation("play.wrong_kind", card=card.id)
    return (
        _check_character(draft, action, card)
        if card.type == CHARACTER
        else _check_backing(draft, action, card)
    )


def _check_character(draft: Draft, action: Play, card: Card) -> PlayedCard:
    check_may_lay(draft)
    if draft.turn.phase > Phase.CHARACTER:
        raise violation("phase.over", phase="character")
    check_source(draft, from_ship=action.from_ship)
    force = draft.force()
    check_ban(draft, force, card)
    check_card_limit(draft, force, CHARACTER)
    check_condition(draft, force, card)
    played = as_played(draft, force, card, from_ship=action.from_ship)
    if action.joins:
        check_gang(draft, force, played)
    check_character_limit(draft, force, played, joins=action.joins)
    return played


def _check_backing(draft: Draft, action: Play, card: Card) -> PlayedCard:
    if action.joins:
        raise violation("gang.other_cards")
    check_backing_phase(draft)
    check_source(draft, from_ship=action.from_ship)
    force = draft.force()
    check_ban(draft, force, card)
    check_card_limit(draft, force, card.type)
    played = as_played(draft, force, card, from_ship=action.from_ship)
    check_backing_limit(draft, force, played)
    return played


def play(draft: Draft, action: Play) -> None:
    """Lay a character, booster or support card."""
    played = check_play(draft, action)
    keep_retreat_cost(draft)
    _take(draft, action.card, from_ship=action.from_ship)
    if played.kind == CHARACTER:
        if draft.turn.count(CHARACTER) == 0 and not action.joins:
            cover(draft)
        if draft.state.fight is None:
            draft.set_fight(Fight())
    zone = "support" if played.kind == SUPPORT else "combat"
    row = draft.state.mine.support if played.kind == SUPPORT else draft.state.mine.combat
    draft.put(draft.active, **{zone: (*row, Laid(card=action.card))})
    _count(draft, played, Phase.CHARACTER if played.kind == CHARACTER else Phase.BACKING)
    _spend_free(draft)
    _after_laying(draft, action.card, from_ship=action.from_ship)


def cover(draft: Draft) -> None:
    """Cover the cards of earlier turns in the own combat area."""
    covered = tuple(replace(laid, is_active=False) for laid in draft.state.mine.combat)
    draft.put(draft.active, combat=covered)


def _spend_free(draft: Draft) -> None:
    if draft.turn.free_next:
        draft.mark(free_next=draft.turn.free_next - 1)


def check_bluff(draft: Draft, action: Bluff) -> PlayedCard:
    """Return how a card counts if it is laid face down now; raises RuleViolation."""
    check_backing_phase(draft)
    check_source(draft, from_ship=action.from_ship)
    if not any(has_bluff_icon(draft.card(card)) for card in _may_lie_there(draft, action.card)):
        raise violation("bluff.no_icon", card=action.card or BLUFF)
    force = draft.force()
    ignoring = force.taker_of_icons(draft.active, BLUFF_CARD)
    if ignoring is not None:
        raise violation("bluff.ignored", by=ignoring.card.id)
    check_ban(draft, force, BLUFF_CARD)
    check_card_limit(draft, force, SUPPORT)
    played = as_played(draft, force, BLUFF_CARD, from_ship=action.from_ship, is_bluff=True)
    check_backing_limit(draft, force, played)
    return played


def _may_lie_there(draft: Draft, card: Hidden) -> Iterable[CardId]:
    """Return the card that is laid face down, or where nobody saw it each that it may be."""
    if card is not None:
        return (card,)
    side, known = draft.state.mine, set(known_places(draft.state.mine))
    held = (each for each in side.hand if each is not None and each not in side.revealed)
    return (*held, *(each for each in draft.state.setup.owned[draft.active] if each not in known))


def bluff(draft: Draft, action: Bluff) -> None:
    """Lay a card face down as a support card."""
    played = check_bluff(draft, action)
    if action.card is None:
        draft.from_hand(draft.active, None)
    else:
        _take(draft, action.card, from_ship=action.from_ship)
    draft.put(draft.active, support=(*draft.state.mine.support, Laid(card=action.card, is_bluff=True)))
    _count(draft, replace(played, card=action.card), Phase.BACKING)
    _spend_free(draft)


def has_bluff_icon(card: Card) -> bool:
    """Whether the card may be laid as a bluff."""
    return any(icon.startswith("bluff_") for icon in card.icons)


def _take(draft: Draft, card: CardId, *, from_ship: bool) -> None:
    if not from_ship:
        draft.from_hand(draft.active, card)
        return
    landed = draft.state.mine.landed
    if not any(card in ship.cargo for ship in landed):
        raise violation("ship.lacks", card=card)
    emptied = tuple(replace(ship, cargo=tuple(c for c in ship.cargo if c != card)) for ship in landed)
    draft.put(draft.active, landed=emptied)


# -- loading ----------------------------------------------------------------------------------------


def check_load(draft: Draft, action: Load) -> PlayedCard:
    """Return how a card counts if it is loaded now; raises RuleViolation."""
    check_backing_phase(draft)
    played = PlayedCard(card=action.card, kind=LOAD)
    check_backing_limit(draft, draft.force(), played)
    check_ship(draft, action.card, action.ship)
    return played


def load(draft: Draft, action: Load) -> None:
    """Put a card onto an own ship instead of laying a support card."""
    played = check_load(draft, action)
    put_on_ship(draft, action.card, action.ship)
    _count(draft, played, Phase.BACKING)


def put_on_ship(draft: Draft, card: CardId, ship: CardId, *, from_hand: bool = True) -> None:
    """Move a card onto an own ship; raises RuleViolation if it does not fit."""
    check_ship(draft, card, ship)
    if from_hand:
        draft.from_hand(draft.active, card)
    ships = tuple(
        replace(each, cargo=(*each.cargo, card)) if each.card == ship else each
        for each in draft.state.mine.ships
    )
    draft.put(draft.active, ships=ships)


def check_ship(draft: Draft, card: CardId, ship: CardId) -> None:
    """Refuse a ship that is not there or full, and a card that no ship carries."""
    found = next((each for each in draft.state.mine.ships if each.card == ship), None)
    if found is None:
        raise violation("ship.not_there", card=ship)
    if draft.card(card).type not in FIGHTERS:
        raise violation("ship.wrong_kind", card=card)
    if len(found.cargo) >= draft.card(ship).capacity:
        raise violation("ship.full", card=ship, most=draft.card(ship).capacity)


# -- what a card does as soon as it lies -----------------------------------------------------------------


def _after_laying(draft: Draft, card: CardId, *, from_ship: bool = False) -> None:
    force = draft.force()
    entry = force.find(draft.active, card)
    if entry is None:
        return
    if "stop" in entry.icons:
        draft.mark(stopped=True)
    power = entry.card.power
    if power is None or not entry.has_text:
        return
    if not power.is_executed:
        draft.say(ByHand(player=draft.name(draft.active), card=card))
    elif power.when == "on_play" and power.effect in _OFFERED_ON_PLAY:
        if power.word("only_if") != "played_from_ship" or from_ship:
            draft.mark(offers=((card, _times(power)),))
    else:
        _at_once(draft, entry)


def _times(power: Power) -> int:
    """Return how often an offered power may be used; those that move single cards, card by card."""
    if power.word("n") == "any":
        return _ANY
    return power.number("n", 1) if power.effect == "load_from_hand" else 1


def _at_once(draft: Draft, entry: ActiveCard) -> None:
    """Carry out what is not a choice."""
    power = entry.card.power
    effect = power.effect if power is not None else ""
    other = 1 - draft.active
    if power is None:
        return
    if effect == "next_card_free":
        draft.mark(free_next=draft.turn.free_next + power.number("n"))
    elif effect == "attack_again":
        draft.mark(again=True)
    elif effect == "play_only_if":
        _change_element(draft, entry)
        return
    elif effect == "opp_discard_down_to":
        surplus = len(draft.side(other).hand) - power.number("to")
        if surplus <= 0:
            return
        draft.demand(Pending(side=other, demand=Demand.DISCARD, number=surplus, card=entry.card.id))
    elif effect == "opp_disclose_hand":
        disclose(draft, entry)
    else:
        return
    draft.worked(entry)


def disclose(draft: Draft, entry: ActiveCard) -> None:
    """Lay the other side's hand open; where it is not known, its cards must be named first."""
    other = 1 - draft.active
    hand = draft.side(other).hand
    if None in hand:
        draft.demand(Pending(side=other, demand=Demand.REVEAL, number=len(hand), card=entry.card.id))
    else:
        draft.put(other, revealed=frozenset(card for card in hand if card is not None))


def _change_element(draft: Draft, entry: ActiveCard) -> None:
    fight, power = draft.state.fight, entry.card.power
    if fight is None or fight.element is None or power is None:
        return
    element = changed_element(power, fight.element)
    draft.worked(entry)
    if element != fight.element:
        draft.set_fight(replace(fight, element=element))
        draft.say(ElementChanged(element=element, by=entry.card.id))


# What may be asked of each action without carrying it out; the card is taken to be where it should be.
CHECKS: Final[Mapping[type, Callable[[Draft, Any], object]]] = {
    Bluff: check_bluff,
    Drop: check_drop,
    Launch: check_launch,
    Lead: check_lead,
    Load: check_load,
    Play: check_play,
    Retrieve: check_retrieve,
    Unload: check_unload,
}
