"""Playing without a camera: from the wizard's first page into a game, out of it and into it again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PyQt6.QtCore import QPoint, Qt, QTimer
from PyQt6.QtWidgets import QApplication, QMenu, QPushButton, QWizard
from pytestqt.qtbot import QtBot

from companion.errors import MalformedError
from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.catalogue import CELLS, COURTYARD
from companion.session.journal import Journal
from companion.table import Place, place
from companion.view_model import Mark
from tests.helpers.patience import WAIT_MS
from tests.helpers.scripted_guide import HOME, TWO, ScriptedGuide
from ui.app import main
from ui.assembly.own_copy import read_setup
from ui.last_table import BY_HAND, LastTable, last_table, remember_table
from ui.main_window import MainWindow
from ui.onward import Left
from ui.painting.table_view import TableScene, TableTwin
from ui.wizard.guide import GameChoice
from ui.wizard.wizard import BY_HAND as BY_HAND_PAGE
from ui.wizard.wizard import CAMERA, SetupWizard
from ui.wizard.wizard import GAME as GAME_PAGE


def point(scene: TableScene, twin: TableTwin, where: Place) -> QPoint:
    """Return a point of a place on the twin, near its corner, where no piece stands."""
    area = scene.items_by_place()[where].sceneBoundingRect()
    share = 0.12 if where.startswith("cell:") else 0.5
    return twin.mapFromScene(area.topLeft() + (area.bottomRight() - area.topLeft()) * share)


def click(qtbot: QtBot, scene: TableScene, twin: TableTwin, where: Place) -> None:
    """Click a place on the twin."""
    viewport = twin.viewport()
    assert viewport is not None
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=point(scene, twin, where))


def press(qtbot: QtBot, wizard: SetupWizard, which: QWizard.WizardButton) -> None:
    """Press one of the wizard's own buttons."""
    button = wizard.button(which)
    assert button is not None
    qtbot.waitUntil(button.isEnabled, timeout=WAIT_MS)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.fixture
def wizard(qtbot: QtBot, tmp_path: Path) -> Iterator[SetupWizard]:
    """A wizard that finds no camera."""
    guide = ScriptedGuide()
    guide.plugged = ()
    made = SetupWizard(guide, tmp_path)
    qtbot.addWidget(made)
    made.show()
    yield made
    made.reject()


def at_the_city(wizard: SetupWizard, qtbot: QtBot) -> None:
    """Go to the page that shows how the city is to be laid out."""
    qtbot.mouseClick(wizard.camera_page.by_hand, Qt.MouseButton.LeftButton)
    assert GAME_PAGE == wizard.currentId()
    press(qtbot, wizard, QWizard.WizardButton.NextButton)
    assert BY_HAND_PAGE == wizard.currentId()


def layout(wizard: SetupWizard) -> dict[str, str]:
    """Return which tile is shown on which cell."""
    dealt = wizard.by_hand_page.dealt
    assert dealt is not None
    assert isinstance(dealt.start, dict)
    return {cell: str(tile) for cell, tile in dealt.start["layout"].items()}


def test_without_a_camera_a_game_is_set_up_by_hand(wizard: SetupWizard, qtbot: QtBot) -> None:
    """Edition, players and colours are chosen, the city is shown, and the game begins as it is shown."""
    assert "play by hand" in wizard.camera_page.notes.text()
    qtbot.mouseClick(wizard.camera_page.by_hand, Qt.MouseButton.LeftButton)
    wizard.game_page.choose("cmon-2019", ("black", "teal", "white"))
    press(qtbot, wizard, QWizard.WizardButton.NextButton)
    page = wizard.by_hand_page.table
    assert page.scene.view is not None
    shown = {f"{tile.cell[0]},{tile.cell[1]}": tile.tile for tile in page.scene.view.tiles}
    press(qtbot, wizard, QWizard.WizardButton.FinishButton)
    outcome = wizard.outcome

    assert outcome is not None
    assert ("", "") == (outcome.camera, outcome.profile)
    assert GameChoice(edition="cmon-2019", players=("black", "teal", "white")) == outcome.game
    assert isinstance(outcome.start, dict)
    assert shown == outcome.start["layout"]
    assert ("cmon-2019", "black") == (outcome.start["edition"], outcome.start["players"][0])
    assert GAME.start(outcome.start).figures == (CELLS.index("2,2"),) * 3


def test_two_clicks_swap_two_tiles(wizard: SetupWizard, qtbot: QtBot) -> None:
    """A city that lies already is shown as it lies; the tile taken up stands out and can be put back."""
    at_the_city(wizard, qtbot)
    page, before = wizard.by_hand_page.table, layout(wizard)
    one, other = place("cell", "0,1"), place("cell", "3,4")
    click(qtbot, page.scene, page.twin, one)
    assert {one: Mark.DUE} == dict(page.scene._marks)
    click(qtbot, page.scene, page.twin, other)
    swapped = layout(wizard)
    click(qtbot, page.scene, page.twin, one)
    click(qtbot, page.scene, page.twin, one)

    assert {**before, "0,1": before["3,4"], "3,4": before["0,1"]} == swapped
    assert swapped == layout(wizard)
    assert {} == dict(page.scene._marks)


def test_tiles_are_swapped_by_the_keyboard(wizard: SetupWizard, qtbot: QtBot) -> None:
    """Arrows go from tile to tile, Enter takes one up and swaps it."""
    at_the_city(wizard, qtbot)
    page, before = wizard.by_hand_page.table, layout(wizard)
    stops = {item.place: item for item in page.scene.focus_stops()}
    page.twin.setFocus()
    stops[place("cell", "0,1")].setFocus()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Return):
        qtbot.keyClick(page.twin, key)

    assert {**before, "0,1": before["0,2"], "0,2": before["0,1"]} == layout(wizard)
    assert BY_HAND_PAGE == wizard.currentId()


def test_the_courtyard_stays_in_the_middle(wizard: SetupWizard, qtbot: QtBot) -> None:
    """A city that no rules allow is refused in words; the one shown stays."""
    at_the_city(wizard, qtbot)
    page, before = wizard.by_hand_page.table, layout(wizard)
    click(qtbot, page.scene, page.twin, place("cell", "2,2"))
    click(qtbot, page.scene, page.twin, place("cell", "0,1"))

    assert page.notes.text().startswith("✗ ")
    assert before == layout(wizard)
    assert COURTYARD == before["2,2"]


def test_shuffling_shows_another_city(wizard: SetupWizard, qtbot: QtBot) -> None:
    """Another one each time, until one pleases."""
    at_the_city(wizard, qtbot)
    before = layout(wizard)
    qtbot.mouseClick(wizard.by_hand_page.table.shuffle, Qt.MouseButton.LeftButton)

    assert before != layout(wizard)


def test_going_back_leads_to_cameras_again(wizard: SetupWizard, qtbot: QtBot) -> None:
    """Who changes his mind is asked for a camera as at first."""
    at_the_city(wizard, qtbot)
    for _ in range(2):
        press(qtbot, wizard, QWizard.WizardButton.BackButton)
    button = wizard.button(QWizard.WizardButton.NextButton)

    assert CAMERA == wizard.currentId()
    assert button is not None
    assert not button.isEnabled()


def test_looking_again_finds_what_was_plugged_in(wizard: SetupWizard, qtbot: QtBot) -> None:
    """And a typed address is tried; a camera named in the list is not."""
    guide = wizard._guide
    assert isinstance(guide, ScriptedGuide)
    page = wizard.camera_page
    page.choice.setEditText("http://phone/video")
    qtbot.mouseClick(page.look_again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(page.isComplete, timeout=WAIT_MS)
    assert ["http://phone/video"] == guide.asked

    page.choice.setEditText("")
    guide.plugged = ScriptedGuide().plugged
    qtbot.mouseClick(page.look_again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: guide.asked[-1] == "camera:0", timeout=WAIT_MS)
    qtbot.waitUntil(page.isComplete, timeout=WAIT_MS)
    assert "camera:0" == page.address


def test_a_recording_serves_as_well(
    wizard: SetupWizard, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of pictures or a video, chosen in a dialog."""
    monkeypatch.setattr("ui.wizard.camera_page.QFileDialog.getExistingDirectory", lambda *_: "/pictures")
    menu = wizard.camera_page.recorded.menu()
    assert menu is not None
    menu.actions()[1].trigger()
    qtbot.waitUntil(wizard.camera_page.isComplete, timeout=WAIT_MS)

    assert "/pictures" == wizard.camera_page.address


def test_the_demo_is_a_way_out(wizard: SetupWizard, qtbot: QtBot) -> None:
    """It closes the wizard, which says so."""
    qtbot.mouseClick(wizard.camera_page.demo, Qt.MouseButton.LeftButton)

    assert not wizard.isVisible()
    assert (True, None) == (wizard.wants_demo, wizard.outcome)


def test_a_game_goes_on_by_hand(qtbot: QtBot, tmp_path: Path) -> None:
    """In mid-game one click leaves the camera; the demo is not offered there."""
    wizard = SetupWizard(ScriptedGuide((HOME,)), tmp_path, game=TWO)
    qtbot.addWidget(wizard)
    wizard.show()
    assert not wizard.camera_page.demo.isVisible()
    qtbot.mouseClick(wizard.camera_page.by_hand, Qt.MouseButton.LeftButton)

    assert wizard.outcome is not None
    assert ("", "", None) == (wizard.outcome.camera, wizard.outcome.profile, wizard.outcome.start)


# -- the command line ------------------------------------------------------------------------------------


def test_what_is_played_by_hand_is_resumed_by_hand(tmp_path: Path) -> None:
    """The table that was watched last is kept for the games that were watched."""
    watched = LastTable(camera="camera:1", profile="home")
    remember_table(BY_HAND, "first", tmp_path)
    assert (BY_HAND, None) == (last_table("first", tmp_path), last_table("other", tmp_path))
    remember_table(watched, "other", tmp_path)
    remember_table(BY_HAND, "second", tmp_path)

    assert [BY_HAND, BY_HAND] == [last_table(game, tmp_path) for game in ("first", "second")]
    assert [watched, watched] == [last_table(game, tmp_path) for game in ("other", "")]
    remember_table(watched, "first", tmp_path)
    assert watched == last_table("first", tmp_path)


def test_a_set_up_file_says_how_the_city_lies(tmp_path: Path) -> None:
    """Cards are unseen as at any real table; a file that describes no game is refused with its name."""
    import random

    header = GAME.deal(random.Random(3), {"players": ("purple", "white")})
    file = tmp_path / "header.json"
    file.write_text(json.dumps(header))
    read = read_setup(file, GAME)
    assert (header["layout"], None, None) == (read["layout"], read["hands"], read["deck"])

    file.write_text(json.dumps({**header, "layout": {}}))
    with pytest.raises(MalformedError, match=r"header\.json"):
        read_setup(file, GAME)


# -- a game ----------------------------------------------------------------------------------------------


class Player:
    """Someone who plays by clicks alone, in whatever window of a game is open."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds."""
        self.qtbot.waitUntil(condition, timeout=WAIT_MS)

    @property
    def window(self) -> MainWindow:
        """The window of the game."""
        found = [
            one for one in QApplication.topLevelWidgets() if isinstance(one, MainWindow) and one.isVisible()
        ]
        assert 1 == len(found)
        return found[0]

    @property
    def count(self) -> int:
        """How many actions there are."""
        shown = self.window.shown
        return -1 if shown is None else len(shown.history)

    def click(self, where: Place) -> None:
        """Click a place."""
        click(self.qtbot, self.window.scene, self.window.twin, where)

    def walk(self, player: str, cell: str) -> None:
        """Click a figure, then the tile where it stands now."""
        before = self.count
        self.click(place("figure", player))
        self.click(place("cell", cell))
        self.wait(lambda: self.count == before + 1)

    def mark(self, player: str, cell: str) -> None:
        """Click the first space of a tile and say whose marker lies there."""
        before, where = self.count, place("box", cell, 0)
        words = next(one.text for one in self.window.bridge.options(where) if one.value == player)
        self.click(where)
        self.wait(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        action = next(one for one in menu.actions() if one.text() == words)
        self.qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
        self.wait(lambda: self.count > before)

    def end_turn(self) -> None:
        """Press the button that ends the turn."""
        before = self.count
        self.wait(self.window.entry_button.isEnabled)
        self.qtbot.mouseClick(self.window.entry_button, Qt.MouseButton.LeftButton)
        self.wait(lambda: self.count == before + 1)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without cameras, and its folders."""
    monkeypatch.setattr("ui.settings.default_folder", lambda: tmp_path / "settings")
    monkeypatch.setattr("ui.folders.profiles_folder", lambda: tmp_path / "profiles")
    monkeypatch.setattr("ui.folders.games_folder", lambda: tmp_path)
    monkeypatch.setattr("ui.assembly.table_camera.list_cameras", lambda: [])
    monkeypatch.setattr("ui.assembly.house_guide.find_ports", lambda: [])
    return tmp_path


def run_led(led: Callable[[], None], words: list[str]) -> int:
    """Run a command while somebody uses its windows; whatever goes wrong there is raised here."""
    wrong: list[BaseException] = []

    def lead() -> None:
        try:
            led()
        except BaseException as error:
            wrong.append(error)
        finally:
            for window in QApplication.topLevelWidgets():
                window.close()

    QTimer.singleShot(0, lead)
    status = main(words)
    if wrong:
        raise wrong[0]
    return status


def test_a_game_is_played_left_and_taken_up_again(house: Path, qtbot: QtBot) -> None:
    """The whole way by clicks: set up, walk, contribute, take back, end the turn, close; then go on."""
    player = Player(qtbot)
    cities: list[dict[str, str]] = []

    def set_up() -> None:
        open_now = [one for one in QApplication.topLevelWidgets() if one.isVisible()]
        wizard = next(one for one in open_now if isinstance(one, SetupWizard))
        at_the_city(wizard, qtbot)
        cities.append(layout(wizard))
        press(qtbot, wizard, QWizard.WizardButton.FinishButton)
        # The window of the game opens when the wizard is gone.
        QTimer.singleShot(0, lead_game)

    lead_wrong: list[BaseException] = []

    def lead_game() -> None:
        if not any(isinstance(one, MainWindow) and one.isVisible() for one in QApplication.topLevelWidgets()):
            QTimer.singleShot(20, lead_game)
            return
        try:
            play()
        except BaseException as error:
            lead_wrong.append(error)
        finally:
            player.window.close()

    def play() -> None:
        player.wait(lambda: player.count == 0)
        assert not player.window.bridge.has_camera
        player.walk("purple", "1,2")
        player.mark("purple", "1,2")
        before = player.count
        player.window.menus.undo.trigger()
        player.wait(lambda: player.count == before - 1)
        player.mark("purple", "1,2")
        player.end_turn()
        player.walk("white", "2,1")

    assert 0 == run_led(set_up, ["setup"])
    for error in lead_wrong:
        raise error
    games = list(house.glob("*.moontable"))
    assert 1 == len(games)
    with Journal.open(games[0]) as journal:
        assert cities == [journal.header["layout"]]
    resumed: list[int] = []

    def go_on() -> None:
        player.wait(lambda: player.count >= 0)
        resumed.append(player.count)
        assert not player.window.bridge.has_camera
        player.window.menus.undo.trigger()
        player.wait(lambda: player.count == resumed[0] - 1)
        player.walk("white", "2,1")
        player.end_turn()

    assert 0 == run_led(go_on, ["games", "--folder", str(house), "--resume", games[0].name])
    assert [4] == resumed
    with Journal.open(games[0]) as journal:
        assert len(journal) > 0


def test_a_game_begins_with_a_set_up_file(house: Path, qtbot: QtBot) -> None:
    """`moontable by-hand --setup` opens the window at once."""
    import random

    header = GAME.deal(random.Random(3), {"players": ("purple", "white")})
    file = house / "header.json"
    file.write_text(json.dumps(header))
    player = Player(qtbot)
    seen: list[int] = []

    def look() -> None:
        player.wait(lambda: player.count == 0)
        player.walk("purple", "1,2")
        seen.append(player.count)

    assert 0 == run_led(look, ["by-hand", "--setup", str(file)])
    assert [1] == seen
    assert 1 == len(list(house.glob("*.moontable")))


def test_by_hand_alone_begins_with_the_players(house: Path, qtbot: QtBot) -> None:
    """`moontable by-hand` asks for the game and shows a city."""
    pages: list[int] = []

    def look() -> None:
        wizard = next(one for one in QApplication.topLevelWidgets() if isinstance(one, SetupWizard))
        qtbot.waitUntil(wizard.isVisible, timeout=WAIT_MS)
        pages.append(wizard.currentId())
        press(qtbot, wizard, QWizard.WizardButton.NextButton)
        pages.append(wizard.currentId())
        wizard.reject()

    assert 0 == run_led(look, ["by-hand"])
    assert [GAME_PAGE, BY_HAND_PAGE] == pages
    assert [] == list(house.glob("*.moontable"))


def test_the_demo_is_shown_from_the_wizard(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own command runs, with a word that it takes a moment."""
    assert house.is_dir()
    shown: list[str] = []
    monkeypatch.setattr(
        "ui.assembly.demo.play_demo",
        lambda _: (
            shown.extend(
                one.text()
                for one in QApplication.topLevelWidgets()
                if one.isVisible() and hasattr(one, "text")
            )
            or Left(status=0)
        ),
    )

    def look() -> None:
        wizard = next(one for one in QApplication.topLevelWidgets() if isinstance(one, SetupWizard))
        button = wizard.camera_page.demo
        assert isinstance(button, QPushButton)
        button.click()

    assert 0 == run_led(look, ["setup"])
    assert ["Preparing the demo; this takes a few seconds …"] == shown
