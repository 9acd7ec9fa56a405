"""Draws the icon in several sizes from ``ui/icons/moontable.svg``: ``python -m tests.helpers.icons``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QGuiApplication, QImage, QPainter
from PyQt6.QtSvg import QSvgRenderer

from tests.helpers.imports import ROOT
from ui.icon import FOLDER, SIZES_PX


def drawn(size: int) -> QImage:
    """Return the icon as a square picture with `size` pixels a side."""
    picture = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(str(FOLDER / "moontable.svg")).render(painter)
    painter.end()
    return picture


def file_of(size: int) -> Path:
    """Return where the picture of a size is kept."""
    return FOLDER / f"moontable-{size}.png"


def main() -> int:
    """Write all sizes."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QGuiApplication([])
    for size in SIZES_PX:
        if not drawn(size).save(str(file_of(size)), quality=0):
            raise OSError(f"{file_of(size)} cannot be written")
        print(file_of(size).relative_to(ROOT))
    del app
    return 0


if __name__ == "__main__":
    sys.exit(main())
