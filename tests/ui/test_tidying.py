"""Garbage is collected in the window's thread and in no other."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from tests.helpers.patience import WAIT_MS
from ui.tidying import Tidying


class Knot:
    """Something that only a search for garbage finds; says in which thread it was untied."""

    def __init__(self, untied: list[int]) -> None:
        self._untied = untied
        self.itself = self

    def __del__(self) -> None:
        self._untied.append(threading.get_ident())


@pytest.fixture(name="tidying")
def begun_tidying(qtbot: QtBot) -> Iterator[Tidying]:
    """One that has begun."""
    del qtbot
    made = Tidying()
    made.start()
    yield made
    made.stop()


def make_knots(untied: list[int], count: int) -> None:
    """Leave so many behind."""
    for _ in range(count):
        Knot(untied)


@pytest.mark.usefixtures("tidying")
def test_garbage_of_other_threads_waits_for_the_window(qtbot: QtBot) -> None:
    """However much a source's thread leaves behind, the window's thread takes it away."""
    untied: list[int] = []
    thread = threading.Thread(target=make_knots, args=(untied, 5000))
    thread.start()
    thread.join()
    assert [] == untied

    qtbot.waitUntil(lambda: len(untied) == 5000, timeout=WAIT_MS)
    assert {threading.get_ident()} == set(untied)


def test_nothing_due_is_nothing_done(tidying: Tidying) -> None:
    """Little garbage is left for later."""
    untied: list[int] = []
    gc.collect()
    make_knots(untied, 3)
    tidying.tidy()

    assert [] == untied


def test_afterwards_python_collects_again(tidying: Tidying) -> None:
    """Stopped, it leaves nothing switched off."""
    assert not gc.isenabled()
    tidying.stop()

    assert gc.isenabled()
    assert 0 == gc.get_freeze_count()
