"""The wizard that learns a copy whose pieces lie anywhere: camera, dealing, board and pieces, saving."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from PyQt6.QtWidgets import QLabel, QVBoxLayout, QWidget, QWizard, QWizardPage

from companion.errors import CompanionError
from ui.settings import read_settings
from ui.text import opening, said, tr
from ui.ties import tie
from ui.wizard.camera_page import CameraPage
from ui.wizard.copy_guide import CopyGuide, SavedCopy
from ui.wizard.deal_panel import DealPanel
from ui.wizard.dressing import dress_wizard, enlarge_titles
from ui.wizard.live import Task
from ui.wizard.things_page import ThingsPage

CAMERA, DEAL, THINGS, SAVE = range(4)
SIZE_WH: Final = (1180, 700)
# So much of what is missing is told by name.
_TOLD: Final = 6


class DealPage(QWizardPage):
    """Tiles or cards are dealt; what has come is kept even if the wizard is left."""

    def __init__(self, guide: CopyGuide, scale: float, acknowledge: Callable[[], None]) -> None:
        super().__init__()
        self.guide = guide
        self.camera = ""
        self.setTitle(tr("Tiles and cards"))
        self.setSubTitle(
            tr(
                "Lay them between the codes one after another, in their order, one of each back first. "
                "What has come is kept: you can leave and go on another time."
            )
        )
        self.panel = DealPanel(scale, acknowledge, self)
        self.fault = QLabel()
        self.fault.setWordWrap(True)
        self.fault.hide()
        column = QVBoxLayout(self)
        column.addWidget(self.panel, 1)
        column.addWidget(self.fault)
        tie(self.panel.changed, self, self.completeChanged.emit)

    def initializePage(self) -> None:
        try:
            self.panel.watch(self.guide.deal(self.camera))
        except (CompanionError, OSError) as error:
            self.fault.setText(tr("That did not work: {why}", why=said(str(error))))
            self.fault.show()
        else:
            self.fault.hide()

    def isComplete(self) -> bool:
        return self.panel.has_cards


class SavePage(QWizardPage):
    """Saves what was learnt and says what is still missing.

    Attributes:
        saved: the profile; None until it is saved.
    """

    def __init__(self, guide: CopyGuide) -> None:
        super().__init__()
        self.guide = guide
        self.saved: SavedCopy | None = None
        self._saving = Task(self)
        self.setTitle(tr("Your copy"))
        self.told = QLabel()
        self.told.setWordWrap(True)
        self.missing = QLabel()
        self.missing.setWordWrap(True)
        column = QVBoxLayout(self)
        column.addWidget(self.told)
        column.addWidget(self.missing)
        column.addStretch()

    def initializePage(self) -> None:
        self.stop()
        self.saved = None
        self.told.setText(tr("Saving what was learnt …"))
        self.missing.setText("")

        def saving() -> Iterator[object]:
            yield self.guide.save()

        self._saving.begin(saving, self._has_saved, self._could_not_save)

    def _has_saved(self, saved: object) -> None:
        assert isinstance(saved, SavedCopy)
        self.stop()
        self.saved = saved
        self.told.setText(
            tr(
                "✓ Done. Moontable knows {known} of {total} things of your copy, kept as “{name}”.",
                known=saved.known,
                total=saved.total,
                name=saved.name,
            )
        )
        if saved.missing:
            lines = [f"• {opening(said(name))}" for name in saved.missing[:_TOLD]]
            more = len(saved.missing) - _TOLD
            lines += [tr("• and {number} more", number=more)] if more > 0 else []
            self.missing.setText("\n".join((tr("Still missing:"), *lines)))
        self.completeChanged.emit()
        wizard = self.wizard()
        finish = None if wizard is None else wizard.button(QWizard.WizardButton.FinishButton)
        if finish is not None:
            finish.setFocus()

    def _could_not_save(self, why: str) -> None:
        self.stop()
        self.told.setText(tr("That did not work: {why}", why=why))

    def isComplete(self) -> bool:
        return self.saved is not None

    def stop(self) -> None:
        """Wait for what is being saved."""
        self._saving.end()


class CopyWizard(QWizard):
    """Leads from a camera to a profile of a copy.

    Attributes:
        saved: the profile; None if the wizard was left early.
    """

    def __init__(
        self, guide: CopyGuide, folder: Path, acknowledge: Callable[[], None], parent: QWidget | None = None
    ) -> None:
        """Prepare; `folder` holds the settings, `acknowledge` makes a sound for every card that is taken."""
        super().__init__(parent)
        settings = read_settings(folder)
        dress_wizard(self, settings)
        self.setOption(QWizard.WizardOption.NoBackButtonOnLastPage)
        self.setWindowTitle(tr("{game}: learning your copy", game=said(guide.title)))
        self.setButtonText(QWizard.WizardButton.CommitButton, tr("Save what was learnt"))
        self.camera_page = CameraPage(guide, needs_camera=True)
        self.deal_page = DealPage(guide, settings.scale, acknowledge)
        self.things_page = ThingsPage(guide, settings.scale) if guide.things() else None
        self.save_page = SavePage(guide)
        self.setPage(CAMERA, self.camera_page)
        self.setPage(DEAL, self.deal_page)
        if self.things_page is not None:
            self.setPage(THINGS, self.things_page)
        self.setPage(SAVE, self.save_page)
        (self.things_page or self.deal_page).setCommitPage(True)
        enlarge_titles(self, settings.scale)
        self.currentIdChanged.connect(self._release_other_pages)
        width, height = (round(one * min(settings.scale, 1.2)) for one in SIZE_WH)
        self.resize(width, height)

    @property
    def saved(self) -> SavedCopy | None:
        """The profile that was saved; None until then."""
        return self.save_page.saved

    def initializePage(self, number: int) -> None:
        """Give each page the camera; the page before lets go of it."""
        self._release_other_pages(number)
        self.deal_page.camera = self.camera_page.address
        if self.things_page is not None:
            self.things_page.camera = self.camera_page.address
        super().initializePage(number)

    def cleanupPage(self, number: int) -> None:
        """Going back releases the camera; the previous page opens it again."""
        super().cleanupPage(number)
        self._release_other_pages(-1)

    def done(self, result: int) -> None:
        self._release_other_pages(-1)
        self.save_page.stop()
        super().done(result)

    def _release_other_pages(self, number: int) -> None:
        """Make sure that only the page that is shown holds the camera."""
        for page_id, stop in (
            (CAMERA, self.camera_page.stop),
            (DEAL, self.deal_page.panel.stop),
            (THINGS, None if self.things_page is None else self.things_page.stop),
        ):
            if page_id != number and stop is not None:
                stop()
        if number == CAMERA and self.camera_page.choice.count() and not self.camera_page.is_watching:
            self.camera_page.start()
        if number == DEAL and not self.deal_page.panel.is_watching:
            self.deal_page.panel.start()
