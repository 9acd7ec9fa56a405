"""Pointing at the twin: inspecting a tile, and correcting what is on a place, in two steps."""

from __future__ import annotations

from PyQt6.QtCore import QObject, QPoint
from PyQt6.QtGui import QCursor
from PyQt6.QtWidgets import QLabel, QMenu

from companion.table import Place
from companion.view_model import PieceView, TableView, TileView
from ui.controller.bridge import ControllerBridge
from ui.controller.correction import cell_value, place_menu
from ui.painting.table_view import TableScene, TableTwin
from ui.text import tr
from ui.ties import tie


class Pointing(QObject):
    """Turns clicks and keys on the twin into reports of what is really there.

    A click on a tile or a box offers what can be there. A click on a piece picks it up, and the next click
    puts it on the tile where it really is; a second click on the piece itself takes it off the table.
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
        scene.chosen.connect(self._choose)
        scene.inspected.connect(self._inspect)

    def drop(self) -> None:
        """Leave a piece that was picked up where it was."""
        self._carried = None
        self._inspector.setText("")

    def _choose(self, place: str, is_by_key: bool) -> None:
        table = self._scene.view
        if table is None:
            return
        where = Place(place)
        piece = next((piece for piece in table.pieces if piece.place == where), None)
        if self._carried is not None:
            self._put_down(where, is_by_key=is_by_key)
        elif piece is not None:
            self._carried = piece
            ask = tr("Click the tile where {piece} really is; Esc to cancel.", piece=piece.name)
            self._inspector.setText(ask)
        else:
            self._open(self._menu_of(where, table), where if is_by_key else None)

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
            action = menu.addAction(f"{piece.name}: {option.text}") if option.value is None else None
            if action is not None:
                tie(action.triggered, action, lambda: self._bridge.report(piece.place, None))
        return menu

    def _open(self, menu: QMenu, where: Place | None) -> None:
        """Open a menu at a place, or at the pointer if a click chose the place."""
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(QCursor.pos() if where is None else self._middle_of(where))

    def _middle_of(self, where: Place) -> QPoint:
        """Return the middle of a place in screen coordinates."""
        middle = self._scene.items_by_place()[where].sceneBoundingRect().center()
        viewport = self._twin.viewport()
        assert viewport is not None
        return viewport.mapToGlobal(self._twin.mapFromScene(middle))

    def _inspect(self, place: str) -> None:
        if self._carried is not None:
            return
        self.tile = self._scene.tile_of(Place(place)) if place else None
        words = "" if self.tile is None else " ".join((f"{self.tile.name}.", *self.tile.notes))
        self._inspector.setText(words)
        self._inspector.setToolTip(words)
        self._twin.setAccessibleDescription(words)
