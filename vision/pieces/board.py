"""Reading the board with boxes: the obelisk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_pose import CameraPose
from companion.observation import Sighting
from vision.arrays import Labels, Picture8
from vision.faces.registration import Match, Pose2D
from vision.faces.residuals import Residual
from vision.faces.scene import Plane
from vision.geometry.regions import share_within
from vision.photometry.tone_curve import without_tone
from vision.pieces.box_measures import SeenBox
from vision.pieces.face_library import FaceLibrary
from vision.pieces.markers import BoxFeatures, BoxPlace, box_features, place_of_box
from vision.pieces.print_visibility import print_visibility_within

_LEAST_SCORE = 0.3
# Registration from another start agrees either as well or far less; a bare board in the light in which it was
# learnt scores 1.
_PLAIN_SCORE = 0.75
# The board's faces.
_WITH_AND_WITHOUT_RIM = (0, 1)
# Two markers side by side are smaller.
_HAND_MM2 = 300.0
# Boxes nearer than this to something that covers the board are not read.
_NEAR_MM = 4.0
# The light on the board's dark rim is hard to measure: only larger differences mean that it is covered.
_PLAINLY_ODD = 0.16
# A mirrored lamp makes all of the board brighter, and leaves some of the lines of its print.
_BRIGHTER, _SHOWS_PRINT = 0.9, 0.1
# Boxes are neighbours if they are no farther apart than this many times the farthest that one is from the
# next. A board reaches about half a marker beyond its boxes.
_NEIGHBOURS, _WIDE = 1.5, 1.5
# A marker that is likelier than this explains what covers its box and the first share of its edge beyond it.
# What such markers explain to the second share, their shadows apart, is no hand.
_LIKELY, _LOOSELY, _EXPLAINED = 0.5, 1.5, 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardReading:
    """What the board shows.

    Attributes:
        match: how it lies.
        found: the board where it lies; None when it was not found.
        features: what each box looks like; `spots`: where it is on the board.
        sightings: the claims.
        covered: something large covers it.
        picture: of the plane it lies on, (height, width, 3).
    """

    match: Match
    found: Residual | None
    features: tuple[BoxFeatures, ...]
    spots: tuple[BoxPlace, ...]
    sightings: tuple[Sighting, ...]
    covered: bool
    picture: Picture8 | None = None


def read_board(
    library: FaceLibrary, plane: Plane | None, camera: CameraPose, tone: float = 1.0
) -> BoardReading | None:
    """Read the board's boxes; None when the profile has no board. `tone` is that of the camera."""
    layout = library.layout.board
    if plane is None or library.board is None or layout is None:
        return None
    match = _register(library, plane)
    if match.score < _LEAST_SCORE:
        return BoardReading(match=match, found=None, features=(), spots=(), sightings=(), covered=False)
    _, pattern, boxes = library.board
    found = pattern.residual(without_tone(plane.picture, tone), plane.blind, match)
    marker_mm = library.layout.pieces.marker_edge_mm
    spots = [
        place_of_box(found, plane.flat, camera, (float(x), float(y)), layout.box_edge_mm, marker_mm)
        for x, y in boxes
    ]
    features = box_features(found, spots, library.paints, len(library.owners()))
    boxes_seen = {
        number: SeenBox(face=found, place=spot, look=box, picture=plane.picture)
        for number, (spot, box) in enumerate(zip(spots, features, strict=True))
        if _is_within(found, spot)
    }
    chances = dict(zip(boxes_seen, library.markers.chances(list(boxes_seen.values())), strict=True))
    over = _cover(found, spots, [spots[number] for number, one in chances.items() if one.marker > _LIKELY])
    sightings = [
        Sighting(place=library.layout.places.on_board(number), value=claim[0], confidence=claim[1])
        for number, told in chances.items()
        if not over[_row_and_column(spots[number])] and (claim := told.claim(library.owners())) is not None
    ]
    return BoardReading(
        match=match,
        found=found,
        features=tuple(features),
        spots=tuple(spots),
        sightings=tuple(sightings),
        covered=bool(over.any()),
        picture=plane.picture,
    )


def _row_and_column(spot: BoxPlace) -> tuple[int, int]:
    """Return the pixel of the face in the middle of a marker on a box."""
    column, row = (round(one) for one in spot.centre)
    return row, column


def _is_within(found: Residual, spot: BoxPlace) -> bool:
    """Whether a box is in the picture of the board at all."""
    return all(0 <= at < size for at, size in zip(_row_and_column(spot), found.odd.shape, strict=True))


def _cover(found: Residual, spots: Sequence[BoxPlace], marked: Sequence[BoxPlace]) -> NDArray[np.bool_]:
    """Return what covers boxes, or what is between them, and is no marker and no light, (height, width).

    `marked` are the boxes that likely hold a marker.
    """
    strange = ((found.odd > _PLAINLY_ODD) & ~found.blind & ~found.shadow).astype(np.uint8)
    strange &= _among(spots, strange.shape)
    opened = cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    _, patches, stats, _ = cv2.connectedComponentsWithStats(opened)
    px_per_mm = spots[0].px_per_mm
    large = stats[:, cv2.CC_STAT_AREA] > _HAND_MM2 * px_per_mm**2
    large[0] = False
    if large.any():
        markers = _outlines(marked, strange.shape)
        for patch in np.flatnonzero(large).tolist():
            whole = patches == patch
            large[patch] = not _is_light(found, whole) and share_within(markers, whole) < _EXPLAINED
    reach = 2 * round(_NEAR_MM * px_per_mm) + 1
    near = cv2.dilate(large[patches].astype(np.uint8), np.ones((reach, reach), np.uint8))
    return np.asarray(near > 0, np.bool_)


def _outlines(marked: Sequence[BoxPlace], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return where markers on these boxes are seen, (height, width); they may lie askew, and off the middle.

    To a low camera adjacent markers look connected.
    """
    outlines = np.zeros(shape[:2], np.uint8)
    for spot in marked:
        foot = np.array(spot.middle)
        wide = max(round(_LOOSELY * spot.marker_mm * spot.px_per_mm), 1)
        start, end = (np.rint(at).astype(int).tolist() for at in (foot, foot + spot.lean))
        cv2.line(outlines, start, end, 1, wide)
    return outlines > 0


def _is_light(found: Residual, patch: NDArray[np.bool_]) -> bool:
    """Whether a large thing is just a lamp that the board mirrors; boxes may be told all the same."""
    if np.count_nonzero(found.brighter & patch) < _BRIGHTER * np.count_nonzero(patch):
        return False
    return print_visibility_within(found, patch) > _SHOWS_PRINT


def _among(spots: Sequence[BoxPlace], shape: tuple[int, ...]) -> Labels:
    """Return 1 where boxes are, or what is between neighbours, 0 elsewhere, (height, width).

    A board may be of any shape: farther out its picture shows the table that it lay on when it was learnt,
    and so do its notches.
    """
    inside = np.zeros(shape[:2], np.uint8)
    middles = np.array([spot.centre for spot in spots], np.float64)
    apart = np.hypot(*(middles[:, None] - middles[None]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    near = _NEIGHBOURS * apart.min(axis=1).max()
    wide = round(_WIDE * max(spot.marker_mm * spot.px_per_mm for spot in spots))
    at = np.rint(middles).astype(int).tolist()
    for one, other in np.argwhere(apart <= near).tolist():
        cv2.line(inside, at[one], at[other], 1, wide)
    # What boxes lie around belongs to the board.
    outlines, _ = cv2.findContours(inside, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(cv2.drawContours(inside, outlines, -1, 1, cv2.FILLED), np.uint8)


def _register(library: FaceLibrary, plane: Plane) -> Match:
    """Register the board from several starts, since it may be displaced and turned."""
    assert library.board is not None
    assert library.layout.board is not None
    fine, area = library.board[0], library.layout.board.area
    middle = plane.flat.to_px(np.array([[area.x_mm, area.y_mm]]))[0]
    poses = [
        Pose2D(x_px=float(middle[0]) + dx, y_px=float(middle[1]) + dy, turn=turn)
        for turn in (0.0, -0.06, 0.06)
        for dx, dy in ((0, 0), (-9, 0), (9, 0), (0, -9), (0, 9))
    ]
    first = fine.register_all(plane.soft, [(0, poses[0])], rounds=12)
    if first[0].score > _PLAIN_SCORE:
        return first[0]
    # At its rim another table may be lighter than the board instead of darker.
    starts = [(face, pose) for face in _WITH_AND_WITHOUT_RIM for pose in poses][1:]
    others = fine.register_all(plane.soft, starts, rounds=12, groups=[face for face, _ in starts])
    return max(first + others, key=lambda match: match.score)
