"""Live sources: newest frame wins, lost links are taken up again, stalls are said, nothing is left behind."""

from __future__ import annotations

import itertools
import queue
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from companion.errors import DeviceError, DeviceFault, MalformedError
from tests.helpers.logfail import WarningCollector
from vision.arrays import Image
from vision.capture.sources.live import LiveSource, Patience

_QUICK = Patience(stall_s=0.05, first_retry_s=0.25, longest_retry_s=1.0, farewell_s=5)


def _image(level: int) -> Image:
    return np.full((64, 64, 3), level, np.uint8)


class _Link:
    """A link that delivers what the test puts in; an exception in the queue is raised."""

    def __init__(self) -> None:
        self.given: queue.Queue[Image | Exception] = queue.Queue()
        self.taken = threading.Semaphore(0)
        self.closed = threading.Event()

    def read(self) -> tuple[Image, bytes | None]:
        self.taken.release()
        found = self.given.get(timeout=20)
        if isinstance(found, Exception):
            raise found
        return found, None

    def interrupt(self) -> None:
        self.given.put(DeviceError("interrupted", DeviceFault.UNPLUGGED))

    def close(self) -> None:
        self.closed.set()

    def properties(self) -> dict[str, float]:
        return {"width": 64.0}


def test_the_newest_frame_wins() -> None:
    """A slow reader gets the newest frame, not the next."""
    link, ticks = _Link(), itertools.count(100)
    source = LiveSource("test", lambda: link, clock=lambda: float(next(ticks)))
    frames = source.frames()
    link.given.put(_image(1))
    first = next(frames)
    for level in (2, 3, 4):
        link.given.put(_image(level))
    for _ in range(5):
        assert link.taken.acquire(timeout=10)
    second = next(frames)
    source.close()

    assert {"width": 64.0} == source.properties
    assert (1, 0, 100.0) == (first.image[0, 0, 0], first.seq, first.seen_at_s)
    assert (4, 3, 103.0) == (second.image[0, 0, 0], second.seq, second.seen_at_s)


def test_a_stall_is_said_and_survived() -> None:
    """When nothing comes DeviceError says so; iterating again goes on."""
    link = _Link()
    source = LiveSource("phone", lambda: link, patience=_QUICK)
    with pytest.raises(DeviceError, match="phone has sent no picture") as caught:
        next(source.frames())
    link.given.put(_image(9))
    frame = next(source.frames())
    source.close()

    assert DeviceFault.STALLED == caught.value.fault
    assert 9 == frame.image[0, 0, 0]


def test_a_lost_link_is_taken_up_again(logged_warnings: WarningCollector) -> None:
    """After the cable was pulled the frames go on, their numbers growing."""
    links = [_Link(), _Link()]
    links[0].given.put(_image(1))
    links[1].given.put(_image(2))
    opened = iter(links)
    source = LiveSource("test", lambda: next(opened), sleep=lambda _: None)
    frames = source.frames()
    first = next(frames)
    links[0].given.put(DeviceError("gone", DeviceFault.UNPLUGGED))
    second = next(frames)
    source.close()

    assert ["source lost name=test fault=gone"] == logged_warnings.take()
    assert [(1, 0), (2, 1)] == [(int(one.image[0, 0, 0]), one.seq) for one in (first, second)]
    assert links[0].closed.is_set()
    assert links[1].closed.is_set()


def test_pauses_grow_to_a_limit(logged_warnings: WarningCollector) -> None:
    """Attempts that fail are made less and less often, and the fault is told."""
    pauses: list[float] = []
    enough = threading.Event()

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 5:
            enough.set()
            source.close()

    def refuse() -> _Link:
        raise DeviceError("nobody there", DeviceFault.NOT_FOUND)

    source = LiveSource("test", refuse, patience=Patience(stall_s=0.02, longest_retry_s=1.0), sleep=sleep)
    list(_until_closed(source))
    assert enough.wait(10)

    assert 1 == len(logged_warnings.take())
    assert [0.25, 0.5, 1.0, 1.0, 1.0] == pauses[:5]


def _until_closed(source: LiveSource) -> Iterator[object]:
    """Iterate as a patient caller does: again after each DeviceError, until the source is closed."""
    for _ in range(1000):
        try:
            yield from source.frames()
        except DeviceError:
            continue
        return


def test_a_bad_picture_is_passed_over() -> None:
    """One torn picture in a stream does not cost the link."""
    link = _Link()
    source = LiveSource("test", lambda: link)
    link.given.put(MalformedError("torn"))
    link.given.put(_image(3))
    frame = next(source.frames())
    source.close()

    assert 3 == frame.image[0, 0, 0]


def test_only_bad_pictures_are_a_fault() -> None:
    """A stream of nothing but bad pictures says why nothing comes."""
    link = _Link()
    source = LiveSource("test", lambda: link, patience=_QUICK)
    link.given.put(MalformedError("the file is incomplete"))
    with pytest.raises(DeviceError, match="incomplete"):
        next(source.frames())
    source.close()


def test_a_driver_that_crashes_is_a_fault_not_an_end(logged_warnings: WarningCollector) -> None:
    """Any exception of a driver is logged, reported and followed by a new attempt."""
    links = [_Link(), _Link()]
    links[0].given.put(RuntimeError("driver bug"))
    links[1].given.put(_image(7))
    opened = iter(links)
    source = LiveSource("test", lambda: next(opened), sleep=lambda _: None)
    frame = next(source.frames())
    source.close()

    assert 7 == frame.image[0, 0, 0]
    assert any("source failed" in text for text in logged_warnings.take())


def test_closing_ends_a_waiting_reader() -> None:
    """`close` from another thread ends the iteration; twice does no harm."""
    source = LiveSource("test", _Link)
    ended = threading.Event()

    def watch() -> None:
        list(source.frames())
        ended.set()

    watcher = threading.Thread(target=watch)
    watcher.start()
    source.close()
    source.close()
    watcher.join(10)

    assert ended.is_set()
    assert [] == list(source.frames())
