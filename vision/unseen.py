"""Where a piece could stand without being seen: behind a dragon, or on ground of its own colour."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.profile import PieceRecord
from vision.citymap import CityMap
from vision.light import greatest
from vision.silhouettes import Silhouettes

Bools: TypeAlias = NDArray[np.bool_]

# Colours no further apart than this, coded, are hardly told apart on a tile.
_ALIKE = 0.12
# So much of an outline must be out of sight for the rest to be overlooked.
_LOST = 0.6


def may_be_unseen(city: CityMap, bodies: Silhouettes, piece: PieceRecord, hiding: Iterable[Bools]) -> bool:
    """Whether the piece may stand in the city though nothing shows it.

    `hiding` are the outlines, (height, width) of the map, of what it could stand behind.
    """
    lost = np.zeros(city.labels.shape, np.bool_)
    for outline in hiding:
        lost |= outline
    # All its faces must be like the ground, lit ones and those in the shade: only dark pieces are so even.
    shades = np.array(sorted(piece.palette, key=sum), np.float32).reshape(-1, 3) / np.float32(255)
    dark, light = (shades[len(shades) // 4], shades[2 * len(shades) // 3]) if len(shades) else (0.0, 1.0)
    if float(np.max(light - dark)) < 2 * _ALIKE:
        apart = greatest(np.maximum(np.abs(city.colours - dark), np.abs(city.colours - light)))
        lost |= city.tile & ~city.strange & (apart < _ALIKE)
    if not lost.any():
        return False
    cells = bodies.layout.cells
    middle = min(cells, key=lambda cell: float(np.hypot(*cells[cell])))
    kernel = bodies.kernel(piece.kind, middle)
    covered = cv2.filter2D(
        lost.astype(np.float32),
        -1,
        kernel.cover,
        anchor=(kernel.reach.column, kernel.reach.row),
        borderType=cv2.BORDER_CONSTANT,
    )
    return bool(covered.max() > _LOST * kernel.area)
