"""What may be a hand over the city: patches of the map that nothing known explains, measured for a model."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.table_layout import TableLayout
from vision.arrays import Bools, Singles
from vision.faces.residuals import Residual
from vision.geometry.cells import cell_window
from vision.geometry.regions import Region, share_within, widened, within
from vision.photometry.palette import NOTHING
from vision.pieces.city_map import CityMap, to_map
from vision.pieces.print_visibility import print_visibility

MEASURES = 34
"""How many numbers there are of a suspect."""
# What is smaller than such a share of a figure's body is no suspect.
_LEAST = 0.5
_RIM_PX, _GAP_PX = 2, 15
# A block of a tile that is explained to this share, or a blind cell, is not hidden by a hand.
_EXPLAINED = 0.25
# For each pixel of the map edges are as steep as this share of the brightness, which counts as this at least.
_EDGE, _DIM = 0.06, 0.1
# The table is seen where its colours differ by less than this: the share of each, and how bright each is.
_HUE, _SHADE = 0.02, 0.25
# The ground beside the tiles is sought so far from a suspect, px of the map.
_BESIDE_PX = 6
# Larger values tell no more than these.
_MOST_TILES, _MOST_BODIES, _LONG, _SOFT_PX = 6.0, 10.0, 6.0, 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """A patch of the map that may be a hand.

    Attributes:
        region: the part of the map that holds it.
        mask: (height, width) bool of that part.
        values: what is measured of it, `MEASURES` numbers.
    """

    region: Region
    mask: Bools
    values: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What nothing known explains on a map, (height, width) each.

    Attributes:
        strange: something else than the tile is seen, and no piece or light that is known.
        unknown: on cells whose tile was not recognised.
        smooth: the tile's print is not seen, though nothing strange may be.
    """

    strange: Bools
    unknown: Bools
    smooth: Bools


class Suspects:
    """Measures all suspects of one map."""

    def __init__(
        self,
        city: CityMap,
        layout: TableLayout,
        residuals: Mapping[str, Residual],
        there: Signs,
        lost: Mapping[str, Sequence[int]],
    ) -> None:
        """Begin; `lost` are the labels of the figures and dragons that were not found, by kind of piece."""
        self._city, self._layout, self._residuals, self._there = city, layout, residuals, there
        self._lost = lost
        self._scale = city.flat.px_per_mm

    # What only measuring a suspect needs: on most tables nothing is one.

    @cached_property
    def _tiles(self) -> Bools:
        return self._city.tile | self._city.unknown

    @cached_property
    def _rim(self) -> Bools:
        return _rim(self._tiles)

    @cached_property
    def _edges(self) -> Bools:
        return _edges(self._city)

    @cached_property
    def _usual_edges(self) -> float:
        tile = self._city.tile
        return max(float(self._edges[tile].mean()) if tile.any() else 0.0, 0.02)

    @cached_property
    def _lit(self) -> float:
        tile = self._city.tile
        return float(np.median(self._city.colours[tile])) if tile.any() else 0.5

    @cached_property
    def _blocks(self) -> Singles:
        return _agreement(self._city, self._residuals)

    def all(self) -> Iterator[Suspect]:
        """Yield the suspects: what is seen to be strange, then what hides the print as well."""
        there = self._there
        plain = there.strange | there.unknown
        yield from self._of(plain, np.ones_like(plain), is_smooth=False)
        if there.smooth.any():
            yield from self._of(plain | there.smooth, there.smooth, is_smooth=True)

    def _of(self, covered: Bools, wanted: Bools, *, is_smooth: bool) -> Iterator[Suspect]:
        sizes = self._layout.pieces
        least = _LEAST * sizes.figure_base_mm * sizes.figure_height_mm * self._scale**2
        opened = cv2.morphologyEx(covered.view(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        joined = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
        count, patches, stats, _ = cv2.connectedComponentsWithStats(joined)
        for number in range(1, count):
            left, top, width, height, area = stats[number].tolist()
            if area < least:
                continue
            region = slice(top, top + height), slice(left, left + width)
            mask = np.asarray(patches[region] == number, np.bool_)
            if (wanted[region] & mask).any():
                values = self._measures(region, mask, count - 1, is_smooth=is_smooth)
                yield Suspect(region=region, mask=mask, values=values)

    def _measures(self, region: Region, mask: Bools, others: int, *, is_smooth: bool) -> list[float]:
        sizes = self._layout.pieces
        tile = self._layout.tile_edge_mm
        area = np.count_nonzero(mask) / self._scale**2
        figure = sizes.figure_base_mm * sizes.figure_height_mm
        dragon = sizes.dragon_base_mm * sizes.dragon_height_mm
        rim_mm = np.count_nonzero(self._rim[region] & mask) / (self._scale * _RIM_PX)
        return [
            min(area / tile**2, _MOST_TILES),
            math.log(area / figure),
            min(area / dragon, _MOST_BODIES),
            rim_mm / tile,
            rim_mm / math.sqrt(area),
            float(is_smooth),
            min(others, 20) / 10,
            len(self._residuals) / len(self._layout.cells),
            *self._of_shape(mask),
            *self._of_signs(region, mask),
            *self._of_colours(region, mask),
            *self._of_surroundings(region, mask),
            *self._of_print(region, mask),
        ]

    def _of_shape(self, mask: Bools) -> list[float]:
        """Return how solid, long and thick a suspect is."""
        outline = np.argwhere(mask)[:, ::-1].astype(np.int32)
        hull = cv2.contourArea(cv2.convexHull(outline)) + 1.0
        (_, (width, height), _) = cv2.minAreaRect(outline)
        padded = np.pad(mask, 1).view(np.uint8)
        thick = float(cv2.distanceTransform(padded, cv2.DIST_L2, 3).max()) / self._scale
        return [
            min(len(outline) / hull, 1.2),
            min((max(width, height) + 1) / (min(width, height) + 1), _LONG) / _LONG,
            thick / self._layout.tile_edge_mm,
            thick / self._layout.pieces.figure_base_mm,
        ]

    def _of_signs(self, region: Region, mask: Bools) -> list[float]:
        """Return the shares of a suspect that are strange, unknown, dark and so on."""
        city = self._city.cut(region)
        there = self._there
        near = widened(region, self._city.labels.shape, (_BESIDE_PX, _BESIDE_PX))
        around = self._dilated(region, mask, near)
        shares = (
            there.strange[region],
            there.unknown[region],
            there.smooth[region],
            city.shadow,
            city.darker,
            city.brighter,
            city.glare,
        )
        return [*(share_within(some, mask) for some in shares), share_within(self._city.blind[near], around)]

    def _of_colours(self, region: Region, mask: Bools) -> list[float]:
        """Return how much of a suspect has pieces' colours, how bright and even it is, and how edgy."""
        city = self._city.cut(region)
        odd = mask & self._there.strange[region]
        labels = city.labels[odd]
        painted = labels[labels != NOTHING]
        size = max(len(labels), 1)
        counts = np.bincount(painted, minlength=1)
        first = int(counts.argmax())
        colours = city.colours[mask]
        return [
            len(painted) / size,
            float(counts.max()) / size,
            *(
                float(first in self._lost.get(kind, ())) * counts.max() / size
                for kind in ("figure", "dragon")
            ),
            float(colours.mean()) / max(self._lit, _DIM),
            float(colours.std(axis=0).mean()) / max(float(colours.mean()), _DIM),
            float(np.ptp(np.median(colours, axis=0))) / max(float(colours.mean()), _DIM),
            min(float(self._edges[region][mask].mean()) / self._usual_edges, 3.0),
        ]

    def _of_surroundings(self, region: Region, mask: Bools) -> list[float]:
        """Return whether the ground beside the tiles is hidden too: how much of it there is, and how odd."""
        near = widened(region, self._city.labels.shape, (_BESIDE_PX, _BESIDE_PX))
        ground, apart = self._ground
        around = self._dilated(region, mask, near) & ground[near]
        seen = apart[near][around]
        if not len(seen):
            return [0.0, 0.0, 0.0]
        return [
            len(seen) / np.count_nonzero(mask),
            float((seen > 1).mean()),
            min(float(np.median(seen)), 5.0),
        ]

    def _of_print(self, region: Region, mask: Bools) -> list[float]:
        """Return how much of the print is seen through a suspect, and how blurred the picture is."""
        whole = np.zeros(self._city.labels.shape, np.bool_)
        whole[region] = mask
        blurs = [one.blur for one in self._residuals.values()]
        said = self._blocks[region][mask]
        known = said[said > -2]
        return [
            print_visibility(whole, self._residuals.values()),
            float(known.mean()) if len(known) else 0.0,
            min(float(np.median(blurs)), _SOFT_PX) if blurs else _SOFT_PX,
        ]

    def _dilated(self, region: Region, mask: Bools, near: Region) -> Bools:
        wide = np.zeros(tuple(one.stop - one.start for one in near), np.uint8)
        wide[within(region, near)] = mask
        edge = 2 * _BESIDE_PX + 1
        return np.asarray(cv2.dilate(wide, np.ones((edge, edge), np.uint8)) > 0, np.bool_)

    @cached_property
    def _ground(self) -> tuple[Bools, Singles]:
        """Return the ground beside and between the tiles, and how far each of its pixels is from the usual.

        1 is as far as nine in ten are not.
        """
        city = self._city
        ground = cv2.erode((~self._tiles).view(np.uint8), np.ones((3, 3), np.uint8)) > 0
        ground &= (city.colours.max(axis=2) > 0) & ~city.taken
        if not ground.any():
            return np.asarray(ground, np.bool_), np.zeros(ground.shape, np.float32)
        colours = city.colours[ground]
        apart = np.abs(colours - np.median(colours, axis=0)).max(axis=1)
        far = np.zeros(ground.shape, np.float32)
        far[ground] = apart / max(3 * float(np.median(apart)), 0.04)
        return np.asarray(ground, np.bool_), far


def _rim(tiles: Bools) -> Bools:
    """Return the outer rim of all tiles, those not recognised too, (height, width)."""
    joined = cv2.morphologyEx(tiles.view(np.uint8), cv2.MORPH_CLOSE, np.ones((_GAP_PX, _GAP_PX), np.uint8))
    edge = 2 * _RIM_PX + 1
    return np.asarray(cv2.erode(joined, np.ones((edge, edge), np.uint8), borderValue=0) < joined, np.bool_)


def _edges(city: CityMap) -> Bools:
    """Return where the map has edges, (height, width)."""
    gray = np.asarray(cv2.cvtColor(city.colours, cv2.COLOR_BGR2GRAY), np.float32)
    across, down = (cv2.Sobel(gray, cv2.CV_32F, *way, ksize=3, scale=0.125) for way in ((1, 0), (0, 1)))
    return np.asarray(np.hypot(across, down) > _EDGE * np.maximum(gray, _DIM), np.bool_)


def _agreement(city: CityMap, residuals: Mapping[str, Residual]) -> Singles:
    """Return how well the print of the tiles agrees with what is seen, (height, width); -9 = unknown."""
    there = np.full(city.labels.shape, -9, np.float32)
    for found in residuals.values():
        matrix, region = to_map(found, there.shape)
        height, width = found.odd.shape
        whole = cv2.resize(found.blocks, (width, height), interpolation=cv2.INTER_NEAREST)
        size = (region[1].stop - region[1].start, region[0].stop - region[0].start)
        laid = cv2.warpAffine(whole, matrix, size, flags=cv2.INTER_NEAREST, borderValue=-9)
        there[region] = np.maximum(there[region], laid)
    return there


def bare_cells(city: CityMap, layout: TableLayout, residuals: Mapping[str, Residual]) -> Bools:
    """Return the cells, (height, width), on which no tile was recognised, but what is seen is the bare table.

    It looks as between the tiles elsewhere.
    """
    bare = np.zeros(city.labels.shape, np.bool_)
    ground = cv2.erode((~(city.tile | city.unknown)).view(np.uint8), np.ones((5, 5), np.uint8)) > 0
    for cell in layout.cells.keys() - residuals.keys():
        window = cell_window(city.flat, layout, cell)
        edge = window[0].stop - window[0].start
        beside = ground.copy()
        beside[widened(window, ground.shape, (edge, edge))] = False
        if _are_alike(city.colours[window].reshape(-1, 3), city.colours[beside]):
            bare[window] = True
    return bare


def _are_alike(some: Singles, others: Singles) -> bool:
    """Whether two sets of coded colours (N, 3) belong to one thing: the same hue, and about as bright."""
    if not len(some) or not len(others):
        return False
    one, other = (np.maximum(np.median(colours, axis=0), _DIM) for colours in (some, others))
    hue = np.abs(one / one.sum() - other / other.sum()).max()
    return bool(hue < _HUE and np.abs(one - other).max() < _SHADE)


def without_print(city: CityMap, residuals: Mapping[str, Residual], known: Bools) -> Bools:
    """Return where the tiles' print is not seen, (height, width), and nothing that is `known` covers it.

    Skin may be so close to a tile's colour that it looks like a shadow on it, or like the tile itself.
    """
    lost: dict[str, Bools] = {}
    for cell, found in residuals.items():
        if not found.lost.any():
            continue
        matrix, region = to_map(found, known.shape)
        (height, width), (rows, columns) = found.odd.shape, found.lost.shape
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        said = cv2.warpAffine(known[region].astype(np.float32), matrix, (width, height), flags=flags)
        said = np.maximum(said, found.blind)
        share = cv2.resize(said, (columns, rows), interpolation=cv2.INTER_AREA)
        lost[cell] = found.lost & (share < _EXPLAINED)
    return of_blocks(city, lost, residuals) & ~known


def of_blocks(city: CityMap, blocks: Mapping[str, Bools], residuals: Mapping[str, Residual]) -> Bools:
    """Return where some blocks (rows, columns) of the tiles are on the map, (height, width)."""
    there = np.zeros(city.labels.shape, np.uint8)
    for cell, some in blocks.items():
        if not some.any():
            continue
        matrix, region = to_map(residuals[cell], there.shape)
        height, width = residuals[cell].odd.shape
        whole = cv2.resize(some.view(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
        size = (region[1].stop - region[1].start, region[0].stop - region[0].start)
        there[region] |= np.asarray(cv2.warpAffine(whole, matrix, size, flags=cv2.INTER_NEAREST), np.uint8)
    return there > 0
