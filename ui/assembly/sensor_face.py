"""A sensor table's interface to the window: lights, health, readings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from calibration.sensors import SensorProfile
from companion.ports import ObservationSource
from companion.sensor_health import HealthReport
from companion.session.highlights import light_up
from companion.session.referee import Referee
from firmware_bridge.health_report import Label, report_on
from firmware_bridge.talk import BoardTalk
from ui.assembly.sensor_table import TableLamps
from ui.controller.sensor_face import PicturedSensors
from ui.controller.session import PicturedObservation

# How often a table's spots are requested while its health page is open, seconds.
WATCHED_S: Final = 1.0


class TableFace(TableLamps):
    """The lamps of a table, and its health (`ui.controller.sensor_face.SensorFace`)."""

    def __init__(self, table: BoardTalk, profile: SensorProfile, label: Label) -> None:
        """Control the lamps of a table; `label` returns the text for what is detected at a place."""
        super().__init__(table, profile)
        self._watched = table
        self._label = label
        self._leave: Callable[[], None] = lambda: None

    def follow(self, referee: Referee[Any, Any]) -> None:
        """Let the lights follow a game until `leave` is called."""
        self.leave()
        self._leave = light_up(referee, self)

    def leave(self) -> None:
        """Stop following the game."""
        self._leave()

    def health(self) -> HealthReport:
        """Return the condition of the table; from then on its spots are requested more often."""
        self._watched.raw_every_s = min(self._watched.raw_every_s, WATCHED_S)
        return report_on(self._watched, self._label)


class PicturedTable(PicturedSensors):
    """A sensor table, or something that plays on one, as a source for the window."""

    def __init__(self, source: ObservationSource, face: TableFace) -> None:
        self._source = source
        self._face = face

    @property
    def name(self) -> str:
        """Name that players recognise."""
        return self._source.name

    @property
    def face(self) -> TableFace:
        """Its lights and its health."""
        return self._face

    def pictured(self) -> Iterator[PicturedObservation]:
        """Yield what the sensors see; raises DeviceError if the table does."""
        for observation in self._source.observations():
            yield PicturedObservation(observation=observation)

    def close(self) -> None:
        """Release the table."""
        self._face.leave()
        self._source.close()
