"""The profile of a copy of a game whose pieces lie anywhere: its faces, backs, boards and solid pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from calibration.camera_pose import CameraPose, Lens
from calibration.profile import FaceRecord, LensRecord, NotLearnt, PieceRecord, Profile
from companion.table_layout import TableLayout
from companion.table_pieces import PieceSet
from vision.arrays import Image
from vision.capture.pictures import packed_face
from vision.enrolment.laid_shot import LearntFace
from vision.free.bare_table import learnt_ground

ROUND: Final = "wheel"
"""The kind of board that is round (`companion.table_pieces.FacePrint.board`)."""
_FACE: Final = "face:"


def profile_of_copy(
    game: str,
    pieces: PieceSet,
    layout: TableLayout,
    players: Sequence[str],
    *,
    faces: Mapping[str, LearntFace],
    missing: Mapping[str, str],
    solids: Iterable[PieceRecord],
    lens: Lens,
) -> Profile:
    """Return the profile of what was learnt.

    Args:
        game: its name, kept as the edition.
        pieces: of the game.
        layout: the table, its codes where they lie.
        players: in seat order.
        faces: what was cut out, by name.
        missing: by name, why others are not known, for people.
        solids: the solid pieces.
        lens: of the camera.
    """
    records, pictures = [], {}
    for number, name in enumerate(name for name in pieces.faces if name in faces):
        face, printed = faces[name], pieces.faces[name]
        record = FaceRecord(
            name=name,
            picture=f"face-{number}.png",
            width_mm=face.size_mm[0],
            height_mm=face.size_mm[1],
            is_back=printed.is_back,
            is_round=printed.board == ROUND,
        )
        records.append(record)
        pictures[record.picture] = packed_face(name, face.image, face.valid)
    paints = tuple(solids)
    known = {*faces, *(one.name for one in paints)}
    return Profile(
        edition=game,
        players=tuple(players),
        layout=layout,
        faces=tuple(records),
        pieces=paints,
        lens=LensRecord(
            size_wh=lens.size_wh, focal_px=lens.focal_px, centre_px=lens.centre_px, k1=lens.k1, k2=lens.k2
        ),
        pictures=pictures,
        not_learnt=tuple(
            NotLearnt(what=f"{_FACE}{name}", why=str(why))
            for name, why in missing.items()
            if name not in known
        ),
    )


def with_ground(profile: Profile, frame: Image, camera: CameraPose) -> Profile:
    """Return a profile that knows the empty table, too, as a frame (height, width, 3) shows it."""
    ground, packed = learnt_ground(frame, camera, profile.layout.areas)
    return replace(profile, ground=ground, pictures={**profile.pictures, ground.picture: packed})


def joined(new: Profile, kept: Profile) -> Profile:
    """Return what was learnt now, with what an earlier profile of the same copy knows beyond that."""
    faces = {one.name: (one, new.pictures[one.picture]) for one in new.faces}
    for one in kept.faces:
        faces.setdefault(one.name, (one, kept.pictures[one.picture]))
    records, pictures = [], {}
    for number, (record, packed) in enumerate(faces.values()):
        named = replace(record, picture=f"face-{number}.png")
        records.append(named)
        pictures[named.picture] = packed
    ground, known_by = (new.ground, new) if new.ground is not None else (kept.ground, kept)
    if ground is not None:
        pictures[ground.picture] = known_by.pictures[ground.picture]
    fresh = {(one.kind, one.name) for one in new.pieces}
    paints = (*new.pieces, *(one for one in kept.pieces if (one.kind, one.name) not in fresh))
    known = {*faces, *(one.name for one in paints)}
    return replace(
        new,
        faces=tuple(records),
        pieces=paints,
        ground=ground,
        pictures=pictures,
        not_learnt=tuple(one for one in new.not_learnt if one.what.removeprefix(_FACE) not in known),
    )
