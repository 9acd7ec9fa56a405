"""The windows that open beside the main one: charts, glance, table mode, rules, keys, mending."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PyQt6.QtCore import QObject, Qt
from PyQt6.QtWidgets import QFileDialog, QMessageBox, QWidget

from companion.view import TileView
from ui.bridge import ControllerBridge
from ui.chronicle import Chronicle
from ui.glance import Glance, TableMode
from ui.keys import keys_table
from ui.mend_dialog import MendDialog
from ui.reminders_panel import RemindersPanel, fitting
from ui.report import Report
from ui.settings import Settings
from ui.shown import Shown
from ui.text import tr
from ui.theme import THEMES


class SideWindows(QObject):
    """Opens them, hands them what is shown, and keeps the one opened last of each kind within reach.

    `say` shows a notice in the main window.
    """

    def __init__(self, bridge: ControllerBridge, parent: QWidget, say: Callable[[str], None]) -> None:
        super().__init__(parent)
        self.settings = Settings()
        self.shown: Shown | None = None
        self.report: Report | None = None
        self._bridge = bridge
        self._parent = parent
        self._say = say
        bridge.changed.connect(self._keep)
        bridge.chronicled.connect(self._open_report)

    def _keep(self, shown: Shown) -> None:
        self.shown = shown

    def open_mending(self, number: int | None = None) -> None:
        """Open the dialog that corrects an accepted action, the last one unless told otherwise."""
        history = () if self.shown is None else self.shown.history
        if not history:
            self._say(tr("There is nothing to mend yet."))
            return
        chosen = number or history[-1].number
        theme = THEMES[self.settings.theme_name]
        self.mend_dialog = MendDialog(self._bridge, history, chosen, theme, self._parent)
        self.mend_dialog.open()

    def ask_misread(self) -> None:
        """Ask where the report of a misread goes, and write it."""
        file, _ = QFileDialog.getSaveFileName(self._parent, tr("Where to?"), "misread.zip", "*.zip")
        if file:
            self._bridge.report_misread(Path(file))
            self._say(tr("Saved: {file}", file=file))

    def _open_report(self, told: Chronicle) -> None:
        self.report = Report(told, self._bridge, THEMES[self.settings.theme_name], self._parent)
        self.report.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.report.show()

    def open_glance(self) -> None:
        """Open a window for the far end of the room."""
        self.glance = Glance(THEMES[self.settings.theme_name], self.settings.scale)
        self._follow(self.glance)
        self.glance.show()

    def open_table_mode(self) -> None:
        """Open a window for a screen that lies on the table."""
        theme = THEMES[self.settings.theme_name]
        self.table_mode = TableMode(theme, self.settings.scale, is_still=self.settings.is_still)
        self._follow(self.table_mode)
        self.table_mode.showFullScreen()

    def _follow(self, other: Glance | TableMode) -> None:
        """Let another window follow the game until it is closed."""
        other.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._parent.destroyed.connect(other.deleteLater)
        if self.shown is not None:
            other.show_shown(self.shown)
        self._bridge.changed.connect(other.show_shown)

    def open_rules(self, tile: TileView | None) -> None:
        """Open the reminder of the violation, of the tile pointed at, or of the phase."""
        reminders = self._bridge.reminders()
        shown = self.shown
        rule = shown.trouble.rule if shown is not None and shown.trouble is not None else None
        hints = [] if shown is None else [shown.hint]
        if tile is not None:
            hints.insert(0, tile.tile)
        self.rules_panel = RemindersPanel(reminders, self._parent)
        self.rules_panel.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.rules_panel.show_reminder(fitting(reminders, rule, tuple(hints)))

    def open_keys(self) -> None:
        """Open the list of keys."""
        self.keys_box = QMessageBox(self._parent)
        self.keys_box.setWindowTitle(tr("Keys"))
        self.keys_box.setText(keys_table())
        self.keys_box.open()
