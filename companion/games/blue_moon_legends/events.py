"""What happens by the rules, beside what the players do themselves."""

from __future__ import annotations

from dataclasses import dataclass

from companion.game import Event
from companion.games.blue_moon_legends.catalogue import CardId
from companion.games.blue_moon_legends.rules.totals import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan(Event):
    """A player's turn begins."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drew(Event):
    """A player took cards from the own deck.

    Attributes:
        short: how many fewer than were due.
        by: the card that kept them away, None = the deck was empty.
    """

    player: str
    number: int
    short: int = 0
    by: CardId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Discarded(Event):
    """Cards went to a player's discard pile."""

    player: str
    number: int
    by: CardId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DragonCame(Event):
    """A player attracted a dragon: it came to the board (`to_board`) or to the player.

    Attributes:
        reason: retreat, six_cards, power, bluff.
        by: the card whose power attracted it.
    """

    player: str
    to_board: bool
    reason: str
    by: CardId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DragonKept(Event):
    """Fewer dragons came than were due for a retreat."""

    player: str
    number: int
    by: tuple[CardId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerWorked(Event):
    """The power of a card did something."""

    player: str
    card: CardId
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ByHand(Event):
    """A card's power is none the engine can execute: the players apply it by hand."""

    player: str
    card: CardId


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementChanged(Event):
    """The contested element changed."""

    element: str
    by: CardId


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced(Event):
    """A player announced the total.

    Attributes:
        reach: the total that had to be reached; None in the first turn of a fight.
        shielded: a shield let the player ignore it.
        reasons: where the points come from.
    """

    player: str
    element: str
    total: int
    reach: int | None
    shielded: bool
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BluffCalled(Event):
    """The bluff cards were turned up."""

    player: str
    was_true: bool
    cards: tuple[CardId | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FightEnded(Event):
    """A player gave the fight up, or was made to by a card."""

    loser: str
    by: CardId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(Event):
    """The game is over."""

    winner: str
    reason: str
    dragons: int
