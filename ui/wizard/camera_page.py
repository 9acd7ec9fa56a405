"""The first page of the wizard: the camera, the table, and the language.

Without a camera the page offers other ways: an address, a recording, the demo, playing by hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from PyQt6.QtCore import QLocale, pyqtSignal
from PyQt6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QVBoxLayout,
)

from companion.errors import CompanionError
from companion.i18n import LANGUAGES
from ui.text import language, opening, said, tr
from ui.ties import tie
from ui.wizard.guide import CameraChoice, CameraChooser, Look
from ui.wizard.live_page import LivePage


class CameraPage(LivePage):
    """Chooses the camera and checks that it sees the table well. As the first page, it offers the languages.

    During a game, the language and the demo are not offered; with `needs_camera` nothing else is either.

    Signals:
        language_wanted: another language was chosen.
        by_hand_wanted: play without a source; everything is entered by clicks.
        demo_wanted: watch simulated players instead.
    """

    language_wanted = pyqtSignal(str)
    by_hand_wanted = pyqtSignal()
    demo_wanted = pyqtSignal()

    def __init__(
        self, guide: CameraChooser, *, is_first_time: bool = True, needs_camera: bool = False
    ) -> None:
        super().__init__(guide.close)
        self.guide = guide
        self.setTitle(tr("Camera and table"))
        self.setSubTitle(
            tr(
                "Lay the four printed codes around the table, in any place and any way round, where the "
                "camera can see them all."
            )
        )
        self.choice = QComboBox()
        self.choice.setEditable(True)
        self.choice.setAccessibleName(tr("Camera"))
        self.choice.setToolTip(tr("A camera, or the address shown by a phone's camera app."))
        edit = self.choice.lineEdit()
        assert edit is not None
        edit.setPlaceholderText(tr("Address of a phone's camera: http://…"))
        self.look_again = QPushButton(tr("Look again"))
        self.look_again.clicked.connect(self._look_again)
        self.recorded = QPushButton(tr("Pictures or a video"))
        self.recorded.setProperty("role", "menu")
        self.recorded.setMenu(self._offered_recordings())
        self.sheets = QPushButton(tr("Save the codes for printing…"))
        self.sheets.clicked.connect(self._save_sheets)
        self.code_size = self._offered_size()
        self.is_found = False
        self.look: Look | None = None
        row = QHBoxLayout()
        row.addWidget(self.choice, 1)
        row.addWidget(self.look_again)
        row.addWidget(self.recorded)
        self.languages = self._offered_languages()
        if is_first_time and not needs_camera:
            row.addWidget(self.languages)
        column = QVBoxLayout(self)
        column.addLayout(row)
        column.addWidget(self.picture, 1)
        column.addWidget(self.notes)
        column.addLayout(self._printing())
        if not needs_camera:
            column.addLayout(self._other_ways(is_first_time=is_first_time))
        self.choice.activated.connect(self.start)

    def _other_ways(self, *, is_first_time: bool) -> QHBoxLayout:
        """Return the row of buttons for going on without a camera."""
        self.by_hand = QPushButton(tr("Play by hand"))
        self.by_hand.clicked.connect(self.by_hand_wanted)
        self.demo = QPushButton(tr("Watch a demo"))
        self.demo.clicked.connect(self.demo_wanted)
        row = QHBoxLayout()
        row.addWidget(QLabel(tr("Without a camera:")))
        row.addWidget(self.by_hand)
        if is_first_time:
            row.addWidget(self.demo)
        row.addStretch()
        return row

    def _printing(self) -> QHBoxLayout:
        """Return the row for printing the fiducials."""
        size = QLabel(tr("Black square of each code:"))
        size.setBuddy(self.code_size)
        row = QHBoxLayout()
        row.addWidget(size)
        row.addWidget(self.code_size)
        row.addWidget(self.sheets)
        row.addStretch()
        return row

    def _offered_size(self) -> QDoubleSpinBox:
        """Return the input for the printed size of the fiducials."""
        least, usual, most = self.guide.code_sizes_mm
        box = QDoubleSpinBox()
        box.setRange(least, most)
        box.setDecimals(1)
        box.setSuffix(f" {tr('mm')}")
        box.setLocale(QLocale(language()))
        box.setValue(usual)
        box.setAccessibleName(tr("Black square of each code"))
        box.setToolTip(
            tr(
                "The printed width of each black square. If the ruler on your sheet is not 15 cm long, "
                "measure a square."
            )
        )
        box.setKeyboardTracking(False)
        box.valueChanged.connect(self._use_size)
        return box

    def _use_size(self, edge_mm: float) -> None:
        self.guide.use_codes(edge_mm)

    def _offered_recordings(self) -> QMenu:
        """Return the menu for choosing recorded pictures or videos."""
        menu = QMenu(self)
        for text, ask in (
            (tr("A picture or a video…"), self._ask_file),
            (tr("A folder of pictures…"), self._ask_folder),
        ):
            action = menu.addAction(text)
            assert action is not None
            tie(action.triggered, menu, ask)
        return menu

    def _ask_file(self) -> None:
        file, _ = QFileDialog.getOpenFileName(self, tr("Which picture or video?"))
        self._watch(file)

    def _ask_folder(self) -> None:
        self._watch(QFileDialog.getExistingDirectory(self, tr("Which pictures?")))

    def _watch(self, address: str) -> None:
        """Take an address as the camera's and start watching."""
        if address:
            self.choice.setEditText(address)
            self.start()

    def _look_again(self) -> None:
        """List the cameras that are plugged in now; if an address was typed, try that instead."""
        typed = self.choice.currentText()
        if typed and self.choice.findText(typed) < 0:
            self.start()
        else:
            self.initializePage()

    def _offered_languages(self) -> QComboBox:
        """Return the choice of languages, each named in itself, with the current one selected."""
        box = QComboBox()
        box.setAccessibleName(tr("Language"))
        for word, name in LANGUAGES.items():
            box.addItem(name, word)
        box.setCurrentIndex(box.findData(language()))
        tie(box.activated, box, lambda: self.language_wanted.emit(box.currentData()))
        return box

    @property
    def address(self) -> str:
        """The camera's address."""
        known: CameraChoice | None = self.choice.currentData()
        text = self.choice.currentText()
        return known.address if known is not None and known.name == text else text

    @property
    def is_sensors(self) -> bool:
        """Whether a sensor table was chosen."""
        return self.address.partition(":")[0] == "sensors"

    def initializePage(self) -> None:
        self.stop()
        self._note_found(is_found=False)
        self.choice.clear()
        for camera in self.guide.cameras():
            self.choice.addItem(camera.name, camera)
        if self.choice.count():
            self.start()
        else:
            self.picture.show_notice(tr("No camera was found"))
            self.notes.setText(
                tr(
                    "Plug one in and look again, or type the address that a phone's camera app shows and "
                    "press Enter. You can also play by hand: click what happens; Moontable knows the rules."
                )
            )

    def start(self) -> None:
        self._note_found(is_found=False)
        super().start()

    def values(self) -> Iterator[object]:
        return self.guide.looks(self.address)

    def take(self, value: object) -> None:
        assert isinstance(value, Look)
        self.look = value
        self._show_picture(value.camera)
        told = [("✗ " if note.is_bad else "• ") + opening(said(note.text)) for note in value.notes]
        self.notes.setText("\n".join(told) or tr("✓ The table was found; light and focus are good."))
        self._note_found(is_found=value.is_table_found)

    def _note_found(self, *, is_found: bool) -> None:
        if is_found != self.is_found:
            self.is_found = is_found
            self.completeChanged.emit()

    def isComplete(self) -> bool:
        return self.is_found

    def _save_sheets(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, tr("Save as"))
        if folder:
            self.save_sheets_to(folder)

    def save_sheets_to(self, folder: str) -> None:
        """Write the sheets and show where they are."""
        try:
            files = self.guide.write_sheets(folder)
        except (CompanionError, OSError) as error:
            self.notes.setText(said(str(error)))
            return
        self.notes.setText(tr("Print at 100 %: {files}", files=", ".join(files)))
