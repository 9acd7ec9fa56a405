"""One frame, redrawn as seen from straight above: the city and the board with boxes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from calibration.fit import View
from calibration.layout import BoxBoard, TableLayout
from vision.laying import soften
from vision.light import glare, gray_of
from vision.rectify import Flat, Maps, flat_maps, flatten
from vision.silhouettes import Silhouettes
from vision.tiles import Fields

Singles: TypeAlias = NDArray[np.float32]
Bools: TypeAlias = NDArray[np.bool_]
Picture8: TypeAlias = NDArray[np.uint8]

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


class Surveyor:
    """Redraws frames of one view; keeps the maps, which cost more than a frame.

    Attributes:
        view: the camera over the table.
        flat: the window of the city.
        bodies: what figures cover on the city at half scale.
    """

    def __init__(self, layout: TableLayout, view: View) -> None:
        self.view = view
        city = Flat.around(*layout.extent_mm(MARGIN_MM), PX_PER_MM, layout.pieces.tile_thickness_mm)
        self.flat = city
        self._city = city, flat_maps(view, city)
        self.bodies = Silhouettes(view, layout, city.halved())
        self._board = None
        if layout.board is not None:
            flat = board_flat(layout.board)
            self._board = flat, flat_maps(view, flat)

    def city(self, frame: Picture8) -> Plane:
        """Return the city of a frame (height, width, 3) uint8."""
        return plane_of(frame, *self._city)

    def board(self, frame: Picture8) -> Plane | None:
        """Return the board of a frame, None when the layout has none."""
        return None if self._board is None else plane_of(frame, *self._board)


def board_flat(board: BoxBoard) -> Flat:
    """Return the window of the board with a margin for lying askew."""
    area, margin = board.area, MARGIN_MM
    return Flat.around(
        area.x_mm - area.width_mm / 2 - margin,
        area.x_mm + area.width_mm / 2 + margin,
        area.y_mm - area.height_mm / 2 - margin,
        area.y_mm + area.height_mm / 2 + margin,
        PX_PER_MM,
        board.thickness_mm,
    )


def plane_of(frame: Picture8, flat: Flat, maps: Maps) -> Plane:
    """Return a window of a frame (height, width, 3) uint8, `maps` being those of its `flat`."""
    picture = flatten(frame, maps)
    blind = glare(picture, _GLARE_MM2 * flat.px_per_mm**2)
    return Plane(flat=flat, picture=picture, soft=soften(gray_of(picture)), blind=blind)
