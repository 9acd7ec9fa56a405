"""What the recognisers of markers learn from: boxes of drawn tables, as the program itself sees them.

Nothing is cut from where things truly are: poses, light and colours are those that enrolment and reading
find, with all their errors. The truth tells only what a box holds and how much of it is seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from calibration.profile import FaceRecord, PieceRecord, Profile
from companion.errors import ProfileError
from companion.table import Picture, Place, kind_of, parts_of, place
from vision.arrays import Floats, Patches
from vision.enrolment.enrol import enrol
from vision.faces.residuals import Residual
from vision.pieces.box_patches import colour_patches, fill_patches
from vision.pieces.markers import BoxPlace
from vision.reader import Reader
from vision.reading.observed import Reading
from vision.simulation.camera import SimulatedCamera
from vision.training.tables import RandomTable

FILLS = ("bare", "marker", "cannot tell")
"""What is told of a box; the last where so little of it is seen that nobody could."""
BARE, MARKER, HIDDEN = range(3)
GROUPS = 10_000
"""A marker's group is the number of its table times this, and more."""
# Of a box so much must be seen to be told; where it is less than the second share nobody can. What lies
# between is not learnt from.
_SEEN, _HIDDEN = 0.5, 0.25
# Every so manieth table in play has an arm over it.
_HANDS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxSamples:
    """Boxes of one drawn table, or of several.

    Attributes:
        fills: (N, channels, size, size), and what each box holds, (N,): index into `FILLS`.
        colours: (M, channels, size, size), a row for every marker and candidate; `is_own` (M,) says whether
            the candidate is whose it is, and `groups` (M,) which rows are of one marker.
        where: kind of place of every row of `fills`, (N,): 0 on a tile, 1 on the board.
        tables: number of the table of every row of `fills`, (N,).
    """

    fills: Patches
    holds: Floats
    where: Floats
    tables: Floats
    colours: Patches
    is_own: Floats
    groups: Floats


def learn(table: RandomTable, camera: SimulatedCamera) -> Profile:
    """Return the profile that enrolment makes of the camera's four photographs.

    Where boxes are is told: on a copy that nobody has seen they may have to be pointed at.

    Raises:
        ProfileError: the photographs do not suffice.
    """
    counts = {art.tile: len(art.boxes) for art in table.arts}
    photographs = camera.enrolment().photographs()
    profile = enrol(
        photographs,
        table.layout,
        edition="drawn",
        players=tuple(table.players),
        boxes_of_tile=counts,
    )
    return replace(profile, faces=tuple(_with_boxes(face, table, counts) for face in profile.faces))


def _learnt(table: RandomTable) -> Profile | None:
    """Return the profile of a table, without its board where that is not found; None where all is refused."""
    camera = table.camera(seed=1)
    for layout in (table.layout, replace(table.layout, board=None)):
        try:
            return learn(replace(table, layout=layout), camera)
        except ProfileError:
            continue
    return None


def _with_boxes(face: FaceRecord, table: RandomTable, counts: dict[str, int]) -> FaceRecord:
    tile, _, side = face.name.partition("/")
    if side != "sketch":
        return face
    edge = table.layout.tile_edge_mm
    middles = table.artwork.box_middles(counts[tile])
    return replace(
        face,
        boxes_mm=tuple(((u - 0.5) * edge, (0.5 - v) * edge) for u, v in middles),
        box_edge_mm=table.artwork.box_edge * edge,
    )


def samples_of(table: RandomTable, frames: int) -> BoxSamples | None:
    """Return the boxes of so many pictures of a table, None where enrolment was refused."""
    profile = _learnt(table)
    if profile is None:
        return None
    reader = Reader(profile)
    room = table.elsewhere()
    camera = room.camera(seed=2)
    found: list[_Box] = []
    for i, picture in enumerate(table.positions(frames)):
        hand = room.hand(seed=i) if i % _HANDS == _HANDS - 1 else None
        reader.forget()
        frame = camera.frame(picture, hand_pose=hand, t=float(i))
        reader.read(frame, seq=i, seen_at_s=float(i), source="drawn")
        if reader.reading is None:
            continue
        boxes = dict(boxes_of(reader.reading, picture))
        shares = camera.visible_shares(picture, boxes, hand_pose=hand)
        found += [
            _Box(
                found=face,
                spot=spot,
                owner=picture[where],
                share=shares[where],
                on_board=kind_of(where) == "obelisk",
            )
            for where, (face, spot) in boxes.items()
        ]
    markers = [one for one in profile.pieces if one.kind == "marker"]
    return _stacked(found, markers, table.number)


def boxes_of(reading: Reading, truth: Picture) -> Iterator[tuple[Place, tuple[Residual, BoxPlace]]]:
    """Yield the boxes of the rightly recognised tiles, and of the board, with where they are seen."""
    faces = reading.faces
    for where in faces.spots:
        cell = parts_of(where)[0]
        record = reading.located.rig.library.records[faces.residuals[cell][0]]
        if truth.get(place("cell", cell)) == record.name and where in truth:
            yield where, faces.spot(where)
    board = reading.board
    if board is not None and board.found is not None:
        for number, spot in enumerate(board.spots):
            yield place("obelisk", number), (board.found, spot)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Box:
    """A box as it is seen, and the truth of it."""

    found: Residual
    spot: BoxPlace
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


def _stacked(boxes: Iterable[_Box], markers: list[PieceRecord], table: int) -> BoxSamples | None:
    told = [(one, holds) for one in boxes if (holds := one.holds) is not None]
    if not told:
        return None
    seen = [one for one, holds in told if holds == MARKER]
    colours = [colour_patches(one.found, one.spot, markers) for one in seen]
    empty = colour_patches(told[0][0].found, told[0][0].spot, [])
    own = [[one.owner == marker.name for marker in markers] for one in seen]
    return BoxSamples(
        fills=np.concatenate([fill_patches(one.found, [one.spot], markers) for one, _ in told]),
        holds=np.array([holds for _, holds in told], np.float64),
        where=np.array([one.on_board for one, _ in told], np.float64),
        tables=np.full(len(told), float(table)),
        colours=np.concatenate([*colours, empty]),
        is_own=np.array(own, np.float64).ravel(),
        groups=np.repeat(np.arange(len(seen)), len(markers)).astype(np.float64) + table * GROUPS,
    )


def joined(parts: Iterable[BoxSamples]) -> BoxSamples:
    """Return the samples of several tables together."""
    some = list(parts)
    return BoxSamples(
        **{name: np.concatenate([getattr(one, name) for one in some]) for name in BoxSamples.__slots__}
    )
