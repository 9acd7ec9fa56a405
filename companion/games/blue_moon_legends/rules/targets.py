"""On what a power may be used: the sets of cards of the other side, and the payments from a hand."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from companion.games.blue_moon_legends.catalogue import CHARACTER, EARTH, FIRE, Card, CardId, Power
from companion.games.blue_moon_legends.rules.force import ActiveCard, Force
from companion.games.blue_moon_legends.state import State


@dataclass(frozen=True, slots=True, order=True)
class Target:
    """A card of the other side: by its id, or a face-down one by its place in the support area."""

    card: str
    at: int = -1


Choice: TypeAlias = frozenset[Target]


def target_of(entry: ActiveCard) -> Target:
    """Return the target that an active card is."""
    return Target("", entry.at) if entry.is_bluff else Target(entry.card.id)


# -- discarding cards of the other side -----------------------------------------------------------------


def discard_choices(state: State, force: Force, side: int, power: Power) -> list[Choice]:
    """Return the sets of the other side's cards that a discarding power may take, in a fixed order."""
    types, other = power.words("types"), 1 - side
    if types == ("combat_area",):
        whole = _combat_area(state, force, other)
        return [whole] if whole else []
    open_ = [entry for entry in force.sides[other] if _fits(entry, types) and not entry.is_protected]
    spares = power.params.get("not_last_character") is True
    characters = force.of_type(other, CHARACTER) if spares else []
    match power.params.get("n"):
        case "all_of_one_type":
            return _all_of_one_type(open_, types)
        case "all":
            return _all_but_one(open_, characters)
        case _:
            last = characters if len(characters) == 1 else []
            return [frozenset({target_of(entry)}) for entry in open_ if entry not in last]


def _all_of_one_type(entries: Sequence[ActiveCard], types: Sequence[str]) -> list[Choice]:
    sets = [frozenset(target_of(each) for each in entries if each.card.type == kind) for kind in types]
    return list(filter(None, sets))


def _fits(entry: ActiveCard, types: Sequence[str]) -> bool:
    if entry.zone not in ("combat", "support"):
        return False
    return bool(entry.card.icons) if types == ("any_with_icon",) else entry.card.type in types


def _all_but_one(entries: Iterable[ActiveCard], characters: Sequence[ActiveCard]) -> list[Choice]:
    """Return all the cards, or where one character must be spared, all but each of them (ruling 18)."""
    whole = frozenset(target_of(entry) for entry in entries)
    choices = [whole - {target_of(spared)} for spared in characters] or [whole]
    return [choice for choice in dict.fromkeys(choices) if choice]


def _combat_area(state: State, force: Force, side: int) -> Choice:
    kept = {entry.card.id for entry in force.sides[side] if entry.is_protected}
    cards = (laid.card for laid in state.sides[side].combat)
    return frozenset(Target(card) for card in cards if card is not None and card not in kept)


# -- taking cards back ------------------------------------------------------------------------------


def retrieve_choices(state: State, card: CardId, power: Power) -> list[tuple[str, CardId]]:
    """Return (area, card) of the active side's cards that a ``retrieve_card`` power may take back."""
    where, mine = power.word("from"), state.mine
    if where == "active":
        rows = [("combat", laid) for laid in mine.combat if laid.is_active]
        rows += [("support", laid) for laid in mine.support]
    else:
        rows = [("combat", laid) for laid in mine.combat]
    found = [(zone, laid.card) for zone, laid in rows if laid.card is not None and not laid.is_bluff]
    return [(zone, each) for zone, each in found if where != "combat_area_other" or each != card]


# -- payments ---------------------------------------------------------------------------------------


def pays(cards: Sequence[Card], power: Power, factor: int = 1) -> bool:
    """Whether exactly these cards meet a demand, none of them needlessly (ruling 19).

    Understands an element with a sum, fire and earth with a mode, and a number of cards of a type.
    """
    if power.word("card_type"):
        return len(cards) == power.number("count") and all(
            card.type == power.word("card_type") for card in cards
        )
    if power.word("element"):
        return _is_exact(cards, power.word("element"), power.number("sum") * factor)
    fire, earth = power.number("fire") * factor, power.number("earth") * factor
    if power.word("mode") == "both_on_different_cards":
        return _pays_both(cards, fire, earth)
    return bool((fire and _is_exact(cards, FIRE, fire)) or (earth and _is_exact(cards, EARTH, earth)))


def _is_exact(cards: Sequence[Card], element: str, wanted: int) -> bool:
    """Whether the printed values reach the sum, and would not without any single card."""
    values = [card.printed(element) or 0 for card in cards]
    return sum(values) >= wanted and all(sum(values) - value < wanted for value in values)


def _pays_both(cards: Sequence[Card], fire: int, earth: int) -> bool:
    for picked in itertools.product((True, False), repeat=len(cards)):
        burnt = [card for card, chosen in zip(cards, picked, strict=True) if chosen]
        buried = [card for card, chosen in zip(cards, picked, strict=True) if not chosen]
        if _is_exact(burnt, FIRE, fire) and _is_exact(buried, EARTH, earth):
            return True
    return False


def payments(state: State, side: int, power: Power, factor: int = 1) -> Iterator[tuple[CardId, ...]]:
    """Yield the sets of known hand cards that meet a demand, small ones first."""
    hand = [card for card in state.sides[side].hand if card is not None and _helps(state.card(card), power)]
    for size in range(1, len(hand) + 1):
        for cards in itertools.combinations(hand, size):
            if pays([state.card(card) for card in cards], power, factor):
                yield cards


def _helps(card: Card, power: Power) -> bool:
    if power.word("card_type"):
        return card.type == power.word("card_type")
    elements = (power.word("element"),) if power.word("element") else (FIRE, EARTH)
    return any((card.printed(element) or 0) > 0 for element in elements)


def demand_factor(state: State, force: Force, entry: ActiveCard) -> int:
    """Return by how much the demand of a Caterpillar counts: its owner's power doubles one of them."""
    doublers = force.powers(entry.side, "double_caterpillar")
    if not doublers or doubled_one(state, force, entry.side) != entry.card.id:
        return 1
    return doublers[0][1].number("factor", 1)


def doubled_one(state: State, force: Force, side: int) -> CardId | None:
    """Return the Caterpillar whose demand counts double: the one chosen, else the one laid first."""
    here = [entry.card.id for entry, _ in force.powers(side, "opp_discard_or_retreat")]
    chosen = state.sides[side].doubled
    return chosen if chosen in here else next(iter(here), None)
