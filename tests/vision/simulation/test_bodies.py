"""Upright bodies and the shadows they throw."""

import numpy as np
import pytest

from calibration.camera_pose import CameraPose
from vision.simulation.bodies import Body, Lamp, cast_shadow, figure
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
