"""The column beside the table: whose turn it is, what is due, the players, and below them camera and log."""

from __future__ import annotations

from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QTabWidget, QVBoxLayout, QWidget

from companion.view_model import TableView
from ui.painting.table_view import seat_shapes
from ui.panels.players_panel import PlayersPanel, Sign
from ui.panels.prompt_panel import LARGE, PromptPanel
from ui.text import opening, player_name, tr

SIGN_PX = 34
# The role of whose turn it is; how a game ended is a whole sentence, and as large as a prompt.
BANNER = "banner"
# The share of the height that camera and log have while the prompts need no more than the rest.
TABS_SHARE = 0.25


class TurnHead(QWidget):
    """Whose turn it is and what may be done, or how the game ended."""

    def __init__(self, scale: float) -> None:
        super().__init__()
        self.banner = QLabel()
        self.banner.setProperty("role", BANNER)
        self.banner.setWordWrap(True)
        self.sign = Sign("", round(SIGN_PX * scale))
        self.sign.hide()
        self.phase = QLabel()
        self.phase.setProperty("role", "phase")
        self.phase.setWordWrap(True)
        row = QHBoxLayout()
        row.addWidget(self.sign)
        row.addWidget(self.banner, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(row)
        column.addWidget(self.phase)

    def show_table(self, table: TableView) -> None:
        """Show the turn of this moment."""
        active = next((player.player for player in table.players if player.is_active), "")
        self.sign.setVisible(bool(active))
        if active:
            self.sign.show_player(active, seat_shapes(table)[active])
        turn = tr("{player}'s turn", player=player_name(active)) if active else ""
        self._size(BANNER if not table.outcome else LARGE)
        self.banner.setText(opening(table.outcome or turn))
        self.phase.setText(table.phase)

    def _size(self, role: str) -> None:
        """Make the words as large as a role of the style sheet says."""
        if self.banner.property("role") != role:
            self.banner.setProperty("role", role)
            style = self.banner.style()
            assert style is not None
            style.unpolish(self.banner)
            style.polish(self.banner)


class TurnPanel(QSplitter):
    """Gives the prompts the room they need: camera and log, below, have what is left, and at least a little.

    Once players have moved the border themselves, it stays where they put it.
    """

    def __init__(
        self, head: TurnHead, prompts: PromptPanel, players: PlayersPanel, parent: QWidget | None = None
    ) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.tabs = QTabWidget()
        self._head, self._prompts, self._players = head, prompts, players
        self._is_put = False
        self._upper = QWidget()
        self._column = QVBoxLayout(self._upper)
        self._column.setContentsMargins(6, 0, 0, 4)
        self._column.setSpacing(6)
        self._column.addWidget(head)
        self._column.addWidget(prompts, 1)
        self._column.addWidget(players)
        self.addWidget(self._upper)
        self.addWidget(self.tabs)
        self.setChildrenCollapsible(False)
        self.splitterMoved.connect(self._keep)
        prompts.height_changed.connect(self.share)

    def share(self) -> None:
        """Divide the height anew."""
        if self._is_put or not self.isVisible():
            return
        others = self._head.heightForWidth(self._head.width()) + self._players.sizeHint().height()
        margins = self._column.contentsMargins()
        around = 2 * self._column.spacing() + margins.top() + margins.bottom()
        room = self.height() - self.handleWidth()
        left = room - others - around - self._prompts.needed_height()
        least = self.tabs.minimumSizeHint().height()
        below = max(least, min(round(TABS_SHARE * room), left))
        if self.sizes() != [room - below, below]:
            self.setSizes([room - below, below])

    def _keep(self) -> None:
        self._is_put = True

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Divide the new height."""
        super().resizeEvent(event)
        self.share()

    def event(self, event: QEvent | None) -> bool:
        """Divide the height again when what is above needs another one."""
        if event is not None and event.type() == QEvent.Type.LayoutRequest:
            self.share()
        return super().event(event)
