"""Reading the board with boxes: the obelisk."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_pose import CameraPose
from companion.observation import Sighting
from companion.table import Place, Value
from vision.arrays import Labels, Picture8, Singles
from vision.faces.registration import Match, Pose2D
from vision.faces.residuals import Residual
from vision.faces.scene import Plane
from vision.geometry.regions import share_within
from vision.photometry.tone_curve import without_tone
from vision.pieces.box_measures import SeenBox
from vision.pieces.face_library import FaceLibrary
from vision.pieces.marker_recogniser import LIKELY, BoxChances
from vision.pieces.markers import BoxFeatures, BoxPlace, box_features, place_of_box
from vision.pieces.print_visibility import print_visibility_within

_LEAST_SCORE = 0.3
# Where little is seen between markers any pose agrees in part: unless it agrees as well as the first (drawn
# boards full of markers, a row off, reached 0.38), so much of the rest must look as it was learnt.
_CLEAR_SCORE, _AS_LEARNT = 0.45, 0.5
# A board that lay no further from here is where it lay before, however little of it is seen.
_MOVED_MM = 1.5
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
# A marker that is likely there explains what covers its box and so much of its edge beyond it. What such
# markers explain to the second share, their shadows apart, is no hand.
_LOOSELY, _EXPLAINED = 1.5, 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardReading:
    """What the board shows.

    Attributes:
        match: how it lies.
        found: the board where it lies; None when it was not found.
        features: what each box looks like; `spots`: where it is on the board.
        sightings: the claims.
        likely: what boxes without a claim hold more likely than not.
        taken: boxes without a claim on which a marker lies more likely than not.
        covered: something large covers it.
        picture: of the plane it lies on, (height, width, 3).
    """

    match: Match
    found: Residual | None
    features: tuple[BoxFeatures, ...]
    spots: tuple[BoxPlace, ...]
    sightings: tuple[Sighting, ...]
    covered: bool
    likely: tuple[Sighting, ...] = ()
    taken: frozenset[Place] = frozenset()
    picture: Picture8 | None = None


def read_board(
    library: FaceLibrary,
    plane: Plane | None,
    camera: CameraPose,
    tone: float = 1.0,
    laid: Match | None = None,
) -> BoardReading | None:
    """Read the board's boxes; None when the profile has no board.

    `tone` is that of the camera, `laid` is how the board lay when it was found last.
    """
    if plane is None or library.board is None or library.layout.board is None:
        return None
    seen = _found(library, plane, camera, tone, laid)
    if not _is_there(seen, plane, laid):
        # Something lies on a board of which a part is seen, but most is not as it was learnt.
        is_covered = seen.match.score >= _LEAST_SCORE
        return BoardReading(
            match=seen.match, found=None, features=(), spots=(), sightings=(), covered=is_covered
        )
    over, owners = _cover(seen), library.owners()
    told = {
        library.layout.places.on_board(number): (seen.features[number], one)
        for number, one in seen.chances.items()
        if not over[_row_and_column(seen.spots[number])]
    }
    claims = {at: claim for at, (_, one) in told.items() if (claim := one.claim(owners)) is not None}
    open_ = {at: one for at, one in told.items() if at not in claims}
    # A marker between two boxes is likely on neither.
    likely = {at: one.likeliest(owners) for at, (features, one) in open_.items() if not features.contested}
    return BoardReading(
        match=seen.match,
        found=seen.face,
        features=seen.features,
        spots=seen.spots,
        sightings=_sightings(claims),
        covered=bool(over.any()),
        likely=_sightings({at: one for at, one in likely.items() if one[1] > LIKELY}),
        taken=frozenset(at for at, (_, one) in open_.items() if one.marker > LIKELY),
        picture=plane.picture,
    )


def _sightings(told: Mapping[Place, tuple[Value, float]]) -> tuple[Sighting, ...]:
    return tuple(Sighting(place=at, value=value, confidence=sure) for at, (value, sure) in told.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """The board as it is seen if it lies like this.

    Attributes:
        match: how it lies.
        face: the board there.
        features, spots: of its boxes.
        chances: what the boxes may hold that are in the picture.
        markers: (height, width) bool, where markers are seen that are likely there.
        as_learnt: which share of the rest, among the boxes, looks as it was learnt.
    """

    match: Match
    face: Residual
    features: tuple[BoxFeatures, ...]
    spots: tuple[BoxPlace, ...]
    chances: Mapping[int, BoxChances]
    markers: NDArray[np.bool_]
    as_learnt: float


def _seen_at(library: FaceLibrary, plane: Plane, camera: CameraPose, tone: float, match: Match) -> _Seen:
    """Return what is seen of the board if it lies like this."""
    assert library.board is not None
    assert library.layout.board is not None
    (_, pattern, boxes), edge_mm = library.board, library.layout.board.box_edge_mm
    face = pattern.residual(without_tone(plane.picture, tone), plane.blind, match)
    marker_mm = library.layout.pieces.marker_edge_mm
    spots = [
        place_of_box(face, plane.flat, camera, (float(x), float(y)), edge_mm, marker_mm) for x, y in boxes
    ]
    features = box_features(face, spots, library.paints, len(library.owners()))
    boxes_seen = {
        number: SeenBox(face=face, place=spot, look=box, picture=plane.picture)
        for number, (spot, box) in enumerate(zip(spots, features, strict=True))
        if _is_within(face, spot)
    }
    chances = dict(zip(boxes_seen, library.markers.chances(list(boxes_seen.values())), strict=True))
    marked = [spots[number] for number, one in chances.items() if one.marker > LIKELY]
    markers = _outlines(marked, face.odd.shape)
    rest = (_among(spots, face.odd.shape) > 0) & ~markers & ~face.blind
    return _Seen(
        match=match,
        face=face,
        features=tuple(features),
        spots=tuple(spots),
        chances=chances,
        markers=markers,
        as_learnt=share_within(face.odd < _PLAINLY_ODD, rest),
    )


def _found(library: FaceLibrary, plane: Plane, camera: CameraPose, tone: float, laid: Match | None) -> _Seen:
    """Return the board where it most likely lies.

    Markers hide much of its print. Where they are likely is not compared once something was found, and it is
    looked for where it lay before as well.
    """
    assert library.board is not None
    match = _register(library, plane)
    first = _seen_at(library, plane, camera, tone, match)
    if match.score > _PLAIN_SCORE:
        return first
    # That it agreed once proves nothing now.
    known = None if laid is None else _seen_at(library, plane, camera, tone, replace(laid, score=0.0))
    starts = [first, *([] if known is None else [known])]
    again = (
        library.board[0].register_all(
            plane.soft, [(one.match.face, one.match.pose)], rounds=12, free=_free(one, plane)
        )
        for one in starts
    )
    match = max((match for (match,) in again), key=lambda match: match.score)
    best = _seen_at(library, plane, camera, tone, match)
    return best if known is None or _is_there(best, plane, laid) else known


def _free(seen: _Seen, plane: Plane) -> Singles:
    """Return what markers leave free of a picture (height, width), 0 = covered."""
    height, width = plane.soft.shape
    matrix = seen.match.pose.matrix(seen.face.known.shape)
    flags = cv2.INTER_NEAREST
    covered = cv2.warpAffine(seen.markers.astype(np.float32), matrix, (width, height), flags=flags)
    return np.asarray(1 - covered, np.float32)


def _is_there(seen: _Seen, plane: Plane, laid: Match | None) -> bool:
    """Whether the board lies there, not just something in which a part of it can be seen."""
    if seen.match.score > _CLEAR_SCORE:
        return True
    if seen.as_learnt < _AS_LEARNT:
        return False
    return seen.match.score >= _LEAST_SCORE or (laid is not None and _is_unmoved(seen.match, plane, laid))


def _is_unmoved(match: Match, plane: Plane, laid: Match) -> bool:
    """Whether the board lies where it lay before."""
    off_px = math.hypot(match.pose.x_px - laid.pose.x_px, match.pose.y_px - laid.pose.y_px)
    return off_px < _MOVED_MM * plane.flat.px_per_mm


def _row_and_column(spot: BoxPlace) -> tuple[int, int]:
    """Return the pixel of the face in the middle of a marker on a box."""
    column, row = (round(one) for one in spot.centre)
    return row, column


def _is_within(found: Residual, spot: BoxPlace) -> bool:
    """Whether a box is in the picture of the board at all."""
    return all(0 <= at < size for at, size in zip(_row_and_column(spot), found.odd.shape, strict=True))


def _cover(seen: _Seen) -> NDArray[np.bool_]:
    """Return what covers boxes, or what is between them, and is no marker and no light, (height, width)."""
    found, spots = seen.face, seen.spots
    strange = ((found.odd > _PLAINLY_ODD) & ~found.blind & ~found.shadow).astype(np.uint8)
    strange &= _among(spots, strange.shape)
    opened = cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    _, patches, stats, _ = cv2.connectedComponentsWithStats(opened)
    px_per_mm = spots[0].px_per_mm
    large = stats[:, cv2.CC_STAT_AREA] > _HAND_MM2 * px_per_mm**2
    large[0] = False
    if large.any():
        for patch in np.flatnonzero(large).tolist():
            whole = patches == patch
            large[patch] = not _is_light(found, whole) and share_within(seen.markers, whole) < _EXPLAINED
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
