"""The demo's simulated camera over a table on which pieces lie anywhere, and what it has learnt of them."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator
from typing import Any, Final

from calibration.profile import Profile
from companion.game import Game, Json
from companion.games import registry
from companion.i18n import msg
from companion.simulation.loose_pieces import Hands, LooseTable
from companion.simulation.table import Moment, SimulatedTable
from ui.assembly.cable import CabledFrames, Reel, SimulatedCable
from ui.assembly.demo_profile import Report, code_of_rooms, kept_profile
from ui.assembly.free_table import free_reader
from ui.assembly.layouts import layout_of
from vision.camera_source import CameraSource
from vision.capture.sources.frame import FrameSource
from vision.enrolment.free_copy import CopyPhotographs, learn_copy
from vision.simulation.arrangement import Arranger
from vision.simulation.frames import FRAMES_PER_S
from vision.simulation.free_camera import FreeCamera
from vision.simulation.free_frames import DrawnCopy, FilmedTable, FreeFrames
from vision.simulation.free_photographs import take_photographs

# Small print needs more pixels than printed places do.
SIZE_WH: Final = (1920, 1080)
_SLIP: Final = Hands(slip_mm=1.5, turn_deg=1.5)


class FreeDemo:
    """One drawn copy of a game whose pieces lie anywhere.

    Attributes:
        copy: what lays its pieces and photographs them.
    """

    def __init__(self, game: Game[Any, Any], header: Json, seed: int, copy: DrawnCopy | None = None) -> None:
        """Draw a copy, unless one is given; `seed` decides on its art and on how pieces are laid."""
        self._game, self._header, self._seed = game, header, seed
        self._pieces = registry.pieces(game.name)
        layout = layout_of(game.name, header["players"])
        self.copy = copy or DrawnCopy.of(layout, self._pieces, seed=seed, size_wh=SIZE_WH)

    def profile(self, report: Report) -> Profile:
        """Return what is learnt from photographs of the copy, or what was learnt of it before."""
        return kept_profile(self._key(), lambda: self.learn(report))

    def learn(self, report: Report) -> Profile:
        """Return what is learnt from photographs of the copy, taken now."""
        report(msg("Taking photographs of the table…"), 1, 2)
        players = self._header["players"]
        photographs = photographs_of(self.copy.camera, self.copy.arranger, self._header)
        report(msg("Learning {what}…", what=msg("the pieces")), 2, 2)
        return learn_copy(
            self._game.name, self._pieces, self.copy.arranger.layout, players, photographs
        ).profile

    def scenes(self, table: SimulatedTable[Any, Any], moments: Iterable[Moment]) -> Iterator[FilmedTable]:
        """Yield the moments as the camera films them; a hand reaches for what is touched."""
        loose = LooseTable(self._game, random.Random(f"{self._seed}/hands"), _SLIP)
        for moment in moments:
            loose.lay(moment.picture)
            laid = self._pieces.laid(table.states[-1], moment.picture)
            touched = min(map(str, moment.hidden), default="") if moment.busy else None
            yield FilmedTable(table=self.copy.arranger.arrange(laid, loose.pieces()), hand_over=touched)

    def source(
        self,
        profile: Profile,
        scenes: Iterable[FilmedTable],
        cable: SimulatedCable | None = None,
        **more: Any,
    ) -> CameraSource:
        """Return the camera over the scenes; with a cable at a camera's pace, and it can be unplugged.

        `more` is for `CameraSource`.
        """
        reel = Reel(scenes)
        pace_s = 0.0 if cable is None else 1 / FRAMES_PER_S
        frames: FrameSource = FreeFrames(self.copy.camera, reel, pace_s=pace_s)
        if cable is not None:
            frames = CabledFrames(frames, cable, reel.pass_over)
        reader = free_reader(self._game.name, profile, self._header["players"], header=self._header)
        return CameraSource(frames, reader, **more)

    def _key(self) -> str:
        """Return a name for what the profile depends on: what is drawn, the code that draws and learns."""
        wanted = sorted(self._pieces.in_play(self._header))
        found = hashlib.sha256()
        for part in (self._game.name, self.copy.arranger.layout, SIZE_WH, self._seed, wanted):
            found.update(repr(part).encode())
        found.update(code_of_rooms())
        return found.hexdigest()[:32]


def photographs_of(camera: FreeCamera, arranger: Arranger, header: Json) -> CopyPhotographs:
    """Return photographs of what comes into a game, and what a player says of them."""
    pieces = arranger.pieces
    taken = take_photographs(camera, arranger, list(pieces.in_play(header)), pieces.paints(header))
    return taken.photographs()
