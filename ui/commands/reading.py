"""``moontable read``: say what is on photographed tables."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from calibration.profile import Profile
from calibration.store import load_profile
from companion.commands import EXIT_REFUSED, Commands
from companion.errors import MalformedError
from companion.game import Json
from companion.games import registry
from companion.printing import print_json
from ui.assembly.free_table import free_reader, what_lies
from ui.assembly.layouts import game_of
from vision.arrays import Picture8
from vision.capture.sources import open_picture_file
from vision.diagnostics.diagnosis import write_diagnosis
from vision.faces.locator import why_not_found
from vision.reader import Reader

Look: TypeAlias = Callable[[Picture8, Path, int], Json]
"""Says what a photograph shows: the picture, its file, its number."""


def add_commands(commands: Commands) -> None:
    """Add ``read``."""
    read = commands.add_parser("read", help="say what is on photographed tables")
    read.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    read.add_argument("--profile", required=True, type=Path, metavar="DIR")
    read.add_argument(
        "--debug", type=Path, metavar="DIR", help="write each step of the reading here (Blue Moon City)"
    )
    read.add_argument("--json", action="store_true")
    read.set_defaults(func=run_read)


def run_read(arguments: argparse.Namespace) -> int:
    """Run ``read``: name the pictures that cannot be opened, and still read the others."""
    profile = load_profile(arguments.profile)
    name = game_of(profile)
    is_free = registry.has_pieces(name)
    if is_free and arguments.debug is not None:
        raise MalformedError(f"--debug shows how printed places are read; {name} has none")
    look = _free_look(name, profile) if is_free else _printed_look(name, profile, arguments.debug)
    images: list[Json] = []
    status = 0
    for number, file in enumerate(arguments.images):
        if sys.stderr.isatty():
            print(f"\r{number + 1}/{len(arguments.images)}", end="\r", file=sys.stderr)
        try:
            frame = open_picture_file(file)
        except MalformedError as error:
            print(f"moontable: {error}", file=sys.stderr)
            status = EXIT_REFUSED
            continue
        images.append({"file": str(file), **look(frame, file, number)})
    if arguments.json:
        print_json({"images": images})
    else:
        for image in images:
            print(f"{image['file']}: {json.dumps(image['table'], ensure_ascii=False)}")
    return status


def _printed_look(name: str, profile: Profile, debug: Path | None) -> Look:
    """Return what reads tables with printed places."""
    reader, game = Reader(profile), registry.lookup(name)

    def look(frame: Picture8, file: Path, number: int) -> Json:
        reader.forget()
        observation = reader.read(frame, seq=number, seen_at_s=0.0, source=file.name)
        if reader.reading is None:
            _tell_lost(file, frame)
        if debug is not None:
            write_diagnosis(debug / file.stem, frame, reader.reading, observation)
        return {"table": game.format_reading(observation), "hand": observation.busy}

    return look


def _free_look(name: str, profile: Profile) -> Look:
    """Return what reads tables on which pieces lie anywhere: it tells of each piece besides."""
    reader, game = free_reader(name, profile, profile.players), registry.lookup(name)
    options = {"players": list(profile.players)}

    def look(frame: Picture8, file: Path, number: int) -> Json:
        reader.forget()
        observation = reader.read(frame, seq=number, seen_at_s=0.0, source=file.name)
        if not reader.is_found:
            _tell_lost(file, frame)
        return {
            "table": game.format_reading(game.laid_out(options, observation)),
            "hand": reader.table is not None and reader.table.has_hand,
            "pieces": what_lies(name, reader, profile.players),
        }

    return look


def _tell_lost(file: Path, frame: Picture8) -> None:
    print(f"{file}: the table was not found: {why_not_found(frame)}", file=sys.stderr)
