"""``moontable people``: who is remembered on this computer; taking that elsewhere, and deleting it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from companion.commands import Commands
from companion.people.store import PeopleStore
from companion.printing import print_json
from companion.storage.files import written_whole
from ui import folders


def add_commands(commands: Commands) -> None:
    """Add ``people``."""
    command = commands.add_parser("people", help="who is remembered here: list, export, delete")
    deeds = command.add_subparsers(dest="deed", metavar="DEED", required=True)
    listing = deeds.add_parser("list", help="list names, who played last first")
    listing.add_argument("--json", action="store_true", help="print all that is kept about people as JSON")
    listing.set_defaults(func=run_list)
    export = deeds.add_parser("export", help="write all that is kept about people into a JSON file")
    export.add_argument("file", type=Path, metavar="FILE")
    export.set_defaults(func=run_export)
    delete = deeds.add_parser("delete", help="delete somebody from the list and from all games")
    delete.add_argument("name", metavar="NAME", help="as the list has it")
    delete.set_defaults(func=run_delete)


def run_list(arguments: argparse.Namespace) -> int:
    """Run ``people list``."""
    store = PeopleStore(folders.people_file())
    if arguments.json:
        print_json(store.export(folders.games_folder()))
        return 0
    people = store.read().recent()
    for person in people:
        print(" ".join((person.name, *(f"({colour})" for colour in person.colours[:1]))))
    if not people:
        print("Nobody is remembered here.")
    return 0


def run_export(arguments: argparse.Namespace) -> int:
    """Run ``people export``."""
    told = PeopleStore(folders.people_file()).export(folders.games_folder())
    with written_whole(arguments.file) as part:
        part.write_text(json.dumps(told, ensure_ascii=False, indent=1), "utf-8")
    print(arguments.file)
    return 0


def run_delete(arguments: argparse.Namespace) -> int:
    """Run ``people delete``."""
    store = PeopleStore(folders.people_file())
    person = store.by_name(arguments.name)
    store.delete(person.id, folders.games_folder())
    print(f"{person.name} is deleted from the list and from all games.")
    return 0
