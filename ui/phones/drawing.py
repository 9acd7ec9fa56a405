"""The table as a page shows it: drawn by the painters of the window, each card a picture that is sent once.

Called in the connections' threads: a `QImage` may be painted on in any of them.
"""

from __future__ import annotations

import base64
import hashlib
import struct
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, TypeAlias

from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QColor, QImage, QPainter

from companion.i18n import join
from companion.names import player_name
from companion.view_model import CardView, TableView, TileView
from ui.painting.table_view import seat_shapes
from ui.painting.tiled_table import (
    counter_areas,
    draw_counter,
    draw_labels,
    draw_piece,
    draw_spot,
    draw_tile,
    piece_corners,
    piece_wh,
    spot_areas,
    table_area,
    tile_area,
    track_areas,
)
from ui.painting.zones import ZonePainter, painter_of
from ui.theme import Theme

Json = dict[str, Any]
# Pixels for each of the painters' units: sharp on a phone, quick to draw while the window works.
CARD_ZOOM: Final = 1.5
GROUND_ZOOM: Final = 1.0
HAND_WH: Final = (98.0, 116.0)
MOST_KEPT: Final = 2048
# Packed fast rather than small: the way is short.
LEVEL: Final = 2
# Around what is drawn on its edge, the painters' units.
EDGE: Final = 1.0

Paint: TypeAlias = Callable[[QPainter], None]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A table or a hand in pictures.

    Attributes:
        page: where each picture stands, as the page wants it; areas in the painters' units.
        pictures: the pictures by name, as base64 of PNG.
    """

    page: Json
    pictures: dict[str, str] = field(default_factory=dict)


class Artist:
    """Draws moments of a game and keeps the pictures; for one thread at a time."""

    def __init__(self) -> None:
        self._kept: OrderedDict[object, tuple[str, str]] = OrderedDict()

    def draw_table(self, view: TableView, theme: Theme) -> Drawn:
        """Return a table in pictures; names are still to be translated."""
        # Everybody sees the supplies, so what is secret is not drawn.
        view = replace(view, stock=tuple(one for one in view.stock if not one.secret))
        return self._zones(view, theme) if view.painter else self._cells(view, theme)

    def _zones(self, view: TableView, theme: Theme) -> Drawn:
        painter, shapes = painter_of(view.painter), seat_shapes(view)
        layout, cards = painter.lay_out(view), view.cards
        pictures: dict[str, str] = {}
        ground = self._ground(view, theme, painter, layout.size, pictures)
        placed = []
        for place, area in layout.cards.items():
            name = self._card(cards[place], area, painter, theme, shapes, pictures)
            placed.append([area.x(), area.y(), area.width(), area.height(), name, cards[place].name])
        page = {"size": list(layout.size), "ground": ground, "cards": placed}
        return Drawn(page, pictures)

    def _cells(self, view: TableView, theme: Theme) -> Drawn:
        """Draw tiles that lie on cells, what is beside them and the pieces over them.

        The ground, which takes longest to draw, is always the same.
        """
        whole, pictures = table_area(view), dict[str, str]()

        def beside(painter: QPainter) -> None:
            painter.translate(-whole.topLeft())
            draw_labels(painter, view)

        written = theme.name, view.extent, bool(view.stock), tuple(track.label for track in view.tracks)
        size = whole.width(), whole.height()
        ground = self._picture(written, size, GROUND_ZOOM, theme.felt, beside, pictures)
        placed = []
        for area, name, key, paint in _things(view, theme):
            drawn = area.adjusted(-EDGE, -EDGE, EDGE, EDGE)

            def shifted(painter: QPainter, paint: Paint = paint) -> None:
                painter.translate(EDGE, EDGE)
                paint(painter)

            size = drawn.width(), drawn.height()
            picture = self._picture((theme.name, key), size, CARD_ZOOM, None, shifted, pictures)
            corner = drawn.topLeft() - whole.topLeft()
            placed.append([corner.x(), corner.y(), *size, picture, name])
        return Drawn({"size": [whole.width(), whole.height()], "ground": ground, "cards": placed}, pictures)

    def draw_hand(self, hand: Sequence[CardView], view: TableView, theme: Theme) -> Drawn | None:
        """Return the cards of a hand in pictures, in order; None where the game draws no cards."""
        if not view.painter:
            return None
        painter, shapes = painter_of(view.painter), seat_shapes(view)
        area, pictures = QRectF(0, 0, *HAND_WH), dict[str, str]()
        names = [self._card(card, area, painter, theme, shapes, pictures) for card in hand]
        return Drawn({"cards": names}, pictures)

    def _ground(
        self,
        view: TableView,
        theme: Theme,
        painter: ZonePainter,
        size: tuple[float, float],
        pictures: dict[str, str],
    ) -> str:
        # What lies in the zones is drawn card by card.
        bare = replace(view, zones=tuple(replace(zone, cards=()) for zone in view.zones))
        shown = [(one.player, one.is_active) for one in view.players]
        key = view.painter, theme.name, bare.zones, tuple(shown)

        def paint(qpainter: QPainter) -> None:
            painter.draw_ground(qpainter, bare, theme, seat_shapes(view))

        return self._picture(key, size, GROUND_ZOOM, theme.felt, paint, pictures)

    def _card(
        self,
        card: CardView,
        area: QRectF,
        painter: ZonePainter,
        theme: Theme,
        shapes: dict[str, str],
        pictures: dict[str, str],
    ) -> str:
        key = painter, theme.name, card, area.width(), area.height(), tuple(shapes.items())

        def paint(qpainter: QPainter) -> None:
            painter.draw_card(qpainter, QRectF(0, 0, area.width(), area.height()), card, theme, shapes)

        return self._picture(key, (area.width(), area.height()), CARD_ZOOM, None, paint, pictures)

    def _picture(
        self,
        key: object,
        size: tuple[float, float],
        zoom: float,
        ground: str | None,
        paint: Paint,
        pictures: dict[str, str],
    ) -> str:
        """Return a picture's name, put it among the pictures, and keep it."""
        if key not in self._kept:
            self._kept[key] = _named(_painted(size, zoom, ground, paint))
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        name, data = self._kept[key]
        pictures[name] = data
        return name


def _things(view: TableView, theme: Theme) -> Iterator[tuple[QRectF, str, object, Paint]]:
    """Yield what lies on cells and beside them: where, its name, what its picture depends on, the painter."""
    shapes = seat_shapes(view)
    seats = tuple(shapes.items())
    for tile in view.tiles:
        owners = (player_name(spot.owner) for spot in tile.spots if spot.owner is not None)
        bare = replace(tile, notes=(), cell=(0, 0))
        yield (
            tile_area(tile),
            join(", ", (tile.name, *owners)),
            (bare, seats),
            partial(_paint_tile, tile=tile, shapes=shapes, theme=theme),
        )
    for track in view.tracks:
        for spot, area in track_areas(view, track):
            own = QRectF(0, 0, area.width(), area.height())
            name = spot.label if spot.owner is None else player_name(spot.owner)
            paint = partial(draw_spot, area=own, spot=spot, shapes=shapes, theme=theme)
            yield area, name, (spot, seats), paint
    for counter, area in zip(view.stock, counter_areas(view), strict=True):
        own = QRectF(0, 0, area.width(), area.height())
        said = counter.label, counter.text, counter.goal
        yield area, counter.label, (counter.name, said), partial(draw_counter, area=own, counter=counter)
    corners = piece_corners(view)
    for piece in view.pieces:
        own = QRectF(0, 0, *piece_wh(piece))
        key = piece.shape, piece.colour, seats
        paint = partial(draw_piece, area=own, piece=piece, shapes=shapes)
        yield own.translated(corners[piece.place]), piece.name, key, paint


def _paint_tile(painter: QPainter, tile: TileView, shapes: dict[str, str], theme: Theme) -> None:
    draw_tile(painter, tile, theme)
    for spot, area in zip(tile.spots, spot_areas(tile), strict=True):
        draw_spot(painter, area, spot, shapes, theme)


def _painted(size: tuple[float, float], zoom: float, ground: str | None, paint: Paint) -> bytes:
    wide, high = (max(1, round(side * zoom)) for side in size)
    image = QImage(wide, high, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor(0, 0, 0, 0) if ground is None else QColor(ground))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(zoom, zoom)
    paint(painter)
    painter.end()
    return _png(image.convertToFormat(QImage.Format.Format_RGBA8888))


def _png(image: QImage) -> bytes:
    """Return a picture of four bytes a pixel as a PNG, without Qt's writer, which belongs to a thread."""
    wide, high, step = image.width(), image.height(), image.bytesPerLine()
    bits = image.constBits()
    pixels = b"" if bits is None else bits.asstring(step * high)
    rows = b"".join(b"\0" + pixels[row * step : row * step + 4 * wide] for row in range(high))
    head = struct.pack(">IIBBBBB", wide, high, 8, 6, 0, 0, 0)
    data = zlib.compress(rows, LEVEL)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _named(png: bytes) -> tuple[str, str]:
    """Return a picture's name, which equal pictures share, and its data as text."""
    return hashlib.sha256(png).hexdigest()[:16], base64.b64encode(png).decode()
