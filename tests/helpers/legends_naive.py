"""Blue Moon Legends a second time, naively: totals, free cards and what a retreat costs, card by card.

Nothing of the engine's is used but its state: each card's text is written out here by its number, and what
is ignored is found by trying every set of ignoring cards. Slow, and meant to disagree where one of the two
is wrong.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from companion.games.blue_moon_legends.state import State

_CARDS = {
    row["id"]: row
    for deck in json.loads(
        resources.files("companion.games.blue_moon_legends").joinpath("catalogue.json").read_text("utf-8")
    )["decks"].values()
    for row in deck["cards"]
}
_BLUFF: dict[str, Any] = {"id": "bluff", "type": "support", "people": "", "icons": ["bluff"]}
MEKARTHAS, FOG, MAD_MIKE, HANK = "hoax-16", "terrah-26", "flit-13", "flit-12"
TITTERTWEET, GAS, ENTHRALL = "flit-07", "khind-27", "hoax-28"
FLITTERFLUTTER, TRILLILLING = "flit-08", "flit-09"
IGNORING = (
    MEKARTHAS,
    FOG,
    MAD_MIKE,
    HANK,
    TITTERTWEET,
    GAS,
    ENTHRALL,
    FLITTERFLUTTER,
    TRILLILLING,
)
YIN_AND_YANG = ("aqua-12", "aqua-13")


@dataclass(frozen=True)
class Lying:
    """An active card: whose, and what is printed on it."""

    side: int
    id: str
    type: str
    people: str
    icons: frozenset[str]

    @property
    def is_flit_character(self) -> bool:
        """Whether it is one of those whom the Flit spare."""
        return self.people == "flit" and self.type == "character"


def lying(side: int, row: dict[str, Any], *, free: bool = False) -> Lying:
    """Return a card as if it lay there, with the free icon where it counts as having it."""
    icons = frozenset([*row["icons"], "free"] if free else row["icons"])
    return Lying(side=side, id=row["id"], type=row["type"], people=row["people"], icons=icons)


def active(state: State, side: int) -> list[Lying]:
    """Return the active cards of a side in the combat and support areas."""
    holds = state.sides[side]
    laid = [each for each in (*holds.combat, *holds.support) if each.is_active]
    rows = [_BLUFF if each.is_bluff or each.card is None else _CARDS[each.card] for each in laid]
    return [lying(side, row) for row in rows]


def _all_active(state: State) -> list[Lying]:
    leads = [(side, holds.lead) for side, holds in enumerate(state.sides) if holds.lead is not None]
    return [*active(state, 0), *active(state, 1), *(lying(side, _CARDS[lead]) for side, lead in leads)]


# -- ignoring ---------------------------------------------------------------------------------------


def _is_safe(target: Lying, others: Sequence[Lying]) -> bool:
    """Whether its icon protects it: no Mekarthas takes it away (the Fog leaves it)."""
    return "protected" in target.icons and not any(
        each.id == MEKARTHAS and each.side != target.side for each in others
    )


def hits(by: Lying, target: Lying, at_work: Sequence[Lying]) -> str:
    """Return what of the target a card ignores: v(alues), t(ext), i(cons)."""
    if by.side == target.side:
        return ""
    if by.id in (MEKARTHAS, FOG):
        return "i"
    if _is_safe(target, at_work):
        return ""
    spared = target.is_flit_character
    everything = {
        FLITTERFLUTTER: target.type == "support",
        TRILLILLING: target.type == "booster",
        HANK: target.type == "character" and not spared,
        MAD_MIKE: bool(target.icons) and not spared,
    }
    if by.id in everything:
        return "vti" if everything[by.id] else ""
    return "t" if by.id == ENTHRALL or not spared else ""


def at_work(state: State) -> list[Lying]:
    """Return the ignoring cards that no other one at work makes ignored; there is one such set."""
    here = _all_active(state)
    cards = [each for each in here if each.id in IGNORING]
    against = {(1 - each.side, each.id) for each in here}
    cards = [
        each
        for each in cards
        if each.id != ENTHRALL or not {(each.side, TITTERTWEET), (each.side, GAS)} & against
    ]
    sets = [
        chosen
        for number in range(len(cards) + 1)
        for chosen in itertools.combinations(cards, number)
        if all((each in chosen) == _has_text(each, chosen) for each in cards)
    ]
    assert len(sets) == 1, sets
    return list(sets[0])


def _has_text(target: Lying, ignoring: Sequence[Lying]) -> bool:
    return not any("t" in hits(by, target, ignoring) for by in ignoring)


def speaking(state: State, side: int) -> list[str]:
    """Return the cards of a side whose text counts, the leadership card among them."""
    ignoring = at_work(state)
    return [each.id for each in _all_active(state) if each.side == side and _has_text(each, ignoring)]


# -- totals -----------------------------------------------------------------------------------------


def naive_total(state: State, side: int, element: str) -> int:
    """Return a side's total in an element."""
    contested = (state.fight.element if state.fight else None) or element
    ignoring, mine, theirs = at_work(state), speaking(state, side), speaking(state, 1 - side)
    cards = [
        each for each in active(state, side) if not any("v" in hits(by, each, ignoring) for by in ignoring)
    ]
    printed = [_printed(each, contested, theirs, ignoring) for each in cards]
    characters: list[int | None] = [at for at, each in enumerate(cards) if each.type == "character"]
    choices = [characters or [None] for _ in range(_for_one(mine))]
    best = max(
        sum(_values(cards, printed, mine, element, contested, choice))
        for choice in itertools.product(*choices)
    )
    least = {"vulca-20": {"fire": 6, "earth": 6}, "aqua-19": {"fire": 7}, "aqua-20": {"earth": 7}}
    return max([best, *(least[card].get(element, 0) for card in mine if card in least)])


_RAISING = ("pillar-22", "pillar-23", "pillar-24", "pillar-25", "pillar-26")
_DOUBLING = {
    "vulca-21": ("fire",),
    "vulca-22": ("earth",),
    "hoax-25": ("earth",),
    "buka-26": ("fire",),
    "pillar-21": ("fire", "earth"),
}
_DOUBLING_ALL = {"hoax-12": "support", "flit-11": "booster", "khind-14": "character"}


def _for_one(mine: Sequence[str]) -> int:
    return sum(card in _RAISING or card in _DOUBLING for card in mine)


def _printed(card: Lying, contested: str, theirs: Sequence[str], ignoring: Sequence[Lying]) -> dict[str, int]:
    if card.id == "bluff":
        values = {"fire": 0, "earth": 0, contested: 2}
    else:
        values = {"fire": _CARDS[card.id]["fire"] or 0, "earth": _CARDS[card.id]["earth"] or 0}
    if _is_safe(card, ignoring):
        return values
    is_character = card.type == "character"
    for cool, odd, characters in (
        ("khind-01", 1, True),
        ("khind-02", 0, True),
        ("khind-03", 1, False),
        ("khind-04", 0, False),
    ):
        if cool in theirs and characters == is_character:
            values = {each: 0 if value % 2 == odd else value for each, value in values.items()}
    return values


def _values(
    cards: Sequence[Lying],
    printed: Sequence[dict[str, int]],
    mine: Sequence[str],
    element: str,
    contested: str,
    choice: Sequence[int | None],
) -> list[int]:
    values = [each[element] for each in printed]
    powers = [card for card in mine if card in _RAISING or card in _DOUBLING]
    for card, at in zip(powers, choice, strict=True):
        if at is not None and card in _RAISING:
            values[at] = max(values[at], _raised(card, printed[at], element))
    for at, each in enumerate(cards):
        if each.id == "bluff" and "buka-21" in mine and element == contested:
            values[at] = max(values[at], 4)
    for card, at in zip(powers, choice, strict=True):
        if at is not None and element in _DOUBLING.get(card, ()):
            values[at] *= 2
    for card, kind in _DOUBLING_ALL.items():
        if card in mine:
            values = [values[at] * (2 if each.type == kind else 1) for at, each in enumerate(cards)]
    return values


def _raised(card: str, printed: dict[str, int], element: str) -> int:
    return {
        "pillar-22": sum(printed.values()),
        "pillar-23": max(printed.values()),
        "pillar-24": 6 if element == "fire" else 0,
        "pillar-25": 6 if element == "earth" else 0,
        "pillar-26": 5,
    }[card]


# -- laying -----------------------------------------------------------------------------------------


def counts_as_free(state: State, card: str, *, from_ship: bool, is_bluff: bool) -> bool:
    """Whether a card does not count against the limits of the active side, laid now."""
    row = _BLUFF if is_bluff else _CARDS[card]
    given = from_ship and row["people"] == "buka" and row["type"] == "character"
    given = given or _follows_yin(state) or (not is_bluff and _has_its_condition(state, card))
    laid = lying(state.active, row, free=given)
    ignoring = at_work(state)
    return "free" in laid.icons and not any("i" in hits(by, laid, ignoring) for by in ignoring)


def _follows_yin(state: State) -> bool:
    last = state.turn.played[-1].card if state.turn.played else None
    return last in YIN_AND_YANG and last in speaking(state, state.active)


def _has_its_condition(state: State, card: str) -> bool:
    they = 1 - state.active
    lie, holds = active(state, they), state.sides[they]
    conditions = {
        "buka-13": len(holds.combat) + len(holds.support) >= 6,
        "buka-14": sum(each.type == "character" for each in lie) >= 2,
        "buka-15": sum(each.type == "booster" for each in lie) >= 2,
        "buka-16": sum(each.type == "support" for each in lie) >= 2,
        "buka-17": sum(bool(each.icons) for each in lie) >= 2,
    }
    return conditions.get(card, False)


def icon_of_bluff_counts(state: State) -> bool:
    """Whether the active side may lay a card face down as far as its icon goes."""
    ignoring = at_work(state)
    return not any("i" in hits(by, lying(state.active, _BLUFF), ignoring) for by in ignoring)


def allowed_beyond_the_phase(state: State) -> dict[str, float]:
    """Return how many boosters and supports texts let the active side lay in addition."""
    more: dict[str, dict[str, float]] = {
        "hoax-14": {"support": 1},
        "pillar-11": {"booster": 1},
        "buka-25": {"support": 1},
        "buka-20": {"support": 99},
        "hoax-29": {"support": 99},
        "flit-31": {"booster": 99},
    }
    mine = speaking(state, state.active)
    return {
        kind: sum(more[card].get(kind, 0) for card in mine if card in more) for kind in ("booster", "support")
    }


# -- retreating -------------------------------------------------------------------------------------


def naive_retreat_cost(state: State) -> int:
    """Return the dragons that a retreat of the active side brings, its demands and laid cards apart."""
    winner, loser = state.sides[1 - state.active], state.active
    cards = len(winner.combat) + sum(not each.is_bluff for each in winner.support)
    dragons = 2 if cards >= 6 else 1
    theirs, mine = speaking(state, 1 - loser), speaking(state, loser)
    dragons += sum(card in ("hoax-10", "vulca-27") for card in theirs)
    dragons = max(0, dragons - sum(card in ("flit-27", "mimix-29") for card in mine))
    return min([dragons, *_caps(mine)])


def _caps(mine: Sequence[str]) -> Iterator[int]:
    caps = {"hoax-11": 0, "flit-29": 1}
    return (caps[card] for card in mine if card in caps)
