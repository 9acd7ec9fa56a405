"""The table of Blue Moon Legends: the dragons' board in the middle, on either side what a player has there.

Each side, seen from its player: leader on the left, support and combat area at the board, deck and discard
pile on the right, ships behind them, the hand at the edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from companion.games.blue_moon_legends.table import ELEMENT, WINNER
from companion.games.kit.notation import escape
from companion.table import Place
from companion.table_layout import Area, Arrangement, Content, PieceSizes, TableLayout, around, corner_codes

# A sheet to lay the table out by; x as the player sees it, y from the middle of the table to the player.
_CARD_MM: Final = (70.0, 120.0)
_BOARD_MM: Final = (360.0, 90.0)
# Where the token that shows the element lies on the board.
_ELEMENTS_X_MM: Final = {"fire": -158.0, "none": -134.0, "earth": -109.0}
_ROW_Y_MM, _SHIPS_Y_MM, _HAND_Y_MM = 115.0, 240.0, 370.0


def table_layout(players: Sequence[str] = ()) -> TableLayout:
    """Return the usual layout for these players, the first on the near side."""
    areas: dict[str, Area] = {
        "board": Area(
            outline_mm=around(0.0, 0.0, *_BOARD_MM),
            content=Content.PIECES,
            arrangement=Arrangement.FREE,
            holds=("dragon", WINNER),
        ),
        ELEMENT: Area(
            outline_mm=around(-134.0, 0.0, 80.0, 40.0),
            content=Content.PIECES,
            arrangement=Arrangement.PLACES,
            places_mm={Place(f"{ELEMENT}:{name}"): (x, 0.0) for name, x in _ELEMENTS_X_MM.items()},
        ),
    }
    for player, side in zip(players, (-1.0, 1.0), strict=False):
        areas.update(_side(player, side))
    return TableLayout(
        name="Blue Moon Legends",
        fiducials=corner_codes(400.0, 280.0),
        cells={},
        tile_edge_mm=0.0,
        areas=areas,
        pieces=PieceSizes(card_width_mm=_CARD_MM[0], card_height_mm=_CARD_MM[1]),
    )


def _side(player: str, side: float) -> Iterator[tuple[str, Area]]:
    """Yield the areas of a player; `side` is -1 on the near side and 1 on the far one."""
    one = _CARD_MM
    kinds = (
        ("leader", -330.0, _ROW_Y_MM, one, Arrangement.PILE, True),
        ("support", -155.0, _ROW_Y_MM, (270.0, 130.0), Arrangement.ROW, True),
        ("combat", 107.0, _ROW_Y_MM, (254.0, 130.0), Arrangement.ROW, True),
        ("deck", 275.0, _ROW_Y_MM, one, Arrangement.PILE, False),
        ("discard", 350.0, _ROW_Y_MM, one, Arrangement.PILE, True),
        ("ship", -160.0, _SHIPS_Y_MM, (300.0, 120.0), Arrangement.ROW, True),
        ("landed", 160.0, _SHIPS_Y_MM, (300.0, 120.0), Arrangement.ROW, True),
        ("hand", -140.0, _HAND_Y_MM, (240.0, 125.0), Arrangement.SPREAD, False),
        ("open", 150.0, _HAND_Y_MM, (320.0, 125.0), Arrangement.ROW, True),
    )
    name = escape(player)
    for kind, x_mm, y_mm, size_mm, arrangement, is_face_up in kinds:
        yield (
            f"{kind}:{name}",
            Area(
                # A player on the far side sees right where left is.
                outline_mm=around(-side * x_mm, side * y_mm, *size_mm),
                content=Content.CARDS,
                arrangement=arrangement,
                owner=player,
                is_face_up=is_face_up,
                # A card's load lies on the ships, before and after they land.
                holds=(f"cargo:{name}",) if kind == "ship" else (),
            ),
        )
