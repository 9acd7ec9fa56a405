"""A player's marker as an icon for lists."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtGui import QIcon, QPainter, QPixmap

from ui.painting import art
from ui.theme import SEAT_SHAPES

MARKER_PX: Final = 20


def marker_icon(colour: str, seat: int) -> QIcon:
    """Return a player's marker as it will be drawn: their colour and the shape of their seat."""
    pixels = QPixmap(2 * MARKER_PX, 2 * MARKER_PX)
    pixels.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixels)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    art.draw_marker(painter, QRectF(pixels.rect()).adjusted(2, 2, -2, -2), colour, SEAT_SHAPES[seat])
    painter.end()
    return QIcon(pixels)
