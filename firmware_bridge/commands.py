"""The command line of this room: ``moontable board``."""

from __future__ import annotations

import argparse
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.sensors import SensorProfile
from companion.errors import DeviceError
from firmware_bridge.virtual_board import VirtualBoard

if TYPE_CHECKING:
    # The action's class is private to argparse; its type is not.
    SubParsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_commands(subparsers: SubParsers) -> None:
    """Add ``board`` to the program's commands."""
    parser = subparsers.add_parser("board", help="a virtual sensor board behind a pseudo terminal")
    parser.add_argument("--pty", type=Path, required=True, metavar="PATH", help="where the port shall appear")
    parser.add_argument(
        "--faults", type=_probability, default=0.0, metavar="P", help="bytes lost and flipped"
    )
    parser.set_defaults(func=run_board)


def _probability(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is no probability")
    return value


def run_board(args: argparse.Namespace) -> int:
    """Run the virtual board until it is interrupted."""
    if args.pty.exists() and not args.pty.is_symlink():
        print(f"{args.pty} exists and is no link: choose another path", file=sys.stderr)
        return 1
    try:
        with VirtualBoard(SensorProfile(), path=args.pty, faults=args.faults) as board:
            print(f"the board is on {board.path}; Ctrl+C ends it", flush=True)
            threading.Event().wait()
    except KeyboardInterrupt:
        return 0
    except (DeviceError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0
