"""``moontable`` without a command: the home screen."""

from __future__ import annotations

from companion.commands import Commands
from ui.assembly.home import run_home


def add_commands(commands: Commands) -> None:
    """Add ``home``."""
    command = commands.add_parser("home", help="the home screen; the same as without a command")
    command.set_defaults(func=lambda _arguments: run_home())
