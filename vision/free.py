"""Reading free areas: tiles and cards that lie anyhow, turned anyhow, overlapping a little.

The area is redrawn from straight above; features name the faces that lie there and where, and each is then
laid exactly and must agree block by block like the tiles of a grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.fit import View
from calibration.layout import Rectangle, TableLayout
from vision.draw import Image
from vision.features import FaceFinder
from vision.laying import Face, FineFaces, Lie, Match, soften
from vision.light import gray_of
from vision.rectify import Flat, flat_maps, flatten
from vision.scene import PX_PER_MM

_LEAST_SCORE = 0.5
_PLAIN_SCORE = 0.62
# Looked for at this size: small pictures show few features.
_ENLARGE = 2
# A piece may lie half outside of its area.
_MARGIN_MM = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Lying:
    """A piece in a free area.

    Attributes:
        face: its name, for example ``mill/sketch``.
        area: the area's name.
        x_mm, y_mm: its middle on the table.
        turn_deg: how far it is turned anticlockwise, -180 to 180, from how it lay when it was learnt.
        confidence: how surely it lies there.
    """

    face: str
    area: str
    x_mm: float
    y_mm: float
    turn_deg: float
    confidence: float


class FreeReader:
    """Reads the free areas of a layout; all faces have one size."""

    def __init__(self, layout: TableLayout, faces: Sequence[Face]) -> None:
        self._layout = layout
        self._finder = FaceFinder(faces)
        self._fine = FineFaces(faces)

    def read(self, frame: Image, view: View) -> list[Lying]:
        """Return what lies in the areas of a frame (height, width, 3) that `view` is the camera of."""
        return [
            lying
            for name, area in self._layout.areas.items()
            for lying in self._area(frame, view, name, area)
        ]

    def _area(self, frame: Image, view: View, name: str, area: Rectangle) -> list[Lying]:
        half_x, half_y = area.width_mm / 2 + _MARGIN_MM, area.height_mm / 2 + _MARGIN_MM
        flat = Flat.around(
            area.x_mm - half_x,
            area.x_mm + half_x,
            area.y_mm - half_y,
            area.y_mm + half_y,
            PX_PER_MM,
            self._layout.pieces.tile_thickness_mm,
        )
        picture = flatten(frame, flat_maps(view, flat))
        size = (flat.width_px * _ENLARGE, flat.height_px * _ENLARGE)
        large = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC), np.uint8)
        starts = []
        for one in self._finder.find(large):
            x, y = ((at + 0.5) / _ENLARGE - 0.5 for at in one.middle_px)
            starts.append((one.face, Lie(x_px=x, y_px=y, turn=one.turn)))
        matches = self._fine.lay_all(soften(gray_of(picture)), starts)
        return [
            self._lying(match, flat, name)
            for match in sorted(matches, key=lambda match: -match.score)
            if match.score > _LEAST_SCORE and _is_inside(match, flat, area)
        ]

    def _lying(self, match: Match, flat: Flat, area: str) -> Lying:
        x, y = flat.to_mm(np.array([match.lie.x_px, match.lie.y_px])).tolist()
        # Pixels run down, the table's y runs away.
        turn = -np.degrees(match.lie.turn)
        return Lying(
            face=self._finder.faces[match.face].name,
            area=area,
            x_mm=x,
            y_mm=y,
            turn_deg=float((turn + 180) % 360 - 180),
            confidence=0.99 if match.score > _PLAIN_SCORE else 0.95,
        )


def _is_inside(match: Match, flat: Flat, area: Rectangle) -> bool:
    """Whether a piece's middle lies in the area: what lies beside it belongs elsewhere."""
    x, y = flat.to_mm(np.array([match.lie.x_px, match.lie.y_px])).tolist()
    return bool(abs(x - area.x_mm) <= area.width_mm / 2 and abs(y - area.y_mm) <= area.height_mm / 2)
