"""Where a piece could stand without being seen: behind a dragon, or on ground of its own colour."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.profile import PieceRecord
from vision.arrays import Bools
from vision.geometry.regions import region_of, widened
from vision.geometry.silhouettes import Silhouettes
from vision.photometry.light import greatest
from vision.pieces.city_map import CityMap
from vision.pieces.figures import StandingFigure

# Colours closer than this, coded, can hardly be distinguished on a tile.
_ALIKE = 0.12
# The share of an outline that must be hidden for the rest to be overlooked. Wings hide more than their
# dragon's outline.
_LOST = {"figure": 0.6, "dragon": 0.54}
# No two dragons stand closer to each other than this, as a share of their bases.
_CLOSEST = 0.8


class Occlusion:
    """Where pieces may stand unseen in one city: behind dragons seen there, and on dark ground."""

    def __init__(self, city: CityMap, bodies: Silhouettes, dragons: Sequence[StandingFigure]) -> None:
        self._city, self._bodies, self._dragons = city, bodies, dragons
        self._behind = np.zeros(city.labels.shape, np.bool_)
        for dragon in dragons:
            self._behind |= dragon.outline
        self._hides: dict[str, bool] = {}

    def may_hold(self, piece: PieceRecord) -> bool:
        """Whether the piece may stand in the city without being seen."""
        if piece.kind not in self._hides:
            self._hides[piece.kind] = self._may_cover(piece.kind, self._behind)
        if self._hides[piece.kind]:
            return True
        if piece.kind == "dragon":
            return False  # several of its faces are visible, and no ground matches them all
        # All its faces must match the ground, those in the shade too: only dark pieces are that uniform.
        shades = np.array(sorted(piece.palette, key=sum), np.float32).reshape(-1, 3) / np.float32(255)
        dark, light = (shades[len(shades) // 4], shades[2 * len(shades) // 3]) if len(shades) else (0.0, 1.0)
        if float(np.max(light - dark)) >= 2 * _ALIKE:
            return False
        city = self._city
        apart = greatest(np.maximum(np.abs(city.colours - dark), np.abs(city.colours - light)))
        return self._may_cover(piece.kind, self._behind | (city.tile & ~city.strange & (apart < _ALIKE)))

    def _may_cover(self, kind: str, lost: Bools) -> bool:
        """Whether somewhere so much of a body is hidden that it may be overlooked."""
        around = region_of(lost)
        if around is None:
            return False
        bodies, cells = self._bodies, self._bodies.layout.cells
        middle = min(cells, key=lambda cell: float(np.hypot(*cells[cell])))
        kernel = bodies.kernel(kind, middle)
        height, width = kernel.cover.shape
        region = widened(around, lost.shape, (height, width))
        covered = cv2.filter2D(
            lost[region].astype(np.float32),
            -1,
            kernel.cover,
            anchor=(kernel.reach.column, kernel.reach.row),
            borderType=cv2.BORDER_CONSTANT,
        )
        if kind == "dragon":
            radius = round(_CLOSEST * bodies.layout.pieces.dragon_base_mm * bodies.flat.px_per_mm)
            for dragon in self._dragons:
                x, y = np.round(bodies.flat.to_px(np.array(dragon.base_mm))).astype(int).tolist()
                cv2.circle(covered, (x - region[1].start, y - region[0].start), radius, 0.0, -1)
        return bool(covered.max() > _LOST[kind] * kernel.area)
