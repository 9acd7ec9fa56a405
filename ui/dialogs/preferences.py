"""Everything that can be chosen for the window, on one page; what is chosen holds at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGroupBox,
    QHBoxLayout,
    QLabel,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from companion.i18n import LANGUAGES
from ui.settings import SCALES, Settings
from ui.text import SYSTEM, tr
from ui.ties import tie

WIDTH_PX: Final = 520
# Room for a label's last letter: Qt measures words with an underlined letter a little too narrow.
LABEL_END: Final = "\N{NO-BREAK SPACE}"
FULL: Final = 100


class Preferences(QDialog):
    """The page of settings.

    `adopt` takes changed settings, `try_sound` lets the players hear a volume.

    Attributes:
        language, theme, scale: choices in lists.
        ticks: what is on or off, by the name of the setting that it is, or that it is the opposite of.
        volume: how loud sounds are, 0 to 100.
    """

    def __init__(
        self,
        settings: Settings,
        adopt: Callable[[Settings], None],
        try_sound: Callable[[float], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._adopt = adopt
        self._try_sound = try_sound
        self.ticks: dict[str, QCheckBox] = {}
        self._column = QVBoxLayout(self)
        self._column.addStrut(WIDTH_PX)  # at least; a minimum width would let longer words be cut off
        self._inside = QWidget()
        self._fill()

    def _fill(self) -> None:
        """Show the page in the chosen language."""
        self.setWindowTitle(tr("Preferences"))
        self._column.removeWidget(self._inside)
        self._inside.deleteLater()
        self._inside = QWidget()
        self._column.addWidget(self._inside)
        column = QVBoxLayout(self._inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._looks())
        column.addWidget(self._heard())
        column.addWidget(self._shown())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.language.setFocus()

    def _looks(self) -> QGroupBox:
        self.language = self._choice({SYSTEM: tr("Same as the computer"), **LANGUAGES}, "language")
        self.theme = self._choice({"light": tr("light"), "dark": tr("dark")}, "theme")
        self.scale = self._choice({scale: f"{round(FULL * scale)} %" for scale in SCALES}, "scale")
        box = QGroupBox(tr("Looks"))
        form = QFormLayout(box)
        for words, field in (
            (tr("&Language"), self.language),
            (tr("&Colours"), self.theme),
            (tr("&Text size"), self.scale),
        ):
            field.setAccessibleName(words.replace("&", ""))
            label = QLabel(f"{words}{LABEL_END}")
            label.setBuddy(field)
            form.addRow(label, field)
        return box

    def _heard(self) -> QGroupBox:
        self.volume = QSlider(Qt.Orientation.Horizontal)
        self.volume.setRange(0, FULL)
        self.volume.setValue(round(FULL * self._settings.volume))
        self.volume.setEnabled(self._settings.has_sounds)
        self.volume.setAccessibleName(tr("Volume of the sounds"))
        tie(self.volume.valueChanged, self.volume, self._set_volume)
        box = QGroupBox(tr("Sounds and speech"))
        row = QHBoxLayout()
        row.addWidget(self._tick("has_sounds", tr("&Sounds for a turn, a reward, a question, a broken rule")))
        column = QVBoxLayout(box)
        column.addLayout(row)
        column.addWidget(self.volume)
        column.addWidget(self._tick("is_spoken", tr("&Prompts are read aloud")))
        return box

    def _shown(self) -> QGroupBox:
        box = QGroupBox(tr("What is shown"))
        column = QVBoxLayout(box)
        column.addWidget(self._tick("is_still", tr("&Moving pieces and flying rewards"), is_opposite=True))
        column.addWidget(
            self._tick("is_plain", tr("What was &recognised in the camera picture"), is_opposite=True)
        )
        column.addWidget(self._tick("is_timed", tr("&How long each player has thought, beside the name")))
        column.addWidget(self._tick("is_table_quiet", tr("The &buzzer of a sensor table"), is_opposite=True))
        return box

    def _choice(self, offered: dict[Any, str], name: str) -> QComboBox:
        """Return a list of values by their words."""
        box = QComboBox()
        for value, words in offered.items():
            box.addItem(words, value)
        box.setCurrentIndex(max(0, box.findData(getattr(self._settings, name))))
        tie(box.currentIndexChanged, box, lambda: self._take(**{name: box.currentData()}))
        return box

    def _tick(self, name: str, words: str, *, is_opposite: bool = False) -> QCheckBox:
        """Return a box to tick for a setting, or for its opposite."""
        box = QCheckBox(words)
        box.setChecked(getattr(self._settings, name) is not is_opposite)
        tie(box.toggled, box, lambda: self._take(**{name: box.isChecked() is not is_opposite}))
        self.ticks[name] = box
        return box

    def _set_volume(self) -> None:
        self._take(volume=self.volume.value() / FULL)
        if not self.volume.isSliderDown():
            self._try_sound(self._settings.volume)

    def _take(self, **changes: Any) -> None:
        before, self._settings = self._settings, replace(self._settings, **changes)
        self._adopt(self._settings)
        self.volume.setEnabled(self._settings.has_sounds)
        if self._settings.language != before.language:
            self._fill()
