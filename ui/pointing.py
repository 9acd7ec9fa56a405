"""Pointing at the twin: inspecting it, entering what is done, and correcting what is on a place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PyQt6.QtCore import QObject
from PyQt6.QtGui import QCursor
from PyQt6.QtWidgets import QLabel, QMenu

from companion.table import Place
from companion.view_model import PieceView, TableView, TileView
from ui.controller.bridge import ControllerBridge
from ui.correction import cell_value, moves_menu, place_menu
from ui.painting.table_view import TableScene, TableTwin
from ui.text import on_control, opening, tr
from ui.ties import tie


class Pointing(QObject):
    """Turns clicks and keys on the twin into reports of what is really there.

    A click on a tile or a box offers what can be there. A click on a piece picks it up, and the next click
    puts it on the tile where it really is; a second click on the piece itself takes it off the table.

    Where a table has zones, a click on something that may be moved picks it up, and the next clicks say where
    it goes: that is the action that was done. A second click on the same thing, or a right click on anything,
    offers what can really be there.
    """

    def __init__(
        self, scene: TableScene, twin: TableTwin, bridge: ControllerBridge, inspector: QLabel
    ) -> None:
        super().__init__(twin)
        self.tile: TileView | None = None
        self._scene = scene
        self._twin = twin
        self._bridge = bridge
        self._inspector = inspector
        self._carried: PieceView | None = None
        self._path: tuple[Place, ...] = ()
        scene.asked.connect(self._ask)
        scene.chosen.connect(self._choose)
        scene.inspected.connect(self._inspect)

    def drop(self) -> None:
        """Leave a piece that was picked up where it was."""
        self._carried = None
        self._follow(())
        self._inspector.setText("")

    def _choose(self, place: str, is_by_key: bool) -> None:
        table = self._scene.view
        if table is None:
            return
        where = Place(place)
        card = self._scene.card_of(where)
        if card is not None and (self._path or card.can_move):
            self._point(where, is_by_key=is_by_key)
            return
        piece = next((piece for piece in table.pieces if piece.place == where), None)
        if self._carried is not None:
            self._put_down(where, is_by_key=is_by_key)
        elif piece is not None:
            self._carried = piece
            ask = tr("Click the tile where {piece} really is; Esc to cancel.", piece=piece.name)
            self._inspector.setText(ask)
        else:
            self._open(self._menu_of(where, table), where if is_by_key else None)

    def _ask(self, place: str) -> None:
        """Offer what can really be at a place."""
        self.drop()
        if self._scene.view is not None:
            self._open(self._menu_of(Place(place), self._scene.view), Place(place))

    def _point(self, where: Place, *, is_by_key: bool) -> None:
        """Take one more place of a move: enter what is meant as soon as that is clear."""
        if self._path == (where,):
            self._ask(where)
            return
        path = (*self._path, where)
        moves = [move for move in self._bridge.moves() if move.path[: len(path)] == path]
        meant = [move for move in moves if move.path == path]
        longer = [move.path[len(path)] for move in moves if move.path != path]
        if len(meant) == 1 and not longer:
            self._carry_out(meant[0].action)
        elif meant:
            self._follow(path, longer)
            self._open(moves_menu(self._twin, meant, self._carry_out), where if is_by_key else None)
        elif longer or not self._path:
            self._follow(path, longer)
        else:
            self._try(path)

    def _try(self, path: tuple[Place, ...]) -> None:
        """Enter what no move has, to be told which rule it breaks; what means nothing is dropped."""
        action = self._bridge.attempt(path)
        if action is None:
            self.drop()
        else:
            self._carry_out(action)

    def _carry_out(self, action: Any) -> None:
        self.drop()
        self._bridge.carry_out(action)

    def _follow(self, path: tuple[Place, ...], targets: Iterable[Place] = ()) -> None:
        """Remember the places pointed at so far, and show where it may go on."""
        self._path = path
        self._scene.set_targets(targets)
        card = self._scene.card_of(path[-1]) if path else None
        if card is not None:
            self._inspector.setText(
                tr(
                    "{piece}: click where it goes; click it again to correct it; Esc to cancel.",
                    piece=opening(card.name),
                )
            )

    def _put_down(self, where: Place, *, is_by_key: bool) -> None:
        piece, self._carried = self._carried, None
        self._inspector.setText("")
        tile = self._scene.tile_of(where)
        if piece is not None and where == piece.place:
            self._open(self._menu_aside(piece), where if is_by_key else None)
        elif piece is not None and tile is not None:
            self._bridge.report(piece.place, cell_value(tile))

    def _menu_of(self, where: Place, table: TableView) -> QMenu:
        return place_menu(self._twin, where, table, self._bridge.options, self._bridge.report)

    def _menu_aside(self, piece: PieceView) -> QMenu:
        menu = QMenu(self._twin)
        for option in self._bridge.options(piece.place):
            words = on_control(f"{piece.name}: {option.text}")
            action = menu.addAction(words) if option.value is None else None
            if action is not None:
                tie(action.triggered, action, lambda: self._bridge.report(piece.place, None))
        return menu

    def _open(self, menu: QMenu, where: Place | None) -> None:
        """Open a menu at a place, or at the pointer if a click chose the place."""
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(QCursor.pos() if where is None else self._twin.middle_of(where))

    def _inspect(self, place: str) -> None:
        if self._carried is not None or self._path:
            return
        self.tile = self._scene.tile_of(Place(place)) if place else None
        card = self._scene.card_of(Place(place)) if place else None
        about = self.tile or card
        words = "" if about is None else " ".join((f"{opening(about.name)}.", *about.notes))
        self._inspector.setText(words)
        self._inspector.setToolTip(words)
        self._twin.setAccessibleDescription(words)
