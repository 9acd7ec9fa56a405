"""The table of Urbion: the open cities one below the other, dreams on both sides, hands, decks, piles.

All cities and dreams have one area: which row and which side a card belongs to follows from how they lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.games.kit.notation import escape
from companion.games.urbion.catalogue import MOST_FANS
from companion.games.urbion.loose_pieces import CITIES
from companion.games.urbion.table import DISCARD, PUSHED, STRAY, polarity_place
from companion.table_layout import Area, Arrangement, Content, PieceSizes, TableLayout, around, corner_codes

# A sheet to lay the table out by.
_CARD_MM: Final = (59.0, 91.0)
_CITIES_MM: Final = (460.0, 400.0)
_HAND_MM: Final = (280.0, 100.0)
_HAND_Y_MM: Final = 260.0
_DECKS_X_MM, _OUT_X_MM, _BOOKS_X_MM = 265.0, 330.0, -270.0
_DECKS_Y_MM, _DISCARD_Y_MM, _WAITING_Y_MM = 150.0, 50.0, -40.0
_WAITING_MM: Final = (130.0, 95.0)
_BOOKS_MM: Final = (70.0, 400.0)


def table_layout(players: Sequence[str] = ()) -> TableLayout:
    """Return the usual layout for these players; the hand of the first is on the near side."""
    areas = {
        CITIES: _cards(0.0, 0.0, _CITIES_MM, Arrangement.ROW, holds=("city", "dream", STRAY, PUSHED)),
        "waiting": _cards(_DECKS_X_MM, _WAITING_Y_MM, _WAITING_MM, Arrangement.ROW),
        "deck:dreams": _cards(_DECKS_X_MM, _DECKS_Y_MM, _CARD_MM, Arrangement.PILE, is_face_up=False),
        "deck:cities": _cards(_OUT_X_MM, _DECKS_Y_MM, _CARD_MM, Arrangement.PILE, is_face_up=False),
        DISCARD: _cards(_DECKS_X_MM, _DISCARD_Y_MM, _CARD_MM, Arrangement.PILE),
        "subdued": _cards(_OUT_X_MM, _DISCARD_Y_MM, _CARD_MM, Arrangement.PILE),
        "book": _cards(_BOOKS_X_MM, 0.0, _BOOKS_MM, Arrangement.ROW),
    }
    # What a player draws and lays open, one fan beside the other.
    for fan in range(MOST_FANS):
        x = (fan - (MOST_FANS - 1) / 2) * (_CARD_MM[0] + 80.0)
        areas[f"drawn:{fan}"] = _cards(x, -_HAND_Y_MM - 110.0, (135.0, 95.0), Arrangement.SPREAD)
    for player, side in zip(players, (-1, 1), strict=False):
        areas[f"hand:{escape(player)}"] = _cards(
            0.0, side * _HAND_Y_MM, _HAND_MM, Arrangement.ROW, owner=player
        )
        areas[polarity_place(player)] = _cards(
            side * 190.0, side * _HAND_Y_MM, _CARD_MM, Arrangement.PLACES, owner=player
        )
    return TableLayout(
        name="Urbion",
        fiducials=corner_codes(400.0, 290.0),
        cells={},
        tile_edge_mm=0.0,
        areas=areas,
        pieces=PieceSizes(card_width_mm=_CARD_MM[0], card_height_mm=_CARD_MM[1]),
    )


def _cards(
    x_mm: float,
    y_mm: float,
    size_mm: tuple[float, float],
    arrangement: Arrangement,
    *,
    owner: str | None = None,
    is_face_up: bool = True,
    holds: tuple[str, ...] = (),
) -> Area:
    return Area(
        outline_mm=around(x_mm, y_mm, *size_mm),
        content=Content.CARDS,
        arrangement=arrangement,
        owner=owner,
        is_face_up=is_face_up,
        holds=holds,
    )
