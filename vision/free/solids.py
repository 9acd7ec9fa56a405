"""Discs, meeples, gems and dragons on a rectified table, by their paints and their outlines.

Once what lies flat is explained it is known what each pixel of it would show. Only what looks otherwise
there can belong to a piece, so printed dots in the paint of a disc are none. On bare ground, which nobody has
learnt, paint and outline have to agree. Of stacked discs only the uppermost is reported: too little is seen
of the others to say whose they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from companion.free_pieces import Shape
from vision.arrays import Bools, Floats, Image, Numbers, Singles
from vision.free.ground import off_ground
from vision.free.peeling import Find
from vision.geometry.rectify import Flat, leaning
from vision.photometry.light import linear, valued
from vision.photometry.palette import NOTHING, Palette, Shade

SIZES_MM: Final[Mapping[Shape, tuple[float, float]]] = {
    Shape.DISC: (13.0, 4.0),
    Shape.MEEPLE: (26.0, 36.0),
    Shape.GEM: (12.0, 11.0),
    Shape.DRAGON: (24.0, 32.0),
}
"""Width of the base and height of pieces as they usually are, mm."""
# A colour that differs from all that is printed around there by more than this, coded, is not the face.
_ODD: Final = 0.14
# What of a circle must be in one paint for a disc, and what of the ring around it at most: of what is neither
# known print nor ground, and of what has a hue of the ground.
_ON_STRANGE: Final = (0.72, 0.8)
_ON_GROUND: Final = (0.86, 0.25)
_ON_PRINT: Final = (0.86, 0.8)
# A disc in a paint that is printed there is told if no more of what it hides has that paint, and so much of
# the print at least is not seen.
_ALIKE_PRINT, _LEAST_HIDDEN = 0.7, 0.12
# A hand is thicker than this, mm; so near to one there may be a tile that nobody can name.
_HAND_MM, _NEAR_HAND_MM = 34.0, 45.0
# Of a disc among others so much of a circle is in its paint, and so much of the rim is an edge, by so many
# levels a pixel, of a circle of one of these sizes. So far apart are their middles, in radii.
_HEAPED, _LEAST_RIM, _RIM_SLOPE, _ABREAST = 0.85, 0.7, 6.0, 1.3
# Discs of a heap lie so near to another one, mm: gaps between others may have their hue as well.
_HEAP_MM: Final = 32.0
_RIM_SIZES: Final = (0.95, 1.0, 1.06)
_RIM_POINTS: Final = 40
_RIM_BLUR: Final = 0.8
_AT_ONCE: Final = 16384
# White that is less pure than this, as a share of its brightest colour, has the hue of something else.
_PURE: Final = 0.14
# Of two figures in one paint, of which there is but one, none is told unless one is surer by so much.
_AHEAD: Final = 0.015
# Light and haze are measured so far around, mm: lamps are mirrored in a part of a board, say.
_LIT_MM: Final = 15.0
# How little the print around varies where light and haze cannot be told apart.
_FLAT_PRINT: Final = 0.003
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
# What is strange all around a piece belongs to something larger if it is so many times as large.
_MOST_AROUND: Final = 3.0
# Discs whose middles are nearer than this share of their width stand upon each other.
_STACKED: Final = 0.75
# Light is measured where at least so many pixels show learnt print.
_LEAST_LIT: Final = 100
# Print darker than this says nothing about the light.
_LEAST_LIGHT: Final = 0.02


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
        self._palette = Palette([(one.name, one.palette) for one in paints])
        # White pieces take the colour of the ground beside them, and so look like it; but not all over.
        self._plain = Palette([(one.name, _plainest(one.palette)) for one in paints])
        self._camera = camera
        self._flat = flat
        self._seen = np.ones((flat.height_px, flat.width_px), np.bool_) if seen is None else seen

    def find(
        self,
        picture: Image,
        finds: Sequence[Find],
        unread: Sequence[Floats] = (),
        *,
        is_whole: bool = True,
    ) -> tuple[Solid, ...] | None:
        """Return the pieces in a rectified picture (height, width, 3) uint8.

        `finds` is what lies flat there, the lowest first, `unread` are outlines, px, of what nobody could
        name: print may look like a piece there. Without `is_whole` a board is missing, so that nobody knows
        what is ground: then pieces are told only on known faces, as they are beside a hand. None if there is
        too little print to tell the light by: then no colour can be named.
        """
        expected = _Expected.of(picture, finds, self._seen)
        if expected is None:
            return None
        labels = self._palette.label(expected.relit)
        for outline in unread:
            cv2.fillConvexPoly(labels, np.round(outline).astype(np.int32), NOTHING)
        discs = [number for number, paint in enumerate(self._paints) if paint.shape is Shape.DISC]
        # Heaps of discs are as thick.
        hands = self._beside_hands(expected.strange & ~np.isin(labels, discs))
        doubtful = expected.bare & hands if is_whole else expected.bare
        labels[doubtful] = NOTHING
        found: list[Solid] = []
        around = _sizes_around(expected.strange)
        for number, paint in enumerate(self._paints):
            if paint.shape is not Shape.DISC:
                found += _only_one(self._standing(paint, (labels == number) & expected.strange, around))
        # Thick things are no discs, however far beyond the frame they go on.
        thick = _thick(expected.strange | ~self._seen, _MOST_THICK * self._radius_px)
        ground = expected.bare & ~expected.strange & ~doubtful & self._seen
        plain, printed = self._plain.label(expected.relit), self._palette.label(expected.known)
        slopes = _slopes(picture)
        for number, paint in enumerate(self._paints):
            if paint.shape is Shape.DISC:
                mine = labels == number
                found += self._discs(paint, mine & expected.strange & ~thick, _ON_STRANGE)
                # Pieces in a hue of the ground stand out from what is around them, those in one of the print
                # hide some of it.
                beside = list(self._discs(paint, (plain == number) & ground, _ON_GROUND))
                hides = self._hides(expected, printed == number)
                found += [*beside, *self._discs(paint, mine & expected.covered, _ON_PRINT, hides)]
                heap = (plain == number) & ground & self._about(beside)
                heap |= mine & expected.strange & expected.bare
                found += self._heaped(paint, heap, slopes)
        found = list(_topmost(found))
        return (*found, *self._unnamed(expected.strange & ~expected.bare, found))

    def _beside_hands(self, strange: Bools) -> Bools:
        """Return where something as thick as a hand is near: of what it hides parts may be seen."""
        scale = self._flat.px_per_mm
        thick = _thick(strange, _HAND_MM / 2 * scale)
        far = cv2.distanceTransform((~thick).astype(np.uint8), cv2.DIST_L2, 5)
        return np.asarray(far <= _NEAR_HAND_MM * scale, np.bool_) & bool(thick.any())

    @property
    def _radius_px(self) -> float:
        """The radius of a disc."""
        return SIZES_MM[Shape.DISC][0] / 2 * self._flat.px_per_mm

    def _hides(self, expected: _Expected, printed: Bools) -> Bools:
        """Return the middles about which a disc would hide known print that is not seen, in other paints."""
        circle = _circle(self._radius_px)
        alike, _ = _shares((printed & expected.covered).astype(np.float32), circle)
        strange, _ = _shares((expected.strange & expected.covered).astype(np.float32), circle)
        return np.asarray((alike <= _ALIKE_PRINT) & (strange >= _LEAST_HIDDEN), np.bool_)

    def _discs(
        self, paint: KnownPaint, shown: Bools, shares: tuple[float, float], where: Bools | None = None
    ) -> Iterator[Solid]:
        """Yield the discs of a paint, the plainest first.

        `shares` are how much of a circle must be in it at least, and of the ring around at most; `where` is
        where their middles may be, None = everywhere.
        """
        height, radius = SIZES_MM[Shape.DISC][1], self._radius_px
        circle, ring = _circle(radius), _circle(radius * 1.5) - _padded(_circle(radius * 1.15), radius * 1.5)
        left = shown.astype(np.float32)
        around = cv2.filter2D(left, -1, ring / ring.sum(), borderType=cv2.BORDER_CONSTANT)
        share, smooth = _shares(left, circle)
        while True:
            _, best, _, (x, y) = cv2.minMaxLoc(smooth)
            if best < shares[0]:
                return
            found, beyond = float(share[y, x]), float(around[y, x])
            cv2.circle(left, (x, y), math.ceil(radius * 0.95), 0.0, -1)
            _update_shares(left, circle, (x, y), share, smooth)
            if beyond <= shares[1] and (where is None or where[y, x]):
                at = self._under(np.array([[x, y]], np.float64), height)
                yield Solid(name=paint.name, shape=Shape.DISC, at_mm=at, share=found, beyond=beyond)

    def _about(self, discs: Iterable[Solid]) -> Bools:
        """Return where more discs may lie of a heap of which these are plain."""
        there = np.zeros(self._seen.shape, np.uint8)
        for one in discs:
            x, y = np.round(self._flat.to_px(np.array([one.at_mm]))[0]).astype(int).tolist()
            cv2.circle(there, (x, y), round(_HEAP_MM * self._flat.px_per_mm), 1, -1)
        return np.asarray(there > 0, np.bool_)

    def _heaped(self, paint: KnownPaint, shown: Bools, slopes: tuple[Singles, Singles]) -> Iterator[Solid]:
        """Yield the discs of a paint whose rims are seen, though others lie all around them.

        `slopes` is how brightness changes to the right and downwards, levels a pixel.
        """
        height, radius = SIZES_MM[Shape.DISC][1], self._radius_px
        share, _ = _shares(shown.astype(np.float32), _circle(radius))
        y, x = np.nonzero(share >= _HEAPED)
        if not len(x):
            return
        seen = _rims(x, y, radius, slopes)
        taken: list[tuple[int, int]] = []
        for number in np.argsort(-seen, kind="stable").tolist():
            at = int(x[number]), int(y[number])
            if seen[number] < _LEAST_RIM:
                return
            if all(math.dist(at, other) > _ABREAST * radius for other in taken):
                taken.append(at)
                at_mm = self._under(np.array([at], np.float64), height)
                sure = float(share[at[1], at[0]])
                yield Solid(name=paint.name, shape=Shape.DISC, at_mm=at_mm, share=sure, beyond=0.0)

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

    def _standing(self, paint: KnownPaint, shown: Bools, around: Numbers) -> Iterator[Solid]:
        """Yield what stands upright in a paint: patches about as large and thick as such a piece looks.

        `around` is how large the patch of whatever paint is that each pixel belongs to, px.
        """
        width, height = SIZES_MM[paint.shape]
        joined = cv2.morphologyEx(shown.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        thick = cv2.distanceTransform(joined, cv2.DIST_L2, 3) * 2 / self._flat.px_per_mm
        count, labelled, stats, middles = cv2.connectedComponentsWithStats(joined, connectivity=8)
        patches = np.asarray(labelled, np.intp)
        for patch in range(1, count):
            at, away, slope = self._leaning_at(middles[patch], height)
            # Of the box around its foot and what leans away from it a body fills about so much.
            usual = _BODY * width * (width + height * slope) * self._flat.px_per_mm**2
            share = float(stats[patch, cv2.CC_STAT_AREA]) / usual
            if not _LEAST_PATCH <= share <= _MOST_PATCH:
                continue
            window, mine = _window_of(patches, patch, stats[patch].tolist())
            if thick[window][mine].max() < _LEAST_THICK[paint.shape] * width:
                continue
            whole = float(around[window][mine].max())
            if whole > _MOST_AROUND * usual:
                continue
            points = np.argwhere(mine)[:, ::-1] + np.array([window[1].start, window[0].start], np.float64)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Expected:
    """What a picture shows in the light that faces were learnt in, and where it is not what is printed.

    Attributes:
        relit: (height, width, 3) coded colours, 0 to 1.5.
        known: (height, width, 3) what is printed there, 0 on bare ground.
        covered: (height, width) where something known lies.
        strange: (height, width) where neither known print nor ground like that around is seen.
        bare: (height, width) where nothing known lies.
    """

    relit: Singles
    known: Singles
    covered: Bools
    strange: Bools
    bare: Bools

    @classmethod
    def of(cls, picture: Image, finds: Sequence[Find], there: Bools) -> _Expected | None:
        """Compare a rectified picture with what explains it, the lowest first; None without any light.

        `there` is what of the picture the frame shows.
        """
        seen = linear(picture)
        known = np.zeros_like(seen)
        owner = np.full(picture.shape[:2], -1, np.int32)
        lit = np.zeros(picture.shape[:2], np.bool_)
        windows = []
        for number, find in enumerate(finds):
            window, cover, shown, face = _drawn(find, picture.shape[:2])
            known[window][cover], owner[window][cover] = face[cover], number
            lit[window] = (lit[window] & ~cover) | shown
            windows.append(window)
        lit &= known.min(axis=2) > _LEAST_LIGHT
        if int(lit.sum()) < _LEAST_LIT:
            return None
        gain = np.maximum(np.median(seen[lit] / known[lit], axis=0), 0.01).astype(np.float32)
        covered, relit, evened = owner >= 0, seen / gain, seen / gain
        # Of what is covered, but shows nothing that was learnt, nobody knows what it is.
        off = np.full(picture.shape[:2], np.inf, np.float32)
        for number, (find, window) in enumerate(zip(finds, windows, strict=True)):
            mine = owner[window] == number
            shows = mine & lit[window]
            if not shows.any():
                continue
            # The lamp is nearer to some faces than to others.
            level = float(np.median(relit[window][shows].sum(axis=1) / known[window][shows].sum(axis=1)))
            even = relit[window] / max(level, 0.05)
            reach = _LIT_MM * find.deck.shape[1] / find.deck.size_mm[0]
            ways = even, _evened(even, known[window], shows, reach)
            offs = [_off_print(valued(one), valued(known[window])) for one in ways]
            likest = min((0, 1), key=lambda way: float((offs[way][mine] > _ODD).mean()))
            evened[window][mine], off[window][mine] = ways[likest][mine], offs[likest][mine]
        printed, evened = valued(known), valued(evened)
        relit = np.where(covered[..., None], evened, valued(relit))
        # Of bare ground nothing is known but what most of it looks like, in sun and shadow.
        bare = ~covered & there
        strange = np.where(covered, off > _ODD, off_ground(relit, bare))
        return cls(
            relit=np.asarray(relit, np.float32),
            known=printed,
            covered=covered,
            strange=np.asarray(strange, np.bool_),
            bare=bare,
        )


def _evened(seen: Singles, known: Singles, shows: Bools, reach_px: float) -> Singles:
    """Return what is seen of a face, linear, in even light: about each pixel lamp and haze are measured.

    `known` is its print, `shows` where it is seen.
    """
    size = (2 * math.ceil(reach_px) + 1,) * 2

    def means(some: Bools) -> tuple[Singles, Singles]:
        weight = some.astype(np.float32)

        def mean(values: Singles) -> Singles:
            return np.asarray(cv2.blur(weight * values.mean(axis=2), size), np.float32)

        whole = np.maximum(cv2.blur(weight, size), 1e-3)
        seen_mean, known_mean = mean(seen) / whole, mean(known) / whole
        both = mean(seen * known) / whole - seen_mean * known_mean
        varies = mean(known * known) / whole - known_mean**2
        light = np.maximum((both + _FLAT_PRINT) / (varies + _FLAT_PRINT), 0.2)
        return np.asarray(light, np.float32), np.asarray(seen_mean - light * known_mean, np.float32)

    light, haze = means(shows)
    # Once more without what lies upon it.
    even = (seen - haze[..., None]) / light[..., None]
    plain = shows & (_off_print(valued(even), valued(known)) < _ODD)
    light, haze = means(plain if plain.any() else shows)
    return np.asarray(np.maximum((seen - haze[..., None]) / light[..., None], 0), np.float32)


def _plainest(palette: Sequence[Shade]) -> Sequence[Shade]:
    """Return the shades of a white paint that have no hue; all of another paint."""
    pure = [shade for shade in palette if max(shade) - min(shade) <= _PURE * max(shade)]
    return pure or palette


def _only_one(found: Iterable[Solid]) -> list[Solid]:
    """Return the plainest of some figures, of which there is but one; none if that may be another."""
    ordered = sorted(found, key=lambda one: -one.share)
    return ordered[:1] if len(ordered) < 2 or ordered[0].share - ordered[1].share >= _AHEAD else []


def _rims(x: Numbers, y: Numbers, radius: float, slopes: tuple[Singles, Singles]) -> Singles:
    """Return which share of the rim of a disc about each of N pixels is seen as an edge, (N,)."""
    around = np.arange(_RIM_POINTS) * (2 * np.pi / _RIM_POINTS)
    cos, sin = np.cos(around).astype(np.float32), np.sin(around).astype(np.float32)
    seen = np.zeros(len(x), np.float32)
    # More rows than that cannot be looked up at once.
    for some in (slice(start, start + _AT_ONCE) for start in range(0, len(x), _AT_ONCE)):
        for size in _RIM_SIZES:
            to_x = (x[some, None] + radius * size * cos).astype(np.float32)
            to_y = (y[some, None] + radius * size * sin).astype(np.float32)
            right, down = (cv2.remap(one, to_x, to_y, cv2.INTER_LINEAR) for one in slopes)
            steep = np.abs(right * cos + down * sin) > _RIM_SLOPE
            seen[some] = np.maximum(seen[some], steep.mean(axis=1, dtype=np.float32))
    return seen


def _slopes(picture: Image) -> tuple[Singles, Singles]:
    """Return how the brightness of a picture changes to the right and downwards, levels a pixel."""
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    gray = np.asarray(cv2.GaussianBlur(gray, (0, 0), _RIM_BLUR), np.float32)
    right, down = (cv2.Sobel(gray, cv2.CV_32F, one, 1 - one, scale=0.25) for one in (1, 0))
    return np.asarray(right, np.float32), np.asarray(down, np.float32)


def _thick(some: Bools, radius: float) -> Bools:
    """Return where a circle of this radius fits into what is marked, (height, width)."""
    marked = np.pad(some.astype(np.uint8), 1)
    inner = (cv2.distanceTransform(marked, cv2.DIST_L2, 5) > radius).astype(np.uint8)
    far = cv2.distanceTransform(1 - inner, cv2.DIST_L2, 5)[1:-1, 1:-1]
    return np.asarray(far <= radius, np.bool_) & bool(inner.any())


def _sizes_around(strange: Bools) -> Numbers:
    """Return for each pixel how large the patch of strange ones is that it is in, px, (height, width)."""
    _, patches, stats, _ = cv2.connectedComponentsWithStats(strange.astype(np.uint8), connectivity=4)
    sizes = stats[:, cv2.CC_STAT_AREA].astype(np.intp)
    sizes[0] = 0
    return np.asarray(sizes[patches], np.intp)


def _window_of(patches: Numbers, patch: int, stats: Sequence[int]) -> tuple[tuple[slice, slice], Bools]:
    """Return the window around a patch, and in it the pixels of the patch."""
    left, top, across, down = stats[:4]
    window = slice(top, top + down), slice(left, left + across)
    return window, np.asarray(patches[window] == patch, np.bool_)


def _off_print(seen: Singles, known: Singles) -> Singles:
    """Return how far colours are from what is printed within a pixel, (height, width)."""
    around = np.ones((3, 3), np.uint8)
    low, high = cv2.erode(known, around), cv2.dilate(known, around)
    return np.asarray(np.maximum(seen - high, low - seen).max(axis=2), np.float32)


def _drawn(find: Find, shape: tuple[int, int]) -> tuple[tuple[slice, slice], Bools, Bools, Singles]:
    """Return the window of a find in a picture; in it what it covers, where it is seen, its linear print."""
    deck, pose = find.deck, find.evidence.pose
    height, width = deck.shape
    cos, sin = pose.size * np.cos(pose.turn), pose.size * np.sin(pose.turn)
    corners = find.corners()
    left, top = (max(int(one) - 1, 0) for one in corners.min(axis=0))
    right, bottom = (int(one) + 2 for one in corners.max(axis=0))
    window = slice(min(top, shape[0]), max(bottom, 0)), slice(min(left, shape[1]), max(right, 0))
    size = len(range(shape[1])[window[1]]), len(range(shape[0])[window[0]])

    def matrix(scale_x: float, scale_y: float) -> Floats:
        """Return how pixels of a picture of the face, reduced by this much, lie in the window."""
        turn = np.array([[cos * scale_x, -sin * scale_y], [sin * scale_x, cos * scale_y]])
        half = np.array([(width / scale_x - 1) / 2, (height / scale_y - 1) / 2])
        return np.column_stack([turn, (pose.x - left, pose.y - top) - turn @ half])

    if not size[0] or not size[1]:
        none = np.zeros(size[::-1], np.bool_)
        return window, none, none, np.zeros((*size[::-1], 3), np.float32)
    light = deck.light[find.evidence.face]
    to_light = matrix(width / light.shape[1], height / light.shape[0])
    face = cv2.warpAffine(light, to_light, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    to_cover = matrix(1.0, 1.0)
    cover = cv2.warpAffine(deck.cover, to_cover, size, flags=cv2.INTER_NEAREST)
    mask = find.evidence.mask.astype(np.uint8)
    to_mask = matrix(width / mask.shape[1], height / mask.shape[0])
    shown = cv2.warpAffine(mask, to_mask, size, flags=cv2.INTER_NEAREST)
    return (
        window,
        np.asarray(cover > 0, np.bool_),
        np.asarray(shown > 0, np.bool_),
        np.asarray(face, np.float32),
    )


def _circle(radius: float) -> Singles:
    """Return a filled circle, 1 within, in the smallest square of odd edge around it."""
    reach = math.ceil(radius)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    return np.asarray(np.hypot(x, y) <= radius, np.float32)


def _shares(left: Singles, circle: Singles) -> tuple[Singles, Singles]:
    """Return which share of a circle around each pixel is left, and the same evened out."""
    share = cv2.filter2D(left, -1, circle / circle.sum(), borderType=cv2.BORDER_CONSTANT)
    return np.asarray(share, np.float32), np.asarray(cv2.GaussianBlur(share, (0, 0), 0.8), np.float32)


def _update_shares(
    left: Singles, circle: Singles, at: tuple[int, int], share: Singles, smooth: Singles
) -> None:
    """Bring shares up to date after a circle around a pixel was taken away."""
    rim = circle.shape[0] // 2 + 4
    reach = 2 * rim
    (x0, y0), (x1, y1) = (max(one - reach, 0) for one in at), (one + reach + 1 for one in at)
    top, far = max(y0 - rim, 0), max(x0 - rim, 0)
    some, evened = _shares(np.ascontiguousarray(left[top : y1 + rim, far : x1 + rim]), circle)
    high, wide = share[y0:y1, x0:x1].shape
    inner = slice(y0 - top, y0 - top + high), slice(x0 - far, x0 - far + wide)
    share[y0:y1, x0:x1], smooth[y0:y1, x0:x1] = some[inner], evened[inner]


def _padded(kernel: Singles, radius: float) -> Singles:
    """Return a kernel in the middle of a square for this radius."""
    rim = math.ceil(radius) - kernel.shape[0] // 2
    return np.pad(kernel, rim)


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
