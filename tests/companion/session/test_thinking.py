"""Thinking time: from the start of a turn to its actions, never negative, never a night."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.session.journal import Journal
from companion.session.ledger import GameLine, Played, read_game
from companion.session.referee import Referee
from companion.session.thinking import PAUSE_S, clock_text, thinking_times, thought_s
from tests.helpers.toy_game import GAME
from tests.helpers.toy_play import HEADER, lookup, played


def test_each_second_counts_for_whose_turn_it_is(tmp_path: Path) -> None:
    """The sums of all players are the time from the first action to the last; the journal says the same."""
    clock = iter(range(100, 10_000, 7))
    actions = played(1, 12)[0]
    file = tmp_path / "game.moontable"
    with Journal.create(file, HEADER, clock=lambda: float(next(clock))) as journal:
        referee = Referee(GAME, journal)
        for action in actions:
            referee.enter(action)
        line, times = referee.line, journal.times()
        told = {entry.number: entry.at_s for entry in journal.entries()}
        late = journal.times(len(journal) - 1)

    assert told == times
    assert {len(told): told[len(told)]} == late
    at = [times[one.entry] for one in line.played]
    sums = thinking_times(GAME, line, times)
    assert at[-1] - at[0] == sum(sums.values())
    assert {GAME.turn_of(line.state_after(number)) for number in range(1, len(line))} == set(sums)
    again = Journal.look(file, lambda kept: read_game(kept, lookup))[1].line
    assert sums == thinking_times(GAME, again, times)


def _line() -> GameLine[int, int]:
    """Return a game of twelve actions of nobody."""
    numbers = range(1, 13)
    return GameLine(
        start=0,
        played=tuple(
            Played(action=number, entry=number, by="table", after=number, turn=None, events=(), prompts=())
            for number in numbers
        ),
    )


@given(st.lists(st.floats(0, 1e10) | st.none(), min_size=12, max_size=12))
def test_odd_times_say_nothing(at: list[float | None]) -> None:
    """Whatever a journal says of its times: no action took less than nothing, or longer than a pause."""
    line = _line()
    times = {one.entry: when for one, when in zip(line.played, at, strict=False) if when is not None}
    told = thought_s(line, times)

    assert len(line) == len(told)
    assert told[0] is None
    assert all(one is None or 0 <= one <= PAUSE_S for one in told)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (59.9, "0:59"), (245, "4:05"), (3753, "1:02:33"), (36000, "10:00:00")]
)
def test_a_clock(seconds: float, text: str) -> None:
    """Hours only where there are any."""
    assert text == clock_text(seconds)
