"""``moontable setup`` and ``by-hand``: the wizard, from nothing to a game being watched or played by hand."""

from __future__ import annotations

import argparse
import random
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar, cast

import cv2
import numpy as np
import platformdirs

from calibration.corrections import write_corrections
from calibration.layout import CODE_MM, LEAST_CODE_MM, MOST_CODE_MM, blue_moon_city
from calibration.profile import Profile
from calibration.store import export_profile, load_profile, save_profile
from companion.commands import Commands
from companion.decision import InStep, OutOfStep, Waiting
from companion.errors import BugError, MalformedError, ProfileError
from companion.game import Json
from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.catalogue import CELLS, DRAGONS
from companion.games.blue_moon_city.presenter import EDITION_NAMES, CityPresenter, edition_name
from companion.games.blue_moon_city.texts import tile_name
from companion.i18n import join, msg
from companion.observation import Snapshot
from companion.reconcile.debounce import Debouncer, DebounceRules
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.table import Place, Value, place
from companion.view_model import CameraView, Outline, TableView
from ui.assembly.resume import LastTable, lookout_of, remember_table, sources_of
from ui.assembly.sensor_table import debounce_rules
from ui.commands.by_hand import deal_city, play_by_hand, read_setup, swap_tiles
from ui.commands.naming import CityNamer
from ui.commands.watch import camera_view, game_for, new_journal_path, show_window
from ui.qt_environment import forget_foreign_qt, has_display
from ui.settings import default_folder
from ui.wizard.guide import (
    CameraChoice,
    Dealt,
    GameChoice,
    LaidOut,
    Lesson,
    Look,
    NamedTile,
    Naming,
    Note,
    Pose,
    ProfileChoice,
    Report,
)
from vision.arrays import Image
from vision.camera_source import CameraSource
from vision.capture.sources import list_cameras, open_source
from vision.capture.sources.frame import FrameSource
from vision.enrolment.enrol import Photographs, enrol
from vision.enrolment.naming import Named
from vision.enrolment.quality import check_quality
from vision.enrolment.wrong_photographs import PhotographCheck
from vision.geometry.fiducials import find_fiducials
from vision.reader import Reader

CODE_SIZES_MM: Final = (LEAST_CODE_MM, CODE_MM, MOST_CODE_MM)
COLOURS: Final = ("purple", "white", "teal", "black")
# Of the tiles in the photograph of the pieces so many-th has its boxes filled.
FILLED_EVERY: Final = 4


def add_commands(commands: Commands) -> None:
    """Add ``setup`` and ``by-hand``."""
    command = commands.add_parser("setup", help="set up camera, tiles and players step by step, then play")
    command.add_argument(
        "--profiles", type=Path, metavar="DIR", help="folder of the profiles (default: your data folder)"
    )
    command.set_defaults(func=run_setup)
    by_hand = commands.add_parser("by-hand", help="play without a camera: you click what happens")
    by_hand.add_argument(
        "--setup", type=Path, metavar="HEADER.json", help="header of the game (default: the wizard asks)"
    )
    by_hand.set_defaults(func=run_by_hand)


def run_setup(arguments: argparse.Namespace) -> int:
    """Run ``setup``: the wizard, then the game in its window."""
    return run_wizard(arguments.profiles or default_profiles())


def run_by_hand(arguments: argparse.Namespace) -> int:
    """Run ``by-hand``: the game as the file says it lies, or as the wizard has it laid out."""
    if arguments.setup is not None:
        return play_by_hand(read_setup(arguments.setup))
    return run_wizard(default_profiles(), is_by_hand=True)


def run_wizard(profiles: Path, *, is_by_hand: bool = False) -> int:
    """Show the wizard, then what was chosen in it: a game that is watched or played by hand, or the demo."""
    forget_foreign_qt()
    from PyQt6.QtWidgets import QApplication

    from ui.assembly.house_guide import HouseGuide
    from ui.dialogs.mishap_box import boxed_mishaps
    from ui.stopping import closing_when_stopped
    from ui.wizard.wizard import SetupWizard

    if not has_display():
        print("moontable: there is no display to open a window on", file=sys.stderr)
        return 1
    app = QApplication.instance() or QApplication(sys.argv[:1])
    guide = HouseGuide(profiles)
    wizard = SetupWizard(guide, default_folder(), sensors=guide, is_by_hand=is_by_hand)
    with closing_when_stopped(), boxed_mishaps():
        wizard.exec()
    outcome, wants_demo = wizard.outcome, wizard.wants_demo
    wizard.deleteLater()
    assert app is not None
    if wants_demo:
        from ui.commands.demo import show_demo

        return show_demo()
    if outcome is None:
        return 0
    if not outcome.camera:
        return play_by_hand(cast(Json, outcome.start))
    return play(outcome.camera, Path(outcome.profile), outcome.start)


def play(camera: str, profile: Path, header: Any) -> int:
    """Watch the laid-out game in the window."""
    game = game_for("blue_moon_city", profile)
    with Journal.create(new_journal_path(game), header) as journal:
        referee = Referee(game, journal, debounce_rules())
        table = LastTable(camera=camera, profile=str(profile))
        remember_table(table, journal.path.name)
        return show_window(referee, sources_of(table, referee), None, lookout=lookout_of(table, referee))


def default_profiles() -> Path:
    """Return the folder in which profiles are kept."""
    return Path(platformdirs.user_data_dir("moontable", appauthor=False)) / "profiles"


class _Closable(Protocol):
    def close(self) -> None:
        """Release; safe to call twice and from another thread."""


_C = TypeVar("_C", bound=_Closable)


class CameraGuide:
    """The wizard's `SetupGuide` for Blue Moon City and cameras.

    `opener` makes a frame source of an address; another may be given, with the cameras it knows.
    """

    def __init__(
        self,
        folder: Path,
        *,
        opener: Callable[[str], FrameSource] = open_source,
        known: tuple[CameraChoice, ...] = (),
    ) -> None:
        self._folder = folder
        self._open = opener
        self._known = known
        self._layout = blue_moon_city()
        self._present = CityPresenter()
        self._rng = random.Random()
        self._lock = threading.Lock()
        self._running: _Closable | None = None
        self._photographs = PhotographCheck(self._layout)
        self.code_sizes_mm = CODE_SIZES_MM
        # The photograph looked at last: questions about it are answered more quickly.
        self._namer: tuple[object, CityNamer] | None = None

    def editions(self) -> tuple[tuple[str, str], ...]:
        """Return the editions: word and name."""
        return tuple((edition, edition_name(edition)) for edition in EDITION_NAMES)

    def colours(self) -> tuple[str, ...]:
        """Return the colours that players may have."""
        return COLOURS

    def cameras(self) -> tuple[CameraChoice, ...]:
        """Return the cameras that are plugged in."""
        found = (CameraChoice(address=f"camera:{one.index}", name=one.name) for one in list_cameras())
        return (*self._known, *found)

    def profiles(self) -> tuple[ProfileChoice, ...]:
        """Return the profiles in the folder, the newest first; what is no profile is passed over."""
        folders = [each for each in self._folder.glob("*") if (each / "profile.json").is_file()]
        found: list[ProfileChoice] = []
        for each in sorted(folders, key=lambda one: -(one / "profile.json").stat().st_mtime):
            try:
                found.append(choice_of(load_profile(each), each))
            except ProfileError:
                continue
        return tuple(found)

    def import_profile(self, address: str) -> ProfileChoice:
        """Copy a profile's zip into the folder; raises ProfileError in words."""
        profile = load_profile(Path(address))
        return self._keep(profile, Path(address).stem)

    def export_profile(self, address: str, file: str) -> None:
        """Write a profile into one file to be shared; raises ProfileError in words."""
        export_profile(load_profile(Path(address)), Path(file))

    def use_codes(self, edge_mm: float) -> None:
        """Take the codes for so large; what was photographed before counts no more."""
        self._layout = self._layout.with_codes_of(edge_mm)
        self._photographs = PhotographCheck(self._layout)
        self._namer = None

    def write_sheets(self, folder: str) -> tuple[str, ...]:
        """Write the sheets to be printed."""
        from calibration.sheets import write_sheets

        return tuple(str(file) for file in write_sheets(Path(folder), self._layout))

    def poses(self, game: GameChoice, naming: Naming | None = None) -> tuple[Pose, ...]:
        """Return the four photographs: empty, sketch side, built side, pieces."""
        model = self._present.present(GAME.start(model_header(game)))
        sketch = model if naming is None else _laid(model, {one.cell: one.tile for one in naming.tiles})
        bare = replace(sketch, pieces=())
        return (
            Pose(
                name="empty", text=msg("only the four codes and the obelisk; no tiles, no pieces"), table=None
            ),
            Pose(
                name="sketch",
                text=msg("all 21 tiles laid out, sketch side up, in any order, turned any way; no pieces"),
                table=None,
                names_tiles=True,
            ),
            Pose(
                name="built",
                text=msg("every tile turned over in place, the courtyard too"),
                table=_all_built(bare),
            ),
            Pose(
                name="pieces",
                text=msg("sketch sides up again, with the pieces as drawn"),
                table=_drawn(sketch, game),
            ),
        )

    def check(self, lesson: Lesson) -> None:
        """Look whether the newest photograph shows what it should; raises ProfileError in words if not."""
        frames = {name: cast(Image, shot) for name, shot in lesson.shots.items()}
        shown = None
        if lesson.naming is not None:
            tiles = {one.cell: one.tile for one in lesson.naming.tiles}
            shown = model_pieces(tiles, lesson.game.players)
        self._photographs.check(frames, shown)

    def name_tiles(self, shot: object, said: Mapping[str, str]) -> Naming:
        """Tell which tile is which in the photograph of the sketch sides."""
        namer = self._namer
        if namer is None or namer[0] is not shot:
            namer = self._namer = shot, CityNamer(np.asarray(shot, np.uint8), self._layout)
        named = namer[1].name(said)
        pictures = namer[1].pictures(named)
        return Naming(
            tiles=tuple(_named_tile(cell, one, pictures[cell]) for cell, one in named.items()),
            token=(namer[1], named),
        )

    def looks(self, camera: str) -> Iterator[Look]:
        """Yield live pictures with what is good and bad about them."""
        source = self._take(self._open(camera))
        for frame in source.frames():
            yield self._judged(frame.image)

    def learn(self, lesson: Lesson, report: Report) -> ProfileChoice:
        """Learn a profile from the four photographs and keep it."""
        frames = {name: np.asarray(shot, np.uint8) for name, shot in lesson.shots.items()}
        if lesson.naming is None:
            raise BugError("nobody named the tiles")
        namer, named = cast(tuple[CityNamer, dict[str, Named]], lesson.naming.token)
        game, tiles = lesson.game, {cell: one.tile for cell, one in named.items()}
        turned = namer.turned_over(named, frames["built"])
        profile = enrol(
            Photographs(
                empty=frames["empty"],
                sketch=frames["sketch"],
                built=frames["built"],
                pieces=frames["pieces"],
                tiles=tiles,
                turns={cell: one.turn for cell, one in named.items()},
                built_tiles=turned.tiles,
                built_turns=turned.turns,
                shown=model_pieces(tiles, game.players),
            ),
            self._layout,
            edition=game.edition,
            players=game.players,
            boxes_of_tile=GAME.boxes_of_tile,
            report=report,
        )
        kept = self._keep(profile, "-".join((game.edition, *game.players)))
        if lesson.own_values:
            own = {tile: {"boxes": list(values)} for tile, values in lesson.own_values.items()}
            write_corrections(Path(kept.address), own)
        return kept

    def laid_out(self, camera: str, profile: str, game: GameChoice) -> Iterator[LaidOut]:
        """Yield what is seen of the laid-out city and what still lies wrong."""
        reader = Reader(load_profile(Path(profile)))
        source = self._take(CameraSource(self._open(camera), reader))
        rules = game_for("blue_moon_city", Path(profile))
        debouncer = Debouncer(DebounceRules())
        last = LaidOut(camera=CameraView(width=0, height=0, bgr=b""), fault=msg("Looking at the table …"))
        for seen in source.seen():
            snapshot = debouncer.feed(seen.observation)
            if snapshot is not None:
                last = self._judged_city(rules, snapshot, game, last)
            yield replace(last, camera=camera_view(seen))

    def deal(self, game: GameChoice) -> Dealt:
        """Return a city at random."""
        return deal_city(game, self._rng)

    def swapped(self, dealt: Dealt, one: Place, other: Place) -> Dealt:
        """Return the city with two tiles swapped; raises MalformedError in words."""
        return swap_tiles(dealt, one, other)

    def close(self) -> None:
        """End whatever runs."""
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            running.close()

    def _take(self, source: _C) -> _C:
        """Note a source so that `close` finds it; the one before is released."""
        self.close()
        with self._lock:
            self._running = source
        return source

    def _judged(self, image: Image) -> Look:
        quality = check_quality(image, self._layout)
        gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        found = find_fiducials(gray, frozenset(one.id for one in self._layout.fiducials))
        outlines = tuple(
            Outline(
                place=Place(f"fiducial:{number}"),
                corners=tuple((float(x), float(y)) for x, y in np.asarray(corners).reshape(-1, 2)),
                label=msg("code {number}", number=number),
                confidence=1.0,
            )
            for number, corners in found.items()
        )
        return Look(
            camera=CameraView(
                width=image.shape[1], height=image.shape[0], bgr=image.tobytes(), outlines=outlines
            ),
            is_table_found=quality.tile_px is not None,
            notes=tuple(Note(text=one.text, is_bad=one.is_bad) for one in quality.findings),
            token=image,
        )

    def _judged_city(self, rules: Any, snapshot: Snapshot, game: GameChoice, last: LaidOut) -> LaidOut:
        """Say what lies wrong in a settled picture, or what the game begins with."""
        options = {"edition": game.edition, "players": list(game.players)}
        try:
            header = rules.header_from_table(snapshot.picture, options)
        except MalformedError as error:
            return replace(last, fault=str(error), start=None, wrong=frozenset())
        state = rules.start(header)
        decision = rules.explain(state, snapshot)
        table = self._present.present(state)
        if isinstance(decision, InStep):
            return replace(last, fault="", table=table, start=header, wrong=frozenset())
        fixes = decision.fixes if isinstance(decision, OutOfStep) else ()
        waiting = (
            decision.text if isinstance(decision, Waiting) else msg("A piece is not on its starting place.")
        )
        fault = join(" ", [fix.text for fix in fixes]) or waiting
        wrong = frozenset(fix.place for fix in fixes)
        return replace(last, fault=fault, table=table, start=None, wrong=wrong)

    def _free_folder(self, name: str) -> Path:
        """Return a folder of this name, or of one like it, that does not exist yet."""
        names = [name, *(f"{name}-{number}" for number in range(2, 1000))]
        folder = next((self._folder / each for each in names if not (self._folder / each).exists()), None)
        if folder is None:
            raise BugError(f"there are too many profiles called {name}")
        return folder

    def _keep(self, profile: Profile, name: str) -> ProfileChoice:
        """Save a profile under a name of its own."""
        folder = self._free_folder(name)
        save_profile(profile, folder)
        return choice_of(profile, folder)


def model_header(game: GameChoice) -> Json:
    """Return the set-up that the wizard has players lay out for learning: a legal one, always the same."""
    options = {"players": len(game.players), "edition": game.edition}
    header = GAME.deal(random.Random(0), options)
    return GAME.public_header({**header, "players": list(game.players)})


def model_pieces(layout: Mapping[str, str], players: tuple[str, ...]) -> dict[Place, Value]:
    """Return the table of the fourth photograph: some of everybody's markers, all figures, all dragons."""
    boxes = GAME.boxes_of_tile
    picture: dict[Place, Value] = {}
    for number, cell in enumerate(CELLS):
        tile = layout[cell]
        count = boxes.get(tile, 0)
        picture[place("cell", cell)] = f"{tile}/{'sketch' if count else 'built'}"
        for box in range(count):
            owner = players[(box + number // FILLED_EVERY) % len(players)]
            picture[place("box", cell, box)] = owner if number % FILLED_EVERY == 2 else None
    for seat, player in enumerate(players):
        picture[place("figure", player)] = CELLS[seat]
    for number, dragon in enumerate(DRAGONS):
        picture[place("dragon", dragon)] = CELLS[len(players) + number]
    prices = GAME.catalogue.obelisk
    first = 2 if len(players) == 2 else 0
    for index in range(len(prices)):
        seat = index - first
        picture[place("obelisk", index)] = players[seat] if 0 <= seat < len(players) else None
    return picture


def _named_tile(cell: str, one: Named, picture: Image) -> NamedTile:
    """Return a named tile as the wizard shows it."""
    return NamedTile(
        cell=cell,
        picture=_pictured(picture),
        boxes=None if one.boxes is None else _pictured(one.boxes),
        tile=one.tile,
        name=tile_name(one.tile),
        choices=tuple((tile, tile_name(tile)) for tile in (one.tile, *one.others)),
        seen=one.values,
        listed=one.printed.values,
    )


def _pictured(image: Image) -> CameraView:
    """Return a picture as the window takes it."""
    return CameraView(width=image.shape[1], height=image.shape[0], bgr=image.tobytes())


def _laid(table: TableView, layout: Mapping[str, str]) -> TableView:
    """Return a table with its tiles laid otherwise."""
    known = {tile.tile: tile for tile in table.tiles}
    tiles = []
    for cell, name in layout.items():
        row, column = (int(one) for one in cell.split(","))
        spots = (
            replace(spot, place=place("box", cell, number)) for number, spot in enumerate(known[name].spots)
        )
        tiles.append(replace(known[name], cell=(row, column), place=place("cell", cell), spots=tuple(spots)))
    return replace(table, tiles=tuple(tiles))


def _all_built(table: TableView) -> TableView:
    tiles = tuple(replace(tile, side="built", spots=(), gains=()) for tile in table.tiles)
    return replace(table, tiles=tiles)


def _drawn(table: TableView, game: GameChoice) -> TableView:
    """Return the table with the pieces of the fourth photograph on it."""
    layout = {f"{tile.cell[0]},{tile.cell[1]}": tile.tile for tile in table.tiles}
    lying = model_pieces(layout, game.players)

    def cell_of(where: Place) -> tuple[int, int] | None:
        value = lying.get(where)
        return None if value is None else (int(value.split(",")[0]), int(value.split(",")[1]))

    return replace(
        table,
        tiles=tuple(
            replace(tile, spots=tuple(replace(spot, owner=lying[spot.place]) for spot in tile.spots))
            for tile in table.tiles
        ),
        pieces=tuple(replace(piece, cell=cell_of(piece.place)) for piece in table.pieces),
        tracks=tuple(
            replace(track, spots=tuple(replace(spot, owner=lying[spot.place]) for spot in track.spots))
            for track in table.tracks
        ),
    )


def choice_of(profile: Profile, folder: Path) -> ProfileChoice:
    """Return a profile as the wizard lists it."""
    return ProfileChoice(
        address=str(folder),
        name=folder.name,
        edition=profile.edition,
        players=profile.players,
        has_faces=bool(profile.faces),
        has_sensors=profile.sensors is not None,
    )
