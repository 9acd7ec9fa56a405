"""The last stage: everything one frame shows as an observation, and what is kept of it for the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.camera_pose import CameraPose
from companion.observation import Observation, Sighting
from companion.table import Place, Value, place
from vision.faces.registration import Match
from vision.pieces.board import BoardReading, read_board
from vision.pieces.figures import StandingFigure
from vision.pieces.pile import PileReading
from vision.reading.boxes import BoxReading
from vision.reading.faces import Faces
from vision.reading.located import Located
from vision.reading.pieces import BEYOND_DOUBT, Pieces
from vision.reading.rectified import Rectified
from vision.reading.rig import Rig

# Where a piece stood so much of its outline is bare once it has left, and less than this share of it is seen.
_LEFT_BARE, _A_TRACE = 0.6, 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """All stages of one frame's reading. The next frame's begins with it.

    Attributes:
        located, rectified, faces, pieces, boxes: the stages.
        board, pile: the latest readings of the board and the discard pile, None if there are none.
        claims: all claims.
        likely: what places without a claim show more likely than not.
        stood: where each piece stood when it was last claimed.
    """

    located: Located
    rectified: Rectified
    faces: Faces
    pieces: Pieces
    boxes: BoxReading
    board: BoardReading | None
    pile: PileReading | None
    claims: Mapping[Place, Sighting]
    likely: Mapping[Place, Sighting] = field(default_factory=dict)
    stood: Mapping[Place, StandingFigure] = field(default_factory=dict)

    @property
    def _rig(self) -> Rig:
        return self.located.rig

    @property
    def camera(self) -> CameraPose:
        """The camera over the table."""
        return self._rig.camera

    @property
    def busy(self) -> bool:
        """Whether a hand is over the table, or something large over the board."""
        return self.pieces.busy or (self.board is not None and self.board.covered)

    def observed(self, told: Observation) -> Observation:
        """Return an observation with everything this frame shows."""
        return replace(
            told,
            sightings=self.claims,
            busy=self.busy,
            hidden=self.hidden,
            denied=self.denied,
            likely={} if self.busy else self.likely,
        )

    @property
    def left_open(self) -> frozenset[Place]:
        """What another look may tell: boxes of known tiles and of the board without a claim, and pieces."""
        features = () if self.board is None else self.board.features
        board = map(self._rig.layout.places.on_board, range(len(features)))
        boxes = (where for where in (*self.faces.features, *board) if where not in self.claims)
        return frozenset((*boxes, *filter(self._is_doubted, self.pieces.chances)))

    def _is_doubted(self, piece: Place) -> bool:
        """Whether a figure or dragon is likely somewhere, but not beyond doubt."""
        one = self.claims.get(piece, self.likely.get(piece))
        return one is not None and one.value is not None and one.confidence < BEYOND_DOUBT

    @property
    def hidden(self) -> frozenset[Place]:
        """The places known to be covered: boxes, cells and a pile that cannot be read."""
        layout = self._rig.layout
        wanted = [*self.faces.features, *map(layout.places.on_cell, layout.cells)]
        if self._rig.library.pile is not None:
            wanted.append(self._rig.library.pile.place)
        return frozenset(where for where in wanted if where not in self.claims)

    @property
    def denied(self) -> dict[Place, frozenset[Value]]:
        """What places hardly show, although it is unknown what they do show.

        Bare ground may be visible where a piece stood that is not located now; or more likely than not a
        marker lies on a box.
        """
        taken = self.boxes.taken if self.board is None else self.boxes.taken | self.board.taken
        denied = {where: frozenset[Value]({None}) for where in taken}
        for piece in self._rig.library.profile.pieces:
            where = place(piece.kind, piece.name)
            if where not in self.claims and where in self.stood and self._has_left(piece.kind, where):
                denied[where] = frozenset({self.stood[where].cell})
        return denied

    def _has_left(self, kind: str, where: Place) -> bool:
        """Whether a piece has left its place: the ground is visible there, and hardly a trace of it."""
        before, now, city = self.stood[where], self.pieces.standing.get(where), self.pieces.city
        if now is not None and now.cell == before.cell and now.share > _A_TRACE:
            return False
        region, body = self._rig.bodies.outline(kind, before.base_mm)
        bare = city.tile[region] & ~(city.strange | city.blind | city.taken)[region]
        return bool(np.count_nonzero(bare & body) > _LEFT_BARE * np.count_nonzero(body))


def board_of(
    located: Located, rectified: Rectified, tone: float, before: Reading | None, laid: Match | None
) -> BoardReading | None:
    """Return what the board shows: read again where it has changed, otherwise the earlier reading.

    `laid` is how it lay when it was found last.
    """
    if rectified.board is None:
        return None if before is None else before.board
    board = read_board(located.rig.library, rectified.board, located.rig.camera, tone, laid)
    if board is None or board.found is not None or before is None or before.board is None:
        return board
    # What has hidden it since the frame before is no hand that passes.
    return replace(board, covered=board.covered and before.board.found is not None)


def pile_of(located: Located, rectified: Rectified, before: Reading | None) -> PileReading | None:
    """Return the top of the discard pile: read again if it has changed, otherwise the earlier reading."""
    rig = located.rig
    if rectified.pile is None or rig.library.pile is None:
        return None if before is None else before.pile
    return rig.library.pile.read(rectified.pile, rectified.frame, rig.camera, located.layout)


def claims_of(
    claims: Mapping[Place, Sighting], boxes: BoxReading, board: BoardReading | None, pile: PileReading | None
) -> dict[Place, Sighting]:
    """Return all claims together; `claims` are those of tiles and pieces."""
    found = {**claims, **boxes.claims}
    if pile is not None and pile.top is not None:
        where = Place(pile.top.area)
        found[where] = Sighting(place=where, value=pile.top.face, confidence=pile.top.confidence)
    if board is not None:
        found |= {one.place: one for one in board.sightings}
    return found


def likely_of(boxes: BoxReading, board: BoardReading | None) -> dict[Place, Sighting]:
    """Return what boxes without a claim, those on the board among them, hold more likely than not."""
    return {**boxes.likely, **({} if board is None else {one.place: one for one in board.likely})}


def standing_claimed(
    claims: Mapping[Place, Sighting], pieces: Pieces, before: Mapping[Place, StandingFigure]
) -> dict[Place, StandingFigure]:
    """Return the place of each piece when it was last claimed."""
    return {**before, **{where: one for where, one in pieces.standing.items() if where in claims}}
