"""Two sides that face each other, their totals in both elements, the dragons between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPen

from companion.table import Place, kind_of, parts_of
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
    write,
)
from ui.painting.zones import Layout, Shapes, zones_named
from ui.text import opening
from ui.theme import Theme, kind_look

WIDTH: Final = 1000.0
HEIGHT: Final = 860.0
CARD_W: Final = 98.0
CARD_H: Final = 116.0
GAP: Final = 5.0
SIDE_H: Final = 372.0
MIDDLE: Final = (SIDE_H + 8, HEIGHT - SIDE_H - 8)
PILES_X: Final = 868.0
ROWS_W: Final = PILES_X - 12
# Which row of a side is how far from the middle, and where in it the zone begins.
ROW_OF: Final = {"combat": 0, "support": 1, "ship": 2, "landed": 2, "open": 2, "cargo": 2}
COLUMN_OF: Final = {"ship": 0.0, "landed": 0.34, "open": 0.68}
TYPE_FILLS: Final = {
    "character": PAPER,
    "booster": "#f2d9b8",
    "support": "#cfe0cd",
    "leadership": "#e3d3ec",
    "ship": "#cbdcea",
}
# What is drawn for an icon: short, since there is room for a few signs.
ICON_SIGNS: Final = {
    "stop": "✋",
    "free": "○",
    "protected": "◆",
    "retrieve": "↩",
    "pair": "∥",
    "shield_fire": "⛨F",
    "shield_earth": "⛨E",
    "bluff_fire": "?F",
    "bluff_earth": "?E",
    "bluff_neutral": "?",
}


class DuelPainter:
    """Blue Moon Legends' `ui.painting.zones.ZonePainter`."""

    def lay_out(self, view: TableView) -> Layout:
        """Return where everything is drawn: the first player near, the second far."""
        cards: dict[Place, QRectF] = {}
        for zone in zones_named(view, "side"):
            cards |= _in_side(zone)
        for zone in zones_named(view, "dragons"):
            cards |= _in_middle(zone, [each.owner for each in zones_named(view, "side")])
        return Layout(size=(WIDTH, HEIGHT), cards=cards)

    def draw_ground(self, painter: QPainter, view: TableView, theme: Theme, shapes: Shapes) -> None:
        """Draw both sides' frames and the strip between them."""
        del theme
        active = {player.player for player in view.players if player.is_active}
        for number, zone in enumerate(zones_named(view, "side")):
            frame = _frame(number)
            draw_frame(painter, frame, "", None, shapes, is_active=zone.owner in active)
            _draw_owner(painter, frame, zone, shapes)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor("#1d2a44"))
        painter.drawRoundedRect(QRectF(4, MIDDLE[0], WIDTH - 8, MIDDLE[1] - MIDDLE[0]), 8, 8)

    def draw_card(
        self, painter: QPainter, area: QRectF, card: CardView, theme: Theme, shapes: Shapes
    ) -> None:
        """Draw one card, total, pile or dragon."""
        del theme, shapes
        match card.face:
            case "free":
                draw_free(painter, area)
            case "back":
                draw_sheet(painter, area, "#45527a")
                art.draw_text(painter, area, "?", area.height() * 0.5, QColor("#ffffff"))
            case "deck" | "hand" | "discard":
                _draw_pile(painter, area, card)
            case "leader":
                draw_sheet(painter, area, kind_look(card.kind).fill)
                draw_words(painter, area.adjusted(5, 4, -5, -4), card.name, 14, kind_look(card.kind).ink)
            case "dragon":
                _draw_dragon(painter, area, card)
            case "element":
                _draw_contested(painter, area, card)
            case "total":
                _draw_total(painter, area, card)
            case _:
                _draw_fighter(painter, area, card)


# -- where -------------------------------------------------------------------------------------------


def _frame(number: int) -> QRectF:
    return QRectF(4, HEIGHT - SIDE_H - 4 if number == 0 else 4, WIDTH - 8, SIDE_H)


def _row_top(number: int, row: int) -> float:
    """Return where a row of a side begins; row 0 is next to the middle."""
    frame = _frame(number)
    if number == 0:
        return frame.y() + 8 + row * (CARD_H + GAP)
    return frame.bottom() - 8 - (row + 1) * (CARD_H + GAP) + GAP


def _in_side(zone: ZoneView) -> dict[Place, QRectF]:
    cards: dict[Place, QRectF] = {}
    counts: dict[str, int] = {}
    ships = {text: card.place for card in zone.cards for sign, text in card.values if sign == "ship"}
    for card in zone.cards:
        kind = kind_of(card.place)
        counts[kind] = counts.get(kind, 0) + 1
    for card in zone.cards:
        kind = kind_of(card.place)
        if kind in ("leader", "deck", "discard", "hand"):
            cards[card.place] = _pile(card)
        elif kind == "total":
            cards[card.place] = _total(card)
        elif kind == "cargo":
            cards[card.place] = _cargo(card, cards, ships)
        else:
            cards[card.place] = _in_row(card, kind, counts[kind])
    return cards


def _in_row(card: CardView, kind: str, count: int) -> QRectF:
    """Return where a card of a row lies; a long row is pushed together."""
    number = card.at[0]
    row = ROW_OF[kind]
    high = CARD_H if row < 2 else CARD_H * 0.78
    wide = CARD_W if row < 2 else CARD_W * 0.78
    room = ROWS_W - 10 if row < 2 else ROWS_W * 0.32
    left = 10.0 if row < 2 else 10 + COLUMN_OF[kind] * ROWS_W
    step = min(wide + GAP, (room - wide) / max(1, count - 1)) if count > 1 else 0.0
    return QRectF(left + card.part * step, _row_top(number, row), wide, high)


def _cargo(card: CardView, cards: dict[Place, QRectF], ships: Mapping[str, Place]) -> QRectF:
    """Return where a ship's cargo lies: on the ship, one below the other."""
    under = cards.get(ships.get(parts_of(card.place)[1], card.place))
    if under is None:
        under = QRectF(10, _row_top(card.at[0], 2), 60, 60)
    return QRectF(under.x() + 4 + card.part * 18, under.bottom() - 34, 52, 32)


def _pile(card: CardView) -> QRectF:
    number, part = card.at[0], card.part
    frame = _frame(number)
    return QRectF(PILES_X + (part % 2) * 64 - 4, frame.y() + 34 + (part // 2) * 112, 60, 104)


def _total(card: CardView) -> QRectF:
    number, column = card.at
    top = MIDDLE[1] - 46 if number == 0 else MIDDLE[0] + 4
    return QRectF(WIDTH / 2 - 160 + column * 165, top, 155, 42)


def _in_middle(zone: ZoneView, owners: list[str | None]) -> dict[Place, QRectF]:
    """Return where the dragons stand: in the middle, or nearer to the side that has attracted them."""
    cards: dict[Place, QRectF] = {}
    for card in zone.cards:
        if card.face == "element":
            cards[card.place] = QRectF(20, MIDDLE[0] + 12, 76, MIDDLE[1] - MIDDLE[0] - 24)
            continue
        shift = 0 if card.owner is None else 24 if card.owner == owners[0] else -24
        top = (MIDDLE[0] + MIDDLE[1]) / 2 - 23 + shift
        cards[card.place] = QRectF(WIDTH - 330 + card.at[1] * 96, top, 56, 46)
    return cards


# -- what --------------------------------------------------------------------------------------------


def _draw_owner(painter: QPainter, frame: QRectF, zone: ZoneView, shapes: Shapes) -> None:
    """Draw whose side it is, above the piles."""
    if zone.owner is not None:
        sign = QRectF(PILES_X - 4, frame.y() + 8, 20, 20)
        art.draw_marker(painter, sign, zone.owner, shapes[zone.owner])
        write(painter, QRectF(sign.right() + 6, frame.y() + 6, 96, 24), opening(zone.label), 17)


def _draw_pile(painter: QPainter, area: QRectF, card: CardView) -> None:
    fill = {"deck": "#45527a", "hand": "#7a4560"}.get(card.face, "#5c5c5c")
    draw_pile(painter, area, card, fill, is_lit=card.is_lit)
    if card.face == "hand":
        painter.setPen(QPen(QColor("#ffffff"), 2))
        foot = area.bottom() - 16
        for number in range(3):
            x = area.center().x() - 14 + number * 12
            painter.drawLine(QPointF(x, foot), QPointF(x + (number - 1) * 5, foot - 14))


def _draw_dragon(painter: QPainter, area: QRectF, card: CardView) -> None:
    art.draw_dragon(painter, area, ("fire", "earth", "water")[card.at[1] % 3])


def _draw_contested(painter: QPainter, area: QRectF, card: CardView) -> None:
    painter.setPen(QPen(QColor("#ffffff"), 1.4, Qt.PenStyle.DashLine))
    painter.setBrush(QColor(255, 255, 255, 25))
    painter.drawEllipse(area.adjusted(2, 2, -2, -2))
    if card.kind is not None:
        draw_element(painter, area.center(), area.width() * 0.28, card.kind)


def _draw_total(painter: QPainter, area: QRectF, card: CardView) -> None:
    painter.setPen(QPen(QColor("#ffffff"), 3 if card.is_lit else 0.8))
    painter.setBrush(QColor(0, 0, 0, 70))
    painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), 8, 8)
    draw_element(painter, QPointF(area.x() + 34, area.center().y()), 13, card.kind or "")
    number = "".join(text for _, text in card.values)
    art.draw_text(painter, area.adjusted(54, 2, -8, -2), number, 32, QColor("#ffffff"))


def _draw_fighter(painter: QPainter, area: QRectF, card: CardView) -> None:
    """Draw a card: both values with their elements above, the name, its icons below."""
    look = kind_look(card.kind)
    draw_sheet(painter, area, TYPE_FILLS.get(card.face, PAPER), is_lit=card.is_lit)
    wide, high = area.width(), area.height()
    strip = QRectF(area.x() + 2, area.y() + 2, wide - 4, high * 0.1)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(look.fill))
    painter.drawRoundedRect(strip, 4, 4)
    values = {sign: text for sign, text in card.values if sign in ("fire", "earth")}
    for element, part in (("fire", 0.27), ("earth", 0.73)):
        if element in values:
            middle = QPointF(area.x() + wide * part, area.y() + high * 0.29)
            draw_element(painter, middle, high * 0.145, element)
            spot = QRectF(middle.x() - high * 0.13, middle.y() - high * 0.12, high * 0.26, high * 0.26)
            art.draw_text(painter, spot, values[element], high * 0.2, QColor("#ffffff"))
    name = QRectF(area.x() + 4, area.y() + high * 0.45, wide - 8, high * 0.36)
    draw_words(painter, name, card.name, 14, INK)
    signs = " ".join(ICON_SIGNS.get(text, "•") for sign, text in card.values if sign == "icon")
    foot = QRectF(area.x() + 4, area.y() + high * 0.82, wide - 8, high * 0.16)
    art.draw_text(painter, foot, signs, high * 0.13, QColor(INK))


PAINTER: Final = DuelPainter()
