"""Upright bodies and the shadows they throw."""

import cv2
import numpy as np
import pytest

from calibration.camera_pose import CameraPose
from vision.arrays import Floats
from vision.simulation.bodies import Body, Lamp, cast_shadow, draw_body, figure, turned_figure
from vision.simulation.scenery import Viewpoint

SIZE = (640, 360)


def seen_from(tilt_deg: float) -> CameraPose:
    """A camera over the table's middle."""
    return Viewpoint(tilt_deg=tilt_deg, distance_mm=700).pose(SIZE)


def standing(height: float) -> Body:
    """A figure in the middle of the table."""
    return figure(height, 15.0, (40, 40, 200))


@pytest.mark.parametrize("height_mm", [30.0, 90.0, 400.0])
@pytest.mark.parametrize("tilt_deg", [0.0, 30.0, 50.0])
def test_a_shadow_falls_away_from_the_lamp_however_low_that_hangs(height_mm: float, tilt_deg: float) -> None:
    """Also of what stands higher than the lamp; nothing of it falls on the lamp's side."""
    view = seen_from(tilt_deg)
    lamp = Lamp(at_mm=(-600.0, 0.0, 100.0), radius_mm=20.0, share=0.7)
    shadow = cast_shadow(standing(height_mm), view.project, lamp, 0.0, SIZE)
    assert shadow is not None
    rows, columns = np.nonzero(shadow.cover > 0.3)
    foot = view.project(np.array([[0.0, 0.0, 0.0]]))[0]

    assert np.isfinite(shadow.cover).all()
    assert len(columns) > 0
    assert (columns + shadow.x).min() > foot[0] - 25
    assert abs(float((rows + shadow.y).mean()) - foot[1]) < 25


def test_a_shadow_that_reaches_the_horizon_is_drawn_as_far_as_the_picture_goes() -> None:
    """The camera's own plane is infinitely far off in its picture."""
    view = seen_from(30.0)

    def project(corners: Floats) -> Floats:
        points = view.project(corners)
        points[points[:, 0].argmin(), 0] = -1e12
        return points

    lamp = Lamp(at_mm=(600.0, 0.0, 100.0), radius_mm=20.0, share=0.7)
    shadow = cast_shadow(standing(90.0), project, lamp, 0.0, SIZE)

    assert shadow is not None
    assert shadow.x <= 0
    assert shadow.cover[:, -shadow.x].max() > 0.3


@pytest.mark.parametrize("tilt_deg", [0.0, 25.0, 50.0])
@pytest.mark.parametrize("waist", [0.15, 0.5, 1.0])
def test_a_turned_figure_has_no_holes_however_slim_its_waist(tilt_deg: float, waist: float) -> None:
    """Between its foot and its neck the table is not seen."""
    view = seen_from(tilt_deg)
    profile = ((0.0, 1.0), (0.08, 1.0), (0.3, waist), (0.6, waist), (0.8, 0.6), (1.0, 0.05))
    body = turned_figure(28.0, 16.0, profile, (40, 40, 200))
    patch = draw_body(body, view.project, view.eye_mm, Lamp(at_mm=(200.0, 100.0, 900.0)), SIZE)
    assert patch is not None
    covered = np.pad(patch.cover > 0.5, 1).astype(np.uint8)
    outside, _ = cv2.connectedComponents(1 - covered, connectivity=4)

    # The background itself, and what surrounds the body.
    assert outside == 2
