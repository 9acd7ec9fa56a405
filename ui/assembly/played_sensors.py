"""Simulated sensor tables for the demo, and the game that is played on them.

With a window this is the firmware behind a pseudo terminal, read with pyserial in real time; without one
it is `ui.assembly.stepped_sensors`.
"""

from __future__ import annotations

import queue
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from companion.components import Components
from companion.errors import DeviceError
from companion.i18n import msg
from companion.observation import Observation
from companion.ports import ObservationSource
from companion.simulation.table import Moment
from companion.source_runner import SourceRunner
from companion.table import Picture
from firmware_bridge.session import SensorTable
from firmware_bridge.virtual.virtual_board import VirtualBoard, profile_for
from ui.assembly.sensor_face import TableFace
from ui.assembly.sensor_table import NAME
from ui.controller.session import PicturedObservation, PicturedSource

# How long each moment stays on the table, at rest or under a hand; seconds of the table's own time.
REST_S: Final = 1.2
HAND_S: Final = 0.12

# What the table's thread reports: an observation, a fault, or None for its end.
_Told: TypeAlias = Observation | Exception | None


class PlayedSensors(Protocol):
    """A sensor table on which a simulated game is played, in the table's own time."""

    @property
    def is_closed(self) -> bool:
        """Whether everything was switched off."""

    def clock(self) -> float:
        """Return the table's time, seconds."""

    def lay(self, picture: Picture) -> None:
        """Put the pieces where the picture has them."""

    def during(self, seconds: float) -> Iterator[Observation]:
        """Yield what the sensors see during so many seconds of the table's time; raises DeviceError."""

    def following(self) -> Iterator[Observation]:
        """Yield what the sensors see until they are closed; raises DeviceError."""

    def waiting(self) -> Iterator[Observation]:
        """Yield what the sensors see between two frames of a camera beside them; raises DeviceError."""

    def close(self) -> None:
        """Switch everything off; safe to call twice."""


class SimulatedSensors:
    """The pieces of a simulated table on a virtual board, seen through a real serial session.

    The board's cable can be unplugged (`ui.controller.session.Cable`); plugged in again, the board has
    another port.

    Attributes:
        board: the virtual board.
        table: the session with the board.
        lamps: the lights and the buzzer of the board.
    """

    def __init__(self, first: Picture, box: Components, *, faults: float, seed: int = 1) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="moontable-board-")
        self._plugged = 0
        self._is_out = False
        profile = profile_for(first, boxes=box.boxes_of_tile)
        self.board = VirtualBoard(profile, path=self._next_path(), faults=faults, seed=seed)
        self.board.set_picture(first)
        self.table = SensorTable(profile, finder=self._ports, clock=self.clock, name=NAME)
        self.lamps = TableFace(self.table, profile, box.reading_text)
        self._told: queue.SimpleQueue[_Told] = queue.SimpleQueue()
        self._runner = SourceRunner(
            "sensor demo", self.table.observations, self._told.put, lost=self._note_fault
        )
        self._runner.start()

    def clock(self) -> float:
        """Return the table's time, seconds."""
        return time.monotonic()

    def lay(self, picture: Picture) -> None:
        """Put the pieces where the picture has them."""
        self.board.set_picture(picture)

    def during(self, seconds: float) -> Iterator[Observation]:
        """Yield what the sensors see during so many seconds of the table's time; raises DeviceError."""
        end = self.clock() + seconds
        while (left := end - self.clock()) > 0:
            try:
                told = self._told.get(timeout=left)
            except queue.Empty:
                return
            if told is None:
                return
            yield _seen(told)

    def following(self) -> Iterator[Observation]:
        """Yield what the sensors see until they are closed; raises DeviceError."""
        while (told := self._told.get()) is not None:
            yield _seen(told)

    def waiting(self) -> Iterator[Observation]:
        """Yield what the sensors have seen so far, without waiting; raises DeviceError."""
        while not self._told.empty():
            told = self._told.get()
            if told is None:
                return
            yield _seen(told)

    @property
    def is_closed(self) -> bool:
        """Whether everything was switched off."""
        return self._runner.stopping.is_set()

    # -- the cable --------------------------------------------------------------------------------

    @property
    def is_out(self) -> bool:
        """Whether the board is unplugged."""
        return self._is_out

    def pull(self) -> None:
        """Unplug the board."""
        self._is_out = True
        self.board.unplug()

    def put_in(self) -> None:
        """Plug the board in again."""
        self.board.plug(self._next_path())
        self._is_out = False

    def close(self) -> None:
        """Switch everything off; safe to call twice."""
        self._runner.stop(self.table.close)
        self._told.put(None)
        self.board.close()
        self._folder.cleanup()

    def _next_path(self) -> Path:
        path = Path(self._folder.name) / f"ttyMoon{self._plugged}"
        self._plugged += 1
        return path

    def _ports(self) -> Sequence[str]:
        return [] if self._is_out else [self.board.path]

    def _note_fault(self, error: Exception, _running: int) -> float:
        """Pass a fault on to the caller who waits for observations; the table's thread continues."""
        self._told.put(error)
        return 0.0


def _seen(told: Observation | Exception) -> Observation:
    if isinstance(told, Exception):
        raise told
    return told


class SensorSource:
    """Plays the moments of a simulated table on the sensors.

    If the sensors are lost, the players finish the current movement and wait.
    """

    name = NAME

    def __init__(self, sensors: PlayedSensors, moments: Iterable[Moment]) -> None:
        self._sensors = sensors
        self._moments = iter(moments)
        self._is_lost = False

    def observations(self) -> Iterator[Observation]:
        """Yield what the sensors see of the whole game; raises DeviceError. Call it again to continue."""
        try:
            if self._is_lost:
                for observation in self._sensors.following():
                    yield observation
                    break
                self._is_lost = False
                yield from self._sensors.during(REST_S)
            for moment in self._moments:
                if self._sensors.is_closed:
                    return
                self._sensors.lay(moment.picture)
                yield from self._sensors.during(HAND_S if moment.busy else REST_S)
        except DeviceError:
            if not self._is_lost:
                self._is_lost = True
                self._finish_movement()
            raise

    def close(self) -> None:
        """Switch the table off."""
        self._sensors.close()

    def _finish_movement(self) -> None:
        for moment in self._moments:
            self._sensors.lay(moment.picture)
            if not moment.busy:
                return


class LookingOn:
    """The sensors of a game that is advanced elsewhere: only their observations."""

    name = NAME

    def __init__(self, sensors: PlayedSensors) -> None:
        self._sensors = sensors

    def observations(self) -> Iterator[Observation]:
        """Yield what the sensors see until they are closed; raises DeviceError."""
        return self._sensors.following()

    def close(self) -> None:
        """Switch the table off."""
        self._sensors.close()


@dataclass(frozen=True, slots=True)
class OnTableTime:
    """A camera's observations, timed by the table's clock."""

    camera: PicturedSource
    clock: Callable[[], float]

    @property
    def name(self) -> str:
        """Name that players recognise."""
        return self.camera.name

    def pictured(self) -> Iterator[PicturedObservation]:
        """Yield what the camera sees; raises DeviceError if the camera does."""
        for sight in self.camera.pictured():
            yield replace(sight, observation=replace(sight.observation, seen_at_s=self.clock()))

    def close(self) -> None:
        """Release the camera."""
        self.camera.close()


class BothSources:
    """Camera and sensors at once; the camera may be taken away during a game.

    `moments` are those of the table; filming one puts its pieces on the sensors, too.
    """

    name = msg("camera and sensor table")

    def __init__(
        self,
        camera: ObservationSource,
        sensors: PlayedSensors,
        moments: Iterator[Moment],
        is_camera_lost: Callable[[], bool],
    ) -> None:
        self._camera = camera
        self._sensors = sensors
        self._rest = SensorSource(sensors, moments)
        self._is_camera_lost = is_camera_lost

    def observations(self) -> Iterator[Observation]:
        """Yield what both see and, once the camera is gone, what the sensors see."""
        for observation in self._camera.observations():
            yield replace(observation, seen_at_s=self._sensors.clock())
            yield from self._sensors.waiting()
            if self._is_camera_lost():
                self._camera.close()
                break
        yield from self._rest.observations()

    def close(self) -> None:
        """Release both."""
        self._camera.close()
        self._sensors.close()
