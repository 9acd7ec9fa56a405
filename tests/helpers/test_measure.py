"""The measures themselves find what is cut off."""

from __future__ import annotations

from PyQt6.QtWidgets import (
    QComboBox,
    QLabel,
    QListWidget,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.helpers.measure import cut_off, words_of

LONG = "a word that is much too long for its place"


def crowded(inside: QWidget, width: int, qtbot: QtBot) -> QWidget:
    """Return a window of this width with the widget in it."""
    window = QWidget()
    qtbot.addWidget(window)
    inside.setParent(window)
    column = QVBoxLayout(window)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(inside)
    inside.setMinimumWidth(1)
    window.setFixedWidth(width)
    window.show()
    return window


def a_label() -> QWidget:
    """Return a label that does not wrap."""
    return QLabel(LONG)


def a_list() -> QWidget:
    """Return a list that does not wrap."""
    made = QListWidget()
    made.addItem(LONG)
    return made


def a_table() -> QWidget:
    """Return a table with one narrow column."""
    made = QTableWidget(1, 1)
    made.setHorizontalHeaderLabels(["head"])
    made.setItem(0, 0, QTableWidgetItem(LONG))
    made.setColumnWidth(0, 60)
    return made


def a_choice() -> QWidget:
    """Return a choice."""
    made = QComboBox()
    made.addItem(LONG)
    return made


def test_what_is_cut_off_is_found(qtbot: QtBot) -> None:
    """Labels, lists, tables and choices that are too narrow are all named."""
    for make in (a_label, a_list, a_table, a_choice):
        window = crowded(make(), 90, qtbot)

        assert any(LONG in fault for fault in cut_off(window)), make.__name__
        assert LONG in set(words_of(window))


def test_what_fits_is_not_named(qtbot: QtBot) -> None:
    """With room enough nothing is found."""
    for make in (a_label, a_list, a_choice):
        assert [] == cut_off(crowded(make(), 700, qtbot))
