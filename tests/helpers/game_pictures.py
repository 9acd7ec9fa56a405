"""Pictures of the games that are played by pointing: ``python -m tests.helpers.game_pictures FOLDER``.

Each game is in its middle, always the same one, in the light theme; with ``--dark`` in the dark one.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PyQt6.QtWidgets import QApplication

from companion.games import registry
from companion.prompts import PromptKind
from companion.session.journal import Journal
from companion.session.referee import Referee
from ui.controller.bridge import ControllerBridge
from ui.controller.session import Session
from ui.main_window import MainWindow
from ui.settings import Settings, write_settings

PATIENCE_S = 10.0
SIZE_WH = (1280, 720)
SEED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A moment to show: so many actions after the set-up."""

    actions: int
    options: Mapping[str, Any] = field(default_factory=dict)


# In the order of the registry, without the game that has cells.
MOMENTS = dict(
    zip(
        registry.NAMES[1:],
        (
            Shown(actions=34, options={"players": 3}),
            Shown(actions=14, options={"players": 2, "books": 3}),
            Shown(actions=24, options={"decks": ("buka", "vulca")}),
        ),
        strict=True,
    )
)


@contextmanager
def shown_game(app: QApplication, name: str, settings: Settings) -> Iterator[MainWindow]:
    """Open the window on a game in its middle, whatever was done by hand confirmed."""
    game, rng, moment = registry.lookup(name), random.Random(SEED), MOMENTS[name]
    choose = game.random_player(rng)
    with tempfile.TemporaryDirectory(prefix="moontable-pictures-") as folder:
        home = Path(folder)
        write_settings(home, settings)
        with Journal.create(home / "game.moontable", game.deal(rng, dict(moment.options))) as journal:
            referee = Referee(game, journal)
            for _ in range(moment.actions):
                for prompt in referee.prompts:
                    if prompt.kind is not PromptKind.TURN:
                        referee.confirm(prompt.id)
                referee.enter(game.with_chance(referee.state, choose(referee.state), rng))
            bridge = ControllerBridge(
                Session(referee=referee, presenter=registry.display(name).presenter, title="Moontable")
            )
            window = MainWindow(bridge, home, "Moontable")
            window.resize(*SIZE_WH)
            window.show()
            bridge.start()
            _settle(app, window)
            yield window
            window.close()


def _settle(app: QApplication, window: MainWindow) -> None:
    """Let the window show everything."""
    end = time.monotonic() + PATIENCE_S
    while window.shown is None and time.monotonic() < end:
        app.processEvents()
    for _ in range(20):
        app.processEvents()


def main() -> int:
    """Write the pictures and say which."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dark", action="store_true")
    chosen = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QApplication([])
    theme = "dark" if chosen.dark else "light"
    for name in MOMENTS:
        with shown_game(app, name, Settings(theme=theme, language="en", is_still=True)) as window:
            file = chosen.folder / f"{name}-{theme}.png"
            if not window.grab().save(str(file), quality=0):
                raise OSError(f"{file} cannot be written")
            print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
