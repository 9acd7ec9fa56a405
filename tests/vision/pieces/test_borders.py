"""Pieces that end where nothing ends on the tile."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.pieces.test_figures import BODIES, CELL, LAYOUT, SHAPE, city
from tests.vision.pieces.test_markers import BOX, ORANGE, printed
from vision.pieces.borders import Edges, edges_of, find_by_border
from vision.pieces.classifier import classify_standing
from vision.pieces.figures import Paint, StandingFigure

PAINT = Paint(label=0, is_light=True)


def body(cell: str = CELL) -> np.ndarray:
    """What a figure in the middle of the cell covers, (height, width) bool."""
    covered = np.zeros(SHAPE, np.bool_)
    region, outline = BODIES.outline("figure", LAYOUT.cells[cell])
    covered[region] = outline
    return covered


def edges(thing: np.ndarray, height: float = 0.3) -> Edges:
    """The edges of a thing that is so much brighter than the tiles."""
    apart = np.repeat(thing[..., None].astype(np.float32) * height, 3, axis=2).astype(np.float32)
    return edges_of(apart, np.ones(SHAPE, np.bool_))


def found(thing: np.ndarray, seen: Edges) -> StandingFigure | None:
    """The white figure found where a thing is strange, on tiles that are all of its colour."""
    pale = replace(city(thing), labels=np.zeros(SHAPE, np.uint8))
    return find_by_border(pale, lambda: seen, BODIES, PAINT, "figure")


def test_a_figure_is_found_where_it_ends_all_around() -> None:
    """Though the tiles are all of its colour."""
    standing = found(body(), edges(body()))

    assert standing is not None
    assert standing.border is not None
    assert standing.cell == CELL
    assert standing.base_mm == pytest.approx(LAYOUT.cells[CELL], abs=2.0)
    assert standing.border.shown > 0.6
    assert standing.border.seen == standing.border.own == pytest.approx(1.0, abs=0.01)
    assert classify_standing(standing, 0.9, "figure") > 0.9


def test_where_half_of_it_is_in_the_shade_it_is_found_all_the_same() -> None:
    """A lit side is enough, if the border is seen."""
    thing = body()
    lit = thing & (np.arange(SHAPE[1]) < np.nonzero(thing)[1].mean())[None, :]
    standing = found(lit, edges(thing))

    assert standing is not None
    assert standing.cell == CELL
    assert classify_standing(standing, 0.9, "figure") > 0.0


def test_what_goes_on_beyond_its_outline_is_no_figure() -> None:
    """A fingertip ends on three sides as a figure does."""
    standing = found(body(), edges(body()))

    assert standing is not None
    assert classify_standing(replace(standing, spill=0.2), 0.9, "figure") > 0.0
    assert classify_standing(replace(standing, spill=0.5), 0.9, "figure") == 0.0


def test_what_has_no_edges_is_no_figure() -> None:
    """Glare and haze have none, however bright."""
    standing = found(body(), edges(np.zeros(SHAPE, np.bool_)))

    assert standing is None


def test_what_is_only_a_shadow_is_no_figure() -> None:
    """Nothing of it is in a light piece's own light."""
    assert found(np.zeros(SHAPE, np.bool_), edges(body())) is None


def test_of_two_that_are_alike_neither_is_told() -> None:
    """Another place that ends as much speaks against the first."""
    both = body() | body("3,1")
    standing = found(both, edges(both))

    assert standing is not None
    assert classify_standing(standing, 0.9, "figure") == 0.0


def test_nobody_asks_for_edges_where_nothing_is_lit() -> None:
    """They take longer than all the rest."""

    def ask() -> Edges:
        pytest.fail("nothing there is in the figure's colour")

    assert find_by_border(city(np.zeros(SHAPE, np.bool_)), ask, BODIES, PAINT, "figure") is None


def test_edges_have_no_sign() -> None:
    """A dark figure on a bright tile ends as a bright one on a dark tile does."""
    bright, dark = edges(body()), edges(body(), -0.3)

    assert np.allclose(bright.plain, dark.plain)
    assert np.allclose(bright.level, dark.level)
    assert np.allclose(bright.slant, dark.slant)


def test_what_nobody_knows_has_no_edges() -> None:
    """Where a piece covers the map, or nothing was learnt, nothing ends."""
    thing = body()
    apart = np.repeat(thing[..., None].astype(np.float32), 3, axis=2)
    seen = edges_of(apart, ~thing)

    assert not seen.seen[thing].any()
    assert not seen.plain[thing].any()
    standing = found(thing, seen)
    assert standing is None or classify_standing(standing, 0.9, "figure") == 0.0


def cube(*, turn: float = 0.0, right_px: float = 0.0) -> np.ndarray:
    """The face with a marker, turned by so many radians, so far beside the middle of its box."""
    seen = printed()
    half = BOX.marker_mm * BOX.px_per_mm / 2
    c, s = math.cos(turn), math.sin(turn)
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) @ [[c, s], [-s, c]]
    corners = np.round((square + BOX.middle + (right_px, 0.0)) * 8).astype(np.int32)
    cv2.fillConvexPoly(seen, corners, ORANGE, lineType=cv2.LINE_AA, shift=3)
    return seen
