"""The menu of a sensor table: lights, buzzer, health. It is hidden if there is no sensor table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from PyQt6.QtGui import QAction, QKeySequence
from PyQt6.QtWidgets import QMenu, QWidget

from ui.controller.sensor_face import SensorFace
from ui.panels.health_page import HealthPage
from ui.settings import Settings
from ui.text import tr
from ui.ties import tie

STEP: Final = 0.1
LEAST: Final = 0.05


class SensorMenu(QMenu):
    """Acts on the sensor table that is watching now.

    `find` returns that table, `keep` keeps changed settings, `say` shows a notice.

    Attributes:
        page: the health page opened last.
    """

    def __init__(
        self,
        find: Callable[[], SensorFace | None],
        settings: Settings,
        *,
        keep: Callable[[Settings], None],
        say: Callable[[str], None],
        parent: QWidget,
    ) -> None:
        super().__init__(tr("&Sensors"), parent)
        self.page: HealthPage | None = None
        self._find = find
        self._settings = settings
        self._keep = keep
        self._say = say
        self._parent = parent
        self._known: SensorFace | None = None
        self.lights_action = self._add(tr("&Lights and buzzer"), "L", self._switch)
        self._add(tr("&Brighter lights"), "]", lambda face: self._dim(face, STEP))
        self._add(tr("&Dimmer lights"), "[", lambda face: self._dim(face, -STEP))
        self.buzzer_action = self._add(tr("Bu&zzer"), "B", self._mute)
        self.reach_action = self._add(tr("Light up where the figure can &go"), "N", self._reach)
        for ticked in (self.lights_action, self.buzzer_action, self.reach_action):
            ticked.setCheckable(True)
        tie(self.aboutToShow, self, self._tick)
        self._add(tr("&Health of the sensor table"), "H", self._open_health)
        self.refresh()

    def refresh(self) -> None:
        """Show the menu if there is a sensor table, and apply the settings to a new one."""
        face = self._find()
        action = self.menuAction()
        assert action is not None
        action.setVisible(face is not None)
        if face is not None and face is not self._known:
            if self._settings.table_light >= 0:
                face.dim(self._settings.table_light)
            face.mute(self._settings.is_table_quiet)
            face.show_reach(self.reach_action.isChecked())
        self._known = face

    def _tick(self) -> None:
        """Tick what is on."""
        face = self._find()
        self.lights_action.setChecked(face is not None and face.is_on)
        self.buzzer_action.setChecked(not self._settings.is_table_quiet)

    def take_over(self, before: SensorMenu) -> None:
        """Take over from an older menu of the same window; if its health page was open, open it again."""
        self.reach_action.setChecked(before.reach_action.isChecked())
        old, face = before.page, self._find()
        if face is not None:
            self._reach(face)
        if old is not None and face is not None and old.isVisible():
            self._open_health(face)
            assert self.page is not None
            self.page.setGeometry(old.geometry())
            old.close()

    def _add(self, words: str, key: str, does: Callable[[SensorFace], None]) -> QAction:
        def act() -> None:
            face = self._find()
            if face is not None:
                does(face)

        action = QAction(words, self)
        action.setShortcut(QKeySequence(key))
        tie(action.triggered, action, act)
        self.addAction(action)
        return action

    def _switch(self, face: SensorFace) -> None:
        face.switch(not face.is_on)
        self._say(tr("Lights and buzzer are on.") if face.is_on else tr("Lights and buzzer are off."))

    def _dim(self, face: SensorFace, step: float) -> None:
        face.dim(max(LEAST, face.brightness + step))
        self._settings = replace(self._settings, table_light=round(face.brightness, 2))
        self._keep(self._settings)
        self._say(tr("Lights: {percent} %", percent=round(face.brightness * 100)))

    def _mute(self, face: SensorFace) -> None:
        quiet = not self._settings.is_table_quiet
        face.mute(quiet)
        self._settings = replace(self._settings, is_table_quiet=quiet)
        self._keep(self._settings)
        self._say(tr("The buzzer is off.") if quiet else tr("The buzzer is on."))

    def _reach(self, face: SensorFace) -> None:
        face.show_reach(self.reach_action.isChecked())

    def _open_health(self, face: SensorFace) -> None:
        self.page = HealthPage(face, self._settings, self._parent)
        self.page.show()
