"""Outlines of tiles and rows of boxes."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.faces.registration import Pose2D
from vision.faces.squares import colour_slopes, likeness_to_ground, outline, sides_of


def checked_cloth(size: int = 200) -> NDArray[np.uint8]:
    """A table cloth with a pattern stronger than the tile's rim."""
    y, x = np.mgrid[:size, :size]
    light = ((x // 23 + y // 23) % 2).astype(np.uint8)
    return np.asarray(np.stack([90 + 100 * light, 90 + 110 * light, 160 + 60 * light], axis=-1), np.uint8)


@pytest.mark.parametrize(("x", "y", "turn"), [(100, 100, 0.0), (104, 95, 0.05), (93, 103, -0.07)])
def test_a_tile_is_found_on_a_patterned_cloth(x: float, y: float, turn: float) -> None:
    """The outline is found to a pixel and a degree or so."""
    cloth = checked_cloth()
    tile = np.full((96, 96, 3), (110, 170, 205), np.uint8)
    matrix = Pose2D(x_px=x, y_px=y, turn=turn).matrix((96, 96))
    where = cv2.warpAffine(np.ones((96, 96), np.uint8), matrix, (200, 200)) > 0
    cloth[where] = cv2.warpAffine(tile, matrix, (200, 200))[where]
    found, clear = outline(cloth, (100, 100), (96, 96))

    assert np.hypot(found.x_px - x, found.y_px - y) < 2.0
    assert abs(found.turn - turn) < 0.03
    assert clear > 0.4


def test_what_is_printed_along_a_side_is_not_taken_for_it() -> None:
    """A dark row of boxes is a stronger step than the rim of a pale tile; beyond it is no table, though."""
    table = np.random.default_rng(2).integers(150, 160, (200, 200, 3)).astype(np.uint8)
    table[52:148, 52:148] = (139, 154, 163)
    table[126:142, 52:148] = (30, 30, 35)
    y, x = np.mgrid[:200, :200]
    off = np.maximum(np.abs(x - 100), np.abs(y - 100))
    ground = likeness_to_ground(table, off > 56, off < 40)

    misled, _ = outline(table, (100, 100), (96, 96), reach_px=9, turn_deg=2)
    found, _ = outline(table, (100, 100), (96, 96), reach_px=9, turn_deg=2, ground=ground)

    assert np.hypot(misled.x_px - 100, misled.y_px - 100) > 4
    assert np.hypot(found.x_px - 100, found.y_px - 100) < 1.5


def test_colours_of_both_say_nothing() -> None:
    """Ground and tile are told apart by the colours that only one of them has."""
    picture = np.full((40, 60, 3), 200, np.uint8)
    picture[:, :20] = (40, 60, 90)
    picture[:, 40:] = (150, 40, 40)
    x = np.mgrid[:40, :60][1]
    odds = likeness_to_ground(picture, x < 30, x >= 30)

    assert odds[:, :18].min() > 0.8
    assert odds[:, 42:].max() < -0.8
    assert np.abs(odds[:, 22:38]).max() < 0.1


def test_the_sides_of_a_square_are_plainest_where_they_are() -> None:
    """Turned or not; just beside them it looks like what lies around."""
    picture = np.full((200, 200, 3), 60, np.uint8)
    pose = Pose2D(x_px=101.0, y_px=98.0, turn=0.1)
    inside = cv2.warpAffine(np.ones((90, 90), np.uint8), pose.matrix((90, 90)), (200, 200)) > 0
    picture[inside] = 150
    outside = np.where(inside, -1, 1).astype(np.float32)
    outs = np.arange(-6.0, 6.1, 1.0)

    for side in sides_of(pose, 90):
        plain = side.plainness(colour_slopes(picture), outs)
        assert abs(outs[int(plain.argmax())]) <= 1
        assert side.mean_of(outside, outs[outs > 2]) > 0.9
        assert side.mean_of(outside, outs[outs < -2]) < -0.9
