"""The simulated camera: true perspective, repeatable, and it shows what it was told to show."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.blue_moon_city.layout import table_layout
from companion.table import Place, Value, kind_of, parts_of, place
from vision.geometry.fiducials import find_fiducials
from vision.simulation.art import TileArt
from vision.simulation.camera import SimulatedCamera
from vision.simulation.motifs import MOTIFS
from vision.simulation.scenery import SCENERIES, HandPose, Scenery, Viewpoint

LAYOUT = table_layout()
PLAYERS = {"purple": (130, 40, 90), "white": (235, 235, 238), "orange": (30, 120, 240)}
ARTS = [TileArt(tile=tile, boxes=(("aqua", 3), ("hoax", 2))) for tile in MOTIFS]


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    """A camera over a table, without noise."""
    return SimulatedCamera(LAYOUT, ARTS, PLAYERS, seed=5, scenery=Scenery(noise=0, jpeg=0, blur_px=0))


def _base(kind: str = "sketch") -> dict[Place, Value]:
    return {place("cell", cell): f"{tile}/{kind}" for cell, tile in zip(LAYOUT.cells, MOTIFS, strict=True)}


@pytest.mark.parametrize("name", sorted(SCENERIES))
def test_fiducials_lie_where_the_view_says(name: str) -> None:
    """In every room the fiducials are found with their middles where the view projects them."""
    viewpoint, scenery = SCENERIES[name]
    camera = SimulatedCamera(LAYOUT, [], PLAYERS, viewpoint=viewpoint, scenery=scenery)
    found = find_fiducials(cv2.cvtColor(camera.frame({}), cv2.COLOR_BGR2GRAY), frozenset(range(4)))
    assert len(found) >= 3
    for one in LAYOUT.fiducials:
        if one.id in found:
            corners = camera.pose.project(np.array([(*corner, 0.1) for corner in one.corners_mm()]))

            assert np.abs(found[one.id].mean(axis=0) - corners.mean(axis=0)).max() < 0.25


def test_same_seed_same_frame(camera: SimulatedCamera) -> None:
    """A second camera with the same seed draws the same pixels; another seed does not."""
    again = SimulatedCamera(LAYOUT, ARTS, PLAYERS, seed=5, scenery=Scenery(noise=0, jpeg=0, blur_px=0))
    other = SimulatedCamera(LAYOUT, ARTS, PLAYERS, seed=6, scenery=Scenery(noise=0, jpeg=0, blur_px=0))
    frame = camera.frame(_base())

    assert np.array_equal(frame, again.frame(_base()))
    assert not np.array_equal(frame, other.frame(_base()))


def test_noise_depends_on_time_alone() -> None:
    """Frames of one instant are equal, those of two instants are not."""
    camera = SimulatedCamera(LAYOUT, ARTS, PLAYERS, size_wh=(640, 360))

    assert np.array_equal(camera.frame({}, t=1.0), camera.frame({}, t=1.0))
    assert not np.array_equal(camera.frame({}, t=1.0), camera.frame({}, t=1.1))


def _changed(camera: SimulatedCamera, extra: dict[Place, Value]) -> np.ndarray:
    before, after = camera.frame(_base()), camera.frame(_base() | extra)
    return np.argwhere(np.abs(before.astype(int) - after).max(axis=2) > 40)[:, ::-1]


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (place("box", "1,2", 0), "purple"),
        (place("box", "4,1", 1), "white"),
        (place("obelisk", 7), "orange"),
        (place("figure", "white"), "2,2"),
        (place("dragon", "water"), "0,1"),
    ],
)
def test_a_piece_appears_where_it_stands(camera: SimulatedCamera, where: Place, value: str) -> None:
    """Putting a piece down changes the pixels around its base and nothing far from it."""
    base = camera.base_mm(where, value, _base())
    assert base is not None
    spot = camera.pose.project(np.array([base]))[0]
    changed = _changed(camera, {where: value})

    assert len(changed) > 20
    assert np.linalg.norm(changed - spot, axis=1).min() < 4
    assert np.linalg.norm(changed - spot, axis=1).max() < 75


def test_boxes_are_drawn_on_the_right_tile(camera: SimulatedCamera) -> None:
    """A marker stands within the tile that carries its box, and nowhere when there is no such box."""
    x, y = LAYOUT.cells["3,1"]
    base = camera.base_mm(place("box", "3,1", 1), "purple", _base())
    assert base is not None

    assert abs(base[0] - x) < 30
    assert -30 < base[1] - y < -10
    assert camera.base_mm(place("box", "3,1", 2), "purple", _base()) is None
    assert camera.base_mm(place("box", "3,1", 1), "purple", {}) is None


def test_sides_and_discard_are_drawn(camera: SimulatedCamera) -> None:
    """Flipping a tile or discarding a card changes that place."""
    discard = LAYOUT.areas["discard"].around
    for where, value, spot in (
        (place("cell", "1,2"), "mill/built", (*LAYOUT.cells["1,2"], 2.2)),
        (place("discard"), "aqua-2", (discard.x_mm, discard.y_mm, 4)),
    ):
        changed = _changed(camera, {where: value})
        off = np.linalg.norm(changed - camera.pose.project(np.array([spot]))[0], axis=1)

        assert len(changed) > 300
        assert off.max() < 130


def test_a_hand_covers_the_cell_it_reaches_for(camera: SimulatedCamera) -> None:
    """An arm over a cell changes most of what is seen there, from every seat."""
    still = camera.frame(_base())
    for seat in range(4):
        frame = camera.frame(_base(), hand_pose=HandPose.over(LAYOUT, "2,2", seat))
        x, y = camera.pose.project(np.array([(*LAYOUT.cells["2,2"], 20.0)]))[0].astype(int)
        diff = np.abs(frame.astype(int) - still).max(axis=2)[y - 12 : y + 12, x - 12 : x + 12]

        assert (diff > 12).mean() > 0.5


def test_reach_brings_the_hand_in(camera: SimulatedCamera) -> None:
    """The further the reach, the more of the picture is changed; outside, none of the city is."""
    still = camera.frame(_base())
    seen: list[float] = []
    for reach in (0.0, 0.6, 1.0):
        frame = camera.frame(_base(), hand_pose=HandPose.over(LAYOUT, "2,2", 1, reach=reach))
        seen.append(float((np.abs(frame.astype(int) - still).max(axis=2) > 20).mean()))

    assert seen[0] < 0.01 < seen[1] < seen[2]


def test_a_knock_moves_everything(camera: SimulatedCamera) -> None:
    """The same table from a turned camera is the same table: only the view differs."""
    knocked = camera.seen_from(Viewpoint(tilt_deg=24.4))

    assert knocked.tile_pose("1,1", "mill") == camera.tile_pose("1,1", "mill")
    assert not np.array_equal(knocked.frame({}), camera.frame({}))


def test_enrolment_is_complete(camera: SimulatedCamera) -> None:
    """The enrolment holds four different photographs; the last shows some of everyone's pieces."""
    taken = camera.enrolment()
    frames = [taken.empty, taken.sketch, taken.built, taken.pieces]

    assert set(LAYOUT.cells) == set(taken.layout)
    assert len({frame.tobytes() for frame in frames}) == 4
    assert set(PLAYERS) <= set(taken.pieces_state.values())
    assert set(PLAYERS) == {parts_of(at)[0] for at in taken.pieces_state if kind_of(at) == "figure"}
    assert 13 == sum(LAYOUT.places.is_on_board(at) for at in taken.pieces_state)
