"""Measuring windows: what is cut off, and all the words there are."""

from __future__ import annotations

from collections.abc import Iterator

from PyQt6.QtCore import QRect, Qt
from PyQt6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QMenu,
    QScrollArea,
    QTabBar,
    QTableWidget,
    QTextBrowser,
    QWidget,
    QWizardPage,
)

# What a style keeps free at both ends of an item's words.
ITEM_MARGIN = 2
ARROW = 20


def family(window: QWidget, kind: type) -> Iterator[QWidget]:
    """Yield the visible widgets of a kind within a window."""
    found: list[object] = window.findChildren(kind)
    for widget in found:
        if isinstance(widget, QWidget) and widget.isVisible():
            yield widget


def cut_off(window: QWidget) -> list[str]:
    """Return everything in a window whose words have too little room."""
    return [
        *clipped(window),
        *overflowing(window),
        *elided_items(window),
        *elided_cells(window),
        *elided_tabs(window),
        *elided_choices(window),
    ]


def clipped(window: QWidget) -> Iterator[str]:
    """Yield the words of every visible label or button that is smaller than its words need."""
    for widget in (*family(window, QLabel), *family(window, QAbstractButton)):
        if not isinstance(widget, QLabel | QAbstractButton) or not widget.text():
            continue
        wraps = isinstance(widget, QLabel) and widget.wordWrap()
        words = [] if "<" in widget.text() else widget.text().replace("-", " ").split()
        if wraps and max(map(widget.fontMetrics().horizontalAdvance, words), default=0) > widget.width():
            yield f"{widget.text()!r}: a word is wider than {widget.width()}"
        needed = widget.heightForWidth(widget.width()) if wraps else widget.sizeHint().height()
        if widget.height() < needed or (not wraps and widget.width() < widget.sizeHint().width()):
            yield f"{widget.text()!r}: {widget.width()}x{widget.height()}"


def overflowing(window: QWidget) -> Iterator[str]:
    """Yield the scroll areas whose content is wider than they are."""
    for area in family(window, QScrollArea):
        assert isinstance(area, QScrollArea)
        inside, viewport = area.widget(), area.viewport()
        if inside is not None and viewport is not None and inside.width() > viewport.width():
            yield f"{area.accessibleName()}: {inside.width()} in {viewport.width()}"


def elided_items(window: QWidget) -> Iterator[str]:
    """Yield the lines of lists that are not shown whole."""
    for shown in family(window, QListWidget):
        assert isinstance(shown, QListWidget)
        for row in range(shown.count()):
            item = shown.item(row)
            if item is None or item.isHidden():
                continue
            room = shown.visualItemRect(item)
            viewport = shown.viewport()
            if viewport is not None:
                room.setWidth(min(room.width(), viewport.width()))
            wrap = Qt.TextFlag.TextWordWrap if shown.wordWrap() else Qt.TextFlag.TextSingleLine
            given = QRect(0, 0, room.width() - 2 * ITEM_MARGIN, 10_000)
            needed = shown.fontMetrics().boundingRect(given, wrap, item.text())
            if needed.height() > room.height() or needed.width() > room.width():
                yield f"{item.text()!r}: {room.width()}x{room.height()}"


def elided_cells(window: QWidget) -> Iterator[str]:
    """Yield the cells of tables that are not shown whole; a path may be read in the tool tip."""
    for table in family(window, QTableWidget):
        assert isinstance(table, QTableWidget)
        for column in range(table.columnCount()):
            heads = [table.horizontalHeaderItem(column)]
            for item in (*heads, *(table.item(row, column) for row in range(table.rowCount()))):
                if item is None or "/" in item.toolTip():  # a path cannot be wrapped
                    continue
                room = QRect(0, 0, table.columnWidth(column) - 2 * ITEM_MARGIN, 10_000)
                is_head = item is heads[0] or not table.wordWrap()
                wrap = Qt.TextFlag.TextSingleLine if is_head else Qt.TextFlag.TextWordWrap
                needed = table.fontMetrics().boundingRect(room, wrap, item.text())
                height = table.fontMetrics().height() if is_head else table.rowHeight(item.row())
                if needed.width() > table.columnWidth(column) or needed.height() > height:
                    yield f"{item.text()!r}: {table.columnWidth(column)}x{height} of {needed}"


def elided_tabs(window: QWidget) -> Iterator[str]:
    """Yield the tabs whose names are not shown whole."""
    for bar in family(window, QTabBar):
        assert isinstance(bar, QTabBar)
        for index in range(bar.count()):
            words = bar.tabText(index).replace("&", "")
            needed = bar.fontMetrics().horizontalAdvance(words)
            if bar.tabRect(index).width() < needed or bar.tabRect(index).right() > bar.width():
                yield f"{words!r}: {bar.tabRect(index).width()} of {needed}"


def elided_choices(window: QWidget) -> Iterator[str]:
    """Yield the choices that are not shown whole once chosen."""
    for box in family(window, QComboBox):
        assert isinstance(box, QComboBox)
        for index in range(box.count()):
            needed = box.fontMetrics().horizontalAdvance(box.itemText(index)) + ARROW
            if box.width() < needed:
                yield f"{box.itemText(index)!r}: {box.width()} of {needed}"


def words_of(window: QWidget) -> Iterator[str]:
    """Yield all words in a window, those for screen readers too."""
    for widget in (window, *window.findChildren(QWidget)):
        yield from (widget.windowTitle(), widget.toolTip(), widget.accessibleName())
        yield widget.accessibleDescription()
        match widget:
            case QLabel() | QAbstractButton():
                yield widget.text()
            case QLineEdit():
                yield widget.placeholderText()
            case QGroupBox():
                yield widget.title()
            case QTextBrowser():
                yield widget.toPlainText()
            case QWizardPage():
                yield from (widget.title(), widget.subTitle())
            case QMenu():
                yield from (action.text() for action in widget.actions())
            case QTabBar():
                yield from (widget.tabText(index) for index in range(widget.count()))
            case QComboBox():
                yield from (widget.itemText(index) for index in range(widget.count()))
            case QListWidget():
                items = [widget.item(row) for row in range(widget.count())]
                yield from (item.text() for item in items if item is not None)
            case QTableWidget():
                yield from _cells(widget)
            case _:
                pass


def _cells(table: QTableWidget) -> Iterator[str]:
    for column in range(table.columnCount()):
        heads = [table.horizontalHeaderItem(column)]
        for item in (*heads, *(table.item(row, column) for row in range(table.rowCount()))):
            if item is not None:
                yield item.text()
