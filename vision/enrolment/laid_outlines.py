"""Finds tiles and cards of known size that lie apart on a table, and their edges, whatever they show.

Seen from straight above, a face's outline is a rectangle of known size: every side of it is a straight step
in colour over its whole length. Frames and lines that are printed within are not at that distance from each
other, so what counts is the weakest side. Where the outlines are, the colours of the table are learnt, which
tell the outer edge from printed ones. The places are then fitted to a tenth of a pixel.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Picture8, Singles
from vision.faces.registration import Pose2D
from vision.faces.squares import colour_slopes, likeness_to_ground, long_sides, plain_steps

FINDING_PX_PER_MM: Final = 1.6
"""The scale of pictures in which faces are looked for."""
FITTING_PX_PER_MM: Final = 3.2
"""The scale of pictures in which their edges are fitted."""
# Hands lay faces no more awry than this, degrees.
_TURNS_DEG: Final = np.arange(-12.0, 12.1, 1.0)
# Corners are round: so much of a side is straight.
_STRAIGHT: Final = 0.86
_PIECE_MM: Final = 5.0
_HALF_PLAIN: Final = 12.0
_SLACK_MM: Final = 0.6
# The table is looked at so far beyond a side, the face so far within, mm.
_BESIDE_MM: Final = 1.25
# Faces lie side by side: no middles are closer than this share of their size.
_APART: Final = 0.8
# A face is much clearer than what is none.
_LEAST_CLEAR: Final = 0.35
# Where it is known what covers the table, a face covers so much more of it within its outline than in a rim
# around that is so wide, mm. Places that are no better or worse are spread over some mm.
_LEAST_COVERING, _AROUND_MM = 0.02, 4.0
_MIDDLE_MM, _HALF = 1.5, 0.5
# A change is kept as a colour; none is in the middle of a step in which colours are counted.
_NO_CHANGE: Final = 136.0
# Around a rough place its edges are fitted within so many mm and degrees, in such steps.
_REACH_MM, _STEP_MM = 4.5, 0.15
_REACH_DEG, _STEP_DEG = 3.0, 0.25
# A copy may be larger or smaller by this than the list says, mm; what is larger than a card by as much more.
_ODD_SIZE_MM: Final = 1.5
_CARD_MM: Final = 120.0
_POINTS: Final = 5
# Where edges are fitted, the steeper counts: where they are found, that there is one.
_HALF_STEEP: Final = 40.0
# Both sides of an edge are looked at over this stretch, so that the peak is at the edge.
_BORDER_MM: Final = (0.5, 1.0, 1.5, 2.0)
# Where the ground is told by its looks, further: what is blurred or has a shadow seems larger than it is, and
# its middle is told by both sides together.
_FAR_MM: Final = (*_BORDER_MM, 3.0, 4.0)
# Where it is seen what has changed, nothing has so far beyond a side, mm.
_CLEAR_MM: Final = (0.5, 1.0, 2.0, 3.0, 4.0, 5.0)
# An odd size by this, mm, must be clearer by this to be believed.
_ODD_MM, _ODD_COST = 0.5, 0.01


Slopes = tuple[Singles, Singles]
"""How steeply an image rises to the right and downwards, each (height, width, 3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidOutline:
    """Where a face lies.

    Attributes:
        pose: in pixels of the picture it was found in; its size against the nominal one is the copy's.
        size_px: width and height.
        clear: how clear its weakest sides are, 0 to 1.
    """

    pose: Pose2D
    size_px: tuple[float, float]
    clear: float

    def corners_px(self) -> Floats:
        """Return its corners (4, 2), from the upper left clockwise, in the frame of pixels' middles."""
        c, s = math.cos(self.pose.turn), math.sin(self.pose.turn)
        half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(self.size_px) / 2
        turned = np.column_stack([c * half[:, 0] - s * half[:, 1], s * half[:, 0] + c * half[:, 1]])
        return np.asarray(turned + np.array([self.pose.x_px, self.pose.y_px]), np.float64)

    def mean_of(self, values: Singles) -> float:
        """Return the mean of an image (height, width) within it, 0 where it is beyond the image."""
        corners = np.rint(self.corners_px()).astype(np.int32)
        (left, top), (right, bottom) = np.maximum(corners.min(axis=0), 0), corners.max(axis=0) + 1
        window = values[top : max(bottom, 0), left : max(right, 0)]
        if not window.size:
            return 0.0
        within = np.zeros(window.shape, np.uint8)
        cv2.fillConvexPoly(within, corners - (left, top), 1)
        return float(cv2.mean(window, within)[0])

    def enlarged(self, zoom: float) -> LaidOutline:
        """Return the same in a picture of the same window that is larger by `zoom`."""
        x, y = ((at + 0.5) * zoom - 0.5 for at in (self.pose.x_px, self.pose.y_px))
        size = (self.size_px[0] * zoom, self.size_px[1] * zoom)
        return replace(self, pose=replace(self.pose, x_px=x, y_px=y), size_px=size)


@dataclass(frozen=True, slots=True)
class FilmedGround:
    """What a film tells of the ground, each (height, width), 0 to 1.

    Attributes:
        unchanged: how surely nothing has changed there since a face has come.
        bare: how surely it looks as it did when nothing lay there.
    """

    unchanged: Singles
    bare: Singles


@dataclass(frozen=True, slots=True)
class EmptyTable:
    """What the same table shows with nothing on it, and what lies on it hides.

    Attributes:
        covered: how surely something lies on each pixel, (height, width), 0 to 1.
        apart: by how much each differs, (height, width, 3), levels of 255.
    """

    covered: Singles
    apart: Singles


def find_outlines(
    picture: Picture8,
    size_px: tuple[float, float],
    searched: Bools,
    most: int,
    *,
    film: FilmedGround | None = None,
    empty: EmptyTable | None = None,
) -> list[LaidOutline]:
    """Return where faces lie roughly, the clearest first, no more than `most`.

    Args:
        picture: (height, width, 3), at `FINDING_PX_PER_MM`.
        size_px: of the faces there.
        searched: (height, width), where their middles may be.
        most: how many there may be.
        film: what a film tells of the ground.
        empty: what the empty table tells. Without both, how the table looks is learnt from the places that
            are found without it.
    """
    if film is not None:
        scored = _scored(picture, _TURNS_DEG, partial(_filmed_scores, size_px=size_px, film=film))
        return _apart(scored, size_px, searched, most, least=-1.0)
    if empty is not None:
        change = _shown(empty.apart)
        covering = partial(_covering_scores, size_px=size_px, covered=empty.covered, change=change)
        scored = _scored(picture, _TURNS_DEG, covering)
        return _apart(scored, size_px, searched, most, least=0.0)
    by_steps = partial(_upright_scores, size_px=size_px, ground=None)
    first = _apart(_scored(picture, _TURNS_DEG[::2], by_steps), size_px, searched, most)
    if not first:
        return []
    # What they leave is table. Where its colours end, so does a face.
    near, within = (_filled(searched.shape, first, scale) for scale in (1.25, 0.8))
    ground = likeness_to_ground(picture, ~near, within)
    by_ground = partial(_upright_scores, size_px=size_px, ground=ground)
    return _apart(_scored(picture, _TURNS_DEG, by_ground), size_px, searched, most)


class _Turned:
    """A picture turned about its middle, so that faces that lie at this angle (degrees) are upright."""

    def __init__(self, picture: Picture8, turn_deg: float) -> None:
        height, width = picture.shape[:2]
        self._size_wh = (width, height)
        middle = ((width - 1) / 2, (height - 1) / 2)
        self._matrix = np.asarray(cv2.getRotationMatrix2D(middle, -turn_deg, 1.0), np.float64)
        self.picture = np.asarray(
            cv2.warpAffine(picture, self._matrix, self._size_wh, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )

    def turned(self, values: Singles) -> Singles:
        """Return an image of the same place turned likewise, 0 beyond it."""
        return np.asarray(cv2.warpAffine(values, self._matrix, self._size_wh), np.float32)

    def turned_back(self, values: Singles) -> Singles:
        """Return what is known of the turned picture where it is in the picture as it was, -2 beyond it."""
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        back = cv2.warpAffine(values, self._matrix, self._size_wh, flags=flags, borderValue=-2.0)
        return np.asarray(back, np.float32)


def _scored(
    picture: Picture8, turns_deg: Floats, upright_scores: Callable[[_Turned], Singles]
) -> tuple[Singles, Singles]:
    """Return how clear an outline is around each pixel at its best turn, and that turn, degrees."""
    best = np.full(picture.shape[:2], -1.0, np.float32)
    turns = np.zeros(picture.shape[:2], np.float32)
    for turn in turns_deg:
        upright = _Turned(picture, float(turn))
        scores = upright.turned_back(upright_scores(upright))
        better = scores > best
        best[better], turns[better] = scores[better], turn
    return best, turns


def _covering_scores(
    upright: _Turned, size_px: tuple[float, float], covered: Singles, change: Singles
) -> Singles:
    """Return how much more is covered within an upright outline around each pixel than just beyond it.

    The lens blurs what covers the table: within a little more than a face any place is as good as another.
    The middle of them is meant.
    """
    there = upright.turned(covered)
    around = round(_AROUND_MM * FINDING_PX_PER_MM)
    width, height = (round(edge) for edge in size_px)
    whole = (width + 2 * around, height + 2 * around)
    within, with_rim = (
        cv2.boxFilter(there, -1, size, normalize=False, borderType=cv2.BORDER_CONSTANT)
        for size in ((width, height), whole)
    )
    rim = (with_rim - within) / (whole[0] * whole[1] - width * height)
    blur = _MIDDLE_MM * FINDING_PX_PER_MM
    covering = np.asarray(cv2.GaussianBlur(within / (width * height) - rim, (0, 0), blur), np.float32)
    # Where faces touch, it is their edges that tell them apart. What is printed on the table does not change
    # where it ends, and where it is covered is not seen.
    pictures = (upright.picture, np.asarray(upright.turned(change), np.uint8))
    sides = [_steps(one, size_px)[0] for one in pictures]
    both = [np.asarray(np.minimum(*each), np.float32) for each in zip(*sides, strict=True)]
    clear = covering + _joint(both)
    return np.asarray(np.where(covering > _LEAST_COVERING, clear, -1), np.float32)


def _upright_scores(upright: _Turned, size_px: tuple[float, float], ground: Singles | None) -> Singles:
    """Return how clear an upright outline is around each pixel, (height, width), 0 to 1."""
    sides, places = _steps(upright.picture, size_px)
    if ground is not None:
        near = upright.turned(ground)
        borders = [_border(near, at, size_px) for at in places]
        sides = [np.asarray((side + one) / 2, np.float32) for side, one in zip(sides, borders, strict=True)]
    return _joint(sides)


def _joint(sides: Sequence[Singles]) -> Singles:
    """Return how clear the four sides left, right, above and below are together, 0 to 1."""
    sides = [np.asarray(np.maximum(side, 0), np.float32) for side in sides]
    pairs = np.minimum(np.sqrt(sides[0] * sides[1]), np.sqrt(sides[2] * sides[3]))
    return np.asarray((pairs + np.minimum.reduce(sides)) / 2, np.float32)


def _steps(
    picture: Picture8, size_px: tuple[float, float]
) -> tuple[list[Singles], tuple[tuple[float, float], ...]]:
    """Return for each side how plain a step in colour is there, and where its middle is from a pixel."""
    x, y = colour_slopes(picture)
    width, height = size_px
    upright = _side_map(x, height, is_level=False)
    level = _side_map(y, width, is_level=True)
    places = ((-width / 2, 0.0), (width / 2, 0.0), (0.0, -height / 2), (0.0, height / 2))
    return [
        _moved(one, *at) for one, at in zip((upright, upright, level, level), places, strict=True)
    ], places


def _filmed_scores(upright: _Turned, size_px: tuple[float, float], film: FilmedGround) -> Singles:
    """Return how much speaks for an upright outline around each pixel, -2 to 1."""
    sides, places = _steps(upright.picture, size_px)
    there = FilmedGround(upright.turned(film.unchanged), upright.turned(film.bare))
    known = [_known_side(side, there, at, size_px) for side, at in zip(sides, places, strict=True)]
    return np.asarray(sum(known[1:], start=known[0]) / 4, np.float32)


def _known_side(
    side: Singles, film: FilmedGround, at: tuple[float, float], size_px: tuple[float, float]
) -> Singles:
    """Return how much speaks for a side, as `_filmed_side` has it."""
    is_level = at[0] == 0
    length = round(_STRAIGHT * (size_px[0] if is_level else size_px[1]))

    def beside(values: Singles, deep_mm: float, *, is_within: bool) -> Singles:
        deep = round(deep_mm * FINDING_PX_PER_MM)
        mean = np.asarray(cv2.blur(values, (length, deep) if is_level else (deep, length)), np.float32)
        out = deep_mm / 2 * FINDING_PX_PER_MM / math.hypot(*at) * (-1 if is_within else 1)
        return _moved(mean, at[0] * (1 + out), at[1] * (1 + out))

    within = beside(film.unchanged, 2 * _BESIDE_MM, is_within=True)
    just_beyond = beside(film.unchanged, 2 * _BESIDE_MM, is_within=False)
    lost = 1 - beside(film.unchanged, _CLEAR_MM[-1], is_within=False)
    bare = beside(film.bare, _CLEAR_MM[-1], is_within=True)
    return np.asarray((1 - within + side * just_beyond) / 2 - lost - bare, np.float32)


def _side_map(slope: Singles, length_px: float, *, is_level: bool) -> Singles:
    plain = plain_steps(
        slope,
        is_level=is_level,
        piece_px=round(_PIECE_MM * FINDING_PX_PER_MM),
        half_plain=_HALF_PLAIN,
    )
    slack = round(_SLACK_MM * FINDING_PX_PER_MM)
    return long_sides(plain, _STRAIGHT * length_px, is_level=is_level, slack_px=slack)


def _border(ground: Singles, at: tuple[float, float], size_px: tuple[float, float]) -> Singles:
    """Return how plainly ground ends at a side whose middle is at `at` from each pixel, -1 to 1."""
    is_level = at[0] == 0
    length = round(_STRAIGHT * (size_px[0] if is_level else size_px[1]))
    # Both sides are looked at over a stretch from the edge on, so that no place beside it scores as much.
    deep = round(2 * _BESIDE_MM * FINDING_PX_PER_MM)
    along = np.asarray(cv2.blur(ground, (length, deep) if is_level else (deep, length)), np.float32)
    out = _BESIDE_MM * FINDING_PX_PER_MM / math.hypot(*at)
    beyond, within = (_moved(along, at[0] * (1 + far), at[1] * (1 + far)) for far in (out, -out))
    return np.asarray((beyond - within) / 2, np.float32)


def _moved(scores: Singles, x: float, y: float) -> Singles:
    """Return for each pixel the score so far right of it and below, 0 beyond the picture."""
    height, width = scores.shape
    return np.asarray(
        cv2.warpAffine(scores, np.array([[1.0, 0.0, -x], [0.0, 1.0, -y]]), (width, height)), np.float32
    )


def _apart(
    scored: tuple[Singles, Singles],
    size_px: tuple[float, float],
    searched: Bools,
    most: int,
    least: float = _LEAST_CLEAR,
) -> list[LaidOutline]:
    """Return the clearest places that do not overlap."""
    scores, turns = scored
    left = np.where(searched, scores, -2.0)
    reach = [edge * _APART for edge in size_px]
    found: list[LaidOutline] = []
    while len(found) < most:
        y, x = np.unravel_index(int(left.argmax()), left.shape)
        if left[y, x] <= least:
            break
        pose = Pose2D(x_px=float(x), y_px=float(y), turn=float(np.deg2rad(-turns[y, x])))
        found.append(LaidOutline(pose=pose, size_px=size_px, clear=float(left[y, x])))
        top, start = (max(int(at - far), 0) for at, far in ((y, reach[1]), (x, reach[0])))
        left[top : int(y + reach[1]) + 1, start : int(x + reach[0]) + 1] = -2.0
    return found


def _filled(shape: tuple[int, ...], outlines: Sequence[LaidOutline], scale: float) -> Bools:
    """Return a mask of what lies within outlines that are enlarged or reduced."""
    mask = np.zeros(shape, np.uint8)
    for one in outlines:
        larger = replace(one, size_px=(one.size_px[0] * scale, one.size_px[1] * scale))
        cv2.fillConvexPoly(mask, np.rint(larger.corners_px()).astype(np.int32), 1)
    return mask > 0


# -- the exact edges -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Edges:
    """How clear each side of one face is, at some turns and shifts, (turns, shifts)."""

    left: Singles
    right: Singles
    upper: Singles
    lower: Singles
    is_sure: bool = False

    def pairs(self, across: int, along: int) -> tuple[Singles, Singles]:
        """Return how clear both sides are together where they are so many steps further apart than usual."""
        paired = _added if self.is_sure else _paired
        return paired(self.left, self.right, across), paired(self.upper, self.lower, along)


def _paired(low: Singles, high: Singles, wider: int) -> Singles:
    """Return the joint clearness of two sides, each moved outwards by `wider` steps of shift."""
    moved = np.roll(low, wider, axis=1), np.roll(high, -wider, axis=1)
    return np.asarray(np.sqrt(np.maximum(moved[0], 0) * np.maximum(moved[1], 0)), np.float32)


def _added(low: Singles, high: Singles, wider: int) -> Singles:
    """Return the same where one side alone may tell: the other may look like what was there before."""
    moved = np.roll(low, wider, axis=1), np.roll(high, -wider, axis=1)
    return np.asarray((moved[0] + moved[1]) / 2, np.float32)


def fit_outlines(
    picture: Picture8,
    rough: Sequence[LaidOutline],
    *,
    is_size_known: bool = False,
    film: FilmedGround | None = None,
    empty: EmptyTable | None = None,
) -> list[LaidOutline]:
    """Return where faces of one size lie exactly, and how large they are in this copy.

    Args:
        picture: (height, width, 3), at `FITTING_PX_PER_MM`.
        rough: where they are to within some mm, in pixels of this picture.
        is_size_known: their size is exactly that of the copy, not that of a list.
        film, empty: as for `find_outlines`.
    """
    if not rough:
        return []
    pictures = [picture]
    if empty is not None:
        pictures.append(np.asarray(_shown(empty.apart), np.uint8))
    slopes = [colour_slopes(one) for one in pictures]
    if film is not None:
        return _fit(rough, [_edges(slopes, film, one) for one in rough], is_size_known=is_size_known)
    fitted = list(rough)
    for is_again in (False, True):
        near, within = (_filled(picture.shape[:2], fitted, scale) for scale in (1.25, 0.85))
        free = ~near if empty is None else ~near & (empty.covered < _HALF)
        ground = _ground(pictures, free, within)
        edges = [_edges(slopes, ground, one) for one in fitted]
        fitted = _fit(fitted, edges, is_size_known=is_size_known or is_again)
    return fitted


def _ground(pictures: Sequence[Picture8], free: Bools, within: Bools) -> Singles:
    """Return how much more likely each pixel is table than face, -1 to 1: by its colour, and by the change.

    How little or how much a face changes the table, and its shadow, is learnt as its colours are.
    """
    found = [likeness_to_ground(one, free, within) for one in pictures]
    return np.asarray(sum(found[1:], start=found[0]) / len(found), np.float32)


def _shown(apart: Singles) -> Singles:
    """Return a change as levels of 255."""
    return np.asarray(np.clip(apart + _NO_CHANGE, 0, 255), np.float32)


def _fit(rough: Sequence[LaidOutline], edges: Sequence[_Edges], *, is_size_known: bool) -> list[LaidOutline]:
    """Return the faces where their edges are, all of one size."""
    across, along = (0, 0) if is_size_known else _sizes(edges, rough[0].size_px)
    return [_fitted(one, each, across, along) for one, each in zip(rough, edges, strict=True)]


def _shifts_px() -> Floats:
    return np.asarray(np.arange(-_REACH_MM, _REACH_MM + 1e-6, _STEP_MM) * FITTING_PX_PER_MM, np.float64)


def _turns() -> Floats:
    return np.asarray(np.deg2rad(np.arange(-_REACH_DEG, _REACH_DEG + 1e-6, _STEP_DEG)), np.float64)


def _edges(slopes: Sequence[Slopes], ground: Singles | FilmedGround, one: LaidOutline) -> _Edges:
    half_w, half_h = one.size_px[0] / 2, one.size_px[1] / 2
    run_w, run_h = (_run(half) for half in (half_w, half_h))
    found = []
    for normal, out, run in (
        ((-1, 0), half_w, run_h),
        ((1, 0), half_w, run_h),
        ((0, -1), half_h, run_w),
        ((0, 1), half_h, run_w),
    ):
        places = [_places(one, (normal, out, run, float(turn))) for turn in _turns()]
        if isinstance(ground, FilmedGround):
            rows = [_filmed_side(slopes[0], ground, place) for place in places]
        else:
            rows = [_side(slopes, ground, place) for place in places]
        found.append(np.stack(rows))
    return _Edges(found[0], found[1], found[2], found[3], isinstance(ground, FilmedGround))


def _run(half_px: float) -> Floats:
    """Return points along half a side and the other half, whole pieces."""
    pieces = max(round(2 * half_px * _STRAIGHT / (_PIECE_MM * FITTING_PX_PER_MM)), 2)
    count = pieces * _POINTS
    return np.asarray(((np.arange(count) + 0.5) / count * 2 - 1) * half_px * _STRAIGHT, np.float64)


@dataclass(frozen=True, slots=True)
class _Places:
    """The pixels of one side at all shifts, for one turn: x and y (shifts, points), and its normal."""

    x: Singles
    y: Singles
    normal: tuple[float, float]

    def taken(self, values: Singles, beyond_mm: float = 0.0) -> Singles:
        """Return what an image has there, or so far beyond the side, (shifts, points)."""
        dx, dy = (np.float32(beyond_mm * FITTING_PX_PER_MM * part) for part in self.normal)
        return np.asarray(cv2.remap(values, self.x + dx, self.y + dy, cv2.INTER_LINEAR), np.float32)


def _places(one: LaidOutline, what: tuple[tuple[int, int], float, Floats, float]) -> _Places:
    """Return the pixels of a side at all shifts to the right or downwards, for one turn.

    `what`: the side's normal, its distance from the middle, points along it, the turn beyond the rough one.
    """
    (n_x, n_y), out, run, more = what
    turn = one.pose.turn + more
    c, s = math.cos(turn), math.sin(turn)
    # Shifts are along the face's own axes: to its right for both upright sides, downwards for both others.
    shifts = _shifts_px()[:, None]
    own_x = n_x * out + (shifts if n_x else 0 * shifts) + (run if n_y else 0 * run)
    own_y = n_y * out + (shifts if n_y else 0 * shifts) + (run if n_x else 0 * run)
    return _Places(
        x=np.asarray(one.pose.x_px + c * own_x - s * own_y, np.float32),
        y=np.asarray(one.pose.y_px + s * own_x + c * own_y, np.float32),
        normal=(c * n_x - s * n_y, s * n_x + c * n_y),
    )


def _steepness(slopes: Slopes, places: _Places) -> Singles:
    """Return how plain a step in colour is in each piece of a side, (shifts, pieces), 0 to 1."""
    x, y = (places.taken(slope).reshape(*places.x.shape, 3) for slope in slopes)
    step = np.asarray(np.float32(places.normal[0]) * x + np.float32(places.normal[1]) * y, np.float32)
    pieces = step.reshape(len(step), -1, _POINTS, 3).mean(axis=2)
    plain = np.abs(pieces).sum(axis=2)
    return np.asarray(plain / (plain + np.float32(_HALF_STEEP)), np.float32)


def _side(slopes: Sequence[Slopes], ground: Singles, places: _Places) -> Singles:
    """Return how clear a side is at all shifts, (shifts,): a step in all that `slopes` are of."""
    clear = np.minimum.reduce([_steepness(each, places) for each in slopes]).mean(axis=1)
    border = np.zeros(len(clear), np.float32)
    for far in _FAR_MM:
        border += (places.taken(ground, far) - places.taken(ground, -far)).mean(axis=1) / np.float32(
            2 * len(_FAR_MM)
        )
    return np.asarray((clear + border) / 2, np.float32)


def _filmed_side(slopes: Slopes, film: FilmedGround, places: _Places) -> Singles:
    """Return how much speaks for a side at all shifts, less what speaks against it, (shifts,).

    Nothing has changed beyond a side, and no table is within. A step in colour is an edge of the face as far
    as nothing has changed beyond it: else it is printed. What is within may look like what was there before.
    """
    clear = _steepness(slopes, places)
    outside = _mean_at(film.unchanged, places, _BORDER_MM).reshape(len(clear), -1, _POINTS).mean(axis=2)
    changed = 1 - _mean_at(film.unchanged, places, [-far for far in _BORDER_MM]).mean(axis=1)
    lost = 1 - _mean_at(film.unchanged, places, _CLEAR_MM).mean(axis=1)
    bare = _mean_at(film.bare, places, [-far for far in _CLEAR_MM]).mean(axis=1)
    return np.asarray((changed + (clear * outside).mean(axis=1)) / 2 - lost - bare, np.float32)


def _mean_at(values: Singles, places: _Places, beyond_mm: Sequence[float]) -> Singles:
    """Return the mean of an image so far beyond the points of a side, (shifts, points)."""
    found = [places.taken(values, far) for far in beyond_mm]
    return np.asarray(sum(found[1:], start=found[0]) / len(found), np.float32)


def _sizes(edges: Sequence[_Edges], size_px: tuple[float, float]) -> tuple[int, int]:
    """Return by how many steps each side of all faces is further out than the list has it, for this size."""
    return _odd_size(edges, size_px[0], 0), _odd_size(edges, size_px[1], 1)


def _odd_size(edges: Sequence[_Edges], size_px: float, axis: int) -> int:
    """Return the same for one pair of sides: 0 those left and right, 1 the upper and the lower one."""
    larger = max(size_px / FITTING_PX_PER_MM / _CARD_MM, 1.0)
    most = round(_ODD_SIZE_MM * larger / 2 / _STEP_MM)

    def clear(wider: int) -> float:
        pairs = [one.pairs(wider, wider)[axis] for one in edges]
        cost = _ODD_COST * (2 * wider * _STEP_MM / (_ODD_MM * larger)) ** 2
        return sum(float(pair.max()) for pair in pairs) / len(pairs) - cost

    return max(sorted(range(-most, most + 1), key=abs), key=clear)


def _fitted(one: LaidOutline, edges: _Edges, across: int, along: int) -> LaidOutline:
    """Return the outline where both pairs of sides are clearest."""
    x, y = edges.pairs(across, along)
    turn = int((x.max(axis=1) + y.max(axis=1)).argmax())
    column, row = int(x[turn].argmax()), int(y[turn].argmax())
    step = _STEP_MM * FITTING_PX_PER_MM
    middle = len(_shifts_px()) // 2
    right = (column - middle + _beyond(x[turn], column)) * step
    down = (row - middle + _beyond(y[turn], row)) * step
    by_turn = x.max(axis=1) + y.max(axis=1)
    angle = one.pose.turn + (turn - len(_turns()) // 2 + _beyond(by_turn, turn)) * math.radians(_STEP_DEG)
    c, s = math.cos(angle), math.sin(angle)
    pose = Pose2D(
        x_px=one.pose.x_px + c * right - s * down, y_px=one.pose.y_px + s * right + c * down, turn=angle
    )
    size = (one.size_px[0] + 2 * across * step, one.size_px[1] + 2 * along * step)
    return LaidOutline(pose=pose, size_px=size, clear=float(min(x[turn, column], y[turn, row])))


def _beyond(values: Singles, at: int) -> float:
    """Return how far beyond a whole step the peak of a curve is, -0.5 to 0.5: a parabola through three."""
    if not 0 < at < len(values) - 1:
        return 0.0
    before, here, after = (float(one) for one in values[at - 1 : at + 2])
    bend = before - 2 * here + after
    return 0.0 if bend >= 0 else min(max((before - after) / (2 * bend), -0.5), 0.5)
