"""Starting Qt in a clean environment, although OpenCV's wheel points Qt at its own plugins."""

from __future__ import annotations

import os
import sys

from PyQt6.QtCore import QCoreApplication
from PyQt6.QtWidgets import QApplication

from ui.icon import name_program

_FOREIGN = ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_FONTDIR")

SWITCH_S = 0.0005


def forget_foreign_qt() -> None:
    """Unset the variables that importing cv2 set for its own, older Qt; those set by the user stay."""
    for name in _FOREIGN:
        if f"{os.sep}cv2{os.sep}" in os.environ.get(name, ""):
            del os.environ[name]


def favour_the_window() -> None:
    """Let Python's threads switch often: the window's thread waits for its turn with every item it paints."""
    sys.setswitchinterval(SWITCH_S)


def has_display() -> bool:
    """Whether a window can be opened; this is checked only on Linux and assumed elsewhere."""
    if not sys.platform.startswith("linux"):
        return True
    named = os.environ.get("QT_QPA_PLATFORM", "")
    is_virtual = named.startswith(("offscreen", "minimal", "vnc"))
    return is_virtual or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class _Begun:
    """Holds the application, which must outlive every window of the process."""

    application: QCoreApplication | None = None


def begin_qt(instead: str) -> QCoreApplication | None:
    """Return Qt's application, creating it if there is none yet; None if there is no display."""
    if not has_display():
        hint = f"; {instead}" if instead else ""
        print(f"moontable: there is no display to open a window on{hint}", file=sys.stderr)
        return None
    forget_foreign_qt()
    favour_the_window()
    _Begun.application = QApplication.instance() or QApplication(sys.argv[:1])
    name_program()
    return _Begun.application
