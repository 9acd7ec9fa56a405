"""What the recogniser of tiles learns from."""

from __future__ import annotations

import numpy as np

from vision.pieces.tile_recogniser import BEHIND, MEASURES
from vision.training.tile_samples import TileSamples, with_twins

COUNT = 100


def test_some_cells_are_shown_with_a_face_that_agrees_as_well() -> None:
    """Half of these are right; the others are as they were, and each keeps its table's number."""
    dice = np.random.default_rng(1)
    samples = TileSamples(
        tiles=dice.uniform(0.1, 1, (COUNT, MEASURES)).astype(np.float32),
        is_right=(np.arange(COUNT) < 80).astype(np.float64),
        tile_tables=np.repeat([3.0, 4.0], COUNT // 2),
    )

    more = with_twins(samples)

    assert (more.tiles[:COUNT] == samples.tiles).all()
    twins = more.picked(np.arange(len(more.tiles)) >= COUNT)
    assert len(twins.tiles) == 8
    assert (twins.tiles[:, BEHIND] == 0).all()
    assert twins.is_right.mean() == 0.5
    assert set(twins.tile_tables.tolist()) == {3.0, 4.0}
