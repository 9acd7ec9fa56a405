"""Opening the window and running it until it is closed."""

from __future__ import annotations

from pathlib import Path

from PyQt6.QtWidgets import QApplication

from ui import settings as settings_store
from ui.controller.bridge import ControllerBridge
from ui.controller.session import Session
from ui.main_window import MainWindow
from ui.mishaps import last_resort
from ui.onward import Left, Onward
from ui.qt_environment import begin_qt
from ui.stopping import closing_when_stopped
from ui.tidying import Tidying


def run(session: Session, folder: Path | None = None) -> Left:
    """Show the window until it is closed."""
    app = begin_qt("use --headless")
    if app is None:
        return Left(status=1, onward=Onward.QUIT)
    bridge = ControllerBridge(session)
    window = MainWindow(bridge, folder or settings_store.default_folder(), session.title)
    tidying = Tidying()
    with closing_when_stopped() as stopping, last_resort(bridge.mishaps):
        window.show()
        if not window.settings.is_guided:
            window.begin_guide()
        tidying.start()
        bridge.start()
        status = QApplication.exec()
        bridge.stop()
        tidying.stop()
    return Left(
        status=status,
        resume=window.resume,
        onward=Onward.QUIT if stopping.is_stopped else window.onward,
    )
