"""An error in a window without a game: one box shows it and saves a report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PyQt6.QtWidgets import QFileDialog, QMessageBox

from companion.session.bug_report import BugReport, write_report
from ui.mishaps import Mishaps, last_resort
from ui.text import said, tr
from ui.ties import tie


class MishapBox(QMessageBox):
    """One box, however many errors occur."""

    def __init__(self, mishaps: Mishaps) -> None:
        super().__init__()
        self._mishaps = mishaps
        self.setWindowTitle("Moontable")
        self.setIcon(QMessageBox.Icon.Warning)
        self.setModal(True)  # else the open window, which is modal, would block it
        self.addButton(QMessageBox.StandardButton.Close)
        save = self.addButton(tr("Save a report…"), QMessageBox.ButtonRole.ActionRole)
        assert save is not None
        tie(save.clicked, self, self._ask)
        mishaps.told.connect(self.tell)

    def tell(self, why: str) -> None:
        """Show what went wrong."""
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
def boxed_mishaps() -> Iterator[Mishaps]:
    """Show unexpected errors in a box while a window without a game is open."""
    mishaps = Mishaps()
    box = MishapBox(mishaps)
    with last_resort(mishaps):
        yield mishaps
    box.close()
    box.deleteLater()
