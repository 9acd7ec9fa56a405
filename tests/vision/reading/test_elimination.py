"""Which tile lies where, told from the tiles that lie nowhere else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.faces.features import tile_of
from vision.faces.registration import Match, Pose2D
from vision.reading.elimination import by_elimination, without

NAMES = tuple(f"{tile}/{side}" for tile in ("mill", "library", "hospice") for side in ("sketch", "built"))
POSE = Pose2D(x_px=0.0, y_px=0.0, turn=0.0)


def matches(**scores: float) -> list[Match]:
    """Matches of tiles whose sketches agree so well, best first."""
    found = [
        Match(face=NAMES.index(f"{tile}/sketch"), pose=POSE, score=score, blocks=np.ones((2, 2), np.float32))
        for tile, score in scores.items()
    ]
    return sorted(found, key=lambda one: -one.score)


def chances(found: Sequence[Sequence[Match]]) -> list[float]:
    """Return how likely matches are right: what is far ahead of all others is."""
    return [
        1.0
        if some[0].score > 0.55 and some[0].score - max((one.score for one in some[1:]), default=-1.0) > 0.12
        else 0.0
        for some in found
    ]


def told(found: dict[str, list[Match]], **tells: bool) -> dict[str, str]:
    """The tile told on each cell; `tells` says by tile whether its colours tell it."""

    def by_colours(some: Sequence[Match]) -> bool:
        return tells.get(tile_of(NAMES[some[0].face]), False)

    cells, _ = by_elimination(found, NAMES, chances, by_colours)
    return {cell: tile_of(NAMES[some[0].face]) for cell, some in cells.items()}


def test_what_is_plain_on_one_cell_leaves_fewer_tiles_for_the_others() -> None:
    """The second cell shows two tiles alike, until one of them is told on the first."""
    found = {"0,0": matches(mill=0.9, library=0.5), "0,1": matches(mill=0.72, library=0.74, hospice=0.4)}

    assert told({"0,1": found["0,1"]}) == {}
    assert told(found) == {"0,0": "mill", "0,1": "library"}


def test_a_tile_that_two_cells_show_is_told_on_neither() -> None:
    """Though each of them would tell it by itself: one is mistaken."""
    found = {"0,0": matches(mill=0.75, library=0.3), "0,1": matches(mill=0.72, library=0.59)}

    assert told(found) == {}
    assert told({"0,0": found["0,0"]}) == {"0,0": "mill"}


def test_what_agrees_alike_may_be_told_otherwise() -> None:
    """And is said to have been."""
    found = {"0,0": matches(mill=0.8, library=0.75)}

    assert told(found, mill=True) == {"0,0": "mill"}
    assert told(found, library=True) == {}
    assert by_elimination(found, NAMES, chances, lambda _: True)[1] == {"0,0"}


def test_a_face_that_hardly_agrees_is_not_told_though_no_other_is_left() -> None:
    """Something else may lie there."""
    assert told({"0,0": matches(mill=0.5)}) == {}


def test_cells_without_any_match_are_left_out() -> None:
    """Of the others the tiles that lie elsewhere are."""
    found = {"0,0": matches(mill=0.8, library=0.3), "0,1": matches(mill=0.6), "0,2": []}

    assert {cell: len(some) for cell, some in without(found, {"mill"}, NAMES).items()} == {"0,0": 1}


scores = st.floats(0, 1).map(lambda one: round(one, 2))
cities = st.dictionaries(
    st.sampled_from(["0,0", "0,1", "0,2", "0,3"]),
    st.dictionaries(st.sampled_from(["mill", "library", "hospice"]), scores, min_size=1).map(
        lambda some: matches(**some)
    ),
)


@given(found=cities, tells=st.booleans())
def test_no_tile_is_told_twice_and_each_was_the_best_that_was_left(
    found: dict[str, list[Match]], *, tells: bool
) -> None:
    """Whatever agrees how well."""
    cells, otherwise = by_elimination(found, NAMES, chances, lambda _: tells)
    tiles = [tile_of(NAMES[some[0].face]) for some in cells.values()]

    assert len(set(tiles)) == len(tiles)
    assert otherwise <= cells.keys() <= found.keys()
    assert all(some[0].score == max(one.score for one in some) for some in cells.values())
    assert all(any(some[0] is one for one in found[cell]) for cell, some in cells.items())


@pytest.mark.parametrize("turn", [0, 1])
def test_the_order_of_the_cells_does_not_matter(turn: int) -> None:
    """Both ways the same follows."""
    found = {"0,0": matches(mill=0.9, library=0.5), "0,1": matches(mill=0.72, library=0.74)}
    cells = list(found)[:: -1 if turn else 1]

    assert told({cell: found[cell] for cell in cells}) == {"0,0": "mill", "0,1": "library"}
