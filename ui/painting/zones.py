"""The zones of a table without cells: a game's painter says where each card lies and draws it."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPen

from companion.errors import BugError
from companion.table import Place
from companion.view_model import CardView, TableView, ZoneView
from ui.painting.table_items import PlaceItem
from ui.theme import Theme

Shapes: TypeAlias = Mapping[str, str]
"""The shape that stands for each player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where everything is drawn, in the scene's units.

    Attributes:
        size: width and height of the whole.
        cards: the area of each card, those that lie on top of others last.
    """

    size: tuple[float, float]
    cards: Mapping[Place, QRectF]


class ZonePainter(Protocol):
    """How one game's table is drawn."""

    def lay_out(self, view: TableView) -> Layout:
        """Return where everything is drawn."""

    def draw_ground(self, painter: QPainter, view: TableView, theme: Theme, shapes: Shapes) -> None:
        """Draw what lies under the cards: frames of the zones, names, sums."""

    def draw_card(
        self, painter: QPainter, area: QRectF, card: CardView, theme: Theme, shapes: Shapes
    ) -> None:
        """Draw one card."""


def painter_of(name: str) -> ZonePainter:
    """Return the painter of this name, a module of `ui.painting.games`."""
    painter: ZonePainter | None = getattr(
        importlib.import_module(f"ui.painting.games.{name}"), "PAINTER", None
    )
    if painter is None:
        raise BugError(f"ui.painting.games.{name} has no PAINTER")
    return painter


def zones_named(view: TableView, name: str) -> list[ZoneView]:
    """Return the zones of this name, in the order of the view."""
    return [zone for zone in view.zones if zone.name == name]


class CardItem(PlaceItem):
    """A card, tile or token in a zone."""

    def __init__(
        self, card: CardView, area: QRectF, painter: ZonePainter, shapes: Shapes, theme: Theme
    ) -> None:
        super().__init__(card.place, (area.width(), area.height()), theme)
        self.view = card
        self._painter = painter
        self._shapes = shapes
        self._is_target = False
        self.setFlag(self.GraphicsItemFlag.ItemIsFocusable)
        self.setPos(area.topLeft())

    def show_view(self, card: CardView, area: QRectF) -> None:
        """Show a new state of the same place, perhaps elsewhere and in another size."""
        self._resize(area.size())
        self.setPos(area.topLeft())
        if card != self.view:
            self.view = card
            self._redraw()

    def set_target(self, is_target: bool) -> None:
        """Show whether what was picked up may go here."""
        if is_target is not self._is_target:
            self._is_target = is_target
            self._redraw()

    def _draw(self, painter: QPainter) -> None:
        painter.save()
        self._painter.draw_card(painter, QRectF(self._area), self.view, self._theme, self._shapes)
        painter.restore()
        if self._is_target:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self._theme.accent), 3, Qt.PenStyle.DotLine))
            painter.drawRoundedRect(self._area.adjusted(1, 1, -1, -1), 5, 5)
        self._paint_mark(painter, 5, 4)
        self._paint_focus(painter)


def fitted(areas: Iterable[QRectF]) -> QRectF:
    """Return the smallest rectangle around some areas; an empty one around none."""
    whole = QRectF()
    for area in areas:
        whole = whole.united(area)
    return whole
