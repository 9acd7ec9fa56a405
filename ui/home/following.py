"""How a game is followed: by hand, by a camera, by sensors or by both, as far as this computer can."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Iterator
from typing import Final

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QRadioButton, QVBoxLayout, QWidget

from ui.home.plan import GamePlan, KnownProfile, Watchers
from ui.text import said, tr
from ui.ties import tie


class Way(enum.Enum):
    """Who tells the program what happens on the table."""

    BY_HAND = "by hand"
    CAMERA = "camera"
    SENSORS = "sensors"
    BOTH = "both"


# What a profile must know for each way: the faces of tiles, the sensors.
_NEEDS: Final = {Way.CAMERA: (True, False), Way.SENSORS: (False, True), Way.BOTH: (True, True)}


class Following(QWidget):
    """The ways to follow a game; one that is not possible says why.

    Signals:
        changed: another way, camera or profile was chosen.
        set_up_wanted: a table is to be set up first.
        look_wanted: cameras and sensor tables are to be looked for again.
    """

    changed = pyqtSignal()
    set_up_wanted = pyqtSignal()
    look_wanted = pyqtSignal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.watchers: Watchers | None = None
        self._plan: GamePlan | None = None
        self._wanted = ("", "")
        texts = {
            Way.BY_HAND: tr("By &hand: you click what happens"),
            Way.CAMERA: tr("A &camera over the table"),
            Way.SENSORS: tr("&Sensors under the tiles"),
            Way.BOTH: tr("Camera and sens&ors"),
        }
        self.ways = {way: QRadioButton(words) for way, words in texts.items()}
        self.reasons = {way: QLabel() for way in texts}
        self.camera = QComboBox()
        self.camera.setAccessibleName(tr("Camera"))
        self.table = QComboBox()
        self.table.setAccessibleName(tr("Sensor table"))
        self.profile = QComboBox()
        self.profile.setAccessibleName(tr("Profile"))
        self.set_up_button = QPushButton()
        self.set_up_button.clicked.connect(self.set_up_wanted)
        self.look_button = QPushButton(tr("Look again"))
        self.look_button.clicked.connect(self.look_wanted)
        self._lay_out()
        self.ways[Way.BY_HAND].setChecked(True)
        for radio in self.ways.values():
            tie(radio.toggled, self, self._choose)
        for box in (self.camera, self.table, self.profile):
            tie(box.activated, self, self.changed.emit)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for way, radio in self.ways.items():
            reason = self.reasons[way]
            reason.setProperty("role", "small")
            reason.setWordWrap(True)
            reason.setIndent(26)
            column.addWidget(radio)
            column.addWidget(reason)
        for box in (self.camera, self.table, self.profile):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            column.addWidget(box)
        buttons = QHBoxLayout()
        buttons.addWidget(self.set_up_button)
        buttons.addWidget(self.look_button)
        buttons.addStretch()
        column.addLayout(buttons)

    # -- what is chosen ---------------------------------------------------------------------------

    @property
    def way(self) -> Way:
        """The chosen way."""
        return next(way for way, radio in self.ways.items() if radio.isChecked())

    def source(self) -> tuple[str, str, str]:
        """Return the addresses: of what follows the game, of its profile, of what reads the laid-out table.

        By hand all are "".
        """
        camera, table = str(self.camera.currentData() or ""), str(self.table.currentData() or "")
        address = _address(self.way, camera, table)
        profile = "" if self.way is Way.BY_HAND else str(self.profile.currentData() or "")
        return address, profile, camera if self.way is Way.BOTH else address

    def prefer(self, camera: str, profile: str) -> None:
        """Choose what followed an earlier game as soon as it is found."""
        self._wanted = (camera, profile)

    # -- what is possible -------------------------------------------------------------------------

    def show_looking(self) -> None:
        """Say that cameras and sensor tables are being looked for."""
        self.watchers = None
        self._show()

    def show_watchers(self, watchers: Watchers) -> None:
        """Show what was found."""
        self.watchers = watchers
        _fill(self.camera, watchers.cameras)
        _fill(self.table, watchers.tables)
        self._show()
        self._take_wanted(watchers)

    def show_failed(self, why: str) -> None:
        """Say why nothing could be looked for; by hand one can always play."""
        self.watchers = Watchers(can_follow=True)
        self._show()
        self.reasons[Way.CAMERA].setText(why)

    def show_plan(self, plan: GamePlan) -> None:
        """Show what is possible for this game and these players."""
        self._plan = plan
        self._show()

    def _show(self) -> None:
        told = ""
        for way, radio in self.ways.items():
            why = "" if way is Way.BY_HAND else self._why_not(way)
            radio.setEnabled(not why)
            radio.setAccessibleDescription(why)
            self.reasons[way].setText(why)
            self.reasons[way].setVisible(bool(why) and why != told)  # the same reason is told once
            told = why
            if why and radio.isChecked():
                self.ways[Way.BY_HAND].setChecked(True)
        can_follow = self.watchers is not None and self.watchers.can_follow
        has_board = self.watchers is None or self.watchers.has_board
        self.set_up_button.setText(tr("Set up a table…") if has_board else tr("Learn your copy…"))
        self.set_up_button.setVisible(can_follow)
        self.look_button.setVisible(can_follow)
        self._choose()

    def _why_not(self, way: Way) -> str:
        """Return why a way is not possible, "" if it is."""
        found = self.watchers
        if found is None:
            return tr("Looking for cameras and sensor tables…")
        if not found.can_follow:
            return tr("This game can only be played by hand so far.")
        if way in (Way.CAMERA, Way.BOTH) and not found.cameras:
            return tr("No camera was found: plug one in, then look again.")
        if way in (Way.SENSORS, Way.BOTH) and not found.has_board:
            return tr("Nobody can build a sensor table for this game: its pieces lie anywhere.")
        if way in (Way.SENSORS, Way.BOTH) and not found.tables:
            return tr("No sensor table was found: plug in its cable, then look again.")
        if not self._fitting(way) and not found.has_board:
            return tr("No profile knows your copy of this game yet: learn it first.")
        if not self._fitting(way):
            return tr("No profile knows this edition with these colours yet: set up a table first.")
        return ""

    def _fitting(self, way: Way) -> list[KnownProfile]:
        if self.watchers is None or self._plan is None:
            return []
        faces, sensors = _NEEDS[way]
        return [
            profile
            for profile in self.watchers.profiles
            if profile.fits(self._plan)
            and (profile.has_faces or not faces)
            and (profile.has_sensors or not sensors)
        ]

    def _choose(self) -> None:
        """Show the choices that the chosen way needs."""
        way = self.way
        before = self.profile.currentData()
        fitting = [] if way is Way.BY_HAND else self._fitting(way)
        _fill(self.profile, tuple((one.address, one.name) for one in fitting))
        self.profile.setCurrentIndex(max(0, self.profile.findData(before)))
        self.camera.setVisible(way in (Way.CAMERA, Way.BOTH))
        self.table.setVisible(way in (Way.SENSORS, Way.BOTH) and self.table.count() > 1)
        self.profile.setVisible(len(fitting) > 1)
        self.changed.emit()

    def _take_wanted(self, found: Watchers) -> None:
        """Choose what followed the earlier game; say so if it is not there."""
        address, profile = self._wanted
        if not address or not found.can_follow:
            return
        chosen = next((one for one in self._possible(found) if _address(*one) == address), None)
        if chosen is None:
            missing = tr("What followed the last game is not there now: plug it in, then look again.")
            self.reasons[Way.BY_HAND].setText(missing)
            self.reasons[Way.BY_HAND].show()
            return
        way, camera, table = chosen
        self.ways[way].setChecked(True)
        self.camera.setCurrentIndex(max(0, self.camera.findData(camera)))
        self.table.setCurrentIndex(max(0, self.table.findData(table)))
        self.profile.setCurrentIndex(max(0, self.profile.findData(profile)))
        self._wanted = ("", "")

    def _possible(self, found: Watchers) -> Iterator[tuple[Way, str, str]]:
        """Yield what could follow the game: the way, the camera, the sensor table."""
        cameras, tables = ([address for address, _ in one] for one in (found.cameras, found.tables))
        for way, radio in self.ways.items():
            if way is not Way.BY_HAND and radio.isEnabled():
                yield from itertools.product((way,), cameras or [""], tables or [""])


def _address(way: Way, camera: str, table: str) -> str:
    """Return the address of what follows a game; "" by hand."""
    return {Way.BY_HAND: "", Way.CAMERA: camera, Way.SENSORS: table, Way.BOTH: f"{camera}+{table}"}[way]


def _fill(box: QComboBox, choices: tuple[tuple[str, str], ...]) -> None:
    """Offer other choices, each an address and a name; the one chosen before stays if it is still there."""
    before = box.currentData()
    box.clear()
    for address, name in choices:
        box.addItem(said(name), address)
    box.setCurrentIndex(max(0, box.findData(before)))
