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
NOWHERE = np.zeros(SHAPE, np.bool_)


def circles(*middles: tuple[int, int], radius: float = RADIUS) -> Bools:
    """Return a picture of filled circles."""
    drawn = np.zeros(SHAPE, np.uint8)
    for at in middles:
        cv2.circle(drawn, at, round(radius), 1, -1)
    return drawn > 0


def found(marked: Bools, strange: Bools = NOWHERE) -> list[tuple[float, float]]:
    """Return the middles of the circles that are found."""
    return DiscSearch(RADIUS).places(marked, strange, 0.6, 0.15, 0.3, 0.5)


def off(at: tuple[float, float], places: list[tuple[float, float]]) -> float:
    """Return how far the nearest place is."""
    return min(math.dist(at, one) for one in places)


def test_circles_are_found_wherever_they_are() -> None:
    middles = ((10, 10), (60, 40), (209, 149), (120, 100))
    got = found(circles(*middles))
    assert max(off(at, got) for at in middles) < 2
    assert all(min(math.dist(one, at) for at in middles) < RADIUS for one in got)


def test_nothing_is_found_where_less_is_marked() -> None:
    assert found(NOWHERE) == []
    assert found(circles((60, 40), radius=RADIUS * 0.7)) == []


def test_the_plainest_comes_first() -> None:
    marked = circles((60, 40), (120, 100))
    marked[36:44, 54:60] = False
    assert math.dist(found(marked)[0], (120, 100)) < 2


def test_what_goes_on_all_around_is_looked_at_only_where_it_is_strange() -> None:
    large = circles((100, 80), radius=5 * RADIUS)
    assert found(large) == []
    got = found(large, circles((100, 80)))
    assert got
    assert max(math.dist(one, (100, 80)) for one in got) < 2 * RADIUS


def test_of_a_heap_each_disc_is_looked_at() -> None:
    middles = ((60, 60), (80, 60), (70, 77))
    heap = circles(*middles, radius=RADIUS + 1)
    got = found(heap, heap)
    assert max(off(at, got) for at in middles) < RADIUS / 2
    apart = [math.dist(one, other) for i, one in enumerate(got) for other in got[:i]]
    assert min(apart) >= 0.4 * RADIUS


@pytest.mark.parametrize("shape", [(3, 3), (1, 50)])
def test_the_smallest_picture_is_no_error(shape: tuple[int, int]) -> None:
    some = np.ones(shape, np.bool_)
    assert isinstance(found(some, some), list)
