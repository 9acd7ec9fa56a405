"""The table of Nova Luna: the moon wheel with its track in the middle, each player's tiles around it.

An area's cells are counted from the player's first tile, so that its grid may drift and grow any way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from companion.games.kit.notation import escape
from companion.games.nova_luna.catalogue import SLOTS
from companion.games.nova_luna.table import MEEPLE, SPACES, area_place, loose_place, track_place, wheel_place
from companion.table import Place
from companion.table_layout import Area, Arrangement, Content, PieceSizes, TableLayout, around, corner_codes

# A sheet to lay the table out by: distances of tiles, meeple and tokens from the middle of the wheel.
_WHEEL_MM, _MEEPLE_MM, _TRACK_MM = 120.0, 106.0, 67.0
_TILE_MM: Final = 43.0
_STOCK_MM: Final = 128.0  # from the middle, along both axes
_AREA_MM: Final = (280.0, 280.0)
_SUPPLY_MM: Final = (100.0, 90.0)
# Where the players' areas and supplies have their middles, by seat.
_SEATS_MM: Final = ((-300.0, 0.0), (300.0, 0.0), (0.0, -300.0), (0.0, 300.0))
_SUPPLIES_MM: Final = ((-300.0, 200.0), (300.0, -200.0), (-210.0, -300.0), (210.0, 300.0))


def table_layout(players: Sequence[str] = ()) -> TableLayout:
    """Return the usual layout for these players, each with an area and a supply of tokens."""
    areas = {
        "wheel": Area(
            outline_mm=around(0.0, 0.0, 2 * _WHEEL_MM + _TILE_MM, 2 * _WHEEL_MM + _TILE_MM),
            content=Content.TILES,
            arrangement=Arrangement.PLACES,
            places_mm=_ring([wheel_place(slot) for slot in range(SLOTS)], _WHEEL_MM),
        ),
        "moon": Area(
            outline_mm=around(0.0, 0.0, 2 * _MEEPLE_MM, 2 * _MEEPLE_MM),
            content=Content.PIECES,
            arrangement=Arrangement.PLACES,
            holds=(MEEPLE,),
            places_mm=_ring([Place(f"{MEEPLE}:{slot}") for slot in range(SLOTS)], _MEEPLE_MM),
        ),
        "track": Area(
            outline_mm=around(0.0, 0.0, 2 * _TRACK_MM + 20.0, 2 * _TRACK_MM + 20.0),
            content=Content.PIECES,
            arrangement=Arrangement.PLACES,
            places_mm=_ring([track_place(space) for space in range(SPACES)], _TRACK_MM),
        ),
    }
    for number, (x, y) in enumerate(((-1, 1), (1, 1), (1, -1), (-1, -1))):
        areas[f"stock:{number}"] = Area(
            outline_mm=around(x * _STOCK_MM, y * _STOCK_MM, _TILE_MM, _TILE_MM),
            content=Content.TILES,
            arrangement=Arrangement.PILE,
            is_face_up=False,
        )
    for player, seat, supply in zip(players, _SEATS_MM, _SUPPLIES_MM, strict=False):
        areas[area_place(player)] = Area(
            outline_mm=around(*seat, *_AREA_MM),
            content=Content.TILES,
            arrangement=Arrangement.GRID,
            owner=player,
            holds=(f"cover:{escape(player)}", loose_place(player)),
        )
        areas[f"supply:{escape(player)}"] = Area(
            outline_mm=around(*supply, *_SUPPLY_MM),
            content=Content.PIECES,
            arrangement=Arrangement.FREE,
            owner=player,
        )
    return TableLayout(
        name="Nova Luna",
        fiducials=corner_codes(460.0, 280.0),
        cells={},
        tile_edge_mm=_TILE_MM,
        areas=areas,
        pieces=PieceSizes(tile_thickness_mm=2.0),
    )


def _ring(places: Sequence[Place], radius_mm: float) -> dict[str, tuple[float, float]]:
    """Return the middles of places around the wheel, the first one far away, on clockwise."""
    step = 2 * math.pi / len(places)
    return {
        where: (radius_mm * math.sin(number * step), radius_mm * math.cos(number * step))
        for number, where in enumerate(places)
    }
