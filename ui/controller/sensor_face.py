"""A sensor table as the window sees it: its lights and its health."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Protocol

from companion.sensor_health import HealthReport
from ui.controller.session import PicturedObservation


class SensorFace(Protocol):
    """What the window can do with a sensor table; safe to call from the window's thread."""

    @property
    def is_on(self) -> bool:
        """Whether the lights and the buzzer are switched on."""

    @property
    def brightness(self) -> float:
        """How bright the lights are, 0 to 1."""

    def switch(self, on: bool) -> None:
        """Switch the lights and the buzzer on or off."""

    def dim(self, brightness: float) -> None:
        """Set how bright the lights are, 0 to 1."""

    def mute(self, quiet: bool) -> None:
        """Switch only the buzzer on or off."""

    def show_reach(self, on: bool) -> None:
        """Light the cells that the moving player's figure can still reach, or turn them off."""

    def health(self) -> HealthReport:
        """Return the condition of the table."""


class PicturedSensors(ABC):
    """A `PicturedSource` that is a sensor table, which the window can also control."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Name that players recognise."""

    @property
    @abstractmethod
    def face(self) -> SensorFace:
        """What the window can do with it."""

    @abstractmethod
    def pictured(self) -> Iterator[PicturedObservation]:
        """Yield what the sensors detect; raises DeviceError with the reason."""

    @abstractmethod
    def close(self) -> None:
        """Release the table; safe to call twice."""
