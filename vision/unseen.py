"""Where a piece could stand without being seen: behind a dragon, or on ground of its own colour."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.profile import PieceRecord
from vision.citymap import CityMap
from vision.figures import Standing
from vision.light import greatest
from vision.parts import widened
from vision.silhouettes import Silhouettes

# Colours no further apart than this, coded, are hardly told apart on a tile.
_ALIKE = 0.12
# So much of an outline must be out of sight for the rest to be overlooked.
# Wings hide more than their dragon's outline.
_LOST = {"figure": 0.6, "dragon": 0.54}
# No two dragons stand closer to each other than this, as a share of their bases.
_CLOSEST = 0.8


def may_be_unseen(
    city: CityMap, bodies: Silhouettes, piece: PieceRecord, dragons: Sequence[Standing]
) -> bool:
    """Whether the piece may stand in the city though nothing shows it, as behind the `dragons` seen."""
    lost = np.zeros(city.labels.shape, np.bool_)
    for dragon in dragons:
        lost |= dragon.outline
    # All its faces must be like the ground, lit ones and those in the shade: only dark pieces are so even.
    shades = np.array(sorted(piece.palette, key=sum), np.float32).reshape(-1, 3) / np.float32(255)
    dark, light = (shades[len(shades) // 4], shades[2 * len(shades) // 3]) if len(shades) else (0.0, 1.0)
    if float(np.max(light - dark)) < 2 * _ALIKE:
        apart = greatest(np.maximum(np.abs(city.colours - dark), np.abs(city.colours - light)))
        lost |= city.tile & ~city.strange & (apart < _ALIKE)
    rows, columns = (np.flatnonzero(lost.any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return False
    cells = bodies.layout.cells
    middle = min(cells, key=lambda cell: float(np.hypot(*cells[cell])))
    kernel = bodies.kernel(piece.kind, middle)
    lost_part = slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)
    height, width = kernel.cover.shape
    part = widened(lost_part, lost.shape, (height, width))
    covered = cv2.filter2D(
        lost[part].astype(np.float32),
        -1,
        kernel.cover,
        anchor=(kernel.reach.column, kernel.reach.row),
        borderType=cv2.BORDER_CONSTANT,
    )
    if piece.kind == "dragon":
        radius = round(_CLOSEST * bodies.layout.pieces.dragon_base_mm * bodies.flat.px_per_mm)
        for dragon in dragons:
            x, y = np.round(bodies.flat.to_px(np.array(dragon.base_mm))).astype(int).tolist()
            cv2.circle(covered, (x - part[1].start, y - part[0].start), radius, 0.0, -1)
    return bool(covered.max() > _LOST[piece.kind] * kernel.area)
