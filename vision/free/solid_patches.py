"""What a recogniser of discs and of what stands sees of a place where a piece may be, beside what is printed.

How patches are turned and how large they are: `vision.geometry.upright`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.free_pieces import Shape
from vision.arrays import Bools, Labels, Patches, Picture8, Singles
from vision.geometry.upright import SIZE_PX, Upright, masked
from vision.photometry.light import leveled
from vision.photometry.palette import NOTHING, Shade, light_and_shade

CHANNELS: Final = 18
"""Now and as printed (3 each), where something known lies, where what is seen is not that, what has the paint
of the piece, what has another one's, where it looks a little different from what is known, the body, its
paint in light and in shade (3 each)."""
COLOURED: Final = (0, 3, 12, 15)
"""The first channels of the pictures in three colours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolidPlace:
    """A place where a piece may be.

    Attributes:
        paint: number of its paint.
        shape: of the piece.
        at_mm: the middle of its base on the table, x and y.
        upright: how it would be seen in the rectified picture.
    """

    paint: int
    shape: Shape
    at_mm: tuple[float, float]
    upright: Upright


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A rectified picture in the light that faces were learnt in, all (height, width).

    Attributes:
        now, printed: (height, width, 3) coded colours: what is seen, and what is printed there.
        covered: where something known lies.
        strange, faint: where what is seen is not that, surely and perhaps.
        labels: numbers of the paints that are seen.
    """

    now: Singles
    printed: Singles
    covered: Bools
    strange: Bools
    faint: Bools
    labels: Labels


class SolidPatches:
    """Cuts patches from one picture."""

    def __init__(self, seen: Seen, paints: Sequence[Sequence[Shade]]) -> None:
        """Begin; `paints` are the shades of each."""
        self._seen = seen
        self._shades = [light_and_shade(one) for one in paints]

    def of(self, places: Sequence[SolidPlace]) -> Patches:
        """Return what is seen of places, (N, `CHANNELS`, size, size)."""
        patches = np.zeros((len(places), CHANNELS, SIZE_PX, SIZE_PX), np.uint8)
        for patch, one in zip(patches, places, strict=True):
            self._cut(patch, one)
        return patches

    def _cut(self, patch: Picture8, place: SolidPlace) -> None:
        seen, upright = self._seen, place.upright
        region, moved = upright.within(seen.labels.shape)
        labels = seen.labels[region]
        mine = labels == place.paint
        masks = (
            seen.covered[region],
            seen.strange[region],
            mine,
            (labels != NOTHING) & ~mine,
            seen.faint[region],
        )
        pictures = leveled(seen.now[region]), leveled(seen.printed[region])
        layers = upright.warped(np.dstack([*pictures, *map(masked, masks)]), moved)
        patch[: layers.shape[2]] = layers.transpose(2, 0, 1)
        patch[layers.shape[2]] = upright.body()
        for first, shade in zip(COLOURED[2:], self._shades[place.paint], strict=True):
            patch[first : first + 3] = shade[:, None, None]
