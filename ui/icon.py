"""The program's icon and its name on the desktop."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PyQt6.QtGui import QGuiApplication, QIcon

FOLDER: Final = Path(__file__).resolve().parent / "icons"
SIZES_PX: Final = (16, 24, 32, 48, 64, 128, 256)
# The name of the .desktop file: window managers find the icon and the group of windows by it.
DESKTOP_NAME: Final = "moontable"


def program_icon() -> QIcon:
    """Return the icon in all its sizes."""
    icon = QIcon()
    for size in SIZES_PX:
        icon.addFile(str(FOLDER / f"moontable-{size}.png"))
    return icon


def name_program() -> None:
    """Tell the desktop the application's name and icon."""
    QGuiApplication.setApplicationName("Moontable")
    QGuiApplication.setDesktopFileName(DESKTOP_NAME)
    QGuiApplication.setWindowIcon(program_icon())
