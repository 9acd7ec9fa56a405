"""What the demo's camera films."""

from __future__ import annotations

import pytest

from companion.simulation.table import Moment
from companion.table import Place, place
from ui.assembly.demo import scenes

CELLS = ("0,1", "1,2", "2,3")


@pytest.mark.parametrize(
    ("hidden", "over"),
    [
        ({place("box", "2,3", 1), place("discard")}, "2,3"),
        ({place("discard")}, "1,2"),
        ({place("obelisk", 3), place("discard")}, "1,2"),
        (set[Place](), "1,2"),
    ],
)
def test_a_hand_reaches_over_what_it_touches(hidden: set[Place], over: str) -> None:
    """Over the middle of the city if it touches nothing there, the discard pile say."""
    moment = Moment(picture={}, busy=True, hidden=frozenset(hidden))

    assert [one.hand_over for one in scenes([moment], CELLS)] == [over]
