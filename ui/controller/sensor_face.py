"""A sensor table as the window knows it: its lights and its health, as plain values and protocols."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from ui.controller.session import PicturedObservation


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthLine:
    """One thing to look at.

    Attributes:
        name: what it is.
        value: how it is now.
        advice: what to do about it; empty where all is well.
    """

    name: str
    value: str
    advice: str = ""

    @property
    def is_bad(self) -> bool:
        """Whether something is to be done about it."""
        return bool(self.advice)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellHealth:
    """One cell: what is felt there now, and what is wrong with it.

    Attributes:
        cell: row and column, as on the table.
        words: what is felt, a line each.
        faults: what is wrong, a line each.
    """

    cell: tuple[int, int]
    words: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthReport:
    """How a sensor table fares.

    Attributes:
        lines: the table as a whole.
        cells: each of its cells.
    """

    lines: tuple[HealthLine, ...]
    cells: tuple[CellHealth, ...] = ()


class SensorFace(Protocol):
    """What people at the window may do with a sensor table; safe to call from the window's thread."""

    @property
    def is_on(self) -> bool:
        """Whether lights and buzzer are switched on."""

    @property
    def brightness(self) -> float:
        """How bright the lights are, 0 to 1."""

    def switch(self, on: bool) -> None:
        """Switch lights and buzzer on or off."""

    def dim(self, brightness: float) -> None:
        """Set how bright the lights are, 0 to 1."""

    def mute(self, quiet: bool) -> None:
        """Switch the buzzer alone."""

    def show_reach(self, on: bool) -> None:
        """Light the cells that the figure of whoever moves can still go to, or no longer."""

    def health(self) -> HealthReport:
        """Return how the table fares."""


class PicturedSensors(ABC):
    """A `PicturedSource` that is a sensor table, so that the window can offer more than to look."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Name that players recognise."""

    @property
    @abstractmethod
    def face(self) -> SensorFace:
        """What the window may do with it."""

    @abstractmethod
    def pictured(self) -> Iterator[PicturedObservation]:
        """Yield what is felt; raises DeviceError in words."""

    @abstractmethod
    def close(self) -> None:
        """Release the table; safe to call twice."""
