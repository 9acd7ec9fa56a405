"""Correcting the past: any accepted action can be replaced, and everything after it is computed again."""

from __future__ import annotations

from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtGui import QPixmap, QResizeEvent
from PyQt6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ui.controller.bridge import ControllerBridge
from ui.controller.evidence import decoded_picture
from ui.controller.view_state import HistoryLine, ViewState
from ui.painting.table_view import TableScene, TableTwin
from ui.text import opening, said, tr
from ui.theme import Theme

PICTURE_WH = (420, 236)


class MendDialog(QDialog):
    """The timeline on the left, the possible replacements on the right, the consequences below."""

    def __init__(
        self,
        bridge: ControllerBridge,
        history: tuple[HistoryLine, ...],
        number: int,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.scene = TableScene(theme)
        self.scene.is_still = True
        self.twin = TableTwin(self.scene)
        self.twin.setFixedHeight(PICTURE_WH[1])
        self.twin.setMinimumWidth(PICTURE_WH[0])
        self.twin.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.twin.setAccessibleName(tr("The table at that moment"))
        self.setWindowTitle(tr("Correct an action"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.timeline = QListWidget()
        self.timeline.setAccessibleName(tr("What was recorded"))
        self.picture = QLabel()
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.picture.setWordWrap(True)
        self.picture.setMinimumSize(*PICTURE_WH)
        self.picture.setAccessibleName(tr("What the camera saw"))
        self.instead = QListWidget()
        self.instead.setAccessibleName(tr("What really happened"))
        for shown in (self.timeline, self.instead):
            shown.setWordWrap(True)
            shown.setResizeMode(QListWidget.ResizeMode.Adjust)
            shown.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search"))
        self.search.setAccessibleName(tr("Search what really happened"))
        self.outcome = QLabel(tr("Choose what really happened; everything after it is worked out again."))
        self.outcome.setWordWrap(True)
        self.mend_button = QPushButton(tr("Correct"))
        self.mend_button.setProperty("role", "main")
        self.mend_button.setDefault(True)
        self._lay_out()
        self.timeline.currentItemChanged.connect(self._offer)
        self.instead.itemActivated.connect(self._mend)
        self.search.textChanged.connect(self._narrow)
        self.mend_button.clicked.connect(self._mend)
        bridge.mended.connect(self._tell)
        bridge.evidence.connect(self._show_evidence)
        bridge.refused.connect(self.outcome.setText)
        bridge.mishaps.told.connect(self._fail)
        bridge.changed.connect(self._follow)
        self._show(history, number)
        self.resize(900, 640)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self._reveal)  # after the list has wrapped its lines again

    def _reveal(self) -> None:
        """Scroll to the chosen action."""
        if (item := self.timeline.currentItem()) is not None:
            self.timeline.scrollToItem(item)

    def _lay_out(self) -> None:
        left, right = QVBoxLayout(), QVBoxLayout()
        left.addWidget(QLabel(tr("What was recorded")))
        left.addWidget(self.timeline, 1)
        pictures = QHBoxLayout()
        pictures.addWidget(self.twin, 1)
        pictures.addWidget(self.picture, 1)
        right.addWidget(QLabel(tr("What really happened")))
        right.addWidget(self.search)
        right.addWidget(self.instead)
        lists = QHBoxLayout()
        lists.addLayout(left, 1)
        lists.addLayout(right, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self.mend_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(lists, 1)
        column.addLayout(pictures)
        column.addWidget(self.outcome)
        column.addWidget(buttons)

    def _fail(self, why: str) -> None:
        self.outcome.setText(said(why))

    def _follow(self, shown: ViewState) -> None:
        self._show(shown.history, self._number())

    def _show(self, history: tuple[HistoryLine, ...], number: int | None) -> None:
        """Fill the timeline and stay at the same action if it is still there."""
        self.timeline.blockSignals(True)
        self.timeline.clear()
        row = len(history) - 1
        for index, line in enumerate(history):
            item = QListWidgetItem(f"{line.turn}.  {opening(line.text)}")
            item.setData(Qt.ItemDataRole.UserRole, line.number)
            self.timeline.addItem(item)
            if line.number == number:
                row = index
        self.timeline.setCurrentRow(row)
        self.timeline.blockSignals(False)
        self._offer()

    def _number(self) -> int | None:
        item = self.timeline.currentItem()
        return None if item is None else int(item.data(Qt.ItemDataRole.UserRole))

    def _offer(self) -> None:
        """List the actions that could replace the chosen one."""
        self.instead.clear()
        number = self._number()
        if number is None:
            return
        self._bridge.ask_evidence(number)
        self.scene.show_view(self._bridge.table_after(number))
        nothing = QListWidgetItem(tr("Nothing: this never happened"))
        self.instead.addItem(nothing)
        for entry in self._bridge.alternatives(number):
            item = QListWidgetItem(opening(entry.text))
            item.setData(Qt.ItemDataRole.UserRole, entry)
            self.instead.addItem(item)
        self._narrow(self.search.text())

    def _show_evidence(self, number: int, data: bytes | None) -> None:
        """Show the picture kept with the chosen action, or a note that there is none."""
        if number != self._number():
            return
        if data is None:
            self.picture.setText(tr("No picture was saved with this action."))
            return
        pixels = QPixmap.fromImage(decoded_picture(data))
        self.picture.setPixmap(
            pixels.scaled(
                *PICTURE_WH, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
        )

    def _narrow(self, words: str) -> None:
        for row in range(self.instead.count()):
            item = self.instead.item(row)
            if item is not None:
                item.setHidden(words.lower() not in item.text().lower())

    def _mend(self) -> None:
        number, chosen = self._number(), self.instead.currentItem()
        if number is None or chosen is None:
            self.outcome.setText(tr("Choose on the right what really happened."))
            return
        self._bridge.mend(number, chosen.data(Qt.ItemDataRole.UserRole))

    def _tell(self, changes: tuple[str, ...]) -> None:
        told = "; ".join(changes) or tr("nothing else changes")
        self.outcome.setText(tr("Corrected. As a result: {changes}.", changes=told))
