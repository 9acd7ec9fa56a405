"""Finding figures frame after frame: a cell is searched again only where the map around it has changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table import Place, kind_of
from vision.arrays import Bools
from vision.geometry.regions import Region, widened
from vision.geometry.silhouettes import Silhouettes
from vision.pieces.city_map import CityMap
from vision.pieces.figures import Candidate, Ground, Paint, StandingFigure, candidates, strongest
from vision.pieces.standing_proposals import Proposer

_Search: TypeAlias = Callable[[Ground], dict[str, Candidate | None]]

# Pixels up to this far outside a piece's outline still matter, px of the map.
_RIM_PX = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What was found on the maps before.

    Attributes:
        known: the best place of every piece on each cell searched, None where nothing resembles it.
        taken: by kind of piece what was known to be covered when it was searched for.
        found: every piece where it most likely stood.
    """

    known: Mapping[Place, Mapping[str, Candidate | None]] = field(default_factory=dict)
    taken: Mapping[str, Bools] = field(default_factory=dict)
    found: Mapping[Place, StandingFigure | None] = field(default_factory=dict)

    def but(self, kind: str) -> Searched:
        """Return the same without what is known of the places of pieces of a kind."""
        return replace(self, known={name: one for name, one in self.known.items() if kind_of(name) != kind})


@dataclass(frozen=True, slots=True, kw_only=True)
class _News:
    """What has changed since the map before: the cells to be searched again; `counts` marks what is new."""

    stale: list[str]
    counts: NDArray[np.int32]


class Finder:
    """Searches the maps of one camera pose, each in turn, for each of the pieces."""

    def __init__(self, bodies: Silhouettes) -> None:
        self._bodies = bodies

    def find(self, kind: str, paints: Mapping[Place, Paint], city: CityMap, before: Searched) -> Searched:
        """Return where each piece of a kind most likely stands, None when its colour is hardly anywhere.

        `city` must be the map drawn after the one of the call `before` for this kind, or the same again.
        """
        news = self._news(kind, city, before)
        now, found = self._searched(kind, _by_colour(paints), city, before, news), dict(before.found)
        for name, paint in paints.items():
            if not self._stays(name, before, now, news):
                places = [now.known[name][cell] for cell in self._bodies.layout.cells]
                found[name] = strongest(city, self._bodies, paint, kind, places)
        return replace(now, found=found)

    def search(self, kind: str, paints: Mapping[Place, Paint], city: CityMap, before: Searched) -> Searched:
        """Return the best places of those pieces of a kind that are sought, as `find` does, without a choice.

        Others may be sought on each map.
        """
        return self._searched(kind, _by_colour(paints), city, before, self._news(kind, city, before))

    def propose(
        self, kind: str, proposers: Mapping[Place, Proposer], city: CityMap, before: Searched
    ) -> Searched:
        """Return the places of some pieces of a kind that look likeliest, whatever their colour."""
        searches = {name: one.places for name, one in proposers.items()}
        return self._searched(kind, searches, city, before, self._news(kind, city, before))

    def _searched(
        self, kind: str, searches: Mapping[Place, _Search], city: CityMap, before: Searched, news: _News
    ) -> Searched:
        cells = list(self._bodies.layout.cells)
        ground = cache(lambda *some: Ground(city, self._bodies, kind, some))
        # Of a piece of this kind that is not sought now nothing is known any more the next time.
        known = dict(before.but(kind).known)
        for name, search in searches.items():
            left = before.known.get(name, {})
            known[name] = {**left, **search(ground(*(news.stale if left else cells)))}
        return replace(before, known=known, taken={**before.taken, kind: city.taken})

    def _news(self, kind: str, city: CityMap, before: Searched) -> _News:
        taken = before.taken.get(kind)
        fresh = city.fresh if taken is None else city.fresh | (city.taken ^ taken)
        counts, edges = np.asarray(cv2.integral(fresh.view(np.uint8)), np.int32), (_RIM_PX, _RIM_PX)
        stale = [
            cell
            for cell in self._bodies.layout.cells
            if taken is None
            or _has_any(counts, widened(self._bodies.reach(kind, cell).region, fresh.shape, edges))
        ]
        return _News(stale=stale, counts=counts)

    def _stays(self, name: Place, before: Searched, now: Searched, news: _News) -> bool:
        """Whether a piece is where it was."""
        if name not in before.found:
            return False
        if any(seen.known[name].get(cell) for seen in (before, now) for cell in news.stale):
            return False
        found = before.found[name]
        # Connected patches lie no farther away than the piece's own size.
        return found is None or not _has_any(news.counts, found.around)


def _by_colour(paints: Mapping[Place, Paint]) -> dict[Place, _Search]:
    return {name: partial(candidates, paint=paint) for name, paint in paints.items()}


def _has_any(counts: NDArray[np.int32], region: Region) -> bool:
    """Whether anything is set in a part of a mask, given the mask's integral image."""
    (top, end), (left, right) = ((one.start, one.stop) for one in region)
    return bool(counts[end, right] - counts[top, right] - counts[end, left] + counts[top, left])
