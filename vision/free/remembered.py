"""What was told of places of earlier pictures, for as long as nothing about them changes.

A move changes little of a table, but each picture is looked through as a whole. Where one shows the same as
when a disc was looked for, looking again would say the same again.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from cv2.typing import MatLike

from vision.arrays import Bools, Image, Picture8, Singles
from vision.capture.image_pyramid import REDUCTION, differing, differing_but_for_specks, smoothed
from vision.free.solid_patches import SolidPlace
from vision.photometry.light import leveled

SURE: Final = 0.97
"""A disc this likely is known to lie there as long as nothing changes."""
# One less likely than this is known not to; whatever is between is looked at again.
_HOPELESS: Final = 0.05
# Places no further apart than this, mm, are the same: the next picture's noise moves them a little.
_SAME_MM: Final = 1.5
# No table is as large as this: places of two paints are never near each other.
_FAR_MM: Final = 1e6

_Window: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Scenery:
    """What places are seen in, reduced.

    Attributes:
        picture, printed: (height, width, 3) what is seen and what is printed there.
        blank: (height, width) where nothing is looked for.
    """

    picture: Picture8
    printed: Picture8
    blank: Bools

    @classmethod
    def of(cls, picture: Image, printed: Singles, blank: Bools) -> Scenery:
        """Reduce a picture (height, width, 3), what is printed there, coded, and where nothing is told."""
        height, width = blank.shape
        size = max(width // REDUCTION, 1), max(height // REDUCTION, 1)

        seen = cv2.resize(np.asarray(picture), size, interpolation=cv2.INTER_AREA)
        # Print has no noise to be evened out.
        known = cv2.resize(printed, size, interpolation=cv2.INTER_LINEAR)
        none = cv2.resize(blank.view(np.uint8), size, interpolation=cv2.INTER_NEAREST)
        return cls(
            smoothed(np.asarray(seen, np.uint8)),
            smoothed(leveled(np.asarray(known, np.float32))),
            np.asarray(none > 0, np.bool_),
        )

    def differs(self, other: Scenery) -> Bools:
        """Return where another one shows something else, (height, width)."""
        seen = differing_but_for_specks(self.picture, other.picture)
        printed = differing(self.printed, other.printed, 1.0)
        return np.asarray(seen | printed | (self.blank != other.blank), np.bool_)


class RememberedPlaces:
    """Places where discs surely lie, or surely do not, in what was seen last."""

    def __init__(self) -> None:
        """Begin with none."""
        self._scenery: Scenery | None = None
        # With the rows and columns, reduced, in which each is seen.
        self._certain: list[tuple[SolidPlace, float, _Window]] = []
        self._hopeless: list[tuple[SolidPlace, float, _Window]] = []

    def renew(self, scenery: Scenery) -> None:
        """Forget the places about which anything but what was seen there shows now."""
        before = self._scenery
        if before is None or before.blank.shape != scenery.blank.shape:
            self._scenery, self._certain, self._hopeless = scenery, [], []
            return
        changed = before.differs(scenery)
        if not changed.any():
            return
        sums = cv2.integral(changed.view(np.uint8))
        self._certain, self._hopeless = (_unchanged(some, sums) for some in (self._certain, self._hopeless))
        # Elsewhere what is seen is compared with what it was when places were looked at, however slowly it
        # changes.
        for own, new in ((before.picture, scenery.picture), (before.printed, scenery.printed)):
            own[changed] = new[changed]
        before.blank[changed] = scenery.blank[changed]

    @property
    def certain(self) -> Sequence[tuple[SolidPlace, float]]:
        """Where discs surely lie, and how surely."""
        return tuple((one, chance) for one, chance, _ in self._certain)

    def are_hopeless(self, places: Sequence[SolidPlace]) -> list[bool]:
        """Return of which places it is known that no disc of their paint lies there."""
        if not self._hopeless or not places:
            return [False] * len(places)
        known, asked = (
            np.array([(one.paint * _FAR_MM, *one.at_mm) for one in some])
            for some in ((one for one, _, _ in self._hopeless), places)
        )
        apart = np.linalg.norm(asked[:, None] - known[None], axis=2)
        return [bool(one) for one in apart.min(axis=1) <= _SAME_MM]

    def note(self, told: Iterable[tuple[SolidPlace, float]]) -> None:
        """Remember of places of the scenery seen last how likely a disc is, where that is certain."""
        for one, chance in told:
            if chance >= SURE:
                self._certain.append((one, chance, self._window(one)))
            elif chance < _HOPELESS:
                self._hopeless.append((one, chance, self._window(one)))

    def _window(self, place: SolidPlace) -> _Window:
        assert self._scenery is not None
        height, width = self._scenery.blank.shape
        (rows, columns), _ = place.upright.within((height * REDUCTION, width * REDUCTION))
        return (
            rows.start // REDUCTION,
            -(-rows.stop // REDUCTION),
            columns.start // REDUCTION,
            -(-columns.stop // REDUCTION),
        )


def _unchanged(
    places: Sequence[tuple[SolidPlace, float, _Window]], sums: MatLike
) -> list[tuple[SolidPlace, float, _Window]]:
    """Return the places about which nothing has changed.

    `sums` is the integral of where a reduced picture has changed.
    """
    edges = np.array([window for *_, window in places], np.intp).reshape(-1, 4)
    top, below, left, right = edges.T
    many = sums[below, right] - sums[top, right] - sums[below, left] + sums[top, left]
    return list(itertools.compress(places, (many == 0).tolist()))
