"""The table of Blue Moon City: 21 cells, the obelisk with its thirteen boxes, deck and discard pile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.games.blue_moon_city.catalogue import CELLS
from companion.table_layout import Area, Arrangement, Content, PlaceNames, TableLayout, around, corner_codes

# The boxes of the obelisk by what an offering costs there, cheapest first.
OBELISK_ROWS: Final = (4, 2, 2, 2, 2, 1)
# A sheet to lay the table out by: cells this far apart for tiles of this size, the cards on the right.
_PITCH_MM, _TILE_MM = 64.5, 60.0
_CARD_MM: Final = (44.0, 68.0)
_PILES_X_MM, _DISCARD_Y_MM, _DECK_Y_MM = 222.0, -41.0, 40.0


def table_layout(players: Sequence[str] = ()) -> TableLayout:
    """Return the usual layout, whoever plays; where the obelisk lies is learnt."""
    del players
    cells = {}
    for cell in CELLS:
        row, col = map(int, cell.split(","))
        cells[cell] = ((col - 2) * _PITCH_MM, (2 - row) * _PITCH_MM)
    return TableLayout(
        name="Blue Moon City",
        fiducials=corner_codes(280.0, 155.0),
        cells=cells,
        tile_edge_mm=_TILE_MM,
        board_rows=OBELISK_ROWS,
        areas={
            "discard": _pile(_DISCARD_Y_MM, is_face_up=True),
            "deck": _pile(_DECK_Y_MM, is_face_up=False),
        },
        places=PlaceNames(cell="cell", box="box", board_box="obelisk"),
    )


def _pile(y_mm: float, *, is_face_up: bool) -> Area:
    return Area(
        outline_mm=around(_PILES_X_MM, y_mm, *_CARD_MM),
        content=Content.CARDS,
        arrangement=Arrangement.PILE,
        is_face_up=is_face_up,
    )
