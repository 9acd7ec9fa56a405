"""Whether things may move in the window: as the players chose, unless the system asks for stillness."""

from __future__ import annotations

from PyQt6.QtWidgets import QApplication, QStyle

from ui.settings import Settings


def system_is_still() -> bool:
    """Whether the system's settings switch animations off, as far as Qt tells."""
    style = QApplication.style()
    return style is not None and style.styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) == 0


def is_still(settings: Settings) -> bool:
    """Whether everything is shown at once, without moving there."""
    return settings.is_still or system_is_still()
