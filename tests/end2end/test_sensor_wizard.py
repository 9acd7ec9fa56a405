"""The wizard with a sensor table: found by itself, set up or known, and the laid-out city felt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QPushButton, QWizard
from pytestqt.qtbot import QtBot

from calibration.sensors import SensorProfile
from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.layout import table_layout
from firmware_bridge.virtual.virtual_board import VirtualBoard, profile_for
from tests.helpers.patience import WAIT_MS
from tests.helpers.scripted_guide import TWO
from ui.assembly.house_guide import HouseGuide
from ui.assembly.own_copy import model_header
from ui.assembly.sensor_lesson import keep_sensors
from ui.wizard.guide import ProfileChoice
from ui.wizard.sensor_guide import LessonView
from ui.wizard.wizard import CHECK, PROFILE, SENSORS, SetupWizard


class Table:
    """A virtual sensor table with the model city on it, and a guide that finds it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        start = GAME.start(model_header(GAME, TWO))
        self.picture = dict(GAME.predict(start))
        self.profile = profile_for(self.picture, boxes=GAME.boxes_of_tile)
        self.board = VirtualBoard(self.profile)
        self.board.set_picture(self.picture)
        self.guide = HouseGuide(folder, finder=lambda: [str(self.board.path)])

    def keep(self, profile: SensorProfile) -> None:
        """Keep a profile, as a set-up does."""
        keep_sensors(
            self.folder / "mine", profile, edition=TWO.edition, players=TWO.players, layout=table_layout()
        )


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A table without any camera beside it."""
    monkeypatch.setattr("ui.assembly.table_camera.list_cameras", lambda: ())
    made = Table(tmp_path)
    yield made
    made.guide.close()
    made.board.close()


@pytest.fixture
def wizard(table: Table, qtbot: QtBot, tmp_path: Path) -> Iterator[SetupWizard]:
    """The wizard, not yet shown."""
    made = SetupWizard(table.guide, tmp_path, sensors=table.guide)
    qtbot.addWidget(made)
    yield made
    made.reject()


def press(qtbot: QtBot, wizard: SetupWizard, which: QWizard.WizardButton) -> None:
    """Press one of the wizard's own buttons, once that is possible."""
    button = wizard.button(which)
    assert isinstance(button, QPushButton)
    qtbot.waitUntil(button.isEnabled, timeout=WAIT_MS)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_known_table_takes_four_clicks(table: Table, wizard: SetupWizard, qtbot: QtBot) -> None:
    """It is found by itself, answers, and feels that the city is laid out."""
    table.keep(table.profile)
    wizard.show()
    assert f"sensors:{table.board.path}" == wizard.camera_page.address
    for _ in range(3):
        press(qtbot, wizard, QWizard.WizardButton.NextButton)
    assert CHECK == wizard.currentId()
    press(qtbot, wizard, QWizard.WizardButton.FinishButton)

    assert wizard.outcome is not None
    assert f"sensors:{table.board.path}" == wizard.outcome.camera
    assert model_header(GAME, TWO)["layout"] == wizard.outcome.start["layout"]  # type: ignore[index]
    print("clicks with a known sensor table: 4")


def test_a_tile_wrong_way_up_is_told_and_marked(table: Table, wizard: SetupWizard, qtbot: QtBot) -> None:
    """The fault stands in words and is marked on the drawing; put right, the game can begin."""
    table.keep(table.profile)
    cell = next(where for where, lies in table.picture.items() if lies and lies.endswith("/sketch"))
    turned = str(table.picture[cell]).replace("/sketch", "/built")
    table.board.set_picture({**table.picture, cell: turned})
    wizard.show()
    for _ in range(3):
        press(qtbot, wizard, QWizard.WizardButton.NextButton)
    page = wizard.check_page
    qtbot.waitUntil(lambda: "sketch" in page.notes.text(), timeout=WAIT_MS)
    assert not page.isComplete()

    table.board.set_picture(table.picture)
    qtbot.waitUntil(page.isComplete, timeout=WAIT_MS)


def test_an_unknown_table_is_set_up_first(table: Table, wizard: SetupWizard, qtbot: QtBot) -> None:
    """Without a profile that knows sensors the lesson follows; what it teaches is kept and used."""

    def lesson(_address: str, _game: object) -> Iterator[LessonView]:
        table.keep(table.profile)
        yield LessonView(text="Lay the mill here.", done=0, steps=1)
        yield LessonView(text="Everything is learnt.", done=1, steps=1, is_over=True)

    def keep(_game: object) -> ProfileChoice:
        return table.guide.profiles()[0]

    table.guide.lesson = lesson  # type: ignore[assignment, method-assign]
    table.guide.keep = keep  # type: ignore[method-assign]
    wizard.show()
    for _ in range(2):
        press(qtbot, wizard, QWizard.WizardButton.NextButton)
    assert PROFILE == wizard.currentId()
    assert "sensor table" in wizard.profile_page.list.item(0).text()  # type: ignore[union-attr]
    press(qtbot, wizard, QWizard.WizardButton.NextButton)
    assert SENSORS == wizard.currentId()
    page = wizard.sensor_page
    assert page is not None
    qtbot.waitUntil(page.isComplete, timeout=WAIT_MS)
    press(qtbot, wizard, QWizard.WizardButton.NextButton)
    assert CHECK == wizard.currentId()
    qtbot.waitUntil(wizard.check_page.isComplete, timeout=WAIT_MS)


def test_the_real_lesson_begins(table: Table) -> None:
    """The guide's own lesson asks for the first thing; skipping goes on to the next."""
    views = table.guide.lesson(f"sensors:{table.board.path}", TWO)
    first = next(views)
    table.guide.skip()
    later = next(view for view in views if view.done > first.done)
    table.guide.back()
    again = next(view for view in views if view.done < later.done)
    kept_as, kept_again = table.guide.keep(TWO), table.guide.keep(TWO)
    table.guide.close()

    assert first.text
    assert first.text != later.text
    assert first.done == again.done
    assert kept_as.has_sensors
    assert not kept_as.has_faces
    assert kept_as.address != kept_again.address


def test_in_mid_game_only_eyes_and_profile_are_asked_for(table: Table, qtbot: QtBot, tmp_path: Path) -> None:
    """Edition, players and the game itself stay: two clicks, and nothing is laid out anew."""
    table.keep(table.profile)
    again = SetupWizard(table.guide, tmp_path, game=TWO, sensors=table.guide)
    qtbot.addWidget(again)
    again.show()
    press(qtbot, again, QWizard.WizardButton.NextButton)
    press(qtbot, again, QWizard.WizardButton.FinishButton)

    assert again.outcome is not None
    assert (TWO, None) == (again.outcome.game, again.outcome.start)
    assert str(tmp_path / "mine") == again.outcome.profile


def test_a_profile_goes_into_a_file_and_back(table: Table, wizard: SetupWizard, tmp_path: Path) -> None:
    """What one table learnt can be shared: exported to one file, imported again."""
    table.keep(table.profile)
    page = wizard.profile_page
    page.show_profiles(TWO, of_sensors=True)
    file = tmp_path / "shared.zip"
    page.export_to(str(file))
    assert str(file) in page.trouble.text()

    page.import_from(str(file))

    assert "shared" in page.list.item(0).text()  # type: ignore[union-attr]
    assert 2 == len(table.guide.profiles())
