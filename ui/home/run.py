"""Showing the home screen until it is known what comes next."""

from __future__ import annotations

from pathlib import Path

from PyQt6.QtWidgets import QApplication

from ui.dialogs.mishap_box import boxed_mishaps
from ui.home.front_door import FrontDoor
from ui.home.home_window import HomeWindow
from ui.home.plan import Wish
from ui.onward import Left, Onward
from ui.qt_environment import begin_qt
from ui.stopping import closing_when_stopped


def show_home(door: FrontDoor, folder: Path, left: Left, notice: str = "") -> Wish | Left:
    """Show the home screen until it is closed; return what is wished for, or how the program is left.

    `left` says how the window before was left: for a new game or a rematch the dialog opens by itself.
    """
    if begin_qt("`moontable --help` lists the commands") is None:
        return Left(status=1, onward=Onward.QUIT)
    window = HomeWindow(door, folder, notice)
    if left.onward is Onward.NEW_GAME:
        window.when_read(window.begin)
    elif left.onward is Onward.REMATCH and left.game:
        window.when_read(lambda: window.rematch(left.game))
    with closing_when_stopped(), boxed_mishaps(folder):
        window.show()
        QApplication.exec()
    window.deleteLater()
    return window.wish or Left(status=0, onward=Onward.QUIT)
