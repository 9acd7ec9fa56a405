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

# Fewer faces have nothing in common that could be told.
_LEAST_FACES: Final = 6
# Faces are moved no further than this, mm, at a time, and no further than so many times that in all; what is
# so near to an edge is compared.
_REACH_MM, _FURTHEST = 4.5, 1.5
_RIM_MM: Final = 4.0
# Within it, edges that are as steep as this in most faces are compared as well, as a share of the steepest.
_COMMON: Final = 0.5
# The more faces lie where they should, the sharper is what they have in common: so often it is told anew.
_ROUNDS: Final = 5
# Nothing is moved by less, mm, or for so little a gain in correlation.
_LEAST_MM: Final = 0.3
_LEAST_GAIN: Final = 0.02
# Moved, a face lies upon no other one, and shows no more of the empty table, than by this share of it.
_MORE: Final = 0.03
# A steeper edge, levels a pixel, is no surer.
_STEEP: Final = 12.0


def aligned(
    picture: Picture8, outlines: Sequence[LaidOutline], covered: Singles | None = None
) -> list[LaidOutline]:
    """Return the outlines of faces of one size, moved to where they show what most others show there.

    Rims are alike within and without: none is moved upon another face, or to where nothing lies.

    Args:
        picture: that in which they lie, at `FITTING_PX_PER_MM`.
        outlines: where they lie in it.
        covered: how surely something lies on each pixel, (height, width), 0 to 1; None = nobody knows.
    """
    placed = list(outlines)
    if len(outlines) < _LEAST_FACES:
        return placed
    furthest = _FURTHEST * _REACH_MM * FITTING_PX_PER_MM
    for _ in range(_ROUNDS):
        before = placed
        placed = [
            to
            if to is one or (_off(to, first) <= furthest and _is_possible(to, one, before, covered))
            else one
            for one, to, first in zip(before, _all_moved(picture, before), outlines, strict=True)
        ]
        if all(one is to for one, to in zip(before, placed, strict=True)):
            break
    return placed


def _all_moved(picture: Picture8, outlines: Sequence[LaidOutline]) -> list[LaidOutline]:
    """Return outlines, each moved to where it shows what most others show there."""
    reach, rim = round(_REACH_MM * FITTING_PX_PER_MM), round(_RIM_MM * FITTING_PX_PER_MM)
    width, height = (round(float(edge)) for edge in np.median([one.size_px for one in outlines], axis=0))
    edges = [_edges(picture, one, (width, height), reach + rim) for one in outlines]
    common = np.median(np.stack(edges), axis=0).astype(np.float32)[reach:-reach, reach:-reach]
    # What is near an edge is a part of the frame, and what most have in common.
    weight = np.ones(common.shape, np.float32)
    inner = slice(2 * rim, -2 * rim)
    weight[inner, inner] = np.minimum(common[inner, inner] / _COMMON, 1)
    frame = common - np.average(common, weights=weight)
    frame = np.asarray(frame * weight / np.sqrt((frame**2 * weight).sum()), np.float32)
    return [_moved(one, _alike(found, frame, weight)) for one, found in zip(outlines, edges, strict=True)]


def _off(one: LaidOutline, other: LaidOutline) -> float:
    return math.hypot(one.pose.x_px - other.pose.x_px, one.pose.y_px - other.pose.y_px)


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


def _alike(edges: Singles, frame: Singles, weight: Singles) -> Singles:
    """Return how far the edges about a face correlate with the common ones at each shift, -1 to 1."""
    both, squares, sums = (
        cv2.matchTemplate(one, wanted, cv2.TM_CCORR)
        for one, wanted in ((edges, frame), (edges * edges, weight), (edges, weight))
    )
    spread = squares - sums * sums / np.float32(weight.sum())
    return np.asarray(both / np.sqrt(np.maximum(spread, 1e-6)), np.float32)


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


def _edges(picture: Picture8, one: LaidOutline, size_wh: tuple[int, int], margin: int) -> Singles:
    """Return how steep each pixel about a face is, its margin included, 0 to 1, upright."""
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
    steep = np.sqrt((x * x + y * y).max(axis=2))
    return np.asarray(np.minimum(steep / _STEEP, 1), np.float32)
