"""One frame, redrawn as seen from straight above: the city and the board with boxes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np

from calibration.camera_pose import CameraPose
from companion.table_layout import BoxBoard, TableLayout
from vision.arrays import Bools, Picture8, Singles
from vision.capture.image_pyramid import REDUCTION, ImagePyramid, smoothed
from vision.faces.registration import soften
from vision.faces.tiles import Fields
from vision.geometry.cells import cell_regions, nearest_regions
from vision.geometry.change_detection import ChangeDetector
from vision.geometry.rectify import Flat, Maps, flat_maps, flatten
from vision.geometry.regions import Region, widened
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
        soft: its brightness, softened for registering faces.
        blind: (height, width) bool, glare, and pixels outside the frame.
    """

    flat: Flat
    picture: Picture8
    soft: Singles
    blind: Bools

    def fields(self) -> Fields:
        """Return the picture that tiles are compared with."""
        return Fields(self.soft)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnWindow:
    """A window as it was drawn, and what is needed to redraw parts of it.

    Attributes:
        plane: the window.
        useless: (height, width) bool, burnt out, black or outside the frame, including specks.
    """

    plane: Plane
    useless: Bools


class Window:
    """A window of the table for one camera pose, with its maps: computing them takes longer than a frame.

    Attributes:
        flat: ties its pixels to millimetres.
    """

    def __init__(self, camera: CameraPose, flat: Flat, regions: Mapping[str, Region] | None = None) -> None:
        """Begin; changes are detected separately in each of the named `regions` of the window."""
        self.flat = flat
        self._camera = camera
        self._maps = flat_maps(camera, flat)
        whole = slice(0, flat.height_px), slice(0, flat.width_px)
        self._changes = ChangeDetector({"all": whole} if regions is None else regions)

    @cached_property
    def _glance(self) -> tuple[Maps, int]:
        """The maps of the reduced window, and how often a frame is halved before."""
        small = self.flat.reduced(REDUCTION)
        halvings = _halvings(self._camera, small)
        return flat_maps(self._camera, small, halvings), halvings

    def changed(self, frame: ImagePyramid, read: Picture8 | None) -> tuple[frozenset[str], Picture8]:
        """Return the regions that look different from when they were read, and how all look now.

        `read` is what this method returned for the previous frame, None = nothing was read yet.
        """
        maps, halvings = self._glance
        return self._changes.changed(smoothed(flatten(frame.times(halvings), maps)), read)

    def draw(self, frame: Picture8) -> DrawnWindow:
        """Return the window of a frame (height, width, 3) uint8."""
        picture = flatten(frame, self._maps)
        return self._drawn(picture, soften(gray_of(picture)), unusable(picture))

    def redraw(self, frame: Picture8, before: DrawnWindow, regions: Iterable[Region]) -> DrawnWindow:
        """Return the window of a frame with only some regions redrawn; the rest is taken from before."""
        if not (parts := _together(regions)):
            return before
        picture, soft = before.plane.picture.copy(), before.plane.soft.copy()
        useless = before.useless.copy()
        for part in parts:
            picture[part] = flatten(frame, (self._maps[0][part], self._maps[1][part]))
            useless[part] = unusable(picture[part])
        for part in parts:
            # Softening needs the pixels around a region.
            wide = widened(part, soft.shape, (2, 2))
            top, left = (one.start - start.start for one, start in zip(part, wide, strict=True))
            height, width = soft[part].shape
            softened = soften(gray_of(picture[wide]))
            soft[part] = softened[top : top + height, left : left + width]
        return self._drawn(picture, soft, useless)

    def _drawn(self, picture: Picture8, soft: Singles, useless: Bools) -> DrawnWindow:
        blind = over_area(useless, _GLARE_MM2 * self.flat.px_per_mm**2)
        return DrawnWindow(
            plane=Plane(flat=self.flat, picture=picture, soft=soft, blind=blind), useless=useless
        )


class Surveyor:
    """Redraws frames of one camera pose.

    Attributes:
        camera: the camera over the table.
        flat: the window of the city.
        city, board: their windows; None if the layout has no board.
    """

    def __init__(self, layout: TableLayout, camera: CameraPose) -> None:
        self.camera = camera
        self.flat = Flat.around(*layout.extent_mm(MARGIN_MM), PX_PER_MM, layout.pieces.tile_thickness_mm)
        self.city = Window(camera, self.flat, cell_regions(layout, self.flat))
        self.board = None if layout.board is None else Window(camera, board_flat(layout.board))
        # Everything that reading a cell may use; it is drawn with the cell.
        wide, nearest = cell_regions(layout, self.flat, MARGIN_MM), nearest_regions(layout, self.flat)
        self._around = {cell: _hull(wide[cell], nearest[cell]) for cell in layout.cells}

    def draw_city(
        self, frame: Picture8, before: DrawnWindow | None = None, cells: Iterable[str] = ()
    ) -> DrawnWindow:
        """Return the city of a frame (height, width, 3) uint8; on an earlier one only `cells` are redrawn."""
        if before is None:
            return self.city.draw(frame)
        return self.city.redraw(frame, before, [self._around[cell] for cell in cells])


def _halvings(camera: CameraPose, small: Flat) -> int:
    """Return how often a frame can be halved before a picture of this scale is drawn from it."""
    middle = np.array([small.width_px, small.height_px]) / 2
    ends = small.to_mm(middle + np.eye(3, 2, k=-1))
    at = camera.project(np.column_stack([ends, np.full(3, small.height_mm)]))
    least_px = float(np.hypot(*(at[1:] - at[0]).T).min())
    return max(round(math.log2(max(least_px, 1.0))), 0)


def _hull(one: Region, other: Region) -> Region:
    """Return the smallest part that contains both."""
    rows, columns = (
        slice(min(a.start, b.start), max(a.stop, b.stop)) for a, b in zip(one, other, strict=True)
    )
    return rows, columns


def _together(regions: Iterable[Region]) -> list[Region]:
    """Return the parts, or the one that contains all of them if its area is smaller."""
    some = list(regions)
    if len(some) < 2:
        return some
    whole = reduce(_hull, some)
    return [whole] if _area(whole) < sum(map(_area, some)) else some


def _area(region: Region) -> int:
    return math.prod(one.stop - one.start for one in region)


def board_flat(board: BoxBoard, margin: float = MARGIN_MM) -> Flat:
    """Return the window of the board with a margin, mm, in case it lies askew."""
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
    """Return a window of a single frame (height, width, 3) uint8."""
    return Window(camera, flat).draw(frame).plane
