"""What covers the city: hands, arms, foreign objects.

No background has to be learnt: tiles are covered where they are not visible and no known piece explains why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table_layout import TableLayout
from vision.arrays import Bools, Floats
from vision.faces.residuals import Residual
from vision.geometry.regions import Region, common, share_within, within
from vision.pieces.city_map import CityMap
from vision.pieces.hand_recogniser import HandRecogniser
from vision.pieces.suspects import Signs, Suspect, Suspects, bare_cells, of_blocks, without_print

Numbers: TypeAlias = NDArray[np.int32]

# What is where something was before, to this share, has not moved; and what does not move holds nobody up.
_STILL = 0.9
# Larger than what remains around recognised markers and figures.
_LOOSE_MM2 = 60.0
# A hand that covers so much of a piece's outline may be all that is seen there.
_HIDES = 0.25
# Where a hand ends is known to a few mm: it is over a square if it covers so much of a larger one around it.
_AROUND, _BESIDE = 0.6, 0.1
# Something unexplained may be a piece if it is as large as this share of one.
_UNEXPLAINED = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover:
    """What covers the city.

    Attributes:
        foreign: (height, width) bool on the half-scale map: covered by what may be a hand.
        pieces: the same, covered by figures and dragons.
        patches: (height, width) int on that map: which patch of strange things a pixel belongs to.
        loose_mm2: how much of each patch is neither a marker that is plain to see nor a figure.
        hand: there is something that may be a hand.
        whole: every cell is seen but for what pieces cover.
        suspects: what may be hands.
    """

    foreign: Bools
    pieces: Bools
    patches: Numbers
    loose_mm2: Floats
    hand: bool
    whole: bool
    suspects: tuple[Suspect, ...] = ()

    def has_moved_since(self, suspects: Sequence[Suspect]) -> bool:
        """Whether something may be a hand that is not just one of these, seen before something changed."""
        return not all(any(_is_same(one, other) for other in suspects) for one in self.suspects)

    def may_hold(self, size_mm2: float) -> bool:
        """Whether a piece of that size may be in what is hidden or unexplained."""
        return not self.whole or bool(self.loose_mm2.max() >= _UNEXPLAINED * size_mm2)

    def share_of(self, cell: tuple[slice, slice]) -> float:
        """Return the share of a part of the map that something other than markers and figures covers."""
        return _share(self.foreign[cell] | (self.loose_mm2[self.patches[cell]] > _LOOSE_MM2))

    def is_over(self, outline: Bools) -> bool:
        """Whether a hand hides so much of an outline (height, width) that nobody can tell what it is."""
        return share_within(self.foreign, outline) > _HIDES

    def is_beside(self, found: Residual, middle: tuple[float, float], edge: float) -> bool:
        """Whether a hand is over a square on a face, or close by; `middle` and `edge` in px of the face."""
        return self.hand and _share(self.foreign[_window(on_map(found, middle), edge * _AROUND)]) > _BESIDE

    def pieces_on(self, found: Residual) -> Bools:
        """Return which part of a face figures and dragons cover, (height, width) of the face."""
        height, width = found.odd.shape
        matrix = found.pose.matrix(found.known.shape) / 2
        matrix[:, 2] -= 0.25
        # The outlines are approximate.
        covered = cv2.dilate(self.pieces.astype(np.uint8), np.ones((3, 3), np.uint8))
        flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(covered, matrix, (width, height), flags=flags) > 0, np.bool_)


def area_of_square(found: Residual, middle: tuple[float, float], edge: float) -> Region:
    """Return where on the map a square on a face is, `middle` and `edge` in px of the face."""
    return _window(on_map(found, middle), edge / 4)


def on_map(found: Residual, at: tuple[float, float]) -> Floats:
    """Return where on the map a place on a face is, both in px."""
    return np.asarray(found.pose.matrix(found.known.shape) @ np.array([*at, 1.0]) / 2 - 0.25, np.float64)


def _share(area: Bools) -> float:
    return np.count_nonzero(area) / area.size


def _window(at: Floats, half: float) -> Region:
    half = max(half, 1.0)
    x0, y0 = max(round(at[0] - half), 0), max(round(at[1] - half), 0)
    return slice(y0, max(round(at[1] + half) + 1, 0)), slice(x0, max(round(at[0] + half) + 1, 0))


def suspects_on(
    city: CityMap,
    layout: TableLayout,
    outlines: Sequence[Bools],
    residuals: Mapping[str, Residual],
    lost: Mapping[str, Sequence[int]],
) -> list[Suspect]:
    """Return what may be a hand; see `find_cover`."""
    known = _joint(city, outlines)
    around = cv2.dilate((known | city.taken).astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    # Where the lines of a tile's print are seen nothing but light is on it.
    free = of_blocks(city, {cell: one.plain for cell, one in residuals.items()}, residuals)
    there = Signs(
        strange=np.asarray(city.strange & ~city.shadow & ~city.glare & ~around & ~free, np.bool_),
        unknown=np.asarray(
            city.unknown & ~city.blind & ~around & ~bare_cells(city, layout, residuals), np.bool_
        ),
        smooth=without_print(city, residuals, known | city.taken),
    )
    return list(Suspects(city, layout, residuals, there, lost).all())


def _joint(city: CityMap, outlines: Sequence[Bools]) -> Bools:
    pieces = np.zeros(city.labels.shape, np.bool_)
    for outline in outlines:
        pieces |= outline
    return pieces


def find_cover(
    city: CityMap,
    layout: TableLayout,
    outlines: Sequence[Bools],
    residuals: Mapping[str, Residual],
    lost: Mapping[str, Sequence[int]],
    hands: HandRecogniser,
) -> Cover:
    """Find what covers the city.

    `outlines` are those of figures found, `residuals` the cells recognised; `lost` are the labels of figures
    and dragons that were not found, by kind.
    """
    pieces = _joint(city, outlines)
    foreign = np.zeros(city.labels.shape, np.bool_)
    suspects = hands.hands(suspects_on(city, layout, outlines, residuals, lost))
    for one in suspects:
        foreign[one.region] |= one.mask
    is_hand = bool(suspects)
    things, loose = _things(city, strange=city.strange & ~city.shadow & ~city.glare, pieces=pieces)
    return Cover(
        foreign=foreign,
        pieces=pieces,
        patches=things,
        loose_mm2=loose,
        hand=is_hand,
        whole=len(residuals) == len(layout.cells) and not is_hand,
        suspects=tuple(suspects),
    )


def _is_same(one: Suspect, other: Suspect) -> bool:
    """Whether two suspects are in the same place, to a pixel or so."""
    where = common(one.region, other.region)
    if where is None:
        return False
    parts = (each.mask[within(where, each.region)] for each in (one, other))
    shared = int(np.count_nonzero(np.logical_and(*parts)))
    return shared > _STILL * max(int(np.count_nonzero(each.mask)) for each in (one, other))


def _things(city: CityMap, *, strange: Bools, pieces: Bools) -> tuple[Numbers, Floats]:
    """Return the patches of what is strange, markers among them, and how much of each is neither, mm2."""
    known = cv2.dilate(pieces.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    opened = cv2.morphologyEx((strange & ~known).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, patches = cv2.connectedComponents(opened)
    free = np.flatnonzero(opened.view(np.bool_) & ~city.taken)
    loose = np.bincount(patches.ravel()[free], minlength=count) / city.flat.px_per_mm**2
    return np.asarray(patches, np.int32), np.asarray(loose, np.float64)
