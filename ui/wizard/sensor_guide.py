"""The sensor pages' interface to the rest of the program: plain values and one protocol."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from ui.wizard.guide import GameChoice, ProfileChoice


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonView:
    """One moment of a table's set-up.

    Attributes:
        text: what to do now.
        missing: why the step is not done yet; empty if nothing is known to be missing.
        done, steps: how many steps are done, of how many.
        is_over: everything is learnt.
    """

    text: str
    missing: str = ""
    done: int
    steps: int
    is_over: bool = False


class SensorGuide(Protocol):
    """What the sensor table's pages need from the rest of the program. `lesson` runs in a separate thread."""

    def tables(self) -> tuple[tuple[str, str], ...]:
        """Return the sensor tables that can be chosen: address and name."""

    def lesson(self, address: str, game: GameChoice) -> Iterator[LessonView]:
        """Yield what to do until all is learnt or `close` is called; raises DeviceError or ProfileError."""

    def skip(self) -> None:
        """Skip the current step."""

    def back(self) -> None:
        """Go back to the previous step."""

    def keep(self, game: GameChoice) -> ProfileChoice:
        """Keep what was learnt so far in a profile; raises ProfileError with the reason."""

    def close(self) -> None:
        """End the lesson and release the table; safe at any time."""
