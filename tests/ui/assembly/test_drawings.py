"""Tests for ui.assembly.drawings: what is drawn is kept as it was drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games import registry
from companion.games.blue_moon_city.layout import table_layout
from ui.assembly.drawings import Drawings
from vision.simulation.camera import SimulatedCamera
from vision.simulation.printed_tiles import tile_arts


class Drawer:
    """Counts how often it draws."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> NDArray[np.generic]:
        self.times += 1
        return np.linspace(0, 1, 24, dtype=np.float32).reshape(2, 4, 3)


def test_what_is_kept_is_not_drawn_again(tmp_path: Path) -> None:
    draw = Drawer()
    first = Drawings(tmp_path / "new").kept("table", draw)
    again = Drawings(tmp_path / "new").kept("table", draw)
    assert 1 == draw.times
    assert first.dtype == again.dtype
    assert np.array_equal(first, again)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: content[:0],
        lambda content: content[:20],
        lambda content: content[:-1],
        lambda content: content + b"\0",
        lambda content: content[:-4] + bytes(4),
        lambda content: bytes([content[0] ^ 1]) + content[1:],
    ],
)
def test_what_is_damaged_is_drawn_again(tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    draw, drawings = Drawer(), Drawings(tmp_path)
    first = drawings.kept("table", draw)
    (file,) = tmp_path.iterdir()
    file.write_bytes(spoil(file.read_bytes()))
    assert np.array_equal(first, drawings.kept("table", draw))
    assert 2 == draw.times
    drawings.kept("table", draw)
    assert 2 == draw.times


def test_where_nothing_can_be_written_it_is_drawn_each_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    draw, drawings = Drawer(), Drawings(tmp_path / "file" / "folder")
    drawings.kept("table", draw)
    drawings.kept("table", draw)
    assert 2 == draw.times


def test_a_camera_films_the_same_from_kept_drawings(tmp_path: Path) -> None:
    picture = {"cell:1,2": "mill/sketch"}

    def filmed(drawings: Drawings | None) -> NDArray[np.uint8]:
        layout, arts = table_layout(), tile_arts(registry.components("blue_moon_city").tiles)
        return SimulatedCamera(layout, arts, {}, seed=3, drawings=drawings).frame(picture)

    drawn = filmed(None)
    assert np.array_equal(drawn, filmed(Drawings(tmp_path)))
    assert {"table.drawn", "mill-sketch.drawn"} == {file.name for file in tmp_path.iterdir()}
    assert np.array_equal(drawn, filmed(Drawings(tmp_path)))
