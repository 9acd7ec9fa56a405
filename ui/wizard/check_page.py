"""The page on which the table is laid out, while it is looked at."""

from __future__ import annotations

from collections.abc import Iterator

from PyQt6.QtWidgets import QHBoxLayout, QVBoxLayout

from companion.view_model import Mark, TableView
from ui.painting.table_view import TableScene, TableTwin
from ui.settings import Settings
from ui.text import player_name, said, tr
from ui.theme import THEMES
from ui.wizard.guide import GameChoice, LaidOut, TableReader
from ui.wizard.live_page import LivePage


class CheckPage(LivePage):
    """Checks that the table is laid out as the rules require."""

    def __init__(self, reader: TableReader, settings: Settings) -> None:
        super().__init__(reader.close)
        self._reader = reader
        self.setTitle(tr("Laying out the city"))
        self.setSubTitle(tr("Lay out the city: sketch sides up, all figures in the courtyard."))
        self.camera = ""
        self.profile = ""
        self.game: GameChoice | None = None
        self.laid: LaidOut | None = None
        self.scene = TableScene(THEMES[settings.theme_name])
        self.scene.is_still = True
        self.twin = TableTwin(self.scene)
        self.twin.hide()
        pictures = QHBoxLayout()
        pictures.addWidget(self.twin, 1)
        pictures.addWidget(self.picture, 1)
        self.notes.setProperty("role", "name")
        column = QVBoxLayout(self)
        column.addLayout(pictures, 1)
        column.addWidget(self.notes)

    def initializePage(self) -> None:
        self.laid = None
        self.start()

    def values(self) -> Iterator[object]:
        assert self.game is not None
        return self._reader.laid_out(self.camera, self.profile, self.game)

    def take(self, value: object) -> None:
        assert isinstance(value, LaidOut)
        was_ready = self.isComplete()
        self.laid = value
        self._show_picture(value.camera)
        self._show_table(said(value.table))
        self.scene.set_marks(dict.fromkeys(value.wrong, Mark.WRONG))
        begins = value.begins or (self.game.players[0] if self.game is not None else "")
        ready = tr("✓ Everything is in place. {player} starts.", player=player_name(begins))
        self.notes.setText(f"✗ {said(value.fault)}" if value.fault else ready)
        if was_ready != self.isComplete():
            self.completeChanged.emit()

    def isComplete(self) -> bool:
        return self.laid is not None and not self.laid.fault and self.laid.start is not None

    def _show_table(self, table: TableView | None) -> None:
        self.twin.setVisible(table is not None)
        if table is not None:
            self.scene.show_view(table)
