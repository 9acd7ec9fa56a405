"""The wizard's page for the game and its players."""

from __future__ import annotations

from PyQt6.QtCore import QSize
from PyQt6.QtWidgets import QComboBox, QLabel, QVBoxLayout, QWizardPage

from ui.painting.marker_icon import MARKER_PX, marker_icon
from ui.text import opening, player_name, said, tr
from ui.wizard.guide import GameChoice, SetupGuide

LEAST_PLAYERS, MOST_PLAYERS = 2, 4
WIDEST_PX = 460


class GamePage(QWizardPage):
    """Edition and players; the first one listed begins."""

    def __init__(self, guide: SetupGuide) -> None:
        super().__init__()
        self.setTitle(tr("The game"))
        self.setSubTitle(tr("Players clockwise around the table; the first one starts."))
        self.edition = QComboBox()
        self.edition.setAccessibleName(tr("Edition"))
        for word, name in guide.editions():
            self.edition.addItem(opening(said(name)), word)
        self.edition.setMaximumWidth(WIDEST_PX)
        self.seats: list[QComboBox] = []
        column = QVBoxLayout(self)
        column.addWidget(QLabel(tr("Edition")))
        column.addWidget(self.edition)
        column.addWidget(QLabel(tr("Players")))
        for seat in range(MOST_PLAYERS):
            box = QComboBox()
            box.setAccessibleName(tr("Player {number}", number=seat + 1))
            if seat >= LEAST_PLAYERS:
                box.addItem(tr("nobody"), "")
            box.setIconSize(QSize(MARKER_PX, MARKER_PX))
            for colour in guide.colours():
                box.addItem(marker_icon(colour, seat), player_name(colour), colour)
            if seat < LEAST_PLAYERS:
                box.setCurrentIndex(seat)
            box.setMaximumWidth(WIDEST_PX)
            box.currentIndexChanged.connect(self._chosen)
            self.seats.append(box)
            column.addWidget(box)
        self.trouble = QLabel()
        self.trouble.setWordWrap(True)
        column.addWidget(self.trouble)
        column.addStretch()

    def _chosen(self) -> None:
        told = "" if self.isComplete() else tr("✗ Each player needs a different colour.")
        self.trouble.setText(told)
        self.completeChanged.emit()

    def choose(self, edition: str, players: tuple[str, ...]) -> None:
        """Preselect a profile's edition and players."""
        self.edition.setCurrentIndex(max(0, self.edition.findData(edition)))
        for seat, box in enumerate(self.seats):
            box.setCurrentIndex(max(0, box.findData(players[seat] if seat < len(players) else "")))

    def game(self) -> GameChoice:
        """Return what was chosen."""
        players = tuple(box.currentData() for box in self.seats if box.currentData())
        return GameChoice(edition=self.edition.currentData(), players=players)

    def isComplete(self) -> bool:
        players = self.game().players
        return len(players) == len(set(players)) >= LEAST_PLAYERS
