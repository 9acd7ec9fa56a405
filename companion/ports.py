"""Interfaces to devices and to the outside world."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from companion.observation import Observation


class ObservationSource(Protocol):
    """Anything that sees the table: a camera, a sensor table, a recording, a simulation.

    Iterating yields observations until the source is closed or at its end. Raises DeviceError if the
    world lets us down; the caller may iterate again to resume.
    """

    @property
    def name(self) -> str:
        """Name that players recognise."""

    def observations(self) -> Iterator[Observation]:
        """Yield what is seen, newest first come; blocks between frames."""

    def close(self) -> None:
        """Release the device; safe to call twice."""


class Clock(Protocol):
    """A monotonic clock, seconds."""

    def __call__(self) -> float:
        """Return now."""
