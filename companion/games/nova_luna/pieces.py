"""The pieces of Nova Luna as they look and lie: tiles, wheel, moon figure, tokens, the stock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from companion.games.kit.notation import unescape
from companion.games.nova_luna.catalogue import TILES
from companion.games.nova_luna.state import NovaState
from companion.games.nova_luna.table import MEEPLE, area_place, is_cell
from companion.games.nova_luna.texts import tile_text
from companion.i18n import msg
from companion.names import player_name
from companion.table import Picture, Place, kind_of, parts_of
from companion.table_pieces import FacePrint, PieceSet, Shape, TablePiece

BACK: Final = "back"
WHEEL: Final = "board"
_STOCKS: Final = 4
_WHEEL_MM: Final = 192.0


_FACES: Final = {
    **{
        str(tile.id): FacePrint(
            name=str(tile.id),
            ground=tile.colour,
            number=str(tile.cost),
            groups=tuple(tuple(colour for colour, many in task for _ in range(many)) for task in tile.tasks),
        )
        for tile in TILES.values()
    },
    BACK: FacePrint(name=BACK, family=BACK, is_back=True),
    WHEEL: FacePrint(name=WHEEL, family=WHEEL, board="wheel"),
}
_SIZES_MM: Final = {WHEEL: (_WHEEL_MM, _WHEEL_MM)}


class NovaPieces(PieceSet):
    """Tiles with their cost and groups of dots; the wheel; discs and the moon."""

    faces = _FACES
    sizes_mm = _SIZES_MM
    thickness_mm = 2.0
    is_readable = True

    def in_play(self, header: Mapping[str, Any]) -> Sequence[str]:
        """Return all tiles and their back: none is ever left in the box."""
        del header
        return [name for name in self.faces if name != WHEEL]

    def name_of(self, face: str) -> str:
        """Return a tile with its tasks."""
        if face == BACK:
            return msg("the back of a tile")
        return tile_text(int(face)) if face.isdecimal() else msg("the wheel")

    def paint_name(self, paint: str) -> str:
        """Return the figure, or whose tokens they are."""
        return msg("the moon") if paint == MEEPLE else msg("a token of {player}", player=player_name(paint))

    def paints(self, header: Mapping[str, Any]) -> Mapping[str, Shape]:
        """Return the players' discs and the figure."""
        return {**dict.fromkeys(header["players"], "disc"), str(MEEPLE): "meeple"}

    def laid(self, state: NovaState, picture: Picture) -> Iterator[TablePiece]:
        """Yield the wheel and what lies around it, each area with its tokens, and the stock."""
        yield TablePiece(key=WHEEL, place=WHEEL, area="track", face=WHEEL, shape="board")
        there = [(where, value) for where, value in picture.items() if value is not None]
        areas = {str(area_place(seat.player)): seat.player for seat in state.seats}
        used: Counter[str] = Counter()
        for where, value in there:
            if kind_of(where) == "wheel":
                yield TablePiece(key=where, place=where, area="wheel", face=value)
            elif is_cell(where):
                yield TablePiece(key=where, place=where, area=where.rpartition(":")[0], face=value)
        for where, value in there:
            if where == MEEPLE:
                at = f"{MEEPLE}:{value}"
                yield TablePiece(key=MEEPLE, place=at, area="moon", face=MEEPLE, shape="meeple")
            for token in _tokens(where, value):
                used[areas.get(token.area, unescape(token.face))] += 1
                yield token
        for seat in state.seats:
            yield from _supply(seat.player, state.tokens - used[seat.player])
        yield from _stock(len(state.stock))


def _tokens(where: Place, value: str) -> Iterator[TablePiece]:
    """Yield the tokens on a space of the track, bottom first, or on a task."""
    if kind_of(where) == "track":
        below = ""
        for height, player in enumerate(value.split(">")):
            key = f"{where}:{height}"
            yield TablePiece(
                key=key, place=key, area="track", face=unescape(player), shape="disc", on=below, number=height
            )
            below = key
    elif kind_of(where) == "cover":
        player, cell, task = parts_of(where)
        tile = area_place(unescape(player), cell)
        yield TablePiece(
            key=where,
            place=where,
            area=str(area_place(unescape(player))),
            face=unescape(player),
            shape="disc",
            on=tile,
            spot=int(task),
        )


def _supply(player: str, many: int) -> Iterator[TablePiece]:
    area = str(area_place(player)).replace("area:", "supply:", 1)
    for number in range(many):
        yield TablePiece(
            key=f"{area}:{number}",
            place=area,
            area=area,
            face=player,
            shape="disc",
            number=number,
            count=many,
        )


def _stock(many: int) -> Iterator[TablePiece]:
    """Yield the piles of tiles, about as high as each other."""
    for number in range(_STOCKS):
        height = (many + number) // _STOCKS
        if height:
            name = f"stock:{number}"
            yield TablePiece(key=name, place=name, area=name, face=BACK, thickness=height)


PIECES: Final = NovaPieces()
