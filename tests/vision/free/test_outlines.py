"""Outlines of flat pieces of known sizes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Picture8
from vision.free.outlines import OutlineFinder

SCALE = 1.5
SIZE_MM = (60.0, 90.0)
TABLE = (70, 120, 170)
WHITE = (240, 240, 240)


def table_with(colour: tuple[int, int, int]) -> Picture8:
    """Return a table with a card in one colour, its middle at (150, 140)."""
    picture = np.full((300, 320, 3), TABLE, np.uint8)
    width, height = (round(one * SCALE) for one in SIZE_MM)
    cv2.rectangle(
        picture, (150 - width // 2, 140 - height // 2), (150 + width // 2, 140 + height // 2), colour, -1
    )
    return picture


def as_bright_as(colour: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return a teal as bright as a colour."""
    bright = int(cv2.cvtColor(np.array([[colour]], np.uint8), cv2.COLOR_BGR2GRAY)[0, 0])
    teal = 160, bright, bright - 28
    level = int(cv2.cvtColor(np.array([[teal]], np.uint8), cv2.COLOR_BGR2GRAY)[0, 0])
    return teal[0], teal[1] + round((bright - level) / 0.587), teal[2]


@pytest.mark.parametrize("colour", [WHITE, as_bright_as(TABLE)])
def test_a_card_is_proposed_where_it_lies(colour: tuple[int, int, int]) -> None:
    """Also if it is as bright as the table and only of another hue."""
    picture = table_with(colour)
    found = OutlineFinder([SIZE_MM], SCALE).find(picture, np.ones(picture.shape[:2], np.bool_))

    assert len(found) > 0
    assert np.hypot(*(found.at[0] - (150, 140))) < 3


def test_nothing_is_proposed_where_nobody_searches() -> None:
    """Nor on a bare table."""
    finder = OutlineFinder([SIZE_MM], SCALE)
    bare = np.full((300, 320, 3), TABLE, np.uint8)

    assert len(finder.find(table_with(WHITE), np.zeros((300, 320), np.bool_))) == 0
    assert len(finder.find(bare, np.ones((300, 320), np.bool_))) == 0
