"""Pieces told by their borders where colour tells little: white ones on pale tiles, in shade, in glare.

A piece ends all around where nothing ends on the tile. What ends there is told from the difference between
the tiles as seen and as learnt: in even glare, haze or shade that has no edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Bools, Singles
from vision.faces.residuals import Residual
from vision.geometry.regions import Region
from vision.geometry.silhouettes import Kernel, Rim, Silhouettes, without_sign
from vision.pieces.city_map import CityMap, to_map
from vision.pieces.figures import Border, Paint, StandingFigure, are_apart, candidate, covered, highest, stand

# An edge of this height, coded and for each pixel of the map, is as good as any.
_PLAIN_EDGE = 0.1
# The rim of a face is not learnt well enough to be compared.
_RIM_PX = 3
# How much the word of what cannot be seen of a border counts against it.
_UNSEEN = 0.25
# Of a piece so much is in its colour and no shadow, whatever light it is in.
_LIT = 0.08
# The colours of a gray differ by less than this share of the strongest, which is more than black.
_GRAY, _BLACK = 0.25, 0.15


@dataclass(frozen=True, slots=True, kw_only=True)
class Edges:
    """Edges on the map that the tiles do not explain, (height, width) each.

    Attributes:
        plain: how plain they are, 0 to 1.
        level, slant: the same times cosine and sine of twice their direction: it has no sign.
        seen: 1 where they could be seen.
    """

    plain: Singles
    level: Singles
    slant: Singles
    seen: Singles

    def cut(self, region: Region) -> Edges:
        """Return a part of them."""
        return Edges(
            plain=self.plain[region],
            level=self.level[region],
            slant=self.slant[region],
            seen=self.seen[region],
        )


def residual_edges(city: CityMap, residuals: Iterable[Residual]) -> Edges:
    """Return the edges that are not those of the tiles; none are seen where the map is taken."""
    shape = city.labels.shape
    apart = np.zeros((*shape, 3), np.float32)
    known = np.zeros(shape, np.bool_)
    for found in residuals:
        told = np.zeros(found.blind.shape, np.uint8)
        inner = slice(_RIM_PX, -_RIM_PX)
        told[inner, inner] = ~found.blind[inner, inner]
        matrix, (rows, columns) = to_map(found, shape)
        size = (columns.stop - columns.start, rows.stop - rows.start)
        here = cv2.warpAffine(told, matrix, size, flags=cv2.INTER_NEAREST) > 0
        edge = cv2.BORDER_REPLICATE
        seen = cv2.warpAffine(
            found.colours - found.known, matrix, size, flags=cv2.INTER_LINEAR, borderMode=edge
        )
        apart[rows, columns][here] = seen[here]
        known[rows, columns] |= here
    return edges_of(apart, known & ~city.taken)


def edges_of(apart: Singles, known: Bools) -> Edges:
    """Return the edges of what differs from the tiles, (height, width, 3), where that is known."""
    soft = cv2.GaussianBlur(apart, (3, 3), 0)
    across, down = (cv2.Sobel(soft, cv2.CV_32F, *way, ksize=3, scale=0.125) for way in ((1, 0), (0, 1)))
    # The colour that changes most speaks.
    strongest = (across * across + down * down).argmax(axis=2)[..., None]
    across, down = (np.take_along_axis(one, strongest, 2)[..., 0] for one in (across, down))
    clear = cv2.erode(known.view(np.uint8), np.ones((3, 3), np.uint8)).astype(np.float32)
    height = np.hypot(across, down)
    plain = np.asarray(np.minimum(height * np.float32(1 / _PLAIN_EDGE), 1) * clear, np.float32)
    level, slant = without_sign(plain, across, down)
    return Edges(plain=plain, level=level, slant=slant, seen=clear)


def find_by_border(
    city: CityMap, edges: Callable[[], Edges], bodies: Silhouettes, paint: Paint, kind: str
) -> StandingFigure | None:
    """Return where a piece of this colour most likely ends all around, None where it can stand nowhere.

    `edges` gives those of the map, and is not asked where nothing is in the piece's colour.
    """
    own = (city.labels == paint.label) & city.tile & ~city.taken
    if paint.is_light:
        own |= _is_gray(city.colours) & city.strange & ~city.taken
    plain = own & city.strange & ~city.shadow & ~city.glare
    likely = [cell for cell in bodies.layout.cells if _is_lit(plain, bodies.kernel(kind, cell))]
    if not likely:
        return None
    found = [(cell, *_best_on(edges(), own, plain, bodies, kind, cell)) for cell in likely]
    cell, strength, base_mm, border = max(found, key=lambda one: one[1])
    if strength <= 0:
        return None
    rival = max((other for _, other, at, _ in found if are_apart(at, base_mm)), default=0.0)
    first = candidate(city, bodies, paint, kind, cell, base_mm, border.own)
    return stand(city, bodies, paint, kind, first, border=replace(border, lead=strength - rival))


def _is_lit(plain: Bools, kernel: Kernel) -> bool:
    """Whether so much is plain to see where a body reaches that one may stand there at all."""
    return bool(np.count_nonzero(plain[kernel.reach.region]) > _LIT * kernel.area)


def _is_gray(colours: Singles) -> Bools:
    """Return where coded colours (height, width, 3) have next to no hue, as white has in the shade."""
    first, second, third = cv2.split(colours)
    high, low = cv2.max(cv2.max(first, second), third), cv2.min(cv2.min(first, second), third)
    return np.asarray((high - low < _GRAY * high) & (high > _BLACK), np.bool_)


def _best_on(
    edges: Edges, own: Bools, plain: Bools, bodies: Silhouettes, kind: str, cell: str
) -> tuple[float, tuple[float, float], Border]:
    """Return how strongly a piece ends somewhere on a cell, where its base is then, and its border there.

    `own` is what has its colour on the map, and what of that is `plain` to see.
    """
    kernel = bodies.kernel(kind, cell)
    reach = kernel.reach
    there = edges.cut(reach.region)
    shown, seen = _shown(there, bodies.rim(kind, cell), kernel)
    inside, lit = (
        covered(one[reach.region].astype(np.float32), reach, kernel.cover) / kernel.area
        for one in (own, plain)
    )
    strength = shown * inside * (lit > _LIT)
    at, base_mm = highest(strength, bodies, reach)
    border = Border(shown=float(shown[at]), seen=float(seen[at]), own=float(inside[at]), lit=float(lit[at]))
    return float(strength[at]), base_mm, border


def _shown(there: Edges, rim: Rim, kernel: Kernel) -> tuple[Singles, Singles]:
    """Return how much of a border is shown for every place of it, and how much of it could be seen."""

    def over(field: Singles, pattern: Singles) -> Singles:
        return covered(field, kernel.reach, pattern)

    shown = over(there.plain, rim.weight) + over(there.level, rim.level) + over(there.slant, rim.slant)
    seen = over(there.seen, rim.weight)
    shown /= 2 * (seen + _UNSEEN * (rim.length - seen)) + np.float32(1e-3)
    return shown, seen / np.float32(rim.length)
