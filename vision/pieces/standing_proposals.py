"""Proposes places of a piece wherever something may stand, whatever colour that seems to be of.

A search by colour fails where colour tells little: white on pale print, in the shade and in glare, or between
dragons. There the network that looks at places is asked on which of many a piece stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from vision.arrays import Singles
from vision.pieces.figures import Candidate, Ground, candidate, covered
from vision.pieces.standing_measures import Look, Sought
from vision.pieces.standing_patches import StandingPatches

PROPOSED = 4
"""So many places of each piece are proposed by their looks."""
# Places are looked at so far from each other, in bases; around the best of each cell half as far.
_STEP = 0.7
# Nothing stands where more than this share of a body is as the tile was learnt, and nothing is seen of a body
# of which known pieces cover more than the second.
_BARE, _COVERED = 0.6, 0.85
# So many places on the map are looked at, those first of which most is strange; and the best cells once more.
_MOST, _ONCE_MORE = 64, 4
# What seems less likely is not proposed.
_HARDLY = 0.02

Base: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Seen:
    """A place on a cell, how likely it looks, and how much of a body there is strange."""

    cell: str
    base_mm: Base
    strange: float = 0.0
    chance: float = 0.0


class Proposer:
    """Proposes places of one piece by how they look."""

    def __init__(
        self, sought: Sought, coloured: Iterable[Candidate], patches: StandingPatches, look: Look
    ) -> None:
        """Prepare; `patches` cuts what is seen on the map, and `look` looks at it.

        `coloured` are places that may show its colour; they are looked at, too.
        """
        self._sought, self._patches, self._look = sought, patches, look
        self._coloured = [_Seen(one.cell, one.base_mm) for one in coloured]
        # Whatever may be of its colour shows something of it.
        self._paint = replace(sought.paint, is_loose=True)

    def places(self, ground: Ground) -> dict[str, Candidate | None]:
        """Return the likeliest place on each of a ground's cells, None where nothing can stand."""
        found: dict[str, Candidate | None] = dict.fromkeys(ground.cells)
        coloured = [one for one in self._coloured if one.cell in found]
        first = _first_looked_at(ground, self._sought)
        best = _best(self._looked_at(ground, [*coloured, *first]))
        near = [beside for one in best[:_ONCE_MORE] for beside in _around(ground, one)]
        likely = [one for one in _best([*best, *self._looked_at(ground, near)]) if one.chance > _HARDLY]
        if likely:
            speaks = ground.speaks(self._paint)
            found |= {one.cell: self._candidate(ground, one, speaks) for one in likely}
        return found

    def _looked_at(self, ground: Ground, places: Sequence[_Seen]) -> list[_Seen]:
        if not places:
            return []
        bodies = [_body(ground, one.cell, one.base_mm) for one in places]
        chances = self._look(self._patches.of(self._sought.piece, bodies, self._sought.marked))
        return [replace(one, chance=chance) for one, chance in zip(places, chances.tolist(), strict=True)]

    def _candidate(self, ground: Ground, seen: _Seen, speaks: Singles) -> Candidate:
        share = ground.share_at(speaks, _body(ground, seen.cell, seen.base_mm))
        found = candidate(
            ground.city, ground.bodies, self._paint, ground.kind, seen.cell, seen.base_mm, share
        )
        return replace(found, look=seen.chance)


def bases_looked_at(ground: Ground) -> list[Base]:
    """Return the bases, mm, of the places that are looked at first, whatever is seen there."""
    return [one.base_mm for one in _first_looked_at(ground)]


def _first_looked_at(ground: Ground, sought: Sought | None = None) -> list[_Seen]:
    places = [one for cell in ground.cells for one in _open(ground, cell, sought)]
    return sorted(places, key=lambda one: -one.strange)[:_MOST]


def _open(ground: Ground, cell: str, sought: Sought | None) -> Iterator[_Seen]:
    """Yield the places on a cell where a piece may stand and be seen: that which is `sought`, or any."""
    city, bodies = ground.city, ground.bodies
    kernel = bodies.kernel(ground.kind, cell)
    reach = kernel.reach
    there = city.cut(reach.region)
    odd, gone = there.strange, there.taken
    if sought is not None:
        # Nobody knows what is strange on an unknown tile, but not all of it is of the piece's colour. What is
        # taken for its markers may be the piece.
        odd = odd | (there.unknown & replace(sought.paint, is_loose=True).is_on(there))
        gone = gone & ~sought.marked[reach.region]
    bare, hidden, strange = (
        covered(np.asarray(one, np.float32), reach, kernel.cover) / np.float32(kernel.area)
        for one in (there.tile & ~there.strange & ~there.blind, gone, odd & ~gone)
    )
    step = max(round(_step_mm(ground) * bodies.flat.px_per_mm), 1)
    rows, columns = (np.arange(size % step // 2 + step // 2, size, step) for size in bare.shape)
    places = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
    picked = tuple(places.T[::-1])
    free = (bare[picked] < _BARE) & (hidden[picked] < _COVERED)
    millimetres = bodies.flat.to_mm(places + np.array(reach.base[:2], np.float64))
    for (x, y), share in zip(millimetres[free].tolist(), strange[picked][free].tolist(), strict=True):
        yield _Seen(cell, (x, y), share)


def _around(ground: Ground, seen: _Seen) -> Iterator[_Seen]:
    """Yield places close to one, on its cell."""
    middle, half = ground.bodies.layout.cells[seen.cell], ground.bodies.layout.tile_edge_mm / 2
    step = _step_mm(ground) / 2
    for across in (-step, 0.0, step):
        for up in (-step, 0.0, step):
            x, y = seen.base_mm[0] + across, seen.base_mm[1] + up
            if (across or up) and max(abs(x - middle[0]), abs(y - middle[1])) <= half:
                yield replace(seen, base_mm=(x, y), chance=0.0)


def _step_mm(ground: Ground) -> float:
    base_mm, _ = ground.bodies.layout.pieces.size_of(ground.kind)
    return _STEP * base_mm


def _best(places: Sequence[_Seen]) -> list[_Seen]:
    """Return the likeliest place of each cell, the likeliest first."""
    best: dict[str, _Seen] = {}
    for one in sorted(places, key=lambda one: -one.chance):
        best.setdefault(one.cell, one)
    return list(best.values())


def _body(ground: Ground, cell: str, base_mm: Base) -> Candidate:
    """Return a body at a place of which nothing is measured."""
    region, body = ground.bodies.outline(ground.kind, base_mm, 1)
    return Candidate(share=0.0, cell=cell, base_mm=base_mm, spill=0.0, fit=0.0, region=region, body=body)
