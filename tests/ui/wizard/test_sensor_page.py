"""The pages that set a sensor table up: with a scripted guide, and on a table in virtual time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from pytestqt.qtbot import QtBot

from companion.errors import DeviceError, DeviceFault
from tests.helpers.patience import WAIT_MS
from ui.settings import Settings
from ui.wizard.guide import GameChoice, ProfileChoice
from ui.wizard.sensor_guide import LessonView
from ui.wizard.sensor_page import LessonWindow, SensorPage

TWO = GameChoice(edition="kosmos-2006", players=("purple", "white"))
STEPS = ("Take everything off the table.", "Put one marker of purple on any box.", "Everything is learnt.")


class ScriptedGuide:
    """A guide with three steps; each is done when the test says so."""

    def __init__(self) -> None:
        self.at = 0
        self.fault: Exception | None = None
        self.kept: list[GameChoice] = []
        self._stop = threading.Event()

    def tables(self) -> tuple[tuple[str, str], ...]:
        """Return one table."""
        return (("sensors", "Look for the sensor table"),)

    def lesson(self, address: str, game: GameChoice) -> Iterator[LessonView]:
        """Yield the step that the test is at."""
        del address, game
        self._stop.clear()
        while not self._stop.wait(0.01):
            if self.fault is not None:
                raise self.fault
            at = self.at  # once: the test moves on between two looks
            yield LessonView(text=STEPS[at], done=at, steps=2, is_over=at == 2)
            if at == 2:
                return

    def skip(self) -> None:
        """Go on."""
        self.at += 1

    def back(self) -> None:
        """Go back."""
        self.at -= 1

    def keep(self, game: GameChoice) -> ProfileChoice:
        """Note it."""
        self.kept.append(game)
        return ProfileChoice(address="here", name="here", edition=game.edition, players=game.players)

    def close(self) -> None:
        """End the lesson."""
        self._stop.set()


@pytest.fixture
def guide() -> ScriptedGuide:
    """A guide at its first step."""
    return ScriptedGuide()


@pytest.fixture
def page(guide: ScriptedGuide, qtbot: QtBot) -> Iterator[SensorPage]:
    """The page, shown, for a game of two."""
    made = SensorPage(guide)
    qtbot.addWidget(made)
    made.game = TWO
    made.initializePage()
    made.show()
    yield made
    made.stop()


def wait(qtbot: QtBot, condition: Callable[[], bool]) -> None:
    """Wait until something holds."""
    qtbot.waitUntil(condition, timeout=WAIT_MS)


def test_steps_are_shown_left_out_and_repeated_until_all_is_kept(
    page: SensorPage, guide: ScriptedGuide, qtbot: QtBot
) -> None:
    """Then the wizard may go on."""
    assert not page.isComplete()
    page.begin_button.click()
    wait(qtbot, lambda: page.panel.task.text() == STEPS[0])
    page.panel.skip_button.click()
    wait(qtbot, lambda: page.panel.task.text() == STEPS[1])
    page.panel.back_button.click()
    wait(qtbot, lambda: page.panel.task.text() == STEPS[0])
    guide.at = 2
    wait(qtbot, page.isComplete)

    assert guide.kept == [TWO]
    assert page.learnt is not None
    assert page.panel.progress.value() == 2
    assert not page.panel.skip_button.isEnabled()


def test_a_fault_is_said_and_the_lesson_can_begin_again(
    page: SensorPage, guide: ScriptedGuide, qtbot: QtBot
) -> None:
    """In the words of the fault."""
    guide.fault = DeviceError("No sensor table was found: plug it in.", DeviceFault.NOT_FOUND)
    page.begin_button.click()
    wait(qtbot, lambda: "plug it in" in page.panel.missing.text())
    guide.fault = None
    page.begin_button.click()

    wait(qtbot, lambda: page.panel.task.text() == STEPS[0])


def test_the_window_says_whether_all_was_learnt(guide: ScriptedGuide, qtbot: QtBot) -> None:
    """Closing it before the end keeps what there is."""
    window = LessonWindow(
        lambda: guide.lesson("", TWO),
        skip=guide.skip,
        back=guide.back,
        close=guide.close,
        settings=Settings(),
    )
    qtbot.addWidget(window)
    window.show()
    wait(qtbot, lambda: window.panel.task.text() == STEPS[0])
    early = window.is_over
    guide.at = 2
    wait(qtbot, lambda: window.is_over)
    window.done_button.click()

    assert not early
    assert not window.panel.is_running
