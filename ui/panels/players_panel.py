"""What each player has; what is secret at the table is hidden here until it is revealed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final

from PyQt6.QtCore import QEvent, QRectF, QSize, QTimer
from PyQt6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PyQt6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from companion.session.thinking import PAUSE_S, clock_text
from companion.view_model import CounterView, PlayerView, TableView
from ui.controller.view_state import Thinking
from ui.painting import art
from ui.painting.table_view import seat_shapes
from ui.text import player_name, tr
from ui.theme import Theme, words_sheet

HIDDEN = "•••"
BORDER_PX = 3.0
RADIUS_PX = 7.0
# How small the numbers may become where there is little room, and by how much at least in one step.
LEAST_SCALE = 0.6
SCALE_STEP = 0.02
TICK_MS: Final = 1000


class Sign(QWidget):
    """A small drawing: the sign of a thing, or a player's marker."""

    def __init__(self, thing: str, size: int, player: str | None = None, shape: str = "") -> None:
        super().__init__()
        self._thing = thing
        self._player = player
        self._shape = shape
        self.setFixedSize(size, size)

    def show_player(self, player: str, shape: str) -> None:
        """Show a player's marker."""
        self._player, self._shape = player, shape
        self.update()

    def paintEvent(self, event: QPaintEvent | None) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if self._player is None:
            art.draw_sign(painter, area, self._thing)
        else:
            art.draw_marker(painter, area, self._player, self._shape)


class CounterRow(QWidget):
    """One number with its sign; secret ones read as dots until revealed."""

    def __init__(self, view: CounterView, scale: float) -> None:
        super().__init__()
        self.view = view
        self._is_revealed = False
        self.number = QLabel()
        self.number.setProperty("role", "number")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(round(4 * scale))
        row.addWidget(Sign(view.name, round(18 * scale)))
        row.addWidget(self.number, 1)
        self.show_view(view)

    def show_view(self, view: CounterView) -> None:
        """Show a new number of the same thing."""
        self.view = view
        shown = view.text if view.goal is None else f"{view.text}/{view.goal}"
        is_hidden = view.secret and not self._is_revealed
        self.number.setText(HIDDEN if is_hidden else shown)
        spoken = tr("hidden") if is_hidden else tr("unknown") if view.is_unknown else shown
        self.setToolTip(f"{view.label}: {spoken}")
        self.setAccessibleName(f"{view.label}: {spoken}")

    def reveal(self, is_revealed: bool) -> None:
        """Show or hide a secret number."""
        self._is_revealed = is_revealed
        self.show_view(self.view)


class Clock(QLabel):
    """How long a player has thought; as wide as the longest time, so that a second moves nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "small")
        self.hide()

    def show_time(self, seconds: float | None) -> None:
        """Show a time; None hides the clock."""
        self.setVisible(seconds is not None)
        if seconds is None:
            return
        told = clock_text(seconds)
        self.setText(told)
        self.setAccessibleName(tr("Thinking time: {times}", times=told))
        self.setToolTip(self.accessibleName())

    def sizeHint(self) -> QSize:
        """As wide as hours would be."""
        usual = super().sizeHint()
        return QSize(self.fontMetrics().horizontalAdvance("0:00:00"), usual.height())

    def minimumSizeHint(self) -> QSize:
        """Never less than a whole time."""
        return self.sizeHint()


class PlayerCard(QFrame):
    """One player's panel."""

    def __init__(
        self,
        view: PlayerView,
        shape: str,
        theme: Theme,
        scale: float,
        *,
        is_dense: bool = False,
        names: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__()
        self._name = player_name(view.player, names)
        self._theme = theme
        self._scale = scale
        self._stands_out = False
        self._view: PlayerView | None = None
        self.setProperty("role", "card")
        self.rows: dict[str, CounterRow] = {}
        self._state = QLabel()
        self._state.setProperty("role", "small")
        name = QLabel(self._name)
        name.setProperty("role", "name")
        head = QHBoxLayout()
        head.setSpacing(round(6 * scale))
        head.addWidget(Sign("", round((22 if is_dense else 26) * scale), view.player, shape))
        head.addWidget(name)
        head.addWidget(self._state)
        self.clock = Clock()
        head.addWidget(self.clock)
        head.addStretch()
        self._goal = QHBoxLayout()
        head.addLayout(self._goal)
        self._others = QHBoxLayout()
        self._others.setSpacing(round(8 * scale))
        column = QVBoxLayout(self)
        edge = 2 if is_dense else 5
        column.setContentsMargins(8, edge, 8, edge)
        column.setSpacing(0 if is_dense else 3)
        column.addLayout(head)
        column.addLayout(self._others)
        self.show_view(view)

    def show_view(self, view: PlayerView) -> None:
        """Show a new state of the same player."""
        if view == self._view:
            return
        self._view = view
        if [counter.name for counter in view.counters] != list(self.rows):
            self._build_rows(view)
        for counter in view.counters:
            self.rows[counter.name].show_view(counter)
        word = tr("winner") if view.is_winner else tr("to play") if view.is_active else ""
        self._state.setText(word)
        self._stands_out = view.is_active or view.is_winner
        self.update()
        told = ", ".join(row.accessibleName() for row in self.rows.values())
        self.setAccessibleName(f"{self._name} {word}: {told}")

    def reveal(self, is_revealed: bool) -> None:
        """Show or hide what is secret."""
        for row in self.rows.values():
            row.reveal(is_revealed)

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """Draw a thick border around the active player; a new style sheet each turn would cost a layout."""
        super().paintEvent(event)
        if self._stands_out:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self._theme.accent), BORDER_PX))
            inset = BORDER_PX / 2
            area = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
            painter.drawRoundedRect(area, RADIUS_PX, RADIUS_PX)

    def _build_rows(self, view: PlayerView) -> None:
        """Put the numbers that win beside the name, everything else below it."""
        for row in self.rows.values():
            row.setParent(None)
            row.deleteLater()
        self.rows = {counter.name: CounterRow(counter, self._scale) for counter in view.counters}
        for row in self.rows.values():
            (self._goal if row.view.goal is not None else self._others).addWidget(row)


class PlayersPanel(QWidget):
    """All players, two in a row, in seat order.

    Its text is as large as chosen, or smaller where its numbers would not fit beside the twin.

    `now` is the wall time in seconds, for the clocks of thinking time; `names` are those of another game's
    players than the one in the window.
    """

    def __init__(
        self,
        theme: Theme,
        scale: float = 1.0,
        parent: QWidget | None = None,
        now: Callable[[], float] = time.time,
        *,
        names: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(parent)
        self._names = names
        self._now = now
        self._thinking: Thinking | None = None
        self._ticks = QTimer(self)
        self._ticks.setInterval(TICK_MS)
        self._ticks.timeout.connect(self.show_clocks)
        self._theme = theme
        self._wanted = scale
        self._scale = scale
        self._view: TableView | None = None
        self._is_revealed = False
        self.cards: dict[str, PlayerCard] = {}
        self._widest = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(6)

    def show_view(self, view: TableView) -> None:
        """Show the players of this moment."""
        self._view = view
        if [player.player for player in view.players] != list(self.cards):
            self._build(view)
        for player in view.players:
            self.cards[player.player].show_view(player)

    def show_thinking(self, thinking: Thinking | None) -> None:
        """Show how long players have thought, counting on for who is thinking; None shows no clocks."""
        self._thinking = thinking
        if thinking is not None and thinking.player is not None:
            self._ticks.start()
        else:
            self._ticks.stop()
        self.show_clocks()

    def show_clocks(self) -> None:
        """Bring all clocks up to this second."""
        for player, card in self.cards.items():
            card.clock.show_time(None if self._thinking is None else self._thought_s(self._thinking, player))

    def _thought_s(self, thinking: Thinking, player: str) -> float:
        spent = thinking.spent.get(player, 0.0)
        running = self._now() - thinking.since_s if player == thinking.player else 0.0
        # Who has been away so long is not thinking: it will not count (`thought_s`).
        return spent + running if 0 <= running <= PAUSE_S else spent

    @property
    def has_secrets(self) -> bool:
        """Whether anything is hidden until it is revealed."""
        return any(row.view.secret for card in self.cards.values() for row in card.rows.values())

    def reveal(self, is_revealed: bool) -> None:
        """Show or hide what is secret."""
        self._is_revealed = is_revealed
        for card in self.cards.values():
            card.reveal(is_revealed)

    def minimumSizeHint(self) -> QSize:
        """Never shrink below the widest size needed so far: else the twin would be resized every turn.

        It is what the smallest text would need: in less room than the chosen text needs, the text shrinks.
        """
        needed = super().minimumSizeHint()
        least = round(needed.width() * min(1.0, LEAST_SCALE / self._scale))
        self._widest = max(self._widest, least)
        return QSize(self._widest, needed.height())

    def _fit(self) -> None:
        """Make the text as large as chosen, or so small that the cards fit."""
        if (view := self._view) is None:
            return
        while self._scale > LEAST_SCALE and self._needed() > self.width():
            fitting = self._scale * self.width() / self._needed()
            self._scale = max(LEAST_SCALE, min(self._scale - SCALE_STEP, fitting))
            self._build(view)

    def _needed(self) -> int:
        """Return how wide the cards are at least."""
        return self._grid.minimumSize().width()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Fit the text to the new width."""
        super().resizeEvent(event)
        is_wider = event is not None and event.size().width() > event.oldSize().width()
        if is_wider and self._scale < self._wanted and self._view is not None:
            self._scale = self._wanted
            self._build(self._view)
        self._fit()

    def event(self, event: QEvent | None) -> bool:
        """Fit the text again when a number needs more room."""
        if event is not None and event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self._fit()
        return super().event(event)

    def _build(self, view: TableView) -> None:
        self.setStyleSheet("" if self._scale == self._wanted else words_sheet(self._theme, self._scale))
        for card in self.cards.values():
            self._grid.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._widest = 0
        shapes = seat_shapes(view)
        is_dense = len(view.players) > 2  # two rows of cards: the prompts need the space more
        self.cards = {
            player.player: PlayerCard(
                player,
                shapes[player.player],
                self._theme,
                self._scale,
                is_dense=is_dense,
                names=self._names,
            )
            for player in view.players
        }
        for index, card in enumerate(self.cards.values()):
            card.reveal(self._is_revealed)
            self._grid.addWidget(card, index // 2, index % 2)
        self.show_clocks()
