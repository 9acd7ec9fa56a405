"""Who plays: a row for each player, put in order by dragging, by keys or at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from PyQt6.QtCore import QPoint, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QMouseEvent
from PyQt6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.painting.marker_icon import MARKER_PX, marker_icon
from ui.text import player_name, tr
from ui.ties import tie


class SeatsEditor(QWidget):
    """The players in the order of play; each has another colour where the game has coloured pieces.

    `rng` draws the order; `remembered` are names to choose from; `fault_of` says what is wrong with one.

    Signals:
        changed: players, colours or order have changed.
    """

    changed = pyqtSignal()

    def __init__(
        self,
        rng: random.Random,
        remembered: Sequence[str] = (),
        fault_of: Callable[[str], str] = lambda _: "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.rows: list[SeatRow] = []
        self._remembered = tuple(remembered)
        self._fault_of = fault_of
        self._rng = rng
        self._colours: tuple[str, ...] = ()
        self._bounds = (1, 1)
        self._list = QVBoxLayout()
        self._list.setSpacing(4)
        self.add_button = QPushButton(tr("&Add a player"))
        tie(self.add_button.clicked, self.add_button, self.add)
        self.shuffle_button = QPushButton(tr("&Random order"))
        tie(self.shuffle_button.clicked, self.shuffle_button, self.shuffle)
        buttons = QHBoxLayout()
        buttons.addWidget(self.add_button)
        buttons.addWidget(self.shuffle_button)
        buttons.addStretch()
        self.trouble = QLabel()
        self.trouble.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._list)
        column.addLayout(buttons)
        column.addWidget(self.trouble)

    # -- what is chosen ---------------------------------------------------------------------------

    def seats(self) -> tuple[str, ...]:
        """Return the players as the record has them, in order."""
        return tuple(row.seat for row in self.rows)

    @property
    def is_complete(self) -> bool:
        """Whether the players can play together."""
        return self._bounds[0] <= len(self.rows) <= self._bounds[1] and not self._fault()

    def _fault(self) -> str:
        """Return what is wrong, in words; "" if the players can play together."""
        seats = [seat for seat in self.seats() if seat]
        if len(set(seats)) < len(seats):
            return tr("Each player needs a different colour.")
        names = [name.casefold() for name in self.names() if name]
        if len(set(names)) < len(names):
            return tr("Each player needs a different name.")
        return next((why for name in self.names() if name and (why := self._fault_of(name))), "")

    def names(self) -> tuple[str, ...]:
        """Return the people's names in the order of play, "" for who has none."""
        return tuple(row.name.currentText().strip() for row in self.rows)

    def show_seats(
        self,
        seats: tuple[str, ...],
        names: Mapping[str, str],
        colours: tuple[str, ...],
        bounds: tuple[int, int],
    ) -> None:
        """Show other players with their names; without `colours` nobody chooses one.

        `bounds` are how many may play, at least and at most.
        """
        self._colours, self._bounds = colours, bounds
        for row in self.rows:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = []
        for seat in seats:
            self._append(seat, names.get(seat, ""))
        self._tell()

    # -- changing ---------------------------------------------------------------------------------

    def add(self) -> None:
        """Add a player, with the first colour that nobody has."""
        free = [colour for colour in self._colours if colour not in self.seats()]
        if len(self.rows) < self._bounds[1]:
            self._append(free[0] if free else "")
            self.rows[-1].handle.setFocus()
            self._tell()

    def remove(self, row: SeatRow) -> None:
        """Remove a player."""
        if len(self.rows) > self._bounds[0]:
            number = self.rows.index(row)
            self.rows.remove(row)
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
            self.rows[min(number, len(self.rows) - 1)].handle.setFocus()
            self._tell()

    def reorder(self, row: SeatRow, to: int) -> None:
        """Move a player to another place in the order; one beyond the ends changes nothing."""
        if 0 <= to < len(self.rows) and self.rows[to] is not row:
            self.rows.remove(row)
            self.rows.insert(to, row)
            self._list.insertWidget(to, row)
            self._tell()

    def drag(self, row: SeatRow, where: QPoint) -> None:
        """Let a row follow the pointer, which is at `where` in this widget."""
        number = self.rows.index(row)
        if number > 0 and where.y() < self.rows[number - 1].geometry().center().y():
            self.reorder(row, number - 1)
        elif number < len(self.rows) - 1 and where.y() > self.rows[number + 1].geometry().center().y():
            self.reorder(row, number + 1)

    def shuffle(self) -> None:
        """Put the players into a random order."""
        order = self._rng.sample(self.rows, len(self.rows))
        for number, row in enumerate(order):
            self.reorder(row, number)
        self.changed.emit()

    def _append(self, seat: str, name: str = "") -> None:
        row = SeatRow(seat, name, self._colours, self._remembered)
        tie(row.handle.moved, row, lambda step: self.reorder(row, self.rows.index(row) + step))
        tie(row.handle.dragged, row, lambda where: self.drag(row, row.handle.mapTo(self, where)))
        tie(row.remove_button.clicked, row, lambda: self.remove(row))
        tie(row.colour.currentIndexChanged, row, self._tell)
        tie(row.name.currentTextChanged, row, self._tell)
        self.rows.append(row)
        self._list.addWidget(row)

    def _tell(self) -> None:
        """Number the rows, say what is wrong, and tell that something has changed."""
        for number, row in enumerate(self.rows):
            row.show_number(number, can_go=len(self.rows) > self._bounds[0])
        self.add_button.setVisible(self._bounds[0] < self._bounds[1])
        self.add_button.setEnabled(len(self.rows) < self._bounds[1])
        self.shuffle_button.setVisible(self._bounds[1] > 1)
        self.shuffle_button.setEnabled(len(self.rows) > 1)
        fault = self._fault()
        self.trouble.setText(f"✗ {fault}" if fault else "")
        self.trouble.setVisible(bool(fault))
        above: QWidget = self
        for row in self.rows:
            widgets: tuple[QWidget, ...] = (row.handle, row.name, row.colour, row.remove_button)
            for widget in widgets:
                QWidget.setTabOrder(above, widget)
                above = widget
        QWidget.setTabOrder(above, self.add_button)
        self.changed.emit()


class SeatRow(QFrame):
    """One player: a handle to move the row by, the place in the order, the colour of the pieces."""

    def __init__(self, seat: str, name: str, colours: tuple[str, ...], remembered: tuple[str, ...]) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._has_colours = bool(colours)
        self.handle = SeatHandle()
        self.number = QLabel()
        self.colour = QComboBox()
        self.colour.setIconSize(QSize(MARKER_PX, MARKER_PX))
        for colour in colours:
            self.colour.addItem(player_name(colour), colour)
        self.colour.setCurrentIndex(max(0, self.colour.findData(seat)))
        self.colour.setVisible(bool(colours))
        self.name = QComboBox()
        self.name.setEditable(True)
        self.name.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.name.addItems(["", *remembered])
        self.name.setMinimumContentsLength(8)
        self.name.setCurrentText(name)
        if (line := self.name.lineEdit()) is not None:
            line.setPlaceholderText(tr("Name"))
        self.remove_button = QPushButton("✕")
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 4, 6, 4)
        row.addWidget(self.handle)
        row.addWidget(self.number)
        row.addWidget(self.name, 1)
        row.addWidget(self.colour)
        row.addWidget(self.remove_button)

    @property
    def seat(self) -> str:
        """The player as the record has them; "" where nobody chooses a colour."""
        return str(self.colour.currentData()) if self._has_colours else ""

    def show_number(self, number: int, *, can_go: bool) -> None:
        """Show the place in the order, counted from 0, and whether the player can be left out."""
        place = number + 1
        self.number.setText(f"{place}.")
        self.handle.setAccessibleName(tr("Player {number}: move up or down", number=place))
        self.handle.setToolTip(tr("Drag to another place, or use the arrow keys"))
        self.colour.setAccessibleName(tr("Player {number}", number=place))
        self.name.setAccessibleName(tr("Name of player {number}", number=place))
        if (line := self.name.lineEdit()) is not None:
            line.setAccessibleName(self.name.accessibleName())
        self.remove_button.setAccessibleName(tr("Remove player {number}", number=place))
        self.remove_button.setToolTip(self.remove_button.accessibleName())
        self.remove_button.setVisible(can_go)
        for index in range(self.colour.count()):
            self.colour.setItemIcon(index, marker_icon(str(self.colour.itemData(index)), number))


class SeatHandle(QPushButton):
    """What a row is dragged by; with the arrow keys it goes up and down.

    Signals:
        moved: by so many places, -1 = up.
        dragged: the pointer is here now, in the handle's own coordinates.
    """

    moved = pyqtSignal(int)
    dragged = pyqtSignal(QPoint)

    def __init__(self) -> None:
        super().__init__("≡")
        self.setCursor(Qt.CursorShape.SizeVerCursor)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event is not None and event.key() in steps:
            self.moved.emit(steps[Qt.Key(event.key())])
            return
        super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        super().mouseMoveEvent(event)
        if event is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self.dragged.emit(event.position().toPoint())
