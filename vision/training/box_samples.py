"""What the recognisers of markers learn from: boxes of drawn tables, as the program itself sees them.

The truth tells only what a box holds and how much of it is seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from companion.table import Picture, Place, parts_of, place
from vision.arrays import Floats, Patches, Singles
from vision.pieces.box_measures import MEASURES, OWNER_MEASURES, SeenBox, measures, owner_measures
from vision.pieces.box_patches import COLOUR_CHANNELS, FILL_CHANNELS, SIZE_PX, colour_patches, fill_patches
from vision.reading.observed import Reading
from vision.training.drawn_frames import DrawnFrame

FILLS = ("bare", "marker", "cannot tell")
"""What is told of a box; the last where so little of it is seen that nobody could."""
BARE, MARKER, HIDDEN = range(3)
GROUPS = 10_000
"""A marker's group is the number of its table times this, and more."""
_MOST_BOXES = 200
# Of a box so much must be seen to be told; where it is less than the second share nobody can. What lies
# between is not learnt from.
_SEEN, _HIDDEN = 0.5, 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxSamples:
    """Boxes of one drawn table, or of several.

    Attributes:
        fills: (N, channels, size, size), and what each box holds, (N,): index into `FILLS`.
        colours: (M, channels, size, size), a row for every marker and candidate; `is_own` (M,) says whether
            the candidate is whose it is, and `groups` (M,) which rows are of one marker.
        measures: what is measured of every box, (N, MEASURES), and `owner_measures` of every candidate,
            (M, OWNER_MEASURES).
        where: kind of place of every row of `fills`, (N,): 0 on a tile, 1 on the board.
        tables: number of the table of every row of `fills`, (N,).
    """

    fills: Patches
    holds: Floats
    measures: Singles
    where: Floats
    tables: Floats
    colours: Patches
    is_own: Floats
    groups: Floats
    owner_measures: Singles


def box_samples_of(frame: DrawnFrame, number: int) -> BoxSamples:
    """Return the boxes in one picture of a table, `number` that of the picture."""
    markers = [one for one in frame.profile.pieces if one.kind == "marker"]
    table = frame.table.number
    told = [(one, holds) for one in _boxes_in(frame) if (holds := one.holds) is not None]
    seen = [one for one, holds in told if holds == MARKER]
    fills = [fill_patches(one.seen.face, [one.seen.place], markers) for one, _ in told]
    colours = [colour_patches(one.seen.face, one.seen.place, markers) for one in seen]
    known = [owner_measures(one.seen.look, at) for one in seen for at in range(len(markers))]
    own = [[one.owner == marker.name for marker in markers] for one in seen]
    groups = np.repeat(np.arange(len(seen)), len(markers)) + number * _MOST_BOXES + table * GROUPS
    return BoxSamples(
        fills=np.concatenate([*fills, np.zeros((0, FILL_CHANNELS, SIZE_PX, SIZE_PX), np.uint8)]),
        holds=np.array([holds for _, holds in told], np.float64),
        measures=np.array([measures(one.seen) for one, _ in told], np.float32).reshape(-1, MEASURES),
        where=np.array([one.on_board for one, _ in told], np.float64),
        tables=np.full(len(told), float(table)),
        colours=np.concatenate([*colours, np.zeros((0, COLOUR_CHANNELS, SIZE_PX, SIZE_PX), np.uint8)]),
        is_own=np.array(own, np.float64).ravel(),
        groups=groups.astype(np.float64),
        owner_measures=np.array(known, np.float32).reshape(-1, OWNER_MEASURES),
    )


def _boxes_in(frame: DrawnFrame) -> Iterator[_Box]:
    boxes = dict(boxes_of(frame.reading, frame.truth))
    shares = frame.camera.visible_shares(frame.truth, boxes, hand_pose=frame.hand)
    places = frame.reading.located.layout.places
    for where, seen in boxes.items():
        yield _Box(
            seen=seen, owner=frame.truth[where], share=shares[where], on_board=places.is_on_board(where)
        )


def boxes_of(reading: Reading, truth: Picture) -> Iterator[tuple[Place, SeenBox]]:
    """Yield the boxes of the rightly recognised tiles, and of the board, as they are seen."""
    faces = reading.faces
    for where in faces.spots:
        cell = parts_of(where)[0]
        record = reading.located.rig.library.records[faces.residuals[cell][0]]
        if truth.get(place("cell", cell)) == record.name and where in truth:
            yield where, faces.seen(where)
    board = reading.board
    if board is not None and board.found is not None and board.picture is not None:
        for number, (spot, look) in enumerate(zip(board.spots, board.features, strict=True)):
            yield (
                reading.located.layout.places.on_board(number),
                SeenBox(face=board.found, place=spot, look=look, picture=board.picture),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Box:
    """A box as it is seen, and the truth of it."""

    seen: SeenBox
    owner: str | None
    share: float
    on_board: bool

    @property
    def holds(self) -> int | None:
        """What it holds, None where too much is hidden to learn from and too little to call it hidden."""
        if self.share < _HIDDEN:
            return HIDDEN
        if self.share < _SEEN:
            return None
        return BARE if self.owner is None else MARKER
