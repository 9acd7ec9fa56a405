"""The last resort: whatever goes wrong, it is told, it can be reported, and the game goes on."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PyQt6.QtCore import QObject, QThread, QTimer
from PyQt6.QtGui import QPaintEvent
from PyQt6.QtWidgets import QApplication, QFileDialog, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from companion.session.bug_report import read_report, replay
from companion.table import Place
from tests.helpers.imports import ROOT
from tests.helpers.logfail import WarningCollector
from tests.helpers.patience import WAIT_MS
from tests.helpers.toy_game import GAME
from tests.helpers.toy_play import HEADER
from tests.helpers.toy_session import ToyPresenter, toy_session
from ui.controller.bridge import ControllerBridge
from ui.dialogs.mishap_box import MishapBox, boxed_mishaps
from ui.main_window import MainWindow
from ui.mishaps import MOST, QUIET_S, Mishaps, last_resort
from ui.settings import Settings, write_settings
from ui.ties import tie
from ui.wizard.live import Live


class Clock:
    """A clock that is set by hand."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def fail(words: str = "seven") -> None:
    """Go wrong, always at the same line."""
    raise LookupError(words)


def caught(does: Callable[[], object]) -> Exception:
    """Return what goes wrong."""
    try:
        does()
    except Exception as error:
        return error
    pytest.fail("nothing went wrong")


def heard_of(mishaps: Mishaps) -> list[str]:
    """Return where everything that is told will be written down."""
    told: list[str] = []
    tie(mishaps.told, mishaps, told.append)
    return told


def test_the_same_error_is_told_again_only_after_a_while(
    qtbot: QtBot, logged_warnings: WarningCollector
) -> None:
    """It comes with every frame; it is told, and logged, once in a while, and counted every time."""
    clock = Clock()
    mishaps = Mishaps(clock=clock)
    told = heard_of(mishaps)
    for number in range(100):
        clock.now_s = number / 10
        mishaps.note(caught(lambda n=number: fail(f"number {n}")))  # type: ignore[misc]
    qtbot.waitUntil(lambda: len(told) == 1, timeout=WAIT_MS)
    assert told == ["Internal error: LookupError('number 0')"]
    clock.now_s += QUIET_S
    mishaps.note(caught(fail))
    qtbot.waitUntil(lambda: len(told) == 2, timeout=WAIT_MS)

    assert mishaps.as_text().startswith("101 x Traceback")
    assert 1 == mishaps.as_text().count("Traceback")
    assert "in fail\n    raise LookupError(words)\nLookupError: number 0" in mishaps.as_text()
    assert 2 == len(logged_warnings.take())


def test_a_report_does_not_tell_whose_machine_it_is(logged_warnings: WarningCollector) -> None:
    """Files of the product are named from its root, those of the player from his home."""
    mishaps = Mishaps()
    mishaps.note(caught(lambda: ToyPresenter().options(GAME.start(HEADER), Place("no:1"))))
    mishaps.note(caught((Path.home() / "no such folder" / "game").read_text))
    text = mishaps.as_text()

    assert 'File "tests/helpers/toy_session.py", line ' in text
    assert f"'~{os.sep}no such folder{os.sep}game'" in text
    assert str(ROOT) not in text
    assert str(Path.home()) not in text
    assert 2 == len(logged_warnings.take())


def test_neither_notice_nor_report_holds_a_password(qtbot: QtBot, logged_warnings: WarningCollector) -> None:
    """An error may quote a camera's address."""
    mishaps = Mishaps()
    told = heard_of(mishaps)
    mishaps.note(caught(lambda: fail("http://anna:s3cret@cam/video")))
    qtbot.waitUntil(lambda: bool(told), timeout=WAIT_MS)

    assert "http://cam/video" in told[0]
    for text in (*told, mishaps.as_text(), *logged_warnings.take()):
        assert "s3cret" not in text


def test_too_many_different_errors_are_one(qtbot: QtBot, logged_warnings: WarningCollector) -> None:
    """A report does not grow without end, nor is each of a thousand errors told."""
    mishaps = Mishaps(clock=Clock())
    told = heard_of(mishaps)
    for number in range(1000):
        mishaps.note(type(f"Error{number}", (Exception,), {})("x" * 10_000))
    qtbot.waitUntil(lambda: len(told) == MOST + 1, timeout=WAIT_MS)

    assert MOST + 1 == mishaps.as_text().count(" x ")
    assert f"{1000 - MOST} x " in mishaps.as_text()
    assert max(map(len, told)) < 200
    assert MOST + 1 == len(logged_warnings.take())


class Failing(QWidget):
    """Fails in whatever Qt calls it for."""

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        raise LookupError("painting")

    def fail(self) -> None:
        """Fail as a slot."""
        raise LookupError("slot")


class FailingThread(QThread):
    """Fails at once."""

    def run(self) -> None:
        raise LookupError("QThread")


def test_nothing_unforeseen_ends_the_program(qtbot: QtBot, logged_warnings: WarningCollector) -> None:
    """Slots, painting, timers, threads of Qt and of Python: all is told in the window's own thread."""
    before = sys.excepthook, threading.excepthook
    mishaps = Mishaps()
    told: list[str] = []
    threads: set[threading.Thread] = set()

    def note(why: str) -> None:
        told.append(why)
        threads.add(threading.current_thread())

    tie(mishaps.told, mishaps, note)
    widget, button = Failing(), QPushButton()
    qtbot.addWidget(widget)
    qtbot.addWidget(button)
    button.clicked.connect(widget.fail)
    life = QObject()
    timer = QTimer(life)
    timer.setSingleShot(True)
    tie(timer.timeout, life, lambda: {}["timer"])
    with last_resort(mishaps):
        button.click()
        widget.show()
        timer.start(0)
        of_qt = FailingThread()
        of_qt.start()
        of_python = threading.Thread(target=fail, args=("Thread",))
        of_python.start()
        of_python.join()
        assert of_qt.wait(WAIT_MS)
        qtbot.waitUntil(lambda: len(told) == 5, timeout=WAIT_MS)
        for _ in range(20):
            widget.repaint()

    assert (sys.excepthook, threading.excepthook) == before
    assert {threading.main_thread()} == threads
    assert all(
        any(word in why for why in told) for word in ("slot", "painting", "timer", "QThread", "Thread")
    )
    assert 5 == len(logged_warnings.take())


def test_what_goes_wrong_in_the_wizards_thread_is_told_twice(
    qtbot: QtBot, logged_warnings: WarningCollector
) -> None:
    """The page says that this did not work, and the last resort has the traceback."""

    def values() -> Iterator[object]:
        yield {}["a page"]

    mishaps = Mishaps()
    told = heard_of(mishaps)
    live = Live(values)
    with last_resort(mishaps):
        with qtbot.waitSignal(live.failed, timeout=WAIT_MS) as heard:
            live.start()
        assert live.wait(WAIT_MS)  # the page is told first, the last resort when the thread ends
    qtbot.waitUntil(lambda: len(told) == 1, timeout=WAIT_MS)

    assert "a page" in heard.args[0]
    assert "KeyError: 'a page'" in mishaps.as_text()
    assert 1 == len(logged_warnings.take())


# -- in the main window --------------------------------------------------------------------------------------


class Evening:
    """A window on a toy game, opened as by the program."""

    def __init__(self, folder: Path, qtbot: QtBot) -> None:
        self.session = toy_session(folder)
        self.window = MainWindow(ControllerBridge(self.session), folder, "Test")
        self.qtbot = qtbot
        qtbot.addWidget(self.window)
        self.window.show()
        self.window.bridge.start()
        qtbot.waitUntil(lambda: self.window.shown is not None, timeout=WAIT_MS)

    def notice(self) -> str:
        """Return what stands above everything, empty where nothing does."""
        return self.window.notice.text() if self.window.notice.isVisible() else ""

    def play(self, count: int) -> None:
        """Have the next action accepted and shown; it is number `count`."""
        self.window.bridge.enter(0)
        self.qtbot.waitUntil(
            lambda: self.window.shown is not None and len(self.window.shown.history) == count, timeout=WAIT_MS
        )


@pytest.fixture
def evening(tmp_path: Path, qtbot: QtBot) -> Iterator[Evening]:
    """An open window with the last resort in place."""
    made = Evening(tmp_path, qtbot)
    with last_resort(made.window.bridge.mishaps):
        yield made
        made.window.close()
    made.session.referee.journal.close()


def test_an_error_is_a_notice_and_a_report(
    evening: Evening,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    logged_warnings: WarningCollector,
) -> None:
    """It is told, the game goes on, the report has the traceback and plays again; then the notice goes."""
    window = evening.window
    with monkeypatch.context() as patched:
        patched.setattr(window.players, "show_view", lambda _view: fail("in a panel"))
        evening.play(1)
        evening.qtbot.waitUntil(lambda: "in a panel" in evening.notice(), timeout=WAIT_MS)
    assert "The game continues" in evening.notice()
    assert window.save_report_button.isVisible()
    evening.play(2)
    assert "in a panel" in evening.notice()

    file = tmp_path / "report.zip"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    window.save_report_button.click()
    evening.qtbot.waitUntil(file.exists, timeout=WAIT_MS)
    bundle = read_report(file)

    assert "in fail\n    raise LookupError(words)\nLookupError: in a panel" in bundle.errors
    assert 2 == len(bundle.actions)
    assert () == replay(bundle, GAME)
    assert "Saved" in evening.notice()
    assert not window.save_report_button.isVisible()
    assert ["unforeseen error thread=MainThread"] == logged_warnings.take()


def test_an_error_may_be_left_alone(evening: Evening, logged_warnings: WarningCollector) -> None:
    """Never mind: the notice goes, and the same error at once again does not bring it back."""
    window = evening.window
    for _ in range(3):
        window.bridge.mishaps.note(caught(fail))
    evening.qtbot.waitUntil(lambda: "seven" in evening.notice(), timeout=WAIT_MS)
    assert 1 == evening.notice().count("\n") + 1
    window.forget_button.click()
    window.bridge.mishaps.note(caught(fail))
    evening.play(1)

    assert "" == evening.notice()
    assert not window.forget_button.isVisible()
    assert 1 == len(logged_warnings.take())


def test_the_notice_speaks_another_language(evening: Evening, logged_warnings: WarningCollector) -> None:
    """It stands in the language that is chosen then."""
    evening.window.bridge.mishaps.note(caught(fail))
    evening.qtbot.waitUntil(lambda: "Internal error" in evening.notice(), timeout=WAIT_MS)
    evening.window.menus.languages.actions()[2].trigger()

    evening.qtbot.waitUntil(lambda: "seven" in evening.notice(), timeout=WAIT_MS)

    assert "Internal error" not in evening.notice()
    assert "continues" not in evening.notice()
    assert evening.window.save_report_button.isVisible()
    evening.window.menus.languages.actions()[1].trigger()
    logged_warnings.take()


def test_the_desk_reports_even_what_breaks_its_reports(
    evening: Evening,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    logged_warnings: WarningCollector,
) -> None:
    """Where the game itself cannot be put into the report, the tracebacks are there all the same."""
    bridge = evening.window.bridge
    monkeypatch.setattr(ToyPresenter, "entries", lambda _presenter, _state: fail("in the presenter"))
    monkeypatch.setattr(evening.session.referee, "evidence", lambda _number: fail("in the report"))
    with evening.qtbot.waitSignal(bridge.mishaps.told, timeout=WAIT_MS):
        bridge.report(evening.window.scene.focus_stops()[0].place, "lit")
    file = tmp_path / "report.zip"
    bridge.write_bug_report(file)
    evening.qtbot.waitUntil(file.exists, timeout=WAIT_MS)

    assert "in the presenter" in read_report(file).errors
    assert "in the report" in read_report(file).errors
    logged_warnings.take()


# The height of letters in a style sheet at scale 1.
USUAL_PX = 15


# -- without a game ------------------------------------------------------------------------------------------


def test_a_window_without_a_game_has_a_box(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, logged_warnings: WarningCollector
) -> None:
    """One box for two errors, and a report with both of them."""
    file = tmp_path / "report.zip"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    button = QPushButton()
    qtbot.addWidget(button)
    tie(button.clicked, button, fail)
    with boxed_mishaps(tmp_path):
        write_settings(tmp_path, Settings(scale=1.75))  # chosen while the window is open
        button.click()
        qtbot.waitUntil(lambda: "seven" in text_of(boxes()), timeout=WAIT_MS)
        tie(button.clicked, button, lambda: 1 // 0)
        button.click()
        qtbot.waitUntil(lambda: "ZeroDivisionError" in text_of(boxes()), timeout=WAIT_MS)
        assert 1.75 * USUAL_PX == pytest.approx(boxes()[0].fontInfo().pixelSize(), abs=1)
        save = next(one for one in boxes()[0].buttons() if "report" in one.text())
        save.click()
    errors = read_report(file).errors

    assert [] == boxes()
    assert "LookupError: seven" in errors
    assert "ZeroDivisionError" in errors
    assert 2 == len(logged_warnings.take())


def boxes() -> list[MishapBox]:
    """Return the boxes that are open."""
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, MishapBox) and one.isVisible()]


def text_of(open_boxes: list[MishapBox]) -> str:
    """Return what the one open box says, empty where there is none."""
    assert len(open_boxes) < 2
    return "".join(box.text() for box in open_boxes)


def test_a_report_that_cannot_be_written_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    """The box says so."""
    box = MishapBox(Mishaps(), tmp_path)
    qtbot.addWidget(box)
    box.save_report(tmp_path / "no" / "report.zip")

    assert "could not be written" in box.text()
    assert box.isVisible()


# -- in a process of its own, where nobody but the program stands between an error and its end -------------

BEGINNING = """
import sys, threading
from pathlib import Path
from PyQt6.QtCore import QThread, QTimer
from PyQt6.QtWidgets import QApplication
from tests.helpers.toy_session import toy_session
from ui.main_window import MainWindow
from ui.start import run

app = QApplication([])
session = toy_session(Path(sys.argv[1]))

def main_window():
    return next(one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow))
"""
END = """
QTimer.singleShot(300, work)
print("left", run(session, Path(sys.argv[1])).status)
session.referee.journal.close()
"""
ERRORS = """
class Failing(QThread):
    def run(self):
        raise LookupError("QThread")

def work():
    window = main_window()
    thread = Failing(window)
    thread.start()
    other = threading.Thread(target=lambda: 1 // 0)
    other.start()
    other.join()
    thread.wait()
    window.bridge.enter(0)
    window.bridge.enter(0)
    QTimer.singleShot(500, lambda: end(window))
    raise ValueError("slot")

def end(window):
    print(len(window.shown.history), window.notice.isVisible(), window.save_report_button.isVisible())
    errors = window.bridge.mishaps.as_text()
    print(*(word in errors for word in ("QThread", "ZeroDivisionError", "slot")))
    window.close()
"""
CTRL_C = """
def work():
    main_window().bridge.enter(0)
    QTimer.singleShot(60000, lambda: print("the window stayed open"))
    raise KeyboardInterrupt
"""


@pytest.mark.parametrize(
    ("middle", "told"),
    [(ERRORS, ["2 True True", "True True True", "left 0"]), (CTRL_C, ["left 0"])],
    ids=["errors", "ctrl-c"],
)
def test_the_program_itself_goes_on_or_leaves_well(tmp_path: Path, middle: str, told: list[str]) -> None:
    """Errors end nothing; Ctrl+C in the terminal is no error and closes the window."""
    done = subprocess.run(
        [sys.executable, "-c", BEGINNING + middle + END, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert told == done.stdout.splitlines()
    assert 0 == done.returncode
