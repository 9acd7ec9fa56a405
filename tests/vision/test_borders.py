"""Figures that end where nothing ends on the tile, on maps without a picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.test_figures import BODIES, CELL, LAYOUT, SHAPE, city
from vision.borders import Edges, edges_of, find_by_border
from vision.figures import Paint, Standing
from vision.judge import judge_standing

PAINT = Paint(label=0, is_light=True)


def body(cell: str = CELL) -> np.ndarray:
    """What a figure in the middle of the cell covers, (height, width) bool."""
    covered = np.zeros(SHAPE, np.bool_)
    part, outline = BODIES.outline("figure", LAYOUT.cells[cell])
    covered[part] = outline
    return covered


def edges(thing: np.ndarray, height: float = 0.3) -> Edges:
    """The edges of a thing that is so much brighter than the tiles."""
    apart = np.repeat(thing[..., None].astype(np.float32) * height, 3, axis=2).astype(np.float32)
    return edges_of(apart, np.ones(SHAPE, np.bool_))


def found(thing: np.ndarray, seen: Edges) -> Standing | None:
    """The white figure found where a thing is strange, on tiles that are all of its colour."""
    pale = replace(city(thing), labels=np.zeros(SHAPE, np.uint8))
    return find_by_border(pale, seen, BODIES, PAINT, "figure")


def test_a_figure_is_found_where_it_ends_all_around() -> None:
    """Though the tiles are all of its colour."""
    standing = found(body(), edges(body()))

    assert standing is not None
    assert standing.border is not None
    assert standing.cell == CELL
    assert standing.base_mm == pytest.approx(LAYOUT.cells[CELL], abs=2.0)
    assert standing.border.shown > 0.6
    assert standing.border.seen == standing.border.own == pytest.approx(1.0, abs=0.01)
    assert judge_standing(standing, 0.9, "figure") > 0.9
    assert judge_standing(standing, 0.9, "figure", hand=True) == 0.0


def test_where_half_of_it_is_in_the_shade_it_is_found_all_the_same() -> None:
    """A lit side is enough, if the border is seen."""
    thing = body()
    lit = thing & (np.arange(SHAPE[1]) < np.nonzero(thing)[1].mean())[None, :]
    standing = found(lit, edges(thing))

    assert standing is not None
    assert standing.cell == CELL
    assert judge_standing(standing, 0.9, "figure") > 0.0


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
    assert judge_standing(standing, 0.9, "figure") == 0.0


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
    assert standing is None or judge_standing(standing, 0.9, "figure") == 0.0
