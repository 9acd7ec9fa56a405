"""What the recognisers of markers learn from: boxes of drawn tables, as the program itself sees them.

Nothing is cut from where things truly are: poses, light and colours are those that enrolment and reading
find, with all their errors. The truth tells only what a box holds and how much of it is seen.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.pointed_board import PointedBoard
from calibration.profile import FaceRecord, PieceRecord, Profile
from companion.errors import ProfileError
from companion.table import Picture, Place, parts_of, place
from vision.arrays import Floats, Patches
from vision.enrolment.enrol import enrol
from vision.enrolment.pieces import learn_pieces
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
# A click on a box is off by so much, a box that enrolment finds by so much, and its edge by such factors.
_CLICK_PX, _BOX_OFF_MM, _BOX_EDGE = 1.0, 0.25, (0.92, 1.08)
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

    Where boxes are is told, about as exactly as enrolment finds them: on a copy that nobody has seen they may
    have to be pointed at, and looking for them takes longest.

    Raises:
        ProfileError: the photographs do not suffice.
    """
    photographs = camera.enrolment().photographs()
    bare = replace(photographs, pieces=None, shown=None, board=_pointed_at(table, camera))
    counts = {art.tile: len(art.boxes) for art in table.arts}
    profile = enrol(bare, table.layout, edition="drawn", players=tuple(table.players), boxes_of_tile={})
    dice = np.random.default_rng((table.number, 6))
    faces = tuple(_with_boxes(face, table, counts, dice) for face in profile.faces)
    profile = replace(profile, faces=faces)
    if photographs.pieces is None or photographs.shown is None:
        return profile
    return learn_pieces(profile, photographs.pieces, photographs.shown)


def _pointed_at(table: RandomTable, camera: SimulatedCamera) -> PointedBoard | None:
    """Return where a player points at the board's boxes."""
    pose, board = camera.board_pose(), table.layout.board
    if pose is None or board is None:
        return None
    dice = np.random.default_rng((table.number, 7))
    middles = np.array([(*pose.at(x, y), pose.z_mm) for x, y in board.boxes_mm])
    seen = camera.pose.project(middles) + dice.normal(0, _CLICK_PX, (len(middles), 2))
    return PointedBoard(picture="sketch", boxes_px=tuple((float(x), float(y)) for x, y in seen))


def _learnt(table: RandomTable) -> Profile | None:
    """Return the profile of a table, None where its photographs are refused."""
    try:
        return learn(table, table.camera(seed=1))
    except ProfileError:
        return None


def _with_boxes(
    face: FaceRecord, table: RandomTable, counts: dict[str, int], dice: np.random.Generator
) -> FaceRecord:
    tile, _, side = face.name.partition("/")
    if side != "sketch":
        return face
    edge = table.layout.tile_edge_mm
    middles = table.artwork.box_middles(counts[tile])
    off = dice.normal(0, _BOX_OFF_MM, (len(middles), 2))
    return replace(
        face,
        boxes_mm=tuple(
            (float((u - 0.5) * edge + x), float((0.5 - v) * edge + y))
            for (u, v), (x, y) in zip(middles, off, strict=True)
        ),
        box_edge_mm=table.artwork.box_edge * edge * float(dice.uniform(*_BOX_EDGE)),
    )


def samples_of(table: RandomTable, frames: int, evenings: int = 4) -> BoxSamples | None:
    """Return the boxes of so many pictures of a table, None where enrolment was refused.

    The pictures are taken on several evenings, in other light and from other places.
    """
    profile = _learnt(table)
    if profile is None:
        return None
    markers = [one for one in profile.pieces if one.kind == "marker"]
    pictures = list(table.crowded().positions(frames))
    shares = np.array_split(np.arange(frames), evenings)
    parts = [
        _seen_on(table.crowded().evening(number), number, profile, [pictures[i] for i in share])
        for number, share in enumerate(shares)
        if len(share)
    ]
    return _stacked(itertools.chain.from_iterable(parts), markers, table.number)


def _seen_on(room: RandomTable, evening: int, profile: Profile, pictures: Sequence[Picture]) -> list[_Box]:
    """Return the boxes of some pictures that are taken on one evening."""
    reader = Reader(profile)
    camera = room.camera(seed=2 + evening)
    found: list[_Box] = []
    for i, picture in enumerate(pictures):
        hand = room.hand(seed=10 * evening + i) if i % _HANDS == _HANDS - 1 else None
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
                on_board=profile.layout.places.is_on_board(where),
            )
            for where, (face, spot) in boxes.items()
        ]
    return found


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
            yield reading.located.layout.places.on_board(number), (board.found, spot)


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
