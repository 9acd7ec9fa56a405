"""One frame, redrawn as seen from straight above: the city and the board with boxes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce

import numpy as np

from calibration.camera_pose import CameraPose
from calibration.layout import BoxBoard, TableLayout
from vision.arrays import Bools, Picture8, Singles
from vision.capture.image_pyramid import REDUCTION, ImagePyramid, smoothed
from vision.faces.registration import soften
from vision.faces.tiles import Fields
from vision.geometry.cells import cell_regions, nearest_regions
from vision.geometry.change_detection import ChangeDetector
from vision.geometry.rectify import Flat, Maps, flat_maps, flatten
from vision.geometry.regions import Region, widened
from vision.geometry.silhouettes import Silhouettes
from vision.photometry.light import gray_of, over_area, unusable

PX_PER_MM = 1.6
MARGIN_MM = 14.0
# Larger than a white figure seen from the side.
_GLARE_MM2 = 400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plane:
    """A window of the frame at one height.

    Attributes:
        flat: ties its pixels to millimetres.
        picture: (height, width, 3) uint8.
        soft: its brightness, softened for laying faces.
        blind: (height, width) bool, glare and what is outside the frame.
    """

    flat: Flat
    picture: Picture8
    soft: Singles
    blind: Bools

    def fields(self) -> Fields:
        """Return what tiles are compared with."""
        return Fields(self.soft)


class Window:
    """A window of the table in frames of one view, redrawn only where it has changed.

    Keeps the maps, which cost more than a frame.

    Attributes:
        flat: ties its pixels to millimetres.
    """

    def __init__(self, camera: CameraPose, flat: Flat, regions: Mapping[str, Region] | None = None) -> None:
        """Begin with nothing seen; `regions` of the window, by name, are looked at each by itself."""
        self.flat = flat
        self._view = camera
        self._maps = flat_maps(camera, flat)
        whole = slice(0, flat.height_px), slice(0, flat.width_px)
        self._changes = ChangeDetector({"all": whole} if regions is None else regions)
        self._glance: tuple[Maps, int] | None = None
        self._plane: Plane | None = None
        self._useless: Bools | None = None

    def changed(self, frame: ImagePyramid) -> frozenset[str]:
        """Return the parts that look otherwise than when this was asked before and they had changed."""
        if self._glance is None:
            small = self.flat.reduced(REDUCTION)
            halvings = _halvings(self._view, small)
            self._glance = flat_maps(self._view, small, halvings), halvings
        maps, halvings = self._glance
        return self._changes.changed(smoothed(flatten(frame.times(halvings), maps)))

    def plane(self, frame: Picture8, redraw: Iterable[Region] | None = None) -> Plane:
        """Return the window of a frame (height, width, 3) uint8.

        With `redraw` only those parts of it are drawn anew; the rest remains as it was drawn last.
        """
        if self._plane is None or self._useless is None or redraw is None:
            picture = flatten(frame, self._maps)
            self._useless = unusable(picture)
            self._plane = self._drawn(picture, soften(gray_of(picture)), self._useless)
            return self._plane
        if not (regions := _together(redraw)):
            return self._plane
        # What was handed out before remains as it is.
        picture, soft = self._plane.picture.copy(), self._plane.soft.copy()
        for region in regions:
            picture[region] = flatten(frame, (self._maps[0][region], self._maps[1][region]))
            self._useless[region] = unusable(picture[region])
        for region in regions:
            # What is softened needs what is beside it.
            wide = widened(region, soft.shape, (2, 2))
            top, left = (one.start - start.start for one, start in zip(region, wide, strict=True))
            height, width = soft[region].shape
            softened = soften(gray_of(picture[wide]))
            soft[region] = softened[top : top + height, left : left + width]
        self._plane = self._drawn(picture, soft, self._useless)
        return self._plane

    def _drawn(self, picture: Picture8, soft: Singles, useless: Bools) -> Plane:
        blind = over_area(useless, _GLARE_MM2 * self.flat.px_per_mm**2)
        return Plane(flat=self.flat, picture=picture, soft=soft, blind=blind)


class Surveyor:
    """Redraws frames of one view.

    Attributes:
        camera: the camera over the table.
        flat: the window of the city.
        bodies: what figures cover on the city at half scale.
    """

    def __init__(self, layout: TableLayout, camera: CameraPose) -> None:
        self.camera = camera
        self.flat = Flat.around(*layout.extent_mm(MARGIN_MM), PX_PER_MM, layout.pieces.tile_thickness_mm)
        self._city = Window(camera, self.flat, cell_regions(layout, self.flat))
        self.bodies = Silhouettes(camera, layout, self.flat.halved())
        self._board = None if layout.board is None else Window(camera, board_flat(layout.board))
        # All that may be looked at when a cell is read, and drawn with it.
        wide, nearest = cell_regions(layout, self.flat, MARGIN_MM), nearest_regions(layout, self.flat)
        self._around = {cell: _hull(wide[cell], nearest[cell]) for cell in layout.cells}

    def changed(self, frame: ImagePyramid) -> frozenset[str]:
        """Return the cells that look otherwise than when this was asked before and they had changed."""
        return self._city.changed(frame)

    def city(self, frame: Picture8, cells: Iterable[str] | None = None) -> Plane:
        """Return the city of a frame (height, width, 3) uint8; with `cells` only these are drawn anew."""
        return self._city.plane(frame, None if cells is None else [self._around[cell] for cell in cells])

    def is_board_changed(self, frame: ImagePyramid) -> bool:
        """Whether the board looks otherwise than when this was asked before and it had changed."""
        return self._board is not None and bool(self._board.changed(frame))

    def board(self, frame: Picture8) -> Plane | None:
        """Return the board of a frame, None when the layout has none."""
        return None if self._board is None else self._board.plane(frame)


def _halvings(camera: CameraPose, small: Flat) -> int:
    """Return how often a frame can be halved before a picture so small is drawn from it."""
    middle = np.array([small.width_px, small.height_px]) / 2
    ends = small.to_mm(middle + np.eye(3, 2, k=-1))
    at = camera.project(np.column_stack([ends, np.full(3, small.height_mm)]))
    least_px = float(np.hypot(*(at[1:] - at[0]).T).min())
    return max(round(math.log2(max(least_px, 1.0))), 0)


def _hull(one: Region, other: Region) -> Region:
    """Return the smallest part that holds two."""
    rows, columns = (
        slice(min(a.start, b.start), max(a.stop, b.stop)) for a, b in zip(one, other, strict=True)
    )
    return rows, columns


def _together(regions: Iterable[Region]) -> list[Region]:
    """Return the parts, or the one that holds all of them if that is the smaller."""
    some = list(regions)
    if len(some) < 2:
        return some
    whole = reduce(_hull, some)
    return [whole] if _area(whole) < sum(map(_area, some)) else some


def _area(region: Region) -> int:
    return math.prod(one.stop - one.start for one in region)


def board_flat(board: BoxBoard, margin: float = MARGIN_MM) -> Flat:
    """Return the window of the board with a margin, mm, for lying askew."""
    area = board.area
    return Flat.around(
        area.x_mm - area.width_mm / 2 - margin,
        area.x_mm + area.width_mm / 2 + margin,
        area.y_mm - area.height_mm / 2 - margin,
        area.y_mm + area.height_mm / 2 + margin,
        PX_PER_MM,
        board.thickness_mm,
    )


def plane_of(frame: Picture8, camera: CameraPose, flat: Flat) -> Plane:
    """Return a window of a frame (height, width, 3) uint8, once."""
    return Window(camera, flat).plane(frame)
