"""Pointing at the boxes of a board in a picture: numbered dots to drag, or to move with the keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PyQt6.QtCore import QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PyQt6.QtWidgets import QWidget

from companion.view_model import CameraView
from ui.painting.camera_view import pixmap_of
from ui.text import tr

Point = tuple[float, float]

DOT_PX: Final = 9.0
# A dot is grabbed from so far away.
GRAB_PX: Final = 18.0
# The magnifier shows what is around the chosen dot, so many times as large.
LENS_PX, LENS_ZOOM = 150, 4.0
# How far an arrow key moves a dot, px of the picture, and with Shift.
STEP, LONG_STEP = 1.0, 10.0
ARROWS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class BoardPoints(QWidget):
    """Shows a picture with numbered dots; Tab chooses a dot, arrows move it, Enter takes them all.

    Signals:
        taken: Enter was pressed.
        moved: a dot lies elsewhere than before.
    """

    taken = pyqtSignal()
    moved = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("The boxes of the board"))
        self.setMinimumSize(420, 240)
        self._picture = QPixmap()
        self._points: list[Point] = []
        self._before: list[tuple[int, Point]] = []
        self._chosen = 0
        self._is_dragging = False
        self.scale = 1.0

    def show_picture(self, view: CameraView, points: Sequence[Point], scale: float = 1.0) -> None:
        """Show a picture with a dot at each of these places, px of the picture; `scale` is that of text."""
        self._picture = pixmap_of(view)
        self._points = list(points)
        self._before, self._chosen, self._is_dragging = [], 0, False
        self.scale = scale
        self._describe()
        self.update()

    @property
    def points(self) -> tuple[Point, ...]:
        """Where the dots are, px of the picture, by number."""
        return tuple(self._points)

    @property
    def chosen(self) -> int:
        """The number of the chosen dot, from 0."""
        return self._chosen

    @property
    def can_undo(self) -> bool:
        """Whether a dot has been moved."""
        return bool(self._before)

    def undo(self) -> None:
        """Move the dot that was moved last back to where it was."""
        if self._before:
            self._chosen, place = self._before.pop()
            self._points[self._chosen] = place
            self._changed()

    def sizeHint(self) -> QSize:
        return QSize(720, 470)

    def picture_area(self) -> QRectF:
        """Return the area of the picture within the widget."""
        if self._picture.isNull():
            return QRectF(self.rect())
        zoom = min(self.width() / self._picture.width(), self.height() / self._picture.height())
        area = QRectF(0, 0, self._picture.width() * zoom, self._picture.height() * zoom)
        area.moveCenter(QRectF(self.rect()).center())
        return area

    def place_of(self, number: int) -> QPointF:
        """Return where a dot is in the widget."""
        x, y = self._points[number]
        return self.picture_area().topLeft() + QPointF(x, y) * self._zoom

    @property
    def _zoom(self) -> float:
        return self.picture_area().width() / max(self._picture.width(), 1)

    def _move_to(self, place: Point) -> None:
        x = min(max(place[0], 0.0), self._picture.width() - 1.0)
        y = min(max(place[1], 0.0), self._picture.height() - 1.0)
        self._points[self._chosen] = (x, y)
        self._changed()

    def _remember(self) -> None:
        self._before.append((self._chosen, self._points[self._chosen]))

    def _changed(self) -> None:
        self._describe()
        self.update()
        self.moved.emit()

    def _describe(self) -> None:
        """Tell a screen reader which dot is chosen, and where it is."""
        if self._points:
            x, y = self._points[self._chosen]
            self.setAccessibleDescription(
                tr("Dot {number} at {x}, {y}", number=self._chosen + 1, x=round(x), y=round(y))
            )

    # -- mouse and keys -----------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        if event is None or not self._points:
            return
        at = event.position()
        far = [(self.place_of(number) - at).manhattanLength() for number in range(len(self._points))]
        nearest = far.index(min(far))
        if far[nearest] <= GRAB_PX * self.scale:
            self._chosen, self._is_dragging = nearest, True
            self._remember()
            self._changed()

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        if event is not None and self._is_dragging:
            at = (event.position() - self.picture_area().topLeft()) / self._zoom
            self._move_to((at.x(), at.y()))

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:
        del event
        if self._is_dragging and self._before[-1] == (self._chosen, self._points[self._chosen]):
            self._before.pop()  # only chosen, not moved
            self.moved.emit()
        self._is_dragging = False

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        if event is None or not self._points:
            return
        step = LONG_STEP if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else STEP
        if event.key() in ARROWS:
            right, down = ARROWS[Qt.Key(event.key())]
            self._remember()
            x, y = self._points[self._chosen]
            self._move_to((x + right * step, y + down * step))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.taken.emit()
        elif event.key() == Qt.Key.Key_Backspace:
            self.undo()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Go from dot to dot first; beyond the last one to the next widget."""
        following = self._chosen + (1 if is_next else -1)
        if not self.hasFocus() or not 0 <= following < len(self._points):
            return super().focusNextPrevChild(is_next)
        self._chosen = following
        self._describe()
        self.update()
        return True

    # -- painting -----------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent | None) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(self.rect(), QColor("#101418"))
        if self._picture.isNull():
            return
        painter.drawPixmap(self.picture_area(), self._picture, QRectF(self._picture.rect()))
        # The chosen one lies on top.
        order = sorted(range(len(self._points)), key=lambda number: number == self._chosen)
        for number in order:
            self._draw_dot(painter, number)
        if self._points:
            self._draw_lens(painter)

    def _draw_dot(self, painter: QPainter, number: int) -> None:
        radius, middle = DOT_PX * self.scale, self.place_of(number)
        is_chosen = number == self._chosen
        painter.setPen(QPen(QColor("#101418"), 1.5))
        painter.setBrush(QColor("#ffb02e") if is_chosen else QColor(255, 255, 255, 150))
        painter.drawEllipse(middle, radius, radius)
        font = painter.font()
        font.setPixelSize(round(1.25 * radius))
        font.setBold(True)
        painter.setFont(font)
        box = QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(number + 1))

    def _draw_lens(self, painter: QPainter) -> None:
        """Draw what is around the chosen dot, enlarged, in the corner that is farthest from it."""
        edge = LENS_PX * self.scale
        x, y = self._points[self._chosen]
        at = self.place_of(self._chosen)
        left = 0.0 if at.x() > self.width() / 2 else self.width() - edge
        top = 0.0 if at.y() > self.height() / 2 else self.height() - edge
        reach = edge / 2 / (LENS_ZOOM * self._zoom)
        lens = QRectF(left, top, edge, edge)
        painter.fillRect(lens, QColor("#101418"))
        painter.drawPixmap(lens, self._picture, QRectF(x - reach, y - reach, 2 * reach, 2 * reach))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor("#ffb02e"), 2))
        painter.drawRect(lens.adjusted(1, 1, -1, -1))
        middle, arm = lens.center(), edge / 8
        painter.drawLine(middle - QPointF(arm, 0), middle + QPointF(arm, 0))
        painter.drawLine(middle - QPointF(0, arm), middle + QPointF(0, arm))
