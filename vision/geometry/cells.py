"""Where the cells of a city are in pictures of it, and which of them are neighbours."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from companion.table_layout import TableLayout
from vision.geometry.rectify import Flat
from vision.geometry.regions import Region

# Pieces standing beside a cell may lean into it.
_MARGIN_MM = 5.0


def cell_window(flat: Flat, layout: TableLayout, cell: str) -> Region:
    """Return the part of a picture that a tile placed exactly on a cell covers."""
    x, y = layout.cells[cell]
    half = layout.tile_edge_mm / 2
    corners = flat.to_px(np.array([[x - half, y + half], [x + half, y - half]]))
    (x0, y0), (x1, y1) = np.round(corners).astype(int).clip(0)
    return slice(y0, y1), slice(x0, x1)


def cell_regions(layout: TableLayout, flat: Flat, margin_mm: float = _MARGIN_MM) -> dict[str, Region]:
    """Return the parts of a picture that hold each cell with a margin around it."""
    half = (layout.tile_edge_mm / 2 + margin_mm) * flat.px_per_mm
    regions = {}
    for name, at in layout.cells.items():
        x, y = flat.to_px(np.array(at)).tolist()
        regions[name] = (
            slice(max(int(y - half), 0), int(y + half)),
            slice(max(int(x - half), 0), int(x + half)),
        )
    return regions


def nearest_regions(layout: TableLayout, flat: Flat) -> dict[str, Region]:
    """Return for every cell the part of a picture that is nearest to it in its row of cells.

    The outer cells also get the rim of the picture, at the ends of shorter rows too: pieces lean out there.
    """
    regions: dict[str, Region] = {}
    ys = sorted({y for _, y in layout.cells.values()}, reverse=True)
    rows = _cuts([float(flat.to_px(np.array([0.0, y]))[1]) for y in ys], flat.height_px)
    for row, y in zip(rows, ys, strict=True):
        cells = sorted(
            (cell for cell, at in layout.cells.items() if at[1] == y), key=layout.cells.__getitem__
        )
        middles = [float(flat.to_px(np.array(layout.cells[cell]))[0]) for cell in cells]
        for cell, columns in zip(cells, _cuts(middles, flat.width_px), strict=True):
            regions[cell] = row, columns
    return regions


def neighbours(layout: TableLayout) -> dict[str, frozenset[str]]:
    """Return for every cell itself and its neighbours."""
    reach = 1.6 * layout.tile_edge_mm
    return {
        cell: frozenset(
            other for other, at in layout.cells.items() if abs(at[0] - x) < reach and abs(at[1] - y) < reach
        )
        for cell, (x, y) in layout.cells.items()
    }


def _cuts(middles: list[float], size: int) -> list[slice]:
    borders = [0, *(round((a + b) / 2) for a, b in pairwise(middles)), size]
    return [slice(a, b) for a, b in pairwise(borders)]
