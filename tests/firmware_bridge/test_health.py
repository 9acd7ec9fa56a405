"""What the health page says: found on the double, fault by fault."""

from __future__ import annotations

import pytest

from firmware_bridge.health import HealthWatch, TableHealth
from firmware_bridge.reader import SlotReader
from firmware_bridge.virtual.double import DoubleBoard
from firmware_bridge.wire.messages import Health, RawReadings, What
from tests.firmware_bridge.bench import Bench
from tests.firmware_bridge.test_session import PROFILE

SPOTS = 113


class Ward:
    """A table and its health."""

    def __init__(self) -> None:
        self.board = DoubleBoard()
        self.bench = Bench(self.board)
        assert self.bench.run_until_whole(1000) is not None
        self.reader = SlotReader(self.bench.link.geometry, PROFILE)
        self.watch = HealthWatch()
        self.watch.begin([512] * SPOTS)

    def look(self, times: int = 1) -> TableHealth:
        """Ask the board for everything, so many times, and return what is made of it."""
        for _ in range(times):
            told = len(self.bench.news)
            self.watch.asked(self.bench.now_s)
            self.bench.link.ask(What.HEALTH, 0, 0, self.bench.now_s)
            self.bench.run(60)
            self.bench.link.ask(What.RAW, 0, SPOTS, self.bench.now_s)
            self.bench.run(100)
            for item in self.bench.news[told:]:
                if isinstance(item, Health):
                    self.watch.take_board(item, self.bench.now_s)
                elif isinstance(item, RawReadings):
                    self.watch.take_raw(item, self.reader.map.spots, self.bench.link.slots.values)
        values = self.bench.link.slots.values
        self.reader.read(values, source="test", seq=1, seen_at_s=0.0)
        return self.watch.judge(self.bench.link, self.reader, "ttyX", is_tuned=True)


@pytest.fixture
def ward() -> Ward:
    """A healthy table."""
    return Ward()


def test_a_healthy_table_has_nothing_to_say(ward: Ward) -> None:
    """No reader dead, no spot odd, and the round trip known."""
    health = ward.look(3)

    assert (health.readers, health.spots, health.lost) == (21, SPOTS, 0)
    found = (health.dead_readers, health.unclear_spots, health.stuck_spots, health.stuck_cells)
    assert found == ((), (), (), ())
    assert health.wandering_spots == ()
    assert health.round_trip_ms is not None
    assert health.round_trip_worst_ms is not None
    assert 0 < health.round_trip_ms <= health.round_trip_worst_ms < 200


def test_a_spot_without_its_ground_is_stuck(ward: Ward) -> None:
    """It leans on a rail, as no magnet makes it."""
    ward.board.set_spot(7, 1023)
    ward.board.set_spot(9, 0)
    ward.bench.run(100)

    assert ward.look().stuck_spots == (7, 9)


def test_a_spot_that_rests_on_a_rail_is_well(ward: Ward) -> None:
    """A resistor disc's spot does, with its pull-up."""
    ward.watch.begin([1023] * SPOTS)
    ward.board.set_spot(7, 1023)
    ward.bench.run(100)

    assert 7 not in ward.look().stuck_spots


def test_a_presence_sensor_that_feels_what_nobody_else_does_is_stuck(ward: Ward) -> None:
    """No tag is read there and no side is felt."""
    ward.board.set_presence(4, True)
    ward.bench.run(200)

    assert ward.look().stuck_cells == (ward.reader.map.presences[4],)


def test_noise_and_drift_are_watched_while_a_spot_is_empty(ward: Ward) -> None:
    """Warmth moves the rest, a loose wire makes it waver."""
    ward.look(3)
    ward.board.set_spot(3, 528)
    for turn in range(60):
        ward.board.set_spot(5, 505 if turn % 2 else 519)
        health = ward.look()

    assert health.wandering_spots == (3,)
    assert 12 < health.drift[3] < 17
    assert health.noise[5] > 3
    rests = ward.watch.corrected_rests()
    assert rests is not None
    assert abs(rests[3] - 528) < 3
    assert rests[4] == 512


def test_a_dead_reader_is_named_by_its_cell(ward: Ward) -> None:
    """By the board's own word."""
    ward.board.break_reader(3)
    ward.bench.run(2000)

    assert ward.look().dead_readers == ("1,0",)
