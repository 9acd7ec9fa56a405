"""A sensor table as the window sees it: its lights and its health."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Protocol

from companion.sensor_health import HealthReport
from ui.controller.session import PicturedObservation


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
