"""The game so far: one line for each accepted action, each of which can be viewed and corrected."""

from __future__ import annotations

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QShowEvent
from PyQt6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from ui.controller.view_state import HistoryLine
from ui.text import opening, tr

# One line of it is always in sight.
LEAST_PX = 40


class LogPanel(QWidget):
    """A list, newest last, that stays scrolled to its end unless someone has scrolled up.

    Signals:
        picked: number of the action to correct.
    """

    picked = pyqtSignal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[HistoryLine, ...] = ()
        self._is_following = True
        self.list = QListWidget()
        self.list.setAccessibleName(tr("The game so far"))
        self.list.setToolTip(tr("Press Enter or double-click to correct an action."))
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemActivated.connect(self._pick)
        self.list.setMinimumHeight(LEAST_PX)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.addWidget(self.list)

    def show_lines(self, lines: tuple[HistoryLine, ...]) -> None:
        """Bring the list up to date, touching only what changed."""
        if lines == self._lines:
            return
        same = 0
        for old, new in zip(self._lines, lines, strict=False):
            if old != new:
                break
            same += 1
        if self.isVisible():
            self._is_following = self._is_at_end()
        while self.list.count() > same:
            self.list.takeItem(self.list.count() - 1)
        for line in lines[same:]:
            item = QListWidgetItem(f"{line.turn}.  {opening(line.text)}")
            item.setData(Qt.ItemDataRole.UserRole, line.number)
            self.list.addItem(item)
        self._lines = lines
        if self._is_following and self.isVisible():  # scrolling measures all lines
            self.list.scrollToBottom()

    def showEvent(self, event: QShowEvent | None) -> None:
        """Scroll to the lines that came while the list was hidden."""
        super().showEvent(event)
        if self._is_following:
            self.list.scrollToBottom()

    def _is_at_end(self) -> bool:
        bar = self.list.verticalScrollBar()
        return bar is None or bar.value() >= bar.maximum() - 2

    def _pick(self, item: QListWidgetItem) -> None:
        self.picked.emit(int(item.data(Qt.ItemDataRole.UserRole)))
