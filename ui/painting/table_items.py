"""The items of the table twin: tiles, boxes for markers, pieces. They only paint and report clicks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PyQt6.QtCore import QPointF, QRectF, QSizeF, Qt, pyqtSignal
from PyQt6.QtGui import QBrush, QColor, QKeyEvent, QPainter, QPen, QPicture
from PyQt6.QtWidgets import (
    QGraphicsItem,
    QGraphicsObject,
    QGraphicsSceneHoverEvent,
    QGraphicsSceneMouseEvent,
    QStyleOptionGraphicsItem,
    QWidget,
)

from companion.table import Place
from companion.view_model import Mark, PieceView, SpotView, TileView
from ui.painting import art
from ui.theme import Theme, kind_look

TILE: Final = 100.0
SPOT: Final = 23.0
FIGURE_WH: Final = (21.0, 31.0)
DRAGON_WH: Final = (25.0, 25.0)
STRIP: Final = 16.0
# Areas of rectangles, in the scene's units, whose proportions are the same but for rounding.
SAME_SHAPE: Final = 1e-3


class PlaceItem(QGraphicsObject):
    """Something on the twin that can be pointed at.

    Signals:
        chosen: it was clicked, or Enter was pressed on it; the flag says whether it was a key.
        asked: it was clicked with the right button, or the menu key was pressed on it.
        inspected: the pointer or the keyboard focus entered it (True) or left it (False).
    """

    chosen = pyqtSignal(str, bool)
    asked = pyqtSignal(str)
    inspected = pyqtSignal(str, bool)

    def __init__(self, place: Place, size: tuple[float, float], theme: Theme) -> None:
        super().__init__()
        self.place = place
        self.mark: Mark | None = None
        self._theme = theme
        self._drawing: QPicture | None = None
        self._drawn_width = size[0]
        self._area = QRectF(0, 0, *size)
        self.setAcceptHoverEvents(True)
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_mark(self, mark: Mark | None) -> None:
        """Mark the place, or remove its mark."""
        if mark is not self.mark:
            self.mark = mark
            self._redraw()

    def _resize(self, size: QSizeF) -> None:
        """Take another size; the recorded drawing is enlarged or reduced as far as its proportions stay."""
        before = self._area.size()
        if size == before:
            return
        self.prepareGeometryChange()
        self._area = QRectF(QPointF(0, 0), size)
        if abs(size.width() * before.height() - size.height() * before.width()) > SAME_SHAPE:
            self._drawing = None
        self.update()

    def _redraw(self) -> None:
        """Record the drawing anew at the next paint."""
        self._drawing = None
        self.update()

    def _draw(self, painter: QPainter) -> None:
        """Draw the current state."""
        raise NotImplementedError

    def paint(
        self, painter: QPainter | None, option: QStyleOptionGraphicsItem | None, widget: QWidget | None = None
    ) -> None:
        """Replay the recorded drawing: painting it at another size needs no Python code."""
        assert painter is not None
        if self._drawing is None:
            self._drawing = QPicture()
            recorder = QPainter(self._drawing)
            recorder.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._draw(recorder)
            recorder.end()
            self._drawn_width = self._area.width()
        zoom = self._area.width() / self._drawn_width
        painter.scale(zoom, zoom)
        painter.drawPicture(QPointF(0, 0), self._drawing)

    def _paint_mark(self, painter: QPainter, radius: float, width: float) -> None:
        if self.mark is None:
            return
        colour = self._theme.mark(self.mark)
        if self.mark is Mark.UNCERTAIN:
            hatched = QColor(colour)
            hatched.setAlpha(150)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QBrush(hatched, Qt.BrushStyle.BDiagPattern))
            painter.drawRoundedRect(self._area, radius, radius)
            return
        dashed = Qt.PenStyle.DashLine if self.mark is Mark.DUE else Qt.PenStyle.SolidLine
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, width, dashed))
        painter.drawRoundedRect(self._area, radius, radius)
        if self.mark is Mark.WRONG:
            painter.drawLine(self._area.topLeft(), self._area.topLeft() + QPointF(width * 4, width * 4))
            painter.drawLine(
                self._area.topLeft() + QPointF(width * 4, 0), self._area.topLeft() + QPointF(0, width * 4)
            )

    def _paint_focus(self, painter: QPainter) -> None:
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self._theme.accent), 3.5))
            painter.drawRoundedRect(self._area.adjusted(-2.5, -2.5, 2.5, 2.5), 8, 8)

    def boundingRect(self) -> QRectF:
        return self._area.adjusted(-5, -5, 5, 5)

    def mousePressEvent(self, event: QGraphicsSceneMouseEvent | None) -> None:
        """Accept the press, so that the release is delivered here too."""

    def mouseReleaseEvent(self, event: QGraphicsSceneMouseEvent | None) -> None:
        if event is None or not self._area.contains(event.pos()):
            return
        if event.button() == Qt.MouseButton.RightButton:
            self.asked.emit(self.place)
        else:
            self.chosen.emit(self.place, False)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        if event is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(self.place, True)
        elif event is not None and _asks_for_menu(event):
            self.asked.emit(self.place)
        elif event is not None:
            event.ignore()

    def hoverEnterEvent(self, event: QGraphicsSceneHoverEvent | None) -> None:
        self.inspected.emit(self.place, True)

    def hoverLeaveEvent(self, event: QGraphicsSceneHoverEvent | None) -> None:
        self.inspected.emit(self.place, False)

    def focusInEvent(self, event: object) -> None:
        self.inspected.emit(self.place, True)
        self._redraw()

    def focusOutEvent(self, event: object) -> None:
        self.inspected.emit(self.place, False)
        self._redraw()


def _asks_for_menu(event: QKeyEvent) -> bool:
    """Whether a key is one of those that open the menu of what is in focus."""
    is_shifted = event.modifiers() == Qt.KeyboardModifier.ShiftModifier
    return event.key() == Qt.Key.Key_Menu or (event.key() == Qt.Key.Key_F10 and is_shifted)


class SpotItem(PlaceItem):
    """A box for one marker."""

    def __init__(self, view: SpotView, shapes: Mapping[str, str], theme: Theme, size: float = SPOT) -> None:
        super().__init__(view.place, (size, size), theme)
        self._shapes = shapes
        self.view = view

    def show_view(self, view: SpotView) -> None:
        """Show a new state of the same box."""
        if view != self.view:
            self.view = view
            self._redraw()

    def _draw(self, painter: QPainter) -> None:
        area = self._area.adjusted(0.8, 0.8, -0.8, -0.8)
        look = kind_look(self.view.colour) if self.view.colour else None
        fill = QColor(look.fill if look else self._theme.paper)
        if not self.view.is_used:
            fill = QColor(self._theme.paper).darker(190)
        painter.setPen(QPen(QColor("#15181c"), 1.2))
        painter.setBrush(fill)
        painter.drawRoundedRect(area, 3, 3)
        if self.view.owner is not None:
            art.draw_marker(
                painter, area.adjusted(2, 2, -2, -2), self.view.owner, self._shapes[self.view.owner]
            )
        elif self.view.is_used:
            ink = QColor(look.ink if look else self._theme.paper_ink)
            art.draw_text(painter, area, self.view.label, area.height() * 0.74, ink)
        self._paint_mark(painter, 3, 3)
        self._paint_focus(painter)


class TileItem(PlaceItem):
    """One tile, with its boxes as children."""

    def __init__(self, view: TileView, shapes: Mapping[str, str], theme: Theme) -> None:
        super().__init__(view.place, (TILE, TILE), theme)
        self._shapes = shapes
        self.view = view
        self.spots: dict[Place, SpotItem] = {}
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsFocusable)
        self._place_spots()

    def show_view(self, view: TileView) -> None:
        """Show a new state of the same cell."""
        if view == self.view:
            return
        self.view = view
        self._place_spots()
        self._redraw()

    def _place_spots(self) -> None:
        if set(self.spots) != {spot.place for spot in self.view.spots}:
            for gone in self.spots.values():
                gone.setParentItem(None)
                if (scene := self.scene()) is not None:
                    scene.removeItem(gone)
            self.spots = {spot.place: SpotItem(spot, self._shapes, self._theme) for spot in self.view.spots}
        left = (TILE - len(self.spots) * SPOT) / 2
        for index, spot in enumerate(self.view.spots):
            item = self.spots[spot.place]
            item.setParentItem(self)
            item.setPos(left + index * SPOT, 60)
            item.show_view(spot)

    def _draw(self, painter: QPainter) -> None:
        is_built = self.view.side == "built"
        look = kind_look(self.view.kind)
        paper = QColor(self._theme.paper)
        painter.setPen(QPen(QColor("#15181c"), 1))
        painter.setBrush(_blend(paper, QColor(look.fill), 0.38) if is_built else paper)
        painter.drawRoundedRect(self._area, 6, 6)
        self._paint_strip(painter)
        ground = QRectF(8, 20, 84, 56) if is_built else QRectF(16, 19, 68, 38)
        ink = QColor(self._theme.paper_ink)
        art.draw_building(painter, ground, self.view.tile, look, ink, is_built=is_built)
        self._paint_gains(painter)
        self._paint_mark(painter, 6, 5)
        self._paint_focus(painter)

    def _paint_strip(self, painter: QPainter) -> None:
        look = kind_look(self.view.kind)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(look.fill))
        painter.drawRoundedRect(QRectF(1, 1, TILE - 2, STRIP), 5, 5)
        left = 4.0
        if look.sign:
            painter.setBrush(QColor(look.ink))
            painter.drawEllipse(QPointF(9.5, 1 + STRIP / 2), 6.4, 6.4)
            art.draw_text(painter, QRectF(3, 1, 13, STRIP), look.sign, 11, QColor(look.fill))
            left = 18.0
        name = QRectF(left, 1, TILE - left - 4, STRIP)
        art.draw_text(painter, name, self.view.name, 11.5, QColor(look.ink))

    def _paint_gains(self, painter: QPainter) -> None:
        """Draw one group for each part of the reward: its sign, then each amount with its sign."""
        size, gap = 9.5, 4.0
        groups = [gain for gain in self.view.gains if gain.amounts]
        width = sum(size + len(gain.amounts) * (size + 8) for gain in groups) + gap * max(0, len(groups) - 1)
        x, y = (TILE - width) / 2, 87.0
        for gain in groups:
            art.draw_sign(painter, QRectF(x, y, size, size), gain.part)
            x += size
            for thing, number in gain.amounts:
                ink = QColor(self._theme.paper_ink)
                art.draw_text(painter, QRectF(x, y - 1, 8, size + 2), str(number), 11, ink)
                art.draw_sign(painter, QRectF(x + 8, y, size, size), thing)
                x += size + 8
            x += gap


class PieceItem(PlaceItem):
    """A figure or a neutral piece, which moves over the tiles."""

    def __init__(self, view: PieceView, shapes: Mapping[str, str], theme: Theme) -> None:
        super().__init__(view.place, FIGURE_WH if view.shape == "figure" else DRAGON_WH, theme)
        self._shapes = shapes
        self.view = view
        self.setZValue(10)

    def _draw(self, painter: QPainter) -> None:
        if self.view.shape == "figure":
            art.draw_figure(
                painter, self._area, self.view.colour, self._shapes.get(self.view.colour, "circle")
            )
        else:
            art.draw_dragon(painter, self._area, self.view.colour)
        self._paint_mark(painter, 4, 3)


def _blend(a: QColor, b: QColor, part: float) -> QColor:
    """Return the colour between a and b, `part` of the way."""
    mixed = [round(x + (y - x) * part) for x, y in zip(a.getRgb()[:3], b.getRgb()[:3], strict=True)]
    return QColor(*mixed)
