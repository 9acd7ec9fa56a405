"""The windows that open beside the main one: charts, glance, table mode, rules, keys, corrections."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6 import sip
from PyQt6.QtCore import QObject, Qt, pyqtSignal
from PyQt6.QtWidgets import QFileDialog, QWidget

from companion.errors import BugError, CompanionError
from companion.view_model import Reminder, TileView
from ui.controller.bridge import ControllerBridge
from ui.controller.chronicle import Chronicle
from ui.controller.session import Lookout
from ui.controller.view_state import ViewState
from ui.dialogs.about import About
from ui.dialogs.glance import Glance, TableMode
from ui.dialogs.keys import KeysWindow
from ui.dialogs.mend_dialog import MendDialog
from ui.dialogs.past_games import PastGames
from ui.dialogs.people import PeopleWindow
from ui.dialogs.report import Report
from ui.dialogs.standings import StandingsPage
from ui.motion import is_still
from ui.panels.reminders_panel import RemindersPanel, fitting
from ui.settings import Settings
from ui.text import said, tr
from ui.theme import THEMES
from ui.ties import tie
from ui.wizard.watch_wizard import WatchWizard
from ui.wizard.wizard import SetupWizard

if TYPE_CHECKING:
    from companion.phones.admission import Role
    from ui.phones.sharing import Reply, Sharing


class SideWindows(QObject):
    """Opens the side windows, updates them, and keeps the last one opened of each kind.

    `say` shows a notice in the main window.

    Signals:
        resume_wanted: file name of the past game to continue.
        reported: a bug report is being saved.
        renamed: somebody on the list of people has another name now.
        left: where to go on from this game, an `Onward`.
    """

    resume_wanted = pyqtSignal(str)
    reported = pyqtSignal()
    renamed = pyqtSignal()
    left = pyqtSignal(object)

    def __init__(
        self, bridge: ControllerBridge, parent: QWidget, folder: Path, say: Callable[[str], None]
    ) -> None:
        super().__init__(parent)
        self.settings = Settings()
        self.shown: ViewState | None = None
        self.report: Report | None = None
        self.sharing: Sharing | None = None
        self._bridge = bridge
        self._parent = parent
        self._folder = folder
        self._say = say
        self._standing: dict[type[QWidget], QWidget] = {}
        self._is_closed = False
        bridge.changed.connect(self._keep)
        bridge.chronicled.connect(self._open_report)

    def open_sharing(self) -> None:
        """Open the window that shares the game with phones."""
        # What serves phones is loaded for those who share alone.
        from ui.phones.share_dialog import ShareDialog
        from ui.phones.sharing import Sharing

        if self.sharing is None:
            self.sharing = Sharing(self._bridge, self.shown, self)
            self.sharing.asked.connect(self._ask_second)
        self.sharing.theme = self.settings.theme_name
        self.share_dialog = ShareDialog(self.sharing, self._parent)
        self.share_dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.share_dialog.show()

    def _ask_second(self, role: Role, reply: Reply) -> None:
        """Ask whether a second device may have a seat; a method, so that it runs in the window's thread."""
        # As above.
        from ui.phones.share_dialog import ask_second_device

        ask_second_device(role, reply, self._parent)

    def _keep(self, shown: ViewState) -> None:
        """Keep what is shown; show the standings when the game ends, as they are as long as it is over."""
        before, self.shown = self.shown, shown
        page = self._standing.get(StandingsPage)
        is_open = page is not None and not sip.isdeleted(page) and page.isVisible()
        if not shown.table.outcome:
            if is_open and page is not None:
                page.close()
        elif before is not None and (not before.table.outcome or (is_open and before.table != shown.table)):
            self.open_standings()

    def open_standings(self) -> None:
        """Open the page of a finished game: who won, the standings, and a picture of them to share."""
        if self._is_closed or self.shown is None or not self.shown.table.outcome:
            return
        theme = THEMES[self.settings.theme_name]
        page = StandingsPage(
            self.shown.table,
            theme,
            self.settings.scale,
            can_rematch=self._bridge.can_rematch,
            parent=self._parent,
        )
        page.left.connect(self.left)
        page.report_wanted.connect(self._bridge.ask_chronicle)
        self.standings = page
        self._stand(page)

    def open_mending(self, number: int | None = None) -> None:
        """Open the dialog for correcting an accepted action; by default, the last one."""
        history = () if self.shown is None else self.shown.history
        if not history:
            self._say(tr("There is nothing to correct yet."))
            return
        chosen = number or history[-1].number
        theme = THEMES[self.settings.theme_name]
        self.mend_dialog = MendDialog(self._bridge, history, chosen, theme, self._parent)
        self.mend_dialog.open()

    def ask_misread(self) -> None:
        """Ask where to save a bug report, on a misreading or an error, and write it."""
        file, _ = QFileDialog.getSaveFileName(self._parent, tr("Save as"), "misread.zip", "*.zip")
        if file:
            self.reported.emit()
            self._bridge.write_bug_report(Path(file))
            self._say(tr("Saved: {file}", file=file))

    def _open_report(self, told: Chronicle) -> None:
        if self._is_closed:
            # The main window may have been closed meanwhile; then no window must keep the program running.
            return
        self.report = Report(told, self._bridge.export, THEMES[self.settings.theme_name], self._parent)
        self._stand(self.report)

    def open_glance(self) -> None:
        """Open a window that can be read from across the room."""
        self.glance = Glance(THEMES[self.settings.theme_name], self.settings.scale)
        self._follow(self.glance)
        self._stand(self.glance)

    def open_table_mode(self) -> None:
        """Open a window for a screen lying on the table."""
        theme = THEMES[self.settings.theme_name]
        self.table_mode = TableMode(theme, self.settings.scale, is_still=is_still(self.settings))
        self._follow(self.table_mode)
        self.table_mode.setWindowState(Qt.WindowState.WindowFullScreen)
        self._stand(self.table_mode)

    def _follow(self, other: Glance | TableMode) -> None:
        """Update another window with the game until it is closed."""
        if self.shown is not None:
            other.show_shown(self.shown)
        self._bridge.changed.connect(other.show_shown)

    def _stand(self, window: QWidget) -> None:
        """Show a window that stays open during the game; it replaces an older one of its kind."""
        window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        old = self._standing.pop(type(window), None)
        if old is not None:
            window.setWindowState(old.windowState())
            if not old.isFullScreen():
                window.setGeometry(old.geometry())
            old.close()
        self._standing[type(window)] = window
        window.destroyed.connect(self._forget_gone)
        window.show()

    def _forget_gone(self) -> None:
        """Drop the references to windows that were destroyed."""
        self._standing = {
            kind: window for kind, window in self._standing.items() if not sip.isdeleted(window)
        }

    def renew(self) -> None:
        """Rebuild the open windows after language, colours or text size have changed."""
        opened: dict[type[QWidget], Callable[[], None]] = {
            Report: self._bridge.ask_chronicle,
            StandingsPage: self.open_standings,
            Glance: self.open_glance,
            TableMode: self.open_table_mode,
            RemindersPanel: self._renew_rules,
        }
        for kind, window in tuple(self._standing.items()):
            if window.isVisible():
                opened[kind]()

    def close_all(self) -> None:
        """Close the open windows for good; without the main window they would never be updated."""
        self._is_closed = True
        if self.sharing is not None:
            self.sharing.end()
        for window in tuple(self._standing.values()):
            window.close()

    def open_rules(self, tile: TileView | None) -> None:
        """Open the reminder of the violation, of the tile pointed at, or of the phase."""
        reminders = self._bridge.reminders()
        shown = self.shown
        rule = shown.trouble.rule if shown is not None and shown.trouble is not None else None
        hints = [] if shown is None else [shown.hint]
        if tile is not None:
            hints.insert(0, tile.tile)
        self._open_rules(reminders, fitting(reminders, rule, tuple(hints)))

    def _renew_rules(self) -> None:
        """Reopen the rules at the same reminder, with the same search words."""
        before, words = self.rules_panel.current(), self.rules_panel.search.text()
        reminders = self._bridge.reminders()
        same = (each for each in reminders if before is not None and each.id == before.id)
        self._open_rules(reminders, next(same, None))
        self.rules_panel.search.setText(words)

    def _open_rules(self, reminders: tuple[Reminder, ...], first: Reminder | None) -> None:
        self.rules_panel = RemindersPanel(reminders, self._parent)
        self._stand(self.rules_panel)
        self.rules_panel.show_reminder(first)

    def open_past_games(self) -> None:
        """Open the list of past games."""
        shelf = self._bridge.shelf
        if shelf is None:
            self._say(tr("There are no past games here."))
            return
        self.past_games = PastGames(shelf, self.settings, self._parent)
        self.past_games.resume_wanted.connect(self.resume_wanted)
        self.past_games.open()

    def open_people(self) -> None:
        """Open the list of the people who are remembered."""
        shelf = self._bridge.shelf
        if shelf is None or shelf.store is None:
            self._say(tr("Nobody is remembered here."))
            return
        self.people = PeopleWindow(shelf.store, shelf.library.folder, self.settings, self._parent)
        self.people.renamed.connect(self.renamed)
        self.people.open()

    def set_up_again(self) -> None:
        """Open the wizard to choose camera and profile again; the game stays as it is."""
        lookout = self._bridge.lookout
        if lookout is None:
            self._say(tr("There is nothing to set up: this table is simulated or played by hand."))
            return
        self._bridge.let_go()
        self.wizard = self._wizard_for(lookout)
        tie(self.wizard.finished, self.wizard, lambda: self._watch_again(lookout))
        self.wizard.open()

    def _wizard_for(self, lookout: Lookout) -> SetupWizard | WatchWizard:
        """Return the wizard that chooses camera and profile again."""
        game, folder, parent = lookout.game, self._folder, self._parent
        if lookout.copies is not None:
            return WatchWizard(lookout.copies, folder, parent, players=game.players, profile=lookout.profile)
        if lookout.guide is None:
            raise BugError("nothing can be chosen again")
        return SetupWizard(lookout.guide, folder, parent, game=game, sensors=lookout.sensor_guide)

    def _watch_again(self, lookout: Lookout) -> None:
        """Watch with the camera and profile chosen in the wizard, or as before if it was left early."""
        chosen = self.wizard.outcome
        now = (lookout.camera, lookout.profile) if chosen is None else (chosen.camera, chosen.profile)
        self._bridge.lookout = replace(lookout, camera=now[0], profile=now[1])
        if chosen is None and not all(now):
            return
        try:
            self._bridge.watch_with(lookout.sources(*now))
        except CompanionError as error:
            self._say(said(str(error)))

    def open_about(self) -> None:
        """Open what is to be known about the program."""
        self.about = About(self._folder, self._parent)
        self.about.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.about.open()

    def open_keys(self) -> None:
        """Open the list of keys."""
        self.keys_window = KeysWindow(self._parent)
        self.keys_window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.keys_window.open()
