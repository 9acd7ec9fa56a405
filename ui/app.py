"""The entry point: the whole command line, built from the modules of all rooms.

A command imports only what it needs: `moontable verify` runs without Qt and OpenCV.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Final

from companion.cli import main as run_cli
from companion.commands import AddCommands, Commands

# The module that adds each command, by a function `add_commands(subparsers)`.
MODULES: Final = {
    "ui.commands.home": ("home",),
    "ui.commands.setup": ("setup", "by-hand"),
    "ui.commands.sight": ("enrol", "lens"),
    "ui.commands.reading": ("read",),
    "ui.commands.cards": ("cards",),
    "ui.commands.find": ("find",),
    "ui.commands.cases": ("keep-case", "replay-cases"),
    "ui.commands.watch": ("watch",),
    "ui.commands.demo": ("demo",),
    "ui.commands.correct": ("correct",),
    "ui.commands.games": ("games",),
    "ui.commands.people": ("people",),
    "ui.commands.bundle": ("replay-bundle",),
    "ui.commands.cameras": ("cameras", "check", "capture"),
    "ui.commands.sheets": ("sheets",),
    "ui.commands.board": ("board",),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command of `moontable` and return its exit status."""
    # The matrices here are small: linear algebra in several threads would only cost time that the pictures
    # need. NumPy reads these variables when it is loaded, so they are set before any room is imported.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    # Without a word it is the home screen, which comes up without loading what the commands need.
    words = list(sys.argv[1:] if argv is None else argv) or ["home"]
    wanted = next((word for word in words if not word.startswith("-")), None)
    return run_cli(
        words, extra=[_adder(module) for module, names in MODULES.items() if wanted in (None, *names)]
    )


def _adder(module: str) -> AddCommands:
    def add(commands: Commands) -> None:
        try:
            room = importlib.import_module(module)
        except ImportError as error:
            raise SystemExit(
                f"moontable: this command needs {error.name}, which is not installed: "
                "install Moontable with its dependencies (pip install .)"
            ) from error
        room.add_commands(commands)

    return add


if __name__ == "__main__":
    sys.exit(main())
