"""Names of places: made and taken apart alike."""

from __future__ import annotations

import pytest

from companion.games.blue_moon_city.layout import table_layout
from companion.table import Place
from companion.table_layout import Area, Arrangement, Content, PlaceNames, around


def test_places_are_told_apart_by_their_names() -> None:
    """A cell, a box of its tile and a box of the board are each what they are called, and nothing else."""
    names = table_layout().places
    cell, box, board = names.on_cell("0,1"), names.on_box("0,1", 2), names.on_board(3)

    assert [cell, box, board] == ["cell:0,1", "box:0,1:2", "obelisk:3"]
    assert [names.is_cell(one) for one in (cell, box, board)] == [True, False, False]
    assert [names.is_on_board(one) for one in (cell, box, board)] == [False, False, True]
    assert [names.cell_of_box(one) for one in (cell, box, board)] == [None, "0,1", None]
    assert names.cell_of_box(Place("figure:purple")) is None


def test_another_table_may_call_them_otherwise() -> None:
    """What reads a table asks for the names and knows none."""
    names = PlaceNames(cell="square", box="slot", board_box="track")

    assert [names.on_cell("a"), names.on_box("a", 0), names.on_board(1)] == [
        "square:a",
        "slot:a:0",
        "track:1",
    ]
    assert names.cell_of_box(names.on_box("a", 0)) == "a"


def test_how_far_a_point_is_outside_of_an_area() -> None:
    square = Area(
        outline_mm=around(0.0, 0.0, 100.0, 100.0), content=Content.CARDS, arrangement=Arrangement.ROW
    )

    assert square.outside_mm(10.0, 20.0) == 0
    assert square.outside_mm(80.0, 0.0) == pytest.approx(30)
    assert square.outside_mm(53.0, -54.0) == pytest.approx(5)


def test_a_city_of_other_sizes_keeps_its_distance_from_what_lies_beside_it() -> None:
    """Cells move apart, piles out of their way; nothing else changes."""
    usual = table_layout()
    found = usual.with_city(72.0, 76.0)
    gap = {
        name: one.areas["deck"].around.x_mm - one.extent_mm()[1]
        for name, one in (("usual", usual), ("found", found))
    }

    assert found.pitch_mm == pytest.approx(76)
    assert found.cells["1,4"] == pytest.approx((152, 76))
    assert gap["found"] == pytest.approx(gap["usual"])
    assert usual.with_city(usual.tile_edge_mm, usual.pitch_mm) == usual
