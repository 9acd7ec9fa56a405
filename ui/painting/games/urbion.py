"""The row of cities with the dreams on both sides, the hands that lie open, Books and piles."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QPointF, QRectF
from PyQt6.QtGui import QColor, QPainter, QPen

from companion.table import Place
from companion.view_model import CardView, TableView, ZoneView
from ui.painting import art
from ui.painting.games.cards import (
    INK,
    PAPER,
    draw_element,
    draw_frame,
    draw_free,
    draw_pile,
    draw_sheet,
    draw_words,
    element_look,
)
from ui.painting.zones import Layout, Shapes, zones_named
from ui.theme import Theme

WIDTH: Final = 1000.0
HEIGHT: Final = 850.0
CARD_W: Final = 88.0
CARD_H: Final = 122.0
GAP: Final = 5.0
ROW: Final = 132.0
CITY_X: Final = 395.0
SIDE_X: Final = 800.0
SMALL_W: Final = 45.0
SMALL_H: Final = 60.0
HANDS: Final = 4 * ROW + 6
BOOKS: Final = HANDS + 178
# What a dream that counts to the left, to the right or on either side stands on.
GROUNDS: Final = {"incubus": "#4a3a5e", "sanae": "#e9e4d2", "meta": "#8aa0b4", "chaos": "#1d1d22"}
BALANCED: Final = "#7be08c"


class DreamPainter:
    """Urbion's `ui.painting.zones.ZonePainter`."""

    def lay_out(self, view: TableView) -> Layout:
        """Return where everything is drawn."""
        cards: dict[Place, QRectF] = {}
        for zone in zones_named(view, "row"):
            cards |= {card.place: _in_row(card) for card in zone.cards}
        hands = zones_named(view, "hand")
        for number, zone in enumerate(hands):
            frame = _hand_frame(number, len(hands))
            cards |= {card.place: _in_hand(card, frame) for card in zone.cards}
        for zone in zones_named(view, "books"):
            cards |= {card.place: _book(card) for card in zone.cards}
        for zone in zones_named(view, "piles"):
            cards |= {card.place: _pile(card) for card in zone.cards}
        for zone in zones_named(view, "waiting"):
            cards |= {card.place: _waiting(card) for card in zone.cards}
        return Layout(size=(WIDTH, HEIGHT), cards=cards)

    def draw_ground(self, painter: QPainter, view: TableView, theme: Theme, shapes: Shapes) -> None:
        """Draw the balance of each city and the frames of the hands."""
        del theme
        for number, zone in enumerate(zones_named(view, "row")):
            _draw_row(painter, number, zone)
        active = {player.player for player in view.players if player.is_active}
        hands = zones_named(view, "hand")
        for number, zone in enumerate(hands):
            frame = _hand_frame(number, len(hands))
            draw_frame(painter, frame, zone.label, zone.owner, shapes, is_active=zone.owner in active)

    def draw_card(
        self, painter: QPainter, area: QRectF, card: CardView, theme: Theme, shapes: Shapes
    ) -> None:
        """Draw one card."""
        del theme, shapes
        match card.face:
            case "city":
                _draw_city(painter, area, card)
            case "free":
                draw_free(painter, area)
            case "back":
                fill = "#7a6a45" if card.kind == "city" else "#45527a"
                draw_pile(painter, area, card, fill, is_lit=card.can_move)
            case "claimed":
                draw_pile(painter, area, card, "#4f7a45")
            case "book":
                draw_sheet(painter, area, "#6b4a2e")
                words = area.adjusted(6, 4, -6, -4)
                draw_words(painter, words, card.name, 17, "#ffe9b0")
            case "polarity":
                draw_sheet(painter, area, GROUNDS["sanae" if card.kind == "sanae" else "incubus"])
                _draw_arrow(painter, area, is_right=card.kind == "sanae")
            case _:
                _draw_dream(painter, area, card)


# -- where -------------------------------------------------------------------------------------------


def _in_row(card: CardView) -> QRectF:
    row, side = card.at
    middle = CITY_X + side * (CARD_W + GAP) * (card.part + 1) + side * 8
    return QRectF(middle - CARD_W / 2, 4 + row * ROW, CARD_W, CARD_H)


def _hand_frame(number: int, count: int) -> QRectF:
    wide = (SIDE_X - 10 - 5 * (count - 1)) / count
    return QRectF(4 + number * (wide + 5), HANDS, wide, 170)


def _in_hand(card: CardView, frame: QRectF) -> QRectF:
    step = min(CARD_W + GAP, (frame.width() - 16) / 5)
    wide = min(CARD_W, step - 3)
    if card.face == "polarity":
        return QRectF(frame.right() - 8 - wide * 0.8, frame.y() + 32, wide * 0.8, 60)
    return QRectF(frame.x() + 8 + card.part * step, frame.y() + 32, wide, wide / CARD_W * CARD_H)


def _book(card: CardView) -> QRectF:
    return QRectF(4 + card.at[1] * 132, BOOKS, 126, HEIGHT - BOOKS - 6)


def _pile(card: CardView) -> QRectF:
    row, column = card.at
    return QRectF(SIDE_X + column * (CARD_W + 10), 26 + row * (CARD_H + 30), CARD_W, CARD_H)


def _waiting(card: CardView) -> QRectF:
    row, fan = card.at
    top = 330 + (0 if row == 0 else SMALL_H + 14 + fan * (SMALL_H + 4))
    return QRectF(SIDE_X + card.part * (SMALL_W + 3), top, SMALL_W, SMALL_H)


# -- what --------------------------------------------------------------------------------------------


def _draw_row(painter: QPainter, number: int, zone: ZoneView) -> None:
    """Draw a row's ground and its balance: both sums, and a beam that tips to the heavier side."""
    top = 4 + number * ROW
    painter.setPen(QPen(QColor("#ffffff"), 0.6))
    painter.setBrush(QColor(0, 0, 0, 40))
    painter.drawRoundedRect(QRectF(4, top - 2, SIDE_X - 14, ROW - 4), 8, 8)
    if len(zone.lines) < 3:
        return
    left, right, balanced = zone.lines
    ink = QColor(BALANCED if balanced else "#ffffff")
    art.draw_text(painter, QRectF(10, top + 22, 54, 50), left, 42, ink)
    art.draw_text(painter, QRectF(SIDE_X - 72, top + 22, 54, 50), right, 42, ink)
    for x in (37.0, SIDE_X - 45):
        _draw_beam(painter, QPointF(x, top + 92), int(right) - int(left), ink)


def _draw_beam(painter: QPainter, middle: QPointF, tilt: int, ink: QColor) -> None:
    down = 0 if tilt == 0 else 8 if tilt > 0 else -8
    painter.setPen(QPen(ink, 3))
    painter.drawLine(middle + QPointF(-22, -down), middle + QPointF(22, down))
    art.draw_shape(painter, middle + QPointF(0, 10), 7, "triangle", ink)


def _draw_city(painter: QPainter, area: QRectF, card: CardView) -> None:
    draw_sheet(painter, area, "#c9b98d")
    unit = area.width() / 10
    painter.setPen(QPen(QColor(INK), 1.2))
    painter.setBrush(QColor("#8a7a50"))
    for left, top, wide in ((1.0, 6.6, 2.2), (3.4, 4.6, 3.2), (6.8, 5.8, 2.2)):
        tower = QRectF(area.x() + left * unit, area.y() + top * unit, wide * unit, (12.4 - top) * unit)
        painter.drawRect(tower)
    step = area.width() / (len(card.dots) + 1)
    for number, element in enumerate(card.dots, 1):
        draw_element(painter, QPointF(area.x() + number * step, area.y() + 2.6 * unit), 1.25 * unit, element)


def _draw_dream(painter: QPainter, area: QRectF, card: CardView) -> None:
    """Draw a dream: what it is by its ground and its letter, its element by shape and colour, its value."""
    ground = GROUNDS.get(card.face, PAPER)
    draw_sheet(painter, area, ground, is_lit=card.is_lit)
    ink = "#ffffff" if QColor(ground).lightness() < 128 else INK
    wide, high = area.width(), area.height()
    value = "".join(text for _, text in card.values)
    if card.face == "chaos":
        middle = area.center() - QPointF(0, high * 0.08)
        art.draw_shape(painter, middle, wide * 0.42, "star", QColor("#d35bd0"))
        art.draw_text(painter, area.adjusted(4, high * 0.66, -4, -2), value, high * 0.24, QColor(ink))
        return
    draw_element(painter, QPointF(area.center().x(), area.y() + high * 0.32), wide * 0.3, card.kind or "")
    look = element_look(card.kind)
    number = QRectF(area.x() + wide * 0.2, area.y() + high * 0.18, wide * 0.6, high * 0.28)
    art.draw_text(painter, number, value, high * 0.24, QColor(look.ink))
    foot = QRectF(area.x() + 3, area.y() + high * 0.58, wide - 6, high * 0.38)
    if card.face == "meta":
        art.draw_text(painter, foot, "↔", high * 0.26, QColor(ink))
    else:
        _draw_arrow(painter, foot, is_right=card.face == "sanae")


def _draw_arrow(painter: QPainter, area: QRectF, *, is_right: bool) -> None:
    """Draw to which side a card counts."""
    colour = "#1f2a33" if is_right else "#e8dcf5"
    art.draw_text(painter, area, "→" if is_right else "←", area.height() * 0.8, QColor(colour))


PAINTER: Final = DreamPainter()
