"""The drawings of the tiles."""

from __future__ import annotations

import pytest

from companion.games.blue_moon_city.catalogue import TILES
from ui.painting.buildings import DRAWINGS

TONES = {"wall", "shade", "trim", "dark"}
NUMBERS = {"box": 4, "roof": 4, "spire": 4, "dome": 3, "arch": 4, "disc": 3}


def test_every_tile_has_a_drawing_of_its_own() -> None:
    """All 21 tiles are drawn, each differently, and nothing else is."""
    assert set(TILES) == set(DRAWINGS)
    assert len(TILES) == len(set(DRAWINGS.values()))


@pytest.mark.parametrize("tile", TILES)
def test_strokes_are_well_formed(tile: str) -> None:
    """Each stroke has a known shape and tone and as many numbers as its shape takes, inside the box."""
    for shape, tone, numbers in DRAWINGS[tile]:
        assert tone in TONES
        if shape in NUMBERS:
            assert len(numbers) == NUMBERS[shape]
        else:
            assert shape in {"poly", "line"}
            assert len(numbers) >= 4
            assert len(numbers) % 2 == 0
        assert all(-12 <= number <= 100 for number in numbers)
