"""Where each piece of a table is said to be, for all games whose pieces lie anywhere, on drawn tables."""

from __future__ import annotations

import itertools

import pytest

from tests.helpers.drawn_game import FREE_GAMES, DrawnGame
from tests.helpers.seen_truth import LEAST_SEEN, table_of
from tests.helpers.true_pieces import zone_of
from vision.simulation.table_truth import pieces_truth

# What a table as it is drawn leaves open: whose card under others it is, and on which of two heaps.
_LEAST_RIGHT = 0.97


@pytest.mark.parametrize("name", FREE_GAMES)
def test_each_piece_is_said_to_be_where_it_is(name: str) -> None:
    """In its slot, row, hand or pile, and on whose side."""
    drawn = DrawnGame(name, 5, size_wh=(320, 180))
    players, layout = drawn.header["players"], drawn.copy.arranger.layout
    right = whole = 0
    wrong: list[tuple[str, str | None]] = []
    for moment in itertools.islice(drawn.moments(at_rest=True), 3, 60, 14):
        pieces = pieces_truth(drawn.copy.camera, moment.table)
        flats = sorted(
            (one for one in pieces if one["shape"] in ("flat", "disc-board")), key=lambda one: one["z"]
        )
        faces = [one for one in flats if one["visible"] >= LEAST_SEEN]
        solids = [one for one in pieces if one["shape"] not in ("flat", "disc-board")]
        homes = drawn.game.homes(layout, players, table_of(pieces))
        told = [
            *((one, homes.faces.get(order)) for order, one in enumerate(faces)),
            *((one, homes.pieces.get(number)) for number, one in enumerate(solids)),
        ]
        missed = [(one["place"], where) for one, where in told if zone_of(one["place"]) != zone_of(where)]
        right, whole = right + len(told) - len(missed), whole + len(told)
        wrong += missed
    assert whole > 40, wrong
    assert right >= _LEAST_RIGHT * whole, wrong
