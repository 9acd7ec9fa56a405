"""Where groups are printed on a copy's tiles, told by tiles that have more of them than others."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from companion.free_faces import Side
from vision.arrays import Image
from vision.free.known_faces import KnownFace
from vision.free.printed_spots import printed_spots

SPOTS = ((0.7, 0.3), (0.3, 0.7), (0.75, 0.75))
GROUNDS = ((40, 160, 200), (160, 80, 40), (60, 60, 190))


def tile(groups: int, ground: tuple[int, int, int], seed: int, number: int = 20) -> Image:
    """Return a tile with so many groups on white, on a ground with a pattern of its own.

    `number` is how bright the circle of its number is.
    """
    noise = np.random.default_rng(seed).normal(0, 6, (96, 96, 3))
    picture = np.clip(np.array(ground) + noise, 0, 255).astype(np.uint8)
    cv2.circle(picture, (24, 24), 20, (number,) * 3, -1)
    for x, y in SPOTS[:groups]:
        at = round(x * 96), round(y * 96)
        cv2.rectangle(picture, (at[0] - 18, at[1] - 18), (at[0] + 18, at[1] + 18), (235, 240, 245), -1)
        cv2.circle(picture, at, 6, (30, 30, 220), -1)
    return picture


def faces(counts: dict[str, int], circle: int = 20) -> list[KnownFace]:
    """Return tiles with so many groups by name."""
    return [
        KnownFace(
            name=name,
            side=Side.FACE,
            picture=tile(groups, GROUNDS[number % len(GROUNDS)], number, circle),
            width_mm=43.0,
            height_mm=43.0,
        )
        for number, (name, groups) in enumerate(counts.items())
    ]


@pytest.mark.parametrize("circle", [20, 240])
def test_each_group_is_found_where_it_is_printed(circle: int) -> None:
    """By tiles of several grounds, half of which is white where the number is on white, too."""
    counts = {str(number): number % 4 for number in range(16)}
    found = printed_spots(faces(counts, circle), counts)
    assert [pytest.approx(0.0, abs=0.04)] * 3 == [math.dist(*pair) for pair in zip(found, SPOTS, strict=True)]


def test_nothing_is_told_of_groups_that_all_tiles_have() -> None:
    """Then there is nothing to compare with."""
    counts = {str(number): 2 for number in range(6)}
    assert () == printed_spots(faces(counts), counts)


def test_tiles_that_are_not_known_do_not_count() -> None:
    """A copy may lack some."""
    counts = {str(number): number % 2 for number in range(8)}
    found = printed_spots(faces(counts)[:4], {**counts, "another": 3})
    assert len(found) == 1
    assert math.dist(found[0], SPOTS[0]) < 0.04
