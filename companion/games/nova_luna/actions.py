"""What can be done in Nova Luna, and what it makes happen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from companion.game import Event
from companion.games.kit.notation import Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Refill:
    """Fill the wheel's empty slots from the stock, at the start of the own turn."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    """A whole turn: take a tile, lay it, move on the track, cover what is fulfilled."""

    player: str
    tile: int
    at: Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class NextPhase:
    """Solo: note the first phase's points and begin the second phase."""

    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """Tiles of the stock become known, next tile first; nobody's turn."""

    stock: tuple[int, ...]


Action: TypeAlias = Refill | Take | NextPhase | Reveal


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed(Event):
    """So many tiles of the stock became known."""

    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Refilled(Event):
    """Tiles were laid into these slots, in this order."""

    player: str
    slots: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TileLaid(Event):
    """A tile went from a slot of the wheel to a cell of an area."""

    player: str
    tile: int
    slot: int
    at: Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Travelled(Event):
    """A track token moved on."""

    player: str
    steps: int
    space: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered(Event):
    """A fulfilled task is covered with a token."""

    player: str
    tile: int
    at: Cell
    task: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseEnded(Event):
    """Solo: the first phase is noted.

    Attributes:
        noted: its points, penalties included.
        left: tokens that were not laid and join the second pile.
    """

    player: str
    noted: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(Event):
    """The game is over: ``tokens`` or ``no_tiles``."""

    reason: str
