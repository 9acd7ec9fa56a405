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
from ui.painting.tiled_table import SPOT, TILE, draw_piece, draw_spot, draw_tile, piece_wh, spot_areas
from ui.theme import Theme

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
        draw_spot(painter, self._area, self.view, self._shapes, self._theme)
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
        for spot, area in zip(self.view.spots, spot_areas(self.view), strict=True):
            item = self.spots[spot.place]
            item.setParentItem(self)
            item.setPos(area.topLeft())
            item.show_view(spot)

    def _draw(self, painter: QPainter) -> None:
        draw_tile(painter, self.view, self._theme)
        self._paint_mark(painter, 6, 5)
        self._paint_focus(painter)


class PieceItem(PlaceItem):
    """A figure or a neutral piece, which moves over the tiles."""

    def __init__(self, view: PieceView, shapes: Mapping[str, str], theme: Theme) -> None:
        super().__init__(view.place, piece_wh(view), theme)
        self._shapes = shapes
        self.view = view
        self.setZValue(10)

    def _draw(self, painter: QPainter) -> None:
        draw_piece(painter, self._area, self.view, self._shapes)
        self._paint_mark(painter, 4, 3)
