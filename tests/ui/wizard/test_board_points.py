"""Pointing at the boxes of a board, with the mouse and with the keys."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from companion.view_model import CameraView
from ui.wizard.board_points import LONG_STEP, BoardPoints

WHITE = CameraView(width=400, height=200, bgr=b"\xff" * (400 * 200 * 3))
PLACES = ((100.0, 50.0), (200.0, 100.0), (300.0, 150.0))


@pytest.fixture
def points(qtbot: QtBot) -> Iterator[BoardPoints]:
    """A picture with three dots, between two other fields."""
    window = QWidget()
    widget = BoardPoints()
    column = QVBoxLayout(window)
    for one in (QLineEdit(), widget, QLineEdit()):
        column.addWidget(one)
    qtbot.addWidget(window)
    window.resize(900, 600)
    window.show()
    widget.show_picture(WHITE, PLACES)
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)
    yield widget
    window.close()


def test_a_dot_is_dragged_and_put_back(points: BoardPoints, qtbot: QtBot) -> None:
    """It follows the mouse; undo moves it back; the others stay."""
    start = points.place_of(1).toPoint()
    qtbot.mousePress(points, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(points, start + QPoint(40, 20))
    qtbot.mouseRelease(points, Qt.MouseButton.LeftButton, pos=start + QPoint(40, 20))
    zoom = points.picture_area().width() / WHITE.width

    assert points.chosen == 1
    assert points.points[1] == pytest.approx((200 + 40 / zoom, 100 + 20 / zoom), abs=1 / zoom)
    assert (PLACES[0], PLACES[2]) == (points.points[0], points.points[2])
    assert points.can_undo
    points.undo()
    assert points.points == PLACES
    assert not points.can_undo


def test_a_click_chooses_and_moves_nothing(points: BoardPoints, qtbot: QtBot) -> None:
    """There is nothing to undo then; a click beside all dots does nothing."""
    qtbot.mouseClick(points, Qt.MouseButton.LeftButton, pos=points.place_of(2).toPoint())
    assert points.chosen == 2
    qtbot.mouseClick(points, Qt.MouseButton.LeftButton, pos=points.place_of(2).toPoint() + QPoint(90, 0))

    assert points.chosen == 2
    assert not points.can_undo


def test_the_keys_do_all_of_it(points: BoardPoints, qtbot: QtBot) -> None:
    """Tab goes from dot to dot and then on, arrows move, Backspace puts back, Enter takes them."""
    qtbot.keyClick(points, Qt.Key.Key_Tab)
    assert points.chosen == 1
    qtbot.keyClick(points, Qt.Key.Key_Right)
    qtbot.keyClick(points, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert points.points[1] == (201.0, 100.0 - LONG_STEP)
    qtbot.keyClick(points, Qt.Key.Key_Backspace)
    assert points.points[1] == (201.0, 100.0)
    with qtbot.waitSignal(points.taken):
        qtbot.keyClick(points, Qt.Key.Key_Return)
    qtbot.keyClick(points, Qt.Key.Key_Tab)
    assert points.chosen == 2
    qtbot.keyClick(points, Qt.Key.Key_Tab)
    assert not points.hasFocus()


def test_no_dot_leaves_the_picture(points: BoardPoints, qtbot: QtBot) -> None:
    """However far it is moved."""
    for _ in range(60):
        qtbot.keyClick(points, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert points.points[0] == (100.0, 0.0)
    assert points.accessibleDescription() == "Dot 1 at 100, 0"
