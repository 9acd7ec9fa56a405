"""The printed facts of Blue Moon Legends: nine decks of thirty cards and a leader, each with how sure it is.

A card's id is its people and number (``vulca-14``); no id occurs twice in the box. A power is a word of the
engine's vocabulary (`POWERS`); a word that is not in it is applied by hand and never skipped.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any, Final, NewType, TypeAlias

from companion.storage.strict import parse_json_object

CardId = NewType("CardId", str)
Value: TypeAlias = int | str | bool | tuple[str, ...] | Mapping[str, int]

FIRE: Final = "fire"
EARTH: Final = "earth"
ELEMENTS: Final = (FIRE, EARTH)

CHARACTER: Final = "character"
BOOSTER: Final = "booster"
SUPPORT: Final = "support"
LEADERSHIP: Final = "leadership"
SHIP: Final = "ship"
FIGHTERS: Final = (CHARACTER, BOOSTER, SUPPORT)

HAND_SIZE: Final = 6
DRAGONS: Final = 3
MANY_CARDS: Final = 6  # cards in combat and support areas that attract a second dragon

# The whole vocabulary: every effect that the engine executes.
POWERS: Final = frozenset(
    {
        "attack_again",
        "attract_dragon_if_family",
        "discard_opp_cards",
        "discard_own_hand",
        "double_caterpillar",
        "dragon_bonus_if_opp_retreats",
        "dragon_cap_if_i_retreat",
        "dragon_minus_if_i_retreat",
        "draw",
        "draw_from_shuffled_discard",
        "draw_reveal_discard_one",
        "draw_then_shuffle_back",
        "draw_up_to",
        "extra_plays",
        "free_if",
        "hand_to_deck_bottom",
        "ignore_cards",
        "ignore_icons",
        "ignore_power_text",
        "load_from_hand",
        "multiply_values",
        "next_card_free",
        "opp_active_character_limit",
        "opp_card_limit",
        "opp_chooses_discard",
        "opp_discard_down_to",
        "opp_discard_or_dragon",
        "opp_discard_or_retreat",
        "opp_disclose_hand",
        "opp_draw_limit",
        "opp_hand_intake_limit",
        "opp_may_not_call_bluff",
        "opp_may_not_play",
        "opp_mill",
        "opp_must_play_or_retreat",
        "opp_must_retreat_if_family",
        "opp_random_discard",
        "pay_discard_attract_dragon",
        "play_only_if",
        "raise_total_to",
        "raise_values_to",
        "retrieve_card",
        "search_deck",
        "search_discard",
        "ship_also_hand",
        "shuffle_discard_into_deck",
        "zero_printed_values",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """The special power of a card, in the engine's vocabulary.

    Attributes:
        when: the moment at which it counts, for example ``on_play`` or ``continuous``.
        effect: what it does, a word of `POWERS` or one that is applied by hand.
        params: its numbers and words.
        note: the same in our own words, for the players.
    """

    when: str
    effect: str
    params: Mapping[str, Value]
    note: str

    @property
    def is_executed(self) -> bool:
        """Whether the engine executes it; else the players apply it by hand."""
        return self.effect in POWERS

    def number(self, key: str, default: int = 0) -> int:
        """Return a number of the power."""
        value = self.params.get(key, default)
        return value if isinstance(value, int) else default

    def word(self, key: str) -> str:
        """Return a word of the power, empty if it has none under this key."""
        value = self.params.get(key, "")
        return value if isinstance(value, str) else ""

    def words(self, key: str) -> tuple[str, ...]:
        """Return a list of words of the power, empty if it has none under this key."""
        value = self.params.get(key, ())
        return value if isinstance(value, tuple) else ()

    def table(self, key: str) -> Mapping[str, int]:
        """Return the numbers by word under this key."""
        value = self.params.get(key, {})
        return value if isinstance(value, Mapping) else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One card.

    Attributes:
        fire, earth: printed values; None = none printed.
        first_word: the word that pairs and gangs must share, empty if it matters to nobody.
        family: Storm, Flood or Caterpillar.
        capacity: how many cards a ship carries.
        confidence: by kind of fact (values, icons, powers ...), how sure it is.
    """

    id: CardId
    name: str
    people: str
    type: str
    fire: int | None
    earth: int | None
    icons: frozenset[str]
    moons: int
    power: Power | None
    first_word: str = ""
    family: str = ""
    capacity: int = 0
    is_mutant: bool = False
    confidence: Mapping[str, str]

    def printed(self, element: str) -> int | None:
        """Return the printed value in fire or earth."""
        return self.fire if element == FIRE else self.earth

    @property
    def is_flit_character(self) -> bool:
        """Whether it is a character of the Flit, whom some powers spare."""
        return self.people == "flit" and self.type == CHARACTER

    def has(self, effect: str) -> bool:
        """Whether its power has this effect."""
        return self.power is not None and self.power.effect == effect


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """A ready-made deck: a leader and thirty cards."""

    name: str
    leader: CardId
    leader_name: str
    cards: tuple[CardId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """All printed facts.

    Attributes:
        confidence: by kind of fact, how sure it is and why.
    """

    decks: Mapping[str, Deck]
    cards: Mapping[CardId, Card]
    confidence: Mapping[str, Mapping[str, str]]


@functools.cache
def catalogue() -> Catalogue:
    """Return the catalogue that ships with the product."""
    data = parse_json_object(resources.files(__package__).joinpath("catalogue.json").read_bytes())
    levels = {kind: mark["level"] for kind, mark in data["confidence"].items()}
    cards = [_card(row, levels) for deck in data["decks"].values() for row in deck["cards"]]
    return Catalogue(
        decks={name: _deck(name, deck) for name, deck in data["decks"].items()},
        cards={card.id: card for card in cards},
        confidence=data["confidence"],
    )


def _deck(name: str, data: Mapping[str, Any]) -> Deck:
    ids = tuple(CardId(row["id"]) for row in data["cards"])
    return Deck(name=name, leader=CardId(data["leader"]["id"]), leader_name=data["leader"]["name"], cards=ids)


def _card(row: Mapping[str, Any], levels: Mapping[str, str]) -> Card:
    return Card(
        id=CardId(row["id"]),
        name=row["name"],
        people=row["people"],
        type=row["type"],
        fire=row["fire"],
        earth=row["earth"],
        icons=frozenset(row["icons"]),
        moons=row["moons"],
        power=None if row["power"] is None else power_of(row["power"]),
        first_word=row.get("match_word", ""),
        family=row.get("family", ""),
        capacity=row.get("capacity", 0),
        is_mutant=row.get("mutant", False),
        confidence=levels,
    )


def power_of(data: Mapping[str, Any]) -> Power:
    """Return the power that the object of a catalogue or of a correction describes."""
    params = {
        key: tuple(value) if isinstance(value, list) else value for key, value in data["params"].items()
    }
    return Power(when=data["when"], effect=data["effect"], params=params, note=data["note"])


def corrected(card: Card, change: Mapping[str, Any]) -> Card:
    """Return the card with values or a power that the players read from the card before them."""
    levels = dict(card.confidence)
    if "fire" in change or "earth" in change:
        levels["values"] = "players"
    if "power" not in change:
        return replace(
            card, fire=change.get("fire", card.fire), earth=change.get("earth", card.earth), confidence=levels
        )
    levels["powers"] = "players"
    power = None if change["power"] is None else _fitting(power_of(change["power"]))
    return replace(
        card,
        fire=change.get("fire", card.fire),
        earth=change.get("earth", card.earth),
        power=power,
        confidence=levels,
    )


def _fitting(power: Power) -> Power:
    """Return a power as the engine can execute it; one of a shape that no card has is applied by hand."""
    if power.effect not in POWERS or _shape(power) in _shapes():
        return power
    return replace(power, effect=f"{power.effect} (by hand)")


@functools.cache
def _shapes() -> frozenset[tuple[object, ...]]:
    powers = (card.power for card in catalogue().cards.values())
    return frozenset(_shape(power) for power in powers if power is not None)


def _shape(power: Power) -> tuple[object, ...]:
    """Return what must be known of a power: everything but its numbers."""
    return (power.when, power.effect, frozenset((key, _kind(value)) for key, value in power.params.items()))


def _kind(value: Value) -> object:
    if isinstance(value, bool | str):
        return value
    if isinstance(value, Mapping):
        return frozenset(value)
    return value if isinstance(value, tuple) else int
