"""The dialog for a new game: what follows it is looked for anew for each game."""

from __future__ import annotations

import threading
from pathlib import Path

from pytestqt.qtbot import QtBot

from ui.assembly.home import ProgramBehind
from ui.home.new_game import NewGame
from ui.home.plan import Watchers
from ui.settings import Settings


class SlowDoor(ProgramBehind):
    """A program that finds nothing for the first game until it is let."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, folder, folder / "people.json")
        self.may_find = threading.Event()
        self.asked: list[str] = []

    def watchers(self, game: str) -> Watchers:
        """Return a camera for the first game, after a while, and nothing for others."""
        self.asked.append(game)
        if game != "blue_moon_city":
            return Watchers(can_follow=False)
        self.may_find.wait(10)
        return Watchers(can_follow=True, cameras=(("camera:0", "Front"),))


def test_another_game_is_chosen_while_cameras_are_looked_for(tmp_path: Path, qtbot: QtBot) -> None:
    """What is found for the game that was left is not taken for the other one's."""
    door = SlowDoor(tmp_path)
    dialog = NewGame(door, door.forms(), Settings())
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: door.asked == ["blue_moon_city"])
    dialog.games["nova_luna"].click()
    door.may_find.set()
    qtbot.waitUntil(lambda: dialog.following.watchers is not None)

    assert dialog.following.watchers == Watchers(can_follow=False)
    assert ["blue_moon_city", "nova_luna"] == door.asked
    dialog.reject()
