"""The table as a page shows it: drawn by the painters of the window, each card a picture that is sent once.

Called in the connections' threads: a `QImage` may be painted on in any of them.
"""

from __future__ import annotations

import base64
import hashlib
import struct
import zlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from PyQt6.QtCore import QRectF
from PyQt6.QtGui import QColor, QImage, QPainter

from companion.view_model import CardView, TableView
from ui.painting.table_view import seat_shapes
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

    def draw_table(self, view: TableView, theme: Theme) -> Drawn | None:
        """Return the zones of a table in pictures; None for a table whose tiles lie on cells."""
        if not view.painter:
            return None
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
        paint: Callable[[QPainter], None],
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


def _painted(
    size: tuple[float, float], zoom: float, ground: str | None, paint: Callable[[QPainter], None]
) -> bytes:
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
