"""Bare boxes in glare: a lamp mirrored by the tile burns its print out, but not what stands on it.

A glossy face mirrors a lamp into the camera; a marker stands up from it, and the side that it turns to the
camera is turned away from that lamp. Where all that a marker would cover is only brighter than learnt there
is none. Light that was added to the picture itself, in the lens or by haze, hides markers as well: then the
dark gaps between tiles are washed out too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from vision.arrays import Bools, Picture8
from vision.faces.residuals import Residual
from vision.pieces.markers import BoxPlace, outlines

Point: TypeAlias = tuple[float, float]

# Smaller differences from the face are ignored.
_PLAIN = 0.04
# The rim of what a marker covers: from the one to the other multiple of its size.
_NEAR, _FAR = 1.2, 1.75
# The strip measured beside a face: along its edge to both sides of the box, and outwards from it, mm.
_ALONG_MM, _BEYOND_MM = 6.0, (1.0, 6.0)
# Boxes farther than this from the face's edge, mm, do not depend on the gap beside it.
_EDGE_MM = 12.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Glare:
    """How much of a box is washed out.

    Attributes:
        pale: share of what a marker there would cover that is brighter than learnt, burnt out or as learnt.
        burnt: share of that which is burnt out.
        around: share of what is around that which is brighter than learnt or burnt out.
        gap: how bright the gap beside the face is next to the box, 0 to 1; 1 where none is near.
        lean: how much of a marker's side would be seen, in edges of a marker.
    """

    pale: float
    burnt: float
    around: float
    gap: float
    lean: float


def measure_glare(found: Residual, place: BoxPlace, picture: Picture8) -> Glare:
    """Return how much of a box is washed out; `picture` (height, width, 3) is that of the city."""
    region, (own, near, far) = outlines(found.odd.shape, place, (1.0, _NEAR, _FAR))
    blind, odd = found.blind[region], found.odd[region]
    lit = blind | (found.brighter[region] & (odd > _PLAIN))
    return Glare(
        pale=_share(lit | (odd <= _PLAIN), own),
        burnt=_share(blind, own),
        around=_share(lit, far & ~near),
        gap=_gap(found, place, picture),
        lean=float(np.hypot(*place.lean)) / (place.marker_mm * place.px_per_mm),
    )


def _share(of: Bools, within: Bools) -> float:
    return int(np.count_nonzero(of & within)) / max(int(np.count_nonzero(within)), 1)


def _gap(found: Residual, place: BoxPlace, picture: Picture8) -> float:
    """Return how bright the gap is beside the face's edge that is nearest to a box, 0 to 1."""
    height, width = found.odd.shape
    x, y = place.middle
    # Each edge: its distance, the point on it nearest to the box, and the direction outwards.
    edges: list[tuple[float, Point, Point]] = [
        (y, (x, 0.0), (0.0, -1.0)),
        (height - 1 - y, (x, height - 1.0), (0.0, 1.0)),
        (x, (0.0, y), (-1.0, 0.0)),
        (width - 1 - x, (width - 1.0, y), (1.0, 0.0)),
    ]
    off, start, outward = min(edges, key=lambda edge: edge[0])
    if off > _EDGE_MM * place.px_per_mm:
        return 1.0
    near, far = (one * place.px_per_mm for one in _BEYOND_MM)
    beside = np.arange(-_ALONG_MM, _ALONG_MM) * place.px_per_mm
    beyond = np.arange(near, far)
    ways = np.array([outward, (outward[1], outward[0])])
    places = np.array(start) + beyond[:, None, None] * ways[0] + beside[:, None] * ways[1]
    matrix = found.pose.matrix(found.known.shape)
    columns, rows = np.moveaxis(np.round(places @ matrix[:, :2].T + matrix[:, 2]).astype(int), -1, 0)
    inside = (rows >= 0) & (rows < picture.shape[0]) & (columns >= 0) & (columns < picture.shape[1])
    if not inside.all():
        return 1.0
    # The gap is narrow, and it need not be straight.
    return float(np.median(picture[rows, columns].max(axis=-1).min(axis=0))) / 255
