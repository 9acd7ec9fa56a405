"""Learning a copy whose pieces lie anywhere: its wizard's questions, answered by vision and the game."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, cast

from calibration.profile import Profile
from calibration.store import save_profile
from companion.errors import BugError
from companion.games import registry
from companion.i18n import Message
from ui.assembly.deal_draft import DealDraft
from ui.assembly.deal_lesson import DealLesson
from ui.assembly.layouts import layout_of
from ui.assembly.table_camera import TableCamera, copies_in, free_folder
from ui.wizard.copy_guide import SavedCopy
from ui.wizard.guide import CameraChoice, ProfileChoice
from vision.arrays import Image
from vision.capture.sources import open_source
from vision.capture.sources.frame import FrameSource
from vision.enrolment.copy_profile import joined
from vision.enrolment.dealt_copy import dealt_profile, new_deal
from vision.enrolment.dealt_table import DealtTable
from vision.enrolment.free_copy import CopyPhotographs, PointedThing, learn_copy

_SHOT: Final = "photograph"
_BOARD: Final = "board"


class FreeCopyGuide(TableCamera):
    """The `CopyGuide` and the `WatchGuide` of a game.

    Profiles, and what was dealt so far, are kept in the folder. `opener` and `known` are as for
    `TableCamera`.
    """

    def __init__(
        self,
        folder: Path,
        game: str,
        *,
        opener: Callable[[str], FrameSource] = open_source,
        known: tuple[CameraChoice, ...] = (),
    ) -> None:
        form = registry.display(game).form
        self._players = form.colours or form.seats(form.most, {})
        super().__init__(layout_of(game, self._players), opener=opener, known=known)
        self._folder = folder
        self._game = game
        self._pieces = registry.pieces(game)
        self._header = registry.lookup(game).deal(
            random.Random(0), {**form.options(self._players, form.everything), "players": self._players}
        )
        self._boards = tuple(name for name, face in self._pieces.faces.items() if face.board)
        self._paints = self._pieces.paints(self._header)
        self._dealt: DealtTable | None = None
        self._pointed: Profile | None = None
        self.title = str(form.title)

    def copies(self, players: Sequence[str]) -> tuple[ProfileChoice, ...]:
        """Return the copies learnt earlier that know these players' pieces, newest first."""
        return tuple(
            ProfileChoice(
                address=str(folder),
                name=folder.name,
                edition="",
                players=tuple(one for one in self._players if one in (pieces or ())),
            )
            for folder, pieces in copies_in(self._folder, self._game)
            if pieces is None or set(players) <= set(pieces)
        )

    def deal(self, camera: str) -> DealLesson:
        """Return what watches tiles or cards being dealt; goes on with those that came before."""
        deal = new_deal(self._pieces, self._header, self._layout)
        draft = self._draft(deal.order.names)
        if draft.is_there:
            draft.load(deal)
        self._dealt = DealtTable(self._layout, self._pieces, deal)
        return DealLesson(self._dealt, draft, self._pieces, lambda: self._open(camera))

    def things(self) -> tuple[str, ...]:
        """Return the boards and the solid pieces."""
        return tuple(self._called(name) for name in (*self._boards, *self._paints))

    def point(self, shot: object, points: Sequence[tuple[float, float]]) -> tuple[str, ...]:
        """Learn the things in a photograph by where somebody points; return what could not be learnt."""
        shapes = {**dict.fromkeys(self._boards, _BOARD), **self._paints}
        learnt = learn_copy(
            self._game,
            self._pieces,
            self._layout,
            self._players,
            CopyPhotographs(
                images={_SHOT: cast(Image, shot)},
                rows=(),
                things=tuple(
                    PointedThing(picture=_SHOT, name=name, shape=str(shape), at_px=at)
                    for (name, shape), at in zip(shapes.items(), points, strict=True)
                ),
            ),
        )
        self._pointed = learnt.profile
        return tuple(one.why for one in learnt.profile.not_learnt)

    def save(self) -> SavedCopy:
        """Save what was learnt as a new profile; what was dealt need not be kept any longer."""
        if self._dealt is None:
            raise BugError("nothing was dealt")
        profile = dealt_profile(self._game, self._pieces, self._players, self._dealt, {})
        if self._pointed is not None:
            missing = (*profile.not_learnt, *self._pointed.not_learnt)
            profile = replace(joined(profile, self._pointed), not_learnt=missing)
        folder = free_folder(self._folder, self._game)
        save_profile(profile, folder)
        self._draft(()).discard()
        known = len(profile.faces) + len(profile.pieces)
        return SavedCopy(
            name=folder.name,
            known=known,
            total=known + len(profile.not_learnt),
            missing=tuple(self._called(one.what.partition(":")[2]) for one in profile.not_learnt),
        )

    def _called(self, name: str) -> str | Message:
        return self._pieces.paint_name(name) if name in self._paints else self._pieces.name_of(name)

    def _draft(self, names: Sequence[str]) -> DealDraft:
        return DealDraft(self._folder / f"{self._game}.dealt", " ".join((self._game, *names)))
