"""Tiles and cards in photographs by unknown cameras."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.faces.test_free_faces import art
from vision.arrays import Image
from vision.faces.photo_search import FoundInPhoto, PhotoSearch

SIZE = (1600, 1000)
ARTS = {f"tile{number}": art(number) for number in range(8)}
SEARCH = PhotoSearch(ARTS)


def clutter(seed: int) -> Image:
    """A photograph of nothing that is looked for."""
    rng = np.random.default_rng(seed)
    picture = cv2.resize(
        rng.integers(90, 150, (40, 64, 3)).astype(np.uint8), SIZE, interpolation=cv2.INTER_CUBIC
    )
    for _ in range(60):
        at = [int(one) for one in rng.integers(0, SIZE[0], 4)]
        colour = [int(one) for one in rng.integers(0, 255, 3)]
        cv2.line(
            picture, (at[0], at[1] % SIZE[1]), (at[2], at[3] % SIZE[1]), colour, int(rng.integers(1, 12))
        )
    return np.asarray(picture, np.uint8)


def quad(x: float, y: float, edge: float, turn_deg: float, tilt_deg: float = 0.0) -> NDArray[np.float64]:
    """The corners of a square seen at a slant by a camera six edges away."""
    turn, tilt = np.deg2rad([turn_deg, tilt_deg])
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * edge
    c, s = np.cos(turn), np.sin(turn)
    across, down = corners @ np.array([c, -s]), corners @ np.array([s, c])
    near = 1 - down * np.sin(tilt) / (6 * edge)
    return np.column_stack([x + across / near, y + down * np.cos(tilt) / near])


def put(picture: Image, name: str, corners: NDArray[np.float64]) -> None:
    """Lay a tile into a photograph."""
    face = ARTS[name]
    edge = face.shape[0]
    ends = np.array([[0, 0], [edge, 0], [edge, edge], [0, edge]], np.float32) - 0.5
    view = cv2.getPerspectiveTransform(ends, corners.astype(np.float32))
    there = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), view, SIZE)
    laid = cv2.warpPerspective(face, view, SIZE, flags=cv2.INTER_AREA)
    picture[there > 127] = laid[there > 127]


def photographed(picture: Image) -> Image:
    """The picture through a lens, a sensor and JPEG, in dim warm light."""
    soft = cv2.GaussianBlur(picture, (0, 0), 0.8).astype(np.float32) * (0.62, 0.72, 0.8)
    noisy = np.clip(soft + np.random.default_rng(5).normal(0, 3, soft.shape), 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def sure(found: list[FoundInPhoto]) -> list[str]:
    """The names of what is claimed."""
    return sorted(one.face for one in found if one.confidence > 0.9)


@pytest.mark.parametrize("tilt_deg", [0, 30, 55])
def test_tiles_are_found_at_any_slant(tilt_deg: int) -> None:
    """Turned and seen from up to 55 degrees: named, with their corners as printed."""
    picture = clutter(tilt_deg)
    places = {
        "tile0": quad(250, 250, 190, 20, tilt_deg),
        "tile3": quad(800, 300, 230, 140, tilt_deg),
        "tile5": quad(1250, 650, 210, -100, tilt_deg),
    }
    for name, corners in places.items():
        put(picture, name, corners)
    found = SEARCH.find(photographed(picture))

    assert sure(found) == sorted(places)
    for one in found[:3]:
        assert np.abs(one.corners_px - places[one.face]).max() < 6


def test_several_copies_and_one_half_covered() -> None:
    """Both copies of a tile are found, and a tile of which another hides a third."""
    picture = clutter(1)
    put(picture, "tile1", quad(300, 300, 220, 10))
    put(picture, "tile1", quad(1200, 350, 180, -60))
    put(picture, "tile2", quad(700, 650, 240, 0))
    put(picture, "tile4", quad(850, 690, 200, 35))

    found = SEARCH.find(photographed(picture))
    assert sorted(one.face for one in found if one.confidence > 0.5) == ["tile1", "tile1", "tile2", "tile4"]


def test_what_is_not_looked_for_is_not_found() -> None:
    """Clutter and tiles that nobody named are not taken for others."""
    picture = clutter(2)
    put(picture, "tile6", quad(400, 400, 260, 5))
    few = PhotoSearch({name: face for name, face in ARTS.items() if name != "tile6"})

    assert all(one.confidence < 0.5 for one in few.find(photographed(picture)))


def test_of_two_faces_alike_neither_is_claimed() -> None:
    """Two names for one print: which of them it is cannot be seen."""
    picture = clutter(3)
    put(picture, "tile7", quad(600, 500, 260, 5))
    twins = PhotoSearch({"one": ARTS["tile7"], "other": ARTS["tile7"], "third": ARTS["tile0"]})

    found = twins.find(photographed(picture))
    assert found[0].face in {"one", "other"}
    assert found[0].confidence < 0.8


def test_a_blank_picture_shows_nothing() -> None:
    """Without a single feature there is no face; nor can a face without features be found."""
    blank = np.full((300, 400, 3), 127, np.uint8)

    assert SEARCH.find(blank) == []
    assert PhotoSearch({"blank": blank}).find(clutter(4)) == []
