"""Vector painting of buildings, markers, figures, dragons and reward signs, without any decisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from math import cos, pi, sin
from typing import Final, TypeAlias

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from ui.painting.buildings import DRAWINGS, Stroke
from ui.theme import KindLook, ink_on, kind_look, player_colour

SKETCH_LINE = 1.1
GOLD = "#e8b923"
CRYSTAL = "#3fb8d9"
CARD = "#b8552e"

Outline: TypeAlias = Callable[[QRectF], QPainterPath]
"""Returns an outline that fills an area."""
Sign: TypeAlias = tuple[str, tuple[Outline, ...]]


def text_font(height: float, *, bold: bool = False) -> QFont:
    """Return the window's font at a height in the painter's units."""
    font = QFont()
    font.setPixelSize(max(1, round(height)))
    font.setBold(bold)
    return font


# Text is not condensed further than this; if that is not enough, it becomes smaller.
NARROWEST = 0.72


def draw_text(
    painter: QPainter, area: QRectF, text: str, height: float, colour: QColor, *, bold: bool = True
) -> None:
    """Write one line in the middle of the area; condense it if it does not fit, then make it smaller."""
    font = text_font(height, bold=bold)
    width = QFontMetricsF(font).horizontalAdvance(text)
    painter.save()
    painter.setFont(font)
    painter.setPen(colour)
    painter.translate(area.center())
    if width > area.width() > 0:
        squeeze = area.width() / width
        painter.scale(squeeze, min(1.0, squeeze / NARROWEST))
    painter.drawText(QRectF(-2000, -200, 4000, 400), Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()


@cache
def _stroke_path(shape: str, numbers: tuple[float, ...]) -> QPainterPath:
    path = QPainterPath()
    match shape:
        case "box":
            path.addRect(QRectF(*numbers))
        case "roof":
            x, y, w, h = numbers
            path.addPolygon(QPolygonF([QPointF(x, y + h), QPointF(x + w / 2, y), QPointF(x + w, y + h)]))
        case "spire":
            cx, base, w, h = numbers
            path.addPolygon(
                QPolygonF([QPointF(cx - w / 2, base), QPointF(cx, base - h), QPointF(cx + w / 2, base)])
            )
        case "dome":
            cx, base, r = numbers
            path.moveTo(cx - r, base)
            path.arcTo(QRectF(cx - r, base - r, 2 * r, 2 * r), 180, -180)
        case "arch":
            x, base, w, h = numbers
            path.moveTo(x, base)
            path.lineTo(x, base - h + w / 2)
            path.arcTo(QRectF(x, base - h, w, w), 180, -180)
            path.lineTo(x + w, base)
        case "disc":
            cx, cy, r = numbers
            path.addEllipse(QPointF(cx, cy), r, r)
        case _:
            points = [QPointF(numbers[i], numbers[i + 1]) for i in range(0, len(numbers), 2)]
            path.addPolygon(QPolygonF(points))
    if shape not in {"line", "disc", "box"}:
        path.closeSubpath()
    return path


def draw_building(
    painter: QPainter, area: QRectF, tile: str, look: KindLook, ink: QColor, *, is_built: bool
) -> None:
    """Draw a building into the area: in colours when built, in thin lines when sketched."""
    painter.save()
    zoom = min(area.width() / 100, area.height() / 56)
    painter.translate(area.center().x() - 50 * zoom, area.bottom() - 56 * zoom)
    painter.scale(zoom, zoom)
    tones = _tones(look) if is_built else {}
    for stroke in DRAWINGS.get(tile, ()):
        _draw_stroke(painter, stroke, tones, ink)
    painter.restore()


def _tones(look: KindLook) -> dict[str, QColor]:
    trim = QColor(look.fill)
    wall = QColor("#e6dcc3")
    return {"wall": wall, "shade": wall.darker(118), "trim": trim, "dark": QColor("#3a3128")}


def _draw_stroke(painter: QPainter, stroke: Stroke, tones: dict[str, QColor], ink: QColor) -> None:
    shape, tone, numbers = stroke
    path = _stroke_path(shape, numbers)
    is_line = shape == "line"
    if tones:
        painter.setPen(QPen(tones[tone] if is_line else QColor("#2c251c"), 1.8 if is_line else 0.8))
        painter.setBrush(Qt.BrushStyle.NoBrush if is_line else QBrush(tones[tone]))
    else:
        painter.setPen(QPen(ink, SKETCH_LINE))
        painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)


@cache
def shape_path(shape: str) -> QPainterPath:
    """Return a seat's shape within a circle of radius 1."""
    path = QPainterPath()
    if shape == "circle":
        path.addEllipse(QPointF(0, 0), 0.9, 0.9)
        return path
    if shape == "cross":
        for rect in (QRectF(-0.95, -0.32, 1.9, 0.64), QRectF(-0.32, -0.95, 0.64, 1.9)):
            path.addRect(rect)
        return path.simplified()
    corners, inner, turn = {
        "square": (4, 1.0, pi / 4),
        "triangle": (3, 1.0, -pi / 2),
        "diamond": (4, 1.0, 0.0),
        "star": (10, 0.42, -pi / 2),
    }[shape]
    points = [
        QPointF(cos(turn + 2 * pi * i / corners), sin(turn + 2 * pi * i / corners))
        * (inner if i % 2 else 1.0)
        for i in range(corners)
    ]
    path.addPolygon(QPolygonF(points))
    path.closeSubpath()
    return path


def draw_shape(painter: QPainter, centre: QPointF, radius: float, shape: str, fill: QColor) -> None:
    """Draw a seat's shape."""
    painter.save()
    painter.translate(centre)
    painter.scale(radius, radius)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    painter.drawPath(shape_path(shape))
    painter.restore()


def draw_marker(painter: QPainter, area: QRectF, player: str, shape: str) -> None:
    """Draw a player's cube: their colour, with their seat's shape on it."""
    fill = player_colour(player)
    painter.save()
    painter.setPen(
        QPen(QColor("#ffffff") if fill.lightness() < 90 else QColor("#15181c"), area.width() * 0.07)
    )
    painter.setBrush(fill)
    painter.drawRoundedRect(area, area.width() * 0.16, area.width() * 0.16)
    painter.restore()
    draw_shape(painter, area.center(), area.width() * 0.28, shape, ink_on(fill))


def draw_figure(painter: QPainter, area: QRectF, player: str, shape: str) -> None:
    """Draw a player's figure: a pawn with their seat's shape on its body."""
    fill = player_colour(player)
    w, h, x, y = area.width(), area.height(), area.x(), area.y()
    body = QPainterPath(QPointF(x + w * 0.08, y + h))
    body.cubicTo(
        QPointF(x + w * 0.1, y + h * 0.7),
        QPointF(x + w * 0.34, y + h * 0.6),
        QPointF(x + w * 0.34, y + h * 0.4),
    )
    body.lineTo(x + w * 0.66, y + h * 0.4)
    body.cubicTo(
        QPointF(x + w * 0.66, y + h * 0.6), QPointF(x + w * 0.9, y + h * 0.7), QPointF(x + w * 0.92, y + h)
    )
    body.closeSubpath()
    head = QPainterPath()
    head.addEllipse(QPointF(x + w / 2, y + h * 0.24), w * 0.27, w * 0.27)
    painter.save()
    painter.setPen(QPen(QColor("#15181c"), w * 0.06))
    painter.setBrush(fill)
    painter.drawPath(body.united(head))
    painter.restore()
    draw_shape(painter, QPointF(x + w / 2, y + h * 0.78), w * 0.17, shape, ink_on(fill))


def draw_dragon(painter: QPainter, area: QRectF, name: str) -> None:
    """Draw a dragon: a coiled neck with a wing, in its colour, its letter on the body."""
    look = kind_look(name)
    w, h, x, y = area.width(), area.height(), area.x(), area.y()

    def at(u: float, v: float) -> QPointF:
        return QPointF(x + u * w, y + v * h)

    path = QPainterPath(at(0.02, 0.34))
    path.cubicTo(at(0.12, 0.02), at(0.5, 0.0), at(0.5, 0.36))
    path.lineTo(at(0.98, 0.06))
    path.cubicTo(at(0.94, 0.4), at(0.86, 0.52), at(0.8, 0.6))
    path.cubicTo(at(1.0, 0.8), at(0.86, 1.0), at(0.62, 1.0))
    path.lineTo(at(0.2, 1.0))
    path.cubicTo(at(0.1, 0.8), at(0.34, 0.62), at(0.28, 0.34))
    path.cubicTo(at(0.22, 0.36), at(0.1, 0.38), at(0.02, 0.34))
    path.closeSubpath()
    painter.save()
    painter.setPen(QPen(QColor("#15181c"), w * 0.05))
    painter.setBrush(QColor(look.fill))
    painter.drawPath(path)
    painter.restore()
    draw_text(
        painter, QRectF(x + 0.3 * w, y + 0.52 * h, 0.46 * w, 0.46 * h), look.sign, h * 0.4, QColor(look.ink)
    )


def draw_sign(painter: QPainter, area: QRectF, thing: str) -> None:
    """Draw the small sign of something that is paid or counted; a plain dot if it has none."""
    fill, outlines = SIGNS.get(thing, _DOT)
    painter.save()
    painter.setPen(QPen(QColor("#15181c"), area.width() * 0.06))
    painter.setBrush(QColor(fill))
    for outline in outlines:
        painter.drawPath(outline(area))
    painter.restore()


def _in(area: QRectF, *corners: tuple[float, float]) -> QPainterPath:
    """Return a closed outline given in fractions of an area."""
    path = QPainterPath()
    path.addPolygon(
        QPolygonF([QPointF(area.x() + u * area.width(), area.y() + v * area.height()) for u, v in corners])
    )
    path.closeSubpath()
    return path


# -- signs: a colour, and outlines in fractions of an area, right and down from its corner -----------------


def _polygon(*corners: tuple[float, float]) -> Outline:
    return lambda area: _in(area, *corners)


def _disc(right: float, down: float, radius: float) -> Outline:
    """Return a circle around a point; the radius is a fraction of the area's width."""

    def outline(area: QRectF) -> QPainterPath:
        path = QPainterPath()
        middle = QPointF(area.x() + right * area.width(), area.y() + down * area.height())
        path.addEllipse(middle, radius * area.width(), radius * area.width())
        return path

    return outline


def _sheet(right: float, down: float, rounding: float = 0.0) -> Outline:
    """Return the area with insets given in fractions of its width, and corners rounded by so many pixels."""

    def outline(area: QRectF) -> QPainterPath:
        wide, high = right * area.width(), down * area.width()
        path = QPainterPath()
        path.addRoundedRect(area.adjusted(wide, high, -wide, -high), rounding, rounding)
        return path

    return outline


def _drop(area: QRectF) -> QPainterPath:
    path = QPainterPath(QPointF(area.center().x(), area.bottom()))
    path.cubicTo(area.bottomRight(), area.topRight(), QPointF(area.center().x(), area.top()))
    path.cubicTo(area.topLeft(), area.bottomLeft(), QPointF(area.center().x(), area.bottom()))
    return path


_STONE: Final = "#9aa3ad"
_GEM: Final = ((0.5, 0.0), (0.9, 0.3), (0.74, 1.0), (0.26, 1.0), (0.1, 0.3))
_FACET: Final = ((0.1, 0.3), (0.9, 0.3), (0.5, 1.0))
_SPIRE: Final = ((0.5, 0.0), (0.78, 1.0), (0.22, 1.0))
_HOUSE: Final = (
    *((0.5, 0.0), (1.0, 0.45), (0.86, 0.45), (0.86, 1.0)),
    *((0.14, 1.0), (0.14, 0.45), (0.0, 0.45)),
)
_CROWN: Final = (
    *((0.05, 0.2), (0.3, 0.5), (0.5, 0.08), (0.7, 0.5)),
    *((0.95, 0.2), (0.85, 0.9), (0.15, 0.9)),
)
_SHOULDERS: Final = ((0.1, 1.0), (0.25, 0.55), (0.75, 0.55), (0.9, 1.0))
_ARROW: Final = (
    *((0.0, 0.35), (0.5, 0.35), (0.5, 0.1), (1.0, 0.5)),
    *((0.5, 0.9), (0.5, 0.65), (0.0, 0.65)),
)
_CREST: Final = (
    *((0.0, 0.3), (0.2, 0.05), (0.5, 0.35), (1.0, 0.05)),
    *((0.82, 0.6), (0.9, 1.0), (0.2, 1.0), (0.32, 0.5)),
)
_TICK: Final = ((0.24, 0.5), (0.34, 0.4), (0.46, 0.54), (0.68, 0.26), (0.78, 0.36), (0.46, 0.74))
_DOT: Final[Sign] = (_STONE, (_disc(0.5, 0.5, 0.3),))

SIGNS: Final[Mapping[str, Sign]] = {
    "crystals": (CRYSTAL, (_polygon(*_GEM), _polygon(*_FACET))),
    "scales": (GOLD, (_drop,)),
    "cards": (CARD, (_sheet(0.16, 0, 2),)),
    "deck": (CARD, (_sheet(0.16, 0, 2),)),
    "aside": ("#8a6f8f", (_sheet(0.16, 0, 2),)),
    "markers": (_STONE, (_sheet(0.12, 0.12),)),
    "offerings": (GOLD, (_polygon(*_SPIRE),)),
    "built": ("#e6dcc3", (_polygon(*_HOUSE),)),
    "majority": (GOLD, (_polygon(*_CROWN),)),
    "contributor": (_STONE, (_disc(0.5, 0.25, 0.24), _polygon(*_SHOULDERS))),
    "neighbour": ("#7fae6a", (_polygon(*_ARROW),)),
    "discs": (_STONE, (_disc(0.5, 0.5, 0.44), _disc(0.5, 0.5, 0.22))),
    "tiles": ("#4a90c2", (_sheet(0.08, 0.08, 3),)),
    "tasks": ("#7fae6a", (_disc(0.5, 0.5, 0.44), _polygon(*_TICK))),
    "open_tasks": ("#f3efe3", (_disc(0.5, 0.5, 0.44),)),
    "dragons": ("#d9a441", (_polygon(*_CREST),)),
    "fire": ("#cf4327", (_polygon((0.5, 0.05), (0.95, 0.95), (0.05, 0.95)),)),
    "earth": ("#5f9a3e", (_sheet(0.12, 0.12),)),
    "discards": ("#8a8f96", (_sheet(0.16, 0, 2),)),
    "steps": ("#c9d3f5", (_polygon(*_ARROW),)),
}
"""How the things that are paid or counted are drawn: the fill, and the outlines drawn one over the other."""
