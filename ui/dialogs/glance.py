"""Two views to read from further away: a glance, and a table mode with a panel for each seat."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import QPointF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PyQt6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from companion.view_model import PlayerView, TableView
from ui.controller.view_state import ViewState
from ui.dialogs.fitted_label import FittedLabel
from ui.painting.table_view import TableScene, TableTwin, seat_shapes
from ui.panels.players_panel import PlayerCard, Sign
from ui.panels.prompt_panel import SILENT_KINDS
from ui.text import opening, player_name, tr
from ui.theme import Theme, dress

# Where each seat is, clockwise from the reference side: column and row in the grid, and degrees by which
# its panel is turned.
SEATS: Final = {
    2: ((1, 2, 0), (1, 0, 180)),
    3: ((1, 2, 0), (0, 1, 90), (1, 0, 180)),
    4: ((1, 2, 0), (0, 1, 90), (1, 0, 180), (2, 1, 270)),
}
TABLE_SCALE: Final = 1.35
GLANCE_WH: Final = (960, 540)
GLANCE_SCALE: Final = 2.2
SIGN_PX: Final = 60
# The largest letters at scale 1, before the glance enlarges them.
BANNER_PX: Final = 26
DUE_PX: Final = 20
GROWTH_STEP: Final = 0.1
GAP_PX: Final = 18
# The longest line in table mode; on a smaller screen a line goes from edge to edge.
LINE_PX: Final = 1000


def highlights_of(shown: ViewState) -> str:
    """Return the text of the one thing that matters most; empty when nothing is due."""
    if shown.trouble is not None:
        return shown.trouble.text
    if shown.question is not None:
        return shown.question.text
    told = [opening(prompt.text) for prompt in shown.prompts if prompt.kind not in SILENT_KINDS]
    return told[0] if told else shown.waiting


class Glance(QWidget):
    """Shows only whose turn it is, what is due, and everyone's score, in letters as large as fit."""

    def __init__(self, theme: Theme, scale: float) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self._shapes: dict[str, str] = {}
        self.setWindowTitle(tr("At a glance"))
        self._theme = theme
        self._scale = scale
        self._growth = 0.0
        self.turn = FittedLabel("banner")
        self.due = FittedLabel("prompt")
        self.scores = QHBoxLayout()
        self.numbers: dict[str, FittedLabel] = {}
        self._signs: list[Sign] = []
        self.sign = Sign("", round(SIGN_PX * scale))
        head = QHBoxLayout()
        head.setSpacing(round(GAP_PX * scale))
        self.scores.setSpacing(round(GAP_PX * scale))
        head.addWidget(self.sign)
        head.addWidget(self.turn, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[round(GAP_PX * scale)] * 4)
        column.addLayout(head)
        column.addWidget(self.due, 1)
        column.addLayout(self.scores)
        self.resize(*GLANCE_WH)
        self._fit_text()

    def _fit_text(self) -> None:
        """Fit the size of the text to the window's, so that it can be read from as far away as possible."""
        larger = min(self.width() / GLANCE_WH[0], self.height() / GLANCE_WH[1])
        growth = max(1.0, int(larger / GROWTH_STEP) * GROWTH_STEP)
        if growth == self._growth:
            return
        self._growth = growth
        theme = self._theme
        dress(self, theme, self._scale * GLANCE_SCALE * growth)
        self.setStyleSheet(
            f"{self.styleSheet()} QWidget {{ background: {theme.window}; color: {theme.text}; }}"
        )
        for sign in (self.sign, *self._signs):
            sign.setFixedSize(self._sign_px, self._sign_px)
        self._size_labels()

    @property
    def _sign_px(self) -> int:
        return round(SIGN_PX * self._scale * self._growth)

    def _size_labels(self) -> None:
        """Give every label its largest letters; turn and scores have the height of one line of them."""
        whole = self._scale * GLANCE_SCALE * self._growth
        self.due.set_largest(round(DUE_PX * whole))
        for label in (self.turn, *self.numbers.values()):
            label.set_largest(round(BANNER_PX * whole))
            label.setMinimumHeight(label.line_px)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Fit the text to the new size."""
        super().resizeEvent(event)
        self._fit_text()

    def show_shown(self, shown: ViewState) -> None:
        """Bring it up to this moment."""
        table = shown.table
        if list(self.numbers) != [player.player for player in table.players]:
            self._build_scores(table)
        active = next((player for player in table.players if player.is_active), None)
        self.sign.setVisible(active is not None)
        turn = ""
        if active is not None:
            self.sign.show_player(active.player, self._shapes[active.player])
            turn = tr("{player}'s turn", player=player_name(active.player))
        self.turn.show_words(opening(table.outcome or turn))
        self.due.show_words(highlights_of(shown))
        for player in table.players:
            self.numbers[player.player].show_words(_score(player))

    def _build_scores(self, table: TableView) -> None:
        while (item := self.scores.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self.numbers = {}
        self._signs = []
        self._shapes = seat_shapes(table)
        for player in table.players:
            number = FittedLabel("banner")
            number.setAccessibleName(player_name(player.player))
            self.numbers[player.player] = number
            self._signs.append(Sign("", self._sign_px, player.player, self._shapes[player.player]))
            self.scores.addWidget(self._signs[-1])
            self.scores.addWidget(number, 1)
        self._size_labels()

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        if event is not None and event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_G):
            self.close()


def _score(player: PlayerView) -> str:
    """Return the first number that has a goal, since that one wins; else the first number."""
    goals = [counter for counter in player.counters if counter.goal is not None]
    counter = (goals or list(player.counters))[0]
    return counter.text if counter.goal is None else f"{counter.text}/{counter.goal}"


class TurnedView(QWidget):
    """Shows a widget turned towards a seat, and signals when it is pressed.

    The widget itself stays hidden and is painted as a picture: live widgets embedded in a graphics scene
    share its lifetime, and closing can crash.
    """

    pressed = pyqtSignal(bool)

    def __init__(self, inside: QWidget, degrees: int) -> None:
        super().__init__()
        self._inside = inside
        self._degrees = degrees
        inside.setParent(self)
        inside.hide()

    def refresh(self) -> None:
        """Copy the widget's current picture and size."""
        self._inside.ensurePolished()
        wanted = self._inside.sizeHint()
        if self._inside.hasHeightForWidth():
            width = max(wanted.width(), self._inside.minimumWidth())
            wanted = QSize(width, self._inside.heightForWidth(width))
        self._inside.resize(wanted)
        self.setFixedSize(wanted if self._degrees % 180 == 0 else wanted.transposed())
        self.update()

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        self.pressed.emit(True)
        self.refresh()

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:
        self.pressed.emit(False)
        self.refresh()

    def paintEvent(self, event: QPaintEvent | None) -> None:
        picture = QPixmap(self._inside.size() * self.devicePixelRatioF())
        picture.setDevicePixelRatio(self.devicePixelRatioF())
        picture.fill(Qt.GlobalColor.transparent)
        # It has no background of its own: that would have the default palette's colour.
        self._inside.render(picture, flags=QWidget.RenderFlag.DrawChildren)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.translate(self.rect().toRectF().center())
        painter.rotate(self._degrees)
        painter.drawPixmap(QPointF(-self._inside.width() / 2, -self._inside.height() / 2), picture)


class TableMode(QWidget):
    """For a screen lying on the table: the twin in the middle, each player's panel turned to their seat.

    Pressing a panel reveals only that player's secrets, like peeking at one's own tokens.
    """

    def __init__(self, theme: Theme, scale: float, *, is_still: bool) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self._theme = theme
        self._scale = scale * TABLE_SCALE
        self.setWindowTitle(tr("Table mode"))
        dress(self, theme, self._scale)
        self.scene = TableScene(theme)
        self.scene.is_still = is_still
        self.cards: dict[str, PlayerCard] = {}
        self.turned: list[TurnedView] = []
        self.due = [self._due_label() for _ in range(2)]
        self._grid = QGridLayout(self)
        for row, label, degrees in ((0, self.due[1], 180), (4, self.due[0], 0)):
            self._grid.addWidget(self._turn(label, degrees), row, 0, 1, 3, Qt.AlignmentFlag.AlignCenter)
        self._grid.addWidget(TableTwin(self.scene), 2, 1)
        self._grid.setRowStretch(2, 1)
        self._grid.setColumnStretch(1, 1)
        self.resize(1280, 800)

    def show_shown(self, shown: ViewState) -> None:
        """Bring it up to this moment."""
        table = shown.table
        if list(self.cards) != [player.player for player in table.players]:
            self._seat_players(table)
        self.scene.show_view(table)
        self.scene.set_marks(shown.marks)
        for player in table.players:
            self.cards[player.player].show_view(player)
        for label in self.due:
            label.setText(highlights_of(shown) or table.phase)
        for turned in self.turned:
            turned.refresh()

    def _seat_players(self, table: TableView) -> None:
        shapes = seat_shapes(table)
        seats = SEATS.get(len(table.players), SEATS[4])
        for (column, row, degrees), player in zip(seats, table.players, strict=False):
            card = PlayerCard(player, shapes[player.player], self._theme, self._scale)
            turned = self._turn(card, degrees)
            turned.pressed.connect(card.reveal)
            self.cards[player.player] = card
            self._grid.addWidget(turned, row + 1, column, Qt.AlignmentFlag.AlignCenter)

    def _turn(self, inside: QWidget, degrees: int) -> TurnedView:
        turned = TurnedView(inside, degrees)
        self.turned.append(turned)
        return turned

    def _due_label(self) -> QLabel:
        label = QLabel()
        label.setProperty("role", "prompt")
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        return label

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Fit the lines to the new size."""
        super().resizeEvent(event)
        for label in self.due:
            label.setMinimumWidth(min(round(LINE_PX * self._scale), self.width() - 2 * GAP_PX))
        for turned in self.turned:
            turned.refresh()

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        if event is not None and event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_T):
            self.close()
