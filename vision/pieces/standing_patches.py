"""What a recogniser of figures and dragons sees of a place where one may stand, beside what was learnt.

How patches are turned and how large they are: `vision.geometry.upright`.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import numpy as np

from calibration.profile import PieceRecord
from vision.arrays import Bools, Patches, Picture8, Singles
from vision.geometry.silhouettes import Silhouettes
from vision.geometry.upright import SIZE_PX, Upright, masked
from vision.photometry.light import leveled
from vision.photometry.palette import apart_from
from vision.pieces.box_patches import shades_of_piece
from vision.pieces.city_map import CityMap
from vision.pieces.figures import Candidate

CHANNELS = 17
"""Now and as learnt (3 each), where that is known, taken, what is taken for markers of its colour, the body,
its paint in light and in shade (3 each), how far the nearest of other pieces' colours is."""
COLOURED = (0, 3, 10, 13)
"""The first channels of the pictures in three colours."""


class StandingPatches:
    """Cuts patches from one map."""

    def __init__(self, city: CityMap, bodies: Silhouettes, pieces: Sequence[PieceRecord]) -> None:
        """Begin; `pieces` are all that are sought on the map."""
        self._city, self._bodies = city, bodies
        self._shades = [(one.name, shades_of_piece(one)) for one in pieces]
        self._taken = city.taken

    def where(self, taken: Bools) -> StandingPatches:
        """Return the same where something else is `taken`, (height, width) of the map."""
        other = copy(self)
        other._taken = taken
        return other

    def of(self, piece: PieceRecord, places: Sequence[Candidate], marked: Bools) -> Patches:
        """Return what is seen of places of a piece, (N, `CHANNELS`, size, size).

        `marked` (height, width) of the map is what is taken for markers of its colour.
        """
        patches = np.zeros((len(places), CHANNELS, SIZE_PX, SIZE_PX), np.uint8)
        others = [shade for name, shades in self._shades if name != piece.name for shade in shades]
        for patch, at in zip(patches, places, strict=True):
            self._cut(patch, piece, at, marked, others)
        return patches

    def _cut(
        self, patch: Picture8, piece: PieceRecord, at: Candidate, marked: Bools, others: Sequence[Singles]
    ) -> None:
        upright = self._upright(piece, at)
        region, moved = upright.within(marked.shape)
        body = np.zeros(marked.shape, np.bool_)
        body[at.region] = at.body
        known = self._city.is_learnt[region] & ~self._city.blind[region]
        masks = known, self._taken[region], marked[region], body[region]
        pictures = leveled(self._city.colours[region]), self._city.learnt[region]
        seen = upright.warped(np.dstack([*pictures, *map(masked, masks)]), moved)
        patch[: seen.shape[2]] = seen.transpose(2, 0, 1)
        for first, shade in zip(COLOURED[2:], shades_of_piece(piece), strict=True):
            patch[first : first + 3] = shade[:, None, None]
        patch[-1] = apart_from(np.ascontiguousarray(seen[..., :3]), others)

    def _upright(self, piece: PieceRecord, at: Candidate) -> Upright:
        """Return how the patch of a place lies on the map."""
        foot = self._city.flat.to_px(np.array(at.base_mm))
        lean = self._bodies.head_px(piece.kind, at.base_mm) - foot
        base_mm, _ = self._bodies.layout.pieces.size_of(piece.kind)
        return Upright.of(foot, lean, base_mm * self._city.flat.px_per_mm)
