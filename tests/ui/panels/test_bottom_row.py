"""The buttons below the table: beside one another while that fits, else in two rows, else smaller."""

from __future__ import annotations

import pytest
from PyQt6.QtCore import QRect
from PyQt6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.helpers.patience import WAIT_MS
from ui.panels.bottom_row import BUTTONS_SHARE, BottomRow
from ui.theme import LIGHT, dress

WORDS = (
    "Undo (Ctrl+Z)",
    "Redo (Ctrl+Y)",
    "Show crystals (hold C)",
    "Rematch… (Ctrl+Shift+N)",
    "Home (Ctrl+W)",
)
WIDTH_PX = 1280


def shown_at(qtbot: QtBot, scale: float, hidden: int = 0) -> tuple[BottomRow, list[QRect], int]:
    """Return a row, where its buttons lie once it is shown, and how large their letters are.

    The first buttons are hidden, as many as wanted.
    """
    buttons = [QPushButton(each) for each in WORDS]
    row = BottomRow(buttons, LIGHT, scale)
    qtbot.addWidget(row)
    dress(row, LIGHT, scale)
    for button in buttons[:hidden]:
        button.hide()
    row.resize(WIDTH_PX, row.inspector.height())
    row.show()
    qtbot.waitUntil(
        lambda: row.rect().right() >= max(right_of(row, each) for each in buttons[hidden:]), timeout=WAIT_MS
    )
    places = [QRect(each.mapTo(row, each.rect().topLeft()), each.size()) for each in buttons[hidden:]]
    return row, places, buttons[-1].fontInfo().pixelSize()


def right_of(row: BottomRow, button: QPushButton) -> int:
    """Return where a button ends in its row."""
    return button.mapTo(row, button.rect().bottomRight()).x()


@pytest.mark.parametrize(("scale", "rows"), [(1.0, 1), (1.75, 2)])
def test_buttons_are_large_and_within_the_row(qtbot: QtBot, scale: float, rows: int) -> None:
    """Large letters take two rows, which are no higher than the text beside them; all buttons are whole."""
    row, places, _ = shown_at(qtbot, scale)

    assert rows == len({place.top() for place in places})
    assert all(row.rect().contains(place) for place in places)
    assert row.height() == row.inspector.height()
    assert row.rect().right() - places[0].left() <= BUTTONS_SHARE * WIDTH_PX


def test_larger_text_makes_larger_buttons(qtbot: QtBot) -> None:
    """What is chosen is seen in the buttons too, though they may not grow as much."""
    small, large = (shown_at(qtbot, scale)[2] for scale in (1.0, 1.75))

    assert large > 1.2 * small


def test_hidden_buttons_take_no_room(qtbot: QtBot) -> None:
    """The others stand at the right end, as close together as ever."""
    _, whole, _ = shown_at(qtbot, 1.0)
    _, few, _ = shown_at(qtbot, 1.0, hidden=3)

    assert whole[3:] == few


def test_buttons_that_come_later_are_whole_too(qtbot: QtBot) -> None:
    """One that is shown, and one that gets longer words, while the row is in sight."""
    row, _, _ = shown_at(qtbot, 1.0, hidden=2)
    buttons = row.findChildren(QPushButton)
    buttons[0].show()
    buttons[-1].setText("Maximilian Featherstone ends the turn (E)")
    visible = [each for each in buttons if each.isVisible()]

    def are_whole() -> bool:
        return all(
            each.width() >= each.sizeHint().width() and each.visibleRegion().boundingRect() == each.rect()
            for each in visible
        )

    qtbot.waitUntil(are_whole, timeout=WAIT_MS)

    assert 4 == len(visible)
