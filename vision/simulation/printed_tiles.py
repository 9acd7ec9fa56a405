"""The prints of a game's tiles and the paints of the players' pieces for the simulated camera."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.components import TilePrint
from vision.simulation.art import TileArt
from vision.simulation.drawing import Colour

PIECE_COLOURS: Final[Mapping[str, Colour]] = {
    "purple": (150, 44, 118),
    "orange": (20, 120, 235),
    "white": (236, 236, 236),
    "teal": (150, 140, 20),
    "black": (38, 34, 32),
    "pink": (168, 104, 236),
}
"""Paints of the players' pieces, BGR."""

# White pieces are hard to see on pale tiles, black ones on black buildings; a demo uses colours that work.
CLEAR_COLOURS: Final = ("purple", "orange", "teal", "pink")
# The label of boxes that do not belong to one people.
_ANY: Final = "any"


def tile_arts(tiles: Mapping[str, TilePrint]) -> list[TileArt]:
    """Return the art of a game's tiles."""
    return [_art(tile, one) for tile, one in tiles.items()]


def _art(tile: str, printed: TilePrint) -> TileArt:
    return TileArt(
        tile=tile,
        people="" if printed.colour == _ANY else printed.colour,
        boxes=tuple((printed.colour, value) for value in printed.values),
        majority=printed.gains.get("majority", ()),
        contributor=printed.gains.get("contributor", ()),
        neighbour=printed.gains.get("neighbour", ()),
    )
