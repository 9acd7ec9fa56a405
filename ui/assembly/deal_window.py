"""The window of a deal by itself, without a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ui.assembly.deal_lesson import DealLesson

if TYPE_CHECKING:
    from PyQt6.QtWidgets import QDialog

    from ui.settings import Settings

_INSTEAD: Final = "leave --window out"


def show_deal(lesson: DealLesson) -> bool:
    """Show a deal until its window is closed; return whether what was dealt is to be saved now."""
    # Qt's widgets are loaded only for a window: they need the libraries of a display.
    from ui.dialogs.alone import show_dialog
    from ui.sounds import Sounds
    from ui.wizard.deal_window import DealWindow

    made: list[DealWindow] = []
    sounds = Sounds()

    def make(settings: Settings) -> QDialog:
        def acknowledge() -> None:
            sounds.acknowledge(is_on=settings.has_sounds, volume=settings.volume)

        made.append(DealWindow(lesson, settings, acknowledge))
        return made[0]

    try:
        show_dialog(make, _INSTEAD)
    finally:
        sounds.close()
    return any(one.is_wanted for one in made)
