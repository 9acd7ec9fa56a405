"""The session over ports in virtual time: faults in words, resuming, lights, tuning, health."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.sensor_steps import SensorSetup
from calibration.sensors import SensorProfile, Tag
from companion.errors import DeviceError, DeviceFault
from companion.observation import Observation
from companion.table import Place, Value
from firmware_bridge.port import Port
from firmware_bridge.reader import SlotReader
from firmware_bridge.recording import FrameLog, read_log, replay
from firmware_bridge.session import SensorTable
from firmware_bridge.virtual.double import DoubleBoard
from firmware_bridge.virtual.virtual_board import Arranger, BoardPort, NoisyLine, profile_for, uid_of
from firmware_bridge.wire import messages
from firmware_bridge.wire.framing import WireFrame, encode
from firmware_bridge.wire.messages import Hello, Type, tag_value
from tests.helpers.logfail import WarningCollector
from tests.helpers.patience import WAIT_S

PICTURE: dict[Place, Value] = {
    Place("cell:2,2"): "courtyard/built",
    Place("cell:0,1"): "mill/sketch",
    Place("box:0,1:0"): None,
    Place("box:0,1:1"): "purple",
    Place("cell:1,1"): "aqueduct/built",
    Place("figure:purple"): "0,1",
    Place("figure:white"): None,
    Place("dragon:fire"): "0,1",
    Place("obelisk:0"): "white",
    Place("obelisk:1"): None,
}
PROFILE = profile_for(PICTURE, boxes={"mill": 2, "aqueduct": 1})


class Rig:
    """A board, its port and a session on it, stepping through virtual time as fast as they can."""

    def __init__(
        self, profile: SensorProfile = PROFILE, faults: float = 0.0, frame_log: FrameLog | None = None
    ) -> None:
        self.board = DoubleBoard()
        self.arranger = Arranger(self.board, profile)
        self.port = BoardPort(self.board, faults=faults)
        self.port_names: list[str] = ["ttyACM0"]
        self.opened: list[str] = []
        self.table = SensorTable(
            profile,
            opener=self.open,
            finder=self.find,
            clock=self.port.clock,
            frame_log=frame_log,
        )
        self.observations = self.table.observations()

    def open(self, name: str) -> Port:
        """Open the board's port under this name."""
        self.opened.append(name)
        return self.port

    def find(self) -> Sequence[str]:
        """Return the port names there are just now."""
        return self.port_names if self.port.is_plugged else []

    def see(self, picture: dict[Place, Value]) -> Observation:
        """Return the first observation that shows this picture."""
        for seen in self.observations:
            if shows(seen, picture):
                return seen
        raise AssertionError("the session ended")

    def fault(self) -> DeviceError:
        """Return the next fault."""
        with pytest.raises(DeviceError) as caught:
            for _ in self.observations:
                pass
        self.observations = self.table.observations()
        return caught.value


def shows(seen: Observation, picture: dict[Place, Value]) -> bool:
    """Whether the observation has all of a picture."""
    return all(w in seen.sightings and seen.sightings[w].value == v for w, v in picture.items())


@pytest.fixture
def rig() -> Iterator[Rig]:
    """A rig with the picture laid out; closed afterwards."""
    made = Rig()
    made.arranger.lay(PICTURE)
    yield made
    made.table.close()


def test_the_sensors_readings_become_observations(rig: Rig) -> None:
    """The picture that was laid out is the picture that is seen; numbers and times grow."""
    first = rig.see(PICTURE)
    second = next(rig.observations)

    assert first.source == "sensor table"
    assert second.seq > first.seq
    assert second.seen_at_s > first.seen_at_s
    assert all(0.9 < s.confidence <= 1 for s in first.sightings.values())
    assert Place("discard") not in first.sightings


def test_a_moved_piece_is_seen(rig: Rig) -> None:
    """A marker, a figure and a tile turned over."""
    rig.see(PICTURE)
    changed = {
        **PICTURE,
        Place("box:0,1:0"): "white",
        Place("figure:white"): "1,1",
        Place("obelisk:1"): "purple",
    }
    rig.arranger.lay(changed)
    rig.see(changed)
    built = {Place("cell:0,1"): "mill/built", Place("figure:purple"): "1,1"}
    rig.arranger.lay({**built, Place("cell:1,1"): "aqueduct/built"})
    seen = rig.see(built)

    assert not [w for w in seen.sightings if w.startswith("box:0,1")]


def test_unplugging_is_told_once_and_survived_under_another_name(rig: Rig) -> None:
    """The words say what to do; what was moved meanwhile is seen afterwards."""
    rig.see(PICTURE)
    rig.port.is_plugged = False
    first = rig.fault()
    second = rig.fault()
    changed = {**PICTURE, Place("box:0,1:0"): "white"}
    rig.arranger.lay(changed)
    rig.port_names = ["ttyACM1"]
    rig.port.is_plugged = True

    assert (first.fault, second.fault) == (DeviceFault.UNPLUGGED, DeviceFault.NOT_FOUND)
    assert "plug it in" in str(second)
    rig.see(changed)
    assert rig.opened == ["ttyACM0", "ttyACM1"]


def test_a_reset_board_goes_on_without_a_word(rig: Rig) -> None:
    """Lights included: they are state, not commands that were lost."""
    rig.see(PICTURE)
    rig.table.show({Place("cell:0,1"): (200, 0, 0)})
    wait_for(rig, lambda: rig.board.lights[0] == (100, 0, 0))
    rig.board.reset(8)
    changed = {**PICTURE, Place("box:0,1:0"): "white"}
    rig.arranger.lay(changed)
    rig.see(changed)

    wait_for(rig, lambda: rig.board.lights[0] == (100, 0, 0))


def wait_for(rig: Rig, condition: object) -> None:
    """Let observations pass until the condition holds."""
    assert callable(condition)
    for _ in range(200):
        if condition():
            return
        next(rig.observations)
    raise AssertionError("it never came to be")


def test_lights_follow_what_is_wanted(rig: Rig) -> None:
    """Shown, changed and put out; unknown places are passed over."""
    rig.see(PICTURE)
    rig.table.show(
        {Place("cell:0,1"): (255, 0, 0), Place("obelisk:12"): (0, 255, 0), Place("discard"): (9, 9, 9)}
    )
    wait_for(rig, lambda: rig.board.lights[0] == (128, 0, 0) and rig.board.lights[113] == (0, 128, 0))
    rig.table.show({})
    wait_for(rig, lambda: not any(map(any, rig.board.lights)))


def test_a_beep_is_sounded(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, for its time."""
    rig.see(PICTURE)
    heard: list[tuple[int, int]] = []
    sound = rig.board._outputs._buzz

    def note(hz: int, ms: int, now_ms: int) -> int:
        heard.append((hz, ms))
        return sound(hz, ms, now_ms)

    monkeypatch.setattr(rig.board._outputs, "_buzz", note)
    rig.table.beep(880, 600)
    wait_for(rig, lambda: bool(heard) and rig.board.buzzer_hz == 0)

    assert heard == [(880, 600)]


def test_a_board_is_tuned_to_the_profile_first() -> None:
    """Until then its spots are not believed; afterwards they are, and the tuning is kept."""
    spots = [(512, 64)] * 113
    spots[4] = (300, 128)  # the first spot of cell 0,2, as a weak sensor has it
    rig = Rig(replace(PROFILE, spots=tuple(spots)))
    try:
        rig.arranger.lay(PICTURE)
        rig.board.set_spot(4, 300)
        seen = rig.see({Place("obelisk:0"): "white"})
        assert seen.seq >= 1
        assert rig.board._outputs.kept is not None
        assert messages.config_check(*rig.board._outputs.kept) == messages.config_check(
            PROFILE.windows, spots
        )
    finally:
        rig.table.close()


def test_a_profile_of_another_table_is_refused() -> None:
    """With both numbers of spots."""
    rig = Rig(replace(PROFILE, spots=((512, 64),) * 5))
    try:
        error = rig.fault()
        assert error.fault is DeviceFault.UNREADABLE
        assert "113 spots, its profile 5" in str(error)
    finally:
        rig.table.close()


def test_no_table_is_told(rig: Rig) -> None:
    """Nothing is plugged in."""
    rig.port.is_plugged = False

    assert rig.fault().fault is DeviceFault.NOT_FOUND


def test_a_bad_line_gives_the_same_picture() -> None:
    """0.3 % of bytes lost and flipped."""
    rig = Rig(faults=0.003)
    try:
        rig.arranger.lay(PICTURE)
        rig.see(PICTURE)
        changed = {**PICTURE, Place("box:0,1:0"): "white"}
        rig.arranger.lay(changed)
        rig.see(changed)
    finally:
        rig.table.close()


def test_health_names_what_is_wrong(rig: Rig) -> None:
    """A dead reader, an unclear spot, a foreign tag; frames and round trip."""
    rig.see(PICTURE)
    rig.table.show({Place("cell:0,1"): (255, 0, 0)})
    rig.board.break_reader(3)
    rig.board.set_spot(20, 1023)
    rig.board.set_tags(5, [b"\x04stranger"[:7]])
    wait_for(rig, lambda: rig.table.health.dead_readers)
    health = rig.table.health

    assert health.port == "virtual"
    assert health.dead_readers == ("1,0",)
    assert health.unclear_spots == (20,)
    assert list(health.foreign) == ["1,2"]
    assert health.firmware == "0.1.0"
    assert health.frames > 10
    assert health.round_trip_ms is not None
    assert len(rig.table.slot_values) == 260
    rig.table.raw_every_s = 0.5
    wait_for(rig, lambda: rig.table.raw_readings.get(20) == 1023)
    assert len(rig.table.raw_readings) == 113


def test_a_setup_can_be_walked_through_on_the_table(rig: Rig) -> None:
    """The empty table's rests, then a tag: looks come from the session."""
    rig.arranger.lay({})
    rig.table.raw_every_s = 0.2
    rig.see({Place("cell:0,1"): None})
    shape = rig.table.shape
    assert shape is not None
    assert (shape.spots, shape.has_readers, len(shape.sides)) == (113, True, 20)
    setup = SensorSetup(shape, players=["purple"], tiles={"mill": 2}, built_only=["mill"])
    wait_for(rig, lambda: (look := rig.table.look()) is not None and setup.see(look))
    setup.skip()
    assert setup.step is not None
    assert setup.step.kind == "tile"
    rig.arranger.lay({Place("cell:1,1"): "mill/built"})
    wait_for(rig, lambda: (look := rig.table.look()) is not None and setup.see(look))

    assert setup.profile.tags == {tag_value(uid_of("tile", "mill")): Tag("tile", "mill", "built")}
    assert setup.profile.spots == ((512, 64),) * 113


def test_a_recording_replays_to_the_same_table(tmp_path: Path) -> None:
    """Every byte was kept, with its time: the engine comes to the same picture."""
    frame_log = FrameLog(tmp_path / "frames.log")
    rig = Rig(faults=0.01, frame_log=frame_log)
    rig.arranger.lay(PICTURE)
    rig.see(PICTURE)
    rig.port.is_plugged = False
    rig.fault()
    rig.port.is_plugged = True
    rig.see(PICTURE)
    rig.table.close()
    frame_log.close()
    link, news = replay(read_log(tmp_path / "frames.log"))

    assert link.slots.values == list(rig.table.slot_values)
    assert link.counters.events == rig.table._link.counters.events
    assert news


class ScriptedPort:
    """A port that says the same thing again and again, and notes what is written to it."""

    name = "ttyX"

    def __init__(self, text: bytes, clock: list[float]) -> None:
        self.text = text
        self.written = b""
        self._clock = clock

    def read(self) -> bytes:
        """Return the text; time passes."""
        self._clock[0] += 0.05
        return self.text

    def write(self, data: bytes) -> None:
        """Note the bytes."""
        self.written += data

    def close(self) -> None:
        """Nothing to close."""


def first_fault(text: bytes) -> tuple[DeviceError, ScriptedPort]:
    """Return the fault that a device that says this leads to."""
    clock = [0.0]
    port = ScriptedPort(text, clock)
    table = SensorTable(PROFILE, port="ttyX", opener=lambda _: port, clock=lambda: clock[0])
    with pytest.raises(DeviceError) as caught:
        next(table.observations())
    table.close()
    return caught.value, port


@pytest.mark.parametrize("text", [b"", b"$GPGGA,123519,N*47\r\n", b"\x00\xff\x00", b"M105\n"])
def test_other_devices_are_not_written_to(text: bytes) -> None:
    """A silent port, a GPS, rubbish, a printer: called what it is, never written to."""
    error, port = first_fault(text)

    assert error.fault is DeviceFault.WRONG_FIRMWARE
    assert "ttyX" in str(error)
    assert port.written == b""


@pytest.mark.parametrize(("major", "word"), [(2, "program"), (0, "firmware")])
def test_another_version_is_named(major: int, word: str) -> None:
    """Both versions, and which side to update; nothing is written."""
    hello = Hello(major, 4, (9, 9, 9), 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1)
    error, port = first_fault(b"\x00" + encode(WireFrame(Type.HELLO, 0, messages.format_hello(hello))))

    assert error.fault is DeviceFault.WRONG_VERSION
    assert f"version {major}.4, this program 1.0: update the {word}" in str(error)
    assert port.written == b""


def test_a_stalled_board_is_told_and_its_port_opened_anew() -> None:
    """The port is open, but nothing comes any more: told once, tried again and again, well in the end."""
    rig = Rig()
    rig.arranger.lay(PICTURE)
    rig.see(PICTURE)
    hearing, rig.port._up = rig.port._up, NoisyLine(1.0, 1)
    heard_s = rig.port.clock()
    seen = [heard_s]
    with pytest.raises(DeviceError) as caught:
        seen.extend(observation.seen_at_s for observation in rig.observations)
    assert caught.value.fault is DeviceFault.STALLED
    assert max(seen) < heard_s + 1.0
    rig.observations = rig.table.observations()
    for _ in range(1000):
        if len(rig.opened) >= 3:
            break
        time.sleep(0.01)
    rig.port._up = hearing
    rig.see(PICTURE)
    rig.table.close()

    assert len(rig.opened) >= 3


def test_the_thread_outlives_what_nobody_foresaw(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, logged_warnings: WarningCollector
) -> None:
    """It is told as a fault, and tried again: no game waits for ever for a thread that is no more."""
    rig.see(PICTURE)
    read = SlotReader.read

    def broken(*_: object, **__: object) -> Observation:
        monkeypatch.setattr(SlotReader, "read", read)
        raise IndexError("list index out of range")

    monkeypatch.setattr(SlotReader, "read", broken)
    error = rig.fault()
    rig.see(PICTURE)

    assert error.fault is DeviceFault.UNREADABLE
    assert "trying again" in str(error)
    assert logged_warnings.take() == ["unforeseen in the talk with the sensor table"]


def test_closing_ends_the_iteration(rig: Rig) -> None:
    """Also of somebody who waits."""
    ended = threading.Event()

    def look() -> None:
        for _ in rig.observations:
            pass
        ended.set()

    looker = threading.Thread(target=look)
    looker.start()
    rig.table.close()
    rig.table.close()
    looker.join(WAIT_S)

    assert ended.is_set()


@pytest.mark.skipif("MOONTABLE_SERIAL" not in os.environ, reason="no board named in MOONTABLE_SERIAL")
def test_a_real_board_is_read() -> None:
    """The same session on hardware, for those who have some: MOONTABLE_SERIAL=/dev/ttyACM0."""
    table = SensorTable(SensorProfile(), port=os.environ["MOONTABLE_SERIAL"])
    seen = next(table.observations())
    table.show({Place("cell:0,1"): (255, 0, 0)})
    later = next(table.observations())
    table.close()

    assert later.seq > seen.seq
    assert table.health.bad == 0
