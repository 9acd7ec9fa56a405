"""The names of a table's places: they come with the layout, so that code that reads tables knows no game."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table import Place, kind_of, parts_of, place


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceNames:
    """The kinds of a table's places.

    Attributes:
        cell: of the cells, each named by the layout.
        box: of the boxes on the tile of a cell.
        board_box: of the boxes of the board.
    """

    cell: str = "cell"
    box: str = "box"
    board_box: str = "obelisk"

    def on_cell(self, cell: str) -> Place:
        """Return the place that a tile lies on."""
        return place(self.cell, cell)

    def on_box(self, cell: str, number: int) -> Place:
        """Return a box of the tile on a cell, counted from 0."""
        return place(self.box, cell, number)

    def on_board(self, number: int) -> Place:
        """Return a box of the board, counted from 0."""
        return place(self.board_box, number)

    def is_cell(self, where: Place) -> bool:
        """Whether a place is a cell."""
        return kind_of(where) == self.cell

    def is_on_board(self, where: Place) -> bool:
        """Whether a place is a box of the board."""
        return kind_of(where) == self.board_box

    def cell_of_box(self, where: Place) -> str | None:
        """Return the cell whose tile has a box, None if the place is no box of a tile."""
        return parts_of(where)[0] if kind_of(where) == self.box else None
