"""The pictures kept with accepted actions: small JPEGs, so that a whole game stays small."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QBuffer, QIODevice, Qt
from PyQt6.QtGui import QImage

from companion.view_model import CameraView

EVIDENCE_KIND: Final = "picture"
WIDEST_PX: Final = 960
QUALITY: Final = 70


def encoded_picture(view: CameraView) -> bytes:
    """Return a picture as JPEG, at most `WIDEST_PX` wide."""
    image = QImage(view.bgr, view.width, view.height, 3 * view.width, QImage.Format.Format_BGR888)
    if view.width > WIDEST_PX:
        image = image.scaledToWidth(WIDEST_PX, Qt.TransformationMode.SmoothTransformation)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "JPEG", QUALITY)
    return bytes(buffer.data().data())


def decoded_picture(data: bytes) -> QImage:
    """Return the image of a kept picture; a null image if the bytes are not one."""
    return QImage.fromData(data)
