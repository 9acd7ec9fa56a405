"""Where pieces may stand, weighed against each other."""

from __future__ import annotations

import numpy as np
import pytest

from companion.table import Place
from vision.pieces.figures import Candidate
from vision.pieces.standing_measures import COMMON, MEASURES, Measured
from vision.pieces.standing_patches import CHANNELS, SIZE_PX
from vision.pieces.standing_recogniser import StandingRecogniser, best_odds, with_odds

WHITE, RED = Place("figure:white"), Place("figure:red")


def candidate(cell: str) -> Candidate:
    """A place on a cell."""
    return Candidate(
        share=0.9, cell=cell, base_mm=(0.0, 0.0), spill=0.0, fit=0.8,
        region=(slice(0, 2), slice(0, 2)), body=np.ones((2, 2), np.bool_),
    )  # fmt: skip


def measured(*cells: str) -> Measured:
    """A piece that may stand on these cells."""
    dice = np.random.default_rng(len(cells))
    return Measured(
        places=tuple(map(candidate, cells)),
        values=dice.uniform(0, 1, (len(cells), MEASURES)).astype(np.float32),
        patches=dice.integers(0, 256, (len(cells), CHANNELS, SIZE_PX, SIZE_PX)).astype(np.uint8),
        common=dice.uniform(0, 1, COMMON).astype(np.float32),
    )


def test_a_piece_is_in_one_place_or_nowhere() -> None:
    """The chances of all that may be make up one."""
    told = StandingRecogniser().chances({WHITE: measured("1,1", "2,2"), RED: measured()})

    for chances in told.values():
        whole = sum(chance for _, chance in chances.places) + chances.away + chances.elsewhere
        assert whole == pytest.approx(1.0, abs=1e-5)
    assert [at.cell for at, _ in told[WHITE].places] == ["1,1", "2,2"]
    assert told[RED].best is None
    assert told[RED].of_cell("1,1") == told[RED].elsewhere


def test_each_piece_is_weighed_by_itself() -> None:
    """Asked together or one by one, the chances are the same."""
    one, other = measured("1,1", "2,2"), measured("3,1")
    both, alone = (StandingRecogniser().chances(some) for some in ({WHITE: one, RED: other}, {RED: other}))

    assert both[RED].places[0][1] == pytest.approx(alone[RED].places[0][1], abs=1e-5)


def test_without_models_nothing_is_told() -> None:
    """Then the reading has only its own rules."""
    assert StandingRecogniser(None).chances({WHITE: measured("1,1")}) == {}


def test_of_every_piece_the_best_look_counts() -> None:
    """Of one with no place at all nothing is seen; what a look says goes before what is measured."""
    odds = np.array([1.0, -2.0, 3.0], np.float32)
    best = best_odds(odds, np.array([2, 0, 1]))

    assert best.tolist() == [1.0, best.min(), 3.0]
    assert best[1] < -10
    assert with_odds(np.zeros((3, 2), np.float32), odds)[:, 0].tolist() == odds.tolist()
