"""What is measured of boxes as numbers for a model: lengths in markers' edges, all of about 1."""

from __future__ import annotations

import math
from dataclasses import dataclass

from vision.faces.residuals import Residual
from vision.pieces.markers import BoxFeatures, BoxPlace, Marker

MEASURES = 24
"""How many numbers there are of a box."""
OWNER_MEASURES = 10
"""How many numbers there are of a box and one who may own the marker on it."""
# Larger values tell no more than these: blur and distances in mm, and sizes in markers.
_SOFT_MM, _NEXT_MM, _OFF_MM, _SIZE, _OFF_BOXES = 1.5, 15.0, 8.0, 3.0, 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenBox:
    """A box as it is seen.

    Attributes:
        face: what is seen of the face that it is on.
        place: where it is there.
        look: what is measured of it.
    """

    face: Residual
    place: BoxPlace
    look: BoxFeatures


def measures(box: SeenBox) -> list[float]:
    """Return what is measured of a box and of what may be a marker on it, `MEASURES` numbers."""
    look, place = box.look, box.place
    marker_px = place.marker_mm * place.px_per_mm
    own = [
        look.bare,
        look.even,
        look.print,
        look.blind,
        min(look.blur / _SOFT_MM, 2.0),
        float(look.contested),
        min(look.next_mm / _NEXT_MM, 2.0),
        min(look.near_mm / _NEXT_MM, 2.0),
        math.hypot(*place.lean) / marker_px,
        place.edge / marker_px,
    ]
    if look.marker is None:
        return own + [0.0] * (MEASURES - len(own))
    off_boxes = look.off_mm * place.px_per_mm / place.edge
    return [*own, *_of_marker(look.marker), min(look.off_mm, 15.0) / _OFF_MM, min(off_boxes, _OFF_BOXES)]


def _of_marker(marker: Marker) -> list[float]:
    return [
        1.0,
        float(marker.is_light),
        marker.fill,
        marker.second,
        marker.strange,
        min(marker.size, _SIZE),
        min(marker.spread, _SIZE),
        marker.around,
        float(marker.in_glare),
        marker.under,
        marker.other,
        marker.apart,
    ]


def owner_measures(look: BoxFeatures, owner: int) -> list[float]:
    """Return what speaks for one owner of the marker on a box, `OWNER_MEASURES` numbers."""
    marker = look.marker
    if marker is None:
        return [0.0] * OWNER_MEASURES
    return [
        1.0,
        float(marker.label == owner),
        float(marker.is_light),
        marker.fill,
        marker.second,
        marker.strange,
        marker.apart,
        marker.other,
        min(marker.size, _SIZE),
        min(look.off_mm, 15.0) / _OFF_MM,
    ]
