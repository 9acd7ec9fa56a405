"""``moontable demo``: simulated players and a simulated camera or sensor table; all that follows is real."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.layout import blue_moon_city
from companion.cli import add_game_options, game_options
from companion.cli import main as run_cli
from companion.commands import Commands
from companion.errors import MalformedError
from companion.games import registry
from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.catalogue import CARDS, COURTYARD, Building, Catalogue, Reward
from companion.ports import ObservationSource
from companion.printing import print_json
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.session.watch import turns_of, watch
from companion.simulation.eye import NoisyEye, SimulatedSource
from companion.simulation.loose_pieces import LooseTable
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import Moment, SimulatedTable
from companion.table import kind_of, parts_of
from firmware_bridge.commands import probability
from ui.assembly.cable import CabledFrames, Reel, SimulatedCable
from ui.assembly.sensor_table import debounce_rules
from ui.commands.watch import PicturedCamera, Teller, show_window
from ui.text import tr
from vision.camera_source import CameraSource
from vision.capture.sources.frame import FrameSource
from vision.enrolment.cards import learn_cards
from vision.enrolment.enrol import enrol
from vision.reader import Reader
from vision.simulation.art import TileArt
from vision.simulation.camera import SimulatedCamera
from vision.simulation.frames import FRAMES_PER_S, Scene, SimulatedFrames

if TYPE_CHECKING:
    from ui.assembly.played_sensors import PlayedSensors

COLOURS = {
    "purple": (150, 44, 118),
    "orange": (20, 120, 235),
    "white": (236, 236, 236),
    "teal": (150, 140, 20),
    "black": (38, 34, 32),
    "pink": (168, 104, 236),
}

# White pieces are hard to tell on pale tiles, black ones on black buildings; the demo shows what goes well.
PLAYERS = ("purple", "orange", "teal", "pink")


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
    command.add_argument("--headless", action="store_true", help="without a window")
    command.add_argument("--json", action="store_true", help="print the result as JSON (implies --headless)")
    command.set_defaults(func=run_demo)


def run_demo(arguments: argparse.Namespace) -> int:
    """Run ``demo``."""
    game = registry.lookup(arguments.game)
    rng = random.Random(arguments.seed)
    options = game_options(arguments)
    if game.name == "blue_moon_city":
        options["players"] = _players(options.get("players", 2))
    header = game.deal(rng, options)
    table = SimulatedTable(game, header, rng, stages=game.stages)
    headless = arguments.headless or arguments.json
    with (
        tempfile.TemporaryDirectory(prefix="moontable-demo-") as folder,
        Journal.create(Path(folder) / "demo.moontable", game.public_header(header)) as journal,
    ):
        referee = Referee(game, journal, debounce_rules())
        keeper = Scorekeeper(table, referee)
        if game.name != "blue_moon_city":
            loose = LooseTable(game, random.Random(f"{arguments.seed}/hands"))
            eye = NoisyEye(rng, group_of=game.group_of, loose=loose)
            source: ObservationSource = SimulatedSource(table.moments(), eye)
            return _headless(source, referee, keeper, as_json=arguments.json)
        moments = table.moments()
        if arguments.sensors:
            return _sensor_demo(arguments, table, referee, keeper)
        cable = None if headless else SimulatedCable()
        camera = _camera(moments, referee, seed=arguments.seed, cable=cable)
        if headless:
            return _headless(camera, referee, keeper, as_json=arguments.json)
        return show_window(referee, [PicturedCamera(camera)], None, played=keeper, cable=cable)


def show_demo() -> int:
    """Show the demo in a window, as ``moontable demo`` does; its table is learnt first, which is told."""
    from PyQt6.QtCore import QTimer
    from PyQt6.QtWidgets import QApplication, QLabel

    waiting = QLabel(tr("Preparing the demo; this takes a few seconds …"))
    waiting.setMargin(40)
    waiting.show()
    QApplication.processEvents()
    # Timers run when the window of the game has been opened and not before.
    QTimer.singleShot(0, waiting.deleteLater)
    return run_cli(["demo"], extra=[add_commands])


def _players(number: int) -> tuple[str, ...]:
    """Return the players whose pieces the simulated camera knows how to paint."""
    if not 2 <= number <= len(PLAYERS):
        raise MalformedError(f"the demo is for 2 to {len(PLAYERS)} players")
    return PLAYERS[:number]


def _headless(
    source: ObservationSource, referee: Referee[Any, Any], keeper: Scorekeeper[Any, Any], *, as_json: bool
) -> int:
    summary = watch(
        source,
        referee,
        progress=None if as_json else Teller(referee),
        answer=keeper.answer,
        protest=keeper.protest,
    )
    document = {
        "result": summary.result,
        "turns": summary.turns,
        "wrong_commits": keeper.wrong,
        "questions": summary.questions,
    }
    print_json(document)
    if summary.result is None:
        print("moontable: the demo did not reach its end", file=sys.stderr)
        return 1
    if summary.result["winners"] != keeper.true_winners:
        print(f"moontable: the players say that {keeper.true_winners} won", file=sys.stderr)
        return 1
    return 0


# -- the sensor table --------------------------------------------------------------------------------------


def _sensor_demo(
    arguments: argparse.Namespace,
    table: SimulatedTable[Any, Any],
    referee: Referee[Any, Any],
    keeper: Scorekeeper[Any, Any],
) -> int:
    """Play on the sensor table, with a camera beside it if one is wanted."""
    from firmware_bridge.virtual.virtual_board import note_on_board
    from ui.assembly.played_sensors import LookingOn, OnTableTime, SensorSource, SimulatedSensors
    from ui.assembly.sensor_face import PicturedTable
    from ui.assembly.stepped_sensors import SteppedSensors

    if note := note_on_board():
        print(f"moontable: {note}", file=sys.stderr)
    moments = table.moments()
    faults, seed = arguments.faults, arguments.seed
    if arguments.headless or arguments.json:
        stepped = SteppedSensors(table.picture, GAME.boxes_of_tile, faults=faults, seed=seed)
        stepped.lamps.follow(referee)
        watched = (
            _both(arguments, stepped, moments, referee)
            if arguments.camera
            else SensorSource(stepped, moments)
        )
        return _headless(watched, referee, keeper, as_json=arguments.json)
    sensors = SimulatedSensors(table.picture, GAME.boxes_of_tile, faults=faults, seed=seed)
    sensors.lamps.follow(referee)
    if not arguments.camera:
        source: ObservationSource = SensorSource(sensors, moments)
    elif arguments.lose_camera is not None:
        source = _both(arguments, sensors, moments, referee)
    else:
        camera = _camera(_laid(sensors, moments), referee, seed=arguments.seed, cable=SimulatedCable())
        return show_window(
            referee,
            [
                OnTableTime(PicturedCamera(camera), sensors.clock),
                PicturedTable(LookingOn(sensors), sensors.lamps),
            ],
            None,
            played=keeper,
            cable=sensors,
        )
    return show_window(referee, [PicturedTable(source, sensors.lamps)], None, played=keeper, cable=sensors)


def _laid(sensors: PlayedSensors, moments: Iterable[Moment]) -> Iterator[Moment]:
    """Lay each moment on the sensors as the camera comes to film it."""
    for moment in moments:
        sensors.lay(moment.picture)
        yield moment


def _both(
    arguments: argparse.Namespace,
    sensors: PlayedSensors,
    moments: Iterator[Moment],
    referee: Referee[Any, Any],
) -> ObservationSource:
    """Return camera and sensor table as one source; the camera may be taken away."""
    from ui.assembly.played_sensors import BothSources

    camera = _camera(_laid(sensors, moments), referee, seed=arguments.seed)
    last = arguments.lose_camera
    return BothSources(camera, sensors, moments, lambda: last is not None and turns_of(referee) > last)


# -- the camera ---------------------------------------------------------------------------------------------


def _camera(
    moments: Iterable[Moment],
    referee: Referee[Any, Any],
    *,
    seed: int,
    cable: SimulatedCable | None = None,
) -> CameraSource:
    """Return the simulated camera over the table, with a profile that was learnt from its photographs.

    With a cable it films at a camera's pace and can be pulled out; without one as fast as frames are taken.
    """
    players = referee.journal.header["players"]
    camera = SimulatedCamera(
        blue_moon_city(), tile_arts(GAME.catalogue), {name: COLOURS[name] for name in players}, seed=seed
    )
    profile = enrol(
        camera.enrolment().photographs(),
        camera.layout,
        edition="demo",
        players=tuple(players),
        boxes_of_tile=GAME.boxes_of_tile,
        report=lambda what: print(f"learning {what} ...", file=sys.stderr),
    )
    print("learning the cards ...", file=sys.stderr)
    profile = learn_cards(profile, camera.frame({}), camera.card_photographs(CARDS), CARDS)
    reel = Reel(scenes(moments))
    frames: FrameSource = SimulatedFrames(camera, reel, pace_s=0.0 if cable is None else 1 / FRAMES_PER_S)
    if cable is not None:
        frames = CabledFrames(frames, cable, reel.pass_over)
    return CameraSource(frames, Reader(profile), expected=lambda: referee.expectation)


def scenes(moments: Iterable[Moment]) -> Iterator[Scene]:
    """Return the moments as the camera films them: a hand reaches over the cell that is touched."""
    for moment in moments:
        over = None
        if moment.busy:
            over = next((cell for cell in map(_cell_of, sorted(moment.hidden)) if cell), "2,2")
        yield Scene(picture=moment.picture, hand_over=over)


def _cell_of(where: Any) -> str | None:
    return parts_of(where)[0] if kind_of(where) in ("cell", "box") else None


def tile_arts(catalogue: Catalogue) -> list[TileArt]:
    """Return what the simulated camera prints on the tiles."""
    return [TileArt(tile=COURTYARD), *(_art(building) for building in catalogue.buildings.values())]


def _art(building: Building) -> TileArt:
    return TileArt(
        tile=building.tile,
        people="" if building.colour == "any" else building.colour,
        boxes=tuple((building.colour, value) for value in building.values),
        majority=_icons(building.majority),
        contributor=_icons(building.contributor),
        neighbour=_icons(building.neighbour),
    )


def _icons(reward: Reward) -> tuple[str, ...]:
    return ("crystal",) * reward.crystals + ("scale",) * reward.scales + ("card",) * reward.cards
