"""Correcting a misreading in two steps: point at what is wrong, choose what is right."""

from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtWidgets import QMenu, QWidget

from companion.table import Place, Value, parts_of
from companion.view_model import Option, PieceView, TableView, TileView
from ui.text import tr
from ui.ties import tie

Options = Callable[[Place], tuple[Option, ...]]
Report = Callable[[Place, Value], None]


def place_menu(parent: QWidget, place: Place, view: TableView, options: Options, report: Report) -> QMenu:
    """Return the menu of what can be on a place; for a tile, also of its boxes and the pieces on it."""
    menu = QMenu(parent)
    _add_options(menu, place, options(place), report)
    tile = next((tile for tile in view.tiles if tile.place == place), None)
    if tile is not None:
        _add_pieces(menu, tile, view, report)
        for number, spot in enumerate(tile.spots, 1):
            label = tr("Box {number} ({value})", number=number, value=spot.label)
            below = menu.addMenu(label)
            if below is not None:
                _add_options(below, spot.place, options(spot.place), report)
    return menu


def cell_value(tile: TileView) -> str:
    """Return the cell of this tile as the place of a piece names it."""
    return ":".join(parts_of(tile.place))


def _add_options(menu: QMenu, place: Place, options: tuple[Option, ...], report: Report) -> None:
    """Add one line for each option; the first is what is there now."""
    for index, option in enumerate(options):
        action = menu.addAction(option.text)
        if action is None:
            continue
        action.setCheckable(index == 0)
        action.setChecked(index == 0)
        tie(action.triggered, action, lambda value=option.value: report(place, value))


def _add_pieces(menu: QMenu, tile: TileView, view: TableView, report: Report) -> None:
    absent: list[PieceView] = [piece for piece in view.pieces if piece.cell != tile.cell]
    if absent:
        menu.addSeparator()
    for piece in absent:
        action = menu.addAction(tr("{piece} is here", piece=piece.name))
        if action is not None:
            tie(action.triggered, action, lambda where=piece.place: report(where, cell_value(tile)))
