"""A game that is about to begin, and what can be wished for at home: plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from companion.set_up_form import Answers


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePlan:
    """How a game is to begin.

    Attributes:
        game: its stable name.
        seats: the players as the record has them, in the order of play.
        answers: to the questions of the game's form.
        names: of the people who play, by seat; who has none goes by the seat.
        camera, profile: addresses of what follows it; both "" for a game entered by hand.
        reader: address of the camera or the sensor table that reads the laid-out table.
    """

    game: str
    seats: tuple[str, ...]
    answers: Answers = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    camera: str = ""
    profile: str = ""
    reader: str = ""

    @property
    def is_watched(self) -> bool:
        """Whether a camera or sensors follow the game."""
        return bool(self.camera)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume:
    """Continue a past game; `name` is its file's."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin:
    """Begin a game; `start` is what it starts with, in the assembly's own form."""

    plan: GamePlan
    start: object


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchDemo:
    """Watch simulated players."""

    game: str


Wish: TypeAlias = Resume | Begin | WatchDemo


@dataclass(frozen=True, slots=True, kw_only=True)
class Watchers:
    """What could follow a game on this computer just now.

    Attributes:
        can_follow: whether a camera or sensors can follow this game at all.
        cameras, tables: those plugged in, as address and name; tables are sensor tables.
        profiles: those that know the game.
        has_board: whether sensors can be under its tiles; else its pieces lie anywhere.
    """

    can_follow: bool
    cameras: tuple[tuple[str, str], ...] = ()
    tables: tuple[tuple[str, str], ...] = ()
    profiles: tuple[KnownProfile, ...] = ()
    has_board: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownProfile:
    """A profile: its address and name, and what it knows.

    Attributes:
        answers: what it was learnt for, to be compared with a form's answers.
        colours: of the pieces it knows, or the seats whose cards; None where nobody has any of their own.
    """

    address: str
    name: str
    answers: Mapping[str, object]
    colours: tuple[str, ...] | None
    has_faces: bool
    has_sensors: bool

    def fits(self, plan: GamePlan) -> bool:
        """Whether it knows the edition and the pieces of a game."""
        is_same = all(plan.answers.get(name) == word for name, word in self.answers.items())
        return is_same and (self.colours is None or set(plan.seats) <= set(self.colours))
