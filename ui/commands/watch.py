"""``moontable watch``: follow a real game with a camera, a sensor table, or both."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands import Commands
from companion.games import registry
from companion.storage.files import ensure_writable
from ui.assembly.home import after
from ui.assembly.watch import Watching, watch_table
from ui.commands.salvage import add_salvage


def add_commands(commands: Commands) -> None:
    """Add ``watch``."""
    command = commands.add_parser("watch", help="watch a real game: follow it, referee it, keep score")
    command.add_argument(
        "source",
        metavar="SOURCE",
        help="folder of images, video file, http or rtsp address, camera:N; sensors or sensors:PORT; "
        "a camera and sensors together: camera:N+sensors",
    )
    command.add_argument(
        "--profile",
        required=True,
        type=Path,
        metavar="DIR",
        help="made by `moontable enrol` and `moontable board setup`",
    )
    command.add_argument(
        "--setup", type=Path, metavar="HEADER.json", help="header of the game (default: read from the table)"
    )
    command.add_argument("--game", choices=registry.NAMES, help="which game (default: the profile's)")
    command.add_argument(
        "--stills", action="store_true", help="the images are separate photographs, not a video"
    )
    command.add_argument("--record", type=Path, metavar="FILE", help="write the game's record at the end")
    command.add_argument(
        "--frame-log", type=Path, metavar="FILE", help="save every byte of the sensor table's line here"
    )
    command.add_argument("--journal", type=Path, metavar="FILE", help="start or resume this journal")
    add_salvage(command)
    command.add_argument("--headless", action="store_true", help="without a window")
    command.add_argument("--json", action="store_true", help="print a summary as JSON (implies --headless)")
    command.set_defaults(func=run_watch)


def run_watch(arguments: argparse.Namespace) -> int:
    """Run ``watch``."""
    if arguments.record is not None:
        ensure_writable(arguments.record)
    return after(
        watch_table(
            Watching(
                game=arguments.game,
                source=arguments.source,
                profile=arguments.profile,
                setup=arguments.setup,
                journal=arguments.journal,
                salvage=arguments.salvage,
                record=arguments.record,
                frame_log=arguments.frame_log,
                stills=arguments.stills,
                is_headless=arguments.headless,
                as_json=arguments.json,
            )
        )
    )
