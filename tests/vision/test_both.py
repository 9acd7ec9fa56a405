"""Two threads make of many things what one makes of them."""

import threading
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision import both
from vision.both import each


@given(st.lists(st.integers()))
def test_the_order_is_that_of_the_things(things: Sequence[int]) -> None:
    """Whoever was quicker, each result stands where its thing stood."""
    assert each(lambda one: 2 * one, things) == [2 * one for one in things]


def test_two_work_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """With two cores, two things are worked on at the same time, and no thread is left behind."""
    monkeypatch.setattr(both, "_CORES", 2)
    met = threading.Barrier(2, timeout=10)
    before = threading.active_count()

    assert sorted(each(lambda _: met.wait(), "ab")) == [0, 1]
    assert threading.active_count() == before


@pytest.mark.parametrize("cores", [1, 2])
def test_what_goes_wrong_is_told(monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    """A failure in either thread is raised to who asked."""
    monkeypatch.setattr(both, "_CORES", cores)
    with pytest.raises(ZeroDivisionError):
        each(lambda one: 1 // one, [1, 2, 0, 3])
