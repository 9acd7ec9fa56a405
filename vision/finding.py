"""Finding figures frame after frame: a cell is searched again only where the map around it has changed."""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.citymap import CityMap
from vision.figures import Candidate, Paint, Standing, find_standing
from vision.silhouettes import Silhouettes

Bools: TypeAlias = NDArray[np.bool_]

# What lies so far outside of a piece's outline still has a say, px of the map.
_RIM_PX = 10


class Finder:
    """Searches the maps of one view, each in turn, for each of the pieces."""

    def __init__(self, bodies: Silhouettes) -> None:
        self._bodies = bodies
        self._known: dict[str, dict[str, Candidate | None]] = {}
        self._taken: dict[str, Bools] = {}

    def find(self, name: str, kind: str, paint: Paint, city: CityMap) -> Standing | None:
        """Return where a piece most likely stands, None when its colour is hardly anywhere.

        `city` must be the map drawn after the one of the call before, or the same again.
        """
        known = self._known.setdefault(name, {})
        before = self._taken.get(name)
        fresh = city.fresh if before is None else city.fresh | (city.taken ^ before)
        self._taken[name] = city.taken
        counts = cv2.integral(fresh.astype(np.uint8))
        for cell in list(known):
            rows, columns = self._bodies.reach(kind, cell).part
            top, left = max(rows.start - _RIM_PX, 0), max(columns.start - _RIM_PX, 0)
            end = min(rows.stop + _RIM_PX, fresh.shape[0]), min(columns.stop + _RIM_PX, fresh.shape[1])
            if counts[end] - counts[top, end[1]] - counts[end[0], left] + counts[top, left]:
                del known[cell]
        return find_standing(city, self._bodies, paint, kind, known=known)
