"""Questions about single tiles of a photograph: which one it is, or which numbers it shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import QComboBox, QGridLayout, QLabel, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from companion.view_model import CameraView
from ui.painting.camera_view import pixmap_of
from ui.text import opening, said, tr
from ui.wizard.guide import NamedTile, Naming

PICTURE_PX: Final = 132
BOXES_WH: Final = (260, 84)
# The answer for which numbers are typed, and the digits allowed.
OTHER: Final = 0
DIGITS: Final = "123456789"
GAP_PX: Final = 14
# From this size of text on there is no room for the answers beside the question.
BELOW_SCALE: Final = 1.3


class TileQuestions(QScrollArea):
    """A row for each tile: its picture, the question beside its boxes, the answers.

    The program is not sure of any answer it asks for, so none is preselected.

    Signals:
        changed: another answer was chosen.
    """

    changed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self._asked: tuple[NamedTile, ...] = ()
        self.answers: list[QComboBox] = []
        self.typed: list[QLineEdit] = []

    def ask(self, naming: Naming, scale: float = 1.0) -> None:
        """Ask about some of the tiles, with the likeliest answers first and none preselected."""
        self._asked = naming.asked
        self.answers, self.typed = [], []
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setColumnStretch(1, 1)
        grid.setHorizontalSpacing(round(GAP_PX * scale))
        for row, tile in enumerate(self._asked):
            picture, question, answer = QLabel(), QLabel(_question(tile, naming)), QComboBox()
            edge = round(PICTURE_PX * scale)
            _show(tile.picture, picture, edge, edge)
            question.setWordWrap(True)
            question.setBuddy(answer)
            answer.setAccessibleName(question.text())
            for text, value in _answers(tile):
                answer.addItem(text, value)
            answer.setPlaceholderText(tr("Choose …"))
            answer.setCurrentIndex(-1)
            answer.currentIndexChanged.connect(self._choice_changed)
            typed = self._line_for(tile)
            answered = QVBoxLayout()
            answered.addStretch()
            answered.addWidget(answer)
            answered.addWidget(typed)
            answered.addStretch()
            asked = QVBoxLayout()
            asked.addWidget(question)
            if tile.boxes is not None:
                boxes = QLabel()
                _show(tile.boxes, boxes, round(BOXES_WH[0] * scale), round(BOXES_WH[1] * scale))
                asked.addWidget(boxes)
            grid.addWidget(picture, row, 0)
            grid.addLayout(asked, row, 1)
            if scale >= BELOW_SCALE:
                asked.addLayout(answered)
            else:
                grid.addLayout(answered, row, 2)
            self.answers.append(answer)
            self.typed.append(typed)
        grid.setRowStretch(len(self._asked), 1)
        self.setWidget(inside)
        if self.answers:
            self.answers[0].setFocus()

    @property
    def is_answered(self) -> bool:
        """Whether every tile has an answer, and no tile was chosen twice."""
        return all(value is not None for _, value in self._answered()) and not self.clash()

    def names(self) -> dict[str, str]:
        """Return the tile chosen for each cell, if names were asked for; unanswered cells are left out."""
        return {
            tile.cell: value
            for tile, value in self._answered()
            if not tile.is_sure and isinstance(value, str)
        }

    def own_values(self) -> dict[str, tuple[int, ...]]:
        """Return the numbers of the tiles that differ from the game's list, by tile."""
        return {
            tile.tile: value
            for tile, value in self._answered()
            if isinstance(value, tuple) and value != tile.listed
        }

    def clash(self) -> str:
        """Return a text on the tile that was chosen twice; empty if there is none."""
        chosen = list(self.names().values())
        twice = next((one for one in chosen if chosen.count(one) > 1), None)
        names = {tile: name for one in self._asked for tile, name in one.choices}
        return "" if twice is None else tr("There is only one {tile}.", tile=said(names[twice]))

    def _answered(self) -> Iterator[tuple[NamedTile, str | tuple[int, ...] | None]]:
        """Yield each tile with its name or its numbers; None if it is not answered."""
        for tile, answer, typed in zip(self._asked, self.answers, self.typed, strict=True):
            is_other = answer.currentData() == OTHER
            yield tile, _numbers(typed.text(), len(tile.listed)) if is_other else answer.currentData()

    def _line_for(self, tile: NamedTile) -> QLineEdit:
        """Return the field for typing numbers that no answer offers."""
        line = QLineEdit()
        line.setPlaceholderText(" ".join("?" * len(tile.listed)))
        line.setAccessibleName(tr("The numbers in the boxes, left to right"))
        line.textChanged.connect(self.changed)
        line.hide()
        return line

    def _choice_changed(self) -> None:
        for answer, typed in zip(self.answers, self.typed, strict=True):
            typed.setVisible(answer.currentData() == OTHER)
        self.changed.emit()


def _question(tile: NamedTile, naming: Naming) -> str:
    rows: dict[int, list[int]] = {}
    for one in naming.tiles:
        row, column = map(int, one.cell.split(","))
        rows.setdefault(row, []).append(column)
    row, column = map(int, tile.cell.split(","))
    # Rows may differ in length, so count only the tiles that are there, as players do.
    place = sorted(rows[row]).index(column) + 1
    where = tr("Row {row} from the far side, place {column} from the left", row=row + 1, column=place)
    what = tr("Which tile is this?") if not tile.is_sure else opening(said(tile.name))
    return f"{where}\n{what}"


def _answers(tile: NamedTile) -> list[tuple[str, object]]:
    if not tile.is_sure:
        return [(opening(said(name)), one) for one, name in tile.choices]
    seen, listed = (" ".join(map(str, each)) for each in (tile.seen, tile.listed))
    other = [] if tile.seen == tile.listed else [(tr("It shows {numbers}", numbers=seen), tile.seen)]
    return [
        (tr("It shows {numbers}, as listed", numbers=listed), tile.listed),
        *other,
        (tr("It shows different numbers:"), OTHER),
    ]


def _numbers(text: str, count: int) -> tuple[int, ...] | None:
    """Return the typed numbers, 1 to 9, one for each box; None if the text is anything else."""
    found = tuple(int(each) for each in text if each in DIGITS)
    is_else = any(each not in DIGITS and each not in " ,;" for each in text)
    return None if is_else or len(found) != count else found


def _show(view: CameraView, label: QLabel, width: int, height: int) -> None:
    """Show a picture, at most this large."""
    label.setPixmap(
        pixmap_of(view).scaled(
            width, height, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
    )
