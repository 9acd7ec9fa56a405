"""What may be laid: the limits of a turn, the bans of the other side, the conditions on the card itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.games.blue_moon_legends.catalogue import (
    BOOSTER,
    CHARACTER,
    EARTH,
    FIGHTERS,
    FIRE,
    LEADERSHIP,
    SHIP,
    SUPPORT,
    Card,
    Power,
)
from companion.games.blue_moon_legends.rules.draft import Draft
from companion.games.blue_moon_legends.rules.force import BLUFF_CARD, ActiveCard, Force
from companion.games.blue_moon_legends.rules.totals import total
from companion.games.blue_moon_legends.state import Phase, PlayedCard, State
from companion.games.blue_moon_legends.texts import violation

LOAD = "load"
FREE = "free"
_ANY = 99


# -- bans -------------------------------------------------------------------------------------------


def check_ban(draft: Draft, force: Force, card: Card) -> None:
    """Refuse a card that a power of the other side forbids; a bluff card is `BLUFF_CARD` (ruling 21)."""
    for entry, power in force.powers(1 - draft.active, "opp_may_not_play"):
        if card.type in power.words("types") and _is_meant(power.word("filter"), card):
            raise violation("play.forbidden", card=card.id, by=entry.card.id)


def _is_meant(filter_: str, card: Card) -> bool:
    if filter_ == "no_power_text":
        return card.power is None
    if filter_ == "has_power_text":
        return card.power is not None
    if filter_ == "printed_value_gt_4":
        return max(card.fire or 0, card.earth or 0) > 4
    return True


def check_card_limit(draft: Draft, force: Force, kind: str) -> None:
    """Refuse a card beyond the number that a power of the other side lets be played (ruling 10)."""
    for entry, power in force.powers(1 - draft.active, "opp_card_limit"):
        kinds = (CHARACTER, BOOSTER) if power.word("area") == "combat" else (*FIGHTERS, LEADERSHIP, SHIP)
        if kind in kinds and draft.turn.count(*kinds) >= power.number("max"):
            raise violation("play.card_limit", by=entry.card.id, most=power.number("max"))


# -- what a card is worth in the count ----------------------------------------------------------------


def as_played(
    draft: Draft, force: Force, card: Card, *, from_ship: bool, is_bluff: bool = False
) -> PlayedCard:
    """Return how a card counts against the limits if it is laid now.

    What lets it count as free gives it the free icon; whatever ignores its icons takes that one away as well
    (ruling 9).
    """
    facts = BLUFF_CARD if is_bluff else card
    if _is_given_free(draft, force, facts, from_ship=from_ship):
        facts = replace(facts, icons=facts.icons | {FREE})
    icons = force.icons_when_laid(draft.active, facts)
    return PlayedCard(card=card.id, kind=facts.type, group=_group(icons, facts), is_free=FREE in icons)


def _is_given_free(draft: Draft, force: Force, card: Card, *, from_ship: bool) -> bool:
    """Whether the card counts as having the free icon: after Yin or Yang, from a ship, by its own text."""
    if draft.turn.free_next > 0 or (from_ship and card.people == "buka" and card.type == CHARACTER):
        return True
    return card.power is not None and card.has("free_if") and condition_holds(draft.state, force, card.power)


def _group(icons: frozenset[str], card: Card) -> str:
    gang = next((icon for icon in sorted(icons) if icon.startswith("gang_")), None)
    if gang is not None:
        return f"{gang}:{card.first_word}"
    return f"pair:{card.first_word}" if "pair" in icons else ""


def groups(played: Iterable[PlayedCard], *kinds: str) -> int:
    """Return how many cards those of these kinds count as: free none, a gang one, a pair one for two."""
    counted = [card for card in played if card.kind in kinds and not card.is_free]
    by_group = Counter(card.group for card in counted if card.group)
    alone = sum(not card.group for card in counted)
    return alone + sum((many + 1) // 2 if group.startswith("pair") else 1 for group, many in by_group.items())


def check_character_limit(draft: Draft, force: Force, played: PlayedCard, *, joins: bool) -> None:
    """Refuse a second character that is not free, no pair and no gang; and more active ones than may be."""
    if groups((*draft.turn.played, played), CHARACTER) > 1:
        raise violation("character.limit")
    here = len(force.of_type(draft.active, CHARACTER)) if joins or draft.turn.count(CHARACTER) else 0
    for entry, power in force.powers(1 - draft.active, "opp_active_character_limit"):
        if here + 1 > power.number("max"):
            raise violation("character.active_limit", by=entry.card.id, most=power.number("max"))


def check_backing_limit(draft: Draft, force: Force, played: PlayedCard) -> None:
    """Refuse a booster, support or loaded card beyond what the turn allows (ruling 11).

    That is one; in the turn that begins a fight none, but for what icons and powers add (rulebook, phase 5).
    """
    cards = (*draft.turn.played, played)
    boosters = max(0, groups(cards, BOOSTER) - _extra(draft, force, BOOSTER))
    supports = max(0, groups(cards, SUPPORT, LOAD) - _extra(draft, force, SUPPORT))
    if draft.state.is_first_turn and boosters + supports > 0:
        raise violation("backing.first_turn")
    if boosters + supports > 1:
        raise violation("backing.limit")


def _extra(draft: Draft, force: Force, kind: str) -> int:
    return sum(
        _ANY if power.word("n") == "any" else power.number("n")
        for _, power in force.powers(draft.active, "extra_plays")
        if power.word("card_type") == kind
    )


# -- phases -----------------------------------------------------------------------------------------


def check_may_lay(draft: Draft) -> None:
    """Refuse any card after the stop icon or after the announcement."""
    if draft.turn.stopped:
        raise violation("play.stopped")
    if draft.turn.phase >= Phase.POWER:
        raise violation("phase.over", phase="cards")


def check_backing_phase(draft: Draft) -> None:
    """Refuse boosters, supports and loading before a character was laid."""
    check_may_lay(draft)
    if draft.turn.count(CHARACTER) == 0:
        raise violation("backing.before_character")


def check_source(draft: Draft, *, from_ship: bool) -> None:
    """Refuse the hand in a turn in which a ship was unloaded, unless the ship allows it."""
    if draft.turn.landed and not from_ship and not draft.turn.hand_too:
        raise violation("play.ship_only")


# -- gangs ------------------------------------------------------------------------------------------


def check_gang(draft: Draft, force: Force, played: PlayedCard) -> None:
    """Refuse a card beside the cards of an earlier turn, unless all of them are characters of its gang."""
    gang = played.group if played.group.startswith("gang") else None
    if draft.turn.count(CHARACTER):
        raise violation("gang.too_late")
    here = [entry for entry in force.sides[draft.active] if entry.zone == "combat"]
    if gang is None or not here or any(not _is_of_gang(entry, gang) for entry in here):
        raise violation("gang.other_cards")


def _is_of_gang(entry: ActiveCard, gang: str) -> bool:
    return entry.card.type == CHARACTER and _group(entry.icons, entry.card) == gang


# -- conditions on the card ---------------------------------------------------------------------------


def check_condition(draft: Draft, force: Force, card: Card) -> None:
    """Refuse a mutant whose condition does not hold."""
    if (
        card.power is not None
        and card.has("play_only_if")
        and not condition_holds(draft.state, force, card.power)
    ):
        raise violation("play.condition", card=card.id)


def condition_holds(state: State, force: Force, power: Power) -> bool:
    """Whether all conditions of a power hold for the active side; counted before the card leaves the hand."""
    me, they = state.active, 1 - state.active
    mine, theirs = state.sides[me], state.sides[they]
    counts = {
        "opp_cards_combat_support_min": len(theirs.combat) + len(theirs.support),
        "opp_dragons_min": state.dragons_of(they),
        "opp_hand_minus_mine_min": len(theirs.hand) - len(mine.hand),
        "own_cards_combat_support_max": -len(mine.combat) - len(mine.support),
        "own_ships_max": -len(mine.ships),
    }
    for key, number in counts.items():
        wanted = power.number(key, -_ANY)
        if key in power.params and number < (-wanted if key.endswith("_max") else wanted):
            return False
    return _attack_is_met(state, force, power.table("opp_power_min")) and _active_are_met(
        force.sides[they], power.table("opp_active_min")
    )


def _attack_is_met(state: State, force: Force, wanted: Mapping[str, int]) -> bool:
    """Whether the other side attacks strongly enough, in the contested element named or in any."""
    if not wanted:
        return True
    if state.is_first_turn or state.fight is None or state.fight.element is None:
        return False
    element = state.fight.element
    least = wanted.get(element, wanted.get("any"))
    return least is not None and total(state, force, 1 - state.active, element).value >= least


def _active_are_met(entries: Iterable[ActiveCard], wanted: Mapping[str, int]) -> bool:
    cards = [entry for entry in entries if entry.zone in ("combat", "support")]
    counts = Counter(entry.card.type for entry in cards)
    counts["character_booster_support"] = len(cards)
    counts["with_icon"] = sum(bool(entry.card.icons) for entry in cards)
    return all(counts[kind] >= least for kind, least in wanted.items())


def changed_element(power: Power, element: str) -> str:
    """Return the contested element after a card with this power was laid."""
    change = power.word("element_change")
    if change == "swap":
        return EARTH if element == FIRE else FIRE
    return change or element
