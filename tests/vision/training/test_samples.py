"""What is learnt from: boxes and places of a drawn table, seen through enrolment and reading."""

from __future__ import annotations

import numpy as np
import pytest

from vision.pieces.box_measures import MEASURES, OWNER_MEASURES
from vision.pieces.box_patches import COLOUR_CHANNELS, FILL_CHANNELS, SIZE_PX
from vision.pieces.standing_patches import CHANNELS
from vision.pieces.standing_patches import SIZE_PX as STANDING_PX
from vision.training.box_samples import BARE, GROUPS, HIDDEN, MARKER, BoxSamples
from vision.training.samples import joined, samples_of
from vision.training.standing_samples import StandingSamples
from vision.training.tables import RandomTable

TABLE = 106


@pytest.mark.slow
def test_a_drawn_table_gives_samples_of_every_kind() -> None:
    """Patches and truth go together: what is bare looks as learnt, pieces like their colours."""
    found = samples_of(RandomTable.of(TABLE), 2)
    assert found is not None
    boxes, standing = found
    count = len(boxes.holds)

    assert boxes.fills.shape == (count, FILL_CHANNELS, SIZE_PX, SIZE_PX)
    assert boxes.colours.shape[1:] == (COLOUR_CHANNELS, SIZE_PX, SIZE_PX)
    assert boxes.measures.shape == (count, MEASURES)
    assert boxes.owner_measures.shape == (len(boxes.is_own), OWNER_MEASURES)
    bare = boxes.measures[:, 0]
    assert np.median(bare[boxes.holds == BARE]) > np.median(bare[boxes.holds == MARKER])
    assert {BARE, MARKER} <= set(boxes.holds.astype(int).tolist()) <= {BARE, MARKER, HIDDEN}
    assert set(boxes.groups // GROUPS) == {float(TABLE)}
    assert boxes.is_own.sum() == (boxes.holds == MARKER).sum()

    middle = slice(8, 16)
    apart = np.abs(boxes.fills[:, :3].astype(int) - boxes.fills[:, 3:6])[..., middle, middle]
    odd = apart.mean(axis=(1, 2, 3))
    assert np.median(odd[boxes.holds == BARE]) < np.median(odd[boxes.holds == MARKER]) / 2
    paint = np.abs(boxes.colours[:, :3].astype(int) - boxes.colours[:, 7:10])[..., middle, middle]
    off = paint.mean(axis=(1, 2, 3))
    assert np.median(off[boxes.is_own == 1]) < np.median(off[boxes.is_own == 0])

    assert standing.patches.shape == (len(standing.stands), CHANNELS, STANDING_PX, STANDING_PX)
    assert standing.stands.sum() > 0
    assert set(standing.kinds.tolist()) == {0.0, 1.0}
    body = standing.patches[:, 7] > 128
    away = np.abs(standing.patches[:, :3].astype(int) - standing.patches[:, 9:12]).mean(axis=1)
    assert np.median([one[on].mean() for one, on in zip(away, body, strict=True)]) < np.median(
        [one[~on].mean() for one, on in zip(away, body, strict=True)]
    )


def test_samples_are_joined_one_after_the_other() -> None:
    """Of every kind."""
    one = StandingSamples(
        patches=np.zeros((2, CHANNELS, STANDING_PX, STANDING_PX), np.uint8),
        stands=np.array([0.0, 1.0]),
        kinds=np.zeros(2),
        tables=np.full(2, 7.0),
        groups=np.arange(2.0),
        doubled=np.zeros(2),
        measured=np.zeros((2, 4)),
    )
    other = BoxSamples(
        fills=np.zeros((1, FILL_CHANNELS, SIZE_PX, SIZE_PX), np.uint8),
        holds=np.zeros(1),
        measures=np.zeros((1, MEASURES), np.float32),
        where=np.zeros(1),
        tables=np.zeros(1),
        colours=np.zeros((0, COLOUR_CHANNELS, SIZE_PX, SIZE_PX), np.uint8),
        is_own=np.zeros(0),
        groups=np.zeros(0),
        owner_measures=np.zeros((0, OWNER_MEASURES), np.float32),
    )

    assert joined([one, one]).stands.tolist() == [0.0, 1.0, 0.0, 1.0]
    assert joined([other, other, other]).fills.shape[0] == 3
