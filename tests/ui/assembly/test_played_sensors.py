"""The demo's sensor table: it ends when it is closed, and waits while its cable is out."""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Iterator

import pytest

from companion.errors import DeviceError, DeviceFault
from companion.games.blue_moon_city import COMPONENTS
from companion.simulation.table import Moment
from companion.table import Place, Value
from firmware_bridge.virtual import virtual_board
from tests.helpers.patience import WAIT_S
from ui.assembly.played_sensors import SensorSource, SimulatedSensors

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals here")
START: dict[Place, Value] = {Place("cell:0,1"): "mill/sketch", Place("figure:purple"): "0,1"}
CELLS = ("0,1", "0,2", "1,1", "1,2")


def moments() -> Iterator[Moment]:
    """Yield a figure that walks for ever, under a hand and at rest."""
    for number in itertools.count():
        picture = {**START, Place("figure:purple"): CELLS[number % len(CELLS)]}
        yield Moment(picture=picture, busy=number % 2 == 1, hidden=frozenset(), played=number, mischief=None)


@pytest.fixture
def sensors(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimulatedSensors]:
    """A virtual board."""
    monkeypatch.setattr(virtual_board, "find_compiler", lambda: None)
    made = SimulatedSensors(START, COMPONENTS, faults=0.0)
    yield made
    made.close()


def test_it_ends_when_it_is_closed(sensors: SimulatedSensors) -> None:
    """However much of the game is left."""
    source = SensorSource(sensors, moments())
    seen = threading.Event()

    def look() -> None:
        for _ in source.observations():
            seen.set()

    looker = threading.Thread(target=look)
    looker.start()
    assert seen.wait(WAIT_S)
    source.close()
    looker.join(WAIT_S)

    assert not looker.is_alive()


def test_the_players_wait_while_the_cable_is_out(sensors: SimulatedSensors) -> None:
    """They finish the movement they are at; on another port the game goes on."""
    walked: list[int] = []

    def noted() -> Iterator[Moment]:
        for moment in moments():
            walked.append(moment.played)
            yield moment

    source = SensorSource(sensors, noted())
    told = source.observations()
    next(told)
    first = sensors.board.path
    sensors.pull()
    with pytest.raises(DeviceError) as caught:
        for _ in told:
            pass
    before = len(walked)
    with pytest.raises(DeviceError):
        next(source.observations())
    assert len(walked) == before
    sensors.put_in()
    told = source.observations()
    while len(walked) == before:
        next(told)

    assert caught.value.fault is DeviceFault.UNPLUGGED
    assert sensors.board.path != first
