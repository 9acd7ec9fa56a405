"""The sensor pages' interface to the rest of the program: plain values and one protocol."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from ui.wizard.guide import GameChoice, ProfileChoice


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonView:
    """What a table's set-up says at one moment.

    Attributes:
        text: what to do now.
        missing: why the step is not done yet; empty while nothing is known to be missing.
        done, steps: how far it has come.
        is_over: all is learnt.
    """

    text: str
    missing: str = ""
    done: int
    steps: int
    is_over: bool = False


class SensorGuide(Protocol):
    """The house as the pages for a sensor table see it. `lesson` is iterated in a thread of its own."""

    def tables(self) -> tuple[tuple[str, str], ...]:
        """Return the tables that may be plugged in: address and name."""

    def lesson(self, address: str, game: GameChoice) -> Iterator[LessonView]:
        """Yield what to do, until all is learnt or `close`; raises DeviceError or ProfileError in words."""

    def skip(self) -> None:
        """Leave the current step out."""

    def back(self) -> None:
        """Do the step before again."""

    def keep(self, game: GameChoice) -> ProfileChoice:
        """Keep what was learnt so far in a profile; raises ProfileError in words."""

    def close(self) -> None:
        """End the lesson and release the table; safe at any time."""
