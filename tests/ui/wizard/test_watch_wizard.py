"""The wizard that chooses camera and copy again during a game whose pieces lie anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QWizard
from pytestqt.qtbot import QtBot

from tests.helpers.scripted_guide import HOME, ScriptedGuide
from ui.last_table import LastTable
from ui.wizard.watch_wizard import CAMERA, COPY, WatchWizard

PLAYERS = ("purple", "white")
OLDER = replace(HOME, address="older", name="older")


@pytest.fixture
def guide() -> ScriptedGuide:
    return ScriptedGuide((HOME, OLDER))


@pytest.fixture
def wizard(qtbot: QtBot, tmp_path: Path, guide: ScriptedGuide) -> Iterator[WatchWizard]:
    made = WatchWizard(guide, tmp_path, players=PLAYERS, profile="older")
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(made.camera_page.isComplete)
    yield made
    made.close()


def click(wizard: WatchWizard, qtbot: QtBot, role: QWizard.WizardButton) -> None:
    """Click one of the wizard's buttons."""
    button = wizard.button(role)
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_camera_and_copy_are_chosen(wizard: WatchWizard, qtbot: QtBot) -> None:
    """The copy in use is proposed; the camera is free when the wizard is left."""
    click(wizard, qtbot, QWizard.WizardButton.NextButton)
    assert wizard.currentId() == COPY
    assert wizard.copy_page.list.count() == 2
    assert wizard.copy_page.address == "older"
    assert not wizard.camera_page.is_watching
    wizard.copy_page.list.setCurrentRow(0)
    click(wizard, qtbot, QWizard.WizardButton.FinishButton)

    assert wizard.outcome == LastTable(camera="camera:0", profile="home")


def test_going_back_opens_the_camera_again(wizard: WatchWizard, qtbot: QtBot) -> None:
    click(wizard, qtbot, QWizard.WizardButton.NextButton)
    click(wizard, qtbot, QWizard.WizardButton.BackButton)

    assert wizard.currentId() == CAMERA
    assert wizard.camera_page.is_watching


def test_without_a_camera_the_game_goes_on_by_hand(wizard: WatchWizard, qtbot: QtBot) -> None:
    qtbot.mouseClick(wizard.camera_page.by_hand, Qt.MouseButton.LeftButton)

    assert wizard.outcome == LastTable(camera="", profile="")
    assert not wizard.camera_page.is_watching


def test_left_early_it_has_no_outcome(wizard: WatchWizard) -> None:
    wizard.reject()

    assert wizard.outcome is None
    assert not wizard.camera_page.is_watching


def test_without_a_fitting_copy_it_says_what_to_do(
    wizard: WatchWizard, guide: ScriptedGuide, qtbot: QtBot
) -> None:
    """It cannot be finished then, but left, or gone on by hand."""
    guide.kept = (replace(HOME, players=("teal", "black")),)
    click(wizard, qtbot, QWizard.WizardButton.NextButton)

    assert not wizard.copy_page.isComplete()
    assert wizard.copy_page.trouble.isVisible()
    assert "learn your copy" in wizard.copy_page.trouble.text()
