"""The records of a state."""

from __future__ import annotations

from dataclasses import replace

from companion.games.blue_moon_legends.state import changed
from tests.helpers.legends import ids, position


def test_a_changed_copy_is_what_the_constructor_would_make():
    """Equal, of equal hash, and the record itself stays as it was."""
    state = position(a={"hand": ["vulca-08"]}, fight="fire")

    for record, fields in (
        (state, {"dragons": 2, "pending": ()}),
        (state.mine, {"hand": ids("vulca-01"), "lead": None}),
        (state.turn, {"drawn": 3}),
    ):
        copy = changed(record, **fields)
        assert replace(record, **fields) == copy
        assert hash(replace(record, **fields)) == hash(copy)
        assert record != copy
    assert 0 == state.dragons
