"""``moontable board``: set up, check and try out a sensor table, or run a virtual one."""

from __future__ import annotations

import argparse
import contextlib
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TypeAlias

from calibration.sensors import SensorProfile
from calibration.store import load_profile
from companion.commands import Commands
from companion.errors import ProfileError
from companion.games import registry
from companion.printing import print_json
from companion.storage.strict import read_json_object
from firmware_bridge import commands as virtual
from firmware_bridge import recording
from firmware_bridge.health_report import report_lines
from firmware_bridge.rests import learn_rests
from firmware_bridge.trying_out import light_all, look_over
from ui.assembly.layouts import layout_of
from ui.assembly.sensor_face import TableFace
from ui.assembly.sensor_lesson import SensorLesson, keep_sensors, lead_by, walk
from ui.assembly.sensor_table import open_table

Does: TypeAlias = Callable[[argparse.Namespace], int]

BOX = registry.components(registry.DEFAULT)


def add_commands(commands: Commands) -> None:
    """Add ``board``."""
    parser = commands.add_parser(
        "board", help="a sensor table: set it up, check its health, or run a virtual one"
    )
    virtual.add_options(parser)
    parser.set_defaults(func=_run, parser=parser, what=None)
    what = parser.add_subparsers(title="what to do", metavar="WHAT")
    health = _add(what, "health", "how the table fares: line, readers, spots, drift", _health)
    health.add_argument("--profile", type=Path, metavar="DIR", help="what the table was set up with")
    health.add_argument("--json", action="store_true", help="print it as JSON")
    health.add_argument("--window", action="store_true", help="show it in a window that keeps updating")
    setup = _add(what, "setup", "learn magnets, sides and tags step by step, and keep them", _setup)
    setup.add_argument("--profile", type=Path, required=True, metavar="DIR", help="folder of the profile")
    setup.add_argument("--players", default="purple,white", metavar="A,B", help="colours in seat order")
    setup.add_argument("--edition", choices=BOX.editions, default=BOX.editions[0], help="of the game")
    setup.add_argument(
        "--every-box", action="store_true", help="a marker on every box, for boxes that differ in sensitivity"
    )
    setup.add_argument("--window", action="store_true", help="in a window")
    rest = _add(what, "rest", "clear the table, then learn the rest of every spot anew", _rest)
    rest.add_argument("--profile", type=Path, required=True, metavar="DIR", help="folder of the profile")
    told = what.add_parser(
        "replay", help="play a saved sensor line (watch --frame-log) through the engine again"
    )
    told.add_argument("log", type=Path, metavar="FILE", help="the saved line")
    told.set_defaults(what=_replay)
    layout = what.add_parser("layout", help="tell a table without readers which tile is where")
    layout.add_argument("header", type=Path, metavar="HEADER.json", help="the game's header, with its layout")
    layout.add_argument("--profile", type=Path, required=True, metavar="DIR", help="folder of the profile")
    layout.set_defaults(what=_layout)
    lights = _add(what, "lights", "light one cell after the other, and beep", _lights)
    lights.add_argument("--fast", action="store_true", help="do not wait between steps")


def _add(what: Commands, name: str, words: str, does: Does) -> argparse.ArgumentParser:
    parser = what.add_parser(name, help=words)
    parser.add_argument("--port", metavar="PORT", help="the port of the table (default: search for it)")
    parser.set_defaults(what=does)
    return parser


def _run(arguments: argparse.Namespace) -> int:
    if arguments.what is not None:
        return int(arguments.what(arguments))
    if arguments.pty is not None:
        return virtual.run_board(arguments)
    arguments.parser.print_help()
    return 2


# -- health ------------------------------------------------------------------------------------------------


def _health(arguments: argparse.Namespace) -> int:
    profile = SensorProfile() if arguments.profile is None else load_profile(arguments.profile).sensors
    table = open_table(profile, arguments.port)
    if arguments.window and profile is not None:
        # Qt is loaded only for a window: it needs the libraries of a display, and loading takes a while.
        from ui.assembly.sensor_windows import show_health

        return show_health(table, TableFace(table, profile, BOX.reading_text))
    report = look_over(table, BOX.reading_text)
    if arguments.json:
        print_json(asdict(report))
    else:
        for line in report_lines(report):
            print(line)
    return int(any(line.is_bad for line in report.lines))


# -- set-up ------------------------------------------------------------------------------------------------


def _setup(arguments: argparse.Namespace) -> int:
    players = arguments.players.split(",")
    known = _known(arguments.profile)
    table = open_table(known or SensorProfile(), arguments.port)
    lesson = SensorLesson(table, BOX, players, known, every_box=arguments.every_box)
    if arguments.window:
        # Qt is loaded only for a window: it needs the libraries of a display, and loading takes a while.
        from ui.assembly.sensor_windows import show_setup

        is_over = show_setup(lesson)
    else:
        print("Enter: skip this step; b: back; q: save what is learnt so far and stop", flush=True)
        threading.Thread(target=lead_by, args=(lesson, sys.stdin), daemon=True).start()
        is_over = walk(lesson)
    learnt = lesson.profile
    _keep(arguments.profile, learnt, arguments.edition, players)
    print(f"{len(learnt.tags)} tags and {len(learnt.spots)} spots are kept in {arguments.profile}")
    return int(not is_over)


def _known(folder: Path) -> SensorProfile | None:
    return load_profile(folder).sensors if (folder / "profile.json").is_file() else None


def _keep(folder: Path, learnt: SensorProfile, edition: str, players: Sequence[str]) -> None:
    keep_sensors(folder, learnt, edition=edition, players=players, layout=layout_of(registry.DEFAULT))


def _rest(arguments: argparse.Namespace) -> int:
    profile = load_profile(arguments.profile)
    known = profile.sensors
    table = open_table(known, arguments.port)
    assert known is not None  # open_table has refused it
    try:
        learnt = learn_rests(table, known)
    finally:
        table.close()
    before = [rest for rest, _ in known.spots]
    moved = sum(abs(rest - old) > 2 for (rest, _), old in zip(learnt.spots, before, strict=False))
    _keep(arguments.profile, learnt, profile.edition, profile.players)
    print(f"{len(learnt.spots)} rests are learnt; {moved} had moved by more than 2")
    return 0


def _layout(arguments: argparse.Namespace) -> int:
    """Keep which tile is on which cell; a tile without a sketch side is kept as built."""
    profile = load_profile(arguments.profile)
    layout = read_json_object(arguments.header).get("layout")
    if not isinstance(layout, dict) or not all(isinstance(tile, str) for tile in layout.values()):
        raise ProfileError(f"{arguments.header} has no layout")
    tiles = {cell: f"{tile}/built" if tile in BOX.built_only else tile for cell, tile in layout.items()}
    _keep(
        arguments.profile,
        replace(profile.sensors or SensorProfile(), layout=tiles),
        profile.edition,
        profile.players,
    )
    print(f"{len(tiles)} tiles are kept in {arguments.profile}")
    return 0


def _replay(arguments: argparse.Namespace) -> int:
    """Print the results of replaying a kept log: sessions, losses, the last values."""
    if not arguments.log.exists():
        raise ProfileError(f"there is no {arguments.log}")
    for line in recording.told(*recording.replay(recording.read_log(arguments.log))):
        print(line)
    return 0


# -- lights ------------------------------------------------------------------------------------------------


def _lights(arguments: argparse.Namespace) -> int:
    """Light each light, one after the other; Ctrl+C ends it."""
    table = open_table(SensorProfile(brightness=1.0), arguments.port)
    with contextlib.suppress(KeyboardInterrupt):
        light_all(table, lambda where: print(where, flush=True), is_fast=arguments.fast)
    return 0
