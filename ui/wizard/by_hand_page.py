"""The wizard's page that shows how to lay out the city when there is no camera."""

from __future__ import annotations

from PyQt6.QtWidgets import QVBoxLayout, QWizardPage

from ui.settings import Settings
from ui.text import tr
from ui.theme import THEMES
from ui.wizard.dealt_table import DealtTable
from ui.wizard.guide import Dealt, GameChoice, SetupGuide


class ByHandPage(QWizardPage):
    """A city to lay out as shown."""

    def __init__(self, guide: SetupGuide, settings: Settings) -> None:
        super().__init__()
        self.setTitle(tr("Lay the city out like this"))
        self.setSubTitle(
            tr(
                "Sketch sides up, all figures in the courtyard. If yours is laid out already, make this one "
                "match: click a tile, then the one to swap it with."
            )
        )
        self.game: GameChoice | None = None
        self._guide = guide
        self.table = DealtTable(THEMES[settings.theme_name], self._deal, guide.swapped)
        self.table.changed.connect(self.completeChanged)
        column = QVBoxLayout(self)
        column.addWidget(self.table)

    @property
    def dealt(self) -> Dealt | None:
        """The city that is shown."""
        return self.table.dealt

    def initializePage(self) -> None:
        self.table.deal()

    def _deal(self) -> Dealt:
        assert self.game is not None
        return self._guide.deal(self.game)

    def isComplete(self) -> bool:
        return self.dealt is not None
