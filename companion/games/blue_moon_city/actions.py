"""What a player can do in Blue Moon City, as frozen values; None for cards that nobody saw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Cards: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Walk the figure; `path` lacks the start cell. A closed game may know `to` alone (path None)."""

    player: str
    to: int
    path: tuple[int, ...] | None = None
    cards: Cards | None = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fly:
    """Put the figure on any other cell with a Flit of value 1."""

    player: str
    to: int
    card: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveDragon:
    """Bring a dragon to any cell (value 1, no path) or walk it one to three steps (value 2, path)."""

    player: str
    dragon: str
    to: int
    path: tuple[int, ...] | None = None
    card: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribute:
    """Pay one contribution box of the building under the figure.

    Attributes:
        cards: every card whose value counts singly.
        pairs: Mimix pairs, each worth 3.
        recolour: Hoax cards spent as powers, each with the cards that it turns.
        reshuffle: the order of the discards that become the deck; () = reshuffled, the order was not seen.
    """

    player: str
    box: int
    colour: str
    cards: Cards | None = ()
    pairs: tuple[tuple[str, str], ...] | None = ()
    recolour: tuple[tuple[str, Cards], ...] | None = ()
    reshuffle: Cards | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Make an offering to the obelisk; every further one of a turn needs a Pillar."""

    player: str
    pillar: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The reset phase: discard up to two cards, draw two more than that."""

    player: str
    discard: Cards | None = ()
    reshuffle: Cards | None = None


Action: TypeAlias = Move | Fly | MoveDragon | Contribute | Offer | End
