"""The windows of a sensor table without a game: health and set-up."""

from __future__ import annotations

import functools
from typing import Final

from PyQt6.QtWidgets import QDialog

from firmware_bridge.session import SensorTable
from ui.assembly.sensor_face import TableFace
from ui.assembly.sensor_lesson import SensorLesson
from ui.dialogs.alone import show_dialog
from ui.panels.health_page import HealthPage
from ui.settings import Settings
from ui.ties import tie
from ui.wizard.sensor_page import LessonWindow

_INSTEAD: Final = "leave --window out"


def show_health(table: SensorTable, face: TableFace) -> int:
    """Show the health page until it is closed; return the exit status."""
    table.raw_every_s = 0.5
    table.open()  # its faults are shown on the health page
    is_shown = show_dialog(functools.partial(HealthPage, face), _INSTEAD)
    table.close()
    return int(not is_shown)


def show_setup(lesson: SensorLesson) -> bool:
    """Show the set-up until it is closed; return whether everything was learnt."""
    ended: list[bool] = []

    def make(settings: Settings) -> QDialog:
        window = LessonWindow(
            lesson.views, skip=lesson.skip, back=lesson.back, close=lesson.close, settings=settings
        )
        tie(window.finished, window, lambda: ended.append(window.is_over))
        return window

    show_dialog(make, _INSTEAD)
    lesson.close()
    return any(ended)
