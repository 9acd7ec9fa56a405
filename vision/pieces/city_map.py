"""The whole city at half scale: colours under one light, and what is explained by the tiles found.

Figures reach over the borders of tiles; here the tiles' single examinations are put together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields
from functools import cache, lru_cache

import cv2
import numpy as np

from calibration.layout import TableLayout
from vision.arrays import Bools, Floats, Labels, Singles
from vision.faces.registration import Pose2D
from vision.faces.residuals import ODD, Residual
from vision.faces.scene import Plane
from vision.geometry.cells import cell_window, nearest_regions, neighbours
from vision.geometry.rectify import Flat
from vision.geometry.regions import Region, common
from vision.photometry.light import LightFit, linear, valued
from vision.photometry.palette import Palette

# Larger than what one piece mirrors or what a face was not learnt of.
_GLARE_MM2 = 400.0
_WASHED = np.ones((81, 81), np.uint8)
# What the map keeps of each pixel of a face.
_SHADOW, _DARKER, _BRIGHTER, _BLIND, _INSIDE = (np.uint8(1 << bit) for bit in range(5))
_HALF = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])


@dataclass(frozen=True, slots=True, kw_only=True)
class CityMap:
    """The city, (height, width) each.

    Attributes:
        flat: ties its pixels to millimetres.
        colours: (height, width, 3) float32, coded: the paint of what stands there; valid
            until the next map is drawn.
        labels: which piece has that colour.
        tile: a recognised tile lies there; `unknown`: on a cell whose tile was not recognised.
        strange: something else than that tile is seen; `shadow`: perhaps only a shadow; `darker`,
            `brighter`: no colour is brighter (darker) than the tile's.
        blind: burnt out or black.
        washed: brighter for being near glare; nothing lies there.
        taken: covered by a piece that is known: a marker on a box, a figure found before.
        fresh: otherwise than on the map that was drawn before.
    """

    flat: Flat
    colours: Singles
    labels: Labels
    tile: Bools
    unknown: Bools
    strange: Bools
    shadow: Bools
    darker: Bools
    brighter: Bools
    blind: Bools
    washed: Bools
    taken: Bools
    fresh: Bools

    def cut(self, region: tuple[slice, slice]) -> CityMap:
        """Return a part of the map; `flat` remains that of the whole."""
        return CityMap(flat=self.flat, **{name: getattr(self, name)[region] for name in _layers()})


@cache
def _layers() -> tuple[str, ...]:
    """Return the names of all that a map holds for each pixel."""
    return tuple(one.name for one in fields(CityMap) if one.name != "flat")


class CityMapper:
    """Draws the map of one view again and again; where nothing has changed it stays as it was."""

    def __init__(self, layout: TableLayout, flat: Flat, palette: Palette) -> None:
        """Begin with an empty map; `flat` is that of the city at full scale."""
        self._layout, self._palette, self._flat = layout, palette, flat.halved()
        shape = self._flat.height_px, self._flat.width_px
        self._colours = np.zeros((*shape, 3), np.float32)
        self._labels = np.zeros(shape, np.uint8)
        self._odd = np.zeros(shape, np.float32)
        self._tile, self._blind, self._dark = (np.zeros(shape, np.uint8) for _ in range(3))
        self._unknown, self._taken = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
        self._glare = np.zeros(shape, np.bool_)
        self._windows = nearest_regions(layout, self._flat)
        self._near = neighbours(layout)
        self._drawn: dict[str, Residual | None] = {}

    def draw(
        self,
        plane: Plane,
        residuals: Mapping[str, Residual],
        changed: AbstractSet[str] = frozenset(),
        markers: Bools | None = None,
    ) -> CityMap:
        """Put the examined cells together; `changed` are cells that look otherwise than when drawn last."""
        stale = [
            cell
            for cell in self._windows
            if cell in changed or cell not in self._drawn or self._drawn[cell] is not residuals.get(cell)
        ]
        usual = common_light(residuals) if stale else None
        drawn = np.zeros(self._labels.shape, np.bool_)
        before = self._signs() if stale else None
        for cell in stale:
            self._draw_ground(plane, cell, residuals.get(cell), usual)
            drawn[self._windows[cell]] = True
            self._drawn[cell] = residuals.get(cell)
        # A tile may reach over the border into the next cell's part of the map.
        touched = {near for one in stale for near in self._near[one]}
        for cell in self._windows:
            found = residuals.get(cell) if cell in touched else None
            if found is not None:
                windows = [self._windows[one] for one in stale if one in self._near[cell]]
                _paste(found, self._odd, self._tile, self._blind, self._dark, windows)
        fresh = drawn if before is None else drawn & _plainly_apart(before, self._signs())
        taken = np.zeros_like(fresh) if markers is None else markers
        fresh |= taken ^ self._taken
        self._taken = taken
        # Around glare a face is washed out: brighter, and nothing lies there.
        washed = ((self._dark & _BRIGHTER) > 0) & _near_glare(self._blind, self._flat.px_per_mm)
        fresh |= washed ^ self._glare
        self._glare = washed
        return CityMap(
            flat=self._flat,
            colours=self._colours,
            labels=self._labels.copy(),
            tile=self._tile > 0,
            unknown=self._unknown & (self._tile == 0),
            strange=(self._odd > ODD) & (self._tile > 0) & (self._blind == 0),
            shadow=(self._dark & _SHADOW) > 0,
            darker=(self._dark & _DARKER) > 0,
            brighter=(self._dark & _BRIGHTER) > 0,
            blind=self._blind > 0,
            washed=washed,
            taken=taken,
            fresh=fresh,
        )

    def _signs(self) -> Labels:
        """Return what the map tells of each pixel, (2, height, width): signs of what is seen, and labels."""
        signs = self._tile | self._unknown.view(np.uint8) << np.uint8(1) | self._blind << np.uint8(2)
        signs |= (self._odd > ODD).view(np.uint8) << np.uint8(3) | self._dark << np.uint8(4)
        return np.stack([signs, self._labels])

    def _draw_ground(self, plane: Plane, cell: str, found: Residual | None, usual: LightFit | None) -> None:
        """Draw the colours of a cell's part of the map; what lies there comes after."""
        window = rows, columns = self._windows[cell]
        double = (slice(2 * rows.start, 2 * rows.stop), slice(2 * columns.start, 2 * columns.stop))
        size = (columns.stop - columns.start, rows.stop - rows.start)
        small = np.asarray(cv2.resize(plane.picture[double], size, interpolation=cv2.INTER_AREA), np.uint8)
        fit = found.light if found is not None else usual
        assert fit is not None
        self._colours[window] = valued(_paint(linear(small), rows.start, columns.start, found, fit))
        self._labels[window] = self._palette.label(self._colours[window])
        self._odd[window], self._tile[window], self._dark[window] = 0.0, 0, 0
        blind = plane.blind[double].astype(np.uint8)
        self._blind[window] = cv2.resize(blind, size, interpolation=cv2.INTER_NEAREST)
        self._unknown[cell_window(self._flat, self._layout, cell)] = found is None


def city_map(
    plane: Plane, layout: TableLayout, residuals: Mapping[str, Residual], palette: Palette
) -> CityMap:
    """Put the examined cells together, once."""
    return CityMapper(layout, plane.flat, palette).draw(plane, residuals)


def common_light(residuals: Mapping[str, Residual]) -> LightFit:
    """Return the light on all examined cells together, even over each of them."""
    factors = np.zeros((6, 3), np.float32)
    gains = [one.light.factors[0] for one in residuals.values()]
    factors[0] = np.median(gains, axis=0) if gains else 1.0
    return LightFit(factors)


def _paint(light: Singles, top: int, left: int, found: Residual | None, fit: LightFit) -> Singles:
    height, width = light.shape[:2]
    where = np.zeros((height, width, 3), np.float32)
    where[..., 0] = 1.0
    if found is not None:
        matrix = np.vstack([found.pose.matrix(found.known.shape), [0, 0, 1]])
        back = np.linalg.inv(_HALF @ matrix).astype(np.float32)
        x = np.arange(left, left + width, dtype=np.float32)
        y = np.arange(top, top + height, dtype=np.float32)[:, None]
        # The light is told on the face; a little beyond it may be believed to be the same.
        for axis, edge in ((0, found.known.shape[1]), (1, found.known.shape[0])):
            at = back[axis, 0] * x + (back[axis, 1] * y + back[axis, 2])
            np.clip(at * np.float32(2 / (edge - 1)) - np.float32(1), -1.2, 1.2, out=where[..., 1 + axis])
    return light / fit.gain_at(where)


def _plainly_apart(signs: Labels, others: Labels) -> Bools:
    """Return where two maps tell different things, (height, width); a few pixels here and there are noise."""
    apart = (signs != others).any(axis=0).view(np.uint8)
    return np.asarray(cv2.morphologyEx(apart, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0, np.bool_)


def _near_glare(blind: Labels, px_per_mm: float) -> Bools:
    """Return what is near to a large blind patch, (height, width)."""
    if cv2.countNonZero(blind) < _GLARE_MM2 * px_per_mm**2:
        return np.zeros(blind.shape, np.bool_)
    _, patches, stats, _ = cv2.connectedComponentsWithStats(blind)
    large = stats[:, cv2.CC_STAT_AREA] >= _GLARE_MM2 * px_per_mm**2
    large[0] = False
    if not large.any():
        return np.zeros(blind.shape, np.bool_)
    return np.asarray(cv2.dilate(large[patches].astype(np.uint8), _WASHED) > 0, np.bool_)


def to_map(found: Residual, shape: tuple[int, ...]) -> tuple[Floats, Region]:
    """Return the map (2, 3) from pixels of a face to those of the part of the city map that it lies on.

    `shape` is the city map's, (height, width). The map is kept: it cannot be changed.
    """
    return _placed(found.pose, found.odd.shape, shape[:2])


@lru_cache(maxsize=512)
def _placed(pose: Pose2D, face: tuple[int, ...], shape: tuple[int, ...]) -> tuple[Floats, Region]:
    """Return the map of a face (height, width) that lies so, and its part of the city map (height, width)."""
    matrix = (_HALF @ np.vstack([pose.matrix(face), [0, 0, 1]]))[:2]
    height, width = shape
    corner = np.array([[0, 0, 1], [face[1], 0, 1], [0, face[0], 1], [face[1], face[0], 1]]) @ matrix.T
    x0, y0 = (int(one) for one in np.clip(np.floor(corner.min(axis=0)), 0, (width - 1, height - 1)))
    x1, y1 = (int(one) for one in np.clip(np.ceil(corner.max(axis=0)) + 1, 1, (width, height)))
    laid = np.asarray(matrix - np.array([[0, 0, x0], [0, 0, y0]]), np.float64)
    laid.flags.writeable = False
    return laid, (slice(y0, y1), slice(x0, x1))


def _paste(
    found: Residual, odd: Singles, tile: Labels, blind: Labels, dark: Labels, windows: Sequence[Region]
) -> None:
    """Lay one face's findings onto some windows of the map, in place."""
    moved, whole = to_map(found, odd.shape)
    regions = [region for window in windows if (region := common(whole, window)) is not None]
    if not regions:
        return
    bits = found.shadow * _SHADOW + found.darker * _DARKER + found.brighter * _BRIGHTER
    bits |= found.blind * _BLIND
    bits[3:-3, 3:-3] |= _INSIDE
    for region in regions:
        rows, columns = region
        size = (columns.stop - columns.start, rows.stop - rows.start)
        shifted = moved - np.array(
            [[0, 0, columns.start - whole[1].start], [0, 0, rows.start - whole[0].start]]
        )
        seen = np.asarray(cv2.warpAffine(bits, shifted, size, flags=cv2.INTER_NEAREST), np.uint8)
        mask = (seen & _INSIDE) > 0
        odd[region][mask] = cv2.warpAffine(found.odd, shifted, size, flags=cv2.INTER_LINEAR)[mask]
        blind[region] |= ((seen & _BLIND) > 0) & mask
        dark[region][mask] = seen[mask] & (_SHADOW | _DARKER | _BRIGHTER)
        tile[region] |= mask
