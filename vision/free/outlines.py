"""Proposes where flat pieces of known sizes may lie, from straight edges that meet at right angles.

A piece that is covered nearly always shows one corner at least. A corner and the direction of its edges
say where the whole piece lies, so that every such pair of edges proposes it, once for each way in which it
can be turned there. How much of the outline is then seen as an edge ranks the proposals.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Gray, Image, Numbers, Singles
from vision.geometry.regions import Region, joined, widened

# Edges shorter than this are print or noise; corners may be rounded, and something may lie on them, mm.
_SHORTEST_MM: Final = 7.0
_GAP_MM: Final = 7.0
# Edges are sought in what is searched and so far around it, mm: the middles of longer ones may be there.
_BEYOND_MM: Final = 12.0
# Edges that meet are at right angles to within this.
_ASKEW: Final = np.deg2rad(5.0)
# Poses closer than this are one: mm and radians.
_SAME_MM: Final = 1.5
_SAME_TURN: Final = np.deg2rad(4.0)
# The outline is looked at in points so far apart, and at this distance to either side, mm.
_STEP_MM: Final = 3.0
_SIDES: Final = (-1.2, -0.6, 0.0, 0.6, 1.2)
# Gradient, levels of 255 a pixel, from which an edge is an edge: the noise of a dim picture is 1 to 2.
_LEAST_GRADIENT: Final = 5.0
_LEAST_SUPPORT: Final = 0.2
# So many edges at a time are looked at with all others.
_AT_ONCE: Final = 256


@dataclass(frozen=True, slots=True)
class Poses:
    """N poses of rectangles.

    Attributes:
        at: (N, 2) their middles, px of the rectified picture.
        turns: (N,) radians, clockwise as pixels run.
        sizes: (N,) which of the sizes each has.
        support: (N, 4) share of each side, from the upper one clockwise, that is seen as an edge.
    """

    at: Floats
    turns: Floats
    sizes: Numbers
    support: Floats

    def some(self, which: Bools | Numbers) -> Poses:
        """Return some of them."""
        return Poses(self.at[which], self.turns[which], self.sizes[which], self.support[which])

    def joined(self, others: Poses) -> Poses:
        """Return these and others."""
        return Poses(
            np.concatenate([self.at, others.at]),
            np.concatenate([self.turns, others.turns]),
            np.concatenate([self.sizes, others.sizes]),
            np.concatenate([self.support, others.support]),
        )

    def __len__(self) -> int:
        return len(self.turns)


def _square(first: Floats, second: Floats, trust: Floats) -> tuple[Floats, Floats]:
    """Return directions (N, 2) at right angles that agree best with two, by how far each is trusted."""
    turned = np.column_stack([-first[:, 1], first[:, 0]])
    turned *= np.sign((turned * second).sum(axis=1))[:, None]
    mean = turned * trust[:, :1] + second * trust[:, 1:]
    mean /= np.hypot(mean[:, 0], mean[:, 1])[:, None]
    other = np.column_stack([mean[:, 1], -mean[:, 0]])
    other *= np.sign((other * first).sum(axis=1))[:, None]
    return other, mean


def _planes(picture: Image) -> tuple[Gray, Gray]:
    """Return the brightness of a picture, and how much redder than blue it is.

    A card may be as bright as the table that it lies on.
    """
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    redder = cv2.addWeighted(picture[..., 2], 0.5, picture[..., 0], -0.5, 128.0)
    return np.asarray(gray, np.uint8), np.asarray(redder, np.uint8)


def _gradient(planes: Sequence[Gray]) -> tuple[Singles, Singles]:
    """Return the steepest gradient of several planes at each pixel: x, y, levels a pixel."""
    x = [np.asarray(cv2.Sobel(one, cv2.CV_32F, 1, 0, scale=0.25), np.float32) for one in planes]
    y = [np.asarray(cv2.Sobel(one, cv2.CV_32F, 0, 1, scale=0.25), np.float32) for one in planes]
    most_x, most_y = x[0], y[0]
    for one, other in zip(x[1:], y[1:], strict=True):
        steeper = one * one + other * other > most_x * most_x + most_y * most_y
        most_x, most_y = np.where(steeper, one, most_x), np.where(steeper, other, most_y)
    return most_x, most_y


def _touching(start: Floats, end: Floats, gap_px: float) -> tuple[Numbers, Numbers]:
    """Return the pairs of edges, each (N, 2) from start to end, whose surroundings touch each other."""
    order = np.argsort(np.minimum(start[:, 0], end[:, 0]), kind="stable")
    low = np.minimum(start, end)[order] - gap_px
    high = np.maximum(start, end)[order] + gap_px
    pairs = [np.zeros((2, 0), np.intp)]
    for begin in range(0, len(start), _AT_ONCE):
        rows = slice(begin, begin + _AT_ONCE)
        # From left to right: none that begins further on touches these.
        last = int(np.searchsorted(low[:, 0], high[rows, 0].max(), side="right"))
        (x0, y0), (_, y1) = low[begin:last].T, high[begin:last].T
        near = x0[None] <= high[rows, None, 0]
        near &= (low[rows, None, 1] <= y1[None]) & (y0[None] <= high[rows, None, 1])
        pairs.append(np.stack(np.nonzero(np.triu(near, 1))) + begin)
    first, second = order[np.concatenate(pairs, axis=1)]
    return np.minimum(first, second), np.maximum(first, second)


class OutlineFinder:
    """Finds outlines of pieces of known sizes in rectified pictures."""

    def __init__(self, sizes_mm: Sequence[tuple[float, float]], px_per_mm: float) -> None:
        """Prepare; `sizes_mm` are widths and heights, `px_per_mm` is the scale of the pictures."""
        self._sizes = np.array(sizes_mm, np.float64).reshape(-1, 2) * px_per_mm
        self._px_per_mm = px_per_mm
        self._segments = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD, 1.0)

    def find(self, picture: Image, searched: Bools, shapes: Gray | None = None) -> Poses:
        """Return where pieces may lie in a picture (height, width, 3) uint8 BGR, the best supported first.

        `searched` (height, width) says where their edges may be. `shapes` (height, width) is light where
        anything but the table is seen and dark elsewhere: a pattern breaks the edges of what lies upon it.
        """
        rows, columns = (np.flatnonzero(searched.any(axis=axis)) for axis in (1, 0))
        if not len(rows):
            return Poses(np.zeros((0, 2)), np.zeros(0), np.zeros(0, np.intp), np.zeros((0, 4)))
        corner = np.array([columns[0], rows[0]])
        window = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
        seen = None if shapes is None else np.ascontiguousarray(shapes[window])
        found = self._found(np.ascontiguousarray(picture[window]), searched[window], seen)
        return Poses(found.at + corner, found.turns, found.sizes, found.support)

    def _found(self, picture: Image, searched: Bools, shapes: Gray | None) -> Poses:
        """Return where pieces may lie in a picture, the best supported first."""
        gray, redder = _planes(picture)
        regions = self._regions(searched)
        bright = self._straight(gray, regions)
        found = self._proposed(bright, [gray], searched)
        # Cameras blur colours, so outlines that brightness shows are more exact, and come first.
        others = [redder] if shapes is None else [redder, shapes]
        coloured = np.concatenate([bright, *(self._straight(one, regions) for one in others)])
        found = found.joined(self._proposed(coloured, [gray, *others], searched))
        return found.some(self._apart(found))

    def _proposed(self, segments: Floats, planes: Sequence[Gray], searched: Bools) -> Poses:
        """Return the poses that edges propose where something is searched, the best supported first."""
        middles = np.round((segments[:, :2] + segments[:, 2:]) / 2).astype(np.intp)
        at, turns, sizes = self._corners(segments[searched[middles[:, 1], middles[:, 0]]])
        if not len(turns):
            return Poses(at, turns, sizes, np.zeros((0, 4)))
        support = self.support(*_gradient(planes), at, turns, sizes)
        found = Poses(at, turns, sizes, support)
        # Two sides at least, one of them for the most part.
        ranked = np.sort(support, axis=1)
        good = (ranked[:, 3] > 0.45) & (ranked[:, 2] > _LEAST_SUPPORT)
        found = found.some(good)
        return found.some(np.argsort(-found.support.sum(axis=1), kind="stable"))

    def _regions(self, searched: Bools) -> list[Region]:
        """Return the regions that are searched, each with some of what is around it."""
        count, _, stats, _ = cv2.connectedComponentsWithStats(searched.astype(np.uint8), connectivity=8)
        beyond = math.ceil(_BEYOND_MM * self._px_per_mm)
        found = [
            widened((slice(top, top + down), slice(left, left + across)), searched.shape, (beyond, beyond))
            for left, top, across, down, _ in stats[1:count].tolist()
        ]
        return [region for region, _ in joined(found)]

    def _straight(self, gray: Gray, regions: Sequence[Region]) -> Floats:
        """Return straight edges in some parts of a picture, (N, 4): both ends x, y, px."""
        found = [np.zeros((0, 4))]
        for rows, columns in regions:
            lines: object = self._segments.detect(np.ascontiguousarray(gray[rows, columns]))[0]
            # Without any edge there is no array.
            if lines is not None:
                corner = np.array([columns.start, rows.start] * 2, np.float64)
                found.append(np.asarray(lines, np.float64).reshape(-1, 4) + corner)
        ends = np.concatenate(found)
        long = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
        return np.asarray(ends[long >= _SHORTEST_MM * self._px_per_mm], np.float64)

    def _corners(self, segments: Floats) -> tuple[Floats, Floats, Numbers]:
        """Return the poses that pairs of edges propose: middles, turns, sizes."""
        empty = np.zeros((0, 2)), np.zeros(0), np.zeros(0, np.intp)
        if len(segments) < 2:
            return empty
        start, end = segments[:, :2], segments[:, 2:]
        along = end - start
        length = np.hypot(along[:, 0], along[:, 1])
        unit = along / length[:, None]
        gap = _GAP_MM * self._px_per_mm
        one, other = _touching(start, end, gap)
        is_upright = np.abs((unit[one] * unit[other]).sum(axis=1)) < np.sin(_ASKEW)
        one, other = one[is_upright], other[is_upright]
        # Where the lines cross, as distances along both.
        between = start[other] - start[one]
        cross = unit[one, 0] * unit[other, 1] - unit[one, 1] * unit[other, 0]
        t = (between[:, 0] * unit[other, 1] - between[:, 1] * unit[other, 0]) / cross
        u = (between[:, 0] * unit[one, 1] - between[:, 1] * unit[one, 0]) / cross
        near = (t > -gap) & (t < length[one] + gap) & (u > -gap) & (u < length[other] + gap)
        one, other, t, u = one[near], other[near], t[near], u[near]
        if not len(one):
            return empty
        corner = start[one] + t[:, None] * unit[one]
        found: list[tuple[Floats, Floats, Numbers]] = []
        for way, across in itertools.product((1.0, -1.0), repeat=2):
            # How far each edge runs from the corner into this quadrant.
            arms = np.stack(
                [length[one] - t if way > 0 else t, length[other] - u if across > 0 else u], axis=1
            )
            good = (arms > _SHORTEST_MM * self._px_per_mm * 0.7).all(axis=1)
            trust = np.stack([length[one][good] ** 2, length[other][good] ** 2], axis=1)
            first, second = _square(way * unit[one][good], across * unit[other][good], trust)
            found += self._from_corners(corner[good], first, second, arms[good])
        ats, turns, sizes = zip(*found, strict=True)
        return np.concatenate(ats), np.concatenate(turns), np.concatenate(sizes)

    def _from_corners(
        self, corner: Floats, first: Floats, second: Floats, arms: Floats
    ) -> list[tuple[Floats, Floats, Numbers]]:
        """Return the poses of pieces with a corner (N, 2), edges along two directions and arms so long."""
        found = []
        most = arms - _GAP_MM * self._px_per_mm
        for number, (width, height) in enumerate(self._sizes):
            ways = ((width, height),) if width == height else ((width, height), (height, width))
            for along, across in ways:
                fits = (most < (along, across)).all(axis=1)
                middle = corner + first * (along / 2) + second * (across / 2)
                upper = first if along == width else second
                turn = np.arctan2(upper[:, 1], upper[:, 0]) % np.pi
                found.append((middle[fits], turn[fits], np.full(int(fits.sum()), number, np.intp)))
        return found

    def support(self, x: Singles, y: Singles, at: Floats, turns: Floats, sizes: Numbers) -> Floats:
        """Return the share of each side of outlines that is seen as an edge, (N, 4); x, y: the gradient."""
        result = np.zeros((len(turns), 4))
        for number, (width, height) in enumerate(self._sizes):
            mine = np.flatnonzero(sizes == number)
            if not len(mine):
                continue
            cos, sin = np.cos(turns[mine])[:, None], np.sin(turns[mine])[:, None]
            sides = (
                (width, 0.0, -height / 2, (0.0, 1.0)),
                (height, width / 2, 0.0, (1.0, 0.0)),
                (width, 0.0, height / 2, (0.0, 1.0)),
                (height, -width / 2, 0.0, (1.0, 0.0)),
            )
            for side, (long, off_x, off_y, normal) in enumerate(sides):
                count = max(int(long / self._px_per_mm / _STEP_MM), 4)
                run = (np.arange(count) + 0.5) / count * long * 0.9 - long * 0.45
                best = np.zeros((len(mine), count), np.float32)
                n_x, n_y = cos * normal[0] - sin * normal[1], sin * normal[0] + cos * normal[1]
                for step in _SIDES:
                    out = step * self._px_per_mm
                    p_x = (off_x + run * normal[1] + out * normal[0])[None]
                    p_y = (off_y + run * normal[0] + out * normal[1])[None]
                    map_x = (at[mine, :1] + cos * p_x - sin * p_y).astype(np.float32)
                    map_y = (at[mine, 1:] + sin * p_x + cos * p_y).astype(np.float32)
                    g_x = cv2.remap(x, map_x, map_y, cv2.INTER_LINEAR)
                    g_y = cv2.remap(y, map_x, map_y, cv2.INTER_LINEAR)
                    steep = np.abs(g_x * n_x + g_y * n_y)
                    level = np.abs(g_x * n_y - g_y * n_x)
                    best = np.maximum(best, np.where(steep > 1.5 * level, steep, 0))
                result[mine, side] = (best > _LEAST_GRADIENT).mean(axis=1)
        return result

    def _apart(self, found: Poses) -> Numbers:
        """Return which poses differ from all better ones."""
        kept: list[int] = []
        near_px = _SAME_MM * self._px_per_mm
        places: dict[tuple[int, int, int], list[int]] = {}
        squares = self._sizes[:, 0] == self._sizes[:, 1]
        at, turns, sizes = found.at.tolist(), found.turns.tolist(), found.sizes.tolist()
        for n, ((x, y), turn, size) in enumerate(zip(at, turns, sizes, strict=True)):
            period = np.pi / 2 if squares[size] else np.pi
            column, row = int(x // near_px), int(y // near_px)
            around = (
                other
                for dx in (-1, 0, 1)
                for dy in (-1, 0, 1)
                for other in places.get((size, column + dx, row + dy), ())
            )
            if any(
                abs((turns[other] - turn + period / 2) % period - period / 2) < _SAME_TURN
                and math.hypot(at[other][0] - x, at[other][1] - y) < near_px
                for other in around
            ):
                continue
            kept.append(n)
            places.setdefault((size, column, row), []).append(n)
        return np.array(kept, np.intp)
