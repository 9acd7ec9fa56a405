"""A sensor table in the window: menu, health page, and a game that goes on when its cable is pulled."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from companion.games.blue_moon_city import COMPONENTS, GAME
from companion.games.blue_moon_city.actions import Contribute
from companion.games.blue_moon_city.presenter import CityPresenter
from companion.sensor_health import CellHealth, HealthLine, HealthReport
from companion.session.highlights import light_up
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.table import Picture
from firmware_bridge.virtual import virtual_board
from tests.helpers.city_session import played_table
from tests.helpers.patience import WAIT_MS
from ui.assembly.played_sensors import LookingOn, SimulatedSensors
from ui.assembly.sensor_face import PicturedTable
from ui.assembly.sensor_table import debounce_rules
from ui.controller.bridge import ControllerBridge
from ui.controller.session import Session
from ui.main_window import MainWindow
from ui.panels.health_page import HealthPage
from ui.settings import Settings, read_settings

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals here")


class Home:
    """A game in its window, watched by a virtual board through a pseudo terminal."""

    def __init__(self, folder: Path, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.folder = folder
        self.game = played_table(60, seed=5)
        self.sensors = SimulatedSensors(felt(self.game.tables[0]), COMPONENTS, faults=0.0)
        referee = Referee(GAME, Journal.create(folder / "game", self.game.header), debounce_rules())
        light_up(referee, self.sensors.lamps)
        sights = PicturedTable(LookingOn(self.sensors), self.sensors.lamps)
        self.session = Session(
            referee=referee, presenter=CityPresenter(), sources=[sights], cable=self.sensors
        )
        self.bridge = ControllerBridge(self.session)
        self.window = MainWindow(self.bridge, folder, "Test")
        qtbot.addWidget(self.window)
        with qtbot.waitActive(self.window):
            self.window.show()
            self.window.activateWindow()
        self.bridge.start()
        self.wait(lambda: self.window.shown is not None)

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds."""
        self.qtbot.waitUntil(condition, timeout=WAIT_MS)

    def press(self, key: Qt.Key) -> None:
        """Press a key in the window."""
        self.qtbot.keyClick(self.window, key)

    def lay_contribution(self) -> None:
        """Let the table show the first contribution."""
        number = next(i for i, action in enumerate(self.game.actions, 1) if isinstance(action, Contribute))
        self.sensors.lay(felt(self.game.tables[number]))

    @property
    def history(self) -> int:
        """How many actions are listed."""
        return 0 if self.window.shown is None else len(self.window.shown.history)


def felt(picture: Picture) -> Picture:
    """Return what can be felt of a picture."""
    return {where: value for where, value in picture.items() if where != "discard"}


@pytest.fixture
def home(tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """A game about to begin."""
    monkeypatch.setattr(virtual_board, "find_compiler", lambda: None)
    made = Home(tmp_path, qtbot)
    yield made
    made.bridge.stop()
    made.session.referee.journal.close()


def test_a_box_just_taken_is_lit_dimmed_and_switched_off(home: Home) -> None:
    """From the table over the game to the board's lights; keys set how bright, and whether at all."""
    home.lay_contribution()
    home.wait(lambda: home.history > 0)
    home.wait(lambda: any(where.startswith("box:") for where in home.sensors.board.lit))
    before = max(max(colour) for colour in home.sensors.board.lit.values())
    for _ in range(3):
        home.press(Qt.Key.Key_BracketLeft)
    home.wait(lambda: 0 < max(max(colour) for colour in home.sensors.board.lit.values()) < before)
    home.press(Qt.Key.Key_L)
    home.wait(lambda: not home.sensors.board.lit)

    assert "off" in home.window.notice.text()
    assert read_settings(home.folder).table_light == pytest.approx(0.2)
    home.press(Qt.Key.Key_L)
    home.wait(lambda: bool(home.sensors.board.lit))


def test_where_the_figure_can_go_is_lit_on_request(home: Home) -> None:
    """N shows it, N again no longer."""
    state = home.session.referee.state
    wanted = set(GAME.reachable(state))
    home.press(Qt.Key.Key_N)
    home.wait(lambda: wanted <= set(home.sensors.board.lit))
    home.press(Qt.Key.Key_N)
    home.wait(lambda: not wanted & set(home.sensors.board.lit))

    assert wanted


def test_a_pulled_cable_is_a_calm_banner_and_the_game_goes_on(home: Home) -> None:
    """Put in again it turns up on another port; what was moved meanwhile is accepted."""
    home.wait(lambda: home.sensors.table.health.port is not None)
    first = home.sensors.table.health.port
    home.press(Qt.Key.Key_U)
    home.wait(lambda: "unplugged" in home.window.notice.text())
    words = home.window.notice.text()
    home.lay_contribution()
    home.press(Qt.Key.Key_U)
    home.wait(lambda: home.history > 0)
    home.wait(lambda: not home.window.notice.isVisible())
    home.wait(lambda: home.sensors.table.health.port not in (None, first))

    assert "The game continues" in words
    assert home.window.prompts.isEnabled()


def test_the_health_page_follows_the_table(home: Home) -> None:
    """A reader is cut off while the page is open."""
    home.press(Qt.Key.Key_H)
    page = home.window.menus.sensors.page
    assert page is not None
    home.wait(lambda: page.report is not None and len(page.report.cells) == 21)
    home.sensors.board.break_reader("2,1")
    home.wait(lambda: any("2,1" in line.value for line in bad_lines(page)))
    shown = [label.text() for label in page.findChildren(QLabel)]
    page.close()

    assert any("reader dead" in words for words in shown)


def bad_lines(page: HealthPage) -> list[HealthLine]:
    """Return what the page complains about."""
    return [] if page.report is None else [line for line in page.report.lines if line.is_bad]


class ScriptedFace:
    """A table that says what a test wants."""

    is_on = True
    brightness = 0.5

    def __init__(self) -> None:
        self.report = HealthReport(lines=(HealthLine(name="Round trip", value="7 ms"),))
        self.told: list[tuple[str, object]] = []

    def switch(self, on: bool) -> None:
        """Note it."""
        self.told.append(("switch", on))

    def dim(self, brightness: float) -> None:
        """Note it."""
        self.told.append(("dim", brightness))

    def mute(self, quiet: bool) -> None:
        """Note it."""
        self.told.append(("mute", quiet))

    def show_reach(self, on: bool) -> None:
        """Note it."""
        self.told.append(("reach", on))

    def health(self) -> HealthReport:
        """Return the report."""
        return self.report


def test_the_page_shows_lines_with_advice_and_cells_with_faults(qtbot: QtBot) -> None:
    """And its switches act on the table."""
    face = ScriptedFace()
    page = HealthPage(face, Settings())
    qtbot.addWidget(page)
    page.show()
    face.report = HealthReport(
        lines=(HealthLine(name="Dead readers", value="2,1", advice="3.3 V?"),),
        cells=(CellHealth(cell=(2, 1), words=("Mill, sketch",), faults=("reader dead",)),),
    )
    page.refresh()
    words = [label.text() for label in page.findChildren(QLabel)]
    page.brightness.setValue(20)
    page.lights.click()
    page.sound.click()

    assert {"⚠ Dead readers", "2,1", "3.3 V?", "⚠ reader dead\nMill, sketch"} <= set(words)
    assert face.told == [("dim", 0.2), ("switch", False), ("mute", True)]
