"""``moontable demo``: a whole game on a simulated table, watched and refereed."""

from __future__ import annotations

import argparse

from companion.cli import add_game_options, game_options
from companion.commands import Commands
from firmware_bridge.commands import probability
from ui.assembly.demo import Demo, play_demo
from ui.assembly.home import after


def add_commands(commands: Commands) -> None:
    """Add ``demo``."""
    command = commands.add_parser("demo", help="a whole game on a simulated table, watched and refereed")
    add_game_options(command)
    command.add_argument("--sensors", action="store_true", help="a sensor table instead of a camera")
    command.add_argument("--camera", action="store_true", help="with --sensors: a camera beside it")
    command.add_argument(
        "--lose-camera",
        type=int,
        metavar="N",
        help="with --sensors --camera: remove the camera after N turns",
    )
    command.add_argument(
        "--faults", type=probability, default=0.0, metavar="P", help="share of bytes lost or flipped"
    )
    command.add_argument(
        "--filmed",
        action="store_true",
        help="film the table where its pieces lie anywhere; it is not read reliably yet",
    )
    command.add_argument("--headless", action="store_true", help="without a window")
    command.add_argument("--json", action="store_true", help="print the result as JSON (implies --headless)")
    command.set_defaults(func=run_demo)


def run_demo(arguments: argparse.Namespace) -> int:
    """Run ``demo``."""
    return after(
        play_demo(
            Demo(
                game=arguments.game,
                options=game_options(arguments),
                seed=arguments.seed,
                sensors=arguments.sensors,
                camera=arguments.camera,
                lose_camera=arguments.lose_camera,
                faults=arguments.faults,
                is_headless=arguments.headless or arguments.json,
                as_json=arguments.json,
                filmed=arguments.filmed,
            )
        )
    )
