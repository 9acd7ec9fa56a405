"""Faces cut out of photographs."""

from __future__ import annotations

import numpy as np
import pytest

from vision.faces.cutting import cut_face
from vision.faces.registration import Pose2D
from vision.faces.scene import PX_PER_MM, Plane
from vision.geometry.rectify import Flat

EDGE = 96


@pytest.mark.parametrize(("edge_mm", "is_learnt"), [(10.0, True), (24.0, False)])
def test_a_box_as_white_as_can_be_shown_is_learnt_and_glare_is_not(edge_mm: float, is_learnt: bool) -> None:
    """Bright light burns out what is white; a patch larger than a box is light that the face mirrors."""
    picture = np.full((160, 160, 3), 120, np.uint8)
    half = round(edge_mm * PX_PER_MM / 2)
    picture[80 - half : 80 + half, 80 - half : 80 + half] = 254
    plane = Plane(
        flat=Flat.around(-50.0, 50.0, -50.0, 50.0, PX_PER_MM, 0.0),
        picture=picture,
        soft=np.zeros((160, 160), np.float32),
        blind=np.zeros((160, 160), np.bool_),
    )
    white = np.ones((160, 160, 3), np.float32)
    face = cut_face(plane, white, Pose2D(x_px=80.0, y_px=80.0, turn=0.0), (EDGE, EDGE), "mill/sketch")
    middle = EDGE // 2

    assert face.valid[:20].all()
    assert bool(face.valid[middle, middle]) is is_learnt
    assert face.picture[middle, middle].min() > 0.95 > face.picture[10, 10].max()
