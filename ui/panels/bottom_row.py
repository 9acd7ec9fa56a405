"""The row below the table: what is pointed at, and the buttons that are always there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PyQt6.QtCore import QEvent, QObject, QSize, Qt
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from ui.panels.flow_layout import FlowLayout
from ui.theme import Theme, words_sheet

INSPECTOR_PX: Final = 54
# The share of the row that its buttons may have, and how small their text may become for that.
BUTTONS_SHARE: Final = 0.75
LEAST_SCALE: Final = 0.6
SCALE_STEP: Final = 0.04


class BottomRow(QWidget):
    """Text and buttons as large as chosen.

    Where the buttons do not fit side by side they stand in two rows, and are smaller if that is not enough.
    """

    def __init__(self, buttons: Sequence[QPushButton], theme: Theme, scale: float) -> None:
        super().__init__()
        self._theme = theme
        self._wanted = scale
        self._scale = scale
        self.inspector = QLabel()
        self.inspector.setWordWrap(True)
        self.inspector.setProperty("role", "small")
        # As high as its longest text, so that nothing moves away from under the pointer.
        self.inspector.setFixedHeight(round(INSPECTOR_PX * scale))
        self._buttons = QWidget()
        self._buttons.installEventFilter(self)  # of a fixed size, it tells no layout what its buttons need
        self._flow = FlowLayout(self._buttons)
        for button in buttons:
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click must not redirect the next Enter
            self._flow.addWidget(button)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.inspector, 1)
        row.addWidget(self._buttons)

    def _fit(self) -> None:
        """Make the text as large as fits."""
        room = round(BUTTONS_SHARE * self.width())
        while self._scale > LEAST_SCALE and not self._fits(room):
            self._set_scale(max(LEAST_SCALE, self._scale - SCALE_STEP))
        self._buttons.setFixedSize(self._flow.used(room))

    def _fits(self, room: int) -> bool:
        """Whether the buttons fit into the room and beside the text."""
        used = self._flow.used(room)
        return used.width() <= room and used.height() <= self.inspector.height()

    def _set_scale(self, scale: float) -> None:
        self._scale = scale
        self._buttons.setStyleSheet("" if scale == self._wanted else words_sheet(self._theme, scale))

    def minimumSizeHint(self) -> QSize:
        """Return what the widest button needs in the smallest text."""
        widest = self._flow.minimumSize().width() * min(1.0, LEAST_SCALE / self._scale)
        return QSize(round(widest / BUTTONS_SHARE), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Fit the text to the new width."""
        super().resizeEvent(event)
        if (
            self._scale < self._wanted
            and event is not None
            and event.size().width() > event.oldSize().width()
        ):
            self._set_scale(self._wanted)
        self._fit()

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Fit the text again when a button has other words, comes or goes."""
        if event is not None and event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self._fit()
        return False
