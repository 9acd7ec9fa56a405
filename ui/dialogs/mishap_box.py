"""An error in a window without a game: one box shows it and saves a report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PyQt6.QtWidgets import QFileDialog, QMessageBox

from companion.session.bug_report import BugReport, write_report
from ui.mishaps import Mishaps, last_resort
from ui.settings import read_settings
from ui.text import said, tr
from ui.theme import THEMES, dress
from ui.ties import tie


class MishapBox(QMessageBox):
    """One box, however many errors occur, in the language, colours and size that are chosen when one does."""

    def __init__(self, mishaps: Mishaps, folder: Path) -> None:
        super().__init__()
        self._mishaps = mishaps
        self._folder = folder
        self.setWindowTitle("Moontable")
        self.setIcon(QMessageBox.Icon.Warning)
        self.setModal(True)  # else the open window, which is modal, would block it
        self.addButton(QMessageBox.StandardButton.Close)
        save = self.addButton(tr("Save a report…"), QMessageBox.ButtonRole.ActionRole)
        assert save is not None
        self._save = save
        tie(save.clicked, self, self._ask)
        mishaps.told.connect(self.tell)

    def tell(self, why: str) -> None:
        """Show what went wrong."""
        settings = read_settings(self._folder)
        dress(self, THEMES[settings.theme_name], settings.scale)
        self._save.setText(tr("Save a report…"))
        self.setText(said(why))
        self.show()

    def save_report(self, file: Path) -> None:
        """Write all errors to a file, or show why that is impossible."""
        bundle = BugReport(
            header={}, actions=(), observations=(), decision="", errors=self._mishaps.as_text()
        )
        try:
            write_report(file, bundle)
        except OSError:
            self.tell(tr("{file} could not be written", file=str(file)))

    def _ask(self) -> None:
        file, _ = QFileDialog.getSaveFileName(None, tr("Save as"), "report.zip", "*.zip")
        if file:
            self.save_report(Path(file))


@contextmanager
def boxed_mishaps(folder: Path) -> Iterator[Mishaps]:
    """Show unexpected errors in a box while a window without a game is open; `folder` has the settings."""
    mishaps = Mishaps()
    box = MishapBox(mishaps, folder)
    with last_resort(mishaps):
        yield mishaps
    box.close()
    box.deleteLater()
