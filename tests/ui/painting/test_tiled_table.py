"""Where a table whose tiles lie on cells is drawn."""

from __future__ import annotations

from itertools import combinations

import pytest
from PyQt6.QtCore import QRectF

from companion.games import registry
from companion.view_model import TableView
from tests.helpers.random_play import played
from ui.painting.tiled_table import (
    TILE,
    piece_corners,
    piece_wh,
    spot_areas,
    table_area,
    tile_area,
    track_areas,
)


@pytest.fixture(params=[0, 12, 60], name="view")
def view_at(request: pytest.FixtureRequest) -> TableView:
    """A table of a random game."""
    states = played("blue_moon_city", 2, 80).states
    return registry.display("blue_moon_city").presenter.present(states[min(request.param, len(states) - 1)])


def pieces_of(view: TableView) -> list[QRectF]:
    """Return where the pieces are drawn."""
    corners = piece_corners(view)
    return [QRectF(0, 0, *piece_wh(one)).translated(corners[one.place]) for one in view.pieces]


def test_everything_is_on_the_table(view: TableView) -> None:
    """Tiles, boxes of the track and pieces are within the area of the whole, and boxes within their tile."""
    beside = [area for track in view.tracks for _, area in track_areas(view, track)]
    areas = [*map(tile_area, view.tiles), *beside, *pieces_of(view)]

    assert len(areas) == len(view.tiles) + len(view.pieces) + sum(map(len, (t.spots for t in view.tracks)))
    assert all(table_area(view).contains(area) for area in areas)
    for tile in view.tiles:
        assert len(tile.spots) == len(spot_areas(tile))
        assert all(QRectF(0, 0, TILE, TILE).contains(area) for area in spot_areas(tile))


def test_nothing_covers_a_tile_or_a_box_of_the_track(view: TableView) -> None:
    """Tiles lie apart, boxes do too; pieces stand at different places."""
    beside = [area for track in view.tracks for _, area in track_areas(view, track)]
    flat = [*map(tile_area, view.tiles), *beside]
    corners = [(area.x(), area.y()) for area in pieces_of(view)]

    assert not [pair for pair in combinations(flat, 2) if pair[0].intersects(pair[1])]
    assert len(corners) == len(set(corners))
