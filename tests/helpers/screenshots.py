"""Pictures of the window: ``python -m tests.helpers.screenshots FOLDER [--all]``.

Without ``--all`` only what the documents show; with it every scene in every theme and size.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PyQt6.QtWidgets import QApplication, QWidget

from companion.games.blue_moon_city.actions import Contribute
from companion.prompts import PromptKind
from companion.table import Place
from tests.helpers.city_session import PlayedTable, entered_session, played_table
from tests.helpers.simulated_look import one_look
from ui.bridge import ControllerBridge
from ui.main_window import MainWindow
from ui.settings import Settings, write_settings

SIZES = {"1280x720": (1280, 720), "1920x1080": (1920, 1080)}
PATIENCE_S = 10.0
# Flat drawings as PNG, packed as small as can be; photographs as JPEG.
QUALITY = {".png": 0, ".jpg": 85}


def settle(app: QApplication, condition: Callable[[], bool] = lambda: False, at_most_s: float = 0.4) -> None:
    """Let the window work until the condition holds or the time is over."""
    end = time.monotonic() + at_most_s
    while time.monotonic() < end and not condition():
        app.processEvents()
        time.sleep(0.002)


def cut(game: PlayedTable, wanted: Callable[[PlayedTable, int], bool]) -> PlayedTable:
    """Return the game up to the last action that is wanted."""
    last = max(number for number in range(1, len(game.actions) + 1) if wanted(game, number))
    return PlayedTable(
        header=game.header,
        tables=game.tables[: last + 1],
        states=game.states[: last + 1],
        actions=game.actions[:last],
    )


def completes(game: PlayedTable, number: int) -> bool:
    """Whether action `number` completes a building."""
    return (
        isinstance(game.actions[number - 1], Contribute)
        and len(game.states[number].built) > len(game.states[number - 1].built)
        and game.states[number].outcome is None
    )


def reward_scene(window: MainWindow) -> QWidget:
    """A building has just been completed."""
    return window


def trouble_scene(window: MainWindow) -> QWidget:
    """A marker lies where none may lie."""
    assert window.shown is not None
    for prompt in window.shown.prompts:
        if prompt.kind is not PromptKind.TURN:
            window.prompts.confirmed.emit(prompt.id)
    built = {tile.place for tile in window.shown.table.tiles if tile.side == "built"}
    spots = [spot for tile in window.shown.table.tiles if tile.place not in built for spot in tile.spots]
    free = [spot for spot in spots if spot.owner is None]
    player = next(player.player for player in window.shown.table.players if not player.is_active)
    window.bridge.report(Place(free[-1].place), player)
    return window


def log_scene(window: MainWindow) -> QWidget:
    """The log is open."""
    window.tabs.setCurrentIndex(1)
    return window


def mend_scene(window: MainWindow) -> QWidget:
    """An action is being mended."""
    window.mend_action.trigger()
    return window.side.mend_dialog


def glance_scene(window: MainWindow) -> QWidget:
    """Whose turn it is and what is due, for the far end of the room."""
    window.glance_action.trigger()
    return window.side.glance


def table_mode_scene(window: MainWindow) -> QWidget:
    """A screen that lies on the table."""
    window.table_mode_action.trigger()
    window.side.table_mode.showNormal()
    window.side.table_mode.resize(1280, 900)
    return window.side.table_mode


def report_scene(window: MainWindow) -> QWidget:
    """Charts of the game so far."""
    window.report_action.trigger()
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    settle(app, lambda: window.side.report is not None, PATIENCE_S)
    assert window.side.report is not None
    return window.side.report


def camera_scene(window: MainWindow) -> QWidget:
    """What the camera sees, with what was recognised, in the large place."""
    window.camera_action.trigger()
    return window


def rules_scene(window: MainWindow) -> QWidget:
    """Looking up a rule."""
    window.rules_action.trigger()
    return window.side.rules_panel


SCENES: dict[str, tuple[int, Callable[[MainWindow], QWidget]]] = {
    "rewards": (2, reward_scene),
    "trouble": (3, trouble_scene),
    "log": (4, log_scene),
    "mend": (2, mend_scene),
    "glance": (3, glance_scene),
    "table-mode": (4, table_mode_scene),
    "rules": (2, rules_scene),
    "report": (3, report_scene),
    "camera": (2, camera_scene),
}


def shoot(app: QApplication, scene: str, settings: Settings, size: tuple[int, int], target: Path) -> None:
    """Write one picture."""
    players, prepare = SCENES[scene]
    is_over = scene == "report"
    game = played_table(2000 if is_over else 150, players=players, seed=5)
    game = game if is_over else cut(game, completes)
    with tempfile.TemporaryDirectory() as folder:
        write_settings(Path(folder), settings)
        sources = [one_look(game.tables[-1], list(game.header["players"]))] if scene == "camera" else []
        session = entered_session(Path(folder), game, *sources)
        bridge = ControllerBridge(session)
        window = MainWindow(bridge, Path(folder), session.title)
        window.resize(*size)
        window.show()
        bridge.start()
        settle(app, lambda: window.shown is not None, PATIENCE_S)
        if sources:
            settle(app, lambda: window.picture is not None, PATIENCE_S)
        shot = prepare(window)
        settle(app)
        shot.grab().save(str(target), quality=QUALITY[target.suffix])
        if shot is not window:
            shot.close()
        window.close()
        session.referee.journal.close()


def main() -> int:
    """Write the pictures and say which."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--all", action="store_true", help="every scene, theme, size and scale")
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    app = QApplication(sys.argv[:1])
    themes = ("light", "dark")
    sizes = SIZES if chosen.all else {"1280x720": SIZES["1280x720"]}
    for scene in SCENES:
        for theme in themes if chosen.all else themes[: 2 if scene == "rewards" else 1]:
            for name, size in sizes.items():
                settings = Settings(theme=theme, is_still=True)
                ending = ".jpg" if scene == "camera" else ".png"
                target = chosen.folder / f"{scene}-{theme}{'-' + name if chosen.all else ''}{ending}"
                shoot(app, scene, settings, size, target)
                print(target)
    return 0


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main())
