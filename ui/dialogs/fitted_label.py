"""A label whose letters are as large as its words leave room for."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QRect, QSize, Qt
from PyQt6.QtGui import QFont, QFontMetrics, QResizeEvent
from PyQt6.QtWidgets import QLabel, QSizePolicy

LEAST_PX: Final = 9


class FittedLabel(QLabel):
    """Words in the largest letters, up to a limit, with which all of them fit into the label.

    The label takes the room that it is given and asks for none.
    """

    def __init__(self, role: str) -> None:
        super().__init__()
        self._largest_px = LEAST_PX
        self._px = 0
        self.setProperty("role", role)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)

    @property
    def line_px(self) -> int:
        """How high a line of the largest letters is, pixels."""
        return self._metrics(self._largest_px).height()

    def set_largest(self, largest_px: int) -> None:
        """Set how large letters may become."""
        self._largest_px = max(largest_px, LEAST_PX)
        self.ensurePolished()
        self._fit()

    def show_words(self, words: str) -> None:
        """Show other words."""
        if words != self.text():
            self.setText(words)
            self._fit()

    def _metrics(self, px: int) -> QFontMetrics:
        font = QFont(self.font())
        font.setPixelSize(px)
        return QFontMetrics(font)

    def _fits(self, px: int) -> bool:
        """Whether all words fit in letters of this size."""
        metrics = self._metrics(px)
        flags = Qt.TextFlag.TextWordWrap | self.alignment()
        room = self.contentsRect()
        needed = metrics.boundingRect(QRect(0, 0, room.width(), 0), int(flags), self.text())
        return needed.width() <= room.width() and needed.height() <= room.height()

    def _fit(self) -> None:
        """Take the largest letters that fit; smaller than the least ones none are."""
        least, most = LEAST_PX, self._largest_px
        while least < most:
            px = (least + most + 1) // 2
            least, most = (px, most) if self._fits(px) else (least, px - 1)
        if least != self._px:
            self._px = least
            self.setStyleSheet(f"font-size: {least}px;")

    def minimumSizeHint(self) -> QSize:
        """Return that no room is needed."""
        return QSize(0, 0)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Fit the letters to the new size."""
        super().resizeEvent(event)
        self._fit()
