"""A table to lay out as shown; to match one that is laid out already, tiles are swapped or cards named."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QVBoxLayout, QWidget

from companion.errors import CompanionError
from companion.table import Place, Value
from companion.view_model import Mark, Option
from ui.correction import place_menu
from ui.painting.table_view import TableScene, TableTwin
from ui.text import said, tr
from ui.theme import Theme
from ui.wizard.guide import Dealt


class DealtTable(QWidget):
    """The dealt table, and a button that deals another one.

    `deal` returns a new table; `swap` returns one with two tiles swapped; `choices` returns what may lie at a
    place; `relay` returns a table with something else there. They may raise CompanionError.

    Signals:
        changed: another table is shown.
    """

    changed = pyqtSignal()

    def __init__(
        self,
        theme: Theme,
        deal: Callable[[], Dealt],
        swap: Callable[[Dealt, Place, Place], Dealt],
        choices: Callable[[Dealt, Place], tuple[Option, ...]] | None = None,
        relay: Callable[[Dealt, Place, Value], Dealt] | None = None,
    ) -> None:
        super().__init__()
        self.dealt: Dealt | None = None
        self._deal = deal
        self._swap = swap
        self._choices = choices
        self._relay = relay
        self.menu: QMenu | None = None
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
        self._try(self._deal)

    def _choose(self, place: str) -> None:
        """Select a tile, deselect it, or swap it with the selected one; offer what else may lie here."""
        tile = self.scene.tile_of(Place(place))
        if self.dealt is None:
            return
        if tile is None:
            self._offer(self.dealt, Place(place))
            return
        taken, self._taken = self._taken, None
        if taken is None:
            self._taken = tile.place
            self.notes.setText(tr("Now click the tile to swap it with."))
        elif taken == tile.place:
            self.notes.setText("")
        else:
            self._try(partial(self._swap, self.dealt, taken, tile.place))
        self._mark()

    def _offer(self, dealt: Dealt, place: Place) -> None:
        """Open the menu of what may lie at a place, if there is a choice."""
        relay, view = self._relay, self.scene.view
        offered = () if self._choices is None else said(self._choices(dealt, place))
        if relay is None or view is None or not offered:
            return

        def lay(where: Place, value: Value) -> None:
            self._try(partial(relay, dealt, where, value))

        self.menu = place_menu(self.twin, place, view, lambda _: offered, lay)
        self.menu.aboutToHide.connect(self.menu.deleteLater)
        self.menu.popup(self.twin.middle_of(place))

    def _try(self, make: Callable[[], Dealt]) -> None:
        """Show another table, or say why there is none."""
        try:
            self._show(make())
        except CompanionError as error:
            self.notes.setText(f"✗ {said(str(error))}")

    def _show(self, dealt: Dealt) -> None:
        self.dealt, self._taken = dealt, None
        self.scene.show_view(said(dealt.table))
        self.notes.setText("")
        self._mark()
        self.changed.emit()

    def _mark(self) -> None:
        self.scene.set_marks({} if self._taken is None else {self._taken: Mark.DUE})
