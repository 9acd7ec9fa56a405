"""A sensor table's windows without a game: health and set-up."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable

from PyQt6.QtWidgets import QApplication, QDialog

from calibration.sensors import SensorProfile
from firmware_bridge.session import SensorTable
from ui import text
from ui.assembly.sensor_face import TableFace
from ui.assembly.sensor_lesson import SensorLesson
from ui.dialogs.mishap_box import boxed_mishaps
from ui.panels.health_page import HealthPage
from ui.qt_environment import favour_the_window, forget_foreign_qt, has_display
from ui.settings import Settings, default_folder, read_settings
from ui.stopping import closing_when_stopped
from ui.ties import tie
from ui.wizard.sensor_page import LessonWindow


def show_health(table: SensorTable, profile: SensorProfile) -> int:
    """Show the health page until it is closed; return the exit status."""
    table.raw_every_s = 0.5
    table.open()  # its faults are told by its health
    status = _shown(functools.partial(HealthPage, TableFace(table, profile)))
    table.close()
    return status


def show_setup(lesson: SensorLesson) -> bool:
    """Show the set-up until it is closed; return whether all was learnt."""
    ended: list[bool] = []

    def make(settings: Settings) -> QDialog:
        window = LessonWindow(
            lesson.views, skip=lesson.skip, back=lesson.back, close=lesson.close, settings=settings
        )
        tie(window.finished, window, lambda: ended.append(window.is_over))
        return window

    _shown(make)
    lesson.close()
    return any(ended)


def _shown(make: Callable[[Settings], QDialog]) -> int:
    if not has_display():
        print("moontable: there is no display to open a window on; leave --window out", file=sys.stderr)
        return 1
    forget_foreign_qt()
    favour_the_window()
    app = QApplication.instance() or QApplication(sys.argv[:1])
    settings = read_settings(default_folder())
    text.install(settings.language)
    window = make(settings)
    with closing_when_stopped(), boxed_mishaps():
        window.exec()
    window.deleteLater()
    assert app is not None
    return 0
