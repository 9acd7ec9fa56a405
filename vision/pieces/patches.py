"""Patches of a player's colour: how much of them markers on boxes explain, and how much a figure.

Markers in a row, seen from the side, resemble a figure that lies there, and a figure's head resembles a
marker. What distinguishes them is which pixels each would cover from where it must stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import cv2
import numpy as np

from companion.table import Place
from vision.arrays import Bools
from vision.faces.residuals import Residual
from vision.geometry.rectify import Flat
from vision.geometry.regions import Region
from vision.pieces.city_map import CityMap
from vision.pieces.figures import StandingFigure, thing_at
from vision.pieces.markers import BoxPlace, Marker, Point

# A box of a face.
Spot: TypeAlias = tuple[Residual, BoxPlace]
# A marker seen on one.
SeenMarker: TypeAlias = tuple[Residual, BoxPlace, Marker]

# A marker is a part of a thing if this share of it is visible, and this share of that belongs to the thing.
_TO_BE_SEEN, _PART = 0.3, 0.5
# Several markers that cover a thing so well, as common by joint area, may be all there is: nearly all rows
# that were taken for a figure, and one in a hundred figures that stand on boxes.
_ALL_OF_IT, _ALL_OF_IT_ALONE = 0.45, 0.5
# Two that lie exactly on their boxes touch, and blur into one.
_MOST_OF_IT = 0.3
# Hardly any figure on boxes is explained this well by one marker, or by several.
_SURELY_ONE, _SURELY_SEVERAL = 0.68, 0.58
# The core of a marker, as a share of its edge, and how much of it must have the colour of a patch.
_CORE, _CORE_FILLED = 0.6, 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchFit:
    """How well markers explain the patch of colour on a box.

    Attributes:
        label: its colour.
        fit: how well the markers on all boxes whose cores it fills cover it, as common by joint area, 0 to 1.
        many: of how many boxes it fills the core.
        patch: (height, width) bool of the map.
    """

    label: int
    fit: float
    many: int
    patch: Bools

    @property
    def is_markers(self) -> bool:
        """Whether it is markers, no figure; a figure that exactly covers a row of boxes seems to be some."""
        return self.fit > (_SURELY_ONE if self.many == 1 else _SURELY_SEVERAL)


def drawn_marker(spot: Spot, at: Point, flat: Flat, share: float = 1.0) -> tuple[Region, Bools]:
    """Return the part of a map with a marker on a box, and what of that it covers with its leaning top.

    `at` is the middle of what is seen of it, px of the face; the map is of half the faces' scale. A marker
    may be drawn smaller, with `share` of its edge.
    """
    found, place = spot
    half = share * place.marker_mm * place.px_per_mm / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    middle, lean = np.array(at), np.array(place.lean) / 2
    corners = np.concatenate([middle - lean + square, middle + lean + square])
    matrix = found.pose.matrix(found.known.shape)
    on_map = (corners @ matrix[:, :2].T + matrix[:, 2]) / 2 - 0.25
    size = np.array([flat.width_px, flat.height_px])
    low = np.clip(np.floor(on_map.min(axis=0)).astype(int), 0, size)
    high = np.clip(np.ceil(on_map.max(axis=0)).astype(int) + 1, low, size)
    mask = np.zeros((high - low)[::-1], np.uint8)
    hull = cv2.convexHull(np.round((on_map - low) * 8).astype(np.int32))
    if mask.size:
        cv2.fillConvexPoly(mask, hull, 1, shift=3)
    (x0, y0), (x1, y1) = low.tolist(), high.tolist()
    return (slice(y0, y1), slice(x0, x1)), np.asarray(mask > 0, np.bool_)


def markers_in_place_of(
    standing: StandingFigure,
    label: int,
    city: CityMap,
    markers: Iterable[SeenMarker],
    *,
    is_pair: bool = False,
) -> Bools | None:
    """Return what markers cover where they alone explain what seemed to be a figure, None for a figure.

    `label` is the figure's, and `markers` are those of its colour, wherever. Of a pair that lies exactly on
    its boxes that need not be all, and one of them may be known already.
    """
    things, use = (np.zeros(city.labels.shape, np.bool_) for _ in range(2))
    around = standing.around
    there = city.cut(around)
    things[around], use[around] = thing_at(there, standing.outline[around], there.labels == label)
    row, many = np.zeros(city.labels.shape, np.bool_), 0
    for found, place, marker in markers:
        region, mask = drawn_marker((found, place), marker.middle, city.flat)
        seen = mask & use[region]
        count = np.count_nonzero(seen)
        is_seen = count > _TO_BE_SEEN * np.count_nonzero(mask)
        if is_seen and np.count_nonzero(seen & things[region]) > _PART * count:
            row[region] |= mask
            many += 1
    # A single one covers most of a figure that stands on it.
    least = _ALL_OF_IT if many > 1 else max(_ALL_OF_IT_ALONE, standing.fit)
    least = _MOST_OF_IT if is_pair else least
    return row if many and _fit(things, row & use) >= least else None


def share_beside(body: tuple[Region, Bools], city: CityMap, marker: SeenMarker) -> float:
    """Return the share of a marker that shows its colour beside the body of a piece, which `body` covers."""
    found, place, seen = marker
    covered = np.zeros(city.labels.shape, np.bool_)
    covered[body[0]] = body[1]
    region, mask = drawn_marker((found, place), seen.middle, city.flat)
    own = (city.labels[region] == seen.label) & city.strange[region] & ~city.blind[region]
    return int(np.count_nonzero(mask & own & ~covered[region])) / max(int(np.count_nonzero(mask)), 1)


class Patches:
    """The patches of the players' colours on one map."""

    def __init__(self, city: CityMap, spots: Mapping[Place, Spot], labels: int) -> None:
        """Begin; the first so many `labels` are players'."""
        self._city = city
        self._spots = spots
        self._labels = labels
        self._fits: dict[int, dict[Place, PatchFit]] = {}

    @cached_property
    def _cores(self) -> dict[Place, tuple[Region, Bools]]:
        """The core of a marker on each box."""
        return {
            where: drawn_marker(spot, spot[1].centre, self._city.flat, _CORE)
            for where, spot in self._spots.items()
        }

    def at(self, where: Place) -> PatchFit | None:
        """Return the patch that fills a box's core, None where there is none."""
        region, core = self._cores[where]
        labels = self._city.labels[region][core & self._city.strange[region]]
        counts = np.bincount(labels[labels < self._labels], minlength=1)
        label = int(np.argmax(counts))
        if not counts[label]:
            return None
        if label not in self._fits:
            self._fits[label] = self._fitted(label)
        return self._fits[label].get(where)

    def _fitted(self, label: int) -> dict[Place, PatchFit]:
        """Return the patches of one colour by the boxes on which they are."""
        city = self._city
        own = (city.labels == label) & city.strange & ~(city.blind | city.glare)
        _, patches = cv2.connectedComponents(own.view(np.uint8))
        filled: dict[int, list[Place]] = {}
        for where, (region, core) in self._cores.items():
            inside = patches[region][core]
            number = int(np.argmax(np.bincount(inside[inside > 0], minlength=1)))
            fill = float(np.mean(inside == number)) if number else 0.0
            if fill > _CORE_FILLED:
                filled.setdefault(number, []).append(where)
        fits: dict[Place, PatchFit] = {}
        for number, boxes in filled.items():
            patch, covered = np.asarray(patches == number, np.bool_), np.zeros(own.shape, np.bool_)
            for where in boxes:
                region, mask = drawn_marker(self._spots[where], self._spots[where][1].centre, city.flat)
                covered[region] |= mask
            fit = _fit(patch, covered)
            fits |= dict.fromkeys(boxes, PatchFit(label=label, fit=fit, many=len(boxes), patch=patch))
        return fits


def _fit(one: Bools, other: Bools) -> float:
    """Return how well two things cover each other: intersection over union."""
    joint = int(np.count_nonzero(one | other))
    return int(np.count_nonzero(one & other)) / joint if joint else 0.0
