"""Whether a tile's print is visible where a piece should stand: then there is only light on the tile."""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import numpy as np

from vision.arrays import Bools
from vision.faces.residuals import Residual, slopes
from vision.geometry.regions import common, region_of, widened
from vision.pieces.city_map import to_map

# The width of a piece's border that is left out, px of a face, and the fewest pixels of it that are compared.
_RIM_PX, _LEAST_PX = 4, 40


def print_visibility(outline: Bools, residuals: Iterable[Residual]) -> float:
    """Return how much of the tiles' print is seen on an outline (height, width) on the city map, -1 to 1.

    Gradients are compared, not brightness: glare brightens a print but leaves its lines.
    """
    sums, whole = np.zeros(3), region_of(outline)
    for found in residuals:
        matrix, where = to_map(found, outline.shape)
        if whole is None or common(whole, where) is None:
            continue
        height, width = found.odd.shape
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        covered = cv2.warpAffine(outline[where].view(np.uint8), matrix, (width, height), flags=flags)
        inner = cv2.erode(covered, np.ones((2 * _RIM_PX + 1, 2 * _RIM_PX + 1), np.uint8)) > 0
        use = inner & ~found.blind
        if np.count_nonzero(use) >= _LEAST_PX:
            sums += _products(found, use)
    return _agreement(*sums.tolist())


def print_visibility_in_square(found: Residual, middle: tuple[float, float], edge_px: float) -> float:
    """Return how much of a face's print is seen in a square on it; see `print_visibility_within`.

    `middle` and edge in px of the face.
    """
    use = np.zeros(found.odd.shape, np.bool_)
    columns, rows = (
        slice(max(round(one - edge_px / 2), 0), max(round(one + edge_px / 2) + 1, 0)) for one in middle
    )
    use[rows, columns] = True
    return print_visibility_within(found, use)


def print_visibility_within(found: Residual, part: Bools) -> float:
    """Return how much of a face's print is seen in a part (height, width), -1 to 1; 0 in a small one."""
    use = part & ~found.blind
    return _agreement(*_products(found, use)) if np.count_nonzero(use) >= _LEAST_PX else 0.0


def _agreement(agreed: float, known: float, seen: float) -> float:
    """Return the correlation of gradients, -1 to 1, from the sums of their products."""
    return agreed / (math.sqrt(known * seen) + 1e-6)


def _products(found: Residual, use: Bools) -> tuple[float, float, float]:
    """Return the dot products of a face's gradients where they are of use: learnt by seen, and squared."""
    held = region_of(use)
    assert held is not None
    # Gradients need the pixels around them.
    region = widened(held, use.shape, (3, 3))
    learnt, here = (slopes(picture[region])[:, use[region]] for picture in (found.known, found.colours))
    return float(np.vdot(learnt, here)), float(np.vdot(learnt, learnt)), float(np.vdot(here, here))
