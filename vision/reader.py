"""From a frame to an observation: what is where, how surely, and what cannot be seen.

A place that is covered, burnt out or not understood is left out: nothing is ever claimed empty unless it was
seen to be empty. What the game expects has no say in what is claimed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType

from calibration.profile import Profile
from companion.observation import Expectation, Observation
from companion.table import Place
from vision.arrays import Picture8
from vision.capture.image_pyramid import ImagePyramid
from vision.faces.locator import Locator, Tracked
from vision.faces.registration import Match
from vision.faces.tile_locator import TileLocator
from vision.models.network import FOLDER
from vision.photometry.light import is_colourless
from vision.pieces.face_library import FaceLibrary
from vision.pieces.figures import StandingFigure
from vision.reading.boxes import read_boxes
from vision.reading.covered import recognise_covered
from vision.reading.faces import claim_cells, recognise_faces
from vision.reading.located import Located, locate
from vision.reading.observed import Reading, board_of, claims_of, likely_of, pile_of, standing_claimed
from vision.reading.outlines import Outlined, outlines
from vision.reading.pieces import claim_pieces, find_pieces, likely_pieces
from vision.reading.rectified import rectify


class Reader:
    """Reads frames of one table with one profile. Not for use by two threads at once.

    Attributes:
        library: what the profile tells.
        reading: the frame read last, stage by stage; None if the table was not found in it.
    """

    def __init__(self, profile: Profile, models: Path | None = FOLDER, look: Path | None = None) -> None:
        """Prepare; `models` is the folder of the recognisers, None to read without them.

        `look` is the folder of the network that looks at places, if that alone is at hand.
        """
        self.library = FaceLibrary(profile, models, look)
        self.reading: Reading | None = None
        self._locator = Locator(profile, self._tile_locator)
        # What is remembered of earlier frames: where the fiducials were, and the last frame with the table.
        self._tracked = Tracked(layout=profile.layout)
        self._before: Reading | None = None
        # The face on each cell, and the board, as it lay when it was seen last.
        self._laid: dict[str, Match] = {}
        self._board: Match | None = None

    @property
    def is_found(self) -> bool:
        """Whether the table was found in the frame read last."""
        return self.reading is not None

    @property
    def left_open(self) -> frozenset[Place]:
        """What the frame read last leaves open or in doubt."""
        return frozenset() if self.reading is None else self.reading.left_open

    def outlines(self, observation: Observation) -> tuple[Outlined, ...]:
        """Return the outlines of what was seen in the frame read last."""
        return outlines(self.reading, observation)

    def forget(self, *, but_tiles: bool = False) -> None:
        """Forget what earlier frames told; the next frame is read by itself.

        With `but_tiles` it is remembered where tiles and the board lay: what pieces mostly cover is looked
        for there.
        """
        self._tracked = Tracked(layout=self.library.layout)
        self._before = None
        if not but_tiles:
            self._laid, self._board = {}, None

    def read(
        self,
        frame: Picture8 | ImagePyramid,
        *,
        seq: int,
        seen_at_s: float,
        source: str,
        expected: Expectation | None = None,
        again: Collection[Place] = (),
    ) -> Observation:
        """Return what a frame (height, width, 3) uint8 BGR shows; it may have been halved before.

        `expected` is what the game predicts. It may help to find a table without fiducials, and stamps the
        observation; it decides nothing else. What has not changed since the frame before is not read again,
        but for the boxes in `again`: what the noise of one frame hides another may show. For a figure or
        dragon among them everything is read again: it may be anywhere.
        """
        pyramid = frame if isinstance(frame, ImagePyramid) else ImagePyramid(frame)
        rig = None if self._before is None else self._before.located.rig
        located, self._tracked = locate(
            self._locator,
            self.library,
            pyramid.times(0),
            self._tracked,
            {} if expected is None else expected.picture,
            rig,
        )
        self.reading = (
            None
            if located is None
            else read_stages(located, pyramid, self._before, again, self._laid, self._board)
        )
        self._before = self.reading or self._before
        if self.reading is not None:
            seen = self.reading.faces
            self._laid |= {cell: seen.matches[cell][0] for cell in seen.residuals}
            board = self.reading.board
            self._board = self._board if board is None or board.found is None else board.match
        told = Observation(
            source=source,
            seq=seq,
            seen_at_s=seen_at_s,
            read_for=None if expected is None else expected.revision,
        )
        return told if self.reading is None else self.reading.observed(told)

    def _tile_locator(self) -> TileLocator:
        board = None if self.library.board is None else self.library.board[1].face
        return TileLocator(self.library.layout, self.library.tiles.faces, board)


def read_stages(
    located: Located,
    pyramid: ImagePyramid,
    last: Reading | None,
    again: Collection[Place] = (),
    laid: Mapping[str, Match] = MappingProxyType({}),
    board_laid: Match | None = None,
) -> Reading:
    """Return the reading of a frame in which the table was found, on that of the `last` such frame.

    What is in `again` is read whether anything has changed there or not; `laid` are the faces seen last,
    `board_laid` is how the board lay when it was found last.
    """
    rig = located.rig
    stood: Mapping[Place, StandingFigure] = {} if last is None else last.stood
    # Of a frame taken from elsewhere no pixel says anything about this one.
    is_alike = last is not None and last.located.rig is rig
    before = last if is_alike and not any(map(rig.is_standing, again)) else None
    seen, known, found = (before.rectified, before.faces, before.pieces) if before else (None, None, None)

    rectified = rectify(located, pyramid, seen, known.residuals if known else (), again)
    plain = recognise_faces(rig, rectified, known)
    suspects = () if found is None else found.cover.suspects
    pieces = find_pieces(rig, plain, found, rectified.changed, suspects)
    faces = recognise_covered(rig, rectified, plain, pieces, laid)
    if faces is not plain:
        pieces = find_pieces(rig, faces, pieces, suspects=suspects)
    board = board_of(located, rectified, faces.tone, before, board_laid)
    pile = pile_of(located, rectified, before)

    cells, figures = claim_cells(rig, faces, pieces.cover), claim_pieces(rig, faces, pieces)
    colourless = is_colourless(rectified.frame)
    earlier = None if before is None else before.boxes
    boxes = read_boxes(rig, faces, pieces, {**cells, **figures}, earlier, colourless=colourless)
    # Without colours nobody knows whose pieces they are.
    claims = cells if colourless else claims_of({**cells, **figures}, boxes, board, pile)
    likely = {} if colourless else {**likely_of(boxes, board), **likely_pieces(pieces, claims)}
    return Reading(
        located=located,
        rectified=rectified,
        faces=faces,
        pieces=pieces,
        boxes=boxes,
        board=board,
        pile=pile,
        claims=claims,
        likely=likely,
        stood=standing_claimed(claims, pieces, stood),
    )
