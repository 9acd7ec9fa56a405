"""Tables drawn at random: whole in the picture, the same for the same number."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from companion.table import kind_of, parts_of
from vision.training.tables import RandomTable

NUMBERS = range(40)


@pytest.fixture(scope="module")
def tables() -> list[RandomTable]:
    return [RandomTable.of(number) for number in NUMBERS]


def test_the_city_and_the_codes_are_in_the_picture(tables: list[RandomTable]) -> None:
    """Every corner of every code and of the city's tiles is seen."""
    for table in tables:
        x0, x1, y0, y1 = table.layout.extent_mm()
        flat = [corner for code in table.layout.fiducials for corner in code.corners_mm()]
        flat += [(x, y) for x in (x0, x1) for y in (y0, y1)]
        seen = table.viewpoint.pose(table.size_wh).project(np.array([(x, y, 0.0) for x, y in flat]))

        assert (seen > 0).all()
        assert (seen < table.size_wh).all()


def test_nothing_lies_over_anything_else(tables: list[RandomTable]) -> None:
    """City, board, piles and codes are apart."""
    for table in tables:
        board = table.layout.board
        assert board is not None
        x0, x1, _, _ = table.layout.extent_mm()
        beside = [board.area, *(area.around for area in table.layout.areas.values())]

        assert all(
            abs(one.x_mm) - one.width_mm / 2 > x1 or x0 > one.x_mm + one.width_mm / 2 for one in beside
        )
        codes = [(code.x_mm, code.y_mm) for code in table.layout.fiducials]
        for (x, y), one in itertools.product(codes, beside):
            reach = table.layout.fiducials[0].edge_mm / 2
            outside = (
                abs(x - one.x_mm) > one.width_mm / 2 + reach or abs(y - one.y_mm) > one.height_mm / 2 + reach
            )
            assert outside


def test_pieces_are_told_apart_by_people(tables: list[RandomTable]) -> None:
    """No two colours of one table are close."""
    for table in tables:
        colours = [*table.players.values(), *table.dragons.values()]

        assert min(math.dist(a, b) for a, b in itertools.combinations(colours, 2)) > 30


def test_positions_are_tables_in_play(tables: list[RandomTable]) -> None:
    """Tiles in all cells, boxes of sketch sides alone, every figure and dragon somewhere."""
    table = tables[0]
    first, second = table.positions(2)

    assert first != second
    assert [first, second] == list(table.positions(2))
    for picture in (first, second):
        built = {
            parts_of(at)[0]
            for at, value in picture.items()
            if kind_of(at) == "cell" and value and value.endswith("built")
        }
        assert not [at for at in picture if kind_of(at) == "box" and parts_of(at)[0] in built]
        assert len(table.players) == sum(kind_of(at) == "figure" for at in picture)


def test_evenings_differ_in_light_alone_or_in_the_camera_too(tables: list[RandomTable]) -> None:
    """The copy stays; the first evening has the light of learning; the lens is never another."""
    for table in tables[:12]:
        evenings = [table.evening(number) for number in range(5)]

        assert evenings[0].scenery.lamp == table.scenery.lamp
        assert len({one.scenery.lamp for one in evenings}) == 5
        assert {one.viewpoint.hfov_deg for one in evenings} == {table.viewpoint.hfov_deg}
        assert all(one.layout == table.layout and one.artwork == table.artwork for one in evenings)
        assert evenings[3] == table.evening(3)
    strays = [table.evening(2).scenery.stray_mm / table.layout.tile_edge_mm for table in tables]
    assert max(strays) < max(0.85 * table.artwork.box_edge + 0.06 for table in tables)
    assert sum(one > 0.06 for one in strays) > 3
    moved = [table.evening(1).viewpoint != table.viewpoint for table in tables]
    assert 0.25 < np.mean(moved) < 0.75


def test_a_crowded_table_has_every_figure_several_times(tables: list[RandomTable]) -> None:
    """Doubles have their player's colour; markers are the players' own."""
    table = tables[0]
    crowded = table.crowded()
    picture = next(crowded.positions(1))
    figures = {parts_of(at)[0] for at in picture if kind_of(at) == "figure"}

    assert figures == set(crowded.players) > set(table.players)
    assert all(crowded.players[name] == table.players[name.split("+")[0]] for name in figures)
    owners = {value for at, value in picture.items() if kind_of(at) in ("box", "obelisk")}
    assert owners <= {None, *table.players}


def test_tables_differ(tables: list[RandomTable]) -> None:
    """Tiles and codes have many sizes, cameras many angles, boards many outlines."""
    assert len({round(table.layout.tile_edge_mm) for table in tables}) > 15
    assert {table.artwork.outline for table in tables} == {
        "card",
        "spire",
        "steps",
        "strip",
        "disc",
        "shield",
    }
    tilts = [table.viewpoint.tilt_deg for table in tables]
    assert min(tilts) < 10
    assert max(tilts) > 45


def test_the_camera_draws_the_same_again() -> None:
    """A small picture of one table, drawn twice, is the same; another table looks otherwise."""
    one, same, other = (
        next(iter([RandomTable.of(number, size_wh=(320, 180)).camera().frame({})])) for number in (7, 7, 8)
    )

    assert np.array_equal(one, same)
    assert (one != other).any(axis=2).mean() > 0.5
