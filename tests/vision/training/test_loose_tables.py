"""Drawn tables on which pieces lie anywhere: the same for the same number, and what is learnt from them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from vision.free.learnt_faces import known_faces_of
from vision.free.solid_patches import CHANNELS, COLOURED
from vision.geometry.upright import SIZE_PX
from vision.training.loose_samples import loose_samples_of
from vision.training.loose_tables import BOARD, LooseTable

NUMBERS = range(24)


@pytest.fixture(scope="module")
def tables() -> list[LooseTable]:
    return [LooseTable.of(number) for number in NUMBERS]


def test_all_codes_are_in_the_picture_on_every_evening(tables: list[LooseTable]) -> None:
    """Without them nothing is read."""
    for table in tables:
        corners = [(*corner, 0.0) for code in table.fiducials for corner in code.corners_mm()]
        for evening in (table, table.evening(1), table.evening(2)):
            seen = evening.viewpoint.pose(table.size_wh).project(np.array(corners))

            assert (seen > 0).all()
            assert (seen < table.size_wh).all()


def test_the_same_number_gives_the_same_table(tables: list[LooseTable]) -> None:
    """What lies there, too; on another evening and in other paints it is another one."""
    table, again = tables[3], LooseTable.of(3)
    laid = table.faces_laid(1)

    assert again == table
    assert again.faces_laid(1) == laid
    assert again.faces_laid(2) != laid
    assert again.with_pieces(laid, 5) == table.with_pieces(laid, 5)
    assert again.with_pieces(laid, 5) != table.with_pieces(laid, 6)


def test_tables_differ_in_all_that_matters(tables: list[LooseTable]) -> None:
    """With and without boards and discs, tiles and cards, few paints and many."""
    assert {one.board.board if one.board else "" for one in tables} == {"wheel", "tracks", ""}
    assert {bool(one.layout.tile_edge_mm) for one in tables} == {True, False}
    painted = [one.with_pieces(one.faces_laid(1), 1)[1] for one in tables]
    assert {any(paint.shape == "disc" for paint in one.values()) for one in painted} == {True, False}
    assert {paint.shape for one in painted for paint in one.values()} == {"disc", "meeple", "gem", "dragon"}
    for one in painted:
        colours = [paint.colour for paint in one.values()]
        assert min(math.dist(a, b) for a, b in itertools.combinations(colours, 2)) > 25


def test_a_profile_knows_most_of_what_lies_there(tables: list[LooseTable]) -> None:
    """Some faces are strange to it, as on any table."""
    table = next(one for one in tables if one.board is not None)
    names = [one.name for one in known_faces_of(table.profile())]

    assert BOARD in names
    assert {one.face.name for one in table.faces_laid(1).flat} - {*names}
    assert len(names) > 8


def test_what_is_learnt_from_a_table_is_right_where_pieces_are() -> None:
    """There their paint is seen; elsewhere it mostly is not."""
    samples = loose_samples_of(LooseTable.of(1), 1)
    count = len(samples.is_piece)
    assert samples.solids.shape == (count, CHANNELS, SIZE_PX, SIZE_PX)
    assert set(samples.solid_tables.tolist()) == {1.0}
    assert 0.05 < samples.is_piece.mean() < 0.6
    body, first = samples.solids[:, 11] > 127, COLOURED[2]
    off = np.abs(samples.solids[:, :3].astype(int) - samples.solids[:, first : first + 3]).max(axis=1)
    apart = np.array([one[where].mean() for one, where in zip(off, body, strict=True)])

    assert np.median(apart[samples.is_piece == 1]) < 0.8 * np.median(apart[samples.is_piece == 0])
