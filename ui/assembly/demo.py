"""The demo: the players and the camera or sensor table are simulated; everything else is the real program."""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.components import Components
from companion.errors import MalformedError
from companion.games import registry
from companion.ports import ObservationSource
from companion.printing import print_json
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.session.telling import Teller
from companion.session.watch import turns_of, watch
from companion.simulation.eye import NoisyEye, SimulatedSource
from companion.simulation.loose_pieces import LooseTable
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import Moment, SimulatedTable
from companion.table import parts_of
from firmware_bridge.virtual.virtual_board import note_on_board
from ui.assembly.cable import CabledFrames, Reel, SimulatedCable
from ui.assembly.demo_profile import Report, drawings_of, learnt_profile
from ui.assembly.free_demo import FreeDemo
from ui.assembly.free_table import free_text
from ui.assembly.layouts import has_board, layout_of
from ui.assembly.pictured_camera import PicturedCamera
from ui.assembly.play import show_window
from ui.assembly.played_sensors import (
    BothSources,
    LookingOn,
    OnTableTime,
    PlayedSensors,
    SensorSource,
    SimulatedSensors,
)
from ui.assembly.sensor_face import PicturedTable
from ui.assembly.sensor_table import debounce_rules
from ui.assembly.simulated_eye import WatchedEye
from ui.assembly.stepped_sensors import SteppedSensors
from ui.controller.session import PicturedSource
from ui.onward import Left, Onward
from ui.text import tr
from vision.camera_source import CameraSource
from vision.capture.sources.frame import FrameSource
from vision.reader import Reader
from vision.simulation.camera import SimulatedCamera
from vision.simulation.frames import FRAMES_PER_S, FilmedMoment, SimulatedFrames
from vision.simulation.printed_tiles import CLEAR_COLOURS, PIECE_COLOURS, tile_arts


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """Which game is played on which simulated table.

    Attributes:
        options: options of the set-up, as `Game.deal` takes them.
        sensors: a sensor table instead of a camera.
        camera: with `sensors`: a camera beside it.
        lose_camera: with both: the number of turns after which the camera is taken away.
        faults: share of a sensor table's bytes that are lost or corrupted.
        as_json: without a window, print only the result, as JSON.
        filmed: the table is filmed instead of told, where its pieces lie anywhere.
    """

    game: str = registry.DEFAULT
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    sensors: bool = False
    camera: bool = False
    lose_camera: int | None = None
    faults: float = 0.0
    is_headless: bool = False
    as_json: bool = False
    filmed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stage:
    """A running demo: the simulated table, its referee, and the keeper, who knows what is really played."""

    wanted: Demo
    box: Components
    table: SimulatedTable[Any, Any]
    referee: Referee[Any, Any]
    keeper: Scorekeeper[Any, Any]


def play_demo(wanted: Demo) -> Left:
    """Play a game to its end, or until the window is closed."""
    game = registry.lookup(wanted.game)
    box = registry.components(wanted.game) if registry.has_components(wanted.game) else None
    if wanted.sensors and not has_board(wanted.game):
        raise MalformedError(f"there is no sensor table for {wanted.game}: its pieces lie anywhere")
    if box is None and wanted.camera:
        raise MalformedError(f"there is no camera for {wanted.game} yet")
    rng = random.Random(wanted.seed)
    options = dict(wanted.options)
    if box is not None:
        options["players"] = _players(options.get("players", 2))
    header = game.deal(rng, options)
    table = SimulatedTable(game, header, rng, stages=game.stages)
    with (
        tempfile.TemporaryDirectory(prefix="moontable-demo-") as folder,
        Journal.create(Path(folder) / "demo.moontable", game.public_header(header)) as journal,
    ):
        referee = Referee(game, journal, debounce_rules())
        keeper = Scorekeeper(table, referee)
        if box is None:
            if _is_filmed(wanted):
                demo = FreeDemo(game, header, wanted.seed)
                return _play_before_free_camera(demo, wanted, table, referee, keeper)
            loose = LooseTable(game, random.Random(f"{wanted.seed}/hands"))
            eye = NoisyEye(rng, group_of=game.group_of, loose=loose)
            source = SimulatedSource(table.moments(), eye)
            if wanted.is_headless:
                return _headless(source, referee, keeper, as_json=wanted.as_json)
            return show_window(referee, [WatchedEye(source)], played=keeper)
        stage = _Stage(wanted=wanted, box=box, table=table, referee=referee, keeper=keeper)
        return _play_on_sensors(stage) if wanted.sensors else _play_before_camera(stage)


def show_demo() -> Left:
    """Show the demo in a window, as ``moontable demo`` does; a notice is shown while its table is learnt."""
    # Qt's widgets are loaded only for a window: they need the libraries of a display.
    from PyQt6.QtCore import QTimer
    from PyQt6.QtWidgets import QApplication, QLabel

    waiting = QLabel(tr("Preparing the demo; this takes a few seconds …"))
    waiting.setMargin(40)
    waiting.show()
    QApplication.processEvents()
    # Timers do not run before the game's window has been opened.
    QTimer.singleShot(0, waiting.deleteLater)
    return play_demo(Demo())


def _is_filmed(wanted: Demo) -> bool:
    """Whether a simulated camera films a table on which pieces lie anywhere."""
    return registry.has_pieces(wanted.game) and wanted.filmed


def _players(number: int) -> tuple[str, ...]:
    """Return players with piece colours that the simulated camera can paint."""
    if not 2 <= number <= len(CLEAR_COLOURS):
        raise MalformedError(f"the demo is for 2 to {len(CLEAR_COLOURS)} players")
    return CLEAR_COLOURS[:number]


def _headless(
    source: ObservationSource, referee: Referee[Any, Any], keeper: Scorekeeper[Any, Any], *, as_json: bool
) -> Left:
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
        return Left(status=1, onward=Onward.QUIT)
    if summary.result["winners"] != keeper.true_winners:
        print(f"moontable: the players say that {keeper.true_winners} won", file=sys.stderr)
        return Left(status=1, onward=Onward.QUIT)
    return Left(status=0, onward=Onward.QUIT)


# -- the sensor table --------------------------------------------------------------------------------------


def _play_on_sensors(stage: _Stage) -> Left:
    """Play on the sensor table, with a camera beside it if one is wanted."""
    if note := note_on_board():
        print(f"moontable: {note}", file=sys.stderr)
    wanted, referee, picture = stage.wanted, stage.referee, stage.table.picture
    moments = stage.table.moments()
    if wanted.is_headless:
        stepped = SteppedSensors(picture, stage.box, faults=wanted.faults, seed=wanted.seed)
        stepped.lamps.follow(referee)
        source = _sensor_source(stage, stepped, moments)
        return _headless(source, referee, stage.keeper, as_json=wanted.as_json)
    sensors = SimulatedSensors(picture, stage.box, faults=wanted.faults, seed=wanted.seed)
    sensors.lamps.follow(referee)
    if wanted.camera and wanted.lose_camera is None:
        camera = _camera(stage, _laid(sensors, moments), cable=SimulatedCable())
        sights: list[PicturedSource] = [
            OnTableTime(PicturedCamera(camera, stage.box.reading_text), sensors.clock),
            PicturedTable(LookingOn(sensors), sensors.lamps),
        ]
    else:
        sights = [PicturedTable(_sensor_source(stage, sensors, moments), sensors.lamps)]
    return show_window(referee, sights, played=stage.keeper, cable=sensors)


def _sensor_source(stage: _Stage, sensors: PlayedSensors, moments: Iterator[Moment]) -> ObservationSource:
    """Return the sensor table, and the camera beside it if one is wanted, as one source."""
    if not stage.wanted.camera:
        return SensorSource(sensors, moments)
    camera = _camera(stage, _laid(sensors, moments))
    last = stage.wanted.lose_camera
    return BothSources(camera, sensors, moments, lambda: last is not None and turns_of(stage.referee) > last)


def _laid(sensors: PlayedSensors, moments: Iterable[Moment]) -> Iterator[Moment]:
    """Put each moment's pieces on the sensors when the camera films it."""
    for moment in moments:
        sensors.lay(moment.picture)
        yield moment


# -- the camera ---------------------------------------------------------------------------------------------


def _play_before_camera(stage: _Stage) -> Left:
    moments = stage.table.moments()
    if stage.wanted.is_headless:
        camera = _camera(stage, moments)
        return _headless(camera, stage.referee, stage.keeper, as_json=stage.wanted.as_json)
    cable = SimulatedCable()
    camera = _camera(stage, moments, cable=cable)
    sights = [PicturedCamera(camera, stage.box.reading_text)]
    return show_window(stage.referee, sights, played=stage.keeper, cable=cable)


def _play_before_free_camera(
    demo: FreeDemo,
    wanted: Demo,
    table: SimulatedTable[Any, Any],
    referee: Referee[Any, Any],
    keeper: Scorekeeper[Any, Any],
) -> Left:
    """Play a game whose pieces lie anywhere before a simulated camera."""
    profile = demo.profile(_told)
    cable = None if wanted.is_headless else SimulatedCable()
    scenes = demo.scenes(table, table.moments())
    camera = demo.source(profile, scenes, cable, expected=lambda: referee.expectation)
    if wanted.is_headless:
        return _headless(camera, referee, keeper, as_json=wanted.as_json)
    return show_window(referee, [PicturedCamera(camera, free_text)], played=keeper, cable=cable)


def _camera(stage: _Stage, moments: Iterable[Moment], cable: SimulatedCable | None = None) -> CameraSource:
    """Return the simulated camera over the table, with a profile learnt from its photographs.

    With a cable it films at the pace of a real camera and can be unplugged. Without one, it films as fast as
    frames are consumed.
    """
    box, referee = stage.box, stage.referee
    players = referee.journal.header["players"]
    camera = _filming(referee.game.name, box, players, stage.wanted.seed)
    profile = learnt_profile(camera, stage.wanted.seed, box, tuple(players), _told)
    reel = Reel(scenes(moments, box.cells))
    frames: FrameSource = SimulatedFrames(camera, reel, pace_s=0.0 if cable is None else 1 / FRAMES_PER_S)
    if cable is not None:
        frames = CabledFrames(frames, cable, reel.pass_over)
    return CameraSource(frames, Reader(profile), expected=lambda: referee.expectation)


def _filming(game: str, box: Components, players: Sequence[str], seed: int) -> SimulatedCamera:
    colours = {name: PIECE_COLOURS[name] for name in players}
    layout = layout_of(game, players)
    drawings = drawings_of(layout, seed, box, tuple(players))
    return SimulatedCamera(layout, tile_arts(box.tiles), colours, seed=seed, drawings=drawings)


def _told(what: str, step: int, steps: int) -> None:
    print(f"{what} ({step}/{steps}) ...", file=sys.stderr)


def prepare_demo(wanted: Demo, report: Report, to: Path | None = None) -> None:
    """Load what the demo needs and learn what its camera must know; `report`, `to` as in `learnt_profile`."""
    if _is_filmed(wanted):
        header = registry.lookup(wanted.game).deal(random.Random(wanted.seed), dict(wanted.options))
        FreeDemo(registry.lookup(wanted.game), header, wanted.seed).profile(report)
    if not registry.has_components(wanted.game) or (wanted.sensors and not wanted.camera):
        return
    box = registry.components(wanted.game)
    players = _players(wanted.options.get("players", 2))
    camera = _filming(wanted.game, box, players, wanted.seed)
    learnt_profile(camera, wanted.seed, box, players, report, to)


def scenes(moments: Iterable[Moment], cells: Sequence[str]) -> Iterator[FilmedMoment]:
    """Yield the moments as the camera films them: a hand reaches over the cell that is touched.

    If no cell is touched, the hand is over the middle one.
    """
    for moment in moments:
        over = None
        if moment.busy:
            # The discard pile's place has no parts.
            touched = (parts[0] for where in sorted(moment.hidden) if (parts := parts_of(where)))
            over = next((cell for cell in touched if cell in cells), cells[len(cells) // 2])
        yield FilmedMoment(picture=moment.picture, hand_over=over)
