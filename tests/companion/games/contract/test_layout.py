"""Every game's table layout: all that a table of the game shows has its place in it."""

from __future__ import annotations

import json

import pytest

from calibration.layout import format_layout, parse_layout
from companion.games import registry
from companion.table import kind_of, place
from companion.table_layout import Arrangement, TableLayout
from tests.helpers.random_play import played

# Pieces that stand anywhere, named by what they are and not by where they stand.
STANDING = ("figure", "dragon")


def layout_for(name: str, players: tuple[str, ...]) -> TableLayout:
    """The layout of a game, which has one."""
    layout = registry.lookup(name).table_layout(players)
    assert layout is not None
    return layout


@pytest.mark.parametrize("name", registry.NAMES)
def test_everything_on_a_table_has_its_place(name: str) -> None:
    """Each predicted place is on the grid, on the board or in one area: the one that the game names."""
    played_game = played(name, 1)
    game = played_game.game
    layout = layout_for(name, tuple(played_game.header["players"]))
    cells = {place(layout.places.cell, cell) for cell in layout.cells}
    board = {layout.places.on_board(number) for number in range(sum(layout.board_rows))}
    seen = {where for step in played_game.steps[::3] for where in game.predict(step.after)}

    lost = {
        where
        for where in seen - cells - board
        if layout.places.cell_of_box(where) not in layout.cells
        and not (layout.cells and kind_of(where) in STANDING)
        and layout.area_of(where) is None
    }
    assert set() == lost
    free = {where: game.area_of(where) for where in seen if game.area_of(where)}
    assert free == {where: layout.area_of(where) for where in free}


@pytest.mark.parametrize("name", registry.NAMES)
def test_a_layout_is_kept_in_a_profile(name: str) -> None:
    """It prints and parses to itself, with players and without; nobody's areas are the same in both."""
    bare, full = layout_for(name, ()), layout_for(name, ("red", "blue"))

    for layout in (bare, full):
        assert layout == parse_layout(json.loads(json.dumps(format_layout(layout))))
    assert bare.areas == {at: area for at, area in full.areas.items() if area.owner is None}
    assert {area.owner for area in full.areas.values()} - {None} <= {"red", "blue"}


@pytest.mark.parametrize("name", registry.NAMES)
def test_areas_are_told_apart(name: str) -> None:
    """No place is in two areas, fixed ones are within theirs, and piles that all share are apart."""
    layout = layout_for(name, ("red", "blue"))

    for at, area in layout.areas.items():
        around = area.around
        assert around.width_mm > 0 < around.height_mm
        assert bool(area.places_mm) <= (area.arrangement is Arrangement.PLACES)
        for where, (x, y) in area.places_mm.items():
            assert layout.area_of(where) == at
            assert abs(x - around.x_mm) <= around.width_mm / 2
            assert abs(y - around.y_mm) <= around.height_mm / 2
    assert set(layout.piles(is_face_up=True)) & set(layout.piles(is_face_up=False)) == set()
