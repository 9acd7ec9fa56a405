"""A simulated sensor table for the demo: the firmware behind a pseudo terminal, pyserial before it."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from companion.errors import DeviceError
from companion.ports import ObservationSource
from companion.reconcile.observation import Observation
from companion.simulated_table import Moment
from companion.table import Picture
from firmware_bridge.session import SensorTable
from firmware_bridge.virtual_board import VirtualBoard, profile_for

# Seconds of the table's own time that a table at rest, or under a hand, is left alone.
REST_S: Final = 1.2
HAND_S: Final = 0.12
SPEED: Final = 8.0


class SimulatedSensors:
    """The pieces of a simulated table on a virtual board, seen through a real serial session.

    The table's time runs `speed` times as fast as ours, the session's clock with it.
    """

    def __init__(
        self, first: Picture, boxes: Mapping[str, int], *, faults: float, speed: float = SPEED
    ) -> None:
        self._speed = speed
        profile = profile_for(first, boxes=boxes)
        self._board = VirtualBoard(profile, faults=faults, speed=speed)
        self._board.set_picture(first)
        self._table = SensorTable(profile, port=self._board.path, clock=self.clock)
        self._seen: queue.SimpleQueue[Observation] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._pump, name="sensor demo", daemon=True)
        self._thread.start()

    def clock(self) -> float:
        """Return the table's time, seconds."""
        return time.monotonic() * self._speed

    def lay(self, picture: Picture) -> None:
        """Lay the pieces like this."""
        self._board.set_picture(picture)

    def during(self, seconds: float) -> Iterator[Observation]:
        """Yield what the sensors see while so much of the table's time passes."""
        end = self.clock() + seconds
        while (left := end - self.clock()) > 0:
            with contextlib.suppress(queue.Empty):
                yield self._seen.get(timeout=left / self._speed)

    def waiting(self) -> Iterator[Observation]:
        """Yield what the sensors have seen so far, without waiting."""
        with contextlib.suppress(queue.Empty):
            while True:
                yield self._seen.get_nowait()

    def close(self) -> None:
        """Switch everything off; safe to call twice."""
        self._closing.set()
        self._table.close()
        self._thread.join()
        self._board.close()

    def _pump(self) -> None:
        while not self._closing.is_set():
            with contextlib.suppress(DeviceError):  # it keeps looking by itself
                for observation in self._table.observations():
                    self._seen.put(observation)


class SensorSource:
    """Plays the moments of a simulated table on the sensors."""

    name = "sensor table"

    def __init__(self, sensors: SimulatedSensors, moments: Iterable[Moment]) -> None:
        self._sensors = sensors
        self._moments = iter(moments)

    def observations(self) -> Iterator[Observation]:
        """Yield what the sensors see of the whole game."""
        for moment in self._moments:
            self._sensors.lay(moment.picture)
            yield from self._sensors.during(HAND_S if moment.busy else REST_S)

    def close(self) -> None:
        """Switch the table off."""
        self._sensors.close()


class BothSources:
    """Camera and sensors at once; the camera may be taken away in mid-game.

    `scenes` lets the caller lay each scene on the sensors as the camera comes to film it.
    """

    name = "camera and sensor table"

    def __init__(
        self,
        camera: ObservationSource,
        sensors: SimulatedSensors,
        moments: Iterator[Moment],
        is_camera_lost: Callable[[], bool],
    ) -> None:
        self._camera = camera
        self._sensors = sensors
        self._rest = SensorSource(sensors, moments)
        self._is_camera_lost = is_camera_lost

    def observations(self) -> Iterator[Observation]:
        """Yield what both see, then what the sensors see alone."""
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
