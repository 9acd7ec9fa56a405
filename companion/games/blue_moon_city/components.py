"""What is in the box of Blue Moon City, and which photographs teach a camera its tiles and pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from companion.components import Components, Pose, TilePrint
from companion.games.blue_moon_city import texts
from companion.games.blue_moon_city.catalogue import CARDS, CELLS, COURTYARD, DRAGONS, Reward, printed
from companion.games.blue_moon_city.game import BlueMoonCity
from companion.games.blue_moon_city.presenter import CityPresenter, edition_name
from companion.games.blue_moon_city.setup import EDITIONS
from companion.i18n import msg
from companion.names import player_name
from companion.table import Place, Value, place
from companion.view_model import SpotView, TableView, TileView

# Of the tiles in the photograph of the pieces so many-th has its boxes filled, and this one first.
FILLED_EVERY: Final = 4
FIRST_FILLED: Final = 2


class CityComponents(Components):
    """Blue Moon City's `companion.components.Components`."""

    editions = EDITIONS
    colours = ("purple", "white", "teal", "black")
    cells = CELLS
    built_only = (COURTYARD,)
    dragons = DRAGONS
    cards = CARDS
    presenter = CityPresenter()

    def __init__(self, game: BlueMoonCity) -> None:
        self._game = game
        self.tiles = {COURTYARD: TilePrint()} | {
            one.tile: TilePrint(
                colour=one.colour,
                values=one.values,
                gains={
                    "majority": _icons(one.majority),
                    "contributor": _icons(one.contributor),
                    "neighbour": _icons(one.neighbour),
                },
            )
            for one in printed().buildings.values()
        }

    def edition_name(self, edition: str) -> str:
        """Return an edition's name for people."""
        return edition_name(edition)

    def reading_text(self, where: Place, value: Value) -> str:
        """Return the words for what was recognised at a place; a piece goes by its name."""
        return texts.reading_text(where, value)

    def name_of(self, kind: str, name: str) -> str:
        """Return the words for a ``tile``, a ``dragon`` or a ``player``."""
        return {"tile": texts.tile_name, "dragon": texts.dragon_name, "player": player_name}[kind](name)

    def model_pieces(self, tiles: Mapping[str, str], players: tuple[str, ...]) -> dict[Place, Value]:
        """Return the table of the fourth photograph: some of everybody's markers, all figures and dragons."""
        picture: dict[Place, Value] = {}
        for number, cell in enumerate(CELLS):
            picture |= self._model_tile(number, cell, tiles[cell], players)
        for seat, player in enumerate(players):
            picture[place("figure", player)] = CELLS[seat]
        for number, dragon in enumerate(DRAGONS):
            picture[place("dragon", dragon)] = CELLS[len(players) + number]
        first = 2 if len(players) == 2 else 0
        for index in range(len(printed().obelisk)):
            seat = index - first
            picture[place("obelisk", index)] = players[seat] if 0 <= seat < len(players) else None
        return picture

    def _model_tile(self, number: int, cell: str, tile: str, players: tuple[str, ...]) -> dict[Place, Value]:
        """Return one tile of the fourth photograph, with its markers."""
        count = self.boxes_of_tile.get(tile, 0)
        picture: dict[Place, Value] = {place("cell", cell): f"{tile}/{'sketch' if count else 'built'}"}
        for box in range(count):
            owner = players[(box + number // FILLED_EVERY) % len(players)]
            picture[place("box", cell, box)] = owner if number % FILLED_EVERY == FIRST_FILLED else None
        return picture

    def poses(self, header: Mapping[str, Any], tiles: Mapping[str, str] | None = None) -> tuple[Pose, ...]:
        """Return the four photographs: empty, sketch side, built side, pieces."""
        model = self.presenter.present(self._game.start(dict(header)))
        sketch = model if tiles is None else _laid(model, tiles)
        bare = replace(sketch, pieces=())
        return (
            Pose(
                name="empty", text=msg("only the four codes and the obelisk; no tiles, no pieces"), table=None
            ),
            Pose(
                name="sketch",
                text=msg("all 21 tiles laid out, sketch side up, in any order, turned any way; no pieces"),
                table=None,
                names_tiles=True,
            ),
            Pose(
                name="built",
                text=msg("every tile turned over in place, the courtyard too"),
                table=_all_built(bare),
            ),
            Pose(
                name="pieces",
                text=msg("sketch sides up again, with the pieces as drawn"),
                table=self._drawn(sketch, tuple(header["players"])),
            ),
        )

    def _drawn(self, table: TableView, players: tuple[str, ...]) -> TableView:
        """Return the table with the pieces of the fourth photograph on it."""
        tiles = {f"{tile.cell[0]},{tile.cell[1]}": tile.tile for tile in table.tiles}
        pieces = self.model_pieces(tiles, players)
        return replace(
            table,
            tiles=tuple(replace(tile, spots=_owned(tile.spots, pieces)) for tile in table.tiles),
            pieces=tuple(replace(piece, cell=_where(pieces.get(piece.place))) for piece in table.pieces),
            tracks=tuple(replace(track, spots=_owned(track.spots, pieces)) for track in table.tracks),
        )


def _icons(reward: Reward) -> tuple[str, ...]:
    return ("crystal",) * reward.crystals + ("scale",) * reward.scales + ("card",) * reward.cards


def _laid(table: TableView, layout: Mapping[str, str]) -> TableView:
    """Return a table with its tiles laid otherwise."""
    known = {tile.tile: tile for tile in table.tiles}
    return replace(table, tiles=tuple(_moved(known[name], cell) for cell, name in layout.items()))


def _moved(tile: TileView, cell: str) -> TileView:
    spots = (replace(spot, place=place("box", cell, number)) for number, spot in enumerate(tile.spots))
    return replace(tile, cell=_numbers_of(cell), place=place("cell", cell), spots=tuple(spots))


def _all_built(table: TableView) -> TableView:
    tiles = tuple(replace(tile, side="built", spots=(), gains=()) for tile in table.tiles)
    return replace(table, tiles=tiles)


def _owned(spots: tuple[SpotView, ...], pieces: Mapping[Place, Value]) -> tuple[SpotView, ...]:
    return tuple(replace(spot, owner=pieces[spot.place]) for spot in spots)


def _numbers_of(cell: str) -> tuple[int, int]:
    row, column = cell.split(",")
    return int(row), int(column)


def _where(value: Value) -> tuple[int, int] | None:
    return None if value is None else _numbers_of(value)
