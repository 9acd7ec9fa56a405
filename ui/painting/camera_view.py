"""The camera's picture with what was recognised drawn over it."""

from __future__ import annotations

from PyQt6.QtCore import QPointF, QRectF, QSize, Qt
from PyQt6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PyQt6.QtWidgets import QWidget

from companion.view_model import CameraView, Outline
from ui.painting import art
from ui.text import tr

SURE = 0.9
LABELS_FROM_PX = 26.0
LEAST_WH = (160, 48)


def pixmap_of(view: CameraView) -> QPixmap:
    """Return a picture without outlines."""
    image = QImage(view.bgr, view.width, view.height, 3 * view.width, QImage.Format.Format_BGR888)
    return QPixmap.fromImage(image)


class CameraPicture(QWidget):
    """Shows the newest picture as large as it fits; outlines are green if certain, amber if not."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: CameraView | None = None
        self._image = QImage()
        self._notice = tr("No camera is watching.")
        self.show_outlines = True
        self.setAccessibleName(tr("Camera picture"))
        self.setMinimumSize(*LEAST_WH)

    def show_view(self, view: CameraView) -> None:
        """Show another picture."""
        self._view = view
        # The image borrows the bytes; keeping the view keeps them alive.
        self._image = QImage(view.bgr, view.width, view.height, 3 * view.width, QImage.Format.Format_BGR888)
        self.update()

    def show_notice(self, text: str) -> None:
        """Show why there is no picture; pass an empty text if there is one."""
        self._notice = text
        self.update()

    def set_outlines_shown(self, shown: bool) -> None:
        """Switch the outlines of what was recognised on or off."""
        self.show_outlines = shown
        self.update()

    def picture_area(self) -> QRectF:
        """Return the area of the picture within the widget."""
        if self._view is None:
            return QRectF(self.rect())
        zoom = min(self.width() / self._view.width, self.height() / self._view.height)
        size = QRectF(0, 0, self._view.width * zoom, self._view.height * zoom)
        size.moveCenter(QRectF(self.rect()).center())
        return size

    def paintEvent(self, event: QPaintEvent | None) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor("#101418"))
        if self._view is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(self.picture_area(), self._image)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self.show_outlines:
                for outline in self._view.outlines:
                    self._draw_outline(painter, outline)
            if self._view.busy and not self._notice:
                self._draw_notice(painter, tr("A hand is over the table"))
        if self._notice:
            self._draw_notice(painter, self._notice)

    def _draw_outline(self, painter: QPainter, outline: Outline) -> None:
        assert self._view is not None
        area = self.picture_area()
        zoom = area.width() / self._view.width
        corners = QPolygonF([area.topLeft() + QPointF(x, y) * zoom for x, y in outline.corners])
        colour = QColor("#3ddc84" if outline.confidence >= SURE else "#ffb02e")
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, 2))
        painter.drawPolygon(corners)
        box = corners.boundingRect()
        label = outline.label
        if label and box.width() >= LABELS_FROM_PX:
            strip = QRectF(box.center().x() - box.width() / 2, box.bottom() - 14, box.width(), 14)
            painter.fillRect(strip, QColor(16, 20, 24, 170))
            art.draw_text(painter, strip.adjusted(2, 0, -2, 0), label, 11, QColor("#ffffff"))

    def _draw_notice(self, painter: QPainter, text: str) -> None:
        """Write over the lower edge of the picture, where no tiles are; without a picture, in the middle."""
        top = self.height() - 28 if self._view is not None else self.height() / 2 - 14
        strip = QRectF(0, top, self.width(), 28)
        painter.fillRect(strip, QColor(16, 20, 24, 190))
        art.draw_text(painter, strip.adjusted(8, 0, -8, 0), text, 15, QColor("#ffffff"))

    def sizeHint(self) -> QSize:
        return QSize(480, 270)
