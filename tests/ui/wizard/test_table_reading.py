"""The window that reads a laid-out table."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QWizard
from pytestqt.qtbot import QtBot

from companion.view_model import CameraView
from ui.wizard.guide import GameChoice, LaidOut
from ui.wizard.table_reading import ChosenSource, TableReading

VIEW = CameraView(width=16, height=9, bgr=bytes(16 * 9 * 3))
CHOSEN = ChosenSource(
    game=GameChoice(edition="", players=("anna", "ben")), camera="camera:0", profile="our copy"
)


class Reader:
    """Finds fault with the table until it is let."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.is_laid = threading.Event()
        self.is_closed = threading.Event()

    def laid_out(self, camera: str, profile: str, game: GameChoice) -> Iterator[LaidOut]:
        """Yield a fault, then what the game starts with."""
        del game
        self.asked.append((camera, profile))
        yield LaidOut(camera=VIEW, fault="A card is missing.")
        self.is_laid.wait(10)
        yield LaidOut(camera=VIEW, fault="", start={"game": "begins"})
        self.is_closed.wait(10)

    def close(self) -> None:
        """End."""
        self.is_closed.set()


def test_a_game_begins_when_the_table_is_laid_out(qtbot: QtBot, tmp_path: Path) -> None:
    reader = Reader()
    window = TableReading(reader, CHOSEN, tmp_path, advice="Lay it out.")
    qtbot.addWidget(window)
    window.open()
    finish = window.button(QWizard.WizardButton.FinishButton)
    assert finish is not None

    qtbot.waitUntil(lambda: "A card is missing." in window.check_page.notes.text())
    assert not finish.isEnabled()
    reader.is_laid.set()
    qtbot.waitUntil(finish.isEnabled)
    assert window.start is None
    qtbot.mouseClick(finish, Qt.MouseButton.LeftButton)

    assert window.start == {"game": "begins"}
    assert reader.asked == [("camera:0", "our copy")]
    assert reader.is_closed.is_set()
    assert window.check_page.subTitle() == "Lay it out."


def test_who_gives_up_begins_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    reader = Reader()
    reader.is_laid.set()
    window = TableReading(reader, CHOSEN, tmp_path)
    qtbot.addWidget(window)
    window.open()
    qtbot.waitUntil(window.check_page.isComplete)
    window.reject()

    assert window.start is None
    assert reader.is_closed.is_set()
