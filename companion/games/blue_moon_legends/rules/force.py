"""What is in force on the table: which active cards' texts, icons and values count, and which are ignored.

Ruling 8: powers that ignore others are weighed first. One that no other power in force ignores is in force
itself; where two would ignore each other, side 0's comes first (the cards of the box never do).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from companion.games.blue_moon_legends.catalogue import SUPPORT, Card, CardId, Power
from companion.games.blue_moon_legends.state import Laid, State

BLUFF: Final = "bluff"
PROTECTED: Final = "protected"

# What a face-down card counts as: a support card with an icon and without a text (ruling 21).
BLUFF_CARD: Final = Card(
    id=CardId(BLUFF),
    name="Bluff",
    people="",
    type=SUPPORT,
    fire=None,
    earth=None,
    icons=frozenset({BLUFF}),
    moons=0,
    power=None,
    confidence={},
)

_IGNORING: Final = frozenset({"ignore_power_text", "ignore_cards", "ignore_icons"})
_TYPE_OF_TARGET: Final = {
    "opp_character": "character",
    "opp_booster": "booster",
    "opp_support": "support",
}


@dataclass(slots=True, kw_only=True, eq=False)
class ActiveCard:
    """One active card and what of it counts.

    Attributes:
        zone: combat, support, lead or ship; at: its number there.
        card: its facts; `BLUFF_CARD` for a face-down one.
        has_text, has_values: neither is ignored.
        icons: those that are not ignored.
    """

    side: int
    zone: str
    at: int
    card: Card
    icons: frozenset[str]
    laid: Laid | None = None
    has_text: bool = True
    has_values: bool = True

    @property
    def is_bluff(self) -> bool:
        """Whether it lies face down."""
        return self.card is BLUFF_CARD

    @property
    def is_protected(self) -> bool:
        """Whether the other side cannot touch it."""
        return PROTECTED in self.icons

    def live(self, effect: str) -> Power | None:
        """Return its power if it has this effect and counts."""
        power = self.card.power
        return power if power is not None and self.has_text and power.effect == effect else None


class Force:
    """The active cards of both sides, with what of them is in force in one state."""

    def __init__(self, state: State) -> None:
        self.sides = (_entries(state, 0), _entries(state, 1))
        self.ignoring = _ignoring_in_force(self.sides)
        for entry in self.ignoring:
            for target in self.sides[1 - entry.side]:
                _ignore(entry, target)

    def powers(self, side: int, effect: str) -> list[tuple[ActiveCard, Power]]:
        """Return the active cards of a side whose power has this effect and counts, in order of laying."""
        return [(entry, power) for entry in self.sides[side] if (power := entry.live(effect)) is not None]

    def find(self, side: int, card: CardId | None) -> ActiveCard | None:
        """Return the face-up active card of a side."""
        return next((entry for entry in self.sides[side] if entry.card.id == card), None)

    def of_type(self, side: int, *types: str) -> list[ActiveCard]:
        """Return the active cards of a side of these types."""
        return [entry for entry in self.sides[side] if entry.card.type in types]

    def icons_when_laid(self, side: int, card: Card) -> frozenset[str]:
        """Return the icons that a card will have as soon as it lies there (ruling 9)."""
        return self.probe(side, card).icons

    def probe(self, side: int, card: Card) -> ActiveCard:
        """Return what a card would count for if it were laid now."""
        entry = _just_laid(side, card)
        for ignoring in self.ignoring:
            if ignoring.side != side:
                _ignore(ignoring, entry)
        return entry

    def taker_of_icons(self, side: int, card: Card) -> ActiveCard | None:
        """Return the card that would take icons from a card if it were laid now."""
        entry = _just_laid(side, card)
        theirs = (ignoring for ignoring in self.ignoring if ignoring.side != side)
        return next((ignoring for ignoring in theirs if "icons" in _touched(ignoring, entry)), None)


def _just_laid(side: int, card: Card) -> ActiveCard:
    return ActiveCard(side=side, zone="", at=-1, card=card, icons=card.icons)


def _entries(state: State, number: int) -> tuple[ActiveCard, ...]:
    return tuple(_walk(state, number))


def _walk(state: State, number: int) -> Iterator[ActiveCard]:
    side, facts = state.sides[number], state.setup.cards
    for zone, row in (("combat", side.combat), ("support", side.support)):
        for at, laid in enumerate(row):
            if laid.is_active:
                hidden = laid.is_bluff or laid.card is None
                card = BLUFF_CARD if hidden or laid.card is None else facts[laid.card]
                yield ActiveCard(side=number, zone=zone, at=at, card=card, icons=card.icons, laid=laid)
    if side.lead is not None:
        card = facts[side.lead]
        yield ActiveCard(side=number, zone="lead", at=0, card=card, icons=card.icons)
    for at, ship in enumerate(side.ships):
        card = facts[ship.card]
        yield ActiveCard(side=number, zone="ship", at=at, card=card, icons=card.icons)


def _ignoring_in_force(sides: tuple[tuple[ActiveCard, ...], tuple[ActiveCard, ...]]) -> list[ActiveCard]:
    """Weigh the ignoring powers against each other (ruling 8)."""
    open_ = [entry for side in sides for entry in side if _is_ignoring(entry) and not _is_void(entry, sides)]
    sure: list[ActiveCard] = []
    while open_:
        free = [entry for entry in open_ if not any(_takes_text(rival, entry) for rival in open_)]
        chosen = free or open_[:1]
        sure.extend(chosen)
        open_ = [
            entry
            for entry in open_
            if entry not in chosen and not any(_takes_text(rival, entry) for rival in chosen)
        ]
    return sure


def _is_ignoring(entry: ActiveCard) -> bool:
    return entry.card.power is not None and entry.card.power.effect in _IGNORING


def _is_void(entry: ActiveCard, sides: tuple[tuple[ActiveCard, ...], tuple[ActiveCard, ...]]) -> bool:
    power = entry.card.power
    names = power.words("void_if_opposed_by") if power is not None else ()
    return any(other.card.name in names for other in sides[1 - entry.side])


def _takes_text(rival: ActiveCard, entry: ActiveCard) -> bool:
    return rival.side != entry.side and "power" in _touched(rival, entry)


def _touched(ignoring: ActiveCard, target: ActiveCard) -> tuple[str, ...]:
    """Return what of the target is ignored: values, icons, power."""
    power = ignoring.card.power
    if power is None or ("flit_character" in power.word("except") and target.card.is_flit_character):
        return ()
    if power.effect == "ignore_icons":
        return ("icons",)
    if PROTECTED in target.icons:
        return ()
    if power.effect == "ignore_power_text":
        return ("power",)
    wanted = _TYPE_OF_TARGET.get(power.word("target"))
    fits = bool(target.card.icons) if wanted is None else target.card.type == wanted
    return power.words("what") if fits else ()


def _ignore(ignoring: ActiveCard, target: ActiveCard) -> None:
    touched = _touched(ignoring, target)
    power = ignoring.card.power
    if not touched or power is None:
        return
    if "icons" in touched:
        target.icons &= frozenset(power.words("except_icons"))
    if "power" in touched:
        target.has_text = False
    if "values" in touched:
        target.has_values = False
