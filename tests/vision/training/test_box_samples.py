"""What is learnt from: boxes of a drawn table, seen through enrolment and reading."""

from __future__ import annotations

import numpy as np
import pytest

from vision.pieces.box_patches import COLOUR_CHANNELS, FILL_CHANNELS, SIZE_PX
from vision.training.box_samples import BARE, GROUPS, HIDDEN, MARKER, joined, samples_of
from vision.training.tables import RandomTable

TABLE = 106


@pytest.mark.slow
def test_a_drawn_table_gives_boxes_of_every_kind() -> None:
    """Patches and truth go together: what is bare looks as learnt, a marker like its own colour."""
    samples = samples_of(RandomTable.of(TABLE), 1)
    assert samples is not None
    count = len(samples.holds)
    both = joined([samples, samples])

    assert samples.fills.shape == (count, FILL_CHANNELS, SIZE_PX, SIZE_PX)
    assert samples.colours.shape[1:] == (COLOUR_CHANNELS, SIZE_PX, SIZE_PX)
    assert {BARE, MARKER} <= set(samples.holds.astype(int).tolist()) <= {BARE, MARKER, HIDDEN}
    assert len(both.holds) == 2 * count
    assert set(samples.groups // GROUPS) == {float(TABLE)}
    assert samples.is_own.sum() == (samples.holds == MARKER).sum()

    middle = slice(8, 16)
    apart = np.abs(samples.fills[:, :3].astype(int) - samples.fills[:, 3:6])[..., middle, middle]
    odd = apart.mean(axis=(1, 2, 3))
    assert np.median(odd[samples.holds == BARE]) < np.median(odd[samples.holds == MARKER]) / 2
    paint = np.abs(samples.colours[:, :3].astype(int) - samples.colours[:, 7:10])[..., middle, middle]
    off = paint.mean(axis=(1, 2, 3))
    assert np.median(off[samples.is_own == 1]) < np.median(off[samples.is_own == 0])
