"""Cards and piles as the painters of several games draw them."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from companion.view_model import CardView
from ui.painting import art
from ui.painting.zones import Shapes
from ui.text import opening
from ui.theme import KindLook

INK: Final = "#15181c"
EDGE: Final = 1.2
PAPER: Final = "#f3efe3"

# Every element has a colour and a shape.
ELEMENTS: Final = {
    "earth": KindLook(fill="#5f9a3e", ink="#10180c", sign="square"),
    "water": KindLook(fill="#2f74c0", ink="#ffffff", sign="circle"),
    "fire": KindLook(fill="#cf4327", ink="#ffffff", sign="triangle"),
    "air": KindLook(fill="#d9c14a", ink="#15181c", sign="diamond"),
}


def element_look(element: str | None) -> KindLook:
    """Return the look of an element; that of nothing in particular for an unknown one."""
    return ELEMENTS.get(element or "", KindLook(fill="#8d8674", ink=INK, sign="star"))


def draw_sheet(painter: QPainter, area: QRectF, fill: str, *, is_lit: bool = False) -> None:
    """Draw the ground of a card; a lit one has a broad white edge."""
    painter.setPen(QPen(QColor("#ffffff" if is_lit else INK), 3.0 if is_lit else EDGE))
    painter.setBrush(QColor(fill))
    inside = area.adjusted(1, 1, -1, -1)
    painter.drawRoundedRect(inside, 6, 6)


def draw_free(painter: QPainter, area: QRectF) -> None:
    """Draw a place where a card may come to lie."""
    painter.setPen(QPen(QColor("#ffffff"), EDGE, Qt.PenStyle.DashLine))
    painter.setBrush(QColor(255, 255, 255, 22))
    painter.drawRoundedRect(area.adjusted(2, 2, -2, -2), 6, 6)


def draw_pile(painter: QPainter, area: QRectF, card: CardView, fill: str, *, is_lit: bool = False) -> None:
    """Draw a pile of cards face down, with the number of its cards."""
    for lift in (5, 0):
        sheet = area.adjusted(5 - lift, 5 - lift, -lift, -lift)
        draw_sheet(painter, sheet, fill, is_lit=is_lit and not lift)
    number = "".join(text for _, text in card.values)
    art.draw_text(painter, area.adjusted(6, 6, -11, -11), number, area.width() * 0.36, QColor("#ffffff"))


def draw_frame(
    painter: QPainter, area: QRectF, label: str, owner: str | None, shapes: Shapes, *, is_active: bool
) -> None:
    """Draw the frame of a player's own zone with the player's name."""
    painter.setPen(QPen(QColor("#ffffff"), 3 if is_active else 1))
    painter.setBrush(QColor(0, 0, 0, 45))
    painter.drawRoundedRect(area, 8, 8)
    left = area.x() + 8
    if owner is not None:
        art.draw_marker(painter, QRectF(left, area.y() + 5, 20, 20), owner, shapes[owner])
        left += 26
    write(painter, QRectF(left, area.y() + 3, area.right() - left - 6, 24), opening(label), 17)


def write(
    painter: QPainter,
    area: QRectF,
    words: str,
    height: float,
    colour: str = "#ffffff",
    *,
    is_right: bool = False,
) -> None:
    """Write one line at the left (or right) of an area, shortened where it does not fit."""
    font = art.text_font(height, bold=True)
    painter.setFont(font)
    painter.setPen(QColor(colour))
    fitting = QFontMetricsF(font).elidedText(words, Qt.TextElideMode.ElideRight, area.width())
    side = Qt.AlignmentFlag.AlignRight if is_right else Qt.AlignmentFlag.AlignLeft
    painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | side, fitting)


def draw_words(painter: QPainter, area: QRectF, words: str, height: float, colour: str) -> None:
    """Write a few words in the middle of an area, in several lines."""
    size = height
    flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignCenter
    while size > 6:
        font = art.text_font(size, bold=True)
        needed = QFontMetricsF(font).boundingRect(area, int(flags), words)
        if needed.height() <= area.height() and needed.width() <= area.width():
            break
        size -= 1
    painter.setFont(art.text_font(size, bold=True))
    painter.setPen(QColor(colour))
    painter.drawText(area, int(flags), words)


def draw_element(painter: QPainter, centre: QPointF, radius: float, element: str) -> None:
    """Draw an element's shape in its colour, with a dark edge."""
    look = element_look(element)
    art.draw_shape(painter, centre, radius * 1.16, look.sign, QColor(INK))
    art.draw_shape(painter, centre, radius, look.sign, QColor(look.fill))
