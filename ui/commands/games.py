"""``moontable games``: past games in a window or as JSON, and continuing one."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from companion.commands import Commands
from companion.printing import print_json
from companion.session.library import Library, statistics
from ui import folders
from ui.assembly.play import resume, shelf_of
from ui.assembly.salvage import ensure_whole
from ui.commands.salvage import add_salvage


def add_commands(commands: Commands) -> None:
    """Add ``games``."""
    command = commands.add_parser("games", help="past games: continue, replay, delete; statistics")
    command.add_argument("--folder", type=Path, metavar="DIR", help="folder of the games (default: your own)")
    command.add_argument("--resume", metavar="FILE", help="continue this game of the folder at once")
    add_salvage(command)
    command.add_argument(
        "--json", action="store_true", help="print list and statistics as JSON, without a window"
    )
    command.set_defaults(func=run_games)


def run_games(arguments: argparse.Namespace) -> int:
    """Run ``games``: show the list in its own window, then continue the chosen game."""
    folder = arguments.folder or folders.games_folder()
    if arguments.json:
        games = Library(folder).games()
        print_json({"games": [asdict(game) for game in games], "statistics": asdict(statistics(games))})
        return 0
    if arguments.resume:
        ensure_whole(folder / arguments.resume, salvage=arguments.salvage)
        return resume(folder / arguments.resume)
    # Qt's widgets are loaded only for a window: they need the libraries of a display.
    from ui.dialogs.past_games import choose_game

    name = choose_game(shelf_of(folder))
    return 0 if name is None else resume(folder / name)
