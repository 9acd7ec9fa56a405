"""Finding figures and dragons: upright pieces of a known colour and size, wherever on the city they stand.

Seen from the side, a figure hides what is behind it. Its base decides on which cell it stands.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, Singles
from vision.geometry.regions import Region, common, widened, within
from vision.geometry.silhouettes import Reach, Silhouettes
from vision.photometry.palette import NOTHING
from vision.pieces.city_map import CityMap

# Weight of the invisible part of an outline, as evidence against the piece.
_UNSEEN = 0.2
# How far wings, tails and heads reach out of an outline, as shares of the base.
_REACH = {"dragon": 0.5, "figure": 0.0}
# A share larger by this much decides for a place even if the fit cannot be measured there.
_FAR_MORE, _MORE, _CLOSE_MM = 0.15, 0.05, 10.0
# How far a head may reach beyond a figure's outline, px of the map.
_HEAD_PX = 6
# How far beyond an outline connected pixels are searched for, px of the map.
_RIM_PX = 9
# What speaks louder than this is in the piece's colour. Of the window around a body a place worth naming is
# loud by a tenth of what the body covers, and it covers more than a third of the window.
_LOUD, _LEAST_LOUD = 0.4, 0.1 / 3
# The number of signs of a pixel that mean the same for all pieces.
_COMMON_SIGNS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Paint:
    """A piece's colour.

    Attributes:
        label: its label.
        rarity: how rare it is on the tiles, 0 to 1.
        is_light: whether it is nearly white.
        is_loose: whether what may be another piece's colour counts, too.
    """

    label: int
    rarity: float = 1.0
    is_light: bool = False
    is_loose: bool = False

    def is_on(self, there: CityMap) -> Bools:
        """Return where this colour is on a map, (height, width)."""
        if not self.is_loose:
            return np.asarray(there.labels == self.label, np.bool_)
        return np.asarray(there.alike & np.uint16(1 << self.label) > 0, np.bool_)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """The best place of a piece on a cell.

    Attributes:
        share, cell, base_mm, spill, fit: as of what stands there.
        region: the part of the map that holds the body and a rim around it.
        body: (height, width) bool of that part, what the body covers.
        look: how likely the piece stands there by how that looks alone, if it was proposed for that.
    """

    share: float
    cell: str
    base_mm: tuple[float, float]
    spill: float
    fit: float
    region: Region
    body: Bools
    look: float = 0.0

    def covers(self, area: Region) -> float:
        """Return the share of a part of the map that the body covers."""
        joint = common(self.region, area)
        if joint is None:
            return 0.0
        rows, columns = area
        size: int = (rows.stop - rows.start) * (columns.stop - columns.start)
        return int(np.count_nonzero(self.body[within(joint, self.region)])) / size

    def hidden_by(self, other: Candidate) -> float:
        """Return the share of the body that another covers."""
        joint = common(self.region, other.region)
        if joint is None:
            return 0.0
        both = self.body[within(joint, self.region)] & other.body[within(joint, other.region)]
        return int(np.count_nonzero(both)) / max(int(np.count_nonzero(self.body)), 1)

    @property
    def strength(self) -> float:
        """How strong the evidence for the piece is here.

        An arm of the same colour shows more of it than any figure does, but it goes on beyond the outline.
        """
        endless = max(self.spill - 0.15, 0.0) * 2 if self.fit < 0.5 else 0.0
        return self.share * (0.55 + 0.6 * min(self.fit, 0.75)) - endless


@dataclass(frozen=True, slots=True, kw_only=True)
class Border:
    """What is seen of a piece's border, where it was looked for.

    Attributes:
        shown: how much of it is an edge that the tile does not have, 0 to 1.
        seen: how much of it could be seen.
        own: how much of the body is in the piece's colour, 0 to 1.
        lit: how much of it is so, is strange and no shadow.
        lead: how much stronger it is than anywhere else, `shown` and `own` taken together.
    """

    shown: float
    seen: float
    own: float
    lit: float
    lead: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingFigure:
    """A figure found.

    Attributes:
        cell: the cell its base stands on.
        base_mm: where.
        share: how much of its outline shows it, at most 1.
        rival: the best share on any other cell; `beside`: that of the same thing on the next cell.
        lead: how much stronger it is than anywhere else, its share and its fit taken together.
        spill: how much of the rim around the outline shows its colour: a figure ends, an arm does not.
        lit_spill: the same without what may be no more than a shadow on the tile.
        mass: how large the patches of its colour are that show on the outline, of the outline's size.
        fit: how well its outline and the strange thing that is seen there cover each other, 0 to 1.
        outline: (height, width) bool on the map, what it covers, and what of its colour reaches out.
        around: the part of the map that has a say in all that.
        border: its border, if it was found by that.
    """

    cell: str
    base_mm: tuple[float, float]
    share: float
    rival: float
    beside: float
    lead: float
    spill: float
    lit_spill: float
    mass: float
    fit: float
    outline: Bools
    around: Region
    border: Border | None = None

    def covers(self, area: Region) -> float:
        """Return the share of a part of the map that it covers."""
        there = self.outline[area]
        return int(np.count_nonzero(there)) / max(there.size, 1)

    def may_reach(self, at: tuple[float, float]) -> bool:
        """Whether something at x, y of the map may be a part of it: outlines are approximate."""
        columns, rows = (slice(max(round(one) - _HEAD_PX, 0), max(round(one) + _HEAD_PX, 0)) for one in at)
        return bool(self.outline[rows, columns].any())


class Ground:
    """The part of a map on which pieces of one kind may stand on some cells, before their colour counts.

    It is computed once for all pieces of a kind.

    Attributes:
        cells: the cells asked for.
        region: the part of the map.
        weight: the weight of each pixel of the part as evidence, (height, width).
    """

    def __init__(self, city: CityMap, bodies: Silhouettes, kind: str, cells: Sequence[str]) -> None:
        self.city, self.bodies, self.kind, self.cells = city, bodies, kind, cells
        self.region = _joint_region(bodies, kind, cells)
        self._there = city.cut(self.region)
        self._reaches = {cell: bodies.reach(kind, cell) for cell in cells}
        there = self._there
        signs = there.tile, there.unknown, there.strange, there.glare, there.blind | there.taken
        self._codes = np.zeros(there.labels.shape, np.uint8)
        for bit, sign in enumerate(signs):
            self._codes |= sign.view(np.uint8) << np.uint8(bit)
        self.weight = np.asarray(cv2.LUT(self._codes, _weights()), np.float32)
        self._weighed: dict[str, Singles] = {}

    def speaks(self, paint: Paint) -> Singles:
        """Return each pixel's evidence for a piece of this colour, -0.5 (against) to 1."""
        there = self._there
        own = paint.is_on(there)
        codes = self._codes.copy()
        signs = there.darker if paint.is_light else there.shadow, own, (there.labels != NOTHING) & ~own
        for bit, sign in enumerate(signs, _COMMON_SIGNS):
            codes |= sign.view(np.uint8) << np.uint8(bit)
        return np.asarray(cv2.LUT(codes, _weights_for(paint)), np.float32)

    def weighed(self, cell: str) -> Singles:
        """Return how much of a body can be seen, for every place of its base on a cell."""
        known = self._weighed.get(cell)
        if known is None:
            kernel = self.bodies.kernel(self.kind, cell)
            window = self.weight[self.window(cell)]
            known = self._weighed[cell] = covered(window, kernel.reach, kernel.cover)
        return known

    def share_at(self, speaks: Singles, at: Candidate) -> float:
        """Return how much of a body at a place shows a colour that `speaks`, as candidates are found by."""
        spoken, weight = (self._of(one, at) for one in (speaks, self.weight))
        seen = float(weight.sum())
        return float((spoken * weight).sum()) / (seen + _UNSEEN * (len(weight) - seen) + 1e-3)

    def _of(self, values: Singles, at: Candidate) -> Singles:
        """Return the values of the part's pixels that a body covers."""
        whole = np.zeros(self.city.labels.shape, np.float32)
        whole[self.region] = values
        return np.asarray(whole[at.region][at.body], np.float32)

    def window(self, cell: str) -> Region:
        """Return where in the part is what a body on a cell may cover."""
        rows, columns = (
            slice(one.start - whole.start, one.stop - whole.start)
            for one, whole in zip(self._reaches[cell].region, self.region, strict=True)
        )
        return rows, columns

    def likely_cells(self, speaks: Singles) -> list[str]:
        """Return the cells with enough evidence that a piece may stand there at all."""
        if not self._reaches or not speaks.size:
            return []
        # What one body may cover lies in a window of the largest body's size, wherever it stands.
        width, height = (
            max(getattr(one, edge) for one in self._reaches.values()) for edge in ("width", "height")
        )
        loud, edge = (speaks > _LOUD).view(np.uint8), cv2.BORDER_CONSTANT
        counts = cv2.boxFilter(loud, cv2.CV_32F, (width, height), normalize=False, borderType=edge)
        likely = []
        for cell, reach in self._reaches.items():
            x0, y0, x1, y1 = reach.base
            # The windows' middles, with one more pixel on all sides because of rounding.
            down = height // 2 - reach.row - self.region[0].start
            right = width // 2 - reach.column - self.region[1].start
            rows = slice(max(y0 + down - 1, 0), max(y1 + down + 2, 0))
            columns = slice(max(x0 + right - 1, 0), max(x1 + right + 2, 0))
            there = counts[rows, columns]
            if not there.size or float(there.max()) >= _LEAST_LOUD * reach.width * reach.height:
                likely.append(cell)
        return likely


def _signs() -> tuple[Bools, ...]:
    """Return which signs each combination contains, (256,) each, in the order of their bits."""
    return tuple((np.arange(256)[:, None] >> np.arange(8) & 1 > 0).T)


@cache
def _weights() -> Singles:
    """Return the weight of each combination of signs as evidence, (256,)."""
    tile, unknown, _, _, quiet, *_ = _signs()
    weight = np.where(tile | unknown, np.float32(1.0), np.float32(0.3))
    weight[quiet] = 0.3
    return weight


@lru_cache(maxsize=64)
def _weights_for(paint: Paint) -> Singles:
    """Return the evidence of each combination of signs for a piece, (256,).

    On an unknown tile a rare colour is better evidence. A light piece cannot be darker than the tile.
    """
    tile, unknown, strange, glare, quiet, faint, own, other = _signs()
    speaks = np.where(own, np.float32(0.45), np.float32(-0.1))
    speaks[own & unknown] = 0.45 + 0.45 * paint.rarity
    bare = tile & ~strange
    speaks[bare] = np.where(own[bare], 0.1, -0.5)
    speaks[strange] = np.where(own[strange], 1.0, 0.1)
    speaks[own & strange & faint] = 0.3
    if paint.is_light:
        speaks[own & glare] = 0.1
    # Another piece may stand in front.
    speaks[strange & other] = 0.0
    speaks[quiet] = 0.0
    return speaks


def find_standing(
    city: CityMap, bodies: Silhouettes, paint: Paint, kind: str, cells: Sequence[str] | None = None
) -> StandingFigure | None:
    """Return where a piece most likely stands, None if there is hardly anything of its colour."""
    ground = Ground(city, bodies, kind, list(bodies.layout.cells if cells is None else cells))
    return strongest(city, bodies, paint, kind, candidates(ground, paint).values())


def candidates(ground: Ground, paint: Paint) -> dict[str, Candidate | None]:
    """Return the best place of a piece on each of a ground's cells, None where nothing resembles it."""
    found: dict[str, Candidate | None] = dict.fromkeys(ground.cells)
    speaks = ground.speaks(paint)
    spoken = speaks * ground.weight
    for cell in ground.likely_cells(speaks):
        best = _best_on(ground, cell, speaks, spoken)
        if best is not None and best[0] > 0.2:
            share, base_mm = best
            found[cell] = candidate(ground.city, ground.bodies, paint, ground.kind, cell, base_mm, share)
    return found


def strongest(
    city: CityMap, bodies: Silhouettes, paint: Paint, kind: str, places: Iterable[Candidate | None]
) -> StandingFigure | None:
    """Return the piece at the most likely of the best places on all cells, None if there are none."""
    found = [one for one in places if one is not None]
    return stand(city, bodies, paint, kind, _first_of(found), found) if found else None


def stand(
    city: CityMap,
    bodies: Silhouettes,
    paint: Paint,
    kind: str,
    first: Candidate,
    found: Sequence[Candidate] = (),
    border: Border | None = None,
) -> StandingFigure:
    """Return a piece that stands where its first candidate is of all found, with what is seen around it."""
    elsewhere = [one for one in found if one.cell != first.cell]
    others = [one for one in elsewhere if are_apart(one.base_mm, first.base_mm)]
    close = [one for one in elsewhere if not are_apart(one.base_mm, first.base_mm)]
    outline = np.zeros(city.labels.shape, np.bool_)
    outline[first.region] = first.body
    # The piece may extend as far again on all sides.
    rows, columns = first.region
    around = widened(first.region, outline.shape, (rows.stop - rows.start, columns.stop - columns.start))
    mass = _mass(city.cut(around), outline[around], paint)
    lit_spill = first.spill
    if lit_spill > 0:
        reach = _reach_of(bodies, kind)
        near, inside = bodies.outline(kind, first.base_mm, _RIM_PX + reach)
        beside = city.cut(near)
        # The piece's own shadow, on print of nearly the same colour.
        shade = beside.darker if paint.is_light else beside.shadow
        lit_spill = _spill(beside, inside, paint.is_on(beside) & beside.strange & ~shade, reach)
    outline[first.region] |= _reaching_out(city.cut(first.region), first.body, paint)
    return StandingFigure(
        cell=first.cell,
        base_mm=first.base_mm,
        share=first.share,
        rival=max((one.share for one in others if one.spill < 0.35), default=0.0),
        beside=max((one.share for one in close), default=0.0),
        lead=first.strength - max((one.strength for one in others), default=0.0),
        spill=first.spill,
        lit_spill=lit_spill,
        mass=mass,
        fit=first.fit,
        outline=outline,
        around=around,
        border=border,
    )


def candidate(
    city: CityMap,
    bodies: Silhouettes,
    paint: Paint,
    kind: str,
    cell: str,
    base_mm: tuple[float, float],
    share: float,
) -> Candidate:
    """Return what is seen around a place of a piece's base of which so much of the body shows it."""
    reach = _reach_of(bodies, kind)
    region, body = bodies.outline(kind, base_mm, _RIM_PX)
    near, inside = (region, body) if not reach else bodies.outline(kind, base_mm, _RIM_PX + reach)
    beside = city.cut(near)
    return Candidate(
        share=share,
        cell=cell,
        base_mm=base_mm,
        spill=_spill(beside, inside, paint.is_on(beside) & beside.strange, reach),
        fit=_fit(city.cut(region), body, paint),
        region=region,
        body=body,
    )


def _reach_of(bodies: Silhouettes, kind: str) -> int:
    """Return how far wings, tails and heads reach out of a piece's outline, px of the map."""
    base_mm, _ = bodies.layout.pieces.size_of(kind)
    return round(_REACH[kind] * base_mm * bodies.flat.px_per_mm)


def _first_of(found: Sequence[Candidate]) -> Candidate:
    """Return the strongest, or the same piece a cell on if it shows more there, beyond the tiles.

    A few millimetres on it need not be far more: then the best place of a cell is at its border.
    """
    first = max(found, key=lambda one: one.strength)
    beyond = []
    for one in found:
        off_mm = math.dist(one.base_mm, first.base_mm)
        more = _MORE if off_mm < _CLOSE_MM else _FAR_MORE
        if one.fit == 0 and one.share > first.share + more and not are_apart(one.base_mm, first.base_mm):
            beyond.append(one)
    return max(beyond, key=lambda one: one.share, default=first)


def _joint_region(bodies: Silhouettes, kind: str, cells: Sequence[str]) -> Region:
    """Return the part of the map that bodies on some cells may cover."""
    if not cells:
        return slice(0, 0), slice(0, 0)
    regions = [bodies.reach(kind, cell).region for cell in cells]
    rows = slice(min(rows.start for rows, _ in regions), max(rows.stop for rows, _ in regions))
    return rows, slice(min(one.start for _, one in regions), max(one.stop for _, one in regions))


def _reaching_out(there: CityMap, body: Bools, paint: Paint) -> Bools:
    """Return what is of the figure's colour and hangs together with its body: wings, tails, crests."""
    near = cv2.dilate(body.view(np.uint8), np.ones((15, 15), np.uint8)) > 0
    own = near & paint.is_on(there) & (there.strange | there.unknown)
    return np.asarray(touching(own | body, body) & own, np.bool_)


def _spill(there: CityMap, body: Bools, own: Bools, reach: int) -> float:
    """Return the share of the rim, some millimetres from the body, that has the piece's `own` colour.

    Whatever ends within `reach` px of the body belongs to the piece: a wing, a tail.
    """
    near = cv2.dilate(body.view(np.uint8), np.ones((7, 7), np.uint8))
    far = cv2.dilate(near, np.ones((5, 5), np.uint8))
    rim = (far > near) & ~there.blind & there.tile
    seen = np.count_nonzero(rim)
    if reach > 0 and (own & rim).any():
        inside = cv2.dilate(body.view(np.uint8), _disc(reach)) > 0
        own = own & touching(own, own & ~inside)
    return np.count_nonzero(own & rim) / seen if seen >= 20 else 0.0


def _lit(there: CityMap, paint: Paint) -> Bools:
    """Return what is strange and has a piece's colour; a light piece cannot just be darker."""
    own = paint.is_on(there) & there.strange
    return np.asarray(own & ~there.darker if paint.is_light else own, np.bool_)


def _mass(there: CityMap, outline: Bools, paint: Paint) -> float:
    """Return the size of the patches of this colour that show on the outline, as a share of the outline's.

    Only what is on tiles counts, of either.
    """
    use = there.tile & ~there.blind & ~there.taken
    own = _lit(there, paint) & ~there.glare & use
    shown = touching(own, own & outline)
    size = max(int(np.count_nonzero(outline & use)), int(np.count_nonzero(outline)) // 2, 1)
    return float(np.count_nonzero(shown)) / size


def _disc(radius: int) -> NDArray[np.uint8]:
    ellipse = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    return np.asarray(ellipse, np.uint8)


def _fit(there: CityMap, body: Bools, paint: Paint) -> float:
    """Return how well a body and the strange thing seen there cover each other: common by joint area."""
    thing, use = thing_at(there, body, paint.is_on(there))
    joint = np.count_nonzero((thing | body) & use)
    if joint < 0.7 * np.count_nonzero(body):
        return 0.0
    return np.count_nonzero(thing & body & use) / joint


def thing_at(there: CityMap, body: Bools, own: Bools) -> tuple[Bools, Bools]:
    """Return the strange thing that touches a body and may be of its `own` colour, and what can be seen."""
    odd = there.strange & ~there.shadow & ~there.glare
    odd &= own | (there.labels == NOTHING)
    use = there.tile & ~there.blind & ~there.taken
    return touching(odd & use, body), np.asarray(use, np.bool_)


def touching(things: Bools, body: Bools) -> Bools:
    """Return those patches of things that touch a body."""
    count, patches = cv2.connectedComponents(things.view(np.uint8))
    touched = np.zeros(count, np.bool_)
    touched[patches[body]] = True
    touched[0] = False
    return np.asarray(touched[patches], np.bool_)


def are_apart(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two places are so far apart that they cannot be the same piece seen twice."""
    return float(np.hypot(one[0] - other[0], one[1] - other[1])) > 20.0


def _best_on(
    ground: Ground, cell: str, speaks: Singles, spoken: Singles
) -> tuple[float, tuple[float, float]] | None:
    """Return the best share and place with the base on this cell; `spoken` is what `speaks`, weighed."""
    kernel, window = ground.bodies.kernel(ground.kind, cell), ground.window(cell)
    if not speaks[window].size or np.count_nonzero(speaks[window] > _LOUD) < 0.25 * kernel.area:
        return None
    seen = ground.weighed(cell)
    score = covered(spoken[window], kernel.reach, kernel.cover)
    score /= seen + _UNSEEN * (kernel.area - seen) + 1e-3
    at, base_mm = highest(score, ground.bodies, kernel.reach)
    return float(score[at]), base_mm


def highest(score: Singles, bodies: Silhouettes, reach: Reach) -> tuple[tuple[int, int], tuple[float, float]]:
    """Return where a score for every place of a base is highest: its row and column, and x and y in mm."""
    row, column = divmod(int(score.argmax()), score.shape[1])
    x, y = bodies.flat.to_mm(np.array([reach.base[0] + column, reach.base[1] + row], np.float64)).tolist()
    return (row, column), (x, y)


def covered(field: Singles, reach: Reach, cover: Singles) -> Singles:
    """Return the sums of what a body covers, for every place of its base; outside of the map is nothing.

    `field` is that of the part of the map that the body `reach`es, `cover` how much each pixel of it counts.
    """
    x0, y0, x1, y1 = reach.base
    height, width = cover.shape
    above, left = max(reach.row - y0, 0), max(reach.column - x0, 0)
    below = y1 - y0 + height - above - field.shape[0]
    right = x1 - x0 + width - left - field.shape[1]
    if above or left or below or right:
        edge = cv2.BORDER_CONSTANT
        field = np.asarray(cv2.copyMakeBorder(field, above, below, left, right, edge, value=0.0), np.float32)
    sums = cv2.matchTemplate(field, cover, cv2.TM_CCORR)
    return np.ascontiguousarray(sums[: y1 - y0, : x1 - x0], np.float32)
