"""Frames of drawn tables: what the program sees, beside the truth."""

from __future__ import annotations

import pytest

from companion.errors import ProfileError
from companion.table import kind_of
from vision.training.drawn_frames import drawn_frames, learn
from vision.training.tables import RandomTable

TABLE = 106


@pytest.mark.slow
def test_a_table_is_learnt_and_looked_at_on_several_evenings() -> None:
    """Every frame has been read; hardly anything that is claimed is wrong."""
    table = RandomTable.of(TABLE)
    profile = learn(table, table.camera(seed=1))
    frames = list(drawn_frames(table, profile, 4, evenings=2))

    assert {one.kind for one in profile.pieces} == {"marker", "figure", "dragon"}
    # Over one picture in four there is an arm, however few there are of each evening.
    assert [one.hand is not None for one in frames] == [False, False, False, True]
    for one in frames:
        cells = {at: told.value for at, told in one.reading.claims.items() if kind_of(at) == "cell"}
        assert cells
        assert cells.items() <= one.truth.items()
    # On the first evening every figure has doubles, on the second none has.
    assert any("+" in where for where in frames[0].truth)
    assert not any("+" in where for where in frames[-1].truth)


def test_photographs_that_do_not_suffice_are_refused() -> None:
    """A table whose camera sees no codes cannot be learnt."""
    table = RandomTable.of(TABLE)
    camera = table.camera(seed=1).with_codes(())
    with pytest.raises(ProfileError):
        learn(table, camera)
