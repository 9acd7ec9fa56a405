"""Faces of one deck are printed alike: what most of them show in one place tells where the others lie.

Where the outermost rim of a print hardly differs from the table, the edge within it may have been taken for
the face's own. Not for all of them: shadows fall and grain runs differently beside each. All have a rim, and
most have a number, a title or a box in the same place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Floats, Picture8, Singles
from vision.enrolment.laid_outlines import FITTING_PX_PER_MM, LaidOutline
from vision.photometry.light import greatest

# Fewer faces have nothing in common that could be told.
_LEAST_FACES: Final = 6
# Faces are moved no further than this, mm, at a time, and no further than so many times that in all; what is
# so near to an edge is compared.
_REACH_MM, _FURTHEST = 4.5, 1.5
_RIM_MM: Final = 4.0
# Within it, edges that are as steep as this in most faces are compared as well, as a share of the steepest.
_COMMON: Final = 0.5
# The more faces lie where they should, the sharper is what they have in common, so it is told anew in rounds:
# by how much edges are softened, mm, and by how much faces are turned either way, degrees. Where most lie
# apart, only softened edges have anything in common.
_SHARP: Final = ((0.0, 4.0), (0.0, 2.0), (0.0, 1.0), (0.0, 0.5), (0.0, 0.5))
_SOFT: Final = ((1.9, 4.0), (1.3, 2.0), (1.0, 2.0), (0.6, 1.0), (0.3, 1.0), (0.0, 0.5), (0.0, 0.5))
# What softened edges told is better if faces correlate by so much more with what they have in common then.
_BETTER: Final = 0.005
# Nothing is moved by less, mm, or for so little a gain in correlation; nothing is turned further in all.
_LEAST_MM: Final = 0.3
_LEAST_GAIN: Final = 0.005
_MOST_TURNED: Final = math.radians(8.0)
# Moved, a face lies upon no other one, and shows no more of the empty table, than by this share of it.
_MORE: Final = 0.03
# A steeper edge, levels a pixel, is no surer.
_STEEP: Final = 12.0


def aligned(
    picture: Picture8, outlines: Sequence[LaidOutline], covered: Singles | None = None
) -> list[LaidOutline]:
    """Return the outlines of faces of one size, moved and turned so that they show what most others show.

    Rims are alike within and without: none is moved upon another face, or to where nothing lies.

    Args:
        picture: that in which they lie, at `FITTING_PX_PER_MM`.
        outlines: where they lie in it.
        covered: how surely something lies on each pixel, (height, width), 0 to 1; None = nobody knows.
    """
    placed = list(outlines)
    if len(outlines) < _LEAST_FACES:
        return placed
    sharp = _moved_in_rounds(picture, placed, outlines, covered, _SHARP)
    soft = _moved_in_rounds(picture, sharp, outlines, covered, _SOFT)
    was, now = (float(np.mean(_Common(picture, each).likeness)) for each in (sharp, soft))
    return soft if now > was + _BETTER else sharp


def _moved_in_rounds(
    picture: Picture8,
    placed: list[LaidOutline],
    first: Sequence[LaidOutline],
    covered: Singles | None,
    rounds: Sequence[tuple[float, float]],
) -> list[LaidOutline]:
    """Return outlines after rounds of moving and turning them; `first` is where they were found."""
    for soft_mm, turn_deg in rounds:
        before, common = placed, _Common(picture, placed, soft_mm)
        moved = [common.moved(number, math.radians(turn_deg)) for number in range(len(before))]
        placed = [
            to if to is one or (_is_near(to, found) and _is_possible(to, one, before, covered)) else one
            for one, to, found in zip(before, moved, first, strict=True)
        ]
    return placed


class _Common:
    """What the faces of a deck have in common where their outlines are."""

    def __init__(self, picture: Picture8, outlines: Sequence[LaidOutline], soft_mm: float = 0.0) -> None:
        """Prepare; edges are softened by so much."""
        self._picture, self._outlines, self._soft_px = picture, outlines, soft_mm * FITTING_PX_PER_MM
        reach, rim = round(_REACH_MM * FITTING_PX_PER_MM), round(_RIM_MM * FITTING_PX_PER_MM)
        width, height = (round(float(edge)) for edge in np.median([one.size_px for one in outlines], axis=0))
        self._size, self._reach, self._margin = (width, height), reach, reach + rim
        self._edges = [self._edges_of(one) for one in outlines]
        common = np.median(np.stack(self._edges), axis=0).astype(np.float32)[reach:-reach, reach:-reach]
        # What is near an edge is a part of the frame, and what most have in common.
        weight = np.ones(common.shape, np.float32)
        inner = slice(2 * rim, -2 * rim)
        weight[inner, inner] = np.minimum(common[inner, inner] / _COMMON, 1)
        frame = common - np.average(common, weights=weight)
        self._frame = np.asarray(frame * weight / np.sqrt((frame**2 * weight).sum()), np.float32)
        self._weight = weight

    @property
    def likeness(self) -> list[float]:
        """How far each face correlates with all others where it is, -1 to 1."""
        return [float(self._alike(one)[self._reach, self._reach]) for one in self._edges]

    def moved(self, number: int, turn: float) -> LaidOutline:
        """Return a face's outline where it is most like the others, turned by so much either way or not."""
        one = self._outlines[number]
        turned = [replace(one, pose=replace(one.pose, turn=one.pose.turn + off)) for off in (-turn, turn)]
        ways = [(one, self._alike(self._edges[number]))]
        ways += [(each, self._alike(self._edges_of(each))) for each in turned]
        best = max(ways[1:], key=lambda way: float(way[1].max()))
        is_turned = float(best[1].max()) > float(ways[0][1].max()) + _LEAST_GAIN
        return _moved(*(best if is_turned else ways[0]))

    def _edges_of(self, one: LaidOutline) -> Singles:
        return _edges(self._picture, one, self._size, self._margin, self._soft_px)

    def _alike(self, edges: Singles) -> Singles:
        """Return how far the edges about a face correlate with the common ones at each shift, -1 to 1."""
        weight = self._weight
        both, squares, sums = (
            cv2.matchTemplate(one, wanted, cv2.TM_CCORR)
            for one, wanted in ((edges, self._frame), (edges * edges, weight), (edges, weight))
        )
        spread = squares - sums * sums / np.float32(weight.sum())
        return np.asarray(both / np.sqrt(np.maximum(spread, 1e-6)), np.float32)


def _is_near(to: LaidOutline, first: LaidOutline) -> bool:
    """Whether a face is no further from where its outline was found than its edges may have been mistaken."""
    off = math.hypot(to.pose.x_px - first.pose.x_px, to.pose.y_px - first.pose.y_px)
    is_upright = abs(to.pose.turn - first.pose.turn) <= _MOST_TURNED
    return is_upright and off <= _FURTHEST * _REACH_MM * FITTING_PX_PER_MM


def _is_possible(
    to: LaidOutline, one: LaidOutline, outlines: Sequence[LaidOutline], covered: Singles | None
) -> bool:
    """Whether a face may lie where it would be moved to."""
    others = [each for each in outlines if each is not one]
    if _overlapping(to, others) > _overlapping(one, others) + _MORE:
        return False
    return covered is None or to.mean_of(covered) >= one.mean_of(covered) - _MORE


def _overlapping(one: LaidOutline, others: Sequence[LaidOutline]) -> float:
    """Return the share of an outline that lies upon others."""
    mine = np.asarray(one.corners_px(), np.float32)
    common = (cv2.intersectConvexConvex(mine, np.asarray(each.corners_px(), np.float32)) for each in others)
    return sum(area for area, _ in common) / (one.size_px[0] * one.size_px[1])


def _moved(one: LaidOutline, alike: Singles) -> LaidOutline:
    """Return an outline moved to where its edges are most like the common ones, if that is plain."""
    middle = alike.shape[0] // 2
    _, best, _, (column, row) = cv2.minMaxLoc(alike)
    right, down = column - middle, row - middle
    is_plain = best > float(alike[middle, middle]) + _LEAST_GAIN
    if not is_plain or math.hypot(right, down) < _LEAST_MM * FITTING_PX_PER_MM:
        return one
    c, s = math.cos(one.pose.turn), math.sin(one.pose.turn)
    x, y = one.pose.x_px + c * right - s * down, one.pose.y_px + s * right + c * down
    return replace(one, pose=replace(one.pose, x_px=x, y_px=y))


def _edges(
    picture: Picture8, one: LaidOutline, size_wh: tuple[int, int], margin: int, soft_px: float
) -> Singles:
    """Return how steep each pixel about a face is, its margin included, 0 to 1, upright, softened."""
    c, s = math.cos(one.pose.turn), math.sin(one.pose.turn)
    width, height = size_wh[0] + 2 * margin, size_wh[1] + 2 * margin
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    turned: Floats = np.array([(c, -s), (s, c)])
    at = np.array([one.pose.x_px, one.pose.y_px]) - turned @ middle
    matrix = np.column_stack([turned, at])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(picture, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(seen, (0, 0), 1.0).astype(np.float32)
    x, y = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=0.25), cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=0.25)
    steep = np.sqrt(greatest(np.asarray(x * x + y * y, np.float32)))
    edges = np.asarray(np.minimum(steep / _STEEP, 1), np.float32)
    return np.asarray(cv2.GaussianBlur(edges, (0, 0), soft_px), np.float32) if soft_px else edges
