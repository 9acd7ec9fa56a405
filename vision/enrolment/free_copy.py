"""Learning a copy of a game whose pieces lie anywhere, from photographs of its faces laid out in rows.

What a player says of the photographs (`CopyPhotographs`) names the faces row by row, and points at boards,
backs and solid pieces. Nothing about the print is known: a face is what lies within an outline of its size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration.profile import PieceRecord, Profile
from companion.errors import ProfileError
from companion.i18n import Message, msg
from companion.table_layout import TableLayout
from companion.table_pieces import PieceSet
from vision.arrays import Image
from vision.enrolment.common_frames import aligned
from vision.enrolment.common_size import common_size_mm, of_size
from vision.enrolment.copy_profile import ROUND, profile_of_copy, with_ground
from vision.enrolment.laid_outlines import FITTING_PX_PER_MM
from vision.enrolment.laid_rows import NamedFaces, name_in_rows
from vision.enrolment.laid_shot import LaidShot, LearntFace, View, face_size_mm
from vision.enrolment.solid_paints import SOLIDS, learn_paints
from vision.faces.cutting import fiducials_of
from vision.faces.table_frame import Photograph, measured

Report = Callable[[Message], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsPhotograph:
    """The faces that lie in rows on a photograph: the far row first, each from the left."""

    picture: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PointedThing:
    """A board, a back or a solid piece: its name, what it is, and where its middle or foot is, px."""

    picture: str
    name: str
    shape: str
    at_px: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyPhotographs:
    """Photographs of one table with one camera, and what a player says of them.

    Attributes:
        images: (height, width, 3) by name.
        rows: what lies in rows.
        things: what is pointed at.
        empty: name of the photograph of the empty table; "" if there is none.
    """

    images: Mapping[str, Image]
    rows: tuple[RowsPhotograph, ...]
    things: tuple[PointedThing, ...] = ()
    empty: str = ""


@dataclass(slots=True)
class _Learning:
    faces: dict[str, LearntFace] = field(default_factory=dict)
    missing: dict[str, Message | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LearntCopy:
    """A profile, and where its faces were found."""

    profile: Profile
    faces: Mapping[str, LearntFace]


def learn_copy(
    game: str,
    pieces: PieceSet,
    layout: TableLayout,
    players: Sequence[str],
    photographs: CopyPhotographs,
    report: Report = lambda _: None,
) -> LearntCopy:
    """Return the profile of a copy; what photographs do not show is left out and noted in `not_learnt`.

    Args:
        game: its name, kept as the edition.
        pieces: what its faces are, and their sizes.
        layout: the usual table, with codes of the printed size: where they lie is measured.
        players: in seat order.
        photographs: what to learn from.
        report: is told what is being done.

    Raises:
        ProfileError: no photograph shows the codes.
    """
    missing: dict[str, Message | str] = {}
    seen = dict(_with_codes(photographs, layout, missing))
    report(msg("the codes"))
    layout = measured(
        [Photograph(frame=frame, what=name, shows_city=False) for name, frame in seen.items()], layout
    )
    shots = _shots(seen, layout, pieces, photographs, missing)
    learning = _Learning(missing=missing)
    for one in photographs.rows:
        if one.picture in shots:
            report(msg("the faces on {picture}", picture=one.picture))
            _learn_rows(shots[one.picture], one.rows, learning)
    report(msg("boards, backs and pieces"))
    solids = [
        record
        for name, shot in shots.items()
        for record in _learn_things(
            shot, [one for one in photographs.things if one.picture == name], learning
        )
    ]
    faces = _of_common_sizes(learning.faces, layout, pieces)
    profile = profile_of_copy(
        game,
        pieces,
        layout,
        players,
        faces=faces,
        missing=learning.missing,
        solids=solids,
        lens=next(iter(shots.values())).camera.lens,
    )
    bare = shots.get(photographs.empty)
    if bare is not None:
        profile = with_ground(profile, bare.frame, bare.camera)
    return LearntCopy(profile, faces)


def _of_common_sizes(
    faces: Mapping[str, LearntFace], layout: TableLayout, pieces: PieceSet
) -> dict[str, LearntFace]:
    """Return faces of which those that the list says are of one size are so in this copy."""
    alike: dict[tuple[float, float], list[str]] = {}
    for name in faces:
        alike.setdefault(face_size_mm(layout, pieces, name), []).append(name)
    sizes = {
        listed: common_size_mm([faces[name] for name in names], listed) for listed, names in alike.items()
    }
    return {name: of_size(face, sizes[face_size_mm(layout, pieces, name)]) for name, face in faces.items()}


def _shots(
    seen: Mapping[str, Image],
    layout: TableLayout,
    pieces: PieceSet,
    photographs: CopyPhotographs,
    missing: dict[str, Message | str],
) -> dict[str, LaidShot]:
    """Return the photographs whose codes lie where they do in the others; note what the rest do not teach."""
    views = {}
    for name, frame in seen.items():
        try:
            views[name] = View(name, frame, layout)
        except ProfileError as error:
            missing.update(dict.fromkeys(_names_on(photographs, name), str(error)))
    empty = views.get(photographs.empty)
    return {
        name: LaidShot(
            name,
            seen[name],
            view,
            pieces,
            empty=seen[photographs.empty] if empty is not None and view.is_from_where(empty) else None,
        )
        for name, view in views.items()
    }


def _learn_things(shot: LaidShot, things: Sequence[PointedThing], learning: _Learning) -> list[PieceRecord]:
    """Learn the boards and backs that are pointed at; return the solid pieces."""
    alike: dict[tuple[tuple[float, float], bool], list[PointedThing]] = {}
    for one in things:
        if one.shape not in SOLIDS:
            is_round = shot.pieces.faces[one.name].board == ROUND
            size_mm = face_size_mm(shot.layout, shot.pieces, one.name)
            alike.setdefault((size_mm, is_round), []).append(one)
    for (size_mm, is_round), some in alike.items():
        _learn_flat(shot, size_mm, some, learning, is_round=is_round)
    points = [(one.name, one.shape, one.at_px) for one in things if one.shape in SOLIDS]
    found, unclear = learn_paints(shot.frame, shot.camera, shot.view.light_at, points)
    learning.missing.update({name: _no_paint(shot.name, name) for name in unclear})
    return found


def _with_codes(
    photographs: CopyPhotographs, layout: TableLayout, missing: dict[str, Message | str]
) -> Iterator[tuple[str, Image]]:
    """Yield the photographs that show enough codes; note what the others do not teach."""
    last: ProfileError | None = None
    any_good = False
    for name, frame in photographs.images.items():
        try:
            fiducials_of(frame, layout, name)
        except ProfileError as error:
            last = error
            missing.update(dict.fromkeys(_names_on(photographs, name), str(error)))
        else:
            any_good = True
            yield name, frame
    if not any_good:
        raise last or ProfileError(msg("there is no photograph to learn from"))


def _names_on(photographs: CopyPhotographs, picture: str) -> Iterator[str]:
    for rows in photographs.rows:
        if rows.picture == picture:
            for row in rows.rows:
                yield from row
    yield from (one.name for one in photographs.things if one.picture == picture)


def _no_paint(picture: str, name: str) -> Message:
    return msg(
        "{picture} does not show the colour of {name}: point at the middle of its foot, and put it where "
        "nothing is reflected in it",
        picture=picture,
        name=name,
    )


def _learn_rows(shot: LaidShot, rows: Sequence[Sequence[str]], learning: _Learning) -> None:
    names = [name for row in rows for name in row]
    size_mm = face_size_mm(shot.layout, shot.pieces, names[0])
    others = [name for name in names if face_size_mm(shot.layout, shot.pieces, name) != size_mm]
    if others:
        why = msg(
            "{picture}: {name} is of another size than the faces beside it; photograph it by itself",
            picture=shot.name,
            name=others[0],
        )
        learning.missing.update(dict.fromkeys(names, why))
        return
    found = shot.outlines(size_mm, shot.beside_codes(size_mm), len(names))
    outlines = aligned(
        np.asarray(shot.seen(FITTING_PX_PER_MM), np.uint8), found, shot.covered(FITTING_PX_PER_MM)
    )
    named: NamedFaces = name_in_rows(outlines, rows, shot.name)
    for name, one in named.found.items():
        _keep(learning, shot.name, name, shot.cut(one, size_mm))
    learning.missing.update(named.missing)


def _keep(learning: _Learning, picture: str, name: str, face: LearntFace) -> None:
    """Keep a face; one that a lamp has washed out is noted as missing: it would be mistaken for others."""
    if not face.is_lost:
        learning.faces[name] = face
        return
    learning.missing[name] = msg(
        "{picture}: a lamp is reflected in {name}: move the lamp, or lay the piece elsewhere, and take the "
        "photograph again",
        picture=picture,
        name=name,
    )


def _learn_flat(
    shot: LaidShot,
    size_mm: tuple[float, float],
    things: Sequence[PointedThing],
    learning: _Learning,
    *,
    is_round: bool,
) -> None:
    """Learn boards and backs of one size and shape."""
    points = [one.at_px for one in things]
    if is_round:
        found = [next(iter(shot.disc(size_mm[0], at_px)), None) for at_px in points]
    else:
        found = shot.outlines_at(size_mm, points)
    for one, outline in zip(things, found, strict=True):
        if outline is not None:
            _keep(learning, shot.name, one.name, shot.cut(outline, size_mm, is_round=is_round))
        else:
            learning.missing[one.name] = msg(
                "{picture} does not show {name} where you point: point at its middle, and lay it flat with "
                "nothing on it",
                picture=shot.name,
                name=one.name,
            )
