"""Circles of one size in pictures of what may belong to discs."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from vision.arrays import Bools
from vision.free.discs import DiscSearch

RADIUS = 9.0
SHAPE = (160, 220)


def circles(*middles: tuple[int, int], radius: float = RADIUS) -> Bools:
    """Return a picture of filled circles."""
    drawn = np.zeros(SHAPE, np.uint8)
    for at in middles:
        cv2.circle(drawn, at, round(radius), 1, -1)
    return drawn > 0


def found(shown: Bools, least: float = 0.8, most_beyond: float = 0.5) -> set[tuple[int, int]]:
    """Return the middles of the circles that are found."""
    return {(one.x, one.y) for one in DiscSearch(RADIUS).plain(shown, least, most_beyond)}


def test_circles_are_found_wherever_they_are() -> None:
    middles = ((10, 10), (60, 40), (209, 149), (120, 100))
    got = found(circles(*middles))
    assert len(got) == len(middles)
    for at in middles:
        assert min(math.dist(at, one) for one in got) < 2


def test_nothing_is_found_where_less_is_marked() -> None:
    assert found(np.zeros(SHAPE, np.bool_)) == set()
    assert found(circles((60, 40), radius=RADIUS * 0.7)) == set()


def test_the_plainest_comes_first() -> None:
    shown = circles((60, 40), (120, 100))
    shown[36:44, 54:60] = False
    first, second = DiscSearch(RADIUS).plain(shown, 0.7, 0.5)
    assert math.dist((first.x, first.y), (120, 100)) < 2
    assert first.share > second.share


def test_what_goes_on_all_around_is_no_disc() -> None:
    assert found(circles((100, 80), radius=RADIUS * 1.6)) == set()


def test_where_middles_may_be_is_asked_of_the_part_that_is_looked_at() -> None:
    allowed = np.zeros(SHAPE, np.bool_)
    allowed[:, 100:] = True
    shown = circles((60, 40), (120, 100))
    got = [one.x for one in DiscSearch(RADIUS).plain(shown, 0.8, 0.5, lambda region: allowed[region])]
    assert got == [pytest.approx(120, abs=2)]


def test_of_a_heap_the_rims_tell_the_discs() -> None:
    picture = np.full((*SHAPE, 3), 30, np.uint8)
    middles = ((60, 60), (80, 60), (70, 77))
    for at, light in zip(middles, (230, 190, 150), strict=True):
        cv2.circle(picture, at, round(RADIUS), (light,) * 3, -1, cv2.LINE_AA)
    heap = circles(*middles, radius=RADIUS + 1)
    got = list(DiscSearch(RADIUS).heaped(heap, picture))
    assert len(got) == len(middles)
    for at in middles:
        assert min(math.dist(at, (one.x, one.y)) for one in got) < 3
    assert not list(DiscSearch(RADIUS).heaped(heap, np.full_like(picture, 120)))
