"""The page of a finished game: who won, the standings, a picture of them to share, and where to go on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PyQt6.QtCore import QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QImage, QPainter, QPaintEvent
from PyQt6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from companion.view_model import TableView
from ui.onward import Onward
from ui.painting.standings import SIZE, in_words, standings_image
from ui.panels.flow_layout import FlowLayout
from ui.text import tr
from ui.theme import Theme, dress
from ui.ties import tie

USUAL: Final = QSize(960, 640)
LEAST_PICTURE: Final = QSize(480, 270)


class StandingsPage(QDialog):
    """The picture, and buttons for it and for what comes next.

    Signals:
        left: where to go on, an `Onward`.
        report_wanted: the report is to be opened.
    """

    left = pyqtSignal(object)
    report_wanted = pyqtSignal()

    def __init__(
        self, view: TableView, theme: Theme, scale: float, *, can_rematch: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("The game is over"))
        dress(self, theme, scale)
        self.picture = Picture(standings_image(view, theme), in_words(view))
        self.said = QLabel()
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setWordWrap(True)
        self.buttons: dict[str, QPushButton] = {}
        row = FlowLayout()
        for name, words, does in self._offers(can_rematch=can_rematch):
            button = QPushButton(words)
            tie(button.clicked, button, does)
            row.addWidget(button)
            self.buttons[name] = button
        first = next(iter(self.buttons.values()))
        first.setProperty("role", "main")
        first.setDefault(True)
        first.setFocus()
        column = QVBoxLayout(self)
        column.addWidget(self.picture, 1)
        column.addWidget(self.said)
        column.addLayout(row)
        self.said.hide()
        self.resize(USUAL)

    def save(self, file: Path) -> bool:
        """Write the picture as PNG; return whether that was possible."""
        is_done = self.picture.image.save(str(file), "PNG")
        words = tr("Saved: {file}", file=str(file))
        self._say(words if is_done else tr("{file} could not be written", file=str(file)))
        return is_done

    def copy(self) -> None:
        """Put the picture on the clipboard."""
        clipboard = QApplication.clipboard()
        if clipboard is not None:
            clipboard.setImage(self.picture.image)
            self._say(tr("The picture is on the clipboard."))

    def _offers(self, *, can_rematch: bool) -> tuple[tuple[str, str, Callable[[], object]], ...]:
        """Return name, words and deed of each button, the first one for Enter."""
        rematch = ("rematch", tr("&Rematch"), lambda: self._leave(Onward.REMATCH))
        return (
            *((rematch,) if can_rematch else ()),
            ("save", tr("&Save as picture…"), self._ask_file),
            ("copy", tr("&Copy the picture"), self.copy),
            ("report", tr("Rep&ort…"), self.report_wanted.emit),
            ("home", tr("&Home screen"), lambda: self._leave(Onward.HOME)),
            ("close", tr("Back to the &table"), self.close),
        )

    def _leave(self, onward: Onward) -> None:
        self.close()
        self.left.emit(onward)

    def _ask_file(self) -> None:
        file, _ = QFileDialog.getSaveFileName(self, tr("Save as"), "moontable.png", "*.png")
        if file:
            self.save(Path(file))

    def _say(self, words: str) -> None:
        self.said.setText(words)
        self.said.show()


class Picture(QWidget):
    """A picture as large as there is room for; its words are read by a screen reader."""

    def __init__(self, image: QImage, words: str) -> None:
        super().__init__()
        self.image = image
        self.setAccessibleName(words)
        self.setMinimumSize(LEAST_PICTURE)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def paintEvent(self, event: QPaintEvent | None) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        size = SIZE.scaled(QRectF(self.rect()).size(), Qt.AspectRatioMode.KeepAspectRatio)
        area = QRectF(QRectF(self.rect()).topLeft(), size)
        area.moveCenter(QRectF(self.rect()).center())
        painter.drawImage(area, self.image)
