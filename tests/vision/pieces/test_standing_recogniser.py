"""Where pieces may stand, weighed against each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.table import Place
from tests.vision.pieces.test_classifier import standing
from vision.geometry.upright import SIZE_PX
from vision.pieces.figures import Candidate
from vision.pieces.standing_measures import COMMON, LOOKS, MEASURES, Measured
from vision.pieces.standing_patches import CHANNELS
from vision.pieces.standing_recogniser import (
    StandingChances,
    StandingRecogniser,
    best_odds,
    contested,
    leads,
    rows_of_pieces,
    rows_of_places,
)

WHITE, RED, WATER = Place("figure:white"), Place("figure:red"), Place("dragon:water")


def candidate(cell: str) -> Candidate:
    """A place on a cell; on each another part of the map is covered."""
    row, column = (8 * int(one) for one in cell.split(","))
    return Candidate(
        share=0.9, cell=cell, base_mm=(0.0, 0.0), spill=0.0, fit=0.8,
        region=(slice(row, row + 2), slice(column, column + 2)), body=np.ones((2, 2), np.bool_),
    )  # fmt: skip


def measured(*cells: str) -> Measured:
    """A piece that may stand on these cells."""
    dice = np.random.default_rng(len(cells))
    return Measured(
        places=tuple(map(candidate, cells)),
        values=dice.uniform(0, 1, (len(cells), MEASURES)).astype(np.float32),
        patches=dice.integers(0, 256, (len(cells), CHANNELS, SIZE_PX, SIZE_PX)).astype(np.uint8),
        odds=dice.normal(0, 3, (len(cells), LOOKS)).astype(np.float32),
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


def test_a_figure_hardly_leaves_the_city() -> None:
    """Of a dragon that looks just so it is likelier that it is away, and all else is less likely as much."""
    seen = measured("1,1", "2,2")
    figure, dragon = (StandingRecogniser().chances({at: seen})[at] for at in (WHITE, WATER))
    odds, there = (
        [one.away / (1 - one.away) for one in (figure, dragon)],
        (1 - figure.away) / (1 - dragon.away),
    )

    assert odds[0] == pytest.approx(odds[1] / 20, rel=1e-3)
    assert figure.elsewhere / dragon.elsewhere == pytest.approx(there, rel=1e-3)


def test_chances_of_several_places_on_one_cell_belong_together() -> None:
    """The likeliest cell is told, and of its places the likeliest."""
    cells, chances = ("1,1", "2,2", "1,1"), (0.2, 0.4, 0.3)
    places = [(candidate(cell), chance) for cell, chance in zip(cells, chances, strict=True)]
    told = StandingChances(places=tuple(places), away=0.06, elsewhere=0.04)

    assert told.of_cell("1,1") == pytest.approx(0.5)
    assert told.of_cell("3,3") == 0.04
    assert told.best is not None
    assert told.best[0] is places[2][0]
    assert told.best[1] == pytest.approx(0.5)


def test_what_was_found_by_other_means_may_be_a_place_that_is_known() -> None:
    """On its cell and hardly elsewhere on it."""
    told = StandingChances(places=((candidate("1,1"), 0.5),), away=0.3, elsewhere=0.2)
    found = [("1,1", (5.0, 5.0)), ("1,1", (25.0, 5.0)), ("2,2", (0.0, 0.0))]

    assert [told.is_proposed(standing(cell=cell, base_mm=base)) for cell, base in found] == [
        True,
        False,
        False,
    ]


def test_each_piece_is_weighed_by_itself() -> None:
    """Asked together or one by one, the chances are the same."""
    one, other = measured("1,1", "2,2"), measured("3,1")
    both, alone = (StandingRecogniser().chances(some) for some in ({WHITE: one, RED: other}, {RED: other}))

    assert both[RED].places[0][1] == pytest.approx(alone[RED].places[0][1], abs=1e-5)


def test_two_pieces_are_not_the_same_thing() -> None:
    """What both may be is neither surely; what only one may be stays as it is."""
    there, beside = candidate("1,1"), replace(candidate("1,1"), region=(slice(4, 6), slice(4, 6)))
    found = {
        WHITE: StandingChances(places=((there, 0.9),), away=0.06, elsewhere=0.04),
        RED: StandingChances(places=((there, 0.9), (beside, 0.05)), away=0.03, elsewhere=0.02),
    }
    told = contested(found, {})

    for one in told.values():
        assert one.places[0][1] == pytest.approx(9 / 19)
        assert sum(chance for _, chance in one.places) + one.away + one.elsewhere == pytest.approx(1)
    assert told[RED].places[1][1] == pytest.approx(0.05)
    assert contested({WHITE: found[WHITE]}, {RED: found[RED]}) == {WHITE: told[WHITE]}


def test_without_models_nothing_is_told() -> None:
    """Then the reading has only its own rules."""
    assert StandingRecogniser(None).chances({WHITE: measured("1,1")}) == {}


def test_of_every_piece_the_best_look_counts() -> None:
    """Of one with no place at all nothing is seen; what a look says goes before what is measured."""
    odds = np.array([[1.0, -1.0], [-2.0, 2.0], [3.0, 4.0]], np.float32)
    best = best_odds(odds, np.array([2, 0, 1]))

    assert best[[0, 2]].tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert (best[1] < -10).all()
    assert rows_of_pieces(np.zeros((3, 2), np.float32), odds)[:, :2].tolist() == odds.tolist()


def test_what_looks_better_than_on_any_other_cell_is_ahead() -> None:
    """Places on one cell are no rivals; without any, one is as far ahead as can be."""
    odds = np.array([[5.0, 4.0], [3.0, 4.5], [-1.0, -2.0]], np.float32)

    assert leads(odds, ["1,1", "1,1", "2,2"]).tolist() == [[6.0, 6.0], [4.0, 6.5], [-6.0, -6.5]]
    assert leads(odds[:1], ["1,1"]).tolist() == [[15.0, 15.0]]
    assert leads(odds[:0], []).shape == (0, 2)


def test_what_is_weighed_of_a_place_is_bounded() -> None:
    """However sure the network is; what is measured comes last."""
    odds = np.array([[90.0, -90.0], [0.0, 0.0]], np.float32)
    rows = rows_of_places(np.full((2, 3), 7.0, np.float32), odds, np.zeros((2, 2), np.float32))

    assert rows[:, 2:4] == pytest.approx(np.array([[1.0, 0.0], [0.5, 0.5]]), abs=1e-5)
    assert (rows[:, -3:] == 7).all()


def test_a_piece_behind_another_is_not_the_same_thing() -> None:
    """A dragon hides most of a figure behind it; where their bases are one there is one of them only."""
    dragon = replace(candidate("1,1"), base_mm=(0.0, 30.0))
    behind, same = candidate("1,1"), replace(candidate("1,1"), base_mm=(0.0, 25.0))
    of_dragon = StandingChances(places=((dragon, 0.99),), away=0.0, elsewhere=0.01)

    def told(figure: Candidate) -> dict[Place, StandingChances]:
        of_figure = StandingChances(places=((figure, 0.99),), away=0.0, elsewhere=0.01)
        return contested({WHITE: of_figure, WATER: of_dragon}, {})

    assert [one.of_cell("1,1") for one in told(behind).values()] == pytest.approx([0.99, 0.99])
    assert [one.of_cell("1,1") for one in told(same).values()] == pytest.approx([0.5, 0.5], abs=0.01)
