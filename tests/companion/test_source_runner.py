"""Going through a source and beginning again: alone, and in a thread that can be stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from companion.errors import DeviceError, DeviceFault
from companion.source_runner import SourceRunner, resumed
from tests.helpers.logfail import WarningCollector

WAIT_S = 10.0
GONE = DeviceError("gone", DeviceFault.UNPLUGGED)


def turns(*scripts: tuple[int, Exception | None]) -> Callable[[], Iterator[int]]:
    """Return a source that yields so many numbers in each turn, and then fails or ends."""
    left = iter(scripts)
    numbers = iter(range(1, 1000))

    def begin() -> Iterator[int]:
        count, error = next(left)
        for _ in range(count):
            yield next(numbers)
        if error is not None:
            raise error

    return begin


def test_a_source_is_begun_again_until_its_end() -> None:
    """Each failure is told with how many there were since anything came, and waited for as is said."""
    told: list[int] = []
    waited: list[float] = []

    def lost(_error: Exception, running: int) -> float:
        told.append(running)
        return running / 2

    source = turns((2, GONE), (0, GONE), (0, GONE), (1, GONE), (1, None))

    assert [1, 2, 3, 4] == list(resumed(source, lost, wait=waited.append))
    assert [1, 2, 3, 1] == told
    assert [0.5, 1.0, 1.5, 0.5] == waited


def test_who_hears_of_a_failure_may_give_up() -> None:
    """What he raises ends it; an error that is none of the world's passes anyway."""

    def give_up(error: Exception, _running: int) -> float:
        raise error

    for error in (GONE, ZeroDivisionError()):
        begun = resumed(turns((1, error)), give_up, wait=lambda _: None)
        assert next(begun) == 1
        with pytest.raises(type(error)):
            next(begun)


class Heard:
    """A runner over a scripted source and what it told, in order."""

    def __init__(self, begin: Callable[[], Iterator[int]], refused: int | None = None) -> None:
        self.told: list[object] = []
        self.ended = threading.Event()
        self.refused = refused
        self.runner = SourceRunner(
            "scripted", begin, self._take, lost=self._lost, found=self._found, ended=self._end
        )

    def _take(self, item: int) -> None:
        self.told.append(item)
        if item == self.refused:
            raise ZeroDivisionError

    def _lost(self, error: Exception, running: int) -> float:
        self.told.append((type(error), running))
        return 0.0

    def _found(self) -> None:
        self.told.append("found")

    def _end(self) -> None:
        self.told.append(threading.current_thread().name)
        self.ended.set()


def test_a_runner_tells_what_comes_goes_and_comes_back() -> None:
    """In the order in which it happens, in a thread that bears the source's name."""
    heard = Heard(turns((2, GONE), (0, GONE), (1, None)))
    heard.runner.start()

    assert heard.ended.wait(WAIT_S)
    assert [1, 2, (DeviceError, 1), (DeviceError, 2), "found", 3, "scripted"] == heard.told
    assert heard.runner.stop()


def test_a_bug_ends_no_thread() -> None:
    """Neither one in the source nor one in what is done with what came."""
    heard = Heard(turns((1, KeyError()), (2, None), (1, None)), refused=2)
    heard.runner.start()

    assert heard.ended.wait(WAIT_S)
    assert [1, (KeyError, 1), "found", 2, (ZeroDivisionError, 2), "found", 3, "scripted"] == heard.told


def test_stopping_ends_a_wait_and_tells_nothing_more() -> None:
    """However long the next try would be away; what fails because it was stopped is no failure."""
    is_lost = threading.Event()

    def lost(_error: Exception, _running: int) -> float:
        is_lost.set()
        return 1e6

    runner = SourceRunner("far", turns((0, GONE)), lambda _: None, lost=lost)
    runner.start()
    assert is_lost.wait(WAIT_S)

    assert runner.stop()
    assert runner.stop()
    assert not runner.is_alive


def test_stopping_releases_the_source_first() -> None:
    """So that a read that blocks comes to its end; its error is not told."""
    released, begun = threading.Event(), threading.Event()
    told: list[Exception] = []

    def blocking() -> Iterator[int]:
        begun.set()
        assert released.wait(WAIT_S)
        raise GONE
        yield 1

    runner = SourceRunner(
        "blocked", blocking, lambda _: None, lost=lambda error, _: told.append(error) or 0.0
    )
    runner.start()
    assert begun.wait(WAIT_S)

    assert runner.stop(released.set)
    assert [] == told


def test_a_runner_that_was_stopped_before_it_began_never_begins() -> None:
    """Nor does one that was started twice begin twice."""
    early, twice = Heard(turns((1, None))), Heard(turns((1, None)))
    early.runner.stop()
    early.runner.start()
    twice.runner.start()
    twice.runner.start()

    assert twice.ended.wait(WAIT_S)
    assert [1, "scripted"] == twice.told
    assert [] == early.told


def test_a_driver_that_hangs_is_left_to_itself(logged_warnings: WarningCollector) -> None:
    """Stopping says that it did not end."""
    let_go, begun = threading.Event(), threading.Event()

    def hanging() -> Iterator[int]:
        begun.set()
        let_go.wait(WAIT_S)
        return
        yield 1

    runner = SourceRunner("hanging", hanging, lambda _: None)
    runner.start()
    assert begun.wait(WAIT_S)

    assert not runner.stop(timeout_s=0.01)
    assert len(logged_warnings.take()) == 1
    let_go.set()
    assert runner.stop()


def test_a_runner_may_be_stopped_by_what_it_hands_on() -> None:
    """It does not wait for itself."""
    taken: list[int] = []

    def take(item: int) -> None:
        taken.append(item)
        runner.stop()

    runner = SourceRunner("self", turns((5, None)), take)
    runner.start()

    assert runner.stop()
    assert taken in ([], [1])
