"""The first page of the wizard: the camera, the table, and the language of all that follows."""

from __future__ import annotations

from collections.abc import Iterator

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout

from companion.errors import CompanionError
from companion.words import LANGUAGES
from ui.text import language, opening, said, tr
from ui.ties import tie
from ui.wizard.guide import CameraChoice, Look, SetupGuide
from ui.wizard.live_page import LivePage


class CameraPage(LivePage):
    """Which camera, and does it see the table well? The first page, so the language can be chosen here.

    Signals:
        language_wanted: another language was chosen.
    """

    language_wanted = pyqtSignal(str)

    def __init__(self, guide: SetupGuide, *, has_languages: bool = True) -> None:
        super().__init__(guide)
        self.setTitle(tr("Camera and table"))
        self.setSubTitle(
            tr("Lay the four printed codes around the table so that the camera sees all of them.")
        )
        self.choice = QComboBox()
        self.choice.setEditable(True)
        self.choice.setAccessibleName(tr("Camera"))
        self.choice.setToolTip(tr("A camera, or the address of a phone's camera app."))
        self.sheets = QPushButton(tr("Save the codes for printing…"))
        self.sheets.clicked.connect(self._save_sheets)
        self.is_found = False
        self.look: Look | None = None
        row = QHBoxLayout()
        row.addWidget(self.choice, 1)
        row.addWidget(self.sheets)
        self.languages = self._offered_languages()
        if has_languages:
            row.addWidget(self.languages)
        column = QVBoxLayout(self)
        column.addLayout(row)
        column.addWidget(self.picture, 1)
        column.addWidget(self.notes)
        self.choice.activated.connect(self.start)

    def _offered_languages(self) -> QComboBox:
        """Return all languages, each by its own name, the present one chosen."""
        box = QComboBox()
        box.setAccessibleName(tr("Language"))
        for word, name in LANGUAGES.items():
            box.addItem(name, word)
        box.setCurrentIndex(box.findData(language()))
        tie(box.activated, box, lambda: self.language_wanted.emit(box.currentData()))
        return box

    @property
    def address(self) -> str:
        """What the camera is known by."""
        known: CameraChoice | None = self.choice.currentData()
        text = self.choice.currentText()
        return known.address if known is not None and known.name == text else text

    @property
    def is_sensors(self) -> bool:
        """Whether a sensor table was chosen."""
        return self.address.partition(":")[0] == "sensors"

    def initializePage(self) -> None:
        self.choice.clear()
        for camera in self.guide.cameras():
            self.choice.addItem(camera.name, camera)
        if self.choice.count():
            self.start()
        else:
            self.picture.show_notice(tr("No camera was found"))
            self.notes.setText(tr("Plug one in and come back, or type the address of a phone's camera."))

    def values(self) -> Iterator[object]:
        return self.guide.looks(self.address)

    def take(self, value: object) -> None:
        assert isinstance(value, Look)
        self.look = value
        self._show_picture(value.camera)
        told = [("✗ " if note.is_bad else "• ") + opening(said(note.text)) for note in value.notes]
        self.notes.setText("\n".join(told) or tr("✓ The table is found, light and focus are good."))
        if value.is_table_found != self.is_found:
            self.is_found = value.is_table_found
            self.completeChanged.emit()

    def isComplete(self) -> bool:
        return self.is_found

    def _save_sheets(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, tr("Where to?"))
        if folder:
            self.save_sheets_to(folder)

    def save_sheets_to(self, folder: str) -> None:
        """Write the sheets and say where."""
        try:
            files = self.guide.write_sheets(folder)
        except (CompanionError, OSError) as error:
            self.notes.setText(said(str(error)))
            return
        self.notes.setText(tr("Print at 100 %: {files}", files=", ".join(files)))
