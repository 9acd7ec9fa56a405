"""Several sources as one: what any of them sees is passed on, and one that fails stops nobody."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator

import pytest

from companion.errors import DeviceError, DeviceFault
from companion.observation import Observation
from companion.session.merged import MergedSource
from tests.helpers.logfail import WarningCollector
from tests.helpers.patience import WAIT_S


class Scripted:
    """A source that does as its script says when it is iterated: so many looks, then a fault or its end."""

    def __init__(self, name: str, *turns: tuple[int, bool]) -> None:
        self.name = name
        self._turns = iter(turns)
        self._seq = itertools.count(1)
        self.is_closed = threading.Event()

    def observations(self) -> Iterator[Observation]:
        """Yield as many as this turn has; raises DeviceError where it is one that fails."""
        looks, fails = next(self._turns)
        for _ in range(looks):
            yield Observation(source=self.name, seq=next(self._seq), seen_at_s=0.0)
        if fails:
            raise DeviceError(f"{self.name} is gone", DeviceFault.UNPLUGGED)

    def close(self) -> None:
        """Note it."""
        self.is_closed.set()


class Endless(Scripted):
    """A source that looks for ever."""

    def observations(self) -> Iterator[Observation]:
        """Yield until it is closed."""
        while not self.is_closed.is_set():
            yield Observation(source=self.name, seq=next(self._seq), seen_at_s=0.0)


@pytest.fixture
def merged() -> Iterator[Callable[..., MergedSource]]:
    """Makes merged sources that are tried again at once, and closes them."""
    made: list[MergedSource] = []

    def make(*sources: Scripted) -> MergedSource:
        made.append(MergedSource(sources, retry_s=0.0))
        return made[-1]

    yield make
    for each in made:
        each.close()


def seen(source: MergedSource) -> list[tuple[str, int]]:
    """Return all that is yet to be seen, by source and number."""
    return [(each.source, each.seq) for each in source.observations()]


def test_all_that_any_source_sees_comes_in_its_order(merged: Callable[..., MergedSource]) -> None:
    """And the whole ends with the last of them."""
    both = merged(Scripted("camera", (30, False)), Scripted("sensors", (50, False)))
    told = seen(both)

    assert [seq for name, seq in told if name == "camera"] == list(range(1, 31))
    assert [seq for name, seq in told if name == "sensors"] == list(range(1, 51))
    assert both.name == "camera and sensors"


def test_one_that_fails_is_tried_again_while_the_other_goes_on(
    merged: Callable[..., MergedSource], logged_warnings: WarningCollector
) -> None:
    """Nobody who listens hears of it but the log."""
    told = iter(
        merged(Scripted("camera", (3, True), (0, True), (2, False)), Endless("sensors")).observations()
    )
    cameras = [next(each for each in told if each.source == "camera").seq for _ in range(5)]

    assert cameras == [1, 2, 3, 4, 5]
    assert any("camera is gone" in words for words in logged_warnings.take())


def test_when_all_have_failed_the_caller_hears_of_it(
    merged: Callable[..., MergedSource], logged_warnings: WarningCollector
) -> None:
    """And may go on where it was."""
    alone = merged(Scripted("camera", (1, True), (1, False)))
    told = alone.observations()
    first = next(told)
    with pytest.raises(DeviceError) as caught:
        next(told)

    assert caught.value.fault is DeviceFault.UNPLUGGED
    assert [first.seq, *(seq for _, seq in seen(alone))] == [1, 2]
    assert len(logged_warnings.take()) == 1


def test_an_error_that_nobody_foresaw_is_not_waited_with(merged: Callable[..., MergedSource]) -> None:
    """Whatever else still sees."""

    class Broken(Scripted):
        def observations(self) -> Iterator[Observation]:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        seen(merged(Endless("sensors"), Broken("camera")))


def test_closing_lets_go_of_all_of_them() -> None:
    """Also while somebody looks, and twice."""
    sources = (Endless("camera"), Endless("sensors"))
    both = MergedSource(sources)
    begun = threading.Event()

    def look() -> None:
        for _ in both.observations():
            begun.set()

    looker = threading.Thread(target=look)
    looker.start()
    assert begun.wait(WAIT_S)
    both.close()
    both.close()
    looker.join(WAIT_S)

    assert not looker.is_alive()
    assert all(source.is_closed.is_set() for source in sources)
