"""What a table shows of tiles that nobody knew before."""

from __future__ import annotations

import pytest

from companion.games.kit.notation import UNSEEN
from companion.games.nova_luna.reconcile.seen_table import tile_of_value


@pytest.mark.parametrize(
    ("value", "known", "tile"),
    [("55", set(), 55), ("55", {55}, None), ("2", set(), 2), ("2", {2}, 3), (UNSEEN, set(), None)],
)
def test_a_look_may_be_one_of_two_tiles_or_none_that_can_be_told(
    value: str, known: set[int], tile: int | None
) -> None:
    """A tile between two cells of which nobody can tell which it is adds none to those that are known."""
    assert tile_of_value(value, known) == tile
