"""The window beside the table."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Final

from PyQt6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer
from PyQt6.QtGui import QAction, QCloseEvent, QKeyEvent, QKeySequence, QResizeEvent
from PyQt6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from companion.view_model import CameraView
from ui import settings as settings_store
from ui import text
from ui.controller.bridge import ControllerBridge
from ui.controller.view_state import ViewState
from ui.dialogs.glance import highlights_of
from ui.dialogs.preferences import Preferences
from ui.menus import Menus, Wishes
from ui.motion import is_still
from ui.onward import Onward
from ui.painting.camera_view import CameraPicture
from ui.painting.table_view import ARROWS, TableScene, TableTwin, seat_shapes
from ui.panels.bottom_row import BottomRow
from ui.panels.flights import Flight, flights_between, fly
from ui.panels.guide_panel import GuidePanel
from ui.panels.log_panel import LogPanel
from ui.panels.notices import Notices
from ui.panels.players_panel import PlayersPanel
from ui.panels.prompt_panel import PromptPanel
from ui.panels.turn_panel import TurnHead, TurnPanel
from ui.pointing import Pointing
from ui.settings import Settings, shows_elsewhere
from ui.side_windows import SideWindows
from ui.sounds import Sound, Sounds
from ui.speech import Speaker, find_voice
from ui.text import tr
from ui.theme import THEMES, Theme, dress
from ui.ties import tie

SIZE_SETTLES_MS = 150
GROWTH_STEP = 0.1
# The key C; on a Cyrillic keyboard the same key writes the letter es.
KEYS_OF_C: Final = (Qt.Key.Key_C, 0x0421)
SIZE_WH: Final = (1280, 760)
# How much room a window manager may need around the window.
FRAME: Final = QSize(12, 48)
# A smaller window cuts prompts and their buttons off, at a text size of 100 %.
LEAST_WH: Final = (1000, 600)


class MainWindow(QMainWindow):
    """Arranges the panels and turns keys and clicks into requests to the bridge."""

    def __init__(self, bridge: ControllerBridge, folder: Path, title: str) -> None:
        super().__init__()
        self.bridge = bridge
        self._folder = folder
        self._title = title
        self.shown: ViewState | None = None
        self.picture: CameraView | None = None
        self.scene: TableScene
        self.guide: GuidePanel | None = None
        self._flights: tuple[Flight, ...] = ()
        self._is_camera_large = False
        self._is_camera_lost = False
        self.settings = settings_store.read_settings(folder)
        text.call(bridge.called())
        self.speaker = Speaker(lambda: find_voice(text.language()))
        self.sounds = Sounds()
        self.resume: str | None = None
        self.onward = Onward.CLOSED
        self.notices = Notices(self)
        self.notices.changed.connect(self._show_notice)
        self.side = SideWindows(bridge, self, folder, self.notices.pass_by)
        self.side.resume_wanted.connect(self._leave_for)
        self.side.left.connect(self.leave)
        self.side.renamed.connect(self._call_anew)
        self.side.reported.connect(self.notices.forget_mishap)
        self._size_timer = QTimer(self)
        self._size_timer.setSingleShot(True)
        self._size_timer.timeout.connect(self._fit_text)
        self._panels_timer = QTimer(self)
        self._panels_timer.setSingleShot(True)
        self._panels_timer.timeout.connect(self._show_panels)
        self._growth = 1.0
        self._build()
        bridge.changed.connect(self.show_shown)
        bridge.pictured.connect(self.show_picture)
        bridge.lost.connect(self.notices.lose)
        bridge.lost.connect(self._source_lost)
        bridge.found.connect(self.notices.find)
        bridge.found.connect(self._source_found)
        bridge.refused.connect(self.notices.pass_by)
        bridge.paused.connect(self.notices.pause)
        bridge.paused.connect(self._pause_shown)
        bridge.mishaps.told.connect(self.notices.mishap)
        self.resize(self._fitting(QSize(*SIZE_WH)))

    # -- showing ----------------------------------------------------------------------------------

    def show_shown(self, shown: ViewState) -> None:
        """Update the table now, and the panels after one more turn of the event loop.

        Updating and painting both at once would block the window for too long.
        """
        self._flights = () if is_still(self.settings) else flights_between(self.shown, shown)
        self.shown = shown
        self._show_table(shown)
        self._panels_timer.start(0)

    def _show_table(self, shown: ViewState) -> None:
        self.scene.show_view(shown.table)
        self.scene.set_marks(shown.marks)
        self.head.show_table(shown.table)
        title = shown.table.title
        self.setWindowTitle(f"{self._title} – {title}" if self._title else title)

    def _show_panels(self) -> None:
        if (shown := self.shown) is None:
            return
        before = self.focusWidget()
        self.players.show_view(shown.table)
        self._show_clocks()
        self.prompts.show_shown(shown, seat_shapes(shown.table))
        self.log.show_lines(shown.history)
        self.speaker.hear(highlights_of(shown))
        self.sounds.hear(shown, is_on=self.settings.has_sounds, volume=self.settings.volume)
        self.menus.sensors.refresh()
        self.menus.undo.setEnabled(shown.can_undo)
        self.menus.redo.setEnabled(shown.can_redo)
        self.entry_button.setVisible(bool(shown.entries))
        if shown.entries:
            first = shown.entries[0] if len(shown.entries) == 1 else tr("What to do…")
            self.entry_button.setText(f"{text.on_control(text.opening(first))} (E)")
        self.reveal_button.setVisible(self.players.has_secrets)
        self._fly()
        self._show_end(is_over=bool(shown.table.outcome))
        self._order_focus()
        if self.focusWidget() is not before and not self.prompts.is_in_focus:
            # The widget in focus is gone or disabled; Enter must not press the one that Qt chooses next.
            self.twin.setFocus()

    def _fly(self) -> None:
        """Let new rewards fly from the tile that pays them to the card of the player who gets them."""
        flights, self._flights = self._flights, ()
        whole = self.centralWidget()
        table = None if self.shown is None else self.shown.table
        if not flights or whole is None or table is None or self._is_camera_large:
            return
        places = {tile.tile: tile.place for tile in table.tiles}

        def start_of(source: str) -> QPoint:
            return whole.mapFromGlobal(self.twin.middle_of(places.get(source)))

        def end_of(player: str) -> QPoint | None:
            card = self.players.cards.get(player)
            return None if card is None else card.mapTo(whole, card.rect().center())

        fly(flights, whole, start_of, end_of, self._scale)

    def _show_end(self, *, is_over: bool) -> None:
        """Offer what comes after a game's end, or nothing while the game runs."""
        self.menus.rematch.setEnabled(is_over and self.bridge.can_rematch)
        self.rematch_button.setVisible(self.menus.rematch.isEnabled())
        self.home_button.setVisible(is_over)
        self.menus.standings.setEnabled(is_over)

    def show_picture(self, picture: CameraView) -> None:
        """Show the camera's newest picture."""
        self.picture = picture
        self.camera.show_notice("")
        self.camera.show_view(picture)
        self.bridge.picture_taken()

    def _fitting(self, wanted: QSize) -> QSize:
        """Return a size, or what of it fits on the screen without its bars and the window's frame."""
        screen = self.screen()
        return wanted if screen is None else wanted.boundedTo(screen.availableSize() - FRAME)

    def _show_notice(self, words: str) -> None:
        self.notice.setText(words)
        self.notice.setVisible(bool(words))
        for button in (self.save_report_button, self.forget_button):
            button.setVisible(self.notices.has_mishap)

    def _is_sensors(self, name: str) -> bool:
        sensors = self.bridge.sensors
        return sensors is not None and sensors.name == name

    def _source_lost(self, name: str) -> None:
        if not self._is_sensors(name):
            self._is_camera_lost = True
            self.camera.show_notice(tr("No picture"))

    def _source_found(self, name: str) -> None:
        if not self._is_sensors(name):
            self._is_camera_lost = False
            self.camera.show_notice("")

    def _pause_shown(self, is_paused: bool) -> None:
        self.menus.pause.setChecked(is_paused)

    def _leave_for(self, game: str) -> None:
        """Close the window to continue another game; this one is in its journal."""
        self.resume = game
        self.close()

    def leave(self, onward: Onward) -> None:
        """Close the window to go on somewhere else."""
        self.onward = onward
        self.close()

    # -- correcting -------------------------------------------------------------------------------

    def _escape(self) -> None:
        self.pointing.drop()
        self.scene.clearFocus()  # a focused tile takes Enter; after Esc, Enter confirms prompts again
        self.bridge.dismiss()

    def _enter_offered(self) -> None:
        """Carry out the one action that is offered, or let the players choose among several."""
        offered = () if self.shown is None else self.shown.entries
        if len(offered) < 2:
            self.bridge.enter(0)
            return
        menu = QMenu(self)
        for index, words in enumerate(offered):
            action = menu.addAction(text.on_control(text.opening(words)))
            if action is not None:
                tie(action.triggered, action, lambda number=index: self.bridge.enter(number))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.entry_button.mapToGlobal(self.entry_button.rect().topLeft()))

    def begin_guide(self) -> None:
        """Show the hints for a first game, from the first on."""
        if self.guide is not None:
            self.guide.show_step(0)

    def _end_guide(self) -> None:
        self._keep(replace(self.settings, is_guided=True))
        self.twin.setFocus()

    # -- building ---------------------------------------------------------------------------------

    def _build(self) -> None:
        """Rebuild all widgets in the chosen theme, size and language."""
        text.install(self.settings.language)
        self.side.settings = self.settings
        theme = self._theme()
        scale = self._scale
        dress(self, theme, scale)
        place = None if self.shown is None else self.scene.focused
        step = None if self.guide is None else self.guide.step
        self.guide = GuidePanel()
        self.guide.finished.connect(self._end_guide)
        self.scene = TableScene(theme)
        self.scene.is_still = is_still(self.settings)
        self.twin = TableTwin(self.scene)
        self.camera = CameraPicture()
        self.camera.set_outlines_shown(not self.settings.is_plain)
        if self.bridge.has_camera:
            self.camera.show_notice(tr("Waiting for the first picture…"))
        self.head = TurnHead(scale)
        self.banner = self.head.banner
        self.players = PlayersPanel(theme, scale)
        self.prompts = PromptPanel(scale)
        self.log = LogPanel()
        self.log.list.installEventFilter(self)
        self.menus = Menus(self, self.bridge, self.side, self.settings, self._wishes())
        self.setCentralWidget(self._lay_out())
        self.setMinimumSize(self._fitting(QSize(*LEAST_WH)))
        self.pointing = Pointing(self.scene, self.twin, self.bridge, self.inspector)
        self.prompts.confirmed.connect(self.bridge.confirm)
        self.prompts.answered.connect(self.bridge.answer)
        self.prompts.mend_wanted.connect(self.side.open_mending)
        self.prompts.misread.connect(self.bridge.accept_as_is)
        self.prompts.dismissed.connect(self._escape)
        self.prompts.edits_dropped.connect(self._escape)
        self.prompts.report_wanted.connect(self.bridge.ask_chronicle)
        self.log.picked.connect(self.side.open_mending)
        self.guide.show_step(step)
        self.notices.tell()
        if self.shown is not None:
            self._show_table(self.shown)
            self._show_panels()
        if self.picture is not None:
            self.camera.show_notice(tr("No picture") if self._is_camera_lost else "")
            self.camera.show_view(self.picture)
        self._order_focus()
        self.twin.setFocus()
        self.scene.focus_on(place)

    def _order_focus(self) -> None:
        """Set the tab order: the table, the prompts, the buttons, then camera and log."""
        bar = self.tabs.tabBar()
        assert bar is not None
        assert self.guide is not None
        above = (self.guide.next, self.guide.skip, self.save_report_button, self.forget_button)
        for first, second in pairwise([self.twin, *self.prompts.buttons, *above, *self.buttons, bar]):
            QWidget.setTabOrder(first, second)

    def _lay_out(self) -> QWidget:
        self.notice = QLabel()
        self.notice.setProperty("role", "notice")
        self.notice.setWordWrap(True)
        self.notice.hide()
        self.save_report_button = QPushButton(tr("Save a report… (Ctrl+M)"))
        self.save_report_button.clicked.connect(self.side.ask_misread)
        self.forget_button = QPushButton(tr("Dismiss"))
        self.forget_button.clicked.connect(self.notices.forget_mishap)
        above = QHBoxLayout()
        above.addWidget(self.notice, 1)
        for button in (self.save_report_button, self.forget_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.hide()
            above.addWidget(button)
        self.large = QWidget()
        QVBoxLayout(self.large).setContentsMargins(0, 0, 0, 0)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self.large)
        self.turn = TurnPanel(self.head, self.prompts, self.players)
        self.tabs = self.turn.tabs
        self.tabs.addTab(self.log, tr("&Log"))
        split.addWidget(self.turn)
        split.setStretchFactor(0, 57)
        split.setStretchFactor(1, 43)
        split.setSizes([570, 430])  # as shares, so that the border does not move whenever a number gets wider
        split.setChildrenCollapsible(False)
        self._place_pictures()
        if not self.bridge.has_camera:
            self.tabs.setCurrentWidget(self.log)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(8, 4, 8, 6)
        column.setSpacing(5)
        column.addLayout(above)
        column.addWidget(self.guide)
        column.addWidget(split, 1)
        column.addWidget(self._bottom_row())
        return whole

    def _bottom_row(self) -> BottomRow:
        self.entry_button = QPushButton(tr("end the turn"))
        tie(self.entry_button.clicked, self.entry_button, self._enter_offered)
        self.reveal_button = QPushButton(tr("Show crystals (hold C)"))
        tie(self.reveal_button.pressed, self.reveal_button, lambda: self.players.reveal(True))
        tie(self.reveal_button.released, self.reveal_button, lambda: self.players.reveal(False))
        undo, redo = self._button_of(self.menus.undo), self._button_of(self.menus.redo)
        self.rematch_button = self._button_of(self.menus.rematch)
        self.home_button = self._button_of(self.menus.home)
        for button in (self.rematch_button, self.home_button):
            button.hide()
        self.buttons = [
            *(undo, redo, self.reveal_button, self.entry_button),
            *(self.rematch_button, self.home_button),
        ]
        row = BottomRow(self.buttons, self._theme(), self._scale)
        self.inspector = row.inspector
        return row

    def _button_of(self, action: QAction) -> QPushButton:
        """Return a button for an action, with its text and key, enabled while the action is."""
        key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        key = key.replace("Control+", "Ctrl+")  # as printed on the keyboard; Qt's Spanish differs
        button = QPushButton(f"{action.text().replace('&', '')} ({key})")
        button.clicked.connect(action.trigger)
        button.setEnabled(action.isEnabled())
        action.enabledChanged.connect(button.setEnabled)
        return button

    def _wishes(self) -> Wishes:
        return Wishes(
            adopt=self.adopt,
            keep=self._keep,
            say=self.notices.pass_by,
            swap_pictures=self._swap_pictures,
            swap_outlines=self._swap_outlines,
            swap_speech=self._swap_speech,
            swap_sounds=self._swap_sounds,
            swap_full_screen=self._swap_full_screen,
            open_preferences=self.open_preferences,
            enter_offered=self._enter_offered,
            open_rules=lambda: self.side.open_rules(self.pointing.tile),
            begin_guide=self.begin_guide,
            is_on={
                "dark": lambda: self.settings.theme_name == "dark",
                "motion": lambda: not self.settings.is_still,
                "camera": lambda: self._is_camera_large,
                "outlines": lambda: not self.settings.is_plain,
                "speech": lambda: self.speaker.is_on,
                "sounds": lambda: self.settings.has_sounds,
                "full screen": self.isFullScreen,
            },
            leave=self.leave,
        )

    # -- choices ----------------------------------------------------------------------------------

    def _theme(self) -> Theme:
        return THEMES[self.settings.theme_name]

    def _keep(self, settings: Settings) -> None:
        self.settings = settings
        self.side.settings = settings
        self.menus.keep_settings(settings)
        settings_store.write_settings(self._folder, settings)

    def adopt(self, settings: Settings) -> None:
        """Keep changed settings, and rebuild the window where they show."""
        before = self.settings
        is_other_language = settings.language != before.language
        self._keep(settings)
        if settings.is_spoken != self.speaker.is_on:
            self.speaker.switch()
        if not shows_elsewhere(before, settings):
            self.camera.set_outlines_shown(not settings.is_plain)
            self._show_clocks()
            self.menus.tick()
            return
        self._build()
        self.side.renew()
        if is_other_language:
            self.speaker.change_voice()
            self.bridge.tell_anew()

    def _show_clocks(self) -> None:
        """Show how long players have thought, if that is wanted."""
        shown = self.shown if self.settings.is_timed else None
        self.players.show_thinking(None if shown is None else shown.thinking)

    def _call_anew(self) -> None:
        """Call the players by their new names everywhere."""
        text.call(self.bridge.called())
        self._build()
        self.side.renew()
        self.bridge.tell_anew()

    @property
    def _scale(self) -> float:
        """The scale of all text: as chosen, but larger in a large window, for reading from afar."""
        return max(self.settings.scale, self._growth * min(self.settings.scale, 1.0))

    def _fit_text(self) -> None:
        """Fit the size of the text to the window's."""
        larger = min(self.width() / SIZE_WH[0], self.height() / SIZE_WH[1])
        growth = max(1.0, int(larger / GROWTH_STEP) * GROWTH_STEP)
        before = self._scale
        self._growth = growth
        if self._scale != before and self.isVisible():
            self._build()

    def _place_pictures(self) -> None:
        """Show the twin large and the camera small, or the other way round."""
        large, small = (self.camera, self.twin) if self._is_camera_large else (self.twin, self.camera)
        is_log_shown = (
            self.tabs.count() > 0 and self.tabs.currentWidget() is self.log and self.tabs.count() > 1
        )
        name = tr("&Drawing") if self._is_camera_large else tr("&Camera")
        self.tabs.insertTab(0, small, name)
        layout = self.large.layout()
        assert layout is not None
        layout.addWidget(large)
        large.show()
        if not is_log_shown:
            self.tabs.setCurrentIndex(0)

    def _swap_pictures(self) -> None:
        self._is_camera_large = not self._is_camera_large
        self._place_pictures()

    def _swap_speech(self) -> None:
        self._keep(replace(self.settings, is_spoken=self.speaker.switch()))
        self.menus.tick()
        self.notices.pass_by(tr("Prompts are spoken.") if self.speaker.is_on else tr("Prompts are silent."))

    def _swap_sounds(self) -> None:
        self._keep(replace(self.settings, has_sounds=not self.settings.has_sounds))
        self.menus.tick()
        self.notices.pass_by(tr("Sounds are on.") if self.settings.has_sounds else tr("Sounds are off."))

    def _swap_outlines(self) -> None:
        self._keep(replace(self.settings, is_plain=not self.settings.is_plain))
        self.camera.set_outlines_shown(not self.settings.is_plain)
        self.menus.tick()

    def open_preferences(self) -> None:
        """Open the page of everything that can be chosen."""
        self.preferences = Preferences(self.settings, self.adopt, self.try_sound, self)
        self.preferences.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.preferences.open()

    def try_sound(self, volume: float) -> None:
        """Let the players hear how loud sounds are."""
        self.sounds.play(Sound.REWARD, volume)

    def _swap_full_screen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    # -- Qt ---------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Let the digits and C work in lists too, which would otherwise search for them."""
        return isinstance(event, QKeyEvent) and self._heed(event)

    def _heed(self, event: QKeyEvent) -> bool:
        """Answer by a digit, or show crystals while C is held; return whether the key was one of these."""
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        is_press, is_release = (
            event.type() == kind for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease)
        )
        if event.key() in KEYS_OF_C and (is_press or is_release):
            if not event.isAutoRepeat():
                self.players.reveal(is_press)
            return True
        if Qt.Key.Key_1 <= event.key() <= Qt.Key.Key_9 and is_press:
            if not event.isAutoRepeat():
                self.prompts.answer(event.key() - Qt.Key.Key_1)
            return True
        return False

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        if event is None or self._heed(event):
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self._enter()
        elif event.key() in ARROWS:
            self.twin.setFocus()
            self.twin.keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Escape:
            self._escape()
        else:
            super().keyPressEvent(event)

    def _enter(self) -> None:
        """Press the button in focus; if there is none, confirm the top prompt."""
        focus = self.focusWidget()
        if isinstance(focus, QPushButton):
            focus.click()
        else:
            self.prompts.confirm_top()

    def keyReleaseEvent(self, event: QKeyEvent | None) -> None:
        if event is not None and not self._heed(event):
            super().keyReleaseEvent(event)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Fit the text once the window's size has settled."""
        super().resizeEvent(event)
        self._size_timer.start(SIZE_SETTLES_MS)

    def closeEvent(self, event: QCloseEvent | None) -> None:
        """Close without asking; nothing is lost, since every accepted action is in the journal."""
        self.side.close_all()
        self.bridge.stop()
        self.sounds.close()
        super().closeEvent(event)
