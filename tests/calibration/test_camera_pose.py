"""From fiducials to the camera over the table."""

import cv2
import numpy as np
import pytest

from calibration.camera_pose import CameraPose, Lens, fiducial_points, fit_camera_pose
from companion.games.blue_moon_city.layout import table_layout

LAYOUT = table_layout()
SIZE = (1280, 720)


def camera(tilt_deg: float, focal_px: float = 1050.0, k1: float = -0.05) -> CameraPose:
    """A view from the near side, tilted, 650 mm away from the middle."""
    lens = Lens(size_wh=SIZE, focal_px=focal_px, centre_px=(639.5, 359.5), k1=k1, k2=-0.15 * k1)
    tilt = np.deg2rad(180 - tilt_deg)
    rotation = np.array([tilt, 0.0, 0.0])
    turn = cv2.Rodrigues(rotation)[0]
    away = np.deg2rad(tilt_deg)
    eye = 650 * np.array([0.0, -np.sin(away), np.cos(away)])
    return CameraPose(lens=lens, rotation=rotation, shift=-turn @ eye, error_px=0.0)


def seen(view: CameraPose, numbers: tuple[int, ...] = (0, 1, 2, 3)) -> dict[int, np.ndarray]:
    """The corners of fiducials as this view shows them."""
    return {
        one.id: view.project(np.array([(x, y, 0.0) for x, y in one.corners_mm()]))
        for one in LAYOUT.fiducials
        if one.id in numbers
    }


@pytest.mark.parametrize("tilt_deg", [0, 10, 30, 50])
@pytest.mark.parametrize("focal_px", [850.0, 1050.0, 1300.0])
def test_the_city_is_placed_without_a_calibrated_lens(tilt_deg: float, focal_px: float) -> None:
    """Tile tops are placed to 1.5 mm though the lens is only guessed."""
    truth = camera(tilt_deg, focal_px)
    found = fit_camera_pose(LAYOUT, seen(truth), SIZE)
    tops = np.array([(x, y, 2.2) for x, y in LAYOUT.cells.values()])

    assert found is not None
    off_px = np.linalg.norm(found.project(tops) - truth.project(tops), axis=1)
    assert off_px.max() * 650 / focal_px < 1.5


@pytest.mark.parametrize("missing", [0, 1, 2, 3])
def test_one_fiducial_may_be_hidden(missing: int) -> None:
    """Three fiducials place the table to within two millimetres."""
    truth = camera(35)
    found = fit_camera_pose(LAYOUT, seen(truth, tuple({0, 1, 2, 3} - {missing})), SIZE)
    tops = np.array([(x, y, 2.2) for x, y in LAYOUT.cells.values()])

    assert found is not None
    assert np.linalg.norm(found.project(tops) - truth.project(tops), axis=1).max() < 3.0


def test_a_known_lens_needs_two_fiducials() -> None:
    """With the lens known two fiducials suffice, without it they do not."""
    truth = camera(35)

    assert fit_camera_pose(LAYOUT, seen(truth, (0, 2)), SIZE) is None
    found = fit_camera_pose(LAYOUT, seen(truth, (0, 2)), SIZE, truth.lens)
    assert found is not None
    assert np.abs(found.eye_mm - truth.eye_mm).max() < 1.0


def test_the_eye_is_above_the_table() -> None:
    """The camera's place comes out in millimetres, above the table."""
    truth = camera(40)
    found = fit_camera_pose(LAYOUT, seen(truth), SIZE)

    assert found is not None
    assert np.abs(found.eye_mm - truth.eye_mm).max() < 30
    assert found.fiducials == frozenset({0, 1, 2, 3})


def test_points_and_pixels_belong_together() -> None:
    """Only found fiducials give points, four each."""
    table, pixels = fiducial_points(LAYOUT, seen(camera(20), (1, 3)))

    assert table.shape == (8, 3)
    assert pixels.shape == (8, 2)
