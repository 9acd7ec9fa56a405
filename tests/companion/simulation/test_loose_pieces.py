"""Where the pieces of a simulated table lie."""

from __future__ import annotations

import random

from companion.games.nova_luna import GAME
from companion.simulation.loose_pieces import Hands, LooseTable
from companion.table import Place

PICTURE = {
    Place("area:red"): "0,0 0,1",
    Place("area:red:0,0"): "5",
    Place("area:red:0,1"): "9",
    Place("area:blue"): None,
    Place("wheel:1"): "12",
}


def test_areas_are_known_though_nothing_lies_in_them() -> None:
    table = LooseTable(GAME, random.Random(1))
    table.lay(PICTURE)

    assert table.areas() == {"area:red", "area:blue"}
    assert table.pieces().keys() == {Place("area:red:0,0"), Place("area:red:0,1")}


def test_what_is_not_touched_stays_where_it_lies() -> None:
    table = LooseTable(GAME, random.Random(1), Hands(nudged=0.0))
    table.lay(PICTURE)
    before = table.pieces()

    table.lay({**PICTURE, Place("area:red:1,1"): "20"})

    assert before.items() <= table.pieces().items()
    assert table.pieces()[Place("area:red:1,1")].face == "20"


def test_a_piece_is_laid_beside_where_its_neighbour_truly_lies() -> None:
    """Hands do not know the grid: they drift along with what lies there."""
    table = LooseTable(GAME, random.Random(1), Hands(slip_mm=15.0, turn_deg=0.0, nudged=0.0))
    table.lay(PICTURE)
    table.hands = Hands(slip_mm=0.0, turn_deg=0.0, nudged=0.0)
    table.lay({**PICTURE, Place("area:red:0,2"): "20"})

    spots = GAME.spots({**PICTURE, Place("area:red:0,2"): "20"})
    there, last, new = (Place("area:red:0,1"), table.pieces()[Place("area:red:0,1")], Place("area:red:0,2"))
    assert abs(last.x_mm - spots[there].x_mm) > 1.0
    assert abs((table.pieces()[new].x_mm - last.x_mm) - (spots[new].x_mm - spots[there].x_mm)) < 1e-6


def test_pieces_are_nudged_and_laid_astray() -> None:
    table = LooseTable(GAME, random.Random(1), Hands(nudged=1.0, astray=1.0))
    table.lay(PICTURE)

    assert table.counts["pieces nudged"] == 1
    assert table.counts["pieces laid astray"] == 1


def test_a_frame_measures_about_where_a_piece_lies() -> None:
    table = LooseTable(GAME, random.Random(1))
    table.lay(PICTURE)
    lying = table.pieces()[Place("area:red:0,0")]

    measured = table.measured(lying, face=None, confidence=0.9)

    assert (measured.face, measured.confidence, measured.area) == (None, 0.9, lying.area)
    assert 0.0 < abs(measured.x_mm - lying.x_mm) < 5.0
