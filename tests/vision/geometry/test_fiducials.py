"""Fiducials: their corners are found where they are, however soft the picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.camera_pose import fit_camera_pose
from companion.games.blue_moon_city.layout import table_layout
from vision.arrays import Floats
from vision.geometry.fiducials import find_fiducials, find_near, find_quickly, sharpen_all
from vision.simulation.art import draw_fiducial
from vision.simulation.bodies import Lamp
from vision.simulation.camera import SimulatedCamera
from vision.simulation.scenery import Scenery, Viewpoint

FINE = 8
LAYOUT = table_layout()
WANTED = frozenset(range(4))


def sharpen(picture: np.ndarray, corners: np.ndarray) -> np.ndarray | None:  # type: ignore[type-arg]
    """Return the corners (4, 2) of the one square in a picture, None if it is not clear."""
    return sharpen_all(picture, {0: corners}).get(0)


def photograph(corners: Floats, blur_px: float, dark: float = 0.03, bright: float = 0.7) -> NDArray[np.uint8]:
    """A code with its black corners (4, 2) there, softened in linear light as a lens does."""
    code = draw_fiducial(5, 40.0, 8.0)
    rim, edge = code.shape[0] / 6, code.shape[0] * 2 / 3
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * edge + rim - 0.5
    # Drawn large, so that its own edges fall between pixels.
    large = (np.asarray(corners, np.float32) + 0.5) * FINE - 0.5
    matrix = cv2.getPerspectiveTransform(square.astype(np.float32), large.astype(np.float32))
    size = (160 * FINE, 120 * FINE)
    light = cv2.warpPerspective(code[..., 0].astype(np.float32) / 255, matrix, size, borderValue=(0.5,))
    light = cv2.resize(light, (160, 120), interpolation=cv2.INTER_AREA)
    light = cv2.GaussianBlur(dark + (bright - dark) * (light > 0) * light, (0, 0), blur_px)
    return np.asarray(255 * np.clip(light, 0, 1) ** (1 / 2.2) + 0.5, np.uint8)


def turned(edge_px: float, degrees: float, squeeze: float = 1.0) -> Floats:
    """The corners of a square of this edge in the middle of the picture."""
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * edge_px / 2
    return np.asarray((half @ turn.T) * (1, squeeze) + (79.3, 60.7), np.float64)


@settings(max_examples=25, deadline=None)
@given(st.floats(24, 60), st.floats(-40, 40), st.floats(0.65, 1.0), st.floats(0.4, 1.0))
def test_a_soft_square_is_as_large_as_a_sharp_one(
    edge_px: float, degrees: float, squeeze: float, blur_px: float
) -> None:
    """However soft it is, its corners are found to a quarter of a pixel; to half of one where it is small."""
    true = turned(edge_px, degrees, squeeze)
    picture = photograph(true, blur_px)
    off = np.random.default_rng(round(edge_px)).uniform(-3.5, 3.5, (4, 2)) * min(edge_px * squeeze / 36, 1)
    found = sharpen(picture, true + off)

    assert found is not None
    assert np.abs(found - true).max() < (0.25 if edge_px * squeeze > 32 else 0.5)


@settings(max_examples=25, deadline=None)
@given(st.floats(24, 60), st.floats(-40, 40), st.floats(0, 9), st.floats(0, 360))
def test_a_square_that_has_moved_is_not_taken_for_one_at_rest(
    edge_px: float, degrees: float, far_px: float, way: float
) -> None:
    """One that rests is where it was; one that has moved is not clear, or plainly not where it was."""
    before = turned(edge_px, degrees)
    off = far_px * np.array([np.cos(np.radians(way)), np.sin(np.radians(way))])
    found = sharpen_all(photograph(before + off, 0.6), {3: before}, at_rest=True)

    if far_px < 0.5:
        assert np.abs(found[3] - before).max() < 1.0
    elif far_px > 2.0:
        assert 3 not in found or np.abs(found[3] - before).max() > 1.0


def test_a_square_that_is_not_all_there_is_left_out() -> None:
    """One whose border is covered on a side has no corners to be believed."""
    true = turned(40, 5)
    covered = photograph(true, 0.6)
    covered[:, : int(true[0, 0]) + 3] = 30

    assert sharpen(photograph(true, 0.6), true) is not None
    assert sharpen(covered, true) is None


@pytest.mark.parametrize("shade", [0, 128, 255])
def test_an_even_picture_has_no_corners(shade: int) -> None:
    """Where there is no contrast nothing is found."""
    even = np.full((120, 160), shade, np.uint8)

    assert sharpen(even, turned(40, 0)) is None
    assert find_fiducials(even, frozenset({5})) == {}


def test_near_and_quickly_find_the_same() -> None:
    """All ways of looking give the same corners."""
    picture = photograph(turned(44, 12), 0.7)
    everywhere = find_fiducials(picture, frozenset({5}))

    assert find_quickly(picture, frozenset({5}))[5] == pytest.approx(everywhere[5], abs=0.02)
    assert find_near(picture, {5: everywhere[5] + 2})[5] == pytest.approx(everywhere[5], abs=0.05)


@pytest.mark.parametrize(("tilt", "bend"), [(8, -0.15), (25, 0.02), (45, -0.08)])
def test_a_table_is_placed_to_a_millimetre_without_knowing_the_lens(tilt: int, bend: float) -> None:
    """Tiles 60 px wide, the lens curved either way: nowhere in the city is it more than a millimetre off."""
    viewpoint = Viewpoint(tilt_deg=tilt, azimuth_deg=9, distance_mm=920, k1=bend, k2=-0.2 * bend)
    camera = SimulatedCamera(LAYOUT, [], {}, seed=1, viewpoint=viewpoint, scenery=Scenery(blur_px=0.7))
    gray = np.asarray(cv2.cvtColor(camera.frame({}), cv2.COLOR_BGR2GRAY), np.uint8)
    view = fit_camera_pose(LAYOUT, find_fiducials(gray, frozenset(range(4))), (1280, 720))
    assert view is not None
    cells = np.array([(x, y, 2.2) for x, y in LAYOUT.cells.values()])
    placed = view.to_table(camera.pose.project(cells), 2.2)

    assert np.linalg.norm(placed - cells[:, :2], axis=1).max() < 1.0


def test_a_code_of_which_both_edges_of_the_border_are_seen_is_one() -> None:
    """On a chequered cloth, far away, the border's inner edge is taken for another code."""
    room = SimulatedCamera(
        table_layout(),
        [],
        {},
        viewpoint=Viewpoint(tilt_deg=7.75, azimuth_deg=273.6, distance_mm=1012, hfov_deg=70, k1=0.027, k2=0),
        scenery=Scenery(
            table="gingham",
            lamp=Lamp(at_mm=(424, -400, 768), radius_mm=205, share=0.69),
            exposure=0.74,
            noise=1.2,
            blur_px=0.36,
            jpeg=95,
        ),
    )
    grays = [
        np.asarray(cv2.cvtColor(room.frame({}, t=float(number)), cv2.COLOR_BGR2GRAY), np.uint8)
        for number in range(6)
    ]

    assert [set(find_fiducials(gray, WANTED)) for gray in grays] == [set(WANTED)] * len(grays)


def test_a_code_in_two_places_is_left_out() -> None:
    """Nothing says which of them is ours."""
    code = cv2.cvtColor(draw_fiducial(1, 40.0, 2.0), cv2.COLOR_BGR2GRAY)
    height, width = code.shape
    page = np.full((300, 500), 255, np.uint8)
    page[80 : 80 + height, 60 : 60 + width] = code
    assert set(find_fiducials(page, WANTED)) == {1}

    page[80 : 80 + height, 300 : 300 + width] = code
    assert find_fiducials(page, WANTED) == {}
