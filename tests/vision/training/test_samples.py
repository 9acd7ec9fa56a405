"""What is learnt from: boxes and places of a drawn table, seen through enrolment and reading."""

from __future__ import annotations

import numpy as np
import pytest

from vision.geometry.upright import SIZE_PX as LOOK_PX
from vision.models.network import FOLDER
from vision.pieces.box_measures import MEASURES, OWNER_MEASURES
from vision.pieces.box_patches import COLOUR_CHANNELS, FILL_CHANNELS, SIZE_PX
from vision.pieces.standing_measures import COMMON, LOOKS, MOST_PLACES
from vision.pieces.standing_measures import MEASURES as OF_PLACE
from vision.pieces.standing_patches import CHANNELS, COLOURED
from vision.pieces.standing_proposals import PROPOSED
from vision.pieces.suspects import MEASURES as OF_SUSPECT
from vision.pieces.tile_recogniser import BEHIND, SCORE
from vision.pieces.tile_recogniser import MEASURES as OF_TILE
from vision.training.box_samples import BARE, GROUPS, HIDDEN, MARKER, BoxSamples
from vision.training.piece_samples import AWAY, ELSEWHERE, PieceSamples
from vision.training.samples import joined, samples_of
from vision.training.tables import RandomTable

TABLE = 106


@pytest.mark.slow
def test_a_drawn_table_gives_samples_of_every_kind() -> None:
    """Patches and truth go together: what is bare looks as learnt, pieces like their colours."""
    found = samples_of(RandomTable.of(TABLE), 2, FOLDER)
    assert found is not None
    boxes, pieces, _, tiles = found
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

    assert pieces.suspects.shape == (len(pieces.arms), OF_SUSPECT)
    assert pieces.places.shape == (len(pieces.stands), MOST_PLACES, OF_PLACE)
    assert pieces.common.shape == (len(pieces.stands), COMMON)
    assert pieces.odds.shape == (len(pieces.stands), MOST_PLACES, LOOKS)
    assert (np.take_along_axis(pieces.cells, pieces.cells.astype(int), axis=1) == pieces.cells).all()
    assert np.isfinite(pieces.suspects).all()
    assert np.isfinite(pieces.places).all()
    is_there = pieces.stands < AWAY
    assert is_there.any()
    assert (pieces.stands[is_there] < pieces.counts[is_there]).all()
    assert pieces.stands.max() <= ELSEWHERE
    assert set(pieces.piece_tables.tolist()) == {float(TABLE)}
    # Some places were found by their looks, whatever their colour.
    proposed = pieces.places[..., 3] > 0
    assert 0 < proposed.sum(axis=1).max() <= PROPOSED
    there = pieces.odds[np.flatnonzero(is_there), pieces.stands[is_there].astype(int)]
    assert (np.median(there, axis=0) > np.median(pieces.odds[pieces.counts > 0, 0], axis=0)).all()

    # The network that looks learns from tables that are read without it. Where a piece stands its body has
    # its colour; elsewhere it has not.
    unseen = samples_of(RandomTable.of(TABLE), 2)
    assert unseen is not None
    looks = unseen[2]
    assert looks.places.shape == (len(looks.is_there), CHANNELS, LOOK_PX, LOOK_PX)
    assert set(looks.place_tables.tolist()) == {float(TABLE)}
    body, first = looks.places[:, 9] > 127, COLOURED[2]
    paint = np.abs(looks.places[:, :3].astype(int) - looks.places[:, first : first + 3]).max(axis=1)
    apart = np.array([one[where].mean() for one, where in zip(paint, body, strict=True) if where.any()])
    there = looks.is_there[body.any(axis=(1, 2))]
    assert 0.2 < there.mean() < 0.7
    assert np.median(apart[there == 1]) < 0.7 * np.median(apart[there == 0])

    # Where a face agrees far better than any other it is the right one.
    assert tiles.tiles.shape == (len(tiles.is_right), OF_TILE)
    assert set(tiles.tile_tables.tolist()) == {float(TABLE)}
    assert np.isfinite(tiles.tiles).all()
    score, behind = tiles.tiles[:, SCORE], tiles.tiles[:, BEHIND]
    assert tiles.is_right[(score > 0.6) & (behind > 0.15)].all()
    assert 0.8 < tiles.is_right.mean() <= 1


def test_samples_are_joined_one_after_the_other() -> None:
    """Of every kind."""
    one = PieceSamples(
        suspects=np.zeros((3, OF_SUSPECT), np.float32),
        arms=np.zeros(3),
        tables=np.full(3, 7.0),
        places=np.zeros((2, MOST_PLACES, OF_PLACE), np.float32),
        counts=np.ones(2),
        common=np.zeros((2, COMMON), np.float32),
        odds=np.zeros((2, MOST_PLACES, LOOKS), np.float32),
        cells=np.zeros((2, MOST_PLACES)),
        stands=np.array([0.0, 1.0]),
        piece_tables=np.full(2, 7.0),
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
