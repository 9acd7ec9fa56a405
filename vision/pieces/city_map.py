"""The whole city at half scale: colours under one light, and what is explained by the tiles found.

Figures reach over the borders of tiles; here the tiles' residuals are put together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache

import cv2
import numpy as np

from companion.table_layout import TableLayout
from vision.arrays import Bits, Bools, Floats, Labels, Picture8, Singles
from vision.faces.registration import Pose2D
from vision.faces.residuals import ODD, Residual
from vision.faces.scene import Plane
from vision.geometry.cells import cell_window, nearest_regions, neighbours
from vision.geometry.rectify import Flat
from vision.geometry.regions import Region, common
from vision.photometry.light import LightFit, leveled, linear, valued
from vision.photometry.palette import Palette

# Larger than the reflection of one piece, or than a part of a face that was not learnt.
_GLARE_MM2 = 400.0
_WASHED = np.ones((81, 81), np.uint8)
# What the map keeps of each pixel of a face.
_SHADOW, _DARKER, _BRIGHTER, _BLIND, _INSIDE, _FACE = (np.uint8(1 << bit) for bit in range(6))
# The layers that are drawn on in place.
_DRAWN_ON = ("colours", "labels", "alike", "learnt", "is_learnt", "odd", "tile", "blind", "dark", "unknown")
_HALF = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])


@dataclass(frozen=True, slots=True, kw_only=True)
class CityMap:
    """The city, (height, width) each.

    Attributes:
        flat: ties its pixels to millimetres.
        colours: (height, width, 3) float32, coded: the paint of what stands there.
        labels: which piece has that colour; `alike`: which may have it, as bits.
        learnt: (height, width, 3) uint8, the recognised tiles as they were learnt, and where, `is_learnt`.
        tile: a recognised tile lies there; `unknown`: on a cell whose tile was not recognised.
        strange: something else than that tile is seen; `shadow`: perhaps only a shadow; `darker`,
            `brighter`: no colour is brighter (darker) than the tile's.
        blind: burnt out or black.
        glare: brighter for being near glare; nothing lies there.
        taken: covered by a piece that is known: a marker on a box, a figure found before.
        fresh: otherwise than on the map that was drawn before.
    """

    flat: Flat
    colours: Singles
    labels: Labels
    alike: Bits
    learnt: Picture8
    is_learnt: Bools
    tile: Bools
    unknown: Bools
    strange: Bools
    shadow: Bools
    darker: Bools
    brighter: Bools
    blind: Bools
    glare: Bools
    taken: Bools
    fresh: Bools

    def cut(self, region: tuple[slice, slice]) -> CityMap:
        """Return a part of the map; `flat` remains that of the whole."""
        return CityMap(flat=self.flat, **{name: getattr(self, name)[region] for name in _layers()})


@cache
def _layers() -> tuple[str, ...]:
    """Return the names of all that a map holds for each pixel."""
    return tuple(one.name for one in fields(CityMap) if one.name != "flat")


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """What a map is drawn on: the one drawn before, (height, width) each.

    Attributes:
        colours, labels, alike, learnt, is_learnt, unknown: as of the map.
        odd: how far each pixel is from the learnt face.
        tile, blind, dark: signs of the faces there.
        taken, glare: as of the map.
        drawn: by cell what was drawn there, None = a cell whose tile was not recognised.
    """

    colours: Singles
    labels: Labels
    alike: Bits
    learnt: Picture8
    is_learnt: Bools
    odd: Singles
    tile: Labels
    blind: Labels
    dark: Labels
    unknown: Bools
    taken: Bools
    glare: Bools
    drawn: Mapping[str, Residual | None]

    def copy(self) -> Layers:
        """Return layers that may be drawn on."""
        arrays = {one: getattr(self, one).copy() for one in _DRAWN_ON}
        return replace(self, **arrays, drawn=dict(self.drawn))

    def signs(self) -> Labels:
        """Return what is known of each pixel, (2, height, width): signs of what is seen, and labels."""
        signs = self.tile | self.unknown.view(np.uint8) << np.uint8(1) | self.blind << np.uint8(2)
        signs |= (self.odd > ODD).view(np.uint8) << np.uint8(3) | self.dark << np.uint8(4)
        return np.stack([signs, self.labels])


class CityMapper:
    """Draws maps of one camera pose, each on the one before; where nothing has changed it stays as it was."""

    def __init__(self, layout: TableLayout, flat: Flat, palette: Palette) -> None:
        """Begin; `flat` is that of the city at full scale."""
        self._layout, self._palette, self._flat = layout, palette, flat.halved()
        self._windows = nearest_regions(layout, self._flat)
        self._near = neighbours(layout)

    def blank(self) -> Layers:
        """Return what the first map is drawn on."""
        shape = self._flat.height_px, self._flat.width_px
        bits, mask = np.zeros(shape, np.uint8), np.zeros(shape, np.bool_)
        return Layers(
            colours=np.zeros((*shape, 3), np.float32),
            labels=bits,
            alike=np.zeros(shape, np.uint16),
            learnt=np.zeros((*shape, 3), np.uint8),
            is_learnt=mask,
            odd=np.zeros(shape, np.float32),
            tile=bits,
            blind=bits,
            dark=bits,
            unknown=mask,
            taken=mask,
            glare=mask,
            drawn={},
        )

    def draw(
        self,
        plane: Plane,
        residuals: Mapping[str, Residual],
        before: Layers,
        changed: AbstractSet[str] = frozenset(),
        markers: Bools | None = None,
    ) -> tuple[CityMap, Layers]:
        """Draw the cells over the previous map; return the map and the layers for the next one.

        `changed` are the cells that look different from when they were drawn last.
        """
        stale = [
            cell
            for cell in self._windows
            if cell in changed or cell not in before.drawn or before.drawn[cell] is not residuals.get(cell)
        ]
        now = self._redrawn(plane, residuals, before, stale) if stale else before
        fresh = np.zeros(now.labels.shape, np.bool_)
        for cell in stale:
            fresh[self._windows[cell]] = True
        if stale:
            fresh &= _plainly_apart(before.signs(), now.signs())
        taken = np.zeros_like(fresh) if markers is None else markers
        # Around glare a face is only brighter; nothing lies there.
        glare = ((now.dark & _BRIGHTER) > 0) & _near_glare(now.blind, self._flat.px_per_mm)
        fresh |= (taken ^ before.taken) | (glare ^ before.glare)
        city = CityMap(
            flat=self._flat,
            colours=now.colours,
            labels=now.labels,
            alike=now.alike,
            learnt=now.learnt,
            is_learnt=now.is_learnt,
            tile=now.tile > 0,
            unknown=now.unknown & (now.tile == 0),
            strange=(now.odd > ODD) & (now.tile > 0) & (now.blind == 0),
            shadow=(now.dark & _SHADOW) > 0,
            darker=(now.dark & _DARKER) > 0,
            brighter=(now.dark & _BRIGHTER) > 0,
            blind=now.blind > 0,
            glare=glare,
            taken=taken,
            fresh=fresh,
        )
        return city, replace(now, taken=taken, glare=glare)

    def _redrawn(
        self, plane: Plane, residuals: Mapping[str, Residual], before: Layers, stale: Sequence[str]
    ) -> Layers:
        """Return the layers with some cells drawn anew."""
        now, usual = before.copy(), common_light(residuals)
        for cell in stale:
            self._draw_ground(now, plane, cell, residuals.get(cell), usual)
        # A tile may reach over the border into the next cell's part of the map.
        touched = {near for one in stale for near in self._near[one]}
        for cell in self._windows:
            found = residuals.get(cell) if cell in touched else None
            if found is not None:
                _paste(found, now, [self._windows[one] for one in stale if one in self._near[cell]])
        return replace(now, drawn={**before.drawn, **{cell: residuals.get(cell) for cell in stale}})

    def _draw_ground(
        self, on: Layers, plane: Plane, cell: str, found: Residual | None, usual: LightFit
    ) -> None:
        """Draw the colours of a cell's part of the map; the tile is drawn over them."""
        window = rows, columns = self._windows[cell]
        double = (slice(2 * rows.start, 2 * rows.stop), slice(2 * columns.start, 2 * columns.stop))
        size = (columns.stop - columns.start, rows.stop - rows.start)
        small = np.asarray(cv2.resize(plane.picture[double], size, interpolation=cv2.INTER_AREA), np.uint8)
        fit = found.light if found is not None else usual
        on.colours[window] = valued(_paint(linear(small), rows.start, columns.start, found, fit))
        on.labels[window] = self._palette.label(on.colours[window])
        on.alike[window] = self._palette.alike(on.colours[window])
        on.odd[window], on.tile[window], on.dark[window] = 0.0, 0, 0
        on.learnt[window], on.is_learnt[window] = 0, False
        blind = plane.blind[double].astype(np.uint8)
        on.blind[window] = cv2.resize(blind, size, interpolation=cv2.INTER_NEAREST)
        on.unknown[cell_window(self._flat, self._layout, cell)] = found is None


def city_map(
    plane: Plane, layout: TableLayout, residuals: Mapping[str, Residual], palette: Palette
) -> CityMap:
    """Put the cells together, once."""
    mapper = CityMapper(layout, plane.flat, palette)
    return mapper.draw(plane, residuals, mapper.blank())[0]


def common_light(residuals: Mapping[str, Residual]) -> LightFit:
    """Return the light on all cells together, even over each of them."""
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
        # The light is measured on the face; a little beyond it, it is assumed to be the same.
        for axis, edge in ((0, found.known.shape[1]), (1, found.known.shape[0])):
            at = back[axis, 0] * x + (back[axis, 1] * y + back[axis, 2])
            np.clip(at * np.float32(2 / (edge - 1)) - np.float32(1), -1.2, 1.2, out=where[..., 1 + axis])
    return light / fit.gain_at(where)


def _plainly_apart(signs: Labels, others: Labels) -> Bools:
    """Return where two maps differ, (height, width); a few scattered pixels are noise."""
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


def to_part(matrix: Floats, whole: Region, part: Region) -> tuple[Floats, tuple[int, int]]:
    """Return a map (2, 3) to a region as one to a part of that region, and the part's width and height."""
    (rows, columns), (top, left) = part, (whole[0].start, whole[1].start)
    moved = matrix - np.array([[0, 0, columns.start - left], [0, 0, rows.start - top]])
    return moved, (columns.stop - columns.start, rows.stop - rows.start)


@lru_cache(maxsize=512)
def _placed(pose: Pose2D, face: tuple[int, ...], shape: tuple[int, ...]) -> tuple[Floats, Region]:
    """Return the map of a face (height, width) in this pose, and its part of the city map (height, width)."""
    matrix = (_HALF @ np.vstack([pose.matrix(face), [0, 0, 1]]))[:2]
    height, width = shape
    corner = np.array([[0, 0, 1], [face[1], 0, 1], [0, face[0], 1], [face[1], face[0], 1]]) @ matrix.T
    x0, y0 = (int(one) for one in np.clip(np.floor(corner.min(axis=0)), 0, (width - 1, height - 1)))
    x1, y1 = (int(one) for one in np.clip(np.ceil(corner.max(axis=0)) + 1, 1, (width, height)))
    laid = np.asarray(matrix - np.array([[0, 0, x0], [0, 0, y0]]), np.float64)
    laid.flags.writeable = False
    return laid, (slice(y0, y1), slice(x0, x1))


def _paste(found: Residual, on: Layers, windows: Sequence[Region]) -> None:
    """Put what is seen on one face onto some windows of the map, in place."""
    moved, whole = to_map(found, on.odd.shape)
    regions = [region for window in windows if (region := common(whole, window)) is not None]
    if not regions:
        return
    bits = found.shadow * _SHADOW + found.darker * _DARKER + found.brighter * _BRIGHTER
    bits |= found.blind * _BLIND | _FACE
    bits[3:-3, 3:-3] |= _INSIDE
    for region in regions:
        shifted, size = to_part(moved, whole, region)
        seen = np.asarray(cv2.warpAffine(bits, shifted, size, flags=cv2.INTER_NEAREST), np.uint8)
        mask = (seen & _INSIDE) > 0
        on.odd[region][mask] = cv2.warpAffine(found.odd, shifted, size, flags=cv2.INTER_LINEAR)[mask]
        on.blind[region] |= ((seen & _BLIND) > 0) & mask
        on.dark[region][mask] = seen[mask] & (_SHADOW | _DARKER | _BRIGHTER)
        on.tile[region] |= mask
        whole_face = (seen & _FACE) > 0
        print_ = np.asarray(cv2.warpAffine(found.known, shifted, size, flags=cv2.INTER_LINEAR), np.float32)
        on.learnt[region][whole_face] = leveled(print_[whole_face])
        on.is_learnt[region] |= whole_face
