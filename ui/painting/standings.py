"""The picture of a finished game: who won, where everybody stands, and the table as it was left."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QPointF, QRectF, QSizeF, Qt
from PyQt6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPainterPath, QPen

from companion.view_model import PlayerView, TableView
from ui.painting import art
from ui.painting.night import MOON, draw_moon, draw_night
from ui.painting.table_view import TableScene, seat_shapes
from ui.text import opening, player_name, tr
from ui.theme import Theme

# The picture's size; what is drawn is measured in its pixels.
SIZE: Final = QSizeF(1280, 720)
EDGE: Final = 28.0
HEAD_PX: Final = 128.0
FOOT_PX: Final = 44.0
GAP: Final = 10.0
HIGHEST_ROW: Final = 132.0
# The picture is saved with so many pixels for each of these.
SHARPNESS: Final = 2
MOST_COUNTERS: Final = 3
# A line ends between two numbers, never between a number and its name.
NO_BREAK: Final = "\N{NO-BREAK SPACE}"


def ranked(view: TableView) -> tuple[PlayerView, ...]:
    """Return the players, the best first; those without a place among the others stay in seat order."""
    return tuple(sorted(view.players, key=lambda player: player.rank or len(view.players)))


def counters_line(player: PlayerView) -> str:
    """Return a player's first numbers that are known, in words: ``Offerings 4 · Crystals 7``."""
    known = [counter for counter in player.counters if not counter.is_unknown][:MOST_COUNTERS]
    return " · ".join(f"{counter.label} {counter.text}".replace(" ", NO_BREAK) for counter in known)


def in_words(view: TableView) -> str:
    """Return everything that the picture says, a line for each player."""
    lines = [opening(view.outcome or "")]
    for player in ranked(view):
        place = "" if player.rank is None else f"{player.rank}. "
        lines.append(f"{place}{player_name(player.player)}: {counters_line(player)}")
    return "\n".join(lines)


def standings_image(view: TableView, theme: Theme) -> QImage:
    """Return the picture to save or copy, twice as many pixels each way as `SIZE`."""
    image = QImage((SIZE * SHARPNESS).toSize(), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.scale(SHARPNESS, SHARPNESS)
    draw_standings(painter, view, theme)
    painter.end()
    return image


def draw_standings(painter: QPainter, view: TableView, theme: Theme) -> None:
    """Draw the picture into `SIZE` from the painter's origin."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    whole = QRectF(QPointF(0, 0), SIZE)
    draw_night(painter, whole)
    draw_moon(painter, QPointF(EDGE + 52, EDGE + 46), 42)
    head = QRectF(EDGE + 124, EDGE - 8, whole.width() - 2 * EDGE - 124, HEAD_PX - 20)
    _draw_wrapped(painter, head, opening(view.outcome or ""), 38, QColor(MOON))
    middle = whole.adjusted(EDGE, HEAD_PX, -EDGE, -FOOT_PX - 8)
    table = QRectF(middle.left(), middle.top(), middle.width() * 0.5 - GAP, middle.height())
    _draw_table(painter, table, view, theme)
    _draw_rows(painter, middle.adjusted(middle.width() * 0.5 + GAP, 0, 0, 0), view, theme)
    foot = QRectF(EDGE, whole.bottom() - FOOT_PX, whole.width() - 2 * EDGE, FOOT_PX - 8)
    art.draw_text(painter, foot, f"Moontable · {view.title}", 20, QColor(MOON), bold=False)


def _draw_table(painter: QPainter, area: QRectF, view: TableView, theme: Theme) -> None:
    """Draw the table as it was left, on its felt."""
    frame = QPainterPath()
    frame.addRoundedRect(area, 12, 12)
    painter.fillPath(frame, QColor(theme.felt))
    scene = TableScene(theme)
    scene.is_still = True
    scene.show_view(view)
    painter.save()
    painter.setClipPath(frame)
    shown = scene.sceneRect()
    room = area.adjusted(8, 8, -8, -8)
    target = QRectF(QPointF(0, 0), shown.size().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio))
    target.moveCenter(room.center())
    scene.render(painter, target, shown)
    painter.restore()


def _draw_rows(painter: QPainter, area: QRectF, view: TableView, theme: Theme) -> None:
    """Draw a row for each player, the best first."""
    players, shapes = ranked(view), seat_shapes(view)
    height = min(HIGHEST_ROW, (area.height() - GAP * (len(players) - 1)) / len(players))
    top = area.center().y() - (height * len(players) + GAP * (len(players) - 1)) / 2
    for number, player in enumerate(players):
        row = QRectF(area.left(), top + number * (height + GAP), area.width(), height)
        _draw_row(painter, row, player, shapes[player.player], theme)


def _draw_row(painter: QPainter, row: QRectF, player: PlayerView, shape: str, theme: Theme) -> None:
    """Draw place, marker, name and numbers of one player."""
    edge = QColor(MOON if player.is_winner else theme.edge)
    painter.setPen(QPen(edge, 4 if player.is_winner else 1.5))
    painter.setBrush(QColor(theme.panel))
    painter.drawRoundedRect(row, 12, 12)
    left = row.left() + 14
    if player.rank is not None:
        place = QRectF(left, row.top(), 44, row.height())
        art.draw_text(
            painter, place, str(player.rank), 40, QColor(theme.accent if player.is_winner else theme.soft)
        )
        left = place.right() + 10
    marker = QRectF(left, row.center().y() - 24, 48, 48)
    art.draw_marker(painter, marker, player.player, shape)
    words = QRectF(marker.right() + 16, row.top() + 8, row.right() - marker.right() - 28, row.height() - 16)
    word = tr("winner") if player.is_winner else ""
    name = player_name(player.player) + (f" · {word}" if word else "")
    half = words.height() * 0.46
    _draw_line(painter, QRectF(words.left(), words.top(), words.width(), half), name, 30, QColor(theme.text))
    below = QRectF(words.left(), words.top() + half, words.width(), words.height() - half)
    _draw_wrapped(painter, below, counters_line(player), 19, QColor(theme.soft), is_bold=False)


def _draw_line(painter: QPainter, area: QRectF, words: str, height: float, colour: QColor) -> None:
    """Write one line from the left, as large as there is room for."""
    font = art.text_font(height, bold=True)
    width = QFontMetricsF(font).horizontalAdvance(words)
    if width > area.width():
        font = art.text_font(height * area.width() / width, bold=True)
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)


def _draw_wrapped(
    painter: QPainter, area: QRectF, words: str, height: float, colour: QColor, *, is_bold: bool = True
) -> None:
    """Write lines from the left, as large as there is room for."""
    how = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextWordWrap)
    while height > 8:
        taken = QFontMetricsF(art.text_font(height, bold=is_bold)).boundingRect(area, how, words)
        if taken.height() <= area.height() and taken.width() <= area.width():
            break
        height -= 1
    painter.setFont(art.text_font(height, bold=is_bold))
    painter.setPen(colour)
    painter.drawText(area, how, words)
