"""Tiles that lie anyhow in a free area."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.table_layout import Rectangle
from vision.faces.free_faces import FoundFace, FreeReader
from vision.faces.registration import Face
from vision.photometry.light import linear
from vision.simulation.flatwork import Easel, FlatPose
from vision.simulation.scenery import Viewpoint

MEADOW = {"meadow": Rectangle(x_mm=0.0, y_mm=0.0, width_mm=330.0, height_mm=230.0)}
SIZE = (1920, 1080)
EDGE_MM = 60.0


def art(number: int) -> NDArray[np.uint8]:
    """A tile's picture of discs, bars and blocks of its own."""
    rng = np.random.default_rng(100 + number)
    picture = np.full((192, 192, 3), 205, np.uint8)
    for _ in range(26):
        colour = [int(one) for one in rng.integers(20, 235, 3)]
        x, y = (int(one) for one in rng.integers(0, 192, 2))
        if rng.random() < 0.5:
            cv2.circle(picture, (x, y), int(rng.integers(5, 22)), colour, -1, cv2.LINE_AA)
        else:
            far = (x + int(rng.integers(-40, 40)), y + int(rng.integers(-40, 40)))
            cv2.line(picture, (x, y), far, colour, int(rng.integers(3, 9)), cv2.LINE_AA)
    return picture


ARTS = [art(number) for number in range(12)]
FACES = [
    Face(
        name=f"tile{number}/front",
        picture=linear(np.asarray(cv2.resize(one, (96, 96), interpolation=cv2.INTER_AREA), np.uint8)),
        valid=np.ones((96, 96), bool),
    )
    for number, one in enumerate(ARTS)
]
READER = FreeReader(MEADOW, FACES, height_mm=2.2)


def read(tiles: dict[int, tuple[float, float, float]], viewpoint: Viewpoint) -> dict[str, FoundFace]:
    """What is read of tiles (x, y, turn in degrees) seen from a place; later ones lie on top."""
    view = viewpoint.pose(SIZE)
    easel = Easel(view)
    frame = np.full((SIZE[1], SIZE[0], 3), 0.12, np.float32)
    for number, (x, y, turn) in tiles.items():
        pose = FlatPose(x_mm=x, y_mm=y, z_mm=2.2, turn_deg=turn, width_mm=EDGE_MM, height_mm=EDGE_MM)
        patch = easel.paint(ARTS[number], pose)
        assert patch is not None
        patch.blend_over(frame)
    noise = np.random.default_rng(1).normal(0, 2, frame.shape)
    picture = np.clip(255 * np.clip(frame, 0, 1) ** (1 / 2.2) + noise, 0, 255).astype(np.uint8)
    return {one.face: one for one in READER.read(picture, view)}


@pytest.mark.parametrize("tilt", [5, 30])
def test_tiles_are_found_wherever_they_lie(tilt: int) -> None:
    """Any place, any turn, in sight of each other: named, to a millimetre and a degree."""
    rng = np.random.default_rng(tilt)
    spots = [(x, y) for y in (-70, 10) for x in (-120, -40, 45, 125)]
    tiles = {
        number: (x + float(rng.uniform(-6, 6)), y + float(rng.uniform(-6, 6)), float(rng.uniform(-179, 179)))
        for number, (x, y) in enumerate(spots)
    }
    found = read(tiles, Viewpoint(tilt_deg=tilt))

    assert set(found) == {f"tile{number}/front" for number in tiles}
    for number, (x, y, turn) in tiles.items():
        one = found[f"tile{number}/front"]
        assert (one.x_mm, one.y_mm) == pytest.approx((x, y), abs=1.0)
        assert abs((one.turn_deg - turn + 180) % 360 - 180) < 1.0
        assert one.area == "meadow"


def test_a_little_overlap_does_not_matter() -> None:
    """Of two tiles of which one lies on a fifth of the other both are found."""
    found = read({2: (-30.0, 0.0, 20.0), 7: (18.0, 8.0, -75.0)}, Viewpoint(tilt_deg=15))

    assert set(found) == {"tile2/front", "tile7/front"}


def test_an_empty_area_and_what_lies_beside_it() -> None:
    """Nothing is made up, and a tile outside of the area is not told of."""
    assert read({}, Viewpoint()) == {}
    assert read({4: (0.0, 150.0, 0.0)}, Viewpoint()) == {}
