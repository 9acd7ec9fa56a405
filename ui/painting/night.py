"""The night over the city: sky, roofs and the crescent moon."""

from __future__ import annotations

import random
from typing import Final

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QBrush, QColor, QLinearGradient, QPainter, QPainterPath, QPolygonF, QRadialGradient

NIGHT: Final = ("#0f1b3d", "#233a6b", "#3b5b8f")
MOON: Final = "#f6e7b4"
ROOFS: Final = "#0a1226"
STARS: Final = 46


def draw_moon(painter: QPainter, centre: QPointF, radius: float) -> None:
    """Draw the crescent moon with its glow."""
    glow = QRadialGradient(centre, radius * 2.4)
    glow.setColorAt(0.3, QColor(246, 231, 180, 90))
    glow.setColorAt(1.0, QColor(246, 231, 180, 0))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(glow))
    painter.drawEllipse(centre, radius * 2.4, radius * 2.4)
    painter.setBrush(QColor(MOON))
    painter.drawPath(crescent(centre, radius))


def crescent(centre: QPointF, radius: float) -> QPainterPath:
    """Return the outline of the crescent moon."""
    whole, bite = QPainterPath(), QPainterPath()
    whole.addEllipse(centre, radius, radius)
    bite.addEllipse(centre + QPointF(radius * 0.5, -radius * 0.22), radius * 0.86, radius * 0.86)
    return whole.subtracted(bite)


def draw_night(painter: QPainter, area: QRectF) -> None:
    """Fill an area with a night sky over the roofs of a city, the same each time."""
    sky = QLinearGradient(area.topLeft(), area.bottomLeft())
    for at, colour in zip((0.0, 0.65, 1.0), NIGHT, strict=True):
        sky.setColorAt(at, QColor(colour))
    painter.fillRect(area, QBrush(sky))
    rng = random.Random(7)
    painter.setPen(Qt.PenStyle.NoPen)
    for _ in range(STARS):
        x, y = rng.random(), rng.random() ** 1.4
        size = 0.6 + 1.3 * rng.random()
        painter.setBrush(QColor(255, 255, 255, rng.randint(90, 230)))
        painter.drawEllipse(
            QPointF(area.left() + x * area.width(), area.top() + y * area.height() * 0.75), size, size
        )
    painter.setBrush(QColor(ROOFS))
    painter.drawPath(_roofs(area, rng))


def _roofs(area: QRectF, rng: random.Random) -> QPainterPath:
    """Return towers, domes and gables along the lower edge."""
    path = QPainterPath()
    x, unit = area.left() - 4, max(10.0, area.height() * 0.16)
    while x < area.right():
        width = unit * (0.9 + rng.random())
        top = area.bottom() - unit * (0.5 + 1.5 * rng.random())
        path.addRect(QRectF(x, top, width, area.bottom() - top))
        kind = rng.randrange(4)
        middle = x + width / 2
        if kind == 0:
            path.addEllipse(QPointF(middle, top), width / 2, width / 2)
        elif kind == 1:
            points = (QPointF(x - 2, top), QPointF(middle, top - unit * 0.9), QPointF(x + width + 2, top))
            path.addPolygon(QPolygonF(points))
        elif kind == 2:
            path.addRect(QRectF(middle - width * 0.15, top - unit * 0.7, width * 0.3, unit * 0.7))
        x += width + (unit * 0.4 if kind == 3 else 0)
    path.setFillRule(Qt.FillRule.WindingFill)
    return path
