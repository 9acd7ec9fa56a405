"""``moontable setup`` and ``by-hand``: the wizard, from nothing to a game being watched or played by hand."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands import Commands
from companion.games import registry
from ui import folders
from ui.assembly.home import after
from ui.assembly.own_copy import read_setup
from ui.assembly.play import play_by_hand, play_dealt
from ui.assembly.set_up import run_wizard


def add_commands(commands: Commands) -> None:
    """Add ``setup`` and ``by-hand``."""
    command = commands.add_parser("setup", help="set up camera, tiles and players step by step, then play")
    command.add_argument(
        "--profiles", type=Path, metavar="DIR", help="folder of the profiles (default: your data folder)"
    )
    command.set_defaults(func=run_setup)
    by_hand = commands.add_parser("by-hand", help="play without a camera: you click what happens")
    by_hand.add_argument("--game", choices=registry.NAMES, default=registry.DEFAULT, help="which game")
    by_hand.add_argument("--players", type=int, metavar="N", help="number of players, where no wizard asks")
    by_hand.add_argument(
        "--setup", type=Path, metavar="HEADER.json", help="header of the game (default: the wizard asks)"
    )
    by_hand.set_defaults(func=run_by_hand)


def run_setup(arguments: argparse.Namespace) -> int:
    """Run ``setup``: the wizard, then the game in its window."""
    return after(run_wizard(arguments.profiles or folders.profiles_folder()))


def run_by_hand(arguments: argparse.Namespace) -> int:
    """Run ``by-hand``: a game with the set-up in a file, or the one laid out in the wizard or dealt."""
    game = registry.lookup(arguments.game)
    if arguments.setup is not None:
        return after(play_by_hand(game.name, read_setup(arguments.setup, game)))
    if registry.has_components(game.name):
        return after(run_wizard(folders.profiles_folder(), is_by_hand=True))
    options = {} if arguments.players is None else {"players": arguments.players}
    return after(play_dealt(game.name, options))
