"""``moontable board``: a sensor table set up, looked after and tried out; and one made of software."""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final, TypeAlias

from calibration.sensors import SensorProfile
from calibration.store import load_profile
from companion.commands import Commands
from companion.errors import ProfileError
from companion.games.blue_moon_city.catalogue import COURTYARD
from companion.games.blue_moon_city.setup import EDITIONS
from companion.printing import print_json
from companion.storage.strict import read_json_object
from companion.table import kind_of
from firmware_bridge import commands as virtual
from firmware_bridge.lights import map_lights
from firmware_bridge.recording import read_log, replay
from firmware_bridge.session import SensorTable
from firmware_bridge.wire.news import Mismatch, Missed, Opened, Over, Unanswered
from ui.assembly.sensor_lesson import SensorLesson, kept, learn_rests
from ui.assembly.sensor_table import open_table
from ui.commands.sensor_health import report_on
from ui.controller.sensor_face import HealthReport
from ui.wizard.sensor_guide import LessonView

Does: TypeAlias = Callable[[argparse.Namespace], int]

# The board's counters and all spots are asked for every other second or less often: so long a look takes.
SCENERIES: Final = 12
SHOW_LOOKS: Final = 3
TEST_LIGHT: Final = (255, 255, 255)


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
    setup.add_argument("--edition", choices=EDITIONS, default=EDITIONS[0], help="of the game")
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
    if arguments.window and profile is not None:
        from ui.assembly.sensor_windows import show_health

        return show_health(open_table(profile, arguments.port), profile)
    report = _looked_at(open_table(profile, arguments.port))
    if arguments.json:
        print_json(asdict(report))
    else:
        for line in health_lines(report):
            print(line)
    return int(any(line.is_bad for line in report.lines))


def _looked_at(table: SensorTable) -> HealthReport:
    """Return the health after a look at everything; raises DeviceError where there is no table."""
    table.raw_every_s = 0.5
    try:
        for number, _ in enumerate(table.observations()):
            if number >= SCENERIES and table.health.board is not None:
                break
        return report_on(table)
    finally:
        table.close()


def health_lines(report: HealthReport) -> Iterable[str]:
    """Return a report as lines to print."""
    for line in report.lines:
        yield f"{'!' if line.is_bad else ' '} {line.name}: {line.value}"
        if line.advice:
            yield f"    {line.advice}"
    for cell in report.cells:
        if cell.words or cell.faults:
            told = "; ".join((*cell.words, *(f"! {fault}" for fault in cell.faults)))
            yield f"  cell {cell.cell[0]},{cell.cell[1]}: {told}"


# -- set-up ------------------------------------------------------------------------------------------------


def _setup(arguments: argparse.Namespace) -> int:
    players = arguments.players.split(",")
    known = _known(arguments.profile)
    table = open_table(known or SensorProfile(), arguments.port)
    lesson = SensorLesson(table, players, known, every_box=arguments.every_box)
    if arguments.window:
        from ui.assembly.sensor_windows import show_setup

        is_over = show_setup(lesson)
    else:
        print("Enter: skip this step; b: back; q: save what is learnt so far and stop", flush=True)
        threading.Thread(target=_listen, args=(lesson, sys.stdin), daemon=True).start()
        is_over = walk(lesson)
    profile = kept(arguments.profile, lesson.profile, edition=arguments.edition, players=players)
    learnt = profile.sensors or SensorProfile()
    print(f"{len(learnt.tags)} tags and {len(learnt.spots)} spots are kept in {arguments.profile}")
    return int(not is_over)


def _known(folder: Path) -> SensorProfile | None:
    return load_profile(folder).sensors if (folder / "profile.json").is_file() else None


def walk(lesson: SensorLesson) -> bool:
    """Print what to do as the lesson goes on; return whether it came to its end."""
    last: LessonView | None = None
    try:
        for view in lesson.views():
            if last is None or view.text != last.text:
                print(f"{view.done + 1}/{view.steps}  {view.text}", flush=True)
            if view.missing and (last is None or view.missing != last.missing):
                print(f"      {view.missing}", flush=True)
            last = view
    except KeyboardInterrupt:
        pass
    finally:
        lesson.close()
    return last is not None and last.is_over


def _listen(lesson: SensorLesson, lines: Iterable[str]) -> None:
    """Let what is typed move the lesson."""
    for line in lines:
        word = line.strip().lower()
        if word == "q":
            lesson.close()
            return
        (lesson.back if word == "b" else lesson.skip)()


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
    kept(arguments.profile, learnt, edition=profile.edition, players=profile.players)
    print(f"{len(learnt.spots)} rests are learnt; {moved} had moved by more than 2")
    return 0


def _layout(arguments: argparse.Namespace) -> int:
    """Keep which tile lies where; a tile without a sketch says its side itself."""
    profile = load_profile(arguments.profile)
    layout = read_json_object(arguments.header).get("layout")
    if not isinstance(layout, dict) or not all(isinstance(tile, str) for tile in layout.values()):
        raise ProfileError(f"{arguments.header} has no layout")
    lying = {cell: f"{tile}/built" if tile == COURTYARD else tile for cell, tile in layout.items()}
    learnt = replace(profile.sensors or SensorProfile(), layout=lying)
    kept(arguments.profile, learnt, edition=profile.edition, players=profile.players)
    print(f"{len(lying)} tiles are kept in {arguments.profile}")
    return 0


def _replay(arguments: argparse.Namespace) -> int:
    """Print what the engine makes of a kept line: sessions, losses, the values in the end."""
    if not arguments.log.exists():
        raise ProfileError(f"there is no {arguments.log}")
    link, news = replay(read_log(arguments.log))
    for item in news:
        if isinstance(item, Opened | Over | Missed | Mismatch | Unanswered):
            print(item)
    counters = ", ".join(f"{name} {count}" for name, count in asdict(link.counters).items())
    print(f"{counters}, damaged {link.bad_frames}")
    filled = {slot: value for slot, value in enumerate(link.slots.values) if value}
    print(f"{'whole' if link.is_whole else 'not whole'}; slots that hold something: {filled}")
    return 0


# -- lights ------------------------------------------------------------------------------------------------


def _lights(arguments: argparse.Namespace) -> int:
    """Light what can be lit, one after the other; Ctrl+C ends it."""
    table = open_table(SensorProfile(brightness=1.0), arguments.port)
    try:
        seen = table.observations()
        next(seen)
        places = sorted(map_lights(table.entries), key=lambda where: (kind_of(where) != "cell", where))
        if not places:
            raise ProfileError("this table has no lights")
        table.beep(880, 200)
        for where in places:
            print(where, flush=True)
            table.show({where: TEST_LIGHT})
            for _ in range(0 if arguments.fast else SHOW_LOOKS):
                next(seen)
        table.show({})
        next(seen)
    except KeyboardInterrupt:
        return 0
    finally:
        table.close()
    return 0
