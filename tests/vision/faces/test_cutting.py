"""Faces cut out of photographs."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Singles
from vision.faces.cutting import cut_face, without_sheen
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


def printed_lines() -> Singles:
    """A face on white paper with dark lines and a red field, in shares of paper's light."""
    picture = np.full((96, 96, 3), 0.95, np.float32)
    picture[:, 10::14] = 0.3
    picture[60:80, 40:70] = (0.2, 0.2, 0.8)
    return picture


@pytest.mark.parametrize("sheen", [0.4, 1.5])
def test_what_a_lamp_adds_to_a_face_is_taken_off(sheen: float) -> None:
    """It changes little over a face; the print keeps its contrast, and its colours."""
    printed = printed_lines()
    lamp = np.linspace(0.8 * sheen, sheen, 96, dtype=np.float32)[:, None, None]
    told = without_sheen(printed + lamp)

    assert np.abs(told - printed)[8:-8, 8:-8].max() < 0.2
    assert told.max() < 1.2
    assert np.array_equal(without_sheen(printed), printed)
