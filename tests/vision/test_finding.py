"""Finding pieces frame after frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.vision.test_figures import BODIES, CELL, LAYOUT, SHAPE, city, dragon
from vision.figures import Paint
from vision.finding import Finder


def test_a_piece_is_looked_for_again_only_where_something_has_changed() -> None:
    """What stands far from any change still stands there; nearer it is found as if nothing were known."""
    paint, nothing = Paint(label=0), np.zeros(SHAPE, np.bool_)
    finder = Finder(BODIES)
    first = finder.find("dragon:red", "dragon", paint, city(dragon()))
    assert first is not None
    assert first.cell == CELL

    same = finder.find("dragon:red", "dragon", paint, replace(city(dragon()), fresh=nothing))
    assert same is first

    moved = np.roll(dragon(), round(LAYOUT.tile_edge_mm * BODIES.flat.px_per_mm), axis=1)
    now = finder.find("dragon:red", "dragon", paint, replace(city(moved), fresh=moved | dragon()))
    assert now is not None
    assert now.cell != CELL
    fresh = Finder(BODIES).find("dragon:red", "dragon", paint, city(moved))
    assert fresh is not None
    assert (now.cell, now.share, now.mass) == (fresh.cell, fresh.share, fresh.mass)


def test_where_nothing_was_found_nothing_is_looked_for_again() -> None:
    """Until something has changed; then it may have come."""
    paint, nothing = Paint(label=0), np.zeros(SHAPE, np.bool_)
    finder = Finder(BODIES)

    assert finder.find("dragon:red", "dragon", paint, city(nothing)) is None
    assert finder.find("dragon:red", "dragon", paint, replace(city(nothing), fresh=nothing)) is None
    come = finder.find("dragon:red", "dragon", paint, replace(city(dragon()), fresh=dragon()))
    assert come is not None
    assert come.cell == CELL
