"""Sheets to print: the fiducials, the ChArUco board, colour patches; each with a ruler to check the scale.

Everything is drawn as shapes, in millimetres, by Qt's own PDF writer.
"""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
from PyQt6.QtCore import QMarginsF, QPointF, QRectF, QSizeF, Qt
from PyQt6.QtGui import QColor, QFont, QGuiApplication, QPageLayout, QPageSize, QPainter, QPdfWriter, QPen

from calibration.charuco import COLUMNS, ROWS, SQUARE_MM, SQUARE_MODULES, charuco_modules
from companion.errors import DeviceError, DeviceFault, MalformedError
from companion.i18n import msg
from companion.table_layout import TableLayout

PAPERS = {"a4": QPageSize.PageSizeId.A4, "letter": QPageSize.PageSizeId.Letter}
RULER_MM = 150
MOST_PRINTED_MM = 55.0
_DPI = 1200
_PER_MM = _DPI / 25.4
_PATCHES = (
    ("white", "#ffffff"), ("light grey", "#c8c8c8"), ("grey", "#8c8c8c"), ("dark grey", "#505050"),
    ("black", "#141414"), ("red", "#c8322d"), ("orange", "#e6781e"), ("yellow", "#f0d232"),
    ("green", "#3c8c46"), ("teal", "#1e8c8c"), ("blue", "#2864be"), ("purple", "#783c96"),
    ("pink", "#dc82a0"), ("brown", "#7a4a2a"), ("sand", "#dcc8a0"), ("sky", "#96c8e6"),
)  # fmt: skip


def write_sheets(folder: Path, layout: TableLayout, paper: str = "a4") -> list[Path]:
    """Write all sheets as PDF into a folder and return the files.


    Args:
        folder: is made if need be.
        layout: says how many fiducials there are and how large.
        paper: ``a4`` or ``letter``.

    Raises:
        MalformedError: the codes are so large that four do not fit on one page.
        DeviceError: the folder cannot be written.
    """
    if max(one.edge_mm for one in layout.fiducials) > MOST_PRINTED_MM:
        raise MalformedError(
            msg("four codes larger than {most} mm do not fit on one page", most=f"{MOST_PRINTED_MM:g}")
        )
    application = _ensure_application()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        text = f"the folder {folder} cannot be made: {error.strerror}"
        raise DeviceError(text, DeviceFault.NO_PERMISSION) from error
    drawings = (("fiducials", _draw_fiducials), ("charuco", _draw_charuco), ("colours", _draw_colours))
    files: list[Path] = []
    for name, draw in drawings:
        file = folder / f"{name}-{paper}.pdf"
        sheet = _Sheet(file, paper, f"Moontable: {name}")
        draw(sheet, layout)
        sheet.finish()
        files.append(file)
    del application
    return files


def _ensure_application() -> object:
    """Return Qt's application object, which it needs for fonts; no screen is needed."""
    running = QGuiApplication.instance()
    if running is not None:
        return running
    # OpenCV's wheel points Qt at plugins of its own, older Qt.
    for name in ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR"):
        if f"{os.sep}cv2{os.sep}" in os.environ.get(name, ""):
            del os.environ[name]
    return QGuiApplication(["moontable", "-platform", "offscreen"])


class _Sheet:
    """One page being drawn, in millimetres from its upper left corner."""

    def __init__(self, file: Path, paper: str, title: str) -> None:
        self._file = file
        self._writer = QPdfWriter(str(file))
        self._writer.setResolution(_DPI)
        self._writer.setTitle(title)
        self._writer.setCreator("Moontable")
        page = QPageSize(PAPERS[paper])
        plain = QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0))
        plain.setMode(QPageLayout.Mode.FullPageMode)
        self._writer.setPageLayout(plain)
        size: QSizeF = page.size(QPageSize.Unit.Millimeter)
        self.width_mm, self.height_mm = size.width(), size.height()
        self._painter = QPainter()
        if not self._painter.begin(self._writer):
            raise DeviceError(f"{file} cannot be written", DeviceFault.NO_PERMISSION)

    def finish(self) -> None:
        """Write the page."""
        self._painter.end()

    def fill(self, x: float, y: float, width: float, height: float, colour: str = "#000000") -> None:
        """Fill a rectangle."""
        self._painter.fillRect(QRectF(*(one * _PER_MM for one in (x, y, width, height))), QColor(colour))

    def line(
        self, x0: float, y0: float, x1: float, y1: float, width: float = 0.15, *, dashed: bool = False
    ) -> None:
        """Draw a line."""
        pen = QPen(QColor("#000000" if not dashed else "#909090"))
        pen.setWidthF(width * _PER_MM)
        if dashed:
            pen.setStyle(Qt.PenStyle.DashLine)
        self._painter.setPen(pen)
        self._painter.drawLine(QPointF(x0 * _PER_MM, y0 * _PER_MM), QPointF(x1 * _PER_MM, y1 * _PER_MM))

    def text(self, x: float, y: float, words: str, height: float = 3.6, *, centred: bool = False) -> None:
        """Write text; x, y is the start or the middle of its base line."""
        font = QFont("sans-serif")
        font.setPixelSize(round(height * _PER_MM))
        self._painter.setFont(font)
        self._painter.setPen(QPen(QColor("#000000")))
        width = self._painter.fontMetrics().horizontalAdvance(words) if centred else 0
        self._painter.drawText(QPointF(x * _PER_MM - width / 2, y * _PER_MM), words)

    def modules(self, x: float, y: float, edge: float, black: np.ndarray) -> None:
        """Fill the black modules of a code, each `edge` wide; neighbours in a row are one shape."""
        for row, line in enumerate(black):
            start = 0
            while start < len(line):
                if not line[start]:
                    start += 1
                    continue
                end = start
                while end < len(line) and line[end]:
                    end += 1
                # A hair of overlap: no white lines between rows on any printer.
                hair = 0.01 if row + 1 < len(black) and black[row + 1, start:end].all() else 0.0
                self.fill(x + start * edge, y + row * edge, (end - start) * edge, edge + hair)
                start = end

    def ruler(self) -> None:
        """Draw the ruler near the lower edge, with its label."""
        left, y = (self.width_mm - RULER_MM) / 2, self.height_mm - 18
        self.line(left, y, left + RULER_MM, y, 0.2)
        for mm in range(RULER_MM + 1):
            tick = 4.5 if mm % 10 == 0 else 3.2 if mm % 5 == 0 else 2.0
            self.line(left + mm, y, left + mm, y - tick, 0.1)
            if mm % 10 == 0:
                self.text(left + mm, y - 5.2, str(mm // 10), 2.8, centred=True)
        words = f"This line is {RULER_MM} mm long. If yours is not, print it again at 100 %."
        self.text(self.width_mm / 2, y + 5.5, words, 3.2, centred=True)


def _draw_fiducials(sheet: _Sheet, layout: TableLayout) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    sheet.text(sheet.width_mm / 2, 18, "Moontable: fiducials", 6, centred=True)
    words = "Cut along the dashed lines and lay them flat around the table, anywhere and any way round."
    sheet.text(sheet.width_mm / 2, 25, words, centred=True)
    pitch = max(one.edge_mm for one in layout.fiducials) * 1.5 + 12
    columns = max(1, min(2, int((sheet.width_mm - 10) // pitch)))
    left = (sheet.width_mm - columns * pitch) / 2
    for i, one in enumerate(layout.fiducials):
        paper = one.edge_mm * 1.5
        x, y = left + (i % columns) * pitch + 6, 34 + (i // columns) * (pitch + 4)
        code = np.asarray(cv2.aruco.generateImageMarker(dictionary, one.id, 6, borderBits=1)) < 128
        sheet.modules(x + paper / 6, y + paper / 6, one.edge_mm / 6, code)
        for x0, y0, x1, y1 in ((0, 0, 1, 0), (1, 0, 1, 1), (1, 1, 0, 1), (0, 1, 0, 0)):
            sheet.line(x + x0 * paper, y + y0 * paper, x + x1 * paper, y + y1 * paper, dashed=True)
        words = f"number {one.id}: the black square is {one.edge_mm:g} mm wide"
        sheet.text(x + paper / 2, y - 1.6, words, 2.7, centred=True)
    sheet.ruler()


def _draw_charuco(sheet: _Sheet, layout: TableLayout) -> None:
    del layout
    width, height = COLUMNS * SQUARE_MM, ROWS * SQUARE_MM
    left, top = (sheet.width_mm - width) / 2, (sheet.height_mm - height - 22) / 2 + 2
    words = "Moontable: lens sheet. Photograph it flat, ten times, tilted another way each time."
    sheet.text(sheet.width_mm / 2, top - 3.5, words, 3.4, centred=True)
    sheet.modules(left, top, SQUARE_MM / SQUARE_MODULES, charuco_modules())
    sheet.ruler()


def _draw_colours(sheet: _Sheet, layout: TableLayout) -> None:
    del layout
    sheet.text(sheet.width_mm / 2, 18, "Moontable: colour patches", 6, centred=True)
    words = "Lay the sheet on the table once: it shows what your lamp and camera make of colours."
    sheet.text(sheet.width_mm / 2, 25, words, centred=True)
    edge, pitch = 36.0, 44.0
    left = (sheet.width_mm - 3 * pitch - edge) / 2
    for i, (name, colour) in enumerate(_PATCHES):
        x, y = left + (i % 4) * pitch, 34 + (i // 4) * (pitch + 6)
        sheet.fill(x - 0.4, y - 0.4, edge + 0.8, edge + 0.8, "#000000")
        sheet.fill(x, y, edge, edge, colour)
        sheet.text(x + edge / 2, y + edge + 5, f"{name}  {colour}", 3, centred=True)
    sheet.ruler()
