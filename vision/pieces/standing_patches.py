"""What a recogniser of figures and dragons sees of a place where one may stand, beside what was learnt.

Every patch is turned so that the body leans towards its upper edge, and is as large as the body makes it:
pieces of any size and cameras at any angle give patches of one kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import cv2
import numpy as np

from calibration.profile import PieceRecord
from vision.arrays import Bools, Floats, Labels, Patches, Picture8, Singles
from vision.geometry.regions import Region
from vision.geometry.silhouettes import Silhouettes
from vision.photometry.light import leveled
from vision.pieces.box_patches import apart_from, shades_of_piece
from vision.pieces.city_map import CityMap
from vision.pieces.figures import Candidate

SIZE_PX = 32
"""Edge of a patch."""
CHANNELS = 17
"""Now and as learnt (3 each), where that is known, taken, what is taken for markers of its colour, the body,
its paint in light and in shade (3 each), how far the nearest of other pieces' colours is."""
COLOURED = (0, 3, 10, 13)
"""The first channels of the pictures in three colours."""
# Rows of the patch between which a body stands, its foot on the lower one, and the column it stands in.
_TOP, _FOOT, _MIDDLE = 7.0, 26.0, 15.5


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
        matrix, scale = self._to_map(piece, at)
        region, moved = _around(matrix, scale, marked.shape)
        body = np.zeros(marked.shape, np.bool_)
        body[at.region] = at.body
        known = self._city.is_learnt[region] & ~self._city.blind[region]
        masks = known, self._taken[region], marked[region], body[region]
        pictures = leveled(self._city.colours[region]), self._city.learnt[region]
        seen = _warped(np.dstack([*pictures, *map(_mask, masks)]), moved, scale)
        patch[: seen.shape[2]] = seen.transpose(2, 0, 1)
        for first, shade in zip(COLOURED[2:], shades_of_piece(piece), strict=True):
            patch[first : first + 3] = shade[:, None, None]
        patch[-1] = apart_from(np.ascontiguousarray(seen[..., :3]), others)

    def _to_map(self, piece: PieceRecord, at: Candidate) -> tuple[Floats, float]:
        """Return the map (2, 3) from pixels of the patch to those of the map, and how many one of them is."""
        foot = self._city.flat.to_px(np.array(at.base_mm))
        lean = self._bodies.head_px(piece.kind, at.base_mm) - foot
        length = float(np.hypot(*lean))
        up = lean / length if length > 1 else np.array([0.0, -1.0])
        base_mm, _ = self._bodies.layout.pieces.size_of(piece.kind)
        base = base_mm * self._city.flat.px_per_mm
        scale = (length + base) / (_FOOT - _TOP)
        right, down = np.array([-up[1], up[0]]) * scale, -up * scale
        # The base's lower edge is on the patch's foot.
        start = foot - up * base / 2 - right * _MIDDLE - down * _FOOT
        return np.column_stack([right, down, start]), scale


def _mask(where: Bools) -> Labels:
    return np.where(where, np.uint8(255), np.uint8(0))


def _around(matrix: Floats, scale: float, shape: tuple[int, ...]) -> tuple[Region, Floats]:
    """Return the part of a map (height, width) that a patch shows, and from the patch to that part."""
    edges = matrix @ np.array([[0, 0, 1], [SIZE_PX, 0, 1], [0, SIZE_PX, 1], [SIZE_PX, SIZE_PX, 1]]).T
    rim, size = round(scale) + 1, np.array(shape[1::-1])
    left, top = (int(one) for one in np.clip(np.floor(edges.min(axis=1)) - rim, 0, size - 1))
    right, below = (int(one) for one in np.clip(np.ceil(edges.max(axis=1)) + rim, 1, size))
    moved = matrix - np.array([[0, 0, left], [0, 0, top]])
    return (slice(top, max(below, top + 1)), slice(left, max(right, left + 1))), moved


def _warped(layers: Labels, matrix: Floats, scale: float) -> Labels:
    """Return a patch (size, size, N) of layers (height, width, N); beyond them is nothing."""
    size, flags = (SIZE_PX, SIZE_PX), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    reach = max(round(scale), 1)
    soft = layers if reach == 1 else np.asarray(cv2.blur(layers, (reach, reach)), np.uint8)
    # OpenCV moves four channels at a time.
    parts = [
        cv2.warpAffine(np.ascontiguousarray(soft[..., first : first + 4]), matrix, size, flags=flags)
        for first in range(0, soft.shape[2], 4)
    ]
    return np.asarray(np.dstack(parts), np.uint8)
