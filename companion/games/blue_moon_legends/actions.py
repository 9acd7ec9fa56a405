"""The actions of the players, as the lines of a record have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from companion.games.blue_moon_legends.catalogue import CardId
from companion.games.blue_moon_legends.state import Hidden


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieve:
    """Take back an active card with the retrieve icon, at the start of the own turn."""

    player: str
    card: CardId


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """Discard an own bluff card at the start of the own turn; ``at`` numbers the support area from 0."""

    player: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unload:
    """Land a ship with its cargo, at the start of the own turn."""

    player: str
    ship: CardId


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """Play a leadership card."""

    player: str
    card: CardId


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """Play a ship instead of a leadership card."""

    player: str
    card: CardId


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline:
    """Begin no fight: discard one to three cards and draw up to six.

    Attributes:
        cards: what is discarded, None for a card that nobody else saw.
        more: up to so many more cards, where nobody counted them.
    """

    player: str
    cards: tuple[Hidden, ...]
    more: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retreat:
    """Give the fight up.

    Attributes:
        cards: cards that were laid from the hand in this turn and cleared away before anyone saw them, None
            for an unknown one; always empty if the cards are known.
        more: up to so many more such cards, where nobody counted them.
    """

    player: str
    cards: tuple[Hidden, ...] = ()
    more: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """Lay a character, booster or support card; ``joins``: beside the own gang, covering nothing."""

    player: str
    card: CardId
    from_ship: bool = False
    joins: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bluff:
    """Lay a card with a bluff icon face down as a support card."""

    player: str
    card: Hidden
    from_ship: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """Put a card from the hand onto an own ship instead of laying a support card."""

    player: str
    card: CardId
    ship: CardId


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """Use the power of a card.

    Attributes:
        card: whose power.
        cards: the cards it is used on; None = a card that nobody else saw.
        backs: places in a support area of the face-down cards it is used on, ascending.
        number: how many cards are drawn, where that is a choice.
        ship: onto which ship the card is loaded.
    """

    player: str
    card: CardId
    cards: tuple[Hidden, ...] = ()
    backs: tuple[int, ...] = ()
    number: int | None = None
    ship: CardId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pay:
    """Meet the demand of a card of the other side by discarding from the hand."""

    player: str
    card: CardId
    cards: tuple[Hidden, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Discard:
    """Discard from the hand because the other side's power demands it."""

    player: str
    cards: tuple[Hidden, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """Lay the hand open because the other side's power demands it (only where the hand is not known)."""

    player: str
    cards: tuple[Hidden, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Double:
    """Choose which own Caterpillar's demand is doubled."""

    player: str
    card: CardId
    target: CardId


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjust:
    """Give an active card the points that its power, applied by hand, is worth to its owner."""

    player: str
    card: CardId
    fire: int
    earth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce:
    """Announce the total power in the contested element; in the first turn of a fight choose it as well."""

    player: str
    element: str
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Call the other side's bluff: its bluff cards, in the order of its support area, are turned up.

    Attributes:
        cards: what they were; None = nobody noted it.
        is_true: whether all of them were true.
    """

    player: str
    cards: tuple[Hidden, ...]
    is_true: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """Do not call the bluff."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """Say how many cards are left in the player's deck, after discards that nobody counted."""

    player: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """End the turn without using the powers that are left (only where there are any)."""

    player: str


Action: TypeAlias = (
    Retrieve
    | Drop
    | Unload
    | Lead
    | Launch
    | Decline
    | Retreat
    | Play
    | Bluff
    | Load
    | Use
    | Pay
    | Discard
    | Reveal
    | Double
    | Adjust
    | Announce
    | Call
    | Trust
    | End
    | Count
)
