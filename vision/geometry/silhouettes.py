"""What figures and dragons occlude as seen by a camera: upright bodies, leaning away from it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_pose import CameraPose
from companion.table_layout import PieceSizes, TableLayout
from vision.arrays import Bools, Floats, Labels, Singles
from vision.geometry.rectify import Flat, leaning
from vision.geometry.regions import Region

Slopes: TypeAlias = NDArray[np.floating[Any] | np.integer[Any]]  # the type in OpenCV's stubs

Shape: TypeAlias = Sequence[tuple[float, float]]
"""An upright body from foot to top: height and half width, as shares of its height and its base."""

USUAL: Final[Mapping[str, Shape]] = {
    "figure": ((0.0, 0.5), (0.12, 0.5), (0.35, 0.33), (0.65, 0.27), (0.85, 0.36), (0.96, 0.28)),
    "dragon": ((0.0, 0.5), (0.3, 0.5), (0.6, 0.42), (0.9, 0.25)),
}
"""The shapes that bodies are taken to have where theirs was not learnt."""


def body(sizes: PieceSizes, kind: str, shape: Shape = ()) -> list[tuple[float, float]]:
    """Return (height, half width) in mm of discs that make up a figure or a dragon."""
    shares, (base, height) = shape or USUAL[kind], sizes.size_of(kind)
    levels = np.linspace(0, shares[-1][0], 12)
    widths = np.interp(levels, [level for level, _ in shares], [width for _, width in shares])
    return [(float(level * height), float(width * base)) for level, width in zip(levels, widths, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far a body on a cell reaches.

    Attributes:
        column, row: where in the picture of the body its base is.
        width, height: of that picture.
        base: where its base may be on the map, x0, y0, x1, y1.
        region: the part of the map that it may cover from there.
    """

    column: int
    row: int
    width: int
    height: int
    base: tuple[int, int, int, int]
    region: Region


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """What a body on a cell covers.

    Attributes:
        reach: how far it reaches.
        cover: 1 where it covers something, (height, width).
        area: how many pixels are covered.
    """

    reach: Reach
    cover: Singles
    area: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Rim:
    """The border of a silhouette, arrays of (height, width).

    Attributes:
        weight: how much each pixel belongs to the border.
        level, slant: `weight` times the cosine and sine of twice the border's direction.
        length: of the whole border, as sum of the weights.
    """

    weight: Singles
    level: Singles
    slant: Singles
    length: float


def rim_of(cover: Singles) -> Rim:
    """Return the border of a body's silhouette (height, width)."""
    soft = cv2.GaussianBlur(cover, (0, 0), 1.0)
    across, down = (cv2.Sobel(soft, cv2.CV_32F, *way, ksize=3) for way in ((1, 0), (0, 1)))
    height = np.hypot(across, down)
    weight = height / height.max()
    level, slant = without_sign(weight, across, down)
    return Rim(weight=np.asarray(weight, np.float32), level=level, slant=slant, length=float(weight.sum()))


def without_sign(weight: Slopes, across: Slopes, down: Slopes) -> tuple[Singles, Singles]:
    """Return weights times cosine and sine of twice the gradient direction: opposite ones count as equal."""
    height = np.maximum(np.hypot(across, down), np.float32(1e-6))
    across, down = across / height, down / height
    level, slant = weight * (across * across - down * down), weight * 2 * across * down
    return np.asarray(level, np.float32), np.asarray(slant, np.float32)


class Silhouettes:
    """What bodies cover as seen by one camera, computed once for each cell: it hardly varies within one."""

    def __init__(
        self,
        camera: CameraPose,
        layout: TableLayout,
        flat: Flat,
        shapes: Mapping[str, Shape] = MappingProxyType({}),
    ) -> None:
        """Begin; `flat` is the map's, `shapes` are those of figures and dragons, as far as they are known."""
        self.layout = layout
        self.flat = flat
        eye = camera.eye_mm
        self._eye = flat.to_px(eye[:2])
        # How far each disc of a body leans, and its radius, px.
        self._discs: dict[str, tuple[Floats, Floats]] = {}
        for kind in ("figure", "dragon"):
            heights, widths = np.array(body(layout.pieces, kind, shapes.get(kind, ()))).T
            leans = np.asarray(leaning(eye, flat.height_mm + heights, flat.height_mm), np.float64)
            self._discs[kind] = leans[:, None], widths[:, None] * flat.px_per_mm
        self._reaches: dict[tuple[str, str], Reach] = {}
        self._kernels: dict[tuple[str, str], Kernel] = {}
        self._rims: dict[tuple[str, str], Rim] = {}

    def reach(self, kind: str, cell: str) -> Reach:
        """Return how far a body on a cell reaches."""
        known = self._reaches.get((kind, cell))
        if known is None:
            known = self._reaches[kind, cell] = self._reach(kind, cell)
        return known

    def _reach(self, kind: str, cell: str) -> Reach:
        middle = self.layout.cells[cell]
        left, top, width, height = _frame(self._rings(kind, self.flat.to_px(np.array(middle))), 2)
        half = self.layout.tile_edge_mm / 2 + 2.0
        corners = np.array([[middle[0] - half, middle[1] + half], [middle[0] + half, middle[1] - half]])
        low, high = self.flat.to_px(corners)
        (x0, y0), (x1, y1) = np.floor(low).astype(int).tolist(), np.ceil(high).astype(int).tolist()
        return Reach(
            column=left,
            row=top,
            width=width,
            height=height,
            base=(x0, y0, x1, y1),
            region=(
                slice(max(y0 - top, 0), max(y1 + height - top, 0)),
                slice(max(x0 - left, 0), max(x1 + width - left, 0)),
            ),
        )

    def kernel(self, kind: str, cell: str) -> Kernel:
        """Return what a body at the middle of a cell covers."""
        known = self._kernels.get((kind, cell))
        if known is None:
            middle = self.flat.to_px(np.array(self.layout.cells[cell]))
            _, _, mask = _drawn(self._rings(kind, middle), 2)
            known = self._kernels[kind, cell] = Kernel(
                reach=self.reach(kind, cell),
                cover=mask.astype(np.float32),
                area=float(np.count_nonzero(mask)),
            )
        return known

    def rim(self, kind: str, cell: str) -> Rim:
        """Return the border of a body at the middle of a cell."""
        known = self._rims.get((kind, cell))
        if known is None:
            known = self._rims[kind, cell] = rim_of(self.kernel(kind, cell).cover)
        return known

    def outline(self, kind: str, base_mm: tuple[float, float], rim_px: int = 0) -> tuple[Region, Bools]:
        """Return the part of the map around a body that stands at a place, and what it covers there.

        Around the body there are `rim_px` more, as far as the map goes.
        """
        base = self.flat.to_px(np.array(base_mm))
        whole = np.floor(base)
        left, top, mask = _drawn(self._rings(kind, base) + np.array([*(base - whole), 0.0]), rim_px + 1)
        x0, y0 = int(whole[0]) - left, int(whole[1]) - top
        rows = slice(max(y0, 0), min(max(y0 + mask.shape[0], 0), self.flat.height_px))
        columns = slice(max(x0, 0), min(max(x0 + mask.shape[1], 0), self.flat.width_px))
        inside = mask[rows.start - y0 : rows.stop - y0, columns.start - x0 : columns.stop - x0]
        return (rows, columns), np.ascontiguousarray(inside) > 0

    def head_px(self, kind: str, base_mm: tuple[float, float]) -> Floats:
        """Return where on the map the top of a body that stands at a place appears, x and y."""
        base = self.flat.to_px(np.array(base_mm))
        return np.asarray(base + self._rings(kind, base)[-1, :2], np.float64)

    def _rings(self, kind: str, base_px: Floats) -> Floats:
        """Return where a body's discs appear, x and y from its base on, and their radii, (N, 3) px."""
        leans, radii = self._discs[kind]
        return np.hstack([(base_px - self._eye) * leans, radii])


def _frame(rings: Floats, rim_px: int) -> tuple[int, int, int, int]:
    """Return where the origin of discs (N, 3) is in a picture of them, column and row, and its size."""
    low, high = (rings[:, :2] - rings[:, 2:]).min(axis=0), (rings[:, :2] + rings[:, 2:]).max(axis=0)
    left, top = (math.ceil(-one) + rim_px for one in low.tolist())
    width, height = (
        math.ceil(one) + start + rim_px + 1 for one, start in zip(high.tolist(), (left, top), strict=True)
    )
    return left, top, width, height


def _drawn(rings: Floats, rim_px: int) -> tuple[int, int, Labels]:
    """Return discs (N, 3) drawn with a rim around them, and the column and row of their origin."""
    left, top, width, height = _frame(rings, rim_px)
    mask = np.zeros((height, width), np.uint8)
    for x, y, radius in np.round((rings + np.array([left, top, 0.0])) * 8).astype(int).tolist():
        cv2.circle(mask, (x, y), max(radius, 4), 1, -1, shift=3)
    return left, top, mask
