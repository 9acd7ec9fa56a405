"""What covers the city: hands, arms, foreign things.

No learnt background is needed: covered is where the tiles are not seen and no known piece explains why.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import TableLayout
from vision.citymap import CityMap
from vision.explain import Examined

Bools: TypeAlias = NDArray[np.bool_]

# A hand is larger than any piece: a fingertip reaches in with two or three square centimetres.
_HAND_MM2 = 500.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """What covers the city.

    Attributes:
        foreign: (height, width) bool on the half-scale map: covered by nothing known.
        pieces: the same, covered by figures and dragons.
        hand: something as large as a hand is there.
        whole: every cell is seen but for what pieces cover.
    """

    foreign: Bools
    pieces: Bools
    hand: bool
    whole: bool

    def share_at(self, found: Examined, middle: tuple[float, float], edge: float) -> tuple[float, float]:
        """Return the shares of a square on a face that foreign things and pieces cover."""
        at = found.lie.matrix(found.known.shape) @ np.array([*middle, 1.0]) / 2 - 0.25
        half = max(edge / 4, 1.0)
        x0, x1 = max(round(at[0] - half), 0), round(at[0] + half) + 1
        y0, y1 = max(round(at[1] - half), 0), round(at[1] + half) + 1
        foreign, pieces = self.foreign[y0:y1, x0:x1], self.pieces[y0:y1, x0:x1]
        if not foreign.size:
            return 1.0, 0.0
        return float(foreign.mean()), float(pieces.mean())


def find_cover(
    city: CityMap, layout: TableLayout, outlines: Sequence[Bools], seen: AbstractSet[str]
) -> Cover:
    """Find what covers the city; `outlines` are those of figures found, `seen` the cells recognised."""
    pieces = np.zeros(city.labels.shape, bool)
    for outline in outlines:
        pieces |= outline
    around = cv2.dilate(pieces.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    strange = ((city.strange & ~city.shadow) | (city.unknown & ~city.blind)) & ~around
    opened = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    joined = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    count, patches, stats, _ = cv2.connectedComponentsWithStats(joined)
    least = _HAND_MM2 * city.flat.px_per_mm**2
    large = [index for index in range(1, count) if stats[index, cv2.CC_STAT_AREA] >= least]
    return Cover(
        foreign=np.isin(patches, large),
        pieces=pieces,
        hand=bool(large),
        whole=len(seen) == len(layout.cells) and not large,
    )
