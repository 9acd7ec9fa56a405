"""What stands on a rectified table: meeples, gems and dragons, each the only one in its paint.

Only what is neither known print nor the table can belong to one, and it is about as large and as thick as
such a piece looks from there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from calibration.camera_pose import CameraPose
from companion.free_pieces import Shape
from vision.arrays import Bools, Floats, Labels, Numbers
from vision.free.expected import Expected
from vision.free.known_paint import SIZES_MM, KnownPaint, Solid
from vision.geometry.rectify import Flat, leaning
from vision.geometry.regions import Region, region_of, widened
from vision.photometry.light import unvalued
from vision.photometry.palette import Shade

# Of two figures in one paint, of which there is but one, none is told unless one is surer by so much.
_AHEAD: Final = 0.18
# Logarithm of the odds for a figure: at least, and more if all is seen that should be.
_LEAST_ODDS, _MORE_ODDS = 1.56, 2.4
# Patches that are smaller or larger than this share of what a piece would show are something else.
_LEAST_PATCH, _MOST_PATCH = 0.25, 2.2
# What a body fills of the box around it, as it is seen.
_BODY: Final = 0.6
# It reaches no further than so many times that box.
_LONGEST: Final = 1.6
# Nothing that stands is thinner than this share of its width: the blurred edges of cards and piles are. The
# moon of Nova Luna is a crescent.
_LEAST_THICK: Final[Mapping[Shape, float]] = {Shape.DRAGON: 0.4, Shape.GEM: 0.4, Shape.MEEPLE: 0.16}
# Of what stands no larger share may be print or the table by its colour.
_MOST_KNOWN: Final = 0.5
# A patch that looks a little different is a piece if so much of it is surely something else.
_LEAST_PLAIN: Final = 0.1
# No light on a piece is so much less than in the darkest of its shades.
_FAR_DARKER: Final = 1 / 3
# What is strange all around a piece belongs to something larger if it is so many times as large.
_MOST_AROUND: Final = 3.0
# Patches are closed, and measured, with so much around them, px.
_AROUND_PX: Final = 3


class FigureFinder:
    """Finds what stands, for one camera pose."""

    def __init__(self, paints: Sequence[KnownPaint], camera: CameraPose, flat: Flat) -> None:
        """Prepare; `paints` are those of all pieces, discs too, `flat` is the window of the pictures."""
        self._paints, self._camera, self._flat = tuple(paints), camera, flat

    def find(self, expected: Expected, labels: Labels, printed: Labels, empty: Bools) -> Iterator[Solid]:
        """Yield what stands in a picture.

        Args:
            expected: what it shows, and where that is not what is known.
            labels: numbers of the paints that are seen, (height, width).
            printed: the same of what is printed there.
            empty: where the table is seen as it is with nothing on it: its pattern is no figure.
        """
        # A face that a lamp whitens all over is nothing that a piece belongs to, and none itself.
        hazed = expected.in_haze()
        around = _sizes_around(expected.strange & ~hazed)
        for number, paint in enumerate(self._paints):
            if paint.shape is not Shape.DISC:
                mine = _patches(expected, labels == number)
                # Neither print in another light is a figure in its paint, nor a pattern of the table, nor
                # what is so dark that its hue is noise.
                known = empty | expected.have_printed_hue(mine & expected.covered & (printed == number))
                known |= hazed | _are_far_darker(mine, expected, paint.palette)
                yield from self._figure(paint, mine, expected.shaded, around, known)

    def _figure(
        self, paint: KnownPaint, shown: Bools, shaded: Bools, around: Numbers, known: Bools
    ) -> list[Solid]:
        """Return the one figure of a paint that stands where it is shown, if it does.

        Its shadow on print may have its paint; it may itself look like print in a shadow, but not all over.
        """
        lit = _only_one(self._standing(paint, shown & ~shaded, around, known))
        return lit or _only_one(self._standing(paint, shown, around, known))

    def _standing(self, paint: KnownPaint, shown: Bools, around: Numbers, known: Bools) -> Iterator[Solid]:
        """Yield what stands upright in a paint: patches about as large and thick as such a piece looks.

        `around` is how large the patch of whatever paint is that each pixel belongs to, px, `known` where
        print or the table may look like that by themselves.
        """
        width, height = SIZES_MM[paint.shape]
        held = region_of(shown)
        if held is None:
            return
        there = widened(held, shown.shape, (_AROUND_PX, _AROUND_PX))
        corner = np.array([there[1].start, there[0].start])
        shown, around, known = shown[there], around[there], known[there]
        joined = cv2.morphologyEx(shown.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        thick = cv2.distanceTransform(joined, cv2.DIST_L2, 3) * 2 / self._flat.px_per_mm
        count, labelled, stats, middles = cv2.connectedComponentsWithStats(joined, connectivity=8)
        # However little a body leans away.
        fewest = _LEAST_PATCH * _BODY * (width * self._flat.px_per_mm) ** 2
        large = stats[:count, cv2.CC_STAT_AREA] >= fewest
        for patch in (np.flatnonzero(large[1:]) + 1).tolist():
            at, away, slope = self._leaning_at(middles[patch] + corner, height)
            # Of the box around its foot and what leans away from it a body fills about so much.
            usual = _BODY * width * (width + height * slope) * self._flat.px_per_mm**2
            share = float(stats[patch, cv2.CC_STAT_AREA]) / usual
            if not _LEAST_PATCH <= share <= _MOST_PATCH:
                continue
            window, mine = _window_of(labelled, patch, stats[patch].tolist())
            if thick[window][mine].max() < _LEAST_THICK[paint.shape] * width:
                continue
            if known[window][mine].mean() > _MOST_KNOWN:
                continue
            whole = float(around[window][mine].max())
            if whole > _MOST_AROUND * usual:
                continue
            points = np.argwhere(mine)[:, ::-1] + np.array([window[1].start, window[0].start]) + corner
            along = (points - at) @ away
            across = (points - at) @ np.array([-away[1], away[0]])
            reach_px = math.hypot(width, width + height * slope) * self._flat.px_per_mm
            if max(np.ptp(along), np.ptp(across)) > _LONGEST * reach_px:
                continue
            # The base is at the end that is nearer to the camera.
            near = float(np.percentile(along, 5)) + min(width / 4, 5.0) * self._flat.px_per_mm
            middle = at + near * away + float(np.median(across)) * np.array([-away[1], away[0]])
            base = self._flat.to_mm(middle[None])[0]
            yield Solid(
                name=paint.name,
                shape=paint.shape,
                at_mm=(float(base[0]), float(base[1])),
                confidence=_sure_of(min(share, 1 / share) * min(share * usual / max(whole, 1.0), 1.0)),
            )

    def _leaning_at(self, at_px: Floats, height_mm: float) -> tuple[Floats, Floats, float]:
        """Return a point, px, which way upright things lean there, and how far for each mm of height."""
        at = np.asarray(at_px, np.float64)
        eye = self._camera.eye_mm
        away = self._flat.to_mm(at[None])[0] - eye[:2]
        length = max(float(np.hypot(*away)), 1e-6)
        share = float(leaning(eye, height_mm, self._flat.height_mm))
        # Pixels run down, the table's y runs away.
        return at, np.array([away[0], -away[1]]) / length, share * length / height_mm


def _only_one(found: Iterable[Solid]) -> list[Solid]:
    """Return the plainest of some figures, of which there is but one; none if that may be another."""
    ordered = sorted(found, key=lambda one: -one.confidence)
    return ordered[:1] if len(ordered) < 2 or _odds(ordered[0]) - _odds(ordered[1]) >= _AHEAD else []


def _sure_of(share: float) -> float:
    """Return how sure a figure is of whose look so much is seen, 0 to 1; not fitted on drawn tables yet."""
    return float(1 / (1 + math.exp(-(_LEAST_ODDS + _MORE_ODDS * share))))


def _odds(one: Solid) -> float:
    return math.log(one.confidence / (1 - one.confidence))


def _patches(expected: Expected, mine: Bools) -> Bools:
    """Return where what is marked is not what is known, and what is a part of that, (height, width).

    A blue dragon hardly differs from a blue board but where it is lit.
    """
    faint = mine & expected.faint
    count, labelled = cv2.connectedComponents(faint.astype(np.uint8), connectivity=4)
    patches = np.asarray(labelled, np.intp)
    sizes = np.bincount(patches.ravel(), minlength=count)
    strange = np.bincount(patches[expected.strange], minlength=count)
    is_part = strange >= _LEAST_PLAIN * sizes
    is_part[0] = False
    return np.asarray(is_part[patches] | (mine & expected.strange), np.bool_)


def _are_far_darker(some: Bools, expected: Expected, palette: Sequence[Shade]) -> Bools:
    """Return where less light is seen than a piece of these shades has anywhere, (height, width)."""
    shades = unvalued(np.array(palette, np.float32).reshape(-1, 3) / np.float32(255))
    least = _FAR_DARKER * float(shades.sum(axis=1).min(initial=np.inf))
    # What hides a lamp's reflection is seen as it is.
    seen = np.maximum(expected.relit[some], expected.standing[some])
    found = some.copy()
    found[some] = unvalued(seen).sum(axis=1) < least
    return found


def _sizes_around(strange: Bools) -> Numbers:
    """Return for each pixel how large the patch of strange ones is that it is in, px, (height, width)."""
    _, patches, stats, _ = cv2.connectedComponentsWithStats(strange.astype(np.uint8), connectivity=4)
    sizes = stats[:, cv2.CC_STAT_AREA].astype(np.intp)
    sizes[0] = 0
    return np.asarray(sizes[patches], np.intp)


def _window_of(patches: MatLike, patch: int, stats: Sequence[int]) -> tuple[Region, Bools]:
    """Return the window around a patch, and in it the pixels of the patch."""
    left, top, across, down = stats[:4]
    window = slice(top, top + down), slice(left, left + across)
    return window, np.asarray(patches[window] == patch, np.bool_)
