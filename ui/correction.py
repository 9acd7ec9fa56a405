"""Correcting a misreading in two steps: point at what is wrong, choose what is right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PyQt6.QtWidgets import QMenu, QWidget

from companion.table import Place, Value, parts_of
from companion.view_model import HandMove, Option, PieceView, TableView, TileView
from ui.text import on_control, opening, said, tr
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


def moves_menu(parent: QWidget, moves: Sequence[HandMove[Any]], carry_out: Callable[[Any], None]) -> QMenu:
    """Return the menu of what may be meant by the places pointed at."""
    menu = QMenu(parent)
    listed: dict[tuple[str, ...], QMenu | None] = {(): menu}
    for move in moves:
        into = _listed_under(listed, move.groups)
        action = None if into is None else into.addAction(on_control(opening(said(move.text))))
        if action is not None:
            tie(action.triggered, action, lambda chosen=move.action: carry_out(chosen))
    return menu


def _listed_under(listed: dict[tuple[str, ...], QMenu | None], groups: tuple[str, ...]) -> QMenu | None:
    """Return the menu of a group, opened below those around it where there is none yet."""
    if groups not in listed:
        around = _listed_under(listed, groups[:-1])
        listed[groups] = None if around is None else around.addMenu(on_control(opening(said(groups[-1]))))
    return listed[groups]


def cell_value(tile: TileView) -> str:
    """Return the cell of this tile as the place of a piece names it."""
    return ":".join(parts_of(tile.place))


def _add_options(menu: QMenu, place: Place, options: tuple[Option, ...], report: Report) -> None:
    """Add one line for each option, below its group if it has one; the first is what is there now."""
    groups: dict[str, QMenu | None] = {"": menu}
    for index, option in enumerate(options):
        if option.group not in groups:
            groups[option.group] = menu.addMenu(on_control(opening(option.group)))
        into = groups[option.group]
        action = None if into is None else into.addAction(on_control(option.text))
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
        action = menu.addAction(on_control(tr("{piece} is here", piece=piece.name)))
        if action is not None:
            tie(action.triggered, action, lambda where=piece.place: report(where, cell_value(tile)))
