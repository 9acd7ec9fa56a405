"""What happens by the rules when an action is applied."""

from __future__ import annotations

from dataclasses import dataclass

from companion.game import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerPlaced(Event):
    """A contribution was paid: a marker stands on a box."""

    player: str
    cell: int
    tile: str
    box: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewarded(Event):
    """A player receives something.

    Attributes:
        reason: "dragon", "majority", "contributor" or "neighbour".
        source: the tile or dragon that pays.
        owed: of `scales`, how many the supply could not give (ruling 17).
    """

    player: str
    reason: str
    source: str
    cards: int = 0
    crystals: int = 0
    scales: int = 0
    owed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed(Event):
    """A building is complete: markers go back, the tile is flipped."""

    cell: int
    tile: str
    majority: str
    contributors: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchanged(Event):
    """The golden scales were exchanged.

    Attributes:
        counts: scales that counted, owed ones included, in seat order.
        crystals: what each player received, in seat order.
        returned: scales each player gave back to the supply.
    """

    players: tuple[str, ...]
    counts: tuple[int, ...]
    crystals: tuple[int, ...]
    returned: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered(Event):
    """An offering was made.

    Attributes:
        price, most: crystals paid, at least and at most; they differ where a Pillar was not seen.
        count: offerings that the player has made by now.
    """

    player: str
    box: int
    price: int
    most: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPassed(Event):
    """The next player's turn begins."""

    player: str
    drawn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reshuffled(Event):
    """The discards became the deck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(Event):
    """The game is over."""

    winners: tuple[str, ...]
    reason: str
