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
from companion.games.blue_moon_legends.rules.draft import Run
from companion.games.blue_moon_legends.rules.flow import intake_block, keep_retreat_cost
from companion.games.blue_moon_legends.rules.force import BLUFF, BLUFF_CARD, Entry
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
    Played,
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


def _check_start(run: Run) -> None:
    if run.turn.phase > Phase.START:
        raise violation("phase.over", phase="start")


def check_retrieve(run: Run, action: Retrieve) -> Entry:
    """Return the active card that may be taken back; raises RuleViolation."""
    _check_start(run)
    force = run.force()
    entry = force.find(run.active, action.card)
    if entry is None or entry.zone not in ("combat", "support"):
        raise violation("retrieve.not_active", card=action.card)
    if "retrieve" not in entry.icons:
        raise violation("retrieve.no_icon", card=action.card)
    theirs = force.of_type(1 - run.active, CHARACTER)
    rival = next((other for other in theirs if "retrieve" in other.icons), None)
    if entry.card.type == CHARACTER and rival is not None:
        raise violation("retrieve.blocked", card=action.card, by=rival.card.id)
    check_intake(run)
    return entry


def check_intake(run: Run) -> None:
    """Refuse any card for the active hand while a power of the other side closes it."""
    blocked = intake_block(run, run.active)
    if blocked is not None:
        raise violation("hand.closed", by=blocked.card.id)


def retrieve(run: Run, action: Retrieve) -> None:
    """Take back an active card with the retrieve icon."""
    take_back(run, check_retrieve(run, action).zone, action.card)


def take_back(run: Run, zone: str, card: CardId) -> None:
    """Move a card from the own combat or support area into the hand; raises ``hand.closed``."""
    check_intake(run)
    side = run.state.mine
    row = side.combat if zone == "combat" else side.support
    kept = tuple(laid for laid in row if laid.card != card)
    run.put(run.active, hand=(*side.hand, card), **{zone: kept})


def check_drop(run: Run, action: Drop) -> None:
    """Refuse a place where no own bluff card lies."""
    _check_start(run)
    support = run.state.mine.support
    if action.at >= len(support) or not support[action.at].is_bluff:
        raise violation("bluff.not_there", at=action.at)


def drop(run: Run, action: Drop) -> None:
    """Discard an own bluff card."""
    check_drop(run, action)
    support = run.state.mine.support
    run.put(run.active, support=support[: action.at] + support[action.at + 1 :])
    run.discard(run.active, support[action.at].card)


def check_unload(run: Run, action: Unload) -> Ship:
    """Return the own ship; raises RuleViolation."""
    _check_start(run)
    ship = next((ship for ship in run.state.mine.ships if ship.card == action.ship), None)
    if ship is None:
        raise violation("ship.not_there", card=action.ship)
    return ship


def unload(run: Run, action: Unload) -> None:
    """Move a ship and its cargo in front of the player."""
    ship = check_unload(run, action)
    side, force = run.state.mine, run.force()
    entry = force.find(run.active, action.ship)
    ships = tuple(other for other in side.ships if other.card != action.ship)
    run.put(run.active, ships=ships, landed=(*side.landed, ship))
    opens_hand = entry is not None and entry.live("ship_also_hand") is not None
    if entry is not None and opens_hand:
        run.worked(entry)
    run.mark(landed=True, hand_too=run.turn.hand_too or opens_hand)


# -- leadership phase ---------------------------------------------------------------------------------


def _check_leadership(run: Run, card: Card, kind: str) -> None:
    if card.type != kind:
        raise violation("lead.wrong_kind", card=card.id)
    if run.turn.count(LEADERSHIP, SHIP):
        raise violation("lead.once")
    if run.turn.phase > Phase.START:
        raise violation("phase.over", phase="leadership")
    force = run.force()
    check_ban(run, force, card)
    check_card_limit(run, force, kind)


def check_lead(run: Run, action: Lead) -> Card:
    """Return the facts of a leadership card that may be played; raises RuleViolation."""
    card = run.card(action.card)
    _check_leadership(run, card, LEADERSHIP)
    return card


def lead(run: Run, action: Lead) -> None:
    """Play a leadership card onto the leader."""
    card = check_lead(run, action)
    run.from_hand(run.active, card.id)
    run.put(run.active, leadership=(*run.state.mine.leadership, card.id), lead=card.id)
    _count(run, Played(card=card.id, kind=LEADERSHIP), Phase.LEADERSHIP)
    _after_laying(run, card.id)


def check_launch(run: Run, action: Launch) -> Card:
    """Return the facts of a ship that may be played; raises RuleViolation."""
    card = run.card(action.card)
    _check_leadership(run, card, SHIP)
    return card


def launch(run: Run, action: Launch) -> None:
    """Play a ship instead of a leadership card."""
    card = check_launch(run, action)
    run.from_hand(run.active, card.id)
    put_ship(run, card)


def put_ship(run: Run, card: Card) -> None:
    """Play a ship, from the hand or found in the deck, into the own influence area."""
    run.put(run.active, ships=(*run.state.mine.ships, Ship(card=card.id)))
    _count(run, Played(card=card.id, kind=SHIP), Phase.LEADERSHIP)
    _after_laying(run, card.id)


def _count(run: Run, played: Played, phase: Phase) -> None:
    """Count a card that was laid; powers offered by earlier ones lapse."""
    run.mark(played=(*run.turn.played, played), phase=max(phase, run.turn.phase), offers=())


# -- characters, boosters, supports --------------------------------------------------------------------


def check_play(run: Run, action: Play) -> Played:
    """Return how a card counts if it is laid now; raises RuleViolation."""
    card = run.card(action.card)
    if card.type not in FIGHTERS:
        raise violation("play.wrong_kind", card=card.id)
    return (
        _check_character(run, action, card) if card.type == CHARACTER else _check_backing(run, action, card)
    )


def _check_character(run: Run, action: Play, card: Card) -> Played:
    check_may_lay(run)
    if run.turn.phase > Phase.CHARACTER:
        raise violation("phase.over", phase="character")
    check_source(run, from_ship=action.from_ship)
    force = run.force()
    check_ban(run, force, card)
    check_card_limit(run, force, CHARACTER)
    check_condition(run, force, card)
    played = as_played(run, force, card, from_ship=action.from_ship)
    if action.joins:
        check_gang(run, force, played)
    check_character_limit(run, force, played, joins=action.joins)
    return played


def _check_backing(run: Run, action: Play, card: Card) -> Played:
    if action.joins:
        raise violation("gang.other_cards")
    check_backing_phase(run)
    check_source(run, from_ship=action.from_ship)
    force = run.force()
    check_ban(run, force, card)
    check_card_limit(run, force, card.type)
    played = as_played(run, force, card, from_ship=action.from_ship)
    check_backing_limit(run, force, played)
    return played


def play(run: Run, action: Play) -> None:
    """Lay a character, booster or support card."""
    played = check_play(run, action)
    keep_retreat_cost(run)
    _take(run, action.card, from_ship=action.from_ship)
    if played.kind == CHARACTER:
        if run.turn.count(CHARACTER) == 0 and not action.joins:
            cover(run)
        if run.state.fight is None:
            run.set_fight(Fight())
    zone = "support" if played.kind == SUPPORT else "combat"
    row = run.state.mine.support if played.kind == SUPPORT else run.state.mine.combat
    run.put(run.active, **{zone: (*row, Laid(card=action.card))})
    _count(run, played, Phase.CHARACTER if played.kind == CHARACTER else Phase.BACKING)
    _spend_free(run)
    _after_laying(run, action.card, from_ship=action.from_ship)


def cover(run: Run) -> None:
    """Cover the cards of earlier turns in the own combat area."""
    covered = tuple(replace(laid, is_active=False) for laid in run.state.mine.combat)
    run.put(run.active, combat=covered)


def _spend_free(run: Run) -> None:
    if run.turn.free_next:
        run.mark(free_next=run.turn.free_next - 1)


def check_bluff(run: Run, action: Bluff) -> Played:
    """Return how a card counts if it is laid face down now; raises RuleViolation."""
    check_backing_phase(run)
    check_source(run, from_ship=action.from_ship)
    if not any(has_bluff_icon(run.card(card)) for card in _may_lie_there(run, action.card)):
        raise violation("bluff.no_icon", card=action.card or BLUFF)
    force = run.force()
    ignoring = force.taker_of_icons(run.active, BLUFF_CARD)
    if ignoring is not None:
        raise violation("bluff.ignored", by=ignoring.card.id)
    check_ban(run, force, BLUFF_CARD)
    check_card_limit(run, force, SUPPORT)
    played = as_played(run, force, BLUFF_CARD, from_ship=action.from_ship, is_bluff=True)
    check_backing_limit(run, force, played)
    return played


def _may_lie_there(run: Run, card: Hidden) -> Iterable[CardId]:
    """Return the card that is laid face down, or where nobody saw it each that it may be."""
    if card is not None:
        return (card,)
    side, known = run.state.mine, set(known_places(run.state.mine))
    held = (each for each in side.hand if each is not None and each not in side.revealed)
    return (*held, *(each for each in run.state.setup.owned[run.active] if each not in known))


def bluff(run: Run, action: Bluff) -> None:
    """Lay a card face down as a support card."""
    played = check_bluff(run, action)
    if action.card is None:
        run.from_hand(run.active, None)
    else:
        _take(run, action.card, from_ship=action.from_ship)
    run.put(run.active, support=(*run.state.mine.support, Laid(card=action.card, is_bluff=True)))
    _count(run, replace(played, card=action.card), Phase.BACKING)
    _spend_free(run)


def has_bluff_icon(card: Card) -> bool:
    """Whether the card may be laid as a bluff."""
    return any(icon.startswith("bluff_") for icon in card.icons)


def _take(run: Run, card: CardId, *, from_ship: bool) -> None:
    if not from_ship:
        run.from_hand(run.active, card)
        return
    landed = run.state.mine.landed
    if not any(card in ship.cargo for ship in landed):
        raise violation("ship.lacks", card=card)
    emptied = tuple(replace(ship, cargo=tuple(c for c in ship.cargo if c != card)) for ship in landed)
    run.put(run.active, landed=emptied)


# -- loading ----------------------------------------------------------------------------------------


def check_load(run: Run, action: Load) -> Played:
    """Return how a card counts if it is loaded now; raises RuleViolation."""
    check_backing_phase(run)
    played = Played(card=action.card, kind=LOAD)
    check_backing_limit(run, run.force(), played)
    check_ship(run, action.card, action.ship)
    return played


def load(run: Run, action: Load) -> None:
    """Put a card onto an own ship instead of laying a support card."""
    played = check_load(run, action)
    put_on_ship(run, action.card, action.ship)
    _count(run, played, Phase.BACKING)


def put_on_ship(run: Run, card: CardId, ship: CardId, *, from_hand: bool = True) -> None:
    """Move a card onto an own ship; raises RuleViolation where it does not fit."""
    check_ship(run, card, ship)
    if from_hand:
        run.from_hand(run.active, card)
    ships = tuple(
        replace(each, cargo=(*each.cargo, card)) if each.card == ship else each
        for each in run.state.mine.ships
    )
    run.put(run.active, ships=ships)


def check_ship(run: Run, card: CardId, ship: CardId) -> None:
    """Refuse a ship that is not there or full, and a card that no ship carries."""
    found = next((each for each in run.state.mine.ships if each.card == ship), None)
    if found is None:
        raise violation("ship.not_there", card=ship)
    if run.card(card).type not in FIGHTERS:
        raise violation("ship.wrong_kind", card=card)
    if len(found.cargo) >= run.card(ship).capacity:
        raise violation("ship.full", card=ship, most=run.card(ship).capacity)


# -- what a card does as soon as it lies -----------------------------------------------------------------


def _after_laying(run: Run, card: CardId, *, from_ship: bool = False) -> None:
    force = run.force()
    entry = force.find(run.active, card)
    if entry is None:
        return
    if "stop" in entry.icons:
        run.mark(stopped=True)
    power = entry.card.power
    if power is None or not entry.has_text:
        return
    if not power.is_executed:
        run.say(ByHand(player=run.name(run.active), card=card))
    elif power.when == "on_play" and power.effect in _OFFERED_ON_PLAY:
        if power.word("only_if") != "played_from_ship" or from_ship:
            run.mark(offers=((card, _times(power)),))
    else:
        _at_once(run, entry)


def _times(power: Power) -> int:
    """Return how often an offered power may be used; those that move single cards, card by card."""
    if power.word("n") == "any":
        return _ANY
    return power.number("n", 1) if power.effect == "load_from_hand" else 1


def _at_once(run: Run, entry: Entry) -> None:
    """Carry out what is not a choice."""
    power = entry.card.power
    effect = power.effect if power is not None else ""
    other = 1 - run.active
    if power is None:
        return
    if effect == "next_card_free":
        run.mark(free_next=run.turn.free_next + power.number("n"))
    elif effect == "attack_again":
        run.mark(again=True)
    elif effect == "play_only_if":
        _change_element(run, entry)
        return
    elif effect == "opp_discard_down_to":
        surplus = len(run.side(other).hand) - power.number("to")
        if surplus <= 0:
            return
        run.demand(Pending(side=other, demand=Demand.DISCARD, number=surplus, card=entry.card.id))
    elif effect == "opp_disclose_hand":
        disclose(run, entry)
    else:
        return
    run.worked(entry)


def disclose(run: Run, entry: Entry) -> None:
    """Lay the other side's hand open; where it is not known, its cards must be named first."""
    other = 1 - run.active
    hand = run.side(other).hand
    if None in hand:
        run.demand(Pending(side=other, demand=Demand.REVEAL, number=len(hand), card=entry.card.id))
    else:
        run.put(other, revealed=frozenset(card for card in hand if card is not None))


def _change_element(run: Run, entry: Entry) -> None:
    fight, power = run.state.fight, entry.card.power
    if fight is None or fight.element is None or power is None:
        return
    element = changed_element(power, fight.element)
    run.worked(entry)
    if element != fight.element:
        run.set_fight(replace(fight, element=element))
        run.say(ElementChanged(element=element, by=entry.card.id))


# What may be asked of each action without carrying it out; the card is taken to be where it should be.
CHECKS: Final[Mapping[type, Callable[[Run, Any], object]]] = {
    Bluff: check_bluff,
    Drop: check_drop,
    Launch: check_launch,
    Lead: check_lead,
    Load: check_load,
    Play: check_play,
    Retrieve: check_retrieve,
    Unload: check_unload,
}
