"""The whole city at half scale: colours under one light, and what is explained by the tiles found.

Figures reach over the borders of tiles; here the tiles' single examinations are put together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import TableLayout
from vision.explain import ODD, Examined
from vision.light import LightFit, linear
from vision.palette import Palette
from vision.rectify import Flat
from vision.scene import Plane

Singles: TypeAlias = NDArray[np.float32]
Bools: TypeAlias = NDArray[np.bool_]
Labels: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float64]

_HALF = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])


@dataclass(frozen=True, slots=True, kw_only=True)
class CityMap:
    """The city, (height, width) each.

    Attributes:
        flat: ties its pixels to millimetres.
        colours: (height, width, 3) float32, coded: the paint of what stands there.
        labels: which piece has that colour.
        tile: a recognised tile lies there; `unknown`: on a cell whose tile was not recognised.
        strange: something else than that tile is seen; `shadow`: perhaps only a shadow; `darker`,
            `brighter`: no colour is brighter (darker) than the tile's.
        blind: burnt out or black.
        taken: covered by a piece that is known: a marker on a box, a figure found before.
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
    taken: Bools


def city_map(
    plane: Plane,
    layout: TableLayout,
    examined: Mapping[str, Examined],
    palette: Palette,
    markers: Bools | None = None,
) -> CityMap:
    """Put the examined cells together."""
    flat = plane.flat.halved()
    small = cv2.resize(plane.picture, (flat.width_px, flat.height_px), interpolation=cv2.INTER_AREA)
    light = linear(np.asarray(small, np.uint8))
    shape = small.shape[:2]
    colours = np.zeros((*shape, 3), np.float32)
    odd, tile, dark = np.zeros(shape, np.float32), np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    resized = cv2.resize(plane.blind.astype(np.uint8), shape[::-1], interpolation=cv2.INTER_NEAREST)
    blind = np.asarray(resized, np.uint8)
    common = _common_light(examined)
    unknown = np.zeros(shape, bool)
    for cell, window in _windows(flat, layout).items():
        found = examined.get(cell)
        rows, columns = window
        colours[window] = _paint(light[window], rows.start, columns.start, found, common)
        if found is None:
            unknown[cell_window(flat, layout, cell)] = True
        else:
            _paste(found, odd, tile, blind, dark)
    coded = np.asarray(cv2.pow(np.clip(colours, 0, 2.5), 1 / 2.2), np.float32)
    return CityMap(
        flat=flat,
        colours=coded,
        labels=palette.label(coded),
        tile=tile > 0,
        unknown=unknown & (tile == 0),
        strange=(odd > ODD) & (tile > 0) & (blind == 0),
        shadow=(dark & 1) > 0,
        darker=(dark & 2) > 0,
        brighter=(dark & 4) > 0,
        blind=blind > 0,
        taken=np.zeros(shape, np.bool_) if markers is None else markers,
    )


def cell_window(flat: Flat, layout: TableLayout, cell: str) -> tuple[slice, slice]:
    """Return the part of the map where the tile of a cell lies if it lies exactly."""
    x, y = layout.cells[cell]
    half = layout.tile_edge_mm / 2
    corners = flat.to_px(np.array([[x - half, y + half], [x + half, y - half]]))
    (x0, y0), (x1, y1) = np.round(corners).astype(int).clip(0)
    return slice(y0, y1), slice(x0, x1)


def _common_light(examined: Mapping[str, Examined]) -> LightFit:
    factors = np.zeros((6, 3), np.float32)
    gains = [one.light.factors[0] for one in examined.values()]
    factors[0] = np.median(gains, axis=0) if gains else 1.0
    return LightFit(factors)


def _windows(flat: Flat, layout: TableLayout) -> dict[str, tuple[slice, slice]]:
    """Return for every cell the part of the map that is nearest to it; the rim belongs to the outer cells."""
    windows: dict[str, tuple[slice, slice]] = {}
    xs = sorted({x for x, _ in layout.cells.values()})
    ys = sorted({y for _, y in layout.cells.values()}, reverse=True)
    columns = _cuts([float(flat.to_px(np.array([x, 0.0]))[0]) for x in xs], flat.width_px)
    rows = _cuts([float(flat.to_px(np.array([0.0, y]))[1]) for y in ys], flat.height_px)
    for cell, (x, y) in layout.cells.items():
        windows[cell] = rows[ys.index(y)], columns[xs.index(x)]
    return windows


def _cuts(middles: list[float], size: int) -> list[slice]:
    borders = [0, *(round((a + b) / 2) for a, b in pairwise(middles)), size]
    return [slice(a, b) for a, b in pairwise(borders)]


def _paint(light: Singles, top: int, left: int, found: Examined | None, common: LightFit) -> Singles:
    height, width = light.shape[:2]
    where = np.ones((height, width, 3), np.float32)
    if found is not None:
        matrix = np.vstack([found.lie.matrix(found.known.shape), [0, 0, 1]])
        back = np.linalg.inv(_HALF @ matrix)
        y, x = np.mgrid[top : top + height, left : left + width].astype(np.float32)
        face_h, face_w = found.known.shape[:2]
        face_x = back[0, 0] * x + back[0, 1] * y + back[0, 2]
        face_y = back[1, 0] * x + back[1, 1] * y + back[1, 2]
        where[..., 1] = np.clip(face_x / (face_w - 1) * 2 - 1, -1.2, 1.2)
        where[..., 2] = np.clip(face_y / (face_h - 1) * 2 - 1, -1.2, 1.2)
    fit = found.light if found is not None else common
    return light / fit.gain_at(where.reshape(-1, 3)).reshape(light.shape)


def _paste(found: Examined, odd: Singles, tile: Labels, blind: Labels, dark: Labels) -> None:
    """Lay one face's findings onto the map."""
    matrix = (_HALF @ np.vstack([found.lie.matrix(found.known.shape), [0, 0, 1]]))[:2]
    height, width = odd.shape
    inside = np.zeros(found.odd.shape, np.uint8)
    inside[3:-3, 3:-3] = 1
    corner = np.array([[0, 0, 1], [found.odd.shape[1], 0, 1], [0, found.odd.shape[0], 1],
                       [found.odd.shape[1], found.odd.shape[0], 1]]) @ matrix.T  # fmt: skip
    x0, y0 = (int(one) for one in np.clip(np.floor(corner.min(axis=0)), 0, (width - 1, height - 1)))
    x1, y1 = (int(one) for one in np.clip(np.ceil(corner.max(axis=0)) + 1, 1, (width, height)))
    moved = matrix - np.array([[0, 0, x0], [0, 0, y0]])
    size = (x1 - x0, y1 - y0)
    mask = cv2.warpAffine(inside, moved, size, flags=cv2.INTER_NEAREST) > 0
    window = slice(y0, y1), slice(x0, x1)
    odd[window][mask] = cv2.warpAffine(found.odd, moved, size, flags=cv2.INTER_LINEAR)[mask]
    unseen = cv2.warpAffine(found.blind.astype(np.uint8), moved, size, flags=cv2.INTER_NEAREST)
    blind[window][mask] = np.maximum(blind[window][mask], unseen[mask])
    bits = found.shadow * np.uint8(1) + found.darker * np.uint8(2) + found.brighter * np.uint8(4)
    dark[window][mask] = cv2.warpAffine(bits, moved, size, flags=cv2.INTER_NEAREST)[mask]
    tile[window][mask] = 1
