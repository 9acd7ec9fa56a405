"""Looking straight down."""

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from calibration.camera_pose import CameraPose, Lens
from vision.geometry.rectify import Flat, flat_maps, flatten, lean

LENS = Lens(size_wh=(640, 480), focal_px=600.0, centre_px=(320.0, 240.0), k1=-0.08, k2=0.01)
TURN = cv2.Rodrigues(np.array([np.pi - 0.5, 0.05, 0.02]))[0]
EYE = np.array([10.0, -250.0, 430.0])
VIEW = CameraPose(lens=LENS, rotation=cv2.Rodrigues(TURN)[0].ravel(), shift=-TURN @ EYE, error_px=0.0)
FLAT = Flat.around(-100, 100, -80, 80, 1.6, 2.2)
places = st.tuples(st.floats(-100, 100), st.floats(-80, 80))


@given(places)
def test_pixels_and_millimetres_undo_each_other(at: tuple[float, float]) -> None:
    """A table point comes back from its pixel."""
    assert np.allclose(at, FLAT.to_mm(FLAT.to_px(np.array([at])))[0])


@given(places, st.floats(0, 40))
def test_what_stands_high_leans_to_where_the_camera_sees_it(at: tuple[float, float], height: float) -> None:
    """A point above the plane and its place on the plane fall on the same pixel."""
    shown = lean(VIEW, np.array([at]), height, 2.2)[0]
    pixels = VIEW.project(np.array([(*at, height), (*shown, 2.2)]))

    assert np.abs(pixels[0] - pixels[1]).max() < 1e-6


def test_maps_are_smooth_and_true() -> None:
    """The map drawn from knots agrees with the exact projection to a twentieth of a pixel."""
    whole, share = flat_maps(VIEW, FLAT)
    x, y = whole[..., 0] + share % 32 / 32, whole[..., 1] + share // 32 / 32
    rows, columns = np.mgrid[: FLAT.height_px : 7, : FLAT.width_px : 7]
    table = FLAT.to_mm(np.stack([columns, rows], axis=-1).reshape(-1, 2).astype(float))
    exact = VIEW.project(np.column_stack([table, np.full(len(table), 2.2)]))
    drawn = np.column_stack([x[rows.ravel(), columns.ravel()], y[rows.ravel(), columns.ravel()]])

    assert np.abs(drawn - exact).max() < 0.05


def test_outside_the_frame_is_black() -> None:
    """What the camera does not see is black, not smeared."""
    far = Flat.around(-2000, -1900, 0, 50, 1.0, 0.0)
    frame = np.full((480, 640, 3), 200, np.uint8)

    assert not flatten(frame, flat_maps(VIEW, far)).any()
