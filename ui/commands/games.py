"""``moontable games``: past games in a window or as JSON, continuing one, and taking one elsewhere."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Final

from companion.commands import Commands
from companion.errors import MalformedError
from companion.i18n import LANGUAGES, Voice, catalogue, said
from companion.people.store import PeopleStore
from companion.printing import print_json
from companion.session.exporting import TABLES
from companion.session.library import Library, statistics
from ui import folders
from ui.assembly.home import after
from ui.assembly.play import resume, shelf_of
from ui.assembly.salvage import ensure_whole
from ui.commands.salvage import add_salvage

REPORTS: Final = (".png", ".pdf")
ENDINGS: Final = (*REPORTS, ".jsonl", *TABLES)


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
    deeds = command.add_subparsers(dest="deed", metavar="export")
    export = deeds.add_parser("export", help="write a game as report, record or table of its actions")
    export.add_argument("game", help="file name of the game, as --json lists it")
    export.add_argument("file", type=Path, help=f"file to write; its ending is one of {', '.join(ENDINGS)}")
    export.add_argument("--language", choices=LANGUAGES, default="en", help="of the words (default: en)")
    export.set_defaults(func=run_export)


def run_export(arguments: argparse.Namespace) -> int:
    """Run ``games export``."""
    file: Path = arguments.file
    if file.suffix not in ENDINGS:
        raise MalformedError(f"{file.name} does not end with one of {', '.join(ENDINGS)}")
    folder = arguments.folder or folders.games_folder()
    if file.suffix in REPORTS:
        # Qt's widgets are loaded only for a report: they need the libraries of a display.
        from ui.assembly.reporting import write_report

        write_report(shelf_of(folder), arguments.game, file, arguments.language)
    else:
        library = Library(folder)
        names = PeopleStore(folders.people_file()).known().names(library.seats(arguments.game))
        voice = Voice(catalogue(arguments.language), names)
        library.export(arguments.game, file, lambda text: said(text, voice), names)
    print(file)
    return 0


def run_games(arguments: argparse.Namespace) -> int:
    """Run ``games``: show the list in its own window, then continue the chosen game."""
    folder = arguments.folder or folders.games_folder()
    if arguments.json:
        games = Library(folder).games()
        names = {person.id: person.name for person in PeopleStore(folders.people_file()).known().people}
        told = asdict(statistics(games, names))
        for row in told["players"]:
            row["name"] = names.get(row["person"], "")
        print_json({"games": [asdict(game) for game in games], "statistics": told})
        return 0
    if arguments.resume:
        ensure_whole(folder / arguments.resume, salvage=arguments.salvage)
        return after(resume(folder / arguments.resume))
    # Qt's widgets are loaded only for a window: they need the libraries of a display.
    from ui.dialogs.past_games import choose_game

    name = choose_game(shelf_of(folder))
    return 0 if name is None else after(resume(folder / name))
