"""The people who are remembered: add, rename, favourite colour, export, delete."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from PyQt6.QtCore import QDateTime, QLocale, Qt, pyqtSignal
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from companion.errors import CompanionError
from companion.names import COLOURS
from companion.people.person import People, Person
from companion.people.store import PeopleStore
from companion.storage.files import written_whole
from ui.settings import Settings
from ui.text import colour_name, language, said, tr
from ui.theme import THEMES, dress
from ui.ties import tie

T = TypeVar("T")

NAME: Final = 0
WIDE: Final = (680, 460)


class PeopleWindow(QDialog):
    """A list of everybody, who played last first; names are edited in it.

    Signals:
        renamed: a name has changed or is gone; what shows names is to be told anew.
    """

    renamed = pyqtSignal()

    def __init__(
        self, store: PeopleStore, games: Path, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.store = store
        self._games = games
        self._people: tuple[Person, ...] = ()
        self._asked = ""
        self.setWindowTitle(tr("People"))
        dress(self, THEMES[settings.theme_name], settings.scale)
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.list = self._make_list()
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("New name"))
        self.name.setPlaceholderText(tr("New name"))
        self.name.returnPressed.connect(self.add)
        self.colour = QComboBox()
        self.colour.setAccessibleName(tr("Favourite colour"))
        for word in sorted(COLOURS, key=colour_name):
            self.colour.addItem(colour_name(word), word)
        tie(self.colour.activated, self.colour, self._like)
        self._lay_out()
        self.resize(*WIDE)
        self._read()
        self.name.setFocus()

    def _make_list(self) -> QTableWidget:
        table = QTableWidget(0, 3)
        table.setHorizontalHeaderLabels((tr("Name"), tr("Favourite colour"), tr("Played last")))
        table.setAccessibleName(tr("People"))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        rows, columns = table.verticalHeader(), table.horizontalHeader()
        assert rows is not None
        assert columns is not None
        rows.hide()
        columns.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        columns.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        table.itemSelectionChanged.connect(self._refresh)
        table.itemChanged.connect(self._rename)
        return table

    def _lay_out(self) -> None:
        self.add_button = self._button(tr("Add"), self.add)
        self.delete_button = self._button(tr("Delete (Del)"), self.delete)
        self.export_button = self._button(tr("Export…"), self._ask_file)
        above = QHBoxLayout()
        above.addWidget(self.name, 1)
        above.addWidget(self.add_button)
        below = QHBoxLayout()
        label = QLabel(tr("Favourite colour"))
        label.setBuddy(self.colour)
        for widget in (label, self.colour, self.delete_button):
            below.addWidget(widget)
        below.addStretch()
        below.addWidget(self.export_button)
        note = QLabel(
            tr("Names stay on this computer. Double-click a name to change it; old games show the new one.")
        )
        note.setWordWrap(True)
        note.setProperty("role", "small")
        column = QVBoxLayout(self)
        column.addLayout(above)
        column.addWidget(self.list, 1)
        column.addLayout(below)
        column.addWidget(self.said)
        column.addWidget(note)

    def _button(self, words: str, does: Callable[[], None]) -> QPushButton:
        button = QPushButton(words)
        button.setAutoDefault(False)
        tie(button.clicked, button, does)
        return button

    # -- what is shown --------------------------------------------------------------------------------

    def _read(self, chosen: str = "") -> None:
        """Read the list anew and choose somebody by id, if nobody else the first."""
        before = self.said.text()
        people = self._tried(self.store.read) or People()
        self.said.setText(self.said.text() or before)
        self._people = people.recent()
        self.list.blockSignals(True)
        self.list.setRowCount(len(self._people))
        for row, person in enumerate(self._people):
            for column, words in enumerate(_words(person)):
                self._cell(row, column).setText(words)
        self.list.blockSignals(False)
        rows = [row for row, person in enumerate(self._people) if person.id == chosen]
        if self._people:
            self.list.selectRow(rows[0] if rows else 0)
        self._refresh()

    def _cell(self, row: int, column: int) -> QTableWidgetItem:
        """Return a cell; one that is there is kept, since it may be the one that is being edited."""
        item = self.list.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            if column != NAME:
                item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
            self.list.setItem(row, column, item)
        return item

    def chosen(self) -> Person | None:
        """Return the person whose line is chosen."""
        row = self.list.currentRow()
        return self._people[row] if 0 <= row < len(self._people) else None

    def _refresh(self) -> None:
        person = self.chosen()
        for widget in (self.colour, self.delete_button):
            widget.setEnabled(person is not None)
        self._name_delete(tr("Delete (Del)"))
        self._asked = ""
        liked = "" if person is None else "".join(person.colours[:1])
        self.colour.setCurrentIndex(self.colour.findData(liked))

    def _name_delete(self, words: str) -> None:
        self.delete_button.setText(words)
        self.delete_button.setShortcut("Del")  # a new text takes the key away

    # -- what is done ---------------------------------------------------------------------------------

    def add(self) -> None:
        """Add the name that was typed."""
        person = self._tried(lambda: self.store.add(self.name.text()))
        if person is not None:
            self.name.clear()
            self._read(person.id)

    def _rename(self, item: QTableWidgetItem) -> None:
        person = self._people[item.row()]
        if item.text() == person.name:
            return
        self._tried(lambda: self.store.rename(person.id, item.text()))
        self._read(person.id)
        self.renamed.emit()

    def _like(self) -> None:
        person, colour = self.chosen(), self.colour.currentData()
        if person is not None and colour is not None:
            self._tried(lambda: self.store.like(person.id, colour))
            self._read(person.id)

    def delete(self) -> None:
        """Delete the chosen person; the first time only ask, since it cannot be undone."""
        person = self.chosen()
        if person is None or not self.delete_button.isEnabled():
            return
        if self._asked != person.id:
            self._asked = person.id
            self._name_delete(tr("Delete for good (Del)"))
            self.said.setText(
                tr("{name}: the name goes from this list and from all games. Delete?", name=person.name)
            )
            return
        self._tried(lambda: self.store.delete(person.id, self._games))
        self._read()
        self.renamed.emit()

    def export(self, file: Path) -> None:
        """Write all that is kept about people into a JSON file."""

        def write() -> str:
            told = self.store.export(self._games)
            with written_whole(file) as part:
                part.write_text(json.dumps(told, ensure_ascii=False, indent=1), "utf-8")
            return tr("Saved: {file}", file=str(file))

        self.said.setText(self._tried(write) or self.said.text())

    def _ask_file(self) -> None:
        file, _ = QFileDialog.getSaveFileName(self, tr("Save as"), "people.json", "*.json")
        if file:
            self.export(Path(file))

    def _tried(self, deed: Callable[[], T]) -> T | None:
        """Return what a deed returns, or say why it failed and return None."""
        self.said.clear()
        try:
            return deed()
        except CompanionError as error:
            self.said.setText(said(str(error)))
        except OSError as error:
            self.said.setText(tr("Could not be saved: {why}", why=error.strerror or error))
        return None


def _words(person: Person) -> tuple[str, str, str]:
    played = QDateTime.fromSecsSinceEpoch(int(person.played_s))
    when = QLocale(language()).toString(played.date(), QLocale.FormatType.ShortFormat)
    return (
        person.name,
        "".join(map(colour_name, person.colours[:1])),
        when if person.played_s else "",
    )
