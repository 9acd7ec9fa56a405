"""Copies drawn at random: each like itself alone, and one that could be printed."""

from __future__ import annotations

import itertools
import math

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.simulation.art import TileArt
from vision.simulation.artwork import BoardFace, HouseArtwork
from vision.simulation.random_artwork import TABLE_TOPS, RandomArtwork, draw_random_top

NUMBERS = st.integers(0, 10_000)
MILL = TileArt(tile="mill", people="aqua", boxes=(("aqua", 3), ("any", 2)))


@given(NUMBERS, st.integers(1, 4))
def test_boxes_lie_on_the_tile_and_apart(number: int, count: int) -> None:
    """No box juts out of the tile, and none lies over another."""
    artwork = RandomArtwork.of(number)
    middles = artwork.box_middles(count)
    reach = artwork.box_edge / 2

    assert count == len(middles)
    assert all(reach <= at <= 1 - reach for middle in middles for at in middle)
    assert all(math.dist(a, b) > artwork.box_edge for a, b in itertools.combinations(middles, 2))


@given(NUMBERS)
def test_the_boxes_of_a_board_lie_on_it_and_apart(number: int) -> None:
    """Thirteen boxes, each inside the outline, none over another."""
    artwork = RandomArtwork.of(number)
    board = artwork.board((-200.0, 10.0))
    face = artwork.board_face(board, 1.0)
    size = np.array([board.area.width_mm, board.area.height_mm])
    outline = (np.array(face.outline) * size).astype(np.float32)

    assert len(board.boxes_mm) == 13
    for x, y in board.boxes_mm:
        at = (size[0] / 2 + x, size[1] / 2 - y)
        assert cv2.pointPolygonTest(outline, at, measureDist=True) >= board.box_edge_mm * 0.4
    apart = min(math.dist(a, b) for a, b in itertools.combinations(board.boxes_mm, 2))
    assert apart > board.box_edge_mm


def test_the_same_number_gives_the_same_copy_and_another_gives_another() -> None:
    """Drawn twice the pictures are equal; two copies differ in most pixels."""
    one, same, other = (RandomArtwork.of(number).tile_face(MILL, "sketch", 60) for number in (3, 3, 4))

    assert np.array_equal(one, same)
    assert (one != other).any(axis=2).mean() > 0.5


def test_the_sides_of_a_tile_differ() -> None:
    """Sketch and built sides of one tile are told apart by their colours."""
    artwork = RandomArtwork.of(5)
    sketch, built = (artwork.tile_face(MILL, side, 60).astype(int) for side in ("sketch", "built"))

    assert np.abs(sketch - built).mean() > 15


def test_boxes_show_the_colour_of_their_people() -> None:
    """Where a filled box is printed its people's ink is seen."""
    artwork = next(one for one in map(RandomArtwork.of, itertools.count()) if not one.boxes.rimmed)
    picture = artwork.tile_face(TileArt(tile="mill", people="aqua", boxes=(("aqua", 1),)), "sketch", 300)
    ((u, v),) = artwork.box_middles(1)
    x, y, reach = round(u * 300), round(v * 300), round(artwork.box_edge * 300 * 0.35)
    patch = picture[y - reach : y + reach, x - reach : x + reach].reshape(-1, 3).astype(int)

    assert (np.abs(patch - artwork.people("aqua")).max(axis=1) < 12).mean() > 0.3


def test_a_mask_is_the_board() -> None:
    """Outside its outline a board is not there."""
    face = BoardFace(picture=np.zeros((40, 20, 3), np.uint8), outline=((0.5, 0), (1, 1), (0, 1)))
    mask = face.mask()

    assert mask[38, 10] == 1
    assert mask[1, 1] == 0
    assert (HouseArtwork().tile_face(MILL, "sketch", 30) > 0).any()


def test_table_tops_differ_by_seed() -> None:
    """Every kind is drawn, the same for the same seed alone."""
    for kind in TABLE_TOPS:
        one, other = (draw_random_top(kind, (60, 50), 1.0, seed) for seed in (1, 2))

        assert one.shape == (50, 60, 3)
        assert (one != other).any()
