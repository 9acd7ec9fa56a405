"""The large card of the home screen: the game played last, as it was left."""

from __future__ import annotations

from PyQt6.QtCore import QDateTime, QLocale, QPointF, QRectF, pyqtSignal
from PyQt6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPixmap, QResizeEvent
from PyQt6.QtWidgets import QBoxLayout, QFrame, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from ui.home.front_door import LastGame
from ui.painting.night import draw_moon, draw_night
from ui.painting.table_view import TableScene
from ui.text import language, ntr, opening, player_name, said, tr
from ui.theme import Theme

# The share of the width that the button may have beside the words.
WORDS_SHARE = 0.45


class LastGameCard(QFrame):
    """A picture of the last game, what it was, and a button to continue it or to play it again.

    Signals:
        chosen: the button was pressed.
    """

    chosen = pyqtSignal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.picture = TablePicture(theme)
        self.title = QLabel()
        self.title.setProperty("role", "name")
        self.told = QLabel()
        for label in (self.title, self.told):
            label.setWordWrap(True)
        self.button = QPushButton()
        self.button.setProperty("role", "main")
        self.button.setAutoDefault(True)
        self.button.clicked.connect(self.chosen)
        words = QVBoxLayout()
        words.addWidget(self.title)
        words.addWidget(self.told)
        self._below = below = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        below.addLayout(words, 1)
        below.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        column.addWidget(self.picture, 1)
        column.addLayout(below)

    def show_game(self, last: LastGame | None, *, is_read: bool) -> None:
        """Show a game; None = there is none, or it is not known yet."""
        self.picture.show_game(last)
        if last is None:
            self.title.setText(tr("Welcome to Moontable") if is_read else "")
            self.told.setText(tr("Play a real board game; Moontable keeps the books.") if is_read else "")
            self.button.setText(tr("Begin a &new game"))
        else:
            self.title.setText(opening(said(last.title)))
            self.told.setText(_told(last))
            self.button.setText(tr("&Rematch") if last.past.is_over else tr("&Continue"))
        self.button.setVisible(is_read)
        self._share()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """Put the button below the words where it would leave them too little room beside it."""
        is_wide = self.button.sizeHint().width() > WORDS_SHARE * self.width()
        ways = QBoxLayout.Direction
        self._below.setDirection(ways.TopToBottom if is_wide else ways.LeftToRight)


def _told(last: LastGame) -> str:
    """Return who played when, and how it stands."""
    past = last.past
    when = QDateTime.fromSecsSinceEpoch(int(past.ended_s))
    day = QLocale(language()).toString(when.date(), QLocale.FormatType.ShortFormat)
    call = {player: last.called.get(player) or player_name(player) for player in past.players}
    names = ", ".join(call.values())
    if not past.is_over:
        stands = ntr("{n} turn played", "{n} turns played", past.turns)
    elif past.winners:
        winners = ", ".join(call[player] for player in past.winners)
        stands = ntr("{players} won", "{players} won", len(past.winners), players=winners)
    else:
        stands = tr("no winner")
    return f"{names}\n{day} · {stands}"


class TablePicture(QWidget):
    """The last game's table; a night over the city where there is none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._scene: TableScene | None = None
        self._pixels: QPixmap | None = None
        self.setMinimumSize(320, 220)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_game(self, last: LastGame | None) -> None:
        """Show how a game was left."""
        self._pixels = None
        if last is None or last.table is None:
            self._scene = None
            self.setAccessibleName("")
        else:
            self._scene = TableScene(self._theme)
            self._scene.is_still = True
            self._scene.show_view(said(last.table))
            self.setAccessibleName(tr("The table as it was left"))
        self.update()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        self._pixels = None

    def paintEvent(self, event: QPaintEvent | None) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect())
        frame = QPainterPath()
        frame.addRoundedRect(area, 8, 8)
        painter.setClipPath(frame)
        if self._scene is None:
            draw_night(painter, area)
            draw_moon(
                painter, QPointF(area.width() * 0.5, area.height() * 0.36), min(64.0, area.height() * 0.2)
            )
            return
        if self._pixels is None:
            self._pixels = self._drawn(self._scene)
        painter.drawPixmap(0, 0, self._pixels)

    def _drawn(self, scene: TableScene) -> QPixmap:
        """Return the table, drawn once for this size."""
        ratio = self.devicePixelRatioF()
        pixels = QPixmap(self.size() * ratio)
        pixels.setDevicePixelRatio(ratio)
        pixels.fill(QColor(self._theme.felt))
        painter = QPainter(pixels)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scene.render(painter, QRectF(self.rect()).adjusted(8, 8, -8, -8), scene.sceneRect())
        painter.end()
        return pixels
