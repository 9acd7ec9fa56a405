"""A table to lay out as shown; to match one that is already laid out, two clicks swap two tiles."""

from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from companion.errors import CompanionError
from companion.table import Place
from companion.view_model import Mark
from ui.painting.table_view import TableScene, TableTwin
from ui.text import said, tr
from ui.theme import Theme
from ui.wizard.guide import Dealt


class DealtTable(QWidget):
    """The dealt table, and a button that deals another one.

    `deal` returns a new table; `swap` returns one with two tiles swapped, or raises CompanionError.

    Signals:
        changed: another table is shown.
    """

    changed = pyqtSignal()

    def __init__(
        self, theme: Theme, deal: Callable[[], Dealt], swap: Callable[[Dealt, Place, Place], Dealt]
    ) -> None:
        super().__init__()
        self.dealt: Dealt | None = None
        self._deal = deal
        self._swap = swap
        self._taken: Place | None = None
        self.scene = TableScene(theme)
        self.scene.is_still = True
        self.scene.chosen.connect(self._choose)
        self.twin = TableTwin(self.scene)
        self.shuffle = QPushButton(tr("Shuffle again"))
        self.shuffle.clicked.connect(self.deal)
        self.notes = QLabel()
        self.notes.setWordWrap(True)
        buttons = QHBoxLayout()
        buttons.addWidget(self.shuffle)
        buttons.addWidget(self.notes, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.twin, 1)
        column.addLayout(buttons)

    def deal(self) -> None:
        """Show another table."""
        try:
            self._show(self._deal())
        except CompanionError as error:
            self.notes.setText(f"✗ {said(str(error))}")

    def _choose(self, place: str) -> None:
        """Select a tile, deselect it, or swap it with the selected one."""
        tile = self.scene.tile_of(Place(place))
        if tile is None or self.dealt is None:
            return
        taken, self._taken = self._taken, None
        if taken is None:
            self._taken = tile.place
            self.notes.setText(tr("Now click the tile to swap it with."))
        elif taken == tile.place:
            self.notes.setText("")
        else:
            try:
                self._show(self._swap(self.dealt, taken, tile.place))
            except CompanionError as error:
                self.notes.setText(f"✗ {said(str(error))}")
        self._mark()

    def _show(self, dealt: Dealt) -> None:
        self.dealt, self._taken = dealt, None
        self.scene.show_view(said(dealt.table))
        self.notes.setText("")
        self._mark()
        self.changed.emit()

    def _mark(self) -> None:
        self.scene.set_marks({} if self._taken is None else {self._taken: Mark.DUE})
