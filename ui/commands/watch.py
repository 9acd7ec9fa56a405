"""``moontable watch`` and what it shares with ``demo``: journal, referee, camera, progress, window."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import platformdirs

from calibration.corrections import read_corrections
from calibration.store import load_profile
from companion.commands import Commands
from companion.errors import MalformedError
from companion.game import Game, Json
from companion.games import registry
from companion.games.blue_moon_city.presenter import CityPresenter
from companion.games.blue_moon_city.texts import reading_text
from companion.ports import ObservationSource
from companion.printing import print_json
from companion.reconcile.debounce import Debouncer
from companion.record.game_record import parse_object
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.session.update import Update
from companion.session.watch import Summary, open_journal, save_record, watch
from companion.simulation.scorekeeper import Scorekeeper
from companion.storage.files import ensure_writable
from companion.storage.strict import named, read_bytes
from companion.view_model import CameraView, Outline
from ui.assembly.sensor_table import debounce_rules
from ui.commands.salvage import add_salvage, ensure_whole
from ui.controller.session import Cable, Lookout, PicturedObservation, PicturedSource, Session
from vision.camera_source import CameraSource, Seen

AnyGame: TypeAlias = Game[Any, Any]
AnyReferee: TypeAlias = Referee[Any, Any]


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
    command.add_argument("--game", choices=registry.NAMES, default="blue_moon_city")
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
    from ui.assembly.sources import open_eyes

    if arguments.record is not None:
        ensure_writable(arguments.record)
    profile = load_profile(arguments.profile)
    game = game_for(arguments.game, arguments.profile)
    if arguments.journal is not None and arguments.journal.exists():
        ensure_whole(arguments.journal, salvage=arguments.salvage)
    header = _header(arguments, game, profile.edition, profile.players)
    journal_path = arguments.journal or new_journal_path(game)
    with open_journal(journal_path, header, game) as journal:
        referee = Referee(game, journal, debounce_rules(stills=arguments.stills))
        eyes = open_eyes(
            arguments.source,
            profile,
            expected=lambda: referee.expectation,
            stills=arguments.stills,
            log=arguments.frame_log,
        )
        eyes.follow(referee)
        if arguments.headless or arguments.json:
            summary = watch_headless(eyes.source, referee, arguments.record, quiet=arguments.json)
            return _report(summary, as_json=arguments.json)
        from ui.assembly.resume import LastTable, lookout_of, remember_table

        table = LastTable(camera=arguments.source, profile=str(arguments.profile.resolve()))
        remember_table(table, journal.path.name)
        return show_window(referee, eyes.pictured, arguments.record, lookout=lookout_of(table, referee))


def game_for(name: str, profile: Path) -> AnyGame:
    """Return the game, with what the profile's owner corrected of its printed values."""
    return registry.lookup(name).corrected(read_corrections(profile))


def _header(arguments: argparse.Namespace, game: AnyGame, edition: str, players: tuple[str, ...]) -> Json:
    """Return the header: given, of the journal to be resumed, or as the table is laid out."""
    if arguments.setup is not None:
        with named(str(arguments.setup)):
            return parse_object(read_bytes(arguments.setup))
    if arguments.journal is not None and arguments.journal.exists():
        return Journal.look(arguments.journal, lambda kept: kept.header)
    from ui.assembly.sources import open_eyes

    eyes = open_eyes(arguments.source, load_profile(arguments.profile), stills=arguments.stills)
    source = eyes.source
    try:
        return _laid_out(source, game, {"edition": edition, "players": players}, stills=arguments.stills)
    finally:
        source.close()


def _laid_out(source: ObservationSource, game: AnyGame, options: Json, *, stills: bool) -> Json:
    """Return the header of the game whose set-up the source shows, as soon as it shows it whole."""
    debouncer = Debouncer(debounce_rules(stills=stills))
    why = "nothing was seen"
    for number, observation in enumerate(source.observations()):
        snapshot = debouncer.feed(observation)
        if snapshot is not None:
            try:
                return game.header_from_table(snapshot.picture, options)
            except MalformedError as error:
                why = str(error)
        if number % 30 == 29:
            print(f"waiting for the table to be laid out: {why}", file=sys.stderr)
    raise MalformedError(f"the set-up could not be read from the table: {why}; give it with --setup")


def games_folder() -> Path:
    """Return the folder in which games are kept."""
    folder = Path(platformdirs.user_data_dir("moontable", appauthor=False)) / "games"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def new_journal_path(game: AnyGame) -> Path:
    """Return a new file in the folder of games; its name is the wall time."""
    folder = games_folder()
    stem = f"{time.strftime('%Y-%m-%d_%H-%M-%S')}_{game.name}"
    numbers = ["", *(f"_{n}" for n in range(2, 1000))]
    return next(path for n in numbers if not (path := folder / f"{stem}{n}.moontable").exists())


# -- without a window ---------------------------------------------------------------------------------------


def watch_headless(
    source: ObservationSource, referee: AnyReferee, record: Path | None, *, quiet: bool
) -> Summary:
    """Watch to the end; tell every accepted action and prompt on standard output unless `quiet`."""
    teller = Teller(referee) if not quiet else None
    return watch(source, referee, progress=teller, record=record, presume=True)


class Teller:
    """Prints what the referee accepts and prompts, a line each."""

    def __init__(self, referee: AnyReferee) -> None:
        self._referee = referee

    def __call__(self, update: Update[Any]) -> None:
        """Tell one update."""
        history = self._referee.history
        for past in history[len(history) - len(update.new_actions) :] if update.new_actions else ():
            print(f"{past.number:4}. {past.text}")
        for prompt in update.opened:
            print(f"      [{prompt.kind.value}] {prompt.text}")
        sys.stdout.flush()


def _report(summary: Summary, *, as_json: bool) -> int:
    if as_json:
        print_json(summary.to_json())
        return 0
    if summary.result is None:
        print(f"the game is not over: {summary.turns} turns so far; the journal is {summary.journal}")
    else:
        print(json.dumps(summary.result, ensure_ascii=False))
    return 0


# -- in a window -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PicturedCamera:
    """A camera as the window watches it: observations with the picture and what was recognised in it."""

    source: CameraSource

    @property
    def name(self) -> str:
        """Name that players recognise."""
        return self.source.name

    def pictured(self) -> Iterator[PicturedObservation]:
        """Yield what is seen; raises DeviceError like the camera."""
        for seen in self.source.seen():
            yield PicturedObservation(observation=seen.observation, camera=camera_view(seen))

    def close(self) -> None:
        """Release the camera."""
        self.source.close()


def camera_view(seen: Seen) -> CameraView:
    """Return the frame as the window draws it."""
    height, width = seen.frame.image.shape[:2]
    marks = tuple(
        Outline(
            place=one.sighting.place,
            corners=one.corners_px,
            label=reading_text(one.sighting.place, one.sighting.value),
            confidence=one.sighting.confidence,
        )
        for one in seen.outlines
    )
    return CameraView(
        width=width,
        height=height,
        bgr=seen.frame.image.tobytes(),
        outlines=marks,
        busy=seen.observation.busy,
    )


def show_window(
    referee: AnyReferee,
    sources: list[PicturedSource],
    record: Path | None,
    *,
    played: Scorekeeper[Any, Any] | None = None,
    cable: Cable | None = None,
    lookout: Lookout | None = None,
) -> int:
    """Show the window until it is closed, then write the record if one is wanted.

    At a simulated table `played` answers and protests as its players would; `cable` is the camera's.
    """
    from ui.assembly.resume import resume, shelf_of
    from ui.start import run

    if referee.game.name != "blue_moon_city":
        raise MalformedError(f"{referee.game.name} has no window yet: use --headless")
    session = Session(
        referee=referee,
        presenter=CityPresenter(),
        sources=sources,
        answer=None if played is None else played.answer,
        protest=None if played is None else played.protest,
        cable=cable,
        shelf=shelf_of(games_folder(), playing=referee.journal.path.name),
        lookout=lookout,
    )
    left = run(session)
    if record is not None:
        save_record(referee, record)
    return left.status if left.resume is None else resume(games_folder() / left.resume)
