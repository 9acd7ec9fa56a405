"""The simulated camera over tables on which pieces lie anywhere."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table_layout import Fiducial
from companion.table_pieces import FacePrint, Shape
from vision.geometry.fiducials import find_fiducials
from vision.simulation.free_camera import FlatPiece, FreeCamera, LaidTable, SolidPiece
from vision.simulation.printed_faces import FaceArtwork
from vision.simulation.scenery import HandPose, Scenery, Viewpoint

CODES = tuple(
    Fiducial(id=i, x_mm=x, y_mm=y, edge_mm=40.0)
    for i, (x, y) in enumerate(((-260.0, 150.0), (260.0, 150.0), (260.0, -150.0), (-260.0, -150.0)))
)


@pytest.fixture(scope="module")
def camera() -> FreeCamera:
    """A camera over an even table, without noise."""
    return FreeCamera(
        CODES, FaceArtwork(4), viewpoint=Viewpoint(tilt_deg=20), scenery=Scenery(noise=0.0, jpeg=0)
    )


def card(name: str, x: float, y: float, *, top: float = 0.3, turn: float = 0.0) -> FlatPiece:
    """Return a card with its middle at this place."""
    return FlatPiece(
        key=name,
        face=FacePrint(name=name),
        x_mm=x,
        y_mm=y,
        turn_deg=turn,
        width_mm=60.0,
        height_mm=90.0,
        top_mm=top,
    )


def test_the_codes_are_where_the_camera_says(camera: FreeCamera) -> None:
    """Fiducials are found in the picture, at their projected corners."""
    gray = np.asarray(cv2.cvtColor(camera.frame(LaidTable()), cv2.COLOR_BGR2GRAY), np.uint8)
    found = find_fiducials(gray, frozenset(one.id for one in CODES))
    assert set(found) == {0, 1, 2, 3}
    for one in CODES:
        there = camera.studio.pose.project(np.array([(*corner, 0.1) for corner in one.corners_mm()]))
        assert np.abs(np.asarray(found[one.id]) - there).max() < 1.0


def test_a_card_over_another_hides_that_part_of_it(camera: FreeCamera) -> None:
    """The upper card is seen whole, of the lower one what the upper one leaves."""
    table = LaidTable(flat=(card("lower", 0, 0), card("upper", 30, 0, top=0.6)))
    shares = camera.visible_shares(table)
    assert shares["upper"] == pytest.approx(1.0, abs=0.03)
    assert shares["lower"] == pytest.approx(0.5, abs=0.04)


def test_what_is_outside_the_picture_is_not_seen(camera: FreeCamera) -> None:
    """A card far off the table's middle has no visible share."""
    shares = camera.visible_shares(LaidTable(flat=(card("far", 2000, 0),)))
    assert shares == {"far": 0.0}


def test_an_arm_hides_what_it_is_over(camera: FreeCamera) -> None:
    """A hand over a card lowers its share, and the picture changes there."""
    table = LaidTable(flat=(card("one", 0, 0),))
    hand = HandPose(tip_mm=(0.0, 0.0), elbow_mm=(0.0, -400.0))
    assert camera.visible_shares(table, hand_pose=hand)["one"] < 0.7
    changed = np.abs(camera.frame(table, hand_pose=hand).astype(int) - camera.frame(table).astype(int)).max(
        axis=2
    )
    corners = camera.corners_px(table.flat[0])
    x, y = corners.mean(axis=0).astype(int)
    assert changed[y, x] > 20


@given(x=st.floats(-150, 150), y=st.floats(-80, 80), turn=st.floats(-180, 180), other=st.floats(-100, 100))
def test_shares_are_shares_and_the_top_card_is_seen_whole(
    camera: FreeCamera, x: float, y: float, turn: float, other: float
) -> None:
    """However two cards lie, what is above is whole and nothing is seen more than once."""
    table = LaidTable(flat=(card("a", other, 0), card("b", x, y, turn=turn, top=0.6)))
    shares = camera.visible_shares(table)
    assert shares["b"] == pytest.approx(1.0, abs=0.05)
    assert 0.0 <= shares["a"] <= 1.0


@pytest.mark.parametrize("shape", ["disc", "meeple", "gem", "dragon"])
def test_solid_pieces_show_their_paint(camera: FreeCamera, shape: Shape) -> None:
    """Each piece is drawn where it stands, in its colour."""
    paint = (40, 200, 60)
    piece = SolidPiece(key="p", shape=shape, colour=paint, x_mm=0, y_mm=0, width_mm=30, height_mm=20)
    x, y = camera.studio.pose.project(np.array([[0.0, 0.0, 10.0]]))[0].astype(int)
    window = camera.frame(LaidTable(solid=(piece,)))[y - 30 : y + 30, x - 30 : x + 30].astype(int)
    green = (window[..., 1] > window[..., 0] + 30) & (window[..., 1] > window[..., 2] + 30)
    assert green.mean() > 0.05


def test_dots_have_the_colours_that_are_printed() -> None:
    """Tiles that differ in the colour of one dot differ there and nowhere else."""
    art, size = FaceArtwork(3), (43.0, 43.0)
    one = FacePrint(name="t", ground="red", number="4", groups=(("blue", "blue"), ("yellow",)))
    other = FacePrint(name="t", ground="red", number="4", groups=(("blue", "turquoise"), ("yellow",)))
    differs = np.abs(art.face(one, size).astype(int) - art.face(other, size).astype(int)).max(axis=2) > 30
    assert 0.001 < differs.mean() < 0.05


def test_faces_of_one_picture_differ_in_their_lines_only() -> None:
    """Look-alikes share their picture; other cards do not."""
    art, size = FaceArtwork(3), (60.0, 90.0)
    faces = [
        art.face(FacePrint(name=name, picture=what), size)
        for name, what in (("a", "p"), ("b", "p"), ("c", ""))
    ]
    window = np.s_[100:233, 40:200]
    alike = np.abs(faces[0][window].astype(int) - faces[1][window].astype(int)).mean()
    unlike = np.abs(faces[0][window].astype(int) - faces[2][window].astype(int)).mean()
    assert alike < unlike / 4
    assert not np.array_equal(faces[0], faces[1])


def test_a_copy_is_the_same_each_time() -> None:
    """The number alone decides how a copy looks."""
    what, size = FacePrint(name="a", family="x", number="7"), (60.0, 90.0)
    assert np.array_equal(FaceArtwork(5).face(what, size), FaceArtwork(5).face(what, size))
    assert not np.array_equal(FaceArtwork(5).face(what, size), FaceArtwork(6).face(what, size))
