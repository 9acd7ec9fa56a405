"""What is ground, and what is not."""

from __future__ import annotations

import numpy as np

from vision.arrays import Singles
from vision.free.ground import off_ground

RED, TAN, DARK_TAN, GREY = (0.1, 0.1, 0.7), (0.3, 0.5, 0.7), (0.1, 0.3, 0.5), (0.4, 0.4, 0.4)


def striped() -> Singles:
    """Return a table in stripes of two hues."""
    table = np.full((120, 160, 3), TAN, np.float32)
    table[::7] = DARK_TAN
    return table


def test_hues_that_are_found_all_over_a_table_are_ground() -> None:
    """Wood is not of one hue."""
    table = striped()

    assert not off_ground(table, np.ones(table.shape[:2], np.bool_)).any()


def test_shadow_is_ground() -> None:
    """It is darker, of the same hue."""
    table = striped()
    table[40:80, 40:80] *= 0.4

    assert not off_ground(table, np.ones(table.shape[:2], np.bool_)).any()


def test_a_hue_in_one_place_is_none() -> None:
    """A piece lies there, whole and no further."""
    table = striped()
    table[50:62, 90:104] = RED
    off = off_ground(table, np.ones(table.shape[:2], np.bool_))

    assert off[50:62, 90:104].all()
    assert off.sum() == 12 * 14


def test_what_is_known_neither_counts_nor_is_told() -> None:
    """Cards that are read are no ground, though they cover most of a table."""
    table = striped()
    bare = np.zeros(table.shape[:2], np.bool_)
    bare[:, 80:] = True
    table[:, :80] = GREY
    table[50:62, 90:104] = GREY
    off = off_ground(table, bare)

    assert off[50:62, 90:104].all()
    assert off.sum() == 12 * 14


def test_where_nothing_lies_bare_nothing_is_strange() -> None:
    """There is no ground to compare with."""
    table = striped()

    assert not off_ground(table, np.zeros(table.shape[:2], np.bool_)).any()
