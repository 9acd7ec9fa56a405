"""Learning the faces of cards from photographs of them, laid out side by side on the bare table.

The cards are found by what has changed since the photograph of the empty table, so they may be anywhere
between the fiducials and turned, but must not touch. They are named in reading order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import FaceRecord, Profile
from companion.errors import ProfileError
from companion.i18n import msg
from companion.table_layout import TableLayout
from vision.arrays import Picture8, Singles
from vision.enrolment.photograph_names import EMPTY, photograph_name
from vision.faces.cutting import camera_pose_of, cut_face, trim, white_light
from vision.faces.registration import Face, Pose2D
from vision.faces.scene import PX_PER_MM, Plane, plane_of
from vision.faces.squares import outline
from vision.geometry.rectify import Flat
from vision.photometry.light import coded, greatest, linear
from vision.pieces.face_library import encode_face, face_shape

_CARD_MM = 0.4
# Levels of 255 by which the table has changed where a card lies.
_CHANGE = 18.0
# How far the size of what has changed may be off a card's.
_SLACK = 0.14
_REACH_MM = 5.0
# Gaps that are closed, where a card has the table's colour, and bridges that are cut, where shadows touch;
# what the first shows to be cards is not touched by the next.
_REPAIRS_PX = ((1, 5), (1, 15), (5, 5), (9, 9))
# Cards may lie a little beyond the middles of the fiducials.
_MARGIN_MM = 20.0
# Cards whose middles lie closer than this to those of a row, from far to near, lie in it.
_ROW_PX = 25 * PX_PER_MM


@dataclass(frozen=True, slots=True)
class _Shot:
    """A photograph from above, and what it shows relative to white paper, coded 0 to 255."""

    plane: Plane
    white: Singles
    plain: Singles

    @classmethod
    def of(cls, frame: Picture8, layout: TableLayout, what: str) -> _Shot:
        camera = camera_pose_of(frame, layout, what)
        flat = _window(layout)
        plane = plane_of(frame, camera, flat)
        white = white_light(frame, layout, camera)(flat)
        plain = coded(np.asarray(linear(plane.picture) / white, np.float32))
        return cls(plane, white, cv2.blur(plain, (3, 3)).astype(np.float32))


def learn_cards(
    profile: Profile, empty: Picture8, photographs: Sequence[Picture8], names: Sequence[str]
) -> Profile:
    """Return the profile with the cards on photographs learnt; faces learnt before under other names stay.

    Args:
        profile: whose layout says where the fiducials lie and how large cards are.
        empty: the table without the cards, (height, width, 3).
        photographs: the table with cards, each like `empty`.
        names: of the cards, over all photographs, row by row from the far one, each from the left.

    Raises:
        ProfileError: a photograph does not serve, or shows another number of cards.
    """
    layout = profile.layout
    bare = _Shot.of(empty, layout, photograph_name(EMPTY))
    faces = [face for frame in photographs for face in _faces(frame, bare, layout)]
    if len(faces) != len(names):
        raise ProfileError(
            msg(
                "the photographs of the cards show {found} cards, not {wanted}; lay the cards flat between "
                "the codes, not touching, on the same table as in the photograph of the empty table",
                found=len(faces),
                wanted=len(names),
            )
        )
    sizes = layout.pieces
    records, pictures = {one.name: one for one in profile.cards}, dict(profile.pictures)
    for name, face in zip(names, faces, strict=True):
        record = FaceRecord(
            name=name,
            picture=f"card-{name}.png",
            width_mm=sizes.card_width_mm,
            height_mm=sizes.card_height_mm,
        )
        records[name] = record
        pictures[record.picture] = encode_face(replace(face, name=name))
    return replace(profile, cards=tuple(records.values()), pictures=pictures)


def _window(layout: TableLayout) -> Flat:
    """Return the window between the fiducials."""
    xs = [one.x_mm for one in layout.fiducials]
    ys = [one.y_mm for one in layout.fiducials]
    near, far = min(ys) - _MARGIN_MM, max(ys) + _MARGIN_MM
    return Flat.around(min(xs) - _MARGIN_MM, max(xs) + _MARGIN_MM, near, far, PX_PER_MM, _CARD_MM)


def _faces(frame: Picture8, bare: _Shot, layout: TableLayout) -> list[Face]:
    """Return the faces of all cards on a photograph, in reading order."""
    shot = _Shot.of(frame, layout, msg("the photograph of the cards"))
    width, height = layout.pieces.card_width_mm, layout.pieces.card_height_mm
    shape = face_shape(width, height)
    faces = []
    for pose in _in_rows(_find(shot, bare, (width * PX_PER_MM, height * PX_PER_MM))):
        face = cut_face(shot.plane, shot.white, pose, shape, "", white_mm2=0.0)
        trim(face, width, height)
        faces.append(face)
    return faces


def _find(shot: _Shot, bare: _Shot, size_px: tuple[float, float]) -> list[Pose2D]:
    """Return how the cards lie that have come since the bare table was photographed."""
    apart = np.asarray(cv2.absdiff(shot.plain, bare.plain), np.float32)
    changed = (greatest(apart) > _CHANGE).astype(np.uint8)
    found: list[Pose2D] = []
    for gap, bridge in _REPAIRS_PX:
        whole = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
        whole = cv2.morphologyEx(whole, cv2.MORPH_OPEN, np.ones((bridge, bridge), np.uint8))
        outlines, _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for pose in (_card_of(np.asarray(one), size_px) for one in outlines):
            if pose is not None and all(_is_apart(pose, one, size_px) for one in found):
                found.append(pose)
    return [_exact(shot.plane.picture, one, size_px) for one in found]


def _card_of(contour: NDArray[np.int32], size_px: tuple[float, float]) -> Pose2D | None:
    """Return how a card lies that fills an outline, None if it is no card's."""
    (x, y), (across, along), degrees = cv2.minAreaRect(contour)
    if across > along:
        across, along, degrees = along, across, degrees - 90
    if max(abs(across / size_px[0] - 1), abs(along / size_px[1] - 1)) > _SLACK:
        return None
    return Pose2D(x_px=x, y_px=y, turn=float(np.deg2rad((degrees + 90) % 180 - 90)))


def _is_apart(one: Pose2D, other: Pose2D, size_px: tuple[float, float]) -> bool:
    return float(np.hypot(one.x_px - other.x_px, one.y_px - other.y_px)) > 0.5 * min(size_px)


def _exact(picture: Picture8, rough: Pose2D, size_px: tuple[float, float]) -> Pose2D:
    """Return how a card lies by its own edges."""
    reach = _REACH_MM * PX_PER_MM
    shape = round(size_px[1] + 4 * reach), round(size_px[0] + 4 * reach)
    matrix = rough.matrix(shape)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    upright = cv2.warpAffine(
        picture, matrix, (shape[1], shape[0]), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    middle = (shape[1] - 1) / 2, (shape[0] - 1) / 2
    pose, _ = outline(np.asarray(upright, np.uint8), middle, size_px, reach_px=round(reach), turn_deg=4)
    x, y = matrix @ np.array([pose.x_px, pose.y_px, 1.0])
    return Pose2D(x_px=float(x), y_px=float(y), turn=rough.turn + pose.turn)


def _in_rows(poses: Sequence[Pose2D]) -> list[Pose2D]:
    """Return what lies on a table in the order in which one reads: rows from the far one, left to right."""
    rows: list[list[Pose2D]] = []
    for pose in sorted(poses, key=lambda one: one.y_px):
        if rows and pose.y_px - float(np.mean([one.y_px for one in rows[-1]])) < _ROW_PX:
            rows[-1].append(pose)
        else:
            rows.append([pose])
    return [pose for row in rows for pose in sorted(row, key=lambda one: one.x_px)]
