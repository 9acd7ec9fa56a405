"""The people who are remembered: by keyboard and mouse, and what cannot be done is said."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QTableWidgetItem
from pytestqt.qtbot import QtBot

from companion.people.seating import write_seats
from companion.people.store import PeopleStore
from tests.helpers.patience import WAIT_MS
from ui.dialogs.people import NAME, PeopleWindow
from ui.settings import Settings


@pytest.fixture
def store(tmp_path: Path) -> PeopleStore:
    ids, times = itertools.count(1), itertools.count(1)
    store = PeopleStore(
        tmp_path / "people.json", clock=lambda: float(next(times)), new_id=lambda: f"id{next(ids)}"
    )
    store.add("Ada", "purple")
    store.add("Ben", "white")
    return store


@pytest.fixture
def dialog(qtbot: QtBot, store: PeopleStore, tmp_path: Path) -> Iterator[PeopleWindow]:
    """The open list of two."""
    made = PeopleWindow(store, tmp_path, Settings())
    qtbot.addWidget(made)
    made.show()
    yield made
    made.close()


def names(dialog: PeopleWindow) -> list[str]:
    """Return the names in the list."""
    return [cell(dialog, row).text() for row in range(dialog.list.rowCount())]


def cell(dialog: PeopleWindow, row: int) -> QTableWidgetItem:
    """Return a line's name."""
    item = dialog.list.item(row, NAME)
    assert item is not None
    return item


def test_somebody_is_added_by_keyboard(dialog: PeopleWindow, store: PeopleStore, qtbot: QtBot) -> None:
    """The line for a new name is in focus first; Enter adds it and it is chosen."""
    qtbot.keyClicks(dialog.name, "Cy")
    qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
    chosen = dialog.chosen()

    assert ["Ada", "Ben", "Cy"] == names(dialog)
    assert chosen is not None
    assert "Cy" == chosen.name
    assert "" == dialog.name.text()
    assert store.read().by_name("Cy") == chosen


@pytest.mark.parametrize("typed", ["", "ADA", "x" * 25, "<i>"])
def test_a_name_that_will_not_do_is_told(dialog: PeopleWindow, typed: str) -> None:
    """Nothing is lost: what was typed stays to be mended."""
    dialog.name.setText(typed)
    dialog.add_button.click()

    assert dialog.said.text()
    assert ["Ada", "Ben"] == names(dialog)
    assert typed == dialog.name.text()


def test_a_name_is_changed_in_the_list(dialog: PeopleWindow, store: PeopleStore, qtbot: QtBot) -> None:
    """The window learns of it; a name that will not do changes nothing."""
    with qtbot.waitSignal(dialog.renamed):
        cell(dialog, 0).setText("Ada L.")
    assert store.read().by_name("Ada L.") is not None

    cell(dialog, 0).setText("ben")
    assert "already on the list" in dialog.said.text()
    assert ["Ada L.", "Ben"] == names(dialog)


def test_a_favourite_colour_is_chosen(dialog: PeopleWindow, store: PeopleStore) -> None:
    """For the chosen line; the earlier colours stay behind it."""
    dialog.list.selectRow(1)
    dialog.colour.setCurrentIndex(dialog.colour.findData("teal"))
    dialog.colour.activated.emit(dialog.colour.currentIndex())
    ben = store.read().by_name("Ben")

    assert ben is not None
    assert ("teal", "white") == ben.colours


def test_deleting_asks_first(dialog: PeopleWindow, store: PeopleStore, tmp_path: Path, qtbot: QtBot) -> None:
    """Once asks, twice deletes, another line asks anew; the name is gone from the games too."""
    ada = store.by_name("Ada")
    game = tmp_path / "a.moontable"
    write_seats(game, {"red": ada.id})
    dialog.list.selectRow(0)
    qtbot.keyClick(dialog.list, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: "Ada" in dialog.said.text(), timeout=WAIT_MS)
    dialog.list.selectRow(1)
    dialog.list.selectRow(0)
    dialog.delete_button.click()
    assert ["Ada", "Ben"] == names(dialog)
    with qtbot.waitSignal(dialog.renamed):
        dialog.delete_button.click()

    assert ["Ben"] == names(dialog)
    assert {} == store.called(game)


def test_all_is_exported(dialog: PeopleWindow, tmp_path: Path) -> None:
    """A file that cannot be written is told."""
    dialog.export(tmp_path / "out.json")
    told = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert ["Ada", "Ben"] == [person["name"] for person in told["people"]]

    dialog.export(tmp_path / "no" / "out.json")
    assert "out.json" not in dialog.said.text()
    assert dialog.said.text()


def test_a_list_that_cannot_be_read_is_left_alone(qtbot: QtBot, store: PeopleStore, tmp_path: Path) -> None:
    """It is said, and nothing is written over it."""
    store.file.write_text("torn", "utf-8")
    made = PeopleWindow(store, tmp_path, Settings())
    qtbot.addWidget(made)
    made.name.setText("Cy")
    made.add()

    assert made.said.text()
    assert "torn" == store.file.read_text("utf-8")
