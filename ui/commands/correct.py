"""``moontable correct``: correct the printed values of tiles that differ in your copy."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from calibration.corrections import read_corrections, write_corrections
from calibration.store import load_profile
from companion.commands import Commands
from companion.errors import MalformedError
from companion.games import registry

PARTS = ("majority", "contributor", "neighbour")


def add_commands(commands: Commands) -> None:
    """Add ``correct``."""
    command = commands.add_parser("correct", help="correct a printed value for your own copy of the game")
    command.add_argument("--profile", required=True, type=Path, metavar="DIR", help="your profile")
    command.add_argument("--game", choices=registry.NAMES, default=registry.DEFAULT)
    command.add_argument("tile", metavar="TILE", nargs="?", help="the tile's name, for example mill")
    command.add_argument("--boxes", metavar="4,2,2", help="numbers of the contribution boxes, left to right")
    command.add_argument("--colour", help="the people whose cards pay, or any")
    for part in PARTS:
        command.add_argument(f"--{part}", metavar="crystals=2,...", help=f"reward: {part}")
    command.add_argument("--forget", action="store_true", help="remove the tile's corrections")
    command.set_defaults(func=run_correct)


def run_correct(arguments: argparse.Namespace) -> int:
    """Run ``correct``; without a tile, list the corrections."""
    load_profile(arguments.profile)  # refuses a folder without a profile before anything is written
    kept = read_corrections(arguments.profile)
    if arguments.tile is not None:
        change = {} if arguments.forget else {**kept.get(arguments.tile, {}), **_change(arguments)}
        kept = {**kept, arguments.tile: change}
        if not change:
            del kept[arguments.tile]
        registry.lookup(arguments.game).corrected(kept)
        write_corrections(arguments.profile, kept)
    for tile, change in kept.items():
        print(f"{tile}: {change}")
    if not kept:
        print("there are no corrections")
    return 0


def _change(arguments: argparse.Namespace) -> dict[str, Any]:
    change: dict[str, Any] = {}
    if arguments.boxes:
        change["boxes"] = [_number(text) for text in arguments.boxes.split(",")]
    if arguments.colour:
        change["colour"] = arguments.colour
    for part in PARTS:
        text = getattr(arguments, part)
        if text:
            pairs = [pair.partition("=") for pair in text.split(",")]
            change[part] = {name: _number(value) for name, _, value in pairs}
    return change


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise MalformedError(f"{text!r} is not a whole number") from None
