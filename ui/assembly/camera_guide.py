"""The wizard's questions about cameras and photographs, answered by vision, calibration and the game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np

from calibration.corrections import write_corrections
from calibration.pointed_board import PointedBoard
from calibration.profile import Profile
from calibration.store import export_profile, load_profile, save_profile
from companion.components import Components, Pose
from companion.errors import BugError
from companion.games import registry
from companion.observation import Snapshot
from companion.reconcile.debounce import Debouncer, DebounceRules
from companion.table import Place
from ui.assembly.laid_table import UNSEEN, judged_table
from ui.assembly.layouts import layout_of
from ui.assembly.own_copy import AnyGame, deal_table, game_for, model_header, swap_tiles
from ui.assembly.pictured_camera import camera_view
from ui.assembly.table_camera import TableCamera, free_folder, pictured, profiles_in
from ui.wizard.guide import (
    BoardQuestion,
    CameraChoice,
    Dealt,
    GameChoice,
    LaidOut,
    Lesson,
    NamedTile,
    Naming,
    PointedBoxes,
    ProfileChoice,
    Report,
)
from vision.arrays import Image
from vision.camera_source import CameraSource
from vision.capture.sources import open_source
from vision.capture.sources.frame import FrameSource
from vision.enrolment.board import BoardProposal
from vision.enrolment.enrol import Photographs, board_to_point_at, enrol
from vision.enrolment.naming import NamingResult
from vision.enrolment.photographed_tiles import PhotographNamer
from vision.enrolment.wrong_photographs import PhotographCheck
from vision.reader import Reader
from vision.simulation.art import COLOURS


class CameraGuide(TableCamera):
    """The wizard's `SetupGuide` for cameras.

    `game` is the game to set up. `opener` opens the frame source of an address; a caller who gives another
    opener also gives the cameras it knows.
    """

    def __init__(
        self,
        folder: Path,
        game: str = registry.DEFAULT,
        *,
        opener: Callable[[str], FrameSource] = open_source,
        known: tuple[CameraChoice, ...] = (),
    ) -> None:
        super().__init__(layout_of(game), opener=opener, known=known)
        self._folder = folder
        self._game: AnyGame = registry.lookup(game)
        self._box: Components = registry.components(game)
        self._rng = random.Random()
        self._photographs = PhotographCheck(self._layout)
        # The last photograph and its namer, kept to answer the next questions about it faster.
        self._namer: tuple[object, PhotographNamer] | None = None

    def editions(self) -> tuple[tuple[str, str], ...]:
        """Return the editions: identifier and name."""
        return tuple((edition, self._box.edition_name(edition)) for edition in self._box.editions)

    def colours(self) -> tuple[str, ...]:
        """Return the colours that players may have."""
        return self._box.colours

    def profiles(self) -> tuple[ProfileChoice, ...]:
        """Return the profiles in the folder, newest first; anything else in it is skipped."""
        return tuple(choice_of(profile, each) for each, profile in profiles_in(self._folder))

    def import_profile(self, address: str) -> ProfileChoice:
        """Copy a profile's zip into the folder; raises ProfileError with the reason."""
        profile = load_profile(Path(address))
        return self._keep(profile, Path(address).stem)

    def export_profile(self, address: str, file: str) -> None:
        """Write a profile to one file for sharing; raises ProfileError with the reason."""
        export_profile(load_profile(Path(address)), Path(file))

    def use_codes(self, edge_mm: float) -> None:
        """Set the printed size of the fiducials; earlier photographs no longer count."""
        super().use_codes(edge_mm)
        self._photographs = PhotographCheck(self._layout)
        self._namer = None

    def poses(self, game: GameChoice, naming: Naming | None = None) -> tuple[Pose, ...]:
        """Return the photographs that learning needs, in order."""
        tiles = None if naming is None else {one.cell: one.tile for one in naming.tiles}
        return self._box.poses(model_header(self._game, game), tiles)

    def check(self, lesson: Lesson) -> None:
        """Check that the newest photograph shows what it should; raises ProfileError with the reason."""
        frames = {name: cast(Image, shot) for name, shot in lesson.shots.items()}
        shown = None
        if lesson.naming is not None:
            tiles = {one.cell: one.tile for one in lesson.naming.tiles}
            shown = self._box.model_pieces(tiles, lesson.game.players)
        self._photographs.check(frames, shown)

    def name_tiles(self, shot: object, said: Mapping[str, str]) -> Naming:
        """Identify the tiles in the photograph of the sketch sides."""
        namer = self._namer
        if namer is None or namer[0] is not shot:
            namer = self._namer = (
                shot,
                PhotographNamer(
                    np.asarray(shot, np.uint8),
                    self._photographs.sized,
                    self._box.tiles,
                    COLOURS,
                    self._photographs.empty,
                ),
            )
        named = namer[1].name(said)
        pictures = namer[1].pictures(named)
        return Naming(
            tiles=tuple(self._named_tile(cell, one, pictures[cell]) for cell, one in named.items()),
            token=(namer[1], named),
        )

    def board_question(self, lesson: Lesson) -> BoardQuestion | None:
        """Return the table from above to point at the board's boxes, None if they are found without."""
        frames = {name: np.asarray(shot, np.uint8) for name, shot in lesson.shots.items()}
        proposal = board_to_point_at(frames, self._photographs.sized)
        if proposal is None:
            return None
        return BoardQuestion(picture=pictured(proposal.picture), boxes=proposal.boxes_px, token=proposal)

    def learn(self, lesson: Lesson, report: Report) -> ProfileChoice:
        """Learn a profile from the four photographs and keep it."""
        frames = {name: np.asarray(shot, np.uint8) for name, shot in lesson.shots.items()}
        if lesson.naming is None:
            raise BugError("nobody named the tiles")
        namer, named = cast(tuple[PhotographNamer, dict[str, NamingResult]], lesson.naming.token)
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
                shown=self._box.model_pieces(tiles, game.players),
                board=None if lesson.board is None else _pointed(lesson.board),
            ),
            self._photographs.sized,
            edition=game.edition,
            players=game.players,
            boxes_of_tile=self._box.boxes_of_tile,
            report=report,
        )
        kept = self._keep(profile, "-".join((game.edition, *game.players)))
        if lesson.own_values:
            own = {tile: {"boxes": list(values)} for tile, values in lesson.own_values.items()}
            write_corrections(Path(kept.address), own)
        return kept

    def laid_out(self, camera: str, profile: str, game: GameChoice) -> Iterator[LaidOut]:
        """Yield what is seen of the laid-out table and what is still wrong on it."""
        reader = Reader(load_profile(Path(profile)))
        source = self._take(CameraSource(self._open(camera), reader))
        rules = game_for(self._game.name, Path(profile))
        debouncer = Debouncer(DebounceRules())
        last = UNSEEN
        for seen in source.seen():
            snapshot = debouncer.feed(seen.observation)
            if snapshot is not None:
                last = self._judged_table(rules, snapshot, game, last)
            yield replace(last, camera=camera_view(seen, self._box.reading_text))

    def deal(self, game: GameChoice) -> Dealt:
        """Return a table laid out at random."""
        return deal_table(self._game, game, self._rng)

    def swapped(self, dealt: Dealt, one: Place, other: Place) -> Dealt:
        """Return the table with two tiles swapped; raises MalformedError with the reason."""
        return swap_tiles(self._game, dealt, one, other)

    def _judged_table(self, rules: AnyGame, snapshot: Snapshot, game: GameChoice, last: LaidOut) -> LaidOut:
        """Return what is wrong in a settled picture, or the header that the game starts with."""
        options = {"edition": game.edition, "players": list(game.players)}
        return judged_table(rules, self._box.presenter.present, snapshot, options, last)

    def _named_tile(self, cell: str, one: NamingResult, picture: Image) -> NamedTile:
        """Return a named tile as the wizard shows it."""
        return NamedTile(
            cell=cell,
            picture=pictured(picture),
            boxes=None if one.boxes is None else pictured(one.boxes),
            tile=one.tile,
            name=self._box.name_of("tile", one.tile),
            choices=tuple((tile, self._box.name_of("tile", tile)) for tile in (one.tile, *one.others)),
            seen=one.values,
            listed=one.printed.values,
            is_unclear=one.is_unclear,
        )

    def _keep(self, profile: Profile, name: str) -> ProfileChoice:
        """Save a profile under a name of its own."""
        folder = free_folder(self._folder, name)
        save_profile(profile, folder)
        return choice_of(profile, folder)


def _pointed(board: PointedBoxes) -> PointedBoard:
    """Return the boxes that someone pointed at, in their photograph."""
    return cast(BoardProposal, board.question.token).pointed(board.boxes)


def choice_of(profile: Profile, folder: Path) -> ProfileChoice:
    """Return a profile as the wizard lists it."""
    return ProfileChoice(
        address=str(folder),
        name=folder.name,
        edition=profile.edition,
        players=profile.players,
        has_faces=bool(profile.faces),
        has_sensors=profile.sensors is not None,
        missing=tuple(dict.fromkeys(str(one.why) for one in profile.not_learnt)),
    )
