"""Finding figures frame after frame: a cell is searched again only where the map around it has changed."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table import Place
from vision.arrays import Bools
from vision.geometry.regions import Region, widened
from vision.geometry.silhouettes import Silhouettes
from vision.pieces.city_map import CityMap
from vision.pieces.figures import Candidate, Ground, Paint, Standing, candidates, strongest

# What lies so far outside of a piece's outline still has a say, px of the map.
_RIM_PX = 10


class Finder:
    """Searches the maps of one view, each in turn, for each of the pieces."""

    def __init__(self, bodies: Silhouettes) -> None:
        self._bodies = bodies
        self._known: dict[Place, dict[str, Candidate | None]] = {}
        self._taken: dict[str, Bools] = {}
        self._found: dict[Place, Standing | None] = {}

    def find(self, kind: str, paints: Mapping[Place, Paint], city: CityMap) -> dict[Place, Standing | None]:
        """Return where each piece of a kind most likely stands, None when its colour is hardly anywhere.

        `city` must be the map drawn after the one of the call before for this kind, or the same again.
        """
        cells, before = self._bodies.layout.cells, self._taken.get(kind)
        fresh = city.fresh if before is None else city.fresh | (city.taken ^ before)
        self._taken[kind] = city.taken
        counts = np.asarray(cv2.integral(fresh.view(np.uint8)), np.int32)
        edges = _RIM_PX, _RIM_PX
        stale = [
            cell
            for cell in cells
            if before is None
            or _has_any(counts, widened(self._bodies.reach(kind, cell).region, fresh.shape, edges))
        ]
        ground = Ground(city, self._bodies, kind, stale)
        return {name: self._find(name, paint, ground, counts) for name, paint in paints.items()}

    def _find(self, name: Place, paint: Paint, ground: Ground, counts: NDArray[np.int32]) -> Standing | None:
        """Return where one piece stands; on the ground it is searched again, `counts` tells what is fresh."""
        known = self._known.setdefault(name, {})
        left = [known.get(cell) for cell in ground.cells]
        new = candidates(ground, paint)
        known |= new
        if name in self._found and not any((*left, *new.values())):
            found = self._found[name]
            # What its patches hang together with lies no farther off than its own size.
            if found is None or not _has_any(counts, found.around):
                return found
        places = [known[cell] for cell in self._bodies.layout.cells]
        found = self._found[name] = strongest(ground.city, self._bodies, paint, ground.kind, places)
        return found


def _has_any(counts: NDArray[np.int32], region: Region) -> bool:
    """Whether anything is set in a part of a mask of which the integral is given."""
    (top, end), (left, right) = ((one.start, one.stop) for one in region)
    return bool(counts[end, right] - counts[top, right] - counts[end, left] + counts[top, left])
