"""The table twin: the city, the pieces and the tracks beside it, as the game's state has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from PyQt6.QtCore import (
    QEasingCurve,
    QPoint,
    QPointF,
    QPropertyAnimation,
    QRectF,
    QSize,
    Qt,
    QVariantAnimation,
    pyqtSignal,
)
from PyQt6.QtGui import QBrush, QColor, QKeyEvent, QPainter, QResizeEvent, QTransform
from PyQt6.QtWidgets import QGraphicsScene, QGraphicsView, QSizePolicy, QWidget

from companion.table import Place
from companion.view_model import CardView, Mark, TableView, TileView, TrackView
from ui.painting.table_items import PieceItem, PlaceItem, SpotItem, TileItem
from ui.painting.tiled_table import (
    TILE,
    counter_areas,
    draw_counter,
    draw_labels,
    piece_corners,
    table_area,
    tile_area,
    track_areas,
)
from ui.painting.zones import CardItem, Layout, ZonePainter, painter_of
from ui.text import tr
from ui.theme import SEAT_SHAPES, Theme
from ui.ties import tie

MOVE_MS: Final = 350
FLIP_MS: Final = 320
LEAST_WIDTH: Final = 0.02
ARROWS: Final = {
    Qt.Key.Key_Left: QPointF(-1, 0),
    Qt.Key.Key_Right: QPointF(1, 0),
    Qt.Key.Key_Up: QPointF(0, -1),
    Qt.Key.Key_Down: QPointF(0, 1),
}


class TableScene(QGraphicsScene):
    """All items of the twin; `show_view` brings them up to date.

    Signals:
        chosen: a place was clicked, or Enter was pressed on it; the flag says whether it was a key.
        asked: what can be at a place was asked for.
        inspected: the place pointed at; "" if there is none.
    """

    chosen = pyqtSignal(str, bool)
    asked = pyqtSignal(str)
    inspected = pyqtSignal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.view: TableView | None = None
        self.is_still = False
        self._theme = theme
        self._tiles: dict[Place, TileItem] = {}
        self._pieces: dict[Place, PieceItem] = {}
        self._track_spots: dict[Place, SpotItem] = {}
        self._cards: dict[Place, CardItem] = {}
        self._painter: ZonePainter | None = None
        self._marks: Mapping[Place, Mark] = {}

    def show_view(self, view: TableView) -> None:
        """Bring the twin to this moment of the game."""
        if self._is_other_table(view):
            self._build(view)
        if self._painter is not None:
            self._arrange_cards(view, self._painter)
        for tile in view.tiles:
            item = self._tiles[tile.place]
            is_flipped = item.view.tile == tile.tile and item.view.side != tile.side
            item.show_view(tile)
            if is_flipped and not self.is_still:
                self._flip(item)
            self._watch(self._tiles[tile.place].spots.values())
        for track in view.tracks:
            for spot in track.spots:
                self._track_spots[spot.place].show_view(spot)
        before, self.view = self.view, view
        self._arrange_pieces(view)
        self.set_marks(self._marks)
        if before is None or _written_beside(before) != _written_beside(view):
            # Items redraw themselves when they change, but the background is not an item. Views take an empty
            # rectangle as nowhere and would keep the old background, so the whole one is given.
            self.invalidate(self.sceneRect(), self.SceneLayer.BackgroundLayer)

    def set_marks(self, marks: Mapping[Place, Mark]) -> None:
        """Mark exactly these places."""
        self._marks = marks
        for place, item in self.items_by_place().items():
            item.set_mark(marks.get(place))

    def items_by_place(self) -> dict[Place, PlaceItem]:
        """Return every item that stands for a place."""
        spots = {place: spot for tile in self._tiles.values() for place, spot in tile.spots.items()}
        return {**self._tiles, **spots, **self._track_spots, **self._pieces, **self._cards}

    @property
    def focused(self) -> Place | None:
        """The place that keys act on; None if there is none."""
        item = self.focusItem()
        return item.place if isinstance(item, PlaceItem) else None

    def focus_on(self, place: Place | None) -> None:
        """Move the keyboard focus to a place, if it is on the table."""
        item = None if place is None else self.items_by_place().get(place)
        if item is not None:
            item.setFocus()

    def focus_stops(self) -> list[PlaceItem]:
        """Return the items that the arrow keys visit."""
        used = [item for item in self._track_spots.values() if item.view.is_used]
        return [*self._tiles.values(), *used, *self._cards.values()]

    def card_of(self, place: Place) -> CardView | None:
        """Return what lies at a place of a zone; None for a place that is in no zone."""
        item = self._cards.get(place)
        return None if item is None else item.view

    def set_targets(self, places: Iterable[Place]) -> None:
        """Show exactly these places as those where what was picked up may go."""
        targets = set(places)
        for place, item in self._cards.items():
            item.set_target(place in targets)

    def tile_of(self, place: Place) -> TileView | None:
        """Return the tile that a place belongs to: itself, the tile of a box, or the one under a piece."""
        for item in self._tiles.values():
            if place == item.place or place in item.spots:
                return item.view
        piece = self._pieces.get(place)
        if piece is None:
            return None
        return next((item.view for item in self._tiles.values() if item.view.cell == piece.view.cell), None)

    def _is_other_table(self, view: TableView) -> bool:
        """Whether there are other cells, pieces, tracks or players to draw than before."""
        return (
            self.view is None
            or view.painter != self.view.painter
            or [tile.place for tile in view.tiles] != list(self._tiles)
            or [piece.place for piece in view.pieces] != list(self._pieces)
            or [spot.place for track in view.tracks for spot in track.spots] != list(self._track_spots)
            or [each.player for each in view.players] != [each.player for each in self.view.players]
        )

    def _build(self, view: TableView) -> None:
        self.clear()
        shapes = seat_shapes(view)
        self._cards = {}
        self._painter = painter_of(view.painter) if view.painter else None
        self._tiles = {tile.place: TileItem(tile, shapes, self._theme) for tile in view.tiles}
        for tile in view.tiles:
            item = self._tiles[tile.place]
            item.setPos(tile_area(tile).topLeft())
            self.addItem(item)
        self._pieces = {piece.place: PieceItem(piece, shapes, self._theme) for piece in view.pieces}
        for piece in self._pieces.values():
            self.addItem(piece)
        self._track_spots = {}
        for track in view.tracks:
            self._build_track(view, track, shapes)
        self._watch([*self._tiles.values(), *self._pieces.values(), *self._track_spots.values()])
        if self._painter is not None:
            return
        self.setSceneRect(table_area(view))

    def _arrange_cards(self, view: TableView, painter: ZonePainter) -> None:
        """Bring the cards of the zones to where the game's painter has them."""
        layout: Layout = painter.lay_out(view)
        cards = view.cards
        came = {} if self.is_still or self.view is None else came_from(self.view.cards, cards)
        lay = {place: item.pos() for place, item in self._cards.items()}
        for place in self._cards.keys() - layout.cards.keys():
            self._discard(self._cards.pop(place))
        for height, (place, area) in enumerate(layout.cards.items()):
            item = self._cards.get(place)
            if item is None:
                item = CardItem(cards[place], area, painter, seat_shapes(view), self._theme)
                self._cards[place] = item
                self.addItem(item)
                self._watch([item])
            else:
                _halt(item)
                item.show_view(cards[place], area)
            item.setZValue(height)
            if (before := came.get(place)) in lay:
                self._glide(item, lay[before])
        self._cards = {place: self._cards[place] for place in layout.cards}
        self.setSceneRect(0, 0, *layout.size)

    def _discard(self, item: CardItem) -> None:
        """Take an item off; it lives on until whatever still moves it has ended."""
        _halt(item)
        self.removeItem(item)
        item.setParent(self)  # else Python would destroy it at once
        item.deleteLater()

    def _build_track(self, view: TableView, track: TrackView, shapes: Mapping[str, str]) -> None:
        for spot, area in track_areas(view, track):
            item = SpotItem(spot, shapes, self._theme, area.width())
            item.setFlag(item.GraphicsItemFlag.ItemIsFocusable, spot.is_used)
            item.setPos(area.topLeft())
            self.addItem(item)
            self._track_spots[spot.place] = item

    def _watch(self, items: Iterable[PlaceItem]) -> None:
        for item in items:
            if not item.property("watched"):
                item.setProperty("watched", True)
                item.chosen.connect(self.chosen)
                item.asked.connect(self.asked)
                item.inspected.connect(self._inspect)

    def _inspect(self, place: str, is_here: bool) -> None:
        self.inspected.emit(place if is_here else "")

    def _arrange_pieces(self, view: TableView) -> None:
        """Put the pieces where they stand."""
        corners = piece_corners(view)
        for piece in view.pieces:
            item = self._pieces[piece.place]
            item.view = piece
            self._move(item, corners[piece.place])

    def _move(self, item: PieceItem, target: QPointF) -> None:
        if item.pos() == target:
            return
        if self.is_still or item.pos() == QPointF(0, 0):
            item.setPos(target)
            return
        self._start_move(item, target)

    def _start_move(self, item: PlaceItem, target: QPointF) -> None:
        _halt(item)
        move = QPropertyAnimation(item, b"pos", item)
        move.setDuration(MOVE_MS)
        move.setEndValue(target)
        move.setEasingCurve(QEasingCurve.Type.InOutCubic)
        move.start(QPropertyAnimation.DeletionPolicy.DeleteWhenStopped)

    def _flip(self, item: TileItem) -> None:
        """Unfold a tile that shows its other side now."""

        def unfold(width: float) -> None:
            middle = TILE / 2
            item.setTransform(QTransform().translate(middle, 0).scale(width, 1).translate(-middle, 0))

        flip = QVariantAnimation(item)
        flip.setDuration(FLIP_MS)
        flip.setStartValue(LEAST_WIDTH)
        flip.setEndValue(1.0)
        flip.setEasingCurve(QEasingCurve.Type.OutCubic)
        tie(flip.valueChanged, item, unfold)
        unfold(LEAST_WIDTH)
        flip.start(QVariantAnimation.DeletionPolicy.DeleteWhenStopped)

    def _glide(self, item: CardItem, start: QPointF) -> None:
        """Let a card come from where it lay."""
        end = item.pos()
        item.setPos(start)
        self._start_move(item, end)

    def drawBackground(self, painter: QPainter | None, rect: QRectF) -> None:
        assert painter is not None
        painter.fillRect(rect, QBrush(QColor(self._theme.felt)))
        if self.view is None:
            return
        if self._painter is not None:
            self._painter.draw_ground(painter, self.view, self._theme, seat_shapes(self.view))
            return
        draw_labels(painter, self.view)
        for area, counter in zip(counter_areas(self.view), self.view.stock, strict=True):
            draw_counter(painter, area, counter)


class TableTwin(QGraphicsView):
    """The view of the twin; the arrow keys move from place to place."""

    def __init__(self, scene: TableScene, parent: QWidget | None = None) -> None:
        super().__init__(scene, parent)
        self._scene = scene
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setCacheMode(self.CacheModeFlag.CacheBackground)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(self.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(tr("The table"))
        scene.setParent(self)  # else any thread that collects garbage could destroy it
        scene.sceneRectChanged.connect(self._fit)

    def _fit(self) -> None:
        self.fitInView(self.sceneRect(), Qt.AspectRatioMode.KeepAspectRatio)

    def middle_of(self, where: Place | None) -> QPoint:
        """Return the middle of a place in screen coordinates, of the whole drawing for None."""
        item = None if where is None else self._scene.items_by_place().get(where)
        area = self._scene.sceneRect() if item is None else item.sceneBoundingRect()
        viewport = self.viewport()
        assert viewport is not None
        return viewport.mapToGlobal(self.mapFromScene(area.center()))

    def _step(self, direction: QPointF) -> None:
        here = self._scene.focusItem()
        stops = self._scene.focus_stops()
        if not isinstance(here, PlaceItem) or here not in stops:
            if stops:
                stops[len(stops) // 2 if len(stops) < 21 else 10].setFocus()
            return
        if (beyond := self.stop_beyond(here, direction)) is not None:
            beyond.setFocus()

    def stop_beyond(self, here: PlaceItem, direction: QPointF) -> PlaceItem | None:
        """Return the place that an arrow key leads to from a place; None at the edge."""
        start = here.sceneBoundingRect().center()
        best: tuple[float, PlaceItem] | None = None
        for item in self._scene.focus_stops():
            way = item.sceneBoundingRect().center() - start
            along = QPointF.dotProduct(way, direction)
            across = abs(way.x() * direction.y() - way.y() * direction.x())
            if along > 5 and (best is None or along + 2 * across < best[0]):
                best = (along + 2 * across, item)
        return None if best is None else best[1]

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        if event is not None and event.key() in ARROWS:
            self._step(ARROWS[Qt.Key(event.key())])
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(720, 560)


def came_from(before: Mapping[Place, CardView], after: Mapping[Place, CardView]) -> dict[Place, Place]:
    """Return where cards lie now, and where each lay before: only those that are one of their kind."""
    gone = _alone({place: card for place, card in before.items() if not _is_same(after.get(place), card)})
    come = _alone({place: card for place, card in after.items() if not _is_same(before.get(place), card)})
    return {place: gone[look] for look, place in come.items() if look in gone}


def _look_of(card: CardView) -> tuple[object, ...]:
    """Return what a card is recognised by wherever it lies."""
    return card.face, card.name, card.kind, card.values, card.dots


def _is_same(one: CardView | None, other: CardView) -> bool:
    return one is not None and _look_of(one) == _look_of(other)


def _alone(cards: Mapping[Place, CardView]) -> dict[tuple[object, ...], Place]:
    """Return the places of the cards that no other one looks like."""
    looks = {place: _look_of(card) for place, card in cards.items()}
    number = Counter(looks.values())
    return {look: place for place, look in looks.items() if number[look] == 1}


def _halt(item: PlaceItem) -> None:
    """End whatever moves an item: it goes somewhere else now."""
    for move in item.findChildren(QPropertyAnimation):
        move.stop()


def _written_beside(view: TableView) -> tuple[object, ...]:
    """Return everything that the background shows."""
    return view.extent, view.stock, view.zones, tuple(track.label for track in view.tracks)


def seat_shapes(view: TableView) -> dict[str, str]:
    """Return the shape that stands for each player, by seat."""
    return {player.player: SEAT_SHAPES[seat % len(SEAT_SHAPES)] for seat, player in enumerate(view.players)}
