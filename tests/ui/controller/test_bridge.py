"""The bridge: threads, signals, and sources that go away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from companion.errors import BugError
from companion.table import Place
from tests.helpers.leaks import running_threads
from tests.helpers.logfail import WarningCollector
from tests.helpers.patience import WAIT_MS
from tests.helpers.toy_session import ScriptedSource, ToyPresenter, sight_of, toy_session
from ui.controller.bridge import ControllerBridge
from ui.controller.session import PicturedObservation, Session
from ui.controller.view_state import ViewState


class Watched:
    """A running bridge on a toy game with one scripted source, and what it last said."""

    def __init__(self, folder: Path, qtbot: QtBot) -> None:
        self.source = ScriptedSource()
        self.session: Session = toy_session(folder, self.source)
        self.bridge = ControllerBridge(self.session)
        self.shown: list[ViewState] = []
        self.bridge.changed.connect(self.shown.append)
        self._qtbot = qtbot
        self._seq = 0

    def see(self, changes: dict[str, str | None] | None = None, count: int = 4) -> None:
        """Let the source show the table, with changes."""
        start = self.session.referee.line.start
        self.source.show(sight_of(start, self._seq + i, changes) for i in range(count))
        self._seq += count

    def wait_for_history(self, count: int) -> None:
        """Wait until so many actions are shown."""
        self._qtbot.waitUntil(
            lambda: bool(self.shown) and len(self.shown[-1].history) == count, timeout=WAIT_MS
        )


@pytest.fixture
def watched(tmp_path: Path, qtbot: QtBot) -> Iterator[Watched]:
    """A bridge that is stopped after the test."""
    made = Watched(tmp_path, qtbot)
    made.bridge.start()
    yield made
    made.bridge.stop()
    made.session.referee.journal.close()


def test_the_first_moment_is_shown_at_once(watched: Watched, qtbot: QtBot) -> None:
    """Before anything is seen the window has a table to show."""
    qtbot.waitUntil(lambda: bool(watched.shown), timeout=WAIT_MS)

    assert "Lamps" == watched.shown[0].table.title


def test_what_is_seen_becomes_an_action(watched: Watched) -> None:
    """Frames flow through the controller into the history."""
    watched.see()
    watched.see({"figure:ann": "1"})
    watched.wait_for_history(1)


def test_a_source_may_go_and_come_back_twice(watched: Watched, qtbot: QtBot) -> None:
    """Pulling the cable is told once each time, the game goes on when the source is back."""
    told: list[str] = []
    watched.bridge.lost.connect(lambda name, why: told.append(f"lost {name} {why}"))
    watched.bridge.found.connect(lambda name: told.append(f"found {name}"))
    watched.see()
    for round_number in (1, 2):
        with qtbot.waitSignal(watched.bridge.lost, timeout=WAIT_MS):
            watched.source.unplug()
        with qtbot.waitSignal(watched.bridge.found, timeout=WAIT_MS):
            watched.source.plug()
            watched.see()
        if round_number == 2:
            watched.see({"figure:ann": "1"})
    watched.wait_for_history(1)

    assert 2 * ["lost cam The cable was pulled.", "found cam"] == told


def test_a_refused_wish_is_told_in_words(watched: Watched, qtbot: QtBot) -> None:
    """Undo with nothing to undo changes nothing and says so."""
    with qtbot.waitSignal(watched.bridge.refused, timeout=WAIT_MS) as heard:
        watched.bridge.undo()

    assert "nothing to undo" in heard.args[0]


def test_pictures_wait_until_the_last_was_shown(watched: Watched, qtbot: QtBot) -> None:
    """A window that does not keep up gets no queue of pictures."""
    pictures: list[object] = []
    watched.bridge.pictured.connect(pictures.append)
    watched.see(count=20)
    watched.see({"figure:ann": "1"})
    watched.wait_for_history(1)

    assert 1 == len(pictures)

    watched.bridge.picture_taken()
    watched.see(count=1)
    qtbot.waitUntil(lambda: len(pictures) == 2, timeout=WAIT_MS)


def test_paused_nothing_is_watched(watched: Watched, qtbot: QtBot) -> None:
    """While paused the pictures go on but the game does not; going on picks the table up."""
    watched.bridge.toggle_pause()
    watched.bridge.picture_taken()
    with qtbot.waitSignal(watched.bridge.pictured, timeout=WAIT_MS):
        watched.see({"figure:ann": "1"}, count=8)
    watched.bridge.toggle_pause()
    watched.see({"figure:ann": "1"})
    watched.wait_for_history(1)


def test_wishes_by_hand(watched: Watched) -> None:
    """Reporting, undo and redo go through the controller's thread one after the other."""
    watched.bridge.report(Place("figure:ann"), "1")
    watched.wait_for_history(1)
    watched.bridge.undo()
    watched.wait_for_history(0)
    watched.bridge.redo()
    watched.wait_for_history(1)


def test_stopping_twice_is_no_error(watched: Watched) -> None:
    """The window stops the bridge when it closes, which ends its threads, and again at the end."""
    others = running_threads()
    watched.bridge.stop()
    left = running_threads()
    watched.bridge.stop()

    assert left < others
    assert running_threads() == left


def test_a_bug_in_a_source_is_told_and_logged(
    tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, logged_warnings: WarningCollector
) -> None:
    """A source that fails in an unforeseen way is lost like one whose cable was pulled."""
    source = ScriptedSource()
    session = toy_session(tmp_path, source)

    def broken() -> Iterator[PicturedObservation]:
        raise ZeroDivisionError("unforeseen")

    monkeypatch.setattr(source, "pictured", broken)
    bridge = ControllerBridge(session)
    with qtbot.waitSignal(bridge.lost, timeout=WAIT_MS) as heard:
        bridge.start()
    bridge.stop()
    session.referee.journal.close()

    assert "unforeseen" in heard.args[1]
    assert "ZeroDivisionError: unforeseen" in bridge.mishaps.as_text()
    assert ["unforeseen error thread=cam"] == logged_warnings.take()


def test_a_bug_at_the_desk_is_told_and_logged(
    watched: Watched, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, logged_warnings: WarningCollector
) -> None:
    """A wish that fails in an unforeseen way is told in words, and the next one is granted."""
    monkeypatch.setattr(watched.session.referee, "redo", lambda: 1 // 0)
    with qtbot.waitSignal(watched.bridge.mishaps.told, timeout=WAIT_MS) as heard:
        watched.bridge.redo()
    watched.bridge.report(Place("figure:ann"), "1")
    watched.wait_for_history(1)

    assert "ZeroDivisionError" in heard.args[0]
    assert ["unforeseen error thread=controller"] == logged_warnings.take()


def test_a_bug_in_what_is_shown_does_not_end_the_desk(
    watched: Watched, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, logged_warnings: WarningCollector
) -> None:
    """A moment that cannot be shown is told of once, and the next that can be is shown."""
    qtbot.waitUntil(lambda: bool(watched.shown), timeout=WAIT_MS)
    with monkeypatch.context() as patched:
        patched.setattr(ToyPresenter, "hint", lambda _presenter, _state: {}["no hint"])
        with qtbot.waitSignal(watched.bridge.mishaps.told, timeout=WAIT_MS) as heard:
            watched.bridge.report(Place("figure:ann"), "1")
            watched.bridge.undo()
            watched.bridge.redo()
        watched.bridge.report(Place("figure:ben"), "3")
        qtbot.waitUntil(lambda: watched.session.referee.number == 2, timeout=WAIT_MS)
    watched.bridge.undo()
    watched.wait_for_history(1)

    assert "no hint" in heard.args[0]
    assert ["unforeseen error thread=controller"] == logged_warnings.take()


def test_our_own_fault_is_no_refusal(
    watched: Watched, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, logged_warnings: WarningCollector
) -> None:
    """A state that breaks an invariant is told like any other error that nobody foresaw."""

    def broken() -> None:
        raise BugError("eight dragons")

    monkeypatch.setattr(watched.session.referee, "redo", broken)
    with qtbot.waitSignal(watched.bridge.mishaps.told, timeout=WAIT_MS) as heard:
        watched.bridge.redo()

    assert "eight dragons" in heard.args[0]
    assert ["unforeseen error thread=controller"] == logged_warnings.take()
