"""Finding figures and dragons: upright pieces of a known colour and size, wherever on the city they stand.

Seen from the side a figure covers what is behind it. Where it stands is told by its base, not by its middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fit import View
from calibration.layout import PieceSizes, TableLayout
from vision.citymap import CityMap
from vision.palette import NOTHING
from vision.rectify import lean

Singles: TypeAlias = NDArray[np.float32]
Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]

# Half widths of the bodies by height, as shares of base and height.
_FIGURE = ((0.0, 0.5), (0.12, 0.5), (0.35, 0.33), (0.65, 0.27), (0.85, 0.36), (0.96, 0.28))
_DRAGON = ((0.0, 0.5), (0.3, 0.5), (0.6, 0.42), (0.9, 0.25))


@dataclass(frozen=True, slots=True, kw_only=True)
class Paint:
    """A piece's colour: its label, how little of it the tiles show, 0 to 1, and if it is nearly white."""

    label: int
    rarity: float = 1.0
    is_light: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A figure found.

    Attributes:
        cell: the cell its base stands on.
        base_mm: where.
        share: how much of its outline shows it, at most 1.
        rival: the best share on any other cell.
        spill: how much of the rim around the outline shows its colour: a figure ends, an arm does not.
        outline: (height, width) bool on the map, what it covers, and what of its colour reaches out.
    """

    cell: str
    base_mm: tuple[float, float]
    share: float
    rival: float
    spill: float
    outline: Bools


def body(sizes: PieceSizes, kind: str) -> list[tuple[float, float]]:
    """Return (height, half width) in mm of discs that make up a figure or a dragon."""
    shares, base, height = (
        (_DRAGON, sizes.dragon_base_mm, sizes.dragon_height_mm)
        if kind == "dragon"
        else (_FIGURE, sizes.figure_base_mm, sizes.figure_height_mm)
    )
    levels = np.linspace(0, shares[-1][0], 12)
    widths = np.interp(levels, [level for level, _ in shares], [width for _, width in shares])
    return [(float(level * height), float(width * base)) for level, width in zip(levels, widths, strict=True)]


def outline_at(
    city: CityMap, view: View, base_mm: tuple[float, float], discs: Sequence[tuple[float, float]]
) -> Bools:
    """Return what a body standing at a place covers on the map."""
    mask = np.zeros(city.labels.shape, np.uint8)
    for height, half in discs:
        top = lean(view, np.array([base_mm]), city.flat.height_mm + height, city.flat.height_mm)
        x, y = city.flat.to_px(top)[0]
        radius = max(round(half * city.flat.px_per_mm * 8), 4)
        cv2.circle(mask, (round(x * 8), round(y * 8)), radius, 1, -1, shift=3)
    return mask > 0


def evidence(city: CityMap, paint: Paint) -> tuple[Singles, Singles]:
    """Return how much each pixel speaks for a piece of this colour, -0.5 to 1, and how much its word weighs.

    On an unrecognised tile a rare colour says more. What is only darker than the tile is no light piece.
    """
    own = city.labels == paint.label
    speaks = np.where(own, np.float32(0.45), np.float32(-0.1))
    speaks[own & city.unknown] = 0.45 + 0.45 * paint.rarity
    explained = city.tile & ~city.strange
    speaks[explained] = np.where(own[explained], 0.1, -0.5)
    speaks[city.strange] = np.where(own[city.strange], 1.0, 0.1)
    speaks[own & city.strange & (city.darker if paint.is_light else city.shadow)] = 0.3
    # Another piece may stand in front.
    other = city.strange & ~own & (city.labels != NOTHING)
    speaks[other] = 0.0
    weight = np.where(city.tile | city.unknown, np.float32(1.0), np.float32(0.3))
    quiet = city.blind | city.taken
    weight[quiet] = 0.3
    speaks[quiet] = 0.0
    return speaks, weight


def find_standing(
    city: CityMap,
    view: View,
    layout: TableLayout,
    paint: Paint,
    kind: str,
    cells: Sequence[str] | None = None,
) -> Standing | None:
    """Return where a piece most likely stands, None when its colour is hardly anywhere."""
    label, speaks = paint.label, evidence(city, paint)
    discs = body(layout.pieces, kind)
    found: list[tuple[float, str, tuple[float, float], float]] = []
    for cell in cells if cells is not None else layout.cells:
        best = _best_on(city, view, layout, cell, speaks, discs)
        if best is not None and best[0] > 0.2:
            spill = _spill(city, outline_at(city, view, best[1], discs), label)
            found.append((best[0], cell, best[1], spill))
    if not found:
        return None
    # An arm of the same colour shows more of it than any figure: it is told by having no end.
    found.sort(key=lambda one: -(one[0] - max(one[3] - 0.15, 0.0) * 2))
    share, cell, base, spill = found[0]
    others = [one[0] for one in found[1:] if _apart(one[2], base) and one[3] < 0.35]
    outline = outline_at(city, view, base, discs)
    return Standing(
        cell=cell,
        base_mm=base,
        share=share,
        rival=max(others, default=0.0),
        spill=spill,
        outline=outline | _reaching_out(city, outline, label),
    )


def _reaching_out(city: CityMap, outline: Bools, label: int) -> Bools:
    """Return what is of the figure's colour and hangs together with its outline: wings, tails, crests."""
    near = cv2.dilate(outline.astype(np.uint8), np.ones((15, 15), np.uint8)) > 0
    own = near & (city.labels == label) & (city.strange | city.unknown)
    _, patches = cv2.connectedComponents((own | outline).astype(np.uint8))
    touched = np.unique(patches[outline])
    return np.asarray(np.isin(patches, touched[touched > 0]) & own, np.bool_)


def _spill(city: CityMap, outline: Bools, label: int) -> float:
    """Return the share of the rim, some millimetres off the outline, that is strange and of this colour."""
    near = cv2.dilate(outline.astype(np.uint8), np.ones((7, 7), np.uint8))
    far = cv2.dilate(near, np.ones((5, 5), np.uint8))
    rim = (far > near) & ~city.blind & city.tile
    return float(((city.labels == label) & city.strange)[rim].mean()) if rim.sum() >= 20 else 0.0


def _apart(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two places are so far apart that they cannot be the same piece seen twice."""
    return float(np.hypot(one[0] - other[0], one[1] - other[1])) > 20.0


def _best_on(
    city: CityMap,
    view: View,
    layout: TableLayout,
    cell: str,
    speaks: tuple[Singles, Singles],
    discs: Sequence[tuple[float, float]],
) -> tuple[float, tuple[float, float]] | None:
    """Return the best share and place with the base on this cell."""
    middle = layout.cells[cell]
    half = layout.tile_edge_mm / 2 + 2.0
    kernel, anchor = _kernel(city, view, middle, discs)
    x0, y0 = np.floor(city.flat.to_px(np.array([middle[0] - half, middle[1] + half]))).astype(int)
    x1, y1 = np.ceil(city.flat.to_px(np.array([middle[0] + half, middle[1] - half]))).astype(int)
    left, top = anchor
    start_y, start_x = max(y0 - top, 0), max(x0 - left, 0)
    part = (
        slice(start_y, max(y1 + kernel.shape[0] - top, 0)),
        slice(start_x, max(x1 + kernel.shape[1] - left, 0)),
    )
    window, weight = speaks[0][part], speaks[1][part]
    if not window.size or float((window > 0.4).sum()) < 0.25 * float(kernel.sum()):
        return None
    score = _filtered(window * weight, kernel, anchor) / (_filtered(weight, kernel, anchor) + 1e-3)
    inside = score[max(y0 - start_y, 0) : y1 - start_y, max(x0 - start_x, 0) : x1 - start_x]
    if not inside.size:
        return None
    row, column = np.unravel_index(int(np.argmax(inside)), inside.shape)
    place = city.flat.to_mm(np.array([max(x0, start_x) + column, max(y0, start_y) + row], np.float64))
    return float(inside[row, column]), (float(place[0]), float(place[1]))


def _filtered(field: Singles, kernel: Singles, anchor: tuple[int, int]) -> Singles:
    edge = cv2.BORDER_CONSTANT
    return np.asarray(cv2.filter2D(field, -1, kernel, anchor=anchor, borderType=edge), np.float32)


def _kernel(
    city: CityMap, view: View, middle: tuple[float, float], discs: Sequence[tuple[float, float]]
) -> tuple[Singles, tuple[int, int]]:
    """Return the outline of a body at the cell's middle and the column and row of its base in it."""
    base = city.flat.to_px(np.array([middle]))[0]
    points = []
    for height, half in discs:
        top = lean(view, np.array([middle]), city.flat.height_mm + height, city.flat.height_mm)
        points.append((*(city.flat.to_px(top)[0] - base), half * city.flat.px_per_mm))
    reach = np.array([[x - r, y - r, x + r, y + r] for x, y, r in points])
    left, top_ = int(np.ceil(-reach[:, 0].min())) + 1, int(np.ceil(-reach[:, 1].min())) + 1
    width, height_px = left + int(np.ceil(reach[:, 2].max())) + 2, top_ + int(np.ceil(reach[:, 3].max())) + 2
    mask = np.zeros((height_px, width), np.uint8)
    for x, y, radius in points:
        cv2.circle(
            mask, (round((x + left) * 8), round((y + top_) * 8)), max(round(radius * 8), 4), 1, -1, shift=3
        )
    return mask.astype(np.float32), (left, top_)
