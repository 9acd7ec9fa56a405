"""A layout that puts widgets in rows and starts a new row when the next one does not fit."""

from __future__ import annotations

from PyQt6.QtCore import QPoint, QRect, QSize, Qt
from PyQt6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Rows of widgets in their preferred sizes; nothing is ever cut off, however long its text is."""

    def __init__(self, parent: QWidget | None = None, gap: int = 6) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self._least: QSize | None = None
        self.setContentsMargins(0, 0, 0, 0)

    def used(self, width: int) -> QSize:
        """Return what the rows take of a width, and how high they are together."""
        return self._arrange(QRect(0, 0, width, 0), is_trial=True)

    def _arrange(self, area: QRect, *, is_trial: bool) -> QSize:
        """Place the items, or only measure them; return the size that they take together."""
        x, y, row_height, right = area.x(), area.y(), 0, area.x()
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            if x > area.x() and x + size.width() > area.right() + 1:
                x, y, row_height = area.x(), y + row_height + self._gap, 0
            if not is_trial:
                item.setGeometry(QRect(QPoint(x, y), QSize(min(size.width(), area.width()), size.height())))
            right = max(right, x + size.width())
            x += size.width() + self._gap
            row_height = max(row_height, size.height())
        return QSize(right - area.x(), y + row_height - area.y())

    def addItem(self, item: QLayoutItem | None) -> None:
        if item is not None:
            self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self.used(width).height()

    def setGeometry(self, area: QRect) -> None:
        super().setGeometry(area)
        self._arrange(area, is_trial=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def invalidate(self) -> None:
        self._least = None
        super().invalidate()

    def minimumSize(self) -> QSize:
        if self._least is not None:
            return self._least
        widest = max((item.minimumSize().width() for item in self._items), default=0)
        tallest = max((item.minimumSize().height() for item in self._items), default=0)
        self._least = QSize(widest, tallest)
        return self._least
