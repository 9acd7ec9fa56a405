"""The wizard's page that shows how to lay out the city when there is no camera."""

from __future__ import annotations

from PyQt6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWizardPage

from companion.errors import CompanionError
from companion.table import Place
from companion.view_model import Mark
from ui.painting.table_view import TableScene, TableTwin
from ui.settings import Settings
from ui.text import said, tr
from ui.theme import THEMES
from ui.wizard.guide import Dealt, GameChoice, SetupGuide


class ByHandPage(QWizardPage):
    """A city to lay out as shown; to match a city that is already laid out, two clicks swap two tiles."""

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
        self.dealt: Dealt | None = None
        self._guide = guide
        self._taken: Place | None = None
        self.scene = TableScene(THEMES[settings.theme_name])
        self.scene.is_still = True
        self.scene.chosen.connect(self._choose)
        self.twin = TableTwin(self.scene)
        self.shuffle = QPushButton(tr("Shuffle again"))
        self.shuffle.clicked.connect(self._shuffle)
        self.notes = QLabel()
        self.notes.setWordWrap(True)
        buttons = QHBoxLayout()
        buttons.addWidget(self.shuffle)
        buttons.addWidget(self.notes, 1)
        column = QVBoxLayout(self)
        column.addWidget(self.twin, 1)
        column.addLayout(buttons)

    def initializePage(self) -> None:
        self._shuffle()

    def _shuffle(self) -> None:
        assert self.game is not None
        self._show(self._guide.deal(self.game))

    def _choose(self, place: str) -> None:
        """Select a tile, deselect it, or swap it with the selected one."""
        tile = self.scene.tile_of(Place(place))
        if tile is None or self.dealt is None:
            return
        taken, self._taken = self._taken, None
        if taken is None:
            self._taken = tile.place
            self.notes.setText(tr("Now click the tile to swap it with."))
        elif taken == tile.place:
            self.notes.setText("")
        else:
            try:
                self._show(self._guide.swapped(self.dealt, taken, tile.place))
            except CompanionError as error:
                self.notes.setText(f"✗ {said(str(error))}")
        self._mark()

    def _show(self, dealt: Dealt) -> None:
        self.dealt, self._taken = dealt, None
        self.scene.show_view(said(dealt.table))
        self.notes.setText("")
        self._mark()
        self.completeChanged.emit()

    def _mark(self) -> None:
        self.scene.set_marks({} if self._taken is None else {self._taken: Mark.DUE})

    def isComplete(self) -> bool:
        return self.dealt is not None
