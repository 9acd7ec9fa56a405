"""The command line of this room: ``moontable board --pty``."""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

from calibration.sensors import SensorProfile
from companion.errors import DeviceError, MalformedError
from firmware_bridge.virtual.control import BoardControl
from firmware_bridge.virtual.virtual_board import VirtualBoard, note_on_board

# Whose markers a virtual board without a game can lie under.
PLAYERS = ("purple", "white", "teal", "black")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a virtual board."""
    parser.add_argument(
        "--pty", type=Path, metavar="PATH", help="run a virtual board with this path as its port"
    )
    parser.add_argument(
        "--faults", type=probability, default=0.0, metavar="P", help="with --pty: bytes lost and flipped"
    )


def probability(text: str) -> float:
    """Return the number from 0 to 1 that an option is given; raises ArgumentTypeError for any other."""
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not a probability")
    return value


def run_board(args: argparse.Namespace) -> int:
    """Run the virtual board until it is interrupted, doing what is typed meanwhile."""
    if args.pty.exists() and not args.pty.is_symlink():
        print(f"{args.pty} exists and is not a link: choose another path", file=sys.stderr)
        return 1
    profile = SensorProfile(players=dict(enumerate(PLAYERS, 1)))
    try:
        with VirtualBoard(profile, path=args.pty, faults=args.faults) as board:
            if note := note_on_board():
                print(note, file=sys.stderr)
            print(f"the board is on {board.path}; press Ctrl+C to stop it; its table is empty", flush=True)
            _obey(BoardControl(board), sys.stdin)
            threading.Event().wait()
    except KeyboardInterrupt:
        return 0
    except (DeviceError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _obey(control: BoardControl, lines: Iterable[str]) -> None:
    for line in lines:
        try:
            told = control.obey(line)
        except MalformedError as error:
            told = str(error)
        if told:
            print(told, flush=True)
