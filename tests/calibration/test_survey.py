"""Where the codes lie, told by photographs of them alone."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.camera_pose import CameraPose, Lens
from calibration.survey import CoordinateFrame, Shot, Survey, frame_between, survey, usual_frame
from companion.games.blue_moon_city.layout import table_layout
from companion.table_layout import Fiducial

LAYOUT = table_layout()
SIZE = (1280, 720)


def camera(tilt_deg: float = 25, azimuth_deg: float = 0.0, focal_px: float = 1090.0) -> CameraPose:
    """A view of the table's middle from 900 mm away."""
    lens = Lens(size_wh=SIZE, focal_px=focal_px, centre_px=(639.5, 359.5), k1=-0.05, k2=0.0075)
    tilt, turn = math.radians(tilt_deg), math.radians(azimuth_deg)
    away = np.array([math.sin(turn) * math.sin(tilt), -math.cos(turn) * math.sin(tilt), math.cos(tilt)])
    right = np.array([math.cos(turn), math.sin(turn), 0.0])
    rows = np.stack([right, np.cross(-away, right), -away])
    rotation = np.asarray(cv2.Rodrigues(rows)[0]).ravel()
    return CameraPose(lens=lens, rotation=rotation, shift=-rows @ (away * 900), error_px=0.0)


def shot(view: CameraPose, codes: tuple[Fiducial, ...]) -> Shot:
    """What a view shows of some codes, exactly."""
    corners = {one.id: view.project(np.array([(*at, 0.0) for at in one.corners_mm()])) for one in codes}
    return Shot(size_wh=SIZE, corners=corners)


def apart(found: Survey, codes: tuple[Fiducial, ...]) -> float:
    """How far, mm, corners of codes are off once both are laid over each other."""
    some = np.concatenate([one.corners_mm() for one in found.codes])
    others = np.concatenate([one.corners_mm() for one in codes])
    placed = found.reframed(frame_between(others, some))
    return float(np.abs(np.concatenate([one.corners_mm() for one in placed.codes]) - others).max())


@st.composite
def laid(draw: st.DrawFn) -> tuple[Fiducial, ...]:
    """Four codes of one size around the city, turned anyhow."""
    edge = draw(st.sampled_from([25.0, 40.0, 60.0]))
    off, turn = st.floats(-60, 60), st.floats(-180, 179)
    return tuple(
        Fiducial(
            id=one.id, x_mm=one.x_mm + draw(off), y_mm=one.y_mm + draw(off), edge_mm=edge, turn_deg=draw(turn)
        )
        for one in LAYOUT.fiducials
    )


@settings(max_examples=40, deadline=None)
@given(laid(), st.floats(0, 50), st.floats(-180, 180))
def test_codes_are_placed_wherever_they_lie(codes: tuple[Fiducial, ...], tilt: float, azimuth: float) -> None:
    """With the lens known and exact corners, wherever the camera is, what is found is exact."""
    view = camera(tilt, azimuth)
    found = survey([shot(view, codes)], codes[0].edge_mm, view.lens)

    assert found is not None
    assert apart(found, codes) < 0.05
    assert found.cameras[0].error_px < 0.01


@settings(max_examples=25, deadline=None)
@given(laid(), st.floats(850, 1300), st.floats(10, 45))
def test_a_lens_that_nobody_measured_is_found_along(
    codes: tuple[Fiducial, ...], focal_px: float, tilt: float
) -> None:
    """Two photographs of a table without a known lens place the codes to a few millimetres."""
    views = camera(tilt, 5, focal_px), camera(tilt + 5, -5, focal_px)
    found = survey([shot(view, codes) for view in views], codes[0].edge_mm)

    assert found is not None
    assert apart(found, codes) < 4.0


def test_a_code_that_was_pushed_between_photographs_is_left_out_there() -> None:
    """The other photographs say where it lies; the one in which it lay elsewhere still has a view."""
    codes = LAYOUT.fiducials
    pushed = (replace(codes[0], x_mm=codes[0].x_mm + 30, turn_deg=20.0), *codes[1:])
    view = camera()
    found = survey([shot(view, codes), shot(view, pushed), shot(view, codes)], 40.0)

    assert found is not None
    assert found.strays == {(1, 0)}
    assert apart(found, codes) < 2.0


@pytest.mark.parametrize("count", [0, 1, 2])
def test_fewer_than_three_codes_do_not_suffice(count: int) -> None:
    """A photograph that shows one or two cannot be surveyed, nor can none at all."""
    assert survey([shot(camera(), LAYOUT.fiducials[:count])], 40.0) is None
    assert survey([], 40.0) is None


def test_a_frame_elsewhere_shows_the_same_pixels() -> None:
    """Codes and views move together."""
    view = camera()
    found = survey([shot(view, LAYOUT.fiducials)], 40.0, view.lens)
    assert found is not None
    moved = found.reframed(CoordinateFrame(x_mm=31.0, y_mm=-12.0, turn_rad=0.7))

    for before, after in zip(found.codes, moved.codes, strict=True):
        some, others = (
            one.project(np.array([(*at, 0.0) for at in code.corners_mm()]))
            for one, code in ((found.cameras[0], before), (moved.cameras[0], after))
        )
        assert np.abs(some - others).max() < 1e-6


@pytest.mark.parametrize("azimuth", [0.0, 40.0, 120.0, 180.0])
def test_the_numbers_of_the_codes_tell_the_way_round(azimuth: float) -> None:
    """Wherever the camera hangs: what was laid as the layout has it is found as the layout has it."""
    view = camera(azimuth_deg=azimuth)
    found = survey([shot(view, LAYOUT.fiducials)], 40.0, view.lens)
    assert found is not None
    placed = found.reframed(usual_frame(found.codes, LAYOUT))

    for one, usual in zip(placed.codes, LAYOUT.fiducials, strict=True):
        assert math.hypot(one.x_mm - usual.x_mm, one.y_mm - usual.y_mm) < 0.1


def test_codes_in_another_order_leave_the_way_round_to_the_camera() -> None:
    """With two codes exchanged y points away from the camera."""
    first, second, *others = LAYOUT.fiducials
    codes = (replace(first, id=1), replace(second, id=0), *others)
    view = camera(azimuth_deg=20)
    found = survey([shot(view, codes)], 40.0, view.lens)
    assert found is not None
    placed = found.reframed(usual_frame(found.codes, LAYOUT))

    eye = placed.cameras[0].eye_mm
    assert abs(math.degrees(math.atan2(eye[0], -eye[1]))) < 5
