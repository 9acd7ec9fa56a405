"""Replay of a past game, moment by moment, with a slider."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from ui.controller.shelf import Film
from ui.painting.table_view import TableScene, TableTwin
from ui.panels.players_panel import PlayersPanel
from ui.settings import Settings
from ui.text import opening, player_name, tr
from ui.theme import THEMES
from ui.ties import tie

STEP_MS: Final = 900


class Replay(QDialog):
    """The table after each action; a button plays the actions one after the other."""

    def __init__(self, film: Film, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.film = film
        theme = THEMES[settings.theme_name]
        self.setWindowTitle(tr("Replay"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.scene = TableScene(theme)
        self.scene.is_still = settings.is_still
        self.twin = TableTwin(self.scene)
        self.players = PlayersPanel(theme, settings.scale, names=film.names)
        self.turn = QLabel()
        self.turn.setProperty("role", "banner")
        self.turn.setWordWrap(True)
        self.told = QListWidget()
        self.told.setAccessibleName(tr("What was recorded"))
        self.told.setWordWrap(True)
        self.told.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.told.addItems(
            [tr("Set-up."), *(f"{n}. {opening(text)}" for n, text in enumerate(film.texts, 1))]
        )
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, len(film))
        self.slider.setPageStep(max(1, len(film) // 10))
        self.slider.setAccessibleName(tr("Moment of the game"))
        self.count = QLabel()
        self.play_button = QPushButton()
        self.play_button.clicked.connect(self.play_or_pause)
        self._timer = QTimer(self)
        self._timer.setInterval(STEP_MS)
        self._timer.timeout.connect(self._go_on)
        self._lay_out()
        self.slider.valueChanged.connect(self._show)
        self.told.currentRowChanged.connect(self.slider.setValue)
        self._show(0)
        self._name_button()
        self.resize(1060, 700)

    def _lay_out(self) -> None:
        right = QVBoxLayout()
        right.addWidget(self.turn)
        right.addWidget(self.told, 1)
        right.addWidget(self.players)
        upper = QHBoxLayout()
        upper.addWidget(self.twin, 6)
        upper.addLayout(right, 5)
        below = QHBoxLayout()
        for words, step in ((tr("Back"), -1), (tr("Next"), 1)):
            button = QPushButton(words)
            button.setAutoDefault(False)
            tie(button.clicked, button, lambda by=step: self._step(by))
            below.addWidget(button)
        self.play_button.setAutoDefault(False)
        below.addWidget(self.play_button)
        below.addWidget(self.slider, 1)
        below.addWidget(self.count)
        column = QVBoxLayout(self)
        column.addLayout(upper, 1)
        column.addLayout(below)

    def play_or_pause(self) -> None:
        """Start playing the actions, from the beginning if the end is reached, or stop."""
        if self._timer.isActive():
            self._timer.stop()
        else:
            if self.slider.value() == len(self.film):
                self.slider.setValue(0)
            self._timer.start()
        self._name_button()

    def _name_button(self) -> None:
        self.play_button.setText(tr("Pause (Space)") if self._timer.isActive() else tr("Play (Space)"))

    def _go_on(self) -> None:
        self._step(1)
        if self.slider.value() == len(self.film):
            self._timer.stop()
            self._name_button()

    def _step(self, by: int) -> None:
        self.slider.setValue(self.slider.value() + by)

    def _show(self, number: int) -> None:
        table = self.film.moment(number)
        self.scene.show_view(table)
        self.players.show_view(table)
        active = next((each.player for each in table.players if each.is_active), "")
        turn = tr("{player}'s turn", player=player_name(active, self.film.names)) if active else ""
        self.turn.setText(opening(table.outcome or turn))
        self.told.setCurrentRow(number)
        self.count.setText(tr("{number} of {total}", number=number, total=len(self.film)))

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        if event is not None and event.key() == Qt.Key.Key_Space:
            self.play_or_pause()
        else:
            super().keyPressEvent(event)
