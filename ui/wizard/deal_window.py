"""The window of a deal by itself: what was dealt is saved, or gone on with later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PyQt6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout

from ui.settings import Settings
from ui.text import tr
from ui.theme import THEMES, dress
from ui.ties import tie
from ui.wizard.deal_panel import DealPanel
from ui.wizard.deal_view import DealGuide

SIZE_WH: Final = (1180, 700)


class DealWindow(QDialog):
    """Shows a deal card by card.

    Attributes:
        is_wanted: whether what was dealt is to be saved; until then it is kept, to go on later.
    """

    def __init__(self, guide: DealGuide, settings: Settings, acknowledge: Callable[[], None]) -> None:
        """Prepare; `acknowledge` is called for every card that is taken: it makes a sound."""
        super().__init__()
        self.is_wanted = False
        self.setWindowTitle(tr("Learning your copy"))
        dress(self, THEMES[settings.theme_name], settings.scale)
        self.panel = DealPanel(settings.scale, acknowledge, self)
        self.later = QPushButton(tr("Go on later"))
        self.later.clicked.connect(self.reject)
        self.save = QPushButton(tr("Save what was learnt"))
        self.save.setProperty("role", "main")
        self.save.clicked.connect(self.accept)
        for button in (self.later, self.save):
            button.setAutoDefault(False)
        buttons = QHBoxLayout()
        buttons.addStretch()
        buttons.addWidget(self.later)
        buttons.addWidget(self.save)
        column = QVBoxLayout(self)
        column.addWidget(self.panel, 1)
        column.addLayout(buttons)
        width, height = (round(one * min(settings.scale, 1.2)) for one in SIZE_WH)
        self.resize(width, height)
        self.save.setEnabled(False)
        tie(self.panel.changed, self, lambda: self.save.setEnabled(self.panel.has_cards))
        self.panel.watch(guide)

    def accept(self) -> None:
        self.is_wanted = True
        super().accept()

    def done(self, result: int) -> None:
        self.panel.stop()
        super().done(result)
