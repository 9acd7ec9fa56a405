"""A dialog by itself, without a game's window behind it."""

from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtWidgets import QDialog

from ui import settings as settings_store
from ui import text
from ui.dialogs.mishap_box import boxed_mishaps
from ui.qt_environment import begin_qt
from ui.settings import Settings, read_settings
from ui.stopping import closing_when_stopped


def show_dialog(make: Callable[[Settings], QDialog], instead: str = "") -> bool:
    """Show a dialog without a game until it is closed, in the players' language.

    Without a display, print that on standard error, with what to do `instead`, and return False.
    """
    app = begin_qt(instead)
    if app is None:
        return False
    folder = settings_store.default_folder()
    settings = read_settings(folder)
    text.install(settings.language)
    dialog = make(settings)
    with closing_when_stopped(), boxed_mishaps(folder):
        dialog.exec()
    dialog.deleteLater()
    return True
