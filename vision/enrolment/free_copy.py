"""Learning a copy of a game whose pieces lie anywhere, from photographs of its faces laid out in rows.

What a player says of the photographs (`CopyPhotographs`) names the faces row by row, and points at boards,
backs and solid pieces. Nothing about the print is known: a face is what lies within an outline of its size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from calibration.profile import FaceRecord, LensRecord, NotLearnt, PieceRecord, Profile
from companion.errors import ProfileError
from companion.i18n import Message, msg
from companion.table_layout import TableLayout
from companion.table_pieces import PieceSet
from vision.arrays import Bools, Floats, Image, Singles
from vision.capture.pictures import packed_face
from vision.enrolment.laid_discs import find_disc
from vision.enrolment.laid_outlines import (
    FINDING_PX_PER_MM,
    FITTING_PX_PER_MM,
    LaidOutline,
    find_outlines,
    fit_outlines,
)
from vision.enrolment.laid_rows import NamedFaces, name_in_rows
from vision.enrolment.solid_paints import SOLIDS, learn_paints
from vision.faces.cutting import camera_pose_of, fiducials_of, white_light
from vision.faces.table_frame import Photograph, measured
from vision.free.learnt_faces import LEARNT_PX_PER_MM
from vision.geometry.rectify import Flat, flat_maps, flatten
from vision.photometry.light import coded, glare, linear

Report = Callable[[Message], None]

ROUND: Final = "wheel"
"""The kind of board that is round (`companion.table_pieces.FacePrint.board`)."""
# Faces may lie a little beyond the codes, mm.
_MARGIN_MM: Final = 60.0
# A code's paper is larger than the code by this share.
_PAPER: Final = 1.5
# Whoever points at the middle of a board is no further off than this, mm.
_POINTED_MM: Final = 20.0
# Light changes slowly: it is known at this scale.
_LIGHT_PX_PER_MM: Final = 0.25
# Larger patches of white are glare, mm2.
_GLARE_MM2: Final = 200.0
# A copy's size is believed to differ from the list if it does so by more than this share.
_OTHER_SIZE: Final = 0.01


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
    """

    images: Mapping[str, Image]
    rows: tuple[RowsPhotograph, ...]
    things: tuple[PointedThing, ...] = ()


@dataclass(frozen=True, slots=True)
class LearntFace:
    """A face that was found: where it lies, on which plane, and what was cut out there.

    Attributes:
        picture: name of the photograph.
        corners_px: (4, 2) in the photograph, from the upper left clockwise.
        size_mm: its width and height in this copy.
        image: (height, width, 3) relative to white paper; `valid` (height, width) where it was seen.
    """

    picture: str
    corners_px: Floats
    size_mm: tuple[float, float]
    image: Image
    valid: Bools


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
    return LearntCopy(_profile(game, pieces, layout, players, learning, solids, shots), learning.faces)


def _shots(
    seen: Mapping[str, Image],
    layout: TableLayout,
    pieces: PieceSet,
    photographs: CopyPhotographs,
    missing: dict[str, Message | str],
) -> dict[str, _Shot]:
    """Return the photographs whose codes lie where they do in the others; note what the rest do not teach."""
    shots = {}
    for name, frame in seen.items():
        try:
            shots[name] = _Shot(name, frame, layout, pieces)
        except ProfileError as error:
            missing.update(dict.fromkeys(_names_on(photographs, name), str(error)))
    return shots


def _learn_things(shot: _Shot, things: Sequence[PointedThing], learning: _Learning) -> list[PieceRecord]:
    """Learn the boards and backs that are pointed at; return the solid pieces."""
    for one in things:
        if one.shape not in SOLIDS:
            _learn_thing(shot, one, learning)
    points = [(one.name, one.shape, one.at_px) for one in things if one.shape in SOLIDS]
    found, unclear = learn_paints(shot.frame, shot.camera, shot.light_at, points)
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


class _Shot:
    """A photograph, its camera, and what it shows of a plane."""

    def __init__(self, name: str, frame: Image, layout: TableLayout, pieces: PieceSet) -> None:
        self.name, self.frame, self.layout, self.pieces = name, frame, layout, pieces
        self.camera: CameraPose = camera_pose_of(frame, layout, name)
        over = white_light(frame, layout, self.camera)
        self._light_flat = self.flat(_LIGHT_PX_PER_MM)
        self._light: Singles = over(self._light_flat)
        self._planes: dict[float, Image] = {}

    def flat(self, px_per_mm: float) -> Flat:
        """Return the window around the codes."""
        xs = [one.x_mm for one in self.layout.fiducials]
        ys = [one.y_mm for one in self.layout.fiducials]
        low, high = min(ys) - _MARGIN_MM, max(ys) + _MARGIN_MM
        height = self.pieces.thickness_mm
        return Flat.around(min(xs) - _MARGIN_MM, max(xs) + _MARGIN_MM, low, high, px_per_mm, height)

    def seen(self, px_per_mm: float) -> Image:
        """Return that window as seen from straight above, (height, width, 3)."""
        if px_per_mm not in self._planes:
            self._planes[px_per_mm] = flatten(self.frame, flat_maps(self.camera, self.flat(px_per_mm)))
        return self._planes[px_per_mm]

    def light_at(self, points_mm: Floats) -> Singles:
        """Return the light on white paper at a grid of points (rows, columns, 2) mm, (rows, columns, 3)."""
        x, y = cv2.split(self._light_flat.to_px(points_mm).astype(np.float32))
        found = cv2.remap(self._light, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(found, np.float32).reshape(*points_mm.shape[:2], 3)

    def beside_codes(self, size_mm: tuple[float, float]) -> Bools:
        """Return where middles of faces may be, (height, width) at the scale of finding."""
        flat = self.flat(FINDING_PX_PER_MM)
        free = np.ones((flat.height_px, flat.width_px), np.uint8)
        for one in self.layout.fiducials:
            out = one.edge_mm * _PAPER / 2 + min(size_mm) / 2
            corners = [(one.x_mm - out, one.y_mm + out), (one.x_mm + out, one.y_mm - out)]
            (left, top), (right, bottom) = np.rint(flat.to_px(np.array(corners))).astype(int).tolist()
            cv2.rectangle(free, (left, top), (right, bottom), 0, -1)
        return free > 0

    def about(self, at_px: tuple[float, float]) -> Bools:
        """Return what is near a pixel of the photograph, (height, width) at the scale of finding."""
        flat = self.flat(FINDING_PX_PER_MM)
        middle = flat.to_px(self.camera.to_table(np.array([at_px], np.float64), flat.height_mm))[0]
        near = np.zeros((flat.height_px, flat.width_px), np.uint8)
        x, y = round(float(middle[0])), round(float(middle[1]))
        cv2.circle(near, (x, y), round(_POINTED_MM * FINDING_PX_PER_MM), 1, -1)
        return near > 0

    def outlines(self, size_mm: tuple[float, float], searched: Bools, most: int) -> list[LaidOutline]:
        """Return the exact outlines of faces of this size, px at the scale of fitting."""
        size_px = (size_mm[0] * FINDING_PX_PER_MM, size_mm[1] * FINDING_PX_PER_MM)
        rough = find_outlines(self.seen(FINDING_PX_PER_MM), size_px, searched, most)
        zoom = FITTING_PX_PER_MM / FINDING_PX_PER_MM
        return fit_outlines(self.seen(FITTING_PX_PER_MM), [one.enlarged(zoom) for one in rough])

    def disc(self, diameter_mm: float, at_px: tuple[float, float]) -> list[LaidOutline]:
        """Return the outline of a round board whose middle is pointed at, px at the scale of fitting."""
        near = cv2.resize(self.about(at_px).view(np.uint8), self._size_wh(), interpolation=cv2.INTER_NEAREST)
        return find_disc(self.seen(FITTING_PX_PER_MM), diameter_mm * FITTING_PX_PER_MM, near > 0)

    def _size_wh(self) -> tuple[int, int]:
        flat = self.flat(FITTING_PX_PER_MM)
        return flat.width_px, flat.height_px

    def cut(self, one: LaidOutline, size_mm: tuple[float, float], *, is_round: bool = False) -> LearntFace:
        """Return the face within an outline."""
        flat = self.flat(FITTING_PX_PER_MM)
        seen_mm = (one.size_px[0] / FITTING_PX_PER_MM, one.size_px[1] / FITTING_PX_PER_MM)
        is_other = max(abs(seen_mm[axis] / size_mm[axis] - 1) for axis in (0, 1)) > _OTHER_SIZE
        real_mm = seen_mm if is_other else size_mm
        width, height = (round(edge * LEARNT_PX_PER_MM) for edge in real_mm)
        corners = flat.to_mm(one.corners_px())
        # Pixels' middles, in shares of the face from its upper left corner.
        across, down = np.meshgrid((np.arange(width) + 0.5) / width, (np.arange(height) + 0.5) / height)
        right, below = corners[1] - corners[0], corners[3] - corners[0]
        points = corners[0] + across.reshape(-1, 1) * right + down.reshape(-1, 1) * below
        at = self._pixels(points).astype(np.float32).reshape(height, width, 2)
        x, y = cv2.split(at)
        image = np.asarray(cv2.remap(self.frame, x, y, cv2.INTER_CUBIC), np.uint8)
        light = self.light_at(points.reshape(height, width, 2))
        burnt = glare(image, _GLARE_MM2 * LEARNT_PX_PER_MM**2)
        valid = ~burnt
        if is_round:
            valid &= np.hypot(across - 0.5, down - 0.5) <= 0.5
        white = coded(np.asarray(linear(image) / np.maximum(light, 1e-3), np.float32))
        return LearntFace(self.name, self._pixels(corners), real_mm, white, valid)

    def _pixels(self, points_mm: Floats) -> Floats:
        height = np.full(len(points_mm), self.pieces.thickness_mm)
        return self.camera.project(np.column_stack([points_mm, height]))


def _size_mm(shot: _Shot, name: str) -> tuple[float, float]:
    sizes, pieces = shot.layout.pieces, shot.pieces
    if name in pieces.sizes_mm:
        return pieces.sizes_mm[name]
    edge = shot.layout.tile_edge_mm
    return (edge, edge) if edge > 0 else (sizes.card_width_mm, sizes.card_height_mm)


def _learn_rows(shot: _Shot, rows: Sequence[Sequence[str]], learning: _Learning) -> None:
    names = [name for row in rows for name in row]
    size_mm = _size_mm(shot, names[0])
    others = [name for name in names if _size_mm(shot, name) != size_mm]
    if others:
        why = msg(
            "{picture}: {name} is of another size than the faces beside it; photograph it by itself",
            picture=shot.name,
            name=others[0],
        )
        learning.missing.update(dict.fromkeys(names, why))
        return
    outlines = shot.outlines(size_mm, shot.beside_codes(size_mm), len(names))
    named: NamedFaces = name_in_rows(outlines, rows, shot.name)
    for name, one in named.found.items():
        learning.faces[name] = shot.cut(one, size_mm)
    learning.missing.update(named.missing)


def _learn_thing(shot: _Shot, thing: PointedThing, learning: _Learning) -> None:
    size_mm = _size_mm(shot, thing.name)
    is_round = shot.pieces.faces[thing.name].board == ROUND
    if is_round:
        found = shot.disc(size_mm[0], thing.at_px)
    else:
        found = shot.outlines(size_mm, shot.about(thing.at_px), 1)
    if found:
        learning.faces[thing.name] = shot.cut(found[0], size_mm, is_round=is_round)
    else:
        learning.missing[thing.name] = msg(
            "{picture} does not show {name} where you point: point at its middle, and lay it flat with "
            "nothing on it",
            picture=shot.name,
            name=thing.name,
        )


def _profile(
    game: str,
    pieces: PieceSet,
    layout: TableLayout,
    players: Sequence[str],
    learning: _Learning,
    solids: Iterable[PieceRecord],
    shots: Mapping[str, _Shot],
) -> Profile:
    order = [name for name in pieces.faces if name in learning.faces]
    records, pictures = [], {}
    for number, name in enumerate(order):
        face, printed = learning.faces[name], pieces.faces[name]
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
    known = {*order, *(one.name for one in solids)}
    lens = next(iter(shots.values())).camera.lens
    return Profile(
        edition=game,
        players=tuple(players),
        layout=layout,
        faces=tuple(records),
        pieces=tuple(solids),
        lens=LensRecord(
            size_wh=lens.size_wh, focal_px=lens.focal_px, centre_px=lens.centre_px, k1=lens.k1, k2=lens.k2
        ),
        pictures=pictures,
        not_learnt=tuple(
            NotLearnt(what=f"face:{name}", why=str(why))
            for name, why in learning.missing.items()
            if name not in known
        ),
    )
