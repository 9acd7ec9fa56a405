"""The drawings: every tile looks like itself alone, the same at every call."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from vision.simulation.art import (
    COLOURS,
    OBELISK,
    TileArt,
    box_middles,
    draw_board,
    draw_card,
    draw_fiducial,
    draw_table,
    draw_tile,
    ink,
)
from vision.simulation.motifs import MOTIFS


def _gray(tile: str, side: str) -> np.ndarray:
    picture = draw_tile(TileArt(tile=tile), side, 64)
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return (gray - gray.mean()) / gray.std()


@pytest.mark.parametrize("side", ["sketch", "built"])
def test_no_two_tiles_look_alike(side: str) -> None:
    """Every motif differs clearly from each other one on the same side."""
    drawn = {tile: _gray(tile, side) for tile in MOTIFS}
    closest = max(float((a * b).mean()) for a, b in itertools.combinations(drawn.values(), 2))

    assert closest < 0.9


def test_sides_differ() -> None:
    """The two sides of a tile are told apart by their colours."""
    for tile in MOTIFS:
        sides = [
            draw_tile(TileArt(tile=tile, people="aqua"), side, 48).astype(int) for side in ("sketch", "built")
        ]

        assert np.abs(sides[0] - sides[1]).mean() > 20


def test_drawing_is_the_same_every_time() -> None:
    """Two drawings of one tile are equal to the pixel."""
    art = TileArt(tile="mill", people="terrah", boxes=(("terrah", 3), ("any", 2)), majority=("card",))

    assert np.array_equal(draw_tile(art, "sketch", 90), draw_tile(art, "sketch", 90))


def test_unknown_tile_gets_its_own_building() -> None:
    """Tiles of other games are drawn too, and differ from one another."""
    a, b = (draw_tile(TileArt(tile=name), "sketch", 60).astype(int) for name in ("tile-17", "tile-18"))

    assert np.abs(a - b).mean() > 3


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_boxes_show_their_colour(count: int) -> None:
    """Near its rim each contribution box has the ink of its people."""
    names = list(COLOURS)[:count]
    picture = draw_tile(TileArt(tile="mill", boxes=tuple((name, 2) for name in names)), "sketch", 300)
    for name, (u, v) in zip(names, box_middles(count), strict=True):
        pixel = picture[round((v - 0.07) * 300), round((u - 0.06) * 300)].astype(int)

        assert np.abs(pixel - np.array(ink(name))).max() < 14


@pytest.mark.parametrize("number", range(4))
def test_fiducial_is_read(number: int) -> None:
    """A drawn fiducial is found again with its number."""
    gray = cv2.cvtColor(draw_fiducial(number, 40, 4), cv2.COLOR_BGR2GRAY)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    _, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(gray)

    assert [number] == np.asarray(ids).ravel().tolist()


def test_sizes_follow_the_millimetres() -> None:
    """Board, cards and table tops have the size that was asked for."""
    assert (498, 198, 3) == draw_board(OBELISK, tuple(range(13)), (0,), 3).shape
    assert (136, 88, 3) == draw_card("aqua-2", (44, 68), 2).shape
    for kind in ("oak", "walnut", "felt", "linen", "gingham"):
        assert (90, 120, 3) == draw_table(kind, (120, 90), 1.5, 1).shape
