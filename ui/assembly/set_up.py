"""The wizard by itself, then the game chosen in it: watched, played by hand, or the demo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from companion.game import Json
from companion.games import registry
from ui import settings as settings_store
from ui.assembly.demo import show_demo
from ui.assembly.house_guide import HouseGuide
from ui.assembly.play import play_by_hand, play_watched
from ui.onward import Left, Onward

if TYPE_CHECKING:
    from ui.settings import Settings
    from ui.wizard.wizard import SetupWizard


def run_wizard(profiles: Path, *, is_by_hand: bool = False) -> Left:
    """Show the wizard, then the game chosen in it."""
    # Qt's widgets are loaded only for a window: they need the libraries of a display.
    from ui.dialogs.alone import show_dialog
    from ui.wizard.wizard import SetupWizard

    guide = HouseGuide(profiles)
    made: list[SetupWizard] = []

    def make(_: Settings) -> SetupWizard:
        made.append(SetupWizard(guide, settings_store.default_folder(), sensors=guide, is_by_hand=is_by_hand))
        return made[0]

    if not show_dialog(make):
        return Left(status=1, onward=Onward.QUIT)
    outcome = made[0].outcome
    if made[0].wants_demo:
        return show_demo()
    if outcome is None:
        return Left(status=0)
    header = cast(Json, outcome.start)
    if not outcome.camera:
        return play_by_hand(registry.DEFAULT, header)
    return play_watched(registry.DEFAULT, outcome.camera, Path(outcome.profile), header)
