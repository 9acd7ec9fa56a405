"""The cards of Urbion, and how sure each fact about them is.

Only the totals are certain; how values and pairs of symbols are split is configuration that a player confirms
from their own cards (`Catalogue.corrected`). No rule depends on the split.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import Final

from companion.errors import MalformedError
from companion.storage.strict import parse_json_object

ELEMENTS: Final = ("earth", "water", "fire", "air")
CHAOS: Final = "chaos"
ARCHIPLACE: Final = "archiplace"
INCUBUS: Final = "incubus"
SANAE: Final = "sanae"
META: Final = "meta"
LEFT: Final = "left"
RIGHT: Final = "right"
SIDES: Final = (LEFT, RIGHT)

ROWS: Final = 4
HAND_SIZE: Final = 4
CHAOS_LOOKS: Final = 4
# Dreams dealt to a new city.
DEALT: Final = 2
# Draws for Chaos cards in one turn that have a place on the table.
MOST_FANS: Final = 5
SIDE_LIMIT: Final = 3
CHAOS_VALUE: Final = 5
CHAOS_CARDS: Final = 8
HIGHEST: Final = {INCUBUS: 3, SANAE: 4, META: 4}
PER_ELEMENT: Final = {INCUBUS: 8, SANAE: 8, META: 2}
BASE_CITIES: Final = 12
ARCHIPLACES: Final = 4
MOST_BOOKS: Final = 6

KIND: Final[Mapping[str, str]] = {
    CHAOS: CHAOS,
    **{f"{kind}-{e}-{v}": kind for kind, top in HIGHEST.items() for e in ELEMENTS for v in range(1, top + 1)},
}
ELEMENT: Final[Mapping[str, str]] = {card: card.split("-")[1] for card in KIND if card != CHAOS}
VALUE: Final[Mapping[str, int]] = {card: CHAOS_VALUE if card == CHAOS else int(card[-1]) for card in KIND}
"""What a card adds to its side, without the sign."""

CITY_PAIRS: Final = tuple(f"{a}-{b}" for i, a in enumerate(ELEMENTS) for b in ELEMENTS[i + 1 :])
SYMBOLS: Final[Mapping[str, frozenset[str]]] = {
    ARCHIPLACE: frozenset(ELEMENTS),
    **{city: frozenset(city.split("-")) for city in CITY_PAIRS},
}

FLYING_INCUBI: Final = "flying_incubi"
FLYING_SANAE: Final = "flying_sanae"
INVISIBLE_INCUBI: Final = "invisible_incubi"
INVISIBLE_SANAE: Final = "invisible_sanae"
AGORAPHILIA: Final = "agoraphilia"
AMAZING_BALANCE: Final = "amazing_balance"
PROPHECY: Final = "prophecy"
BOOKS: Final = (
    FLYING_INCUBI,
    FLYING_SANAE,
    INVISIBLE_INCUBI,
    INVISIBLE_SANAE,
    AGORAPHILIA,
    AMAZING_BALANCE,
    PROPHECY,
)
BOOK_SIDE: Final = {FLYING_INCUBI: LEFT, FLYING_SANAE: RIGHT, INVISIBLE_INCUBI: LEFT, INVISIBLE_SANAE: RIGHT}


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """The cards of one box.

    Attributes:
        dreams: copies of each dream of the base game.
        metas: copies of each meta.
        cities: copies of each city of the base game.
        books: the eight Books of Power.
        confidence: how sure each group of facts is, and why.
    """

    dreams: Mapping[str, int]
    metas: Mapping[str, int]
    cities: Mapping[str, int]
    books: tuple[str, ...]
    confidence: Mapping[str, Mapping[str, str]]

    def dream_cards(self, *, with_metas: bool) -> list[str]:
        """Return all dreams, one entry for each card, in a fixed order."""
        return list(Counter({**self.dreams, **(self.metas if with_metas else {})}).elements())

    def city_cards(self, *, with_archiplaces: bool) -> list[str]:
        """Return all cities, one entry for each card, in a fixed order."""
        return [*Counter(self.cities).elements(), *([ARCHIPLACE] * ARCHIPLACES if with_archiplaces else [])]

    def corrected(
        self,
        *,
        dreams: Mapping[str, int] | None = None,
        metas: Mapping[str, int] | None = None,
        cities: Mapping[str, int] | None = None,
    ) -> Catalogue:
        """Return the catalogue with the player's own split; raises MalformedError if the totals differ."""
        changed = replace(
            self,
            dreams=dreams if dreams is not None else self.dreams,
            metas=metas if metas is not None else self.metas,
            cities=cities if cities is not None else self.cities,
        )
        _check_totals(changed)
        return changed


@functools.cache
def catalogue() -> Catalogue:
    """Return the catalogue that ships with the product."""
    data = parse_json_object(resources.files(__package__).joinpath("catalogue.json").read_bytes())
    split: dict[str, dict[str, int]] = data["per_element"]

    def cards(kind: str) -> dict[str, int]:
        return {f"{kind}-{e}-{value}": count for e in ELEMENTS for value, count in split[kind].items()}

    shipped = Catalogue(
        dreams={**cards(INCUBUS), **cards(SANAE), CHAOS: data["chaos"]},
        metas=cards(META),
        cities=data["cities"],
        books=tuple(data["books"]),
        confidence=data["confidence"],
    )
    _check_totals(shipped)
    return shipped


def _check_totals(cards: Catalogue) -> None:
    check_dreams(cards.dream_cards(with_metas=True), with_metas=True)
    cities = cards.city_cards(with_archiplaces=False)
    if len(cities) != BASE_CITIES or any(city not in CITY_PAIRS for city in cities):
        raise MalformedError(f"the catalogue must have {BASE_CITIES} cities of two different symbols")


def dream_totals(*, with_metas: bool) -> dict[str, int]:
    """Return the number of Incubi, Sanae and perhaps metas; the Chaos cards come besides."""
    return {kind: count * len(ELEMENTS) for kind, count in PER_ELEMENT.items() if with_metas or kind != META}


def check_dreams(cards: Sequence[str | None], *, with_metas: bool) -> None:
    """Refuse a set of dreams (None = not known) that no box holds; raises MalformedError."""
    total = CHAOS_CARDS + sum(dream_totals(with_metas=with_metas).values())
    if len(cards) != total:
        raise MalformedError(f"there must be {total} dreams, not {len(cards)}")
    groups = Counter(group_of(card) for card in cards if card is not None)
    for group, count in groups.items():
        if count > group_limit(group, with_metas=with_metas):
            raise MalformedError(f"there are {count} cards {group}, at least one too many")


@functools.cache
def group_of(card: str) -> str:
    """Return the group whose size is certain: kind and element, ``incubus-earth``."""
    return card if card == CHAOS else card.rpartition("-")[0]


@functools.cache
def group_limit(group: str, *, with_metas: bool) -> int:
    """Return the number of cards in a group."""
    if group == CHAOS:
        return CHAOS_CARDS
    kind = group.partition("-")[0]
    return PER_ELEMENT[kind] if with_metas or kind != META else 0
