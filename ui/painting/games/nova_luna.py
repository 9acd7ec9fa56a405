"""The moon wheel, the moon track around it, and each player's tiles."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin
from typing import Final

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPainterPath, QPen

from companion.table import Place
from companion.view_model import CardView, TableView, ZoneView
from ui.painting import art
from ui.painting.games.cards import EDGE, INK, draw_frame
from ui.painting.zones import Layout, Shapes, zones_named
from ui.theme import KindLook, Theme, ink_on, player_colour

WIDTH: Final = 1000.0
HEIGHT: Final = 870.0
# The wheel with the track around it stands at the left, the areas of the players beside it.
WHEEL: Final = QPointF(232, 240)
TRACK_R: Final = 205.0
WHEEL_R: Final = 140.0
SLOT: Final = 66.0
SPACE: Final = 46.0
SLOTS: Final = 12
BELOW: Final = 480.0
HEADING: Final = 24.0
LARGEST_TILE: Final = 96.0

# Every colour has a shape, on the tile and in its tasks.
LOOKS: Final = {
    "red": KindLook(fill="#c23b30", ink="#ffffff", sign="square"),
    "blue": KindLook(fill="#2a62b8", ink="#ffffff", sign="circle"),
    "yellow": KindLook(fill="#e8bd2c", ink="#15181c", sign="triangle"),
    "turquoise": KindLook(fill="#23a295", ink="#10201e", sign="diamond"),
}
# Radius of a shape that has room for a digit, and how far it is lowered, in twentieths of a tile.
_ROOM: Final = {"diamond": (5.2, 0.0), "triangle": (6.0, 0.9)}


class NovaPainter:
    """Nova Luna's `ui.painting.zones.ZonePainter`."""

    def lay_out(self, view: TableView) -> Layout:
        """Return where everything is drawn."""
        cards: dict[Place, QRectF] = {}
        for zone in zones_named(view, "track"):
            cards |= {card.place: _on_track(card, len(zone.cards)) for card in zone.cards}
        for zone in zones_named(view, "wheel"):
            cards |= {card.place: _on_wheel(card) for card in zone.cards}
        areas = zones_named(view, "area")
        for zone, frame in zip(areas, _frames(len(areas)), strict=True):
            cards |= dict(_in_area(zone, frame))
        return Layout(size=(WIDTH, HEIGHT), cards=cards)

    def draw_ground(self, painter: QPainter, view: TableView, theme: Theme, shapes: Shapes) -> None:
        """Draw the wheel and the frames of the areas."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _draw_wheel(painter, has_track=bool(zones_named(view, "track")))
        active = {player.player for player in view.players if player.is_active}
        areas = zones_named(view, "area")
        for zone, frame in zip(areas, _frames(len(areas)), strict=True):
            draw_frame(painter, frame, zone.label, zone.owner, shapes, is_active=zone.owner in active)
        del theme

    def draw_card(
        self, painter: QPainter, area: QRectF, card: CardView, theme: Theme, shapes: Shapes
    ) -> None:
        """Draw one thing of the table."""
        match card.face:
            case "tile":
                _draw_tile(painter, area, card)
            case "task":
                _draw_task(painter, area, card.dots, shapes, card.owner if card.is_done else None)
            case "space":
                _draw_space(painter, area, card, shapes)
            case "moon":
                _draw_moon(painter, area)
            case "back":
                _draw_stock(painter, area, card)
            case _:
                _draw_free(painter, area, theme)


# -- where -------------------------------------------------------------------------------------------


def _around(centre: QPointF, radius: float, part: float, size: float) -> QRectF:
    """Return a square on a circle; part 0 is at the top, clockwise."""
    turn = 2 * pi * part - pi / 2
    middle = centre + QPointF(cos(turn), sin(turn)) * radius
    return QRectF(middle.x() - size / 2, middle.y() - size / 2, size, size)


def _on_track(card: CardView, spaces: int) -> QRectF:
    return _around(WHEEL, TRACK_R, card.at[1] / spaces, SPACE)


def _on_wheel(card: CardView) -> QRectF:
    if card.face == "back":
        return QRectF(WHEEL.x() - 34, WHEEL.y() - 34, 68, 68)
    return _around(WHEEL, WHEEL_R, card.at[1] / SLOTS, SLOT)


def _frames(count: int) -> list[QRectF]:
    """Return the areas of the players: beside the wheel, and below it where there are three or four."""
    right = WIDTH - 470
    if count == 1:
        return [QRectF(465, 5, right, HEIGHT - 10)]
    if count == 2:
        half = (HEIGHT - 15) / 2
        return [QRectF(465, 5, right, half), QRectF(465, 10 + half, right, half)]
    top, below = BELOW - 10, HEIGHT - BELOW - 5
    if count == 3:
        wide = (WIDTH - 15) / 2
        return [
            QRectF(465, 5, right, top),
            QRectF(5, BELOW, wide, below),
            QRectF(10 + wide, BELOW, wide, below),
        ]
    wide, half = (WIDTH - 15) / 2, (right - 5) / 2
    return [
        QRectF(465, 5, half, top),
        QRectF(470 + half, 5, half, top),
        QRectF(5, BELOW, wide, below),
        QRectF(10 + wide, BELOW, wide, below),
    ]


def _in_area(zone: ZoneView, frame: QRectF) -> Iterator[tuple[Place, QRectF]]:
    """Yield where an area's tiles and their tasks lie: in the middle of the frame, as large as it allows.

    There is room for one more tile all round, whoever acts: what lies changes its size only when a tile is
    laid beyond, not from turn to turn.
    """
    inside = frame.adjusted(8, HEADING + 8, -8, -8)
    if not zone.cards:
        return
    laid = [card for card in zone.cards if card.face != "free"] or zone.cards
    rows, columns = (
        [end for card in laid for end in (card.at[axis] - 1, card.at[axis] + 1)] for axis in (0, 1)
    )
    high, wide = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
    size = min(inside.width() / wide, inside.height() / high, LARGEST_TILE)
    left = inside.center().x() - wide * size / 2
    top = inside.center().y() - high * size / 2
    for card in sorted(zone.cards, key=lambda card: card.face == "task"):
        row, column = card.at[0] - min(rows), card.at[1] - min(columns)
        tile = QRectF(left + column * size, top + row * size, size, size).adjusted(1.5, 1.5, -1.5, -1.5)
        yield card.place, _task_area(tile, card.part) if card.face == "task" else tile


def _task_area(tile: QRectF, number: int) -> QRectF:
    """Return where a task is printed: the first beside the number, the others below."""
    unit = tile.width() / 20
    spots = ((10.2, 1.2), (10.2, 10.2), (1.2, 10.2))
    right, down = spots[number % len(spots)]
    return QRectF(tile.x() + right * unit, tile.y() + down * unit, 8.6 * unit, 8.6 * unit)


# -- what --------------------------------------------------------------------------------------------


def _draw_wheel(painter: QPainter, *, has_track: bool) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    if has_track:
        painter.setBrush(QColor("#2b3350"))
        painter.drawEllipse(WHEEL, TRACK_R + SPACE / 2 + 3, TRACK_R + SPACE / 2 + 3)
    painter.setBrush(QColor("#1a2036"))
    painter.drawEllipse(WHEEL, WHEEL_R + SLOT / 2 + 8, WHEEL_R + SLOT / 2 + 8)
    painter.setBrush(QColor("#2b3350"))
    painter.drawEllipse(WHEEL, WHEEL_R - SLOT / 2 - 8, WHEEL_R - SLOT / 2 - 8)


def _look(colour: str | None) -> KindLook:
    return LOOKS.get(colour or "", KindLook(fill="#8d8674", ink=INK, sign="circle"))


def _draw_tile(painter: QPainter, area: QRectF, card: CardView) -> None:
    look = _look(card.kind)
    unit = area.width() / 20
    painter.setPen(QPen(QColor("#ffffff" if card.is_lit else INK), 3.2 if card.is_lit else EDGE))
    painter.setBrush(QColor(look.fill))
    painter.drawRoundedRect(area, 2.4 * unit, 2.4 * unit)
    number = QRectF(area.x() + 0.8 * unit, area.y() + 0.6 * unit, 8.6 * unit, 9.4 * unit)
    size, lower = _ROOM.get(look.sign, (4.6, 0.0))
    art.draw_shape(
        painter, number.center() + QPointF(0, lower * unit), size * unit, look.sign, QColor(look.ink)
    )
    texts = [text for sign, text in card.values if sign == "steps"]
    text_area = number.translated(0, 2 * lower * unit)
    art.draw_text(painter, text_area, "".join(texts), 5.8 * unit, QColor(look.fill))
    for index, task in enumerate(text for sign, text in card.values if sign == "task"):
        _draw_task(painter, _task_area(area, index), tuple(task.split()), {}, None)


def _draw_task(
    painter: QPainter, area: QRectF, dots: tuple[str, ...], shapes: Shapes, owner: str | None
) -> None:
    """Draw the shapes that a task wants, or the disc that covers it."""
    unit = area.width() / 8
    painter.setPen(QPen(QColor(INK), 0.8))
    painter.setBrush(QColor("#f3efe3"))
    painter.drawEllipse(area)
    if owner is not None:
        _draw_disc(painter, area, owner, shapes)
        return
    for colour, middle in zip(dots, _spread(area, len(dots)), strict=True):
        look = _look(colour)
        art.draw_shape(painter, middle, 1.75 * unit, look.sign, QColor(look.fill).darker(112))


def _spread(area: QRectF, count: int) -> list[QPointF]:
    """Return the middles of a few dots within a circle."""
    if count == 1:
        return [area.center()]
    radius = area.width() * (0.22 if count < 4 else 0.25)
    first = -pi / 2 if count == 3 else 0 if count == 2 else -3 * pi / 4
    return [
        area.center() + QPointF(cos(first + 2 * pi * n / count), sin(first + 2 * pi * n / count)) * radius
        for n in range(count)
    ]


def _draw_disc(painter: QPainter, area: QRectF, player: str, shapes: Shapes) -> None:
    fill = player_colour(player)
    painter.setPen(QPen(QColor(INK) if fill.lightness() > 90 else QColor("#ffffff"), area.width() * 0.05))
    painter.setBrush(fill)
    painter.drawEllipse(area)
    art.draw_shape(painter, area.center(), area.width() * 0.28, shapes.get(player, "circle"), ink_on(fill))


def _draw_space(painter: QPainter, area: QRectF, card: CardView, shapes: Shapes) -> None:
    """Draw a space of the track with the discs on it, the top one last."""
    painter.setPen(QPen(QColor("#8fa0d8"), EDGE))
    painter.setBrush(QColor("#3d4874"))
    painter.drawEllipse(area.adjusted(3, 3, -3, -3))
    if not card.dots:
        art.draw_text(painter, area, str(card.at[1] + 1), 15, QColor("#c9d3f5"), bold=False)
    step = min(7.0, 16.0 / max(1, len(card.dots) - 1))
    size = area.width() - 10 - step * (len(card.dots) - 1)
    for height, player in enumerate(card.dots):
        disc = QRectF(area.x() + 5 + height * step, area.bottom() - 5 - size - height * step, size, size)
        _draw_disc(painter, disc, player, shapes)


def _draw_moon(painter: QPainter, area: QRectF) -> None:
    full, bite = QPainterPath(), QPainterPath()
    inside = area.adjusted(9, 9, -9, -9)
    full.addEllipse(inside)
    bite.addEllipse(inside.translated(inside.width() * 0.38, -inside.height() * 0.08))
    painter.setPen(QPen(QColor(INK), EDGE))
    painter.setBrush(QColor("#f4e6a8"))
    painter.drawPath(full.subtracted(bite))


def _draw_stock(painter: QPainter, area: QRectF, card: CardView) -> None:
    for lift in (6, 3, 0):
        sheet = area.adjusted(6 - lift, 6 - lift, -6 - lift, -6 - lift).translated(lift, lift)
        painter.setPen(
            QPen(QColor("#ffffff" if card.is_lit and not lift else INK), 2.6 if card.is_lit else EDGE)
        )
        painter.setBrush(QColor("#4a5480"))
        painter.drawRoundedRect(sheet, 7, 7)
    number = "".join(text for _, text in card.values)
    art.draw_text(painter, area.adjusted(10, 10, -10, -10), number, 28, QColor("#ffffff"))


def _draw_free(painter: QPainter, area: QRectF, theme: Theme) -> None:
    painter.setPen(QPen(QColor("#ffffff"), EDGE, Qt.PenStyle.DashLine))
    painter.setBrush(QColor(255, 255, 255, 22))
    painter.drawRoundedRect(area.adjusted(3, 3, -3, -3), 6, 6)
    del theme


PAINTER: Final = NovaPainter()
