"""Frames of drawn tables through the program's own eyes: enrolment, then reading, on several evenings.

Nothing is cut from where things truly are: poses, light and colours are those that enrolment and reading
find, with all their errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from calibration.pointed_board import PointedBoard
from calibration.profile import FaceRecord, Profile
from companion.errors import ProfileError
from companion.table import Picture
from companion.table_layout import TableLayout
from vision.enrolment.enrol import enrol
from vision.enrolment.photograph_names import BUILT, EMPTY, SKETCH, photograph_name
from vision.enrolment.pieces import learn_pieces
from vision.faces.table_frame import Photograph, measured
from vision.reader import Reader
from vision.reading.observed import Reading
from vision.simulation.camera import SimulatedCamera
from vision.simulation.scenery import HandPose
from vision.training.tables import RandomTable

# A click on a box is off by so much, a box that enrolment finds by so much, and its edge by such factors.
_CLICK_PX, _BOX_OFF_MM, _BOX_EDGE = 1.0, 0.25, (0.92, 1.08)
# Every so manieth table in play has an arm over it.
_HANDS = 4
# On every so manieth evening the networks see tables that are crowded with doubles of figures.
_CROWDED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnFrame:
    """One picture of a drawn table, read.

    Attributes:
        table: the table; `profile` is what was learnt of it.
        reading: all that was read.
        truth: what is where.
        camera: what took the picture; `hand` was over the table.
    """

    table: RandomTable
    profile: Profile
    reading: Reading
    truth: Picture
    camera: SimulatedCamera
    hand: HandPose | None


def learn(table: RandomTable, camera: SimulatedCamera, usual: TableLayout | None = None) -> Profile:
    """Return the profile that enrolment makes of the camera's four photographs.

    Sizes are the table's own, or measured if all that is known is the `usual` layout of the game.

    Where boxes are is told, about as exactly as enrolment finds them: on a copy that nobody has seen they may
    have to be pointed at, and looking for them takes longest.

    Raises:
        ProfileError: the photographs do not suffice.
    """
    photographs = camera.enrolment().photographs()
    bare = replace(photographs, pieces=None, shown=None, board=_pointed_at(table, camera))
    counts = {art.tile: len(art.boxes) for art in table.arts}
    layout = table.layout
    if usual is not None:
        named = {SKETCH: photographs.sketch, BUILT: photographs.built, EMPTY: photographs.empty}
        layout = measured(
            [
                Photograph(frame=frame, what=photograph_name(name), shows_city=name != EMPTY)
                for name, frame in named.items()
            ],
            replace(usual, places=layout.places).with_codes_of(layout.fiducials[0].edge_mm),
            any_size=True,
        )
    profile = enrol(bare, layout, edition="drawn", players=tuple(table.players), boxes_of_tile={})
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


def learnt(table: RandomTable, usual: TableLayout | None = None) -> Profile | None:
    """Return the profile of a table as `learn` does, None where its photographs are refused."""
    try:
        return learn(table, table.camera(seed=1), usual)
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


def drawn_frames(
    table: RandomTable, profile: Profile, frames: int, evenings: int = 4, look: Path | None = None
) -> Iterator[DrawnFrame]:
    """Yield so many frames of a table on several evenings, in other light and from other places.

    `look` is the folder of the network that looks at places where figures may stand.
    """
    # What is learnt must not depend on what was learnt before, but for what tells where to look.
    reader = Reader(profile, models=None, look=look)
    for evening, share in enumerate(np.array_split(np.arange(frames), evenings)):
        # Of a piece with doubles nobody can say which place is right: what weighs places sees none.
        crowded = table.crowded() if look is None and evening % _CROWDED == 0 else table
        room = crowded.evening(evening)
        camera = room.camera(seed=2 + evening)
        for i, (number, truth) in enumerate(
            zip(share.tolist(), room.positions(len(share), seed=evening), strict=True)
        ):
            hand = room.hand(seed=10 * evening + i) if number % _HANDS == _HANDS - 1 else None
            reader.forget()
            frame = camera.frame(truth, hand_pose=hand, t=float(i))
            reader.read(frame, seq=i, seen_at_s=float(i), source="drawn")
            if reader.reading is not None:
                yield DrawnFrame(
                    table=table,
                    profile=profile,
                    reading=reader.reading,
                    truth=truth,
                    camera=camera,
                    hand=hand,
                )
