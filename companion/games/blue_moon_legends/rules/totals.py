"""Both sides' totals in fire and earth, with the reason of each point.

In three steps: what changes printed values, what changes a card's value, what changes the total. Within the
second step values are raised before they are multiplied, and a power for one character goes where it is worth
most (rulings 12 and 13).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.games.blue_moon_legends.catalogue import CHARACTER, EARTH, ELEMENTS, FIRE, CardId, Power
from companion.games.blue_moon_legends.rules.force import ActiveCard, Force
from companion.games.blue_moon_legends.state import State

BLUFF_VALUE: Final = 2

_ZEROED_TYPES: Final = {"opp_character": ("character",), "opp_booster_support": ("booster", "support")}
_TYPE_OF_ALL: Final = {"all_support": "support", "all_booster": "booster", "all_character": "character"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Some of the points of a total.

    Attributes:
        card: the card that they come from.
        points: may be negative.
        why: printed, bluff, zeroed, raised, multiplied, by_hand, total.
        by: the card whose power gives or takes them; the card itself for printed points.
    """

    card: CardId
    points: int
    why: str
    by: CardId


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """A total power and its reasons; the points of the reasons add up to the value."""

    value: int
    reasons: tuple[Reason, ...]


def total(state: State, force: Force, side: int, element: str) -> Total:
    """Return the total power of a side in an element, as it stands now."""
    worths = [_Worth(state, force, entry, element) for entry in force.sides[side] if _counts(entry)]
    _raise_bluffs(force, side, element, worths)
    _apply_to_characters(force, side, element, [worth for worth in worths if worth.is_character])
    _multiply_all(force, side, element, worths)
    reasons = [reason for worth in worths for reason in worth.reasons]
    reasons += _by_hand(state, force, side, element)
    value = sum(reason.points for reason in reasons)
    for entry, power in force.powers(side, "raise_total_to"):
        if element in power.words("elements") and power.number("to") > value:
            reasons.append(_reason(entry.card.id, power.number("to") - value, "total", entry.card.id))
            value = power.number("to")
    return Total(value=value, reasons=tuple(reasons))


def has_shield(force: Force, side: int, element: str) -> bool:
    """Whether an active card of the side lets it ignore the other side's total in this element."""
    return any(f"shield_{element}" in entry.icons for entry in force.sides[side])


def _counts(entry: ActiveCard) -> bool:
    return entry.zone in ("combat", "support") and entry.has_values


def _reason(card: CardId, points: int, why: str, by: CardId) -> Reason:
    return Reason(card=card, points=points, why=why, by=by)


class _Worth:
    """The value of one card in one element while it is worked out."""

    def __init__(self, state: State, force: Force, entry: ActiveCard, element: str) -> None:
        self.card = entry.card
        self.is_bluff = entry.is_bluff
        self.is_character = entry.card.type == CHARACTER
        self.reasons: list[Reason] = []
        self.value = 0
        # Before the first announcement a bluff card counts in the element that is announced.
        contested = (state.fight.element if state.fight is not None else None) or element
        self.is_contested = element == contested
        self.printed = _printed(entry, contested)
        self.add(self.printed[element], "bluff" if entry.is_bluff else "printed", entry.card.id)
        for by, power in _zeroing(force, entry):
            for each in ELEMENTS:
                if _is_zeroed(power, self.printed[each]):
                    if each == element:
                        self.add(-self.value, "zeroed", by.card.id)
                    self.printed[each] = 0

    def add(self, points: int, why: str, by: CardId) -> None:
        """Add points, unless there are none."""
        if points:
            self.reasons.append(_reason(self.card.id, points, why, by))
            self.value += points

    def raised(self, power: Power) -> int:
        """Return the value to which a power raises this card."""
        goal = power.word("to")
        if goal == "sum_of_printed":
            return sum(self.printed.values())
        return max(self.printed.values()) if goal == "max_of_printed" else power.number("to")


def _printed(entry: ActiveCard, contested: str) -> dict[str, int]:
    """Return the printed values; a bluff card counts as one that prints 2 in the contested element."""
    if entry.is_bluff:
        return {element: BLUFF_VALUE if element == contested else 0 for element in ELEMENTS}
    return {FIRE: entry.card.fire or 0, EARTH: entry.card.earth or 0}


def _zeroing(force: Force, entry: ActiveCard) -> list[tuple[ActiveCard, Power]]:
    if entry.is_protected:
        return []
    return [
        (by, power)
        for by, power in force.powers(1 - entry.side, "zero_printed_values")
        if entry.card.type in _ZEROED_TYPES[power.word("target")]
    ]


def _is_zeroed(power: Power, printed: int) -> bool:
    return printed % 2 == (1 if power.word("parity") == "odd" else 0)


def _raise_bluffs(force: Force, side: int, element: str, worths: Sequence[_Worth]) -> None:
    for entry, power in force.powers(side, "raise_values_to"):
        if power.word("target") == "all_bluff" and element in power.words("elements"):
            for worth in worths:
                if worth.is_bluff and worth.is_contested:
                    worth.add(max(0, power.number("to") - worth.value), "raised", entry.card.id)


def _apply_to_characters(force: Force, side: int, element: str, characters: Sequence[_Worth]) -> None:
    """Apply the powers for one character where they are worth most, raising before multiplying."""
    raising = _for_one(force, side, element, "raise_values_to")
    doubling = _for_one(force, side, element, "multiply_values")
    if not characters or not (raising or doubling):
        return
    places = range(len(characters))
    best = max(
        itertools.product(places, repeat=len(raising) + len(doubling)),
        key=lambda choice: _worth_of(characters, raising, doubling, choice),
    )
    for (entry, power), at in zip(raising, best, strict=False):
        worth = characters[at]
        worth.add(max(0, worth.raised(power) - worth.value), "raised", entry.card.id)
    for (entry, power), at in zip(doubling, best[len(raising) :], strict=True):
        worth = characters[at]
        worth.add(worth.value * (power.number("factor") - 1), "multiplied", entry.card.id)


def _for_one(force: Force, side: int, element: str, effect: str) -> list[tuple[ActiveCard, Power]]:
    return [
        (entry, power)
        for entry, power in force.powers(side, effect)
        if power.word("target") == "one_character" and element in power.words("elements")
    ]


def _worth_of(
    characters: Sequence[_Worth],
    raising: Sequence[tuple[ActiveCard, Power]],
    doubling: Sequence[tuple[ActiveCard, Power]],
    choice: Sequence[int],
) -> int:
    values = [worth.value for worth in characters]
    for (_, power), at in zip(raising, choice, strict=False):
        values[at] = max(values[at], characters[at].raised(power))
    for (_, power), at in zip(doubling, choice[len(raising) :], strict=True):
        values[at] *= power.number("factor")
    return sum(values)


def _multiply_all(force: Force, side: int, element: str, worths: Sequence[_Worth]) -> None:
    for entry, power in force.powers(side, "multiply_values"):
        wanted = _TYPE_OF_ALL.get(power.word("target"))
        if wanted is not None and element in power.words("elements"):
            for worth in worths:
                if worth.card.type == wanted:
                    worth.add(worth.value * (power.number("factor") - 1), "multiplied", entry.card.id)


def _by_hand(state: State, force: Force, side: int, element: str) -> list[Reason]:
    active = {entry.card.id for entry in force.sides[side]}
    return [
        _reason(card, fire if element == FIRE else earth, "by_hand", card)
        for card, fire, earth in state.sides[side].by_hand
        if card in active and (fire if element == FIRE else earth)
    ]
