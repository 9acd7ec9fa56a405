"""The menus of the main window; every entry has a key."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from PyQt6.QtGui import QAction, QActionGroup, QKeySequence
from PyQt6.QtWidgets import QMainWindow, QMenu, QMenuBar

from companion.i18n import LANGUAGES
from ui.controller.bridge import ControllerBridge
from ui.onward import Onward
from ui.sensor_menu import SensorMenu
from ui.settings import Settings
from ui.side_windows import SideWindows
from ui.text import SYSTEM, tr
from ui.ties import tie


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the window itself does when an entry is chosen.

    Attributes:
        adopt: keep changed settings and rebuild the window with them; `keep` only keeps them.
        say: show a text for a while.
        is_on: by the name of an entry that can be ticked, whether it is.
        leave: close the window and go on somewhere else.
    """

    adopt: Callable[[Settings], None]
    keep: Callable[[Settings], None]
    say: Callable[[str], None]
    swap_pictures: Callable[[], None]
    swap_outlines: Callable[[], None]
    swap_speech: Callable[[], None]
    swap_sounds: Callable[[], None]
    swap_full_screen: Callable[[], None]
    open_preferences: Callable[[], None]
    enter_offered: Callable[[], None]
    open_rules: Callable[[], None]
    begin_guide: Callable[[], None]
    is_on: Mapping[str, Callable[[], bool]]
    leave: Callable[[Onward], None]


class Menus:
    """Fills a window's menu bar anew, in the chosen language.

    Attributes:
        undo, redo, mend, pause, report, standings, rematch, home, camera, glance, table_mode, rules: entries.
        ticked: the entries that show whether something is on, by name.
        cable: the entry for a simulated device's cable; None if all devices are real.
        languages, sensors: submenus.
    """

    def __init__(
        self,
        window: QMainWindow,
        bridge: ControllerBridge,
        side: SideWindows,
        settings: Settings,
        wishes: Wishes,
    ) -> None:
        self._settings = settings
        self._wishes = wishes
        bar = window.menuBar()
        assert bar is not None
        for entry in bar.actions():
            if (old := entry.menu()) is not None and old.parent() is bar:
                old.deleteLater()  # clearing a bar does not destroy its menus
        bar.clear()
        self._fill_game(_menu(bar, tr("&Game")), window, bridge, side)
        view = _menu(bar, tr("&View"))
        self.ticked: dict[str, QAction] = {}
        self._fill_view(view, side)
        self._fill_languages(view)
        tie(view.aboutToShow, view, self.tick)
        self.tick()
        self._add_sensors(bar, window, bridge)
        help_menu = _menu(bar, tr("&Help"))
        self.rules = _action(help_menu, tr("&Rules for this moment"), "F1", wishes.open_rules)
        _action(help_menu, tr("&Keys"), "Shift+F1", side.open_keys)
        _action(help_menu, tr("&First steps"), "Alt+F1", wishes.begin_guide)
        _action(help_menu, tr("&About Moontable"), "Ctrl+F1", side.open_about)

    def _fill_game(
        self, game: QMenu, window: QMainWindow, bridge: ControllerBridge, side: SideWindows
    ) -> None:
        self.undo = _action(game, tr("&Undo"), "Ctrl+Z", bridge.undo)
        self.redo = _action(game, tr("&Redo"), "Ctrl+Y", bridge.redo)
        self.undo.setEnabled(False)
        self.redo.setEnabled(False)
        self.mend = _action(game, tr("&Correct an action…"), "F2", side.open_mending)
        _action(game, tr("&End the turn"), "E", self._wishes.enter_offered)
        _action(game, tr("The table &was misread"), "R", bridge.accept_as_is)
        self.pause = _action(game, tr("&Pause"), "P", bridge.toggle_pause)
        self.pause.setCheckable(True)
        self.pause.setChecked(bridge.is_paused)
        _action(game, tr("Report a m&isread…"), "Ctrl+M", side.ask_misread)
        self.cable: QAction | None = None
        if bridge.cable is not None:
            self.cable = _action(game, tr("Un&plug or plug in the cable"), "U", bridge.toggle_cable)
        self.report = _action(game, tr("Rep&ort…"), "Ctrl+R", bridge.ask_chronicle)
        self.standings = _action(game, tr("Stan&dings…"), "Ctrl+E", side.open_standings)
        self.standings.setEnabled(False)
        _action(game, tr("Past &games…"), "Ctrl+O", side.open_past_games)
        _action(game, tr("Peop&le…"), "Ctrl+L", side.open_people)
        _action(game, tr("&Set up camera and profile again…"), "Ctrl+T", side.set_up_again)
        leave = self._wishes.leave
        _action(game, tr("&New game…"), "Ctrl+N", lambda: leave(Onward.NEW_GAME))
        self.rematch = _action(game, tr("Rema&tch…"), "Ctrl+Shift+N", lambda: leave(Onward.REMATCH))
        self.rematch.setEnabled(False)
        self.home = _action(game, tr("&Home screen"), "Ctrl+W", lambda: leave(Onward.HOME))
        _action(game, tr("&Quit"), "Ctrl+Q", lambda: leave(Onward.QUIT))

    def _fill_view(self, view: QMenu, side: SideWindows) -> None:
        wishes = self._wishes
        self._ticked(view, "dark", tr("&Dark colours"), "D", self._swap_theme)
        _action(view, tr("Text &larger"), "Ctrl++", lambda: wishes.adopt(self._settings.larger(1)))
        _action(view, tr("Text &smaller"), "Ctrl+-", lambda: wishes.adopt(self._settings.larger(-1)))
        self._ticked(view, "motion", tr("&Moving pieces"), "M", self._swap_motion)
        self.camera = self._ticked(view, "camera", tr("Large &camera picture"), "V", wishes.swap_pictures)
        self._ticked(view, "outlines", tr("&What was recognised"), "O", wishes.swap_outlines)
        self._ticked(view, "speech", tr("Sp&eech"), "S", wishes.swap_speech)
        self._ticked(view, "sounds", tr("S&ounds"), "Ctrl+B", wishes.swap_sounds)
        self.glance = _action(view, tr("At a &glance"), "G", side.open_glance)
        self.table_mode = _action(view, tr("&Table mode"), "T", side.open_table_mode)
        self._ticked(view, "full screen", tr("&Full screen"), "F11", wishes.swap_full_screen)
        _action(view, tr("S&hare with phones…"), "Ctrl+H", side.open_sharing)
        _action(view, tr("&Preferences…"), "Ctrl+,", wishes.open_preferences)

    def _ticked(self, menu: QMenu, name: str, words: str, key: str, does: Callable[[], object]) -> QAction:
        """Add an entry that shows by a tick whether something is on."""
        action = _action(menu, words, key, does)
        action.setCheckable(True)
        self.ticked[name] = action
        return action

    def tick(self) -> None:
        """Tick exactly what is on now."""
        for name, action in self.ticked.items():
            action.setChecked(self._wishes.is_on[name]())

    def _fill_languages(self, view: QMenu) -> None:
        """Offer the system's language and all available ones, each named in itself."""
        self.languages = QMenu(tr("L&anguage"), view)
        view.addMenu(self.languages)
        group = QActionGroup(self.languages)
        offered = {SYSTEM: tr("Same as the computer"), **LANGUAGES}
        for number, (language, name) in enumerate(offered.items(), 1):
            speak = functools.partial(self._speak, language)
            action = _action(self.languages, name, f"Ctrl+{number}", speak)
            action.setCheckable(True)
            action.setChecked(language == self._settings.language)
            group.addAction(action)

    def _add_sensors(self, bar: QMenuBar, window: QMainWindow, bridge: ControllerBridge) -> None:
        before = window.findChildren(SensorMenu)
        self.sensors = SensorMenu(
            lambda: None if bridge.sensors is None else bridge.sensors.face,
            self._settings,
            keep=self._keep,
            say=self._wishes.say,
            parent=window,
        )
        bar.addMenu(self.sensors)
        for old in before:
            self.sensors.take_over(old)
            old.deleteLater()

    def keep_settings(self, settings: Settings) -> None:
        """Go on from settings that were changed elsewhere."""
        self._settings = settings

    def _keep(self, settings: Settings) -> None:
        self._wishes.keep(settings)

    def _speak(self, language: str) -> None:
        self._wishes.adopt(replace(self._settings, language=language))

    def _swap_theme(self) -> None:
        theme = "dark" if self._settings.theme_name == "light" else "light"
        self._wishes.adopt(replace(self._settings, theme=theme))

    def _swap_motion(self) -> None:
        self._wishes.adopt(replace(self._settings, is_still=not self._settings.is_still))


def _menu(bar: QMenuBar, words: str) -> QMenu:
    menu = bar.addMenu(words)
    assert menu is not None
    return menu


def _action(menu: QMenu, words: str, key: str, does: Callable[[], object]) -> QAction:
    action = QAction(words, menu)
    action.setShortcut(QKeySequence(key))
    tie(action.triggered, action, does)
    menu.addAction(action)
    return action
