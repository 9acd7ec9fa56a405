"""Finding figures frame after frame: a cell is searched again only where the map around it has changed."""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.citymap import CityMap
from vision.figures import Candidate, Paint, Standing, find_standing
from vision.parts import Part, widened
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
        self._found: dict[str, Standing | None] = {}

    def find(self, name: str, kind: str, paint: Paint, city: CityMap) -> Standing | None:
        """Return where a piece most likely stands, None when its colour is hardly anywhere.

        `city` must be the map drawn after the one of the call before, or the same again.
        """
        known = self._known.setdefault(name, {})
        before = self._taken.get(name)
        fresh = city.fresh if before is None else city.fresh | (city.taken ^ before)
        self._taken[name] = city.taken
        counts = np.asarray(cv2.integral(fresh.view(np.uint8)), np.int32)
        for cell in list(known):
            part = self._bodies.reach(kind, cell).part
            if _has_any(counts, widened(part, fresh.shape, (_RIM_PX, _RIM_PX))):
                del known[cell]
        if name in self._found and len(known) == len(self._bodies.layout.cells):
            found = self._found[name]
            # What its patches hang together with lies no farther off than its own size.
            if found is None or not _has_any(counts, found.around):
                return found
        found = self._found[name] = find_standing(city, self._bodies, paint, kind, known=known)
        return found


def _has_any(counts: NDArray[np.int32], part: Part) -> bool:
    """Whether anything is set in a part of a mask of which the integral is given."""
    (top, end), (left, right) = ((one.start, one.stop) for one in part)
    return bool(counts[end, right] - counts[top, right] - counts[end, left] + counts[top, left])
