"""Discs, meeples, gems and dragons on a rectified table, by their paints and their outlines.

Once what lies flat is explained it is known what each pixel of it would show. Only what looks otherwise
there can belong to a piece, so printed dots in the paint of a disc are none. On bare ground, which nobody has
learnt, paint and outline have to agree. Of stacked discs only the uppermost is reported: too little is seen
of the others to say whose they are.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from calibration.camera_pose import CameraPose
from companion.free_pieces import Shape
from vision.arrays import Bools, Floats, Image, Labels, Numbers
from vision.free.discs import Disc, DiscSearch
from vision.free.expected import Expected
from vision.free.peeling import Find
from vision.geometry.rectify import Flat, leaning
from vision.geometry.regions import Region, grown, region_of, widened
from vision.photometry.light import glare
from vision.photometry.palette import NOTHING, Shade, palette_of

SIZES_MM: Final[Mapping[Shape, tuple[float, float]]] = {
    Shape.DISC: (13.0, 4.0),
    Shape.MEEPLE: (26.0, 36.0),
    Shape.GEM: (12.0, 11.0),
    Shape.DRAGON: (24.0, 32.0),
}
"""Width of the base and height of pieces as they usually are, mm."""
# What of a circle must be in one paint for a disc, and what of the ring around it at most: of what is neither
# known print nor ground, and of what has a hue of the ground.
_ON_STRANGE: Final = (0.72, 0.8)
_ON_GROUND: Final = (0.86, 0.25)
_ON_PRINT: Final = (0.86, 0.8)
# A disc in a paint that is printed there is told if no more of what it hides has that paint, and so much of
# the print at least is not seen.
_ALIKE_PRINT, _LEAST_HIDDEN = 0.7, 0.12
NEAR_HAND_MM: Final = 45.0
"""So near to a hand, mm, there may be a tile that nobody can name."""
# A hand is thicker than this, mm.
_HAND_MM: Final = 34.0
# What is burnt out is a mirrored lamp if it is as large as so many discs; ground so near to it, mm, is white.
_GLARE_DISCS, _NEAR_GLARE_MM = 4.0, 20.0
# Discs of a heap lie so near to another one, mm: gaps between others may have their hue as well.
_HEAP_MM: Final = 32.0
# White that is less pure than this, as a share of its brightest colour, has the hue of something else.
_PURE: Final = 0.14
# Of two figures in one paint, of which there is but one, none is told unless one is surer by so much.
_AHEAD: Final = 0.015
# Where a larger circle than this many times a disc is all in one paint, no disc lies: between discs are gaps.
_MOST_THICK: Final = 1.4
# What on a face is so much of a disc, and none that is known, may be one.
_MOST_OF_DISC: Final = 0.4
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
# What is strange all around a piece belongs to something larger if it is so many times as large.
_MOST_AROUND: Final = 3.0
# Patches are closed, and measured, with so much around them, px.
_AROUND_PX: Final = 3
# Discs whose middles are nearer than this share of their width stand upon each other.
_STACKED: Final = 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPaint:
    """Pieces of one paint.

    Attributes:
        name: of the paint.
        shape: of the pieces in it.
        palette: its shades under white light, blue, green, red, 0 to 255.
    """

    name: str
    shape: Shape
    palette: tuple[Shade, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Solid:
    """A piece that was found.

    Attributes:
        name: of its paint, None if that cannot be told.
        shape: what it looks like.
        at_mm: the middle of its base on the table, x and y.
        share: how much of its outline shows its paint, 0 to 1.
        beyond: how much of what is around its outline does, 0 to 1.
    """

    name: str | None
    shape: Shape
    at_mm: tuple[float, float]
    share: float
    beyond: float

    @property
    def confidence(self) -> float:
        """Probability that it is there, by how well its outline is filled; not fitted on drawn tables yet."""
        return float(1 / (1 + math.exp(-(12.0 * (self.share - 0.62) - 3.0 * max(self.beyond - 0.5, 0.0)))))


class SolidFinder:
    """Finds pieces of known paints for one camera pose."""

    def __init__(
        self, paints: Sequence[KnownPaint], camera: CameraPose, flat: Flat, seen: Bools | None = None
    ) -> None:
        """Prepare; `flat` is the window of the rectified pictures, `seen` which of its pixels frames show."""
        self._paints = tuple(paints)
        self._palette = palette_of(tuple((one.name, one.palette) for one in paints))
        # White pieces take the colour of the ground beside them, and so look like it; but not all over.
        self._plain = palette_of(tuple((one.name, _plainest(one.palette)) for one in paints))
        self._camera = camera
        self._flat = flat
        self._seen = np.ones((flat.height_px, flat.width_px), np.bool_) if seen is None else seen
        self._disc_search = DiscSearch(SIZES_MM[Shape.DISC][0] / 2 * flat.px_per_mm)
        # By label: nothing in particular is none.
        self._is_disc = np.array([one.shape is Shape.DISC for one in paints] + [False] * 256, np.bool_)

    def find(
        self,
        picture: Image,
        finds: Sequence[Find],
        unread: Sequence[Floats] = (),
        *,
        is_whole: bool = True,
        empty: Bools | None = None,
    ) -> tuple[Solid, ...] | None:
        """Return the pieces in a rectified picture (height, width, 3) uint8.

        `finds` is what lies flat there, the lowest first, `unread` are outlines, px, of what nobody could
        name: print may look like a piece there. Without `is_whole` a board is missing, so that nobody knows
        what is ground: then pieces are told only on known faces, as they are beside a hand. `empty` is where
        the table is seen as it is with nothing on it, (height, width): its pattern is no piece. None if there
        is too little print to tell the light by: then no colour can be named.
        """
        expected = Expected.of(picture, finds, self._seen)
        if expected is None:
            return None
        labels = self._palette.label(expected.relit)
        unlike = expected.strange & (labels == NOTHING)
        labels[unlike] = self._palette.label(expected.standing[unlike])
        for outline in unread:
            cv2.fillConvexPoly(labels, np.round(outline).astype(np.int32), NOTHING)
        # Heaps of discs are as thick as hands.
        hands = self._beside_hands(expected.strange & ~self._is_disc[labels])
        doubtful = expected.bare & (hands | self._beside_glare(picture)) if is_whole else expected.bare
        labels[doubtful] = NOTHING
        found: list[Solid] = []
        around = _sizes_around(expected.strange)
        empty = expected.bare & (np.False_ if empty is None else empty)
        printed = self._palette.label(expected.known)
        for number, paint in enumerate(self._paints):
            if paint.shape is not Shape.DISC:
                mine = _patches(expected, labels == number)
                # Neither print in another light is a figure in its paint, nor the pattern of a tablecloth.
                known = empty | expected.have_printed_hue(mine & expected.covered & (printed == number))
                found += self._figure(paint, mine, expected.shaded, around, known)
        if self._is_disc.any():
            found += self._all_discs(picture, expected, labels, printed, doubtful)
        found = list(_topmost(found))
        return (*found, *self._unnamed(expected.strange & ~expected.bare, found))

    def _all_discs(
        self, picture: Image, expected: Expected, labels: Labels, printed: Labels, doubtful: Bools
    ) -> Iterator[Solid]:
        """Yield what may be discs, of all paints, some of them in the same place.

        `labels` are the paints of the pixels, `printed` those of the print, `doubtful` is where nobody can
        tell what is ground.
        """
        search = self._disc_search
        # Thick things are no discs, however far beyond the frame they go on.
        thin = expected.strange & ~_thick(expected.strange | ~self._seen, _MOST_THICK * search.radius_px)
        ground = expected.bare & ~expected.strange & ~doubtful & self._seen
        plain = self._plain.label(expected.relit)
        for number, paint in enumerate(self._paints):
            if paint.shape is not Shape.DISC:
                continue
            mine = labels == number
            yield from self._discs(paint, search.plain(mine & thin, *_ON_STRANGE))
            # Pieces in a hue of the ground stand out from what is around them, those in one of the print
            # hide some of it.
            like = (plain == number) & ground
            beside = list(self._discs(paint, search.plain(like, *_ON_GROUND)))
            yield from beside
            hides = functools.partial(self._hides, expected, printed == number)
            yield from self._discs(paint, search.plain(mine & expected.covered, *_ON_PRINT, hides))
            heap = mine & expected.strange & expected.bare
            if beside:
                heap |= like & self._about(beside)
            yield from self._discs(paint, search.heaped(heap, picture))

    def _beside_hands(self, strange: Bools) -> Bools:
        """Return where something as thick as a hand is near: of what it hides parts may be seen."""
        scale = self._flat.px_per_mm
        thick = _thick(strange, _HAND_MM / 2 * scale)
        return grown(thick, NEAR_HAND_MM * scale)

    def _beside_glare(self, picture: Image) -> Bools:
        """Return where, or beside where, a lamp is mirrored so brightly that any ground looks white."""
        disc = math.pi * self._disc_search.radius_px**2
        burnt = glare(np.asarray(picture, np.uint8), _GLARE_DISCS * disc) & self._seen
        return grown(burnt, _NEAR_GLARE_MM * self._flat.px_per_mm)

    def _hides(self, expected: Expected, printed: Bools, window: Region) -> Bools:
        """Return the middles about which a disc would hide known print that is not seen, in other paints."""
        covered = expected.covered[window]
        alike = self._disc_search.share_of(printed[window] & covered)
        strange = self._disc_search.share_of(expected.strange[window] & covered)
        return np.asarray((alike <= _ALIKE_PRINT) & (strange >= _LEAST_HIDDEN), np.bool_)

    def _discs(self, paint: KnownPaint, discs: Iterable[Disc]) -> Iterator[Solid]:
        """Yield found circles as discs of a paint."""
        height = SIZES_MM[Shape.DISC][1]
        for one in discs:
            at = self._under(np.array([[one.x, one.y]], np.float64), height)
            yield Solid(name=paint.name, shape=Shape.DISC, at_mm=at, share=one.share, beyond=one.beyond)

    def _about(self, discs: Iterable[Solid]) -> Bools:
        """Return where more discs may lie of a heap of which these are plain."""
        there = np.zeros(self._seen.shape, np.uint8)
        for one in discs:
            x, y = np.round(self._flat.to_px(np.array([one.at_mm]))[0]).astype(int).tolist()
            cv2.circle(there, (x, y), round(_HEAP_MM * self._flat.px_per_mm), 1, -1)
        return np.asarray(there > 0, np.bool_)

    def _unnamed(self, strange: Bools, found: Sequence[Solid]) -> Iterator[Solid]:
        """Yield what lies on known faces, as large as most of a disc, and was not found to be anything."""
        width, height = SIZES_MM[Shape.DISC]
        radius = width / 2 * self._flat.px_per_mm
        left = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        for one in found:
            own, tall = SIZES_MM[one.shape]
            at = self._flat.to_px(np.array([one.at_mm]))[0]
            reach = (max(own, tall) * 0.5 + 5.0) * self._flat.px_per_mm
            cv2.circle(left, (round(float(at[0])), round(float(at[1]))), math.ceil(reach), 0, -1)
        count, _, stats, middles = cv2.connectedComponentsWithStats(left, connectivity=4)
        for patch in range(1, count):
            share = float(stats[patch, cv2.CC_STAT_AREA]) / (math.pi * radius**2)
            if share >= _MOST_OF_DISC:
                at_mm = self._under(np.asarray(middles[patch : patch + 1], np.float64), height)
                yield Solid(name=None, shape=Shape.DISC, at_mm=at_mm, share=min(share, 1.0), beyond=0.0)

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
                share=0.75 + 0.2 * min(share, 1 / share) * min(share * usual / max(whole, 1.0), 1.0),
                beyond=0.0,
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

    def _under(self, at_px: Floats, height_mm: float) -> tuple[float, float]:
        """Return the table point below what is seen at a pixel and is this high, mm."""
        seen = self._flat.to_mm(at_px)[0]
        eye = self._camera.eye_mm
        share = float(leaning(eye, height_mm, self._flat.height_mm))
        at = (seen + eye[:2] * share) / (1 + share)
        return float(at[0]), float(at[1])


def _plainest(palette: tuple[Shade, ...]) -> tuple[Shade, ...]:
    """Return the shades of a white paint that have no hue; all of another paint."""
    pure = tuple(shade for shade in palette if max(shade) - min(shade) <= _PURE * max(shade))
    return pure or palette


def _only_one(found: Iterable[Solid]) -> list[Solid]:
    """Return the plainest of some figures, of which there is but one; none if that may be another."""
    ordered = sorted(found, key=lambda one: -one.share)
    return ordered[:1] if len(ordered) < 2 or ordered[0].share - ordered[1].share >= _AHEAD else []


def _thick(some: Bools, radius: float) -> Bools:
    """Return where a circle of this radius fits into what is marked, (height, width)."""
    marked = np.pad(some.astype(np.uint8), 1)
    inner = np.asarray(cv2.distanceTransform(marked, cv2.DIST_L2, 5) > radius, np.bool_)
    return grown(inner, radius)[1:-1, 1:-1]


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


def _topmost(found: Sequence[Solid]) -> Iterator[Solid]:
    """Yield what is plain; of discs that stand upon each other the uppermost, which is seen whole."""
    width, _ = SIZES_MM[Shape.DISC]
    kept: list[Solid] = []
    for one in sorted(found, key=lambda each: (each.shape is Shape.DISC, -each.share)):
        near = [other for other in kept if math.dist(one.at_mm, other.at_mm) < _STACKED * width]
        if one.shape is Shape.DISC and any(other.shape is Shape.DISC for other in near):
            continue
        kept.append(one)
        yield one
