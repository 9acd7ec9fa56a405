"""The host's bookkeeping of slots: order, gaps, snapshots that overtake events, numbers that wrap."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.wire.messages import UNCLEAR, Change, mix
from firmware_bridge.wire.slots import SlotTable, ahead_by


def full(values: list[int], expected: int = 0) -> SlotTable:
    """Return a table that knows all its slots."""
    table = SlotTable()
    table.start(len(values), expected)
    assert table.take_snapshot(expected, 0, tuple(values))
    assert table.is_whole
    return table


def test_distances_wrap() -> None:
    """Numbers are compared modulo 65,536."""
    assert [ahead_by(1, 0xFFFF), ahead_by(0xFFFF, 1), ahead_by(5, 5)] == [2, -2, 0]


def test_everything_is_unclear_at_first() -> None:
    """Unknown is not empty."""
    table = SlotTable()
    table.start(3, 7)

    assert table.values == [UNCLEAR] * 3
    assert not table.is_whole
    assert table.missing_span() == (0, 3)


def test_a_snapshot_in_parts_fills_the_gaps() -> None:
    """What is still missing is known."""
    table = SlotTable()
    table.start(6, 0)
    table.take_snapshot(0, 0, (1, 1))
    table.take_snapshot(0, 4, (1, 1))
    assert table.missing_span() == (2, 2)
    table.take_snapshot(0, 2, (0, 0))

    assert table.is_whole
    assert table.values == [1, 1, 0, 0, 1, 1]


def test_a_stale_snapshot_is_not_believed() -> None:
    """One from before the last event undoes nothing."""
    table = full([0, 0])
    table.take_event(Change(0, 1, 5))

    assert not table.take_snapshot(0, 0, (0, 0))
    assert table.values == [0, 5]


def test_events_from_before_a_snapshot_do_not_touch_its_slots() -> None:
    """The snapshot overtook them."""
    table = full([0, 0], 10)
    table.take_snapshot(12, 0, (7,))
    assert not table.is_whole
    table.take_event(Change(0, 0, 3))
    table.take_event(Change(0, 1, 4))

    assert table.is_whole
    assert table.values == [7, 4]
    table.take_event(Change(0, 0, 9))
    assert table.values == [9, 4]


def test_a_gap_puts_everything_in_doubt() -> None:
    """After lost events a snapshot is needed, not older than they."""
    table = full([0, 0], 10)
    table.jump(20)

    assert not table.is_whole
    assert not table.take_snapshot(15, 0, (1, 1))
    assert table.take_snapshot(20, 0, (2, 2))
    assert table.is_whole


def test_slots_that_do_not_exist_are_passed_over() -> None:
    """A damaged number harms nothing."""
    table = full([0])
    table.take_event(Change(0, 99, 1))

    assert table.values == [0]
    assert not table.take_snapshot(1, 0, (1, 1))


def test_numbers_may_wrap_many_times() -> None:
    """A slot that rested for 70,000 events takes the next one all the same."""
    table = full([0, 0])
    table.take_snapshot(3, 0, (1,))
    for number in range(70_000):
        table.take_event(Change(0, 1, number % 7))
    assert table.is_whole
    table.take_event(Change(0, 0, 6))

    assert table.values[0] == 6


@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=40), st.integers(0, 65535), st.data()
)
def test_any_order_of_news_ends_in_the_truth(
    changes: list[tuple[int, int]], start: int, data: st.DataObject
) -> None:
    """Events in order and snapshots of any part, none older than the next event: always the truth."""
    board = [0] * 5
    history = [list(board)]
    for slot, value in changes:
        board[slot] = value
        history.append(list(board))
    table = full([0] * 5, start)
    taken = 0
    while taken < len(changes) or not table.is_whole:
        if data.draw(st.booleans()) or taken == len(changes):
            as_of = data.draw(st.integers(taken, len(changes)))
            first = data.draw(st.integers(0, 4))
            part = history[as_of][first : data.draw(st.integers(first + 1, 5))]
            table.take_snapshot(start + as_of & 0xFFFF, first, tuple(part))
        if taken < len(changes):
            table.take_event(Change(0, *changes[taken]))
            taken += 1

    assert table.values == history[-1]
    assert table.digest == sum(mix(s, v) for s, v in enumerate(table.values)) & 0xFFFF
