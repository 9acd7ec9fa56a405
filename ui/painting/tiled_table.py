"""A table whose tiles lie on cells: where all of it is drawn, and how; for the twin and the phones' pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPen

from companion.table import Place
from companion.view_model import CounterView, PieceView, SpotView, TableView, TileView, TrackView
from ui.painting import art
from ui.theme import Theme, kind_look

PITCH: Final = 105.0
TILE: Final = 100.0
SPOT: Final = 23.0
SPOT_TOP: Final = 60.0
STRIP: Final = 16.0
FIGURE_WH: Final = (21.0, 31.0)
DRAGON_WH: Final = (25.0, 25.0)
TRACK_SPOT: Final = 33.0
SIDE_WIDTH: Final = 4 * TRACK_SPOT + 10
COUNTERS_TOP: Final = 270.0
COUNTER_STEP: Final = 44.0
# On the felt, which is dark in every theme.
WRITING: Final = QColor("#ffffff")


# -- where --------------------------------------------------------------------------------------------------


def table_area(view: TableView) -> QRectF:
    """Return the area that the whole table takes."""
    rows, columns = view.extent
    side = SIDE_WIDTH + 12 if view.tracks or view.stock else 0
    return QRectF(-8, -8, columns * PITCH + side + 12, rows * PITCH + 12)


def tile_area(tile: TileView) -> QRectF:
    """Return where a tile lies."""
    return QRectF(tile.cell[1] * PITCH, tile.cell[0] * PITCH, TILE, TILE)


def spot_areas(tile: TileView) -> tuple[QRectF, ...]:
    """Return where a tile's boxes are, from the tile's upper left corner."""
    left = (TILE - len(tile.spots) * SPOT) / 2
    return tuple(QRectF(left + index * SPOT, SPOT_TOP, SPOT, SPOT) for index in range(len(tile.spots)))


def track_areas(view: TableView, track: TrackView) -> Iterator[tuple[SpotView, QRectF]]:
    """Yield the boxes of a track beside the cells, and where each is."""
    centre = view.extent[1] * PITCH + 8 + SIDE_WIDTH / 2
    base = 26 + len(track.rows) * (TRACK_SPOT + 3)
    spots = iter(track.spots)
    for level, count in enumerate(track.rows):
        top = base - (level + 1) * (TRACK_SPOT + 3)
        for column in range(count):
            left = centre + (column - count / 2) * (TRACK_SPOT + 1.5)
            yield next(spots), QRectF(left, top, TRACK_SPOT, TRACK_SPOT)


def counter_areas(view: TableView) -> tuple[QRectF, ...]:
    """Return where the supplies are told, beside the cells."""
    left, wide = view.extent[1] * PITCH + 14, SIDE_WIDTH - 10
    tops = (COUNTERS_TOP + index * COUNTER_STEP for index in range(len(view.stock)))
    return tuple(QRectF(left, top, wide, COUNTER_STEP) for top in tops)


def piece_wh(piece: PieceView) -> tuple[float, float]:
    """Return how large a piece is drawn."""
    return FIGURE_WH if piece.shape == "figure" else DRAGON_WH


def piece_corners(view: TableView) -> dict[Place, QPointF]:
    """Return where pieces stand: a cell's figures in a row at its lower edge, neutral pieces in one above."""
    standing: dict[tuple[tuple[int, int] | None, bool], list[PieceView]] = {}
    for piece in view.pieces:
        standing.setdefault((piece.cell, piece.shape == "figure"), []).append(piece)
    return {
        piece.place: _corner(view, cell, is_figure, index, len(pieces))
        for (cell, is_figure), pieces in standing.items()
        for index, piece in enumerate(pieces)
    }


def _corner(
    view: TableView, cell: tuple[int, int] | None, is_figure: bool, index: int, count: int
) -> QPointF:
    width = FIGURE_WH[0] if is_figure else DRAGON_WH[0]
    if cell is None:
        left = view.extent[1] * PITCH + 14
        y = view.extent[0] * PITCH - (42 if is_figure else 76)
        return QPointF(left + index * (width + 6), y)
    step = min(width + 1, (TILE - 6 - width) / max(1, count - 1))
    start = 4.0 if is_figure else TILE - 4 - width - step * (count - 1)
    y = 58 - FIGURE_WH[1] + 2 if is_figure else 17.0
    return QPointF(cell[1] * PITCH + start + index * step, cell[0] * PITCH + y)


# -- how ----------------------------------------------------------------------------------------------------


def draw_labels(painter: QPainter, view: TableView) -> None:
    """Draw the names of the tracks above them."""
    for track in view.tracks:
        area = QRectF(view.extent[1] * PITCH + 8, 2, SIDE_WIDTH, 20)
        art.draw_text(painter, area, track.label, 16, WRITING)


def draw_counter(painter: QPainter, area: QRectF, counter: CounterView) -> None:
    """Draw one of the supplies on the felt: its sign and number, its name below."""
    left, top, wide = area.x(), area.y(), area.width()
    text = counter.text if counter.goal is None else f"{counter.text}/{counter.goal}"
    art.draw_sign(painter, QRectF(left, top, 24, 24), counter.name)
    art.draw_text(painter, QRectF(left + 30, top - 2, wide - 30, 26), text, 22, WRITING)
    art.draw_text(painter, QRectF(left, top + 25, wide, 14), counter.label, 11, WRITING, bold=False)


def draw_spot(
    painter: QPainter, area: QRectF, spot: SpotView, shapes: Mapping[str, str], theme: Theme
) -> None:
    """Draw a box with what is printed in it, or the marker that stands on it."""
    area = area.adjusted(0.8, 0.8, -0.8, -0.8)
    look = kind_look(spot.colour) if spot.colour else None
    fill = QColor(look.fill if look else theme.paper)
    if not spot.is_used:
        fill = QColor(theme.paper).darker(190)
    painter.setPen(QPen(QColor("#15181c"), 1.2))
    painter.setBrush(fill)
    painter.drawRoundedRect(area, 3, 3)
    if spot.owner is not None:
        art.draw_marker(painter, area.adjusted(2, 2, -2, -2), spot.owner, shapes[spot.owner])
    elif spot.is_used:
        ink = QColor(look.ink if look else theme.paper_ink)
        art.draw_text(painter, area, spot.label, area.height() * 0.74, ink)


def draw_tile(painter: QPainter, tile: TileView, theme: Theme) -> None:
    """Draw a tile without its boxes, its upper left corner at the origin."""
    is_built = tile.side == "built"
    look = kind_look(tile.kind)
    paper = QColor(theme.paper)
    painter.setPen(QPen(QColor("#15181c"), 1))
    painter.setBrush(_blend(paper, QColor(look.fill), 0.38) if is_built else paper)
    painter.drawRoundedRect(QRectF(0, 0, TILE, TILE), 6, 6)
    _draw_strip(painter, tile)
    ground = QRectF(8, 20, 84, 56) if is_built else QRectF(16, 19, 68, 38)
    art.draw_building(painter, ground, tile.tile, look, QColor(theme.paper_ink), is_built=is_built)
    _draw_gains(painter, tile, theme)


def draw_piece(painter: QPainter, area: QRectF, piece: PieceView, shapes: Mapping[str, str]) -> None:
    """Draw a figure or a neutral piece."""
    if piece.shape == "figure":
        art.draw_figure(painter, area, piece.colour, shapes.get(piece.colour, "circle"))
    else:
        art.draw_dragon(painter, area, piece.colour)


def _draw_strip(painter: QPainter, tile: TileView) -> None:
    look = kind_look(tile.kind)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(look.fill))
    painter.drawRoundedRect(QRectF(1, 1, TILE - 2, STRIP), 5, 5)
    left = 4.0
    if look.sign:
        painter.setBrush(QColor(look.ink))
        painter.drawEllipse(QPointF(9.5, 1 + STRIP / 2), 6.4, 6.4)
        art.draw_text(painter, QRectF(3, 1, 13, STRIP), look.sign, 11, QColor(look.fill))
        left = 18.0
    name = QRectF(left, 1, TILE - left - 4, STRIP)
    art.draw_text(painter, name, tile.name, 11.5, QColor(look.ink))


def _draw_gains(painter: QPainter, tile: TileView, theme: Theme) -> None:
    """Draw one group for each part of the reward: its sign, then each amount with its sign."""
    size, gap = 9.5, 4.0
    groups = [gain for gain in tile.gains if gain.amounts]
    width = sum(size + len(gain.amounts) * (size + 8) for gain in groups) + gap * max(0, len(groups) - 1)
    x, y = (TILE - width) / 2, 87.0
    ink = QColor(theme.paper_ink)
    for gain in groups:
        art.draw_sign(painter, QRectF(x, y, size, size), gain.part)
        x += size
        for thing, number in gain.amounts:
            art.draw_text(painter, QRectF(x, y - 1, 8, size + 2), str(number), 11, ink)
            art.draw_sign(painter, QRectF(x + 8, y, size, size), thing)
            x += size + 8
        x += gap


def _blend(a: QColor, b: QColor, part: float) -> QColor:
    """Return the colour between a and b, `part` of the way."""
    mixed = [round(x + (y - x) * part) for x, y in zip(a.getRgb()[:3], b.getRgb()[:3], strict=True)]
    return QColor(*mixed)
