"""Access: every control tells a screen reader what it is; colour never stands alone."""

from __future__ import annotations

import pytest
from PyQt6.QtCore import QObject
from PyQt6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QGraphicsView,
    QLineEdit,
    QScrollBar,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from companion.games.blue_moon_city.catalogue import PEOPLES
from tests.helpers.gallery import SCENES, opened
from ui.settings import Settings
from ui.theme import KINDS, SEAT_SHAPES

CONTROLS = (QAbstractButton, QAbstractItemView, QAbstractSlider, QComboBox, QGraphicsView, QLineEdit, QTabBar)


def nameless(window: QWidget) -> list[str]:
    """Return the controls that a screen reader would have no name for."""
    return [
        f"{type(widget).__name__} {widget.objectName()} in {type(widget.parent()).__name__}"
        for widget in window.findChildren(QWidget)
        if isinstance(widget, CONTROLS) and not is_part(widget) and not spoken_name(widget)
    ]


def is_part(widget: QWidget) -> bool:
    """Whether Qt made the widget as a part of another control, which speaks for it."""
    return (
        widget.objectName().startswith("qt_")
        or isinstance(widget, QScrollBar)
        or any(isinstance(above, QComboBox) for above in (widget.parent(), _grandparent(widget)))
        or type(widget).__name__ in ("QTableCornerButton", "QHeaderView")
    )


def _grandparent(widget: QWidget) -> QObject | None:
    above = widget.parent()
    return None if above is None else above.parent()


def spoken_name(widget: QWidget) -> str:
    """Return what a screen reader says, as Qt makes it: the name given, else the words on the control."""
    if widget.accessibleName():
        return widget.accessibleName()
    if isinstance(widget, QTabBar):
        return "".join(widget.tabText(index) for index in range(widget.count()))
    return widget.text() if isinstance(widget, QAbstractButton) else ""


@pytest.mark.parametrize("scene", [scene for scene in SCENES if scene != "camera"])
def test_every_control_has_a_name(qtbot: QtBot, scene: str) -> None:
    """Every button, list, field, slider and picture of every window says what it is."""
    app = QApplication.instance()
    assert qtbot is not None
    assert isinstance(app, QApplication)
    with opened(app, scene, Settings(is_still=True, language="en"), (1280, 720)) as window:
        found = nameless(window)

    assert [] == found


def test_no_colour_stands_alone() -> None:
    """Every people has a letter of its own, every seat a shape."""
    signs = [KINDS[people].sign for people in (*PEOPLES, "any")]

    assert all(signs)
    assert len(set(signs)) == len(signs)
    assert len(set(SEAT_SHAPES)) >= 4
