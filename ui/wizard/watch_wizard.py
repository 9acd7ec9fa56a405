"""The wizard that chooses camera and copy again during a game whose pieces lie anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PyQt6.QtWidgets import QLabel, QListWidget, QVBoxLayout, QWidget, QWizard, QWizardPage

from ui.last_table import BY_HAND, LastTable
from ui.settings import read_settings
from ui.text import player_name, tr
from ui.ties import tie
from ui.wizard.camera_page import CameraPage
from ui.wizard.copy_guide import WatchGuide
from ui.wizard.dressing import dress_wizard, enlarge_titles
from ui.wizard.guide import ProfileChoice

CAMERA, COPY = range(2)


class CopyPage(QWizardPage):
    """Chooses one of the copies that were learnt."""

    def __init__(self) -> None:
        super().__init__()
        self.setTitle(tr("Your copy"))
        self.list = QListWidget()
        self.list.setAccessibleName(tr("What was learnt"))
        self.trouble = QLabel(
            tr(
                "No profile knows your copy and your pieces yet. Close this game, learn your copy on the "
                "home screen, then continue the game: nothing of it is lost."
            )
        )
        self.trouble.setWordWrap(True)
        self._copies: Sequence[ProfileChoice] = ()
        column = QVBoxLayout(self)
        column.addWidget(self.list, 1)
        column.addWidget(self.trouble)
        tie(self.list.currentRowChanged, self, self.completeChanged.emit)

    def show_copies(self, copies: Sequence[ProfileChoice], chosen: str) -> None:
        """List the copies that fit; the one with the address `chosen` is chosen if it is among them."""
        self._copies = copies
        self.list.clear()
        for copy in copies:
            pieces = ", ".join(map(player_name, copy.players))
            whole = tr("Use “{name}” ({players})", name=copy.name, players=pieces)
            self.list.addItem(whole if pieces else tr("Use “{name}”", name=copy.name))
        self.list.setCurrentRow(next((i for i, one in enumerate(copies) if one.address == chosen), 0))
        self.list.setVisible(bool(copies))
        self.trouble.setVisible(not copies)

    @property
    def address(self) -> str:
        """The chosen profile; "" if there is none."""
        row = self.list.currentRow()
        return self._copies[row].address if 0 <= row < len(self._copies) else ""

    def isComplete(self) -> bool:
        return bool(self.address)


class WatchWizard(QWizard):
    """Leads to another camera, or to none, while the game stays as it is.

    Attributes:
        outcome: what is to follow the game; None if the wizard was left early.
    """

    def __init__(
        self,
        guide: WatchGuide,
        folder: Path,
        parent: QWidget | None = None,
        *,
        players: tuple[str, ...],
        profile: str,
    ) -> None:
        """Prepare; `folder` holds the settings, `profile` is the one in use, "" if there is none."""
        super().__init__(parent)
        self.outcome: LastTable | None = None
        self._guide = guide
        self._players = players
        self._profile = profile
        settings = read_settings(folder)
        dress_wizard(self, settings)
        self.setWindowTitle(tr("Setting up"))
        self.setButtonText(QWizard.WizardButton.FinishButton, tr("Continue"))
        self.camera_page = CameraPage(guide, is_first_time=False)
        self.copy_page = CopyPage()
        self.setPage(CAMERA, self.camera_page)
        self.setPage(COPY, self.copy_page)
        tie(self.camera_page.by_hand_wanted, self, self.play_by_hand)
        tie(self.currentIdChanged, self, self._watch)
        enlarge_titles(self, settings.scale)
        self.resize(1000, 680)

    def play_by_hand(self) -> None:
        """Go on without a camera."""
        self._leave(BY_HAND)

    def initializePage(self, number: int) -> None:
        if number == COPY:
            self.camera_page.stop()
            self.copy_page.show_copies(self._guide.copies(self._players), self._profile)
        super().initializePage(number)

    def _watch(self, number: int) -> None:
        """Going back opens the camera again."""
        page = self.camera_page
        if number == CAMERA and page.choice.count() and not page.is_watching:
            page.start()

    def accept(self) -> None:
        self._leave(LastTable(camera=self.camera_page.address, profile=self.copy_page.address))

    def _leave(self, outcome: LastTable) -> None:
        self.outcome = outcome
        super().accept()

    def done(self, result: int) -> None:
        self.camera_page.stop()
        super().done(result)
