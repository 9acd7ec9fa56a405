"""What figures and dragons cover as a camera sees them: upright bodies, leaning away from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fit import View
from calibration.layout import PieceSizes, TableLayout
from vision.rectify import Flat, lean

Singles: TypeAlias = NDArray[np.float32]
Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]

# Half widths of the bodies by height, as shares of base and height.
_FIGURE = ((0.0, 0.5), (0.12, 0.5), (0.35, 0.33), (0.65, 0.27), (0.85, 0.36), (0.96, 0.28))
_DRAGON = ((0.0, 0.5), (0.3, 0.5), (0.6, 0.42), (0.9, 0.25))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """What a body on a cell covers.

    Attributes:
        cover: 1 where it covers something, (height, width).
        column, row: where in it the base is.
        area: how many pixels are covered.
        base: where on the map its base may be, x0, y0, x1, y1.
        part: the part of the map that it then may cover.
    """

    cover: Singles
    column: int
    row: int
    area: float
    base: tuple[int, int, int, int]
    part: tuple[slice, slice]


class Silhouettes:
    """What bodies cover as seen by one camera. They hardly change within a cell and are kept for each."""

    def __init__(self, view: View, layout: TableLayout, flat: Flat) -> None:
        """Begin; `flat` is the map's."""
        self.layout = layout
        self.flat = flat
        self._view = view
        self._discs = {kind: np.array(body(layout.pieces, kind)) for kind in ("figure", "dragon")}
        self._kernels: dict[tuple[str, str], Kernel] = {}

    def kernel(self, kind: str, cell: str) -> Kernel:
        """Return what a body at the middle of a cell covers."""
        known = self._kernels.get((kind, cell))
        if known is None:
            known = self._kernels[kind, cell] = self._kernel(kind, cell)
        return known

    def _kernel(self, kind: str, cell: str) -> Kernel:
        flat, middle = self.flat, self.layout.cells[cell]
        rings = self._rings(kind, middle)
        x, y, radius = rings.T
        left, top = int(np.ceil((radius - x).max())) + 1, int(np.ceil((radius - y).max())) + 1
        width = left + int(np.ceil((x + radius).max())) + 2
        height = top + int(np.ceil((y + radius).max())) + 2
        mask = np.zeros((height, width), np.uint8)
        for at_x, at_y, r in (rings + np.array([left, top, 0.0])).tolist():
            cv2.circle(mask, (round(at_x * 8), round(at_y * 8)), max(round(r * 8), 4), 1, -1, shift=3)
        half = self.layout.tile_edge_mm / 2 + 2.0
        x0, y0 = np.floor(flat.to_px(np.array([middle[0] - half, middle[1] + half]))).astype(int).tolist()
        x1, y1 = np.ceil(flat.to_px(np.array([middle[0] + half, middle[1] - half]))).astype(int).tolist()
        return Kernel(
            cover=mask.astype(np.float32),
            column=left,
            row=top,
            area=float(mask.sum()),
            base=(x0, y0, x1, y1),
            part=(
                slice(max(y0 - top, 0), max(y1 + height - top, 0)),
                slice(max(x0 - left, 0), max(x1 + width - left, 0)),
            ),
        )

    def outline(self, kind: str, base_mm: tuple[float, float]) -> Bools:
        """Return what a body standing at a place covers, (height, width) of the map."""
        mask = np.zeros((self.flat.height_px, self.flat.width_px), np.uint8)
        base = self.flat.to_px(np.array(base_mm))
        for x, y, radius in (self._rings(kind, base_mm) + np.array([*base, 0.0])).tolist():
            cv2.circle(mask, (round(x * 8), round(y * 8)), max(round(radius * 8), 4), 1, -1, shift=3)
        return mask > 0

    def _rings(self, kind: str, base_mm: tuple[float, float]) -> Floats:
        """Return where a body's discs appear, x and y from its base on, and their radii, (N, 3) px."""
        flat, discs = self.flat, self._discs[kind]
        tops = lean(self._view, np.array([base_mm]), flat.height_mm + discs[:, :1], flat.height_mm)
        off = flat.to_px(tops) - flat.to_px(np.array(base_mm))
        return np.column_stack([off, discs[:, 1] * flat.px_per_mm])
