"""The list of keys."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QSize
from PyQt6.QtGui import QShowEvent
from PyQt6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ui.text import tr

# Characters in a line, lines in a row with its spacing, and the largest share of the screen to take.
LINE: Final = 84
ROW: Final = 1.75
MOST: Final = 0.9


def keys() -> tuple[tuple[str, str], ...]:
    """Return the keys and what they do."""
    return (
        ("Enter", tr("mark the selected or the top prompt as done")),
        ("1 … 9", tr("answer the question")),
        ("E", tr("end the turn")),
        ("C", tr("hold to see the crystals")),
        ("Ctrl+Z, Ctrl+Y", tr("undo, redo")),
        ("F1", tr("rules for this moment")),
        ("F2", tr("correct an accepted action")),
        ("Ctrl+1 … Ctrl+5", tr("the language")),
        (tr("Arrows, Enter"), tr("move around the table, correct what is there")),
        (tr("Menu, Shift+F10"), tr("everything that can be on the place in focus")),
        ("R", tr("the table was misread, the game is right")),
        ("Esc", tr("not now: hide it until the table changes")),
        ("Ctrl+M", tr("report a misread or an error")),
        ("Ctrl+R", tr("the report, with charts")),
        ("Ctrl+E", tr("after the end: the standings, to share")),
        ("Ctrl+O", tr("past games: continue, replay, delete, statistics")),
        ("Ctrl+L", tr("the people who play: names, colours, export, delete")),
        ("Ctrl+T", tr("set up camera and profile again")),
        ("P", tr("pause the game, or go on")),
        ("S", tr("spoken prompts on or off")),
        ("V, O", tr("large or small camera picture; what was recognised")),
        ("Ctrl+B, Ctrl+,", tr("sounds on or off; preferences")),
        ("G, T", tr("at a glance; table mode")),
        ("L, [ ], B", tr("the sensor table's lights, brightness, buzzer")),
        ("N, H", tr("light up where the figure can go; health of the sensor table")),
        ("D, Ctrl + −", tr("dark or light theme; text size")),
        ("M, F11", tr("moving pieces on or off; full screen")),
        ("Ctrl+H", tr("share the game with phones")),
        ("Ctrl+Q", tr("quit; nothing is lost")),
    )


class KeysWindow(QDialog):
    """The keys and what they do, one below the other; on a small screen the list scrolls."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Keys"))
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setHorizontalSpacing(24)
        for row, (key, what) in enumerate(keys()):
            name = QLabel(f"<b>{key}</b>")
            grid.addWidget(name, row, 0)
            words = QLabel(what)
            words.setWordWrap(True)
            grid.addWidget(words, row, 1)
        grid.setColumnStretch(1, 1)
        self.list = QScrollArea()
        self.list.setAccessibleName(tr("Keys"))
        self.list.setWidget(inside)
        self.list.setWidgetResizable(True)
        inside.setAutoFillBackground(False)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.list, 1)
        column.addWidget(buttons)

    def showEvent(self, event: QShowEvent | None) -> None:
        """Take the height that all keys need, or what the screen has."""
        metrics = self.fontMetrics()
        wanted = QSize(LINE * metrics.averageCharWidth(), round(len(keys()) * ROW * metrics.lineSpacing()))
        screen = self.screen()
        self.resize(wanted if screen is None else wanted.boundedTo(screen.availableSize() * MOST))
        super().showEvent(event)
