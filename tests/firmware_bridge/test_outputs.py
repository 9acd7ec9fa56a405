"""Lights, buzzer and tuning: from wishes to the fewest commands, on the double in virtual time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calibration.sensors import SensorProfile
from companion.table import Place
from firmware_bridge.outputs import SETTLE_S, Outputs, Tuner
from firmware_bridge.virtual.double import DoubleBoard
from firmware_bridge.wire import messages
from firmware_bridge.wire.link import Link
from firmware_bridge.wire.messages import GeometryEntry, Kind
from firmware_bridge.wire.news import Finished
from tests.firmware_bridge.bench import Bench

CELL = Place("cell:0,1")


@pytest.fixture
def bench() -> Bench:
    """A bench on the double whose picture is whole."""
    made = Bench(DoubleBoard())
    assert made.run_until_whole(1000) is not None
    return made


def run(bench: Bench, outputs: Outputs, ms: int = 60) -> None:
    """Let the outputs do what is due, and time pass."""
    for _ in range(ms):
        told = len(bench.news)
        outputs.push(bench.link)
        bench.run(1)
        for item in bench.news[told:]:
            if isinstance(item, Finished):
                outputs.answered(item.ticket, bench.now_s)


def begun(bench: Bench, brightness: float = 1.0) -> Outputs:
    """Return the outputs of a table in session."""
    outputs = Outputs(brightness)
    outputs.begin(bench.link.geometry)
    return outputs


def test_brightness_and_the_switch_change_what_is_lit_at_once(bench: Bench) -> None:
    """Half as bright, off, on again: the wish itself stays."""
    outputs = begun(bench)
    outputs.show({CELL: (200, 100, 0)})
    run(bench, outputs)
    full = bench.board.lights[0]
    outputs.brightness = 0.5
    run(bench, outputs)
    half = bench.board.lights[0]
    outputs.is_on = False
    run(bench, outputs)
    dark = bench.board.lights[0]
    outputs.is_on = True
    run(bench, outputs)

    assert [full, half, dark] == [(200, 100, 0), (100, 50, 0), (0, 0, 0)]
    assert bench.board.lights[0] == half


def test_lights_are_changing_until_the_board_has_shown_them_and_a_moment_longer(bench: Bench) -> None:
    """So long a camera must not take what it sees for somebody's hand."""
    outputs = begun(bench)
    run(bench, outputs, 5)
    before = outputs.is_changing(bench.now_s)
    outputs.show({CELL: (200, 100, 0)})
    outputs.push(bench.link)
    sent = outputs.is_changing(bench.now_s)
    run(bench, outputs)
    shown_s = bench.now_s
    fading = outputs.is_changing(shown_s)

    assert (before, sent, fading) == (False, True, True)
    assert not outputs.is_changing(shown_s + SETTLE_S)


def test_a_command_of_a_dead_session_keeps_nobody_waiting(bench: Bench) -> None:
    """What was never answered is forgotten when the next session begins."""
    outputs = begun(bench)
    outputs.show({CELL: (200, 100, 0)})
    outputs.push(bench.link)
    outputs.begin(bench.link.geometry)

    assert not outputs.is_changing(bench.now_s)


def test_where_boxes_have_no_lights_their_cell_is_lit() -> None:
    """Unless the cell has a colour of its own."""
    entries = (GeometryEntry(Kind.CELL_LIGHT, 0, 1, 0, 1), GeometryEntry(Kind.CELL_LIGHT, 0, 2, 0, 1))
    outputs = Outputs(1.0)
    outputs.begin(entries)
    outputs.show({Place("box:0,1:2"): (9, 0, 0), Place("cell:0,2"): (0, 9, 0), Place("box:0,2:0"): (0, 0, 9)})

    assert outputs._colours() == [(9, 0, 0), (0, 9, 0)]


def test_switched_off_nothing_is_sounded(bench: Bench) -> None:
    """Beeps are no debt: what was not sounded in time never is."""
    outputs = begun(bench)
    outputs.is_on = False
    outputs.beep(440, 200)
    run(bench, outputs)
    outputs.is_on = True
    run(bench, outputs)
    silent = bench.board.buzzer_hz
    outputs.beep(440, 200)
    run(bench, outputs, 20)

    assert (silent, bench.board.buzzer_hz > 0) == (0, True)


def test_of_many_beeps_that_wait_the_newest_few_are_sounded() -> None:
    """A table that was unplugged for long does not play a tune."""
    outputs = Outputs(1.0)
    for hz in range(100, 120):
        outputs.beep(hz, 10)
    link = Link(lambda: 1)
    outputs.push(link)

    assert link.unanswered == 4


def test_a_board_is_tuned_until_it_says_that_it_is(bench: Bench) -> None:
    """Windows, every spot and the order to keep them, in as few frames as they fit."""
    profile = replace(SensorProfile(), spots=((500, 70),) * 113)
    tuner = Tuner(profile)
    assert not tuner.is_tuned(bench.link, 113)
    assert tuner.push(bench.link, 113, 0.0)
    assert bench.link.unanswered == 1 + 7 + 1
    assert not tuner.push(bench.link, 113, 0.1)
    bench.run(600)

    assert tuner.is_tuned(bench.link, 113)
    assert bench.link.config == messages.config_check(profile.windows, profile.spots)
