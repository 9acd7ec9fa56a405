"""When the board said what it says: kept back by the line or a busy host, clocks that drift, wrap or stop."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.wire.board_clock import BoardClock

BEAT_MS = 50


@given(st.lists(st.floats(0, 0.2), min_size=1, max_size=60))
def test_nothing_is_sent_before_it_was_or_after_it_came(late_s: list[float]) -> None:
    """Whatever the line keeps back, as long as it keeps the order: never later than it came."""
    clock, came_s = BoardClock(), 0.0
    for beat, late in enumerate(late_s):
        came_s = max(came_s, beat * BEAT_MS / 1000 + late)
        sent_s = clock.take(beat * BEAT_MS, came_s)

        assert sent_s <= came_s + 1e-9
        assert sent_s >= beat * BEAT_MS / 1000 - 1e-9


@given(st.integers(20, 400), st.integers(0, 30))
def test_what_waited_while_the_host_was_busy_is_as_old_as_it_is(beats: int, read: int) -> None:
    """A host that stood still reads what has gathered, perhaps not all at once."""
    clock = BoardClock()
    for beat in range(40):
        clock.take(beat * BEAT_MS, beat * BEAT_MS / 1000)
    woke_s = (40 + beats) * BEAT_MS / 1000
    for beat in range(40, 40 + min(beats, read)):
        sent_s = clock.take(beat * BEAT_MS, woke_s)

        assert sent_s <= beat * BEAT_MS / 1000 + 0.02 * woke_s + 1e-9


@given(st.floats(-0.015, 0.015))
def test_a_clock_that_drifts_is_followed(drift: float) -> None:
    """As far as a board can be read at all: what comes at once is of now, also after minutes."""
    clock = BoardClock()
    for beat in range(4000):
        now_s = beat * BEAT_MS / 1000
        sent_s = clock.take(round(now_s * 1000 * (1 + drift)), now_s)
        if beat > 40:
            assert now_s - sent_s < 0.05


def test_a_clock_that_stood_still_is_believed_again_after_a_second() -> None:
    """Nobody keeps back what comes steadily."""
    clock = BoardClock()
    for beat in range(40):
        clock.take(beat * BEAT_MS, beat * BEAT_MS / 1000)
    ages = [
        (beat * BEAT_MS / 1000 + 3) - clock.take(beat * BEAT_MS, beat * BEAT_MS / 1000 + 3)
        for beat in range(40, 80)
    ]

    assert ages[0] > 2.9
    assert max(ages[25:]) < 0.05


def test_uptimes_wrap_after_49_days() -> None:
    """The millisecond after the last one is the next one, also for events that come late."""
    clock, last = BoardClock(), (1 << 32) - 1
    clock.take(last - 49, 10.0)

    assert abs(clock.take(0, 10.05) - 10.05) < 1e-6
    assert abs(clock.at_s(last) - 10.049) < 1e-6
