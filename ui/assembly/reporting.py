"""The report of a past game, drawn into a file without a window."""

from __future__ import annotations

import os
from pathlib import Path

from companion.errors import DeviceError, DeviceFault, MalformedError
from companion.session.thinking import thinking_times
from ui import text
from ui.controller.chronicle import chronicle
from ui.controller.shelf import Shelf
from ui.dialogs.report import Report
from ui.qt_environment import begin_qt, has_display
from ui.theme import LIGHT, dress


def write_report(shelf: Shelf, name: str, file: Path, language: str) -> None:
    """Write the charts of a game as picture (``.png``) or PDF; raises CompanionError.

    Needs no display.
    """
    if not has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    game, line, times = shelf.library.read_timed(name)
    presenter = shelf.presenters.get(game.name)
    if presenter is None:
        raise MalformedError(f"{game.name} has no report yet")
    application = begin_qt("")
    text.install(language)
    text.call(shelf.people().names(shelf.library.seats(name)))
    told = chronicle(line, presenter, thinking_times(game, line, times))
    report = Report(text.said(told), lambda _file: None, LIGHT)
    dress(report, LIGHT, 1.0)
    report.ensurePolished()
    written = report.save_pdf(file) if file.suffix == ".pdf" else report.save_png(file)
    report.deleteLater()
    del application
    if not written:
        raise DeviceError(f"{file} cannot be written", DeviceFault.NO_PERMISSION)
