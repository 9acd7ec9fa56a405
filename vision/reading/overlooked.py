"""Figures that were not found because what is seen of them is taken for something of their colour.

A figure beside its player's markers looks like one marker more, and a figure in a dragon's colour like a part
of that dragon. So each figure that was not found is sought once more as if nothing of its colour were
explained, and the recogniser looks at what is found. What it takes for the figure is not surely a marker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from calibration.profile import PieceRecord
from companion.table import Place, parts_of, place
from vision.arrays import Patches, Singles
from vision.pieces.city_map import CityMap
from vision.pieces.figures import Candidate, Ground, StandingFigure, are_apart, candidate, candidates, stand
from vision.pieces.standing_measures import OF_COLOUR
from vision.pieces.standing_patches import StandingPatches
from vision.reading.faces import Faces, markers_of_label, plain_markers
from vision.reading.rig import Rig

# A body hides what it covers by more than this share.
_HIDES = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlooked:
    """Where a figure may stand that was not found.

    Attributes:
        places: the places, and how likely it stands at each.
        standing: the figure at the likeliest of them.
    """

    places: tuple[tuple[Candidate, float], ...]
    standing: StandingFigure

    @property
    def chance(self) -> float:
        """How likely it stands at any of them."""
        return sum(chance for _, chance in self.places)

    def chance_of(self, is_there: Callable[[Candidate], bool]) -> float:
        """Return how likely it stands at certain places; `is_there` tells which these are."""
        return sum(chance for at, chance in self.places if is_there(at))

    def is_of(self, standing: StandingFigure) -> float:
        """Return how likely it is what is taken for another piece: stands where that would be.

        A figure farther off may stand behind that piece.
        """
        return self.chance_of(
            lambda at: (
                not are_apart(at.base_mm, standing.base_mm)
                and float(standing.outline[at.region][at.body].mean()) > _HIDES
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SoughtAgain:
    """A figure that is sought as if nothing of its colour were explained.

    Attributes:
        piece: the figure.
        free: the map on which it is sought.
        places: where it may stand, the likeliest first, and `patches` how each of them looks.
    """

    piece: PieceRecord
    free: CityMap
    places: list[Candidate]
    patches: Patches


def overlooked_figures(
    rig: Rig,
    faces: Faces,
    city: CityMap,
    standing: Mapping[Place, StandingFigure],
    sure: Mapping[Place, float],
) -> dict[Place, Overlooked]:
    """Return the figures that may have been overlooked; `sure` tells how surely pieces were found `standing`.

    Without models nothing is overlooked.
    """
    if not rig.library.standing.is_trained:
        return {}
    return {at: _judged(rig, one) for at, one in figures_sought_again(rig, faces, city, standing, sure)}


def figures_sought_again(
    rig: Rig,
    faces: Faces,
    city: CityMap,
    standing: Mapping[Place, StandingFigure],
    sure: Mapping[Place, float],
) -> Iterator[tuple[Place, SoughtAgain]]:
    """Yield the figures that were not found where something of their colour is; see `overlooked_figures`."""
    figures = {place(one.kind, one.name): one for one in rig.library.profile.pieces if one.kind == "figure"}
    made_out = {at: standing[at] for at, one in sure.items() if one > 0}
    lost = {at: one for at, one in figures.items() if at not in made_out}
    if not lost:
        return
    dragons = {one.cell for at, one in made_out.items() if at not in figures}
    found = [one.outline for at, one in made_out.items() if at in figures]
    cutter = StandingPatches(city, rig.bodies, list(figures.values()))
    for at, piece in lost.items():
        paint = rig.library.paint_of(piece)
        taken = np.logical_or.reduce([plain_markers(faces, but=paint.label), *found])
        free = replace(city, taken=np.asarray(taken, np.bool_))
        near = dragons | {parts_of(where)[0] for where, _ in faces.markers_of(paint.label)}
        ground = Ground(free, rig.bodies, piece.kind, _cells_near(rig, near))
        loose = replace(paint, is_loose=True)
        known = sorted(filter(None, candidates(ground, loose).values()), key=lambda one: -one.strength)
        if known:
            marked = markers_of_label(faces, paint.label)
            patches = cutter.where(free.taken).of(piece, known[:OF_COLOUR], marked)
            yield at, SoughtAgain(piece=piece, free=free, places=known, patches=patches)


def _cells_near(rig: Rig, near: set[str]) -> list[str]:
    """Return the cells that are beside some, or among them."""
    return [cell for cell in rig.layout.cells if not near.isdisjoint(rig.beside[cell])]


def chance_of_find(
    rig: Rig, faces: Faces, city: CityMap, piece: PieceRecord, standing: StandingFigure
) -> float:
    """Return how likely it is a figure that was found on a map, by what the recogniser sees there alone."""
    figures = [one for one in rig.library.profile.pieces if one.kind == piece.kind]
    paint = rig.library.paint_of(piece)
    marked = markers_of_label(faces, paint.label)
    patches = StandingPatches(city, rig.bodies, figures)
    cell, base_mm, share = standing.cell, standing.base_mm, standing.share
    found = candidate(city, rig.bodies, paint, piece.kind, cell, base_mm, share)
    return float(rig.library.standing.told_by_patches(patches.of(piece, [found], marked))[0])


def _judged(rig: Rig, sought: SoughtAgain) -> Overlooked:
    """Return what the recogniser makes of the places of a figure."""
    library, piece = rig.library, sought.piece
    chances = _shared(library.standing.told_by_patches(sought.patches))
    places = sorted(zip(sought.places, chances.tolist(), strict=False), key=lambda one: -one[1])
    paint, first = library.paint_of(piece), places[0][0]
    standing = stand(sought.free, rig.bodies, paint, piece.kind, first, sought.places)
    return Overlooked(places=tuple(places), standing=standing)


def _shared(chances: Singles) -> Singles:
    """Return how likely each of some places (N,) is, of which one at most is true, from each by itself."""
    odds = chances / np.maximum(1 - chances, 1e-6)
    return np.asarray(odds / (1 + odds.sum()), np.float32)
