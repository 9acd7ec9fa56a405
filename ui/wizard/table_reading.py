"""Reads a laid-out table for a game that is to be watched, until it is as the rules require."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PyQt6.QtWidgets import QWidget, QWizard

from ui.settings import read_settings
from ui.text import tr
from ui.wizard.check_page import CheckPage
from ui.wizard.dressing import dress_wizard, enlarge_titles
from ui.wizard.guide import GameChoice, TableReader


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenSource:
    """A game, and what follows it."""

    game: GameChoice
    camera: str
    profile: str


class TableReading(QWizard):
    """Shows what is seen of the table and what is still wrong on it; its one page has the start of the game.

    `advice` says how the table is laid out.
    """

    def __init__(
        self,
        reader: TableReader,
        chosen: ChosenSource,
        folder: Path,
        parent: QWidget | None = None,
        *,
        advice: str = "",
    ) -> None:
        super().__init__(parent)
        settings = read_settings(folder)
        dress_wizard(self, settings)
        self.setWindowTitle(tr("Setting up"))
        self.setButtonText(QWizard.WizardButton.FinishButton, tr("Start the game"))
        self.check_page = CheckPage(reader, settings)
        if advice:
            self.check_page.setTitle(tr("Laying out the table"))
            self.check_page.setSubTitle(advice)
        self.check_page.camera, self.check_page.profile = chosen.camera, chosen.profile
        self.check_page.game = chosen.game
        self.addPage(self.check_page)
        enlarge_titles(self, settings.scale)
        self.resize(1000, 680)

    @property
    def start(self) -> object:
        """What the game starts with, in the reader's own form; None while the table is not complete."""
        laid = self.check_page.laid
        return laid.start if laid is not None and self.result() else None

    def done(self, result: int) -> None:
        self.check_page.stop()
        super().done(result)
