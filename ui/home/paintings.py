"""What the home screen is drawn with: the banner with the moon, and buttons with a motif each."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Final

from PyQt6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PyQt6.QtGui import (
    QColor,
    QEnterEvent,
    QFont,
    QFontMetrics,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PyQt6.QtWidgets import QPushButton, QSizePolicy, QWidget

from ui.painting.night import MOON, NIGHT, draw_moon, draw_night
from ui.theme import Theme

ICON_PX: Final = 44


class TitleBanner(QWidget):
    """The program's name under the moon."""

    def __init__(self, scale: float) -> None:
        super().__init__()
        self._scale = scale
        self.setFixedHeight(round(92 * scale))
        self.setAccessibleName("Moontable")

    def paintEvent(self, event: QPaintEvent | None) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect())
        frame = QPainterPath()
        frame.addRoundedRect(area, 10, 10)
        painter.setClipPath(frame)
        draw_night(painter, area)
        radius = area.height() * 0.3
        draw_moon(painter, QPointF(area.left() + radius * 2.1, area.center().y() - 2), radius)
        font = QFont(self.font())
        font.setPixelSize(round(area.height() * 0.42))
        font.setWeight(QFont.Weight.DemiBold)
        font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 106)
        painter.setFont(font)
        painter.setPen(QColor(MOON))
        words = area.adjusted(radius * 3.9, -4, -10, -8)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, "Moontable")


# -- the buttons ----------------------------------------------------------------------------------


class Motif(enum.Enum):
    """What is drawn on a button."""

    TABLE = "table"
    PLAY = "play"
    BOOK = "book"
    CAMERA = "camera"
    WHEEL = "wheel"


class HomeButton(QPushButton):
    """A wide button: a motif, what it does, and a line that says more."""

    def __init__(self, words: str, more: str, motif: Motif, theme: Theme, scale: float) -> None:
        super().__init__(words)
        self._more = more
        self._motif = motif
        self._theme = theme
        self._scale = scale
        self.setAccessibleName(words.replace("&", ""))
        self.setAccessibleDescription(more)
        self.setAutoDefault(True)  # Enter presses the one in focus
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def _fonts(self) -> tuple[QFont, QFont]:
        """Return the fonts of the name and of the line below it."""
        name, more = QFont(self.font()), QFont(self.font())
        name.setPixelSize(round(20 * self._scale))
        name.setWeight(QFont.Weight.DemiBold)
        more.setPixelSize(round(14 * self._scale))
        return name, more

    def sizeHint(self) -> QSize:
        name, more = map(QFontMetrics, self._fonts())
        left = round((ICON_PX + 34) * self._scale)
        longest = max((more.horizontalAdvance(word) for word in self._more.split()), default=0)
        width = left + max(name.horizontalAdvance(self.text()) + 14, longest + 14)
        least = max(width, round(300 * self._scale))
        below = more.boundingRect(
            QRect(0, 0, least - left - 12, 1000), int(Qt.TextFlag.TextWordWrap), self._more
        )
        height = name.height() + (below.height() if self._more else 0) + round(20 * self._scale)
        return QSize(least, max(height, round((ICON_PX + 10) * self._scale)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def enterEvent(self, event: QEnterEvent | None) -> None:
        super().enterEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent | None) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, area = self._theme, QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        is_lit = self.isEnabled() and (self.underMouse() or self.hasFocus())
        painter.setPen(QPen(QColor(theme.accent if is_lit else theme.edge), 2.5 if self.hasFocus() else 1.2))
        painter.setBrush(QColor(theme.window if self.isDown() or not self.isEnabled() else theme.panel))
        painter.drawRoundedRect(area, 10, 10)
        icon = ICON_PX * self._scale
        spot = QRectF(area.left() + 14 * self._scale, area.center().y() - icon / 2, icon, icon)
        painter.setOpacity(1.0 if self.isEnabled() else 0.5)
        draw_motif(painter, spot, self._motif)
        painter.setOpacity(1.0)
        self._write(painter, area.adjusted(icon + 30 * self._scale, 6, -8, -6))

    def _write(self, painter: QPainter, area: QRectF) -> None:
        """Write both lines, together in the middle of the area's height."""
        name, more = self._fonts()
        theme, left = self._theme, Qt.AlignmentFlag.AlignLeft
        wrap = int(left | Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)
        below = QFontMetrics(more).boundingRect(
            QRect(0, 0, int(area.width()), 1000), int(Qt.TextFlag.TextWordWrap), self._more
        )
        above = QFontMetrics(name).height()
        top = area.center().y() - (above + (below.height() if self._more else 0)) / 2
        painter.setFont(name)
        painter.setPen(QColor(theme.text if self.isEnabled() else theme.soft))
        painter.drawText(
            QRectF(area.left(), top, area.width(), above),
            int(left) | int(Qt.TextFlag.TextShowMnemonic),
            self.text(),
        )
        painter.setFont(more)
        painter.setPen(QColor(theme.soft))
        painter.drawText(QRectF(area.left(), top + above, area.width(), below.height() + 4), wrap, self._more)


def draw_motif(painter: QPainter, area: QRectF, motif: Motif) -> None:
    """Draw a motif on a round night-blue ground."""
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(NIGHT[1]))
    painter.drawEllipse(area)
    unit = area.width() / 44
    painter.translate(area.center())
    painter.scale(unit, unit)
    pen = QPen(QColor(MOON), 2.4)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    _MOTIFS[motif](painter)
    painter.restore()


def _table(painter: QPainter) -> None:
    for x in (-12, -3.5, 5):
        for y in (-12, -3.5, 5):
            is_lit = (x, y) in ((-12, -12), (5, -3.5), (-3.5, 5))
            painter.setBrush(QColor(MOON) if is_lit else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(x, y, 7, 7), 1.5, 1.5)


def _play(painter: QPainter) -> None:
    painter.setBrush(QColor(MOON))
    painter.drawPolygon(QPolygonF((QPointF(-6, -10), QPointF(11, 0), QPointF(-6, 10))))


def _book(painter: QPainter) -> None:
    for side in (-1, 1):
        path = QPainterPath(QPointF(0, -8))
        path.cubicTo(QPointF(side * 4, -12), QPointF(side * 9, -11), QPointF(side * 13, -9))
        path.lineTo(side * 13, 9)
        path.cubicTo(QPointF(side * 9, 7), QPointF(side * 4, 7), QPointF(0, 11))
        path.closeSubpath()
        painter.drawPath(path)


def _camera(painter: QPainter) -> None:
    painter.drawRoundedRect(QRectF(-13, -7, 26, 17), 3, 3)
    painter.drawEllipse(QPointF(0, 1.5), 5, 5)
    painter.drawLine(QPointF(-6, -11), QPointF(2, -11))


def _wheel(painter: QPainter) -> None:
    painter.drawEllipse(QPointF(0, 0), 4, 4)
    for step in range(8):
        painter.save()
        painter.rotate(step * 45)
        painter.drawLine(QPointF(0, -8.5), QPointF(0, -12.5))
        painter.restore()
    painter.drawEllipse(QPointF(0, 0), 8.5, 8.5)


_MOTIFS: Final[dict[Motif, Callable[[QPainter], None]]] = {
    Motif.TABLE: _table,
    Motif.PLAY: _play,
    Motif.BOOK: _book,
    Motif.CAMERA: _camera,
    Motif.WHEEL: _wheel,
}
