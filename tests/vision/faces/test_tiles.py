"""Tiles told apart and laid exactly."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.faces.registration import Face, Pose2D, soften
from vision.faces.tiles import Fields, TileLibrary
from vision.photometry.light import coded, gray_of, linear


def face(name: str, seed: int) -> Face:
    """A face with blobs of its own."""
    rng = np.random.default_rng(seed)
    rough = rng.uniform(40, 220, (12, 12, 3)).astype(np.uint8)
    picture = cv2.resize(rough, (96, 96), interpolation=cv2.INTER_CUBIC)
    return Face(name=name, picture=linear(np.asarray(picture)), valid=np.ones((96, 96), bool))


FACES = [face(f"tile{number}/sketch", number) for number in range(8)]
BOOK = TileLibrary(FACES)


def table(number: int, pose: Pose2D, light: float = 1.0) -> NDArray[np.uint8]:
    """A picture of a grey table with one face on it."""
    matrix = pose.matrix((96, 96))
    shown = cv2.warpAffine(
        coded(FACES[number].picture), matrix, (192, 192), flags=cv2.INTER_LINEAR, borderValue=(90, 90, 90)
    )
    noisy = shown * light + np.random.default_rng(number).normal(0, 2, shown.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def read(picture: NDArray[np.uint8]) -> tuple[str, float, Pose2D]:
    """Name, score and lie of the best match in the middle."""
    soft = soften(gray_of(picture))
    best = BOOK.recognise(Fields(soft), (95.5, 95.5))[0]
    return FACES[best.face].name, best.score, best.pose


@pytest.mark.parametrize("quarter", [0, 1, 2, 3])
@pytest.mark.parametrize(("dx", "dy", "tilt"), [(0, 0, 0), (8, -6, 6), (-9, 9, -9)])
def test_any_turn_slid_and_askew(quarter: int, dx: float, dy: float, tilt: float) -> None:
    """A tile slid by 6 mm and 9 degrees askew, in any quarter turn, is named and laid to 0.5 mm."""
    turn = np.deg2rad(90 * quarter + tilt)
    name, score, pose = read(table(3, Pose2D(x_px=95.5 + dx, y_px=95.5 + dy, turn=float(turn))))

    assert name == "tile3/sketch"
    assert score > 0.8
    assert np.hypot(pose.x_px - 95.5 - dx, pose.y_px - 95.5 - dy) < 0.8
    assert abs((pose.turn - turn + np.pi) % (2 * np.pi) - np.pi) < 0.01


@pytest.mark.parametrize("light", [0.35, 1.15])
def test_light_does_not_matter(light: float) -> None:
    """Dim and bright pictures name the same tile."""
    name, score, _ = read(table(5, Pose2D(x_px=97.0, y_px=94.0, turn=0.03), light))

    assert name == "tile5/sketch"
    assert score > 0.75


def test_half_covered_is_still_told() -> None:
    """With a hand over nearly half of it a tile is still named first."""
    picture = table(1, Pose2D(x_px=95.5, y_px=95.5, turn=0.0))
    picture[:, 110:] = (150, 170, 210)
    name, score, _ = read(picture)

    assert name == "tile1/sketch"
    assert score < 0.99


def test_what_is_known_to_cover_is_left_out() -> None:
    """With the cover told, the part that is seen agrees fully."""
    picture = table(1, Pose2D(x_px=95.5, y_px=95.5, turn=0.0))
    picture[:, 95:] = (30, 40, 200)
    free = np.ones(picture.shape[:2], np.float32)
    free[:, 93:] = 0
    soft = soften(gray_of(picture))
    best = BOOK.recognise(Fields(soft), (95.5, 95.5), free=free)[0]

    assert FACES[best.face].name == "tile1/sketch"
    assert best.score > 0.8


def test_an_empty_table_is_no_tile() -> None:
    """Bare table convinces nobody."""
    noise = np.random.default_rng(9).normal(120, 3, (192, 192, 3))
    _, score, _ = read(np.asarray(np.clip(noise, 0, 255), np.uint8))

    assert score < 0.45


def test_an_empty_book_finds_nothing() -> None:
    """Without faces there are no matches."""
    soft = np.zeros((192, 192), np.float32)

    assert TileLibrary([]).recognise(Fields(soft), (95.5, 95.5)) == []
