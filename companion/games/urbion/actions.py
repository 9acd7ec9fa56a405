"""What can be done in Urbion, and what it makes happen. `card` is the hand card spent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from companion.game import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseSide:
    """Put a dealt pair of two chaos or metas on a side."""

    player: str
    side: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chaos:
    """Decide a drawn Chaos card: ``place`` or ``clear`` at a row, or ``draw`` (row None)."""

    player: str
    way: str
    row: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """Lay a hand card at a city."""

    player: str
    card: str
    row: int
    side: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard:
    """Discard a hand card without an effect."""

    player: str
    card: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """Exchange two cards on the same side of two cities: (row, card) twice."""

    player: str
    card: str
    side: str
    cards: tuple[tuple[int, str], tuple[int, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """Cards of both sides of one city whose sum is zero."""

    row: int
    left: tuple[str, ...]
    right: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """Claim every balanced city and remove zero sums; `is_amazing` = by the Book of Amazing Balance."""

    player: str
    card: str
    remove: tuple[Removal, ...] = ()
    is_amazing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapPolarity:
    """Exchange the two polarity cards."""

    player: str
    card: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fly:
    """Move an Incubus or a Sanae to another city, by its flying Book."""

    player: str
    card: str
    book: str
    start: int
    end: int
    dream: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Vanish:
    """Discard a laid Incubus or Sanae, by its invisible Book."""

    player: str
    card: str
    book: str
    row: int
    dream: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Agoraphilia:
    """Claim a city without cards, by its Book."""

    player: str
    card: str
    row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Prophecy:
    """Put the next dreams back in a new order, by one or two Books of Prophecy."""

    player: str
    card: str
    order: tuple[str | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """Cards of the decks become known, next first; nobody's turn. None = nothing of this deck."""

    dreams: tuple[str, ...] | None = None
    cities: tuple[str, ...] | None = None


Turn: TypeAlias = Play | Discard | Swap | Balance | SwapPolarity | Fly | Vanish | Agoraphilia | Prophecy
Action: TypeAlias = ChooseSide | Chaos | Turn | Reveal


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed(Event):
    """So many cards of the decks became known."""

    dreams: int
    cities: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid(Event):
    """A card lies at a city now; `how` is dealt, played, swapped, flown or chaos."""

    row: int
    side: str
    card: str
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Discarded(Event):
    """These cards went to the discard pile, in this order."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed(Event):
    """A city was claimed; row None = a bonus from the city deck."""

    city: str
    row: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CityOpened(Event):
    """A city was laid out."""

    row: int
    city: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn(Event):
    """A player drew a card into the hand, or a Chaos card that is to be decided."""

    player: str
    card: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(Event):
    """The game is over: won (``cities``) or lost (``dreams``)."""

    reason: str
