"""What the engine reports to its user: news, and counters of the traffic on the line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from firmware_bridge.wire.messages import Health, Hello, RawReadings


@dataclass(frozen=True, slots=True)
class Opened:
    """A session with this board has begun."""

    hello: Hello


@dataclass(frozen=True, slots=True)
class Over:
    """The session ended (board reset, or the board gave it up); all slots are unknown."""

    reason: str


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The board speaks another major version."""

    board: tuple[int, int]
    host: tuple[int, int]


@dataclass(frozen=True, slots=True)
class AtOdds:
    """The board's description of its own geometry is inconsistent; the host asks again."""

    reason: str


@dataclass(frozen=True, slots=True)
class Happened:
    """Event `number`: the slot took this value at `at_s` (the host's clock)."""

    number: int
    slot: int
    value: int
    at_s: float


@dataclass(frozen=True, slots=True)
class Missed:
    """Events from `first` up to before `until` were lost; a snapshot covers them."""

    first: int
    until: int


@dataclass(frozen=True, slots=True)
class Whole:
    """The picture is whole again: every slot known as of one instant."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A command was answered; `done` False = refused by the board."""

    ticket: int
    done: bool


@dataclass(frozen=True, slots=True)
class Unanswered:
    """The session ended before the command was answered: it may or may not have been executed."""

    ticket: int


News: TypeAlias = (
    Opened
    | Over
    | Mismatch
    | AtOdds
    | Happened
    | Missed
    | Whole
    | Finished
    | Unanswered
    | RawReadings
    | Health
)


@dataclass(slots=True)
class Counters:
    """Counters of the traffic; they only grow."""

    frames: int = 0
    unknown: int = 0
    malformed: int = 0
    lost: int = 0
    events: int = 0
    doubles: int = 0
    holes: int = 0
    gaps: int = 0
    snapshots: int = 0
    digest_mismatches: int = 0
    opens: int = 0
    repeated_commands: int = 0
