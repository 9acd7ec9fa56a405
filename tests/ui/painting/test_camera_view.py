"""The camera's picture, and what was recognised in it."""

from __future__ import annotations

import pytest
from PyQt6.QtGui import QColor
from pytestqt.qtbot import QtBot

from companion.table import Place
from companion.view_model import CameraView, Outline
from ui.painting.camera_view import CameraPicture


def test_the_camera_shows_picture_outlines_and_notice(qtbot: QtBot) -> None:
    """The picture keeps its shape, outlines can be switched off, a notice says why there is none."""
    panel = CameraPicture()
    qtbot.addWidget(panel)
    panel.resize(400, 400)
    empty = panel.grab().toImage()
    corners = ((10.0, 10.0), (150.0, 10.0), (150.0, 80.0), (10.0, 80.0))
    outline = Outline(place=Place("cell:0,1"), corners=corners, label="mill", confidence=0.99)
    panel.show_view(
        CameraView(width=160, height=90, bgr=bytes([0, 0, 200]) * (160 * 90), outlines=(outline,))
    )
    panel.show_notice("")
    drawn = panel.grab().toImage()
    panel.set_outlines_shown(False)
    plain = panel.grab().toImage()

    assert len({image.cacheKey() for image in (empty, drawn, plain)}) == 3
    assert drawn != plain != empty
    assert QColor(200, 0, 0) == plain.pixelColor(200, 200)
    assert 400 / 225 == pytest.approx(panel.picture_area().width() / panel.picture_area().height())
