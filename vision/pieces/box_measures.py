"""What is measured of boxes as numbers for a model: lengths in markers' edges, all of about 1."""

from __future__ import annotations

import math
from dataclasses import dataclass

from vision.arrays import Picture8
from vision.faces.residuals import Residual
from vision.pieces.glare import measure_glare
from vision.pieces.markers import BoxFeatures, BoxPlace, Marker
from vision.pieces.print_visibility import print_visibility_in_square

MEASURES = 33
"""How many numbers there are of a box."""
OWNER_MEASURES = 10
"""How many numbers there are of a box and one who may own the marker on it."""
# Larger values tell no more than these: blur and distances in mm, and sizes in markers.
_SOFT_MM, _NEXT_MM, _OFF_MM, _SIZE, _OFF_BOXES = 1.5, 15.0, 8.0, 3.0, 2.0
# The lines of the print are sought well inside a marker's outline, and inside the box.
_WELL_INSIDE, _IN_BOX = 0.8, 0.74


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenBox:
    """A box as it is seen.

    Attributes:
        face: what is seen of the face that it is on.
        place: where it is there.
        look: what is measured of it.
        picture: of the plane the face lies on, (height, width, 3), with its surroundings.
    """

    face: Residual
    place: BoxPlace
    look: BoxFeatures
    picture: Picture8


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
        *_of_surroundings(box, marker_px),
    ]
    if look.marker is None:
        return own + [0.0] * (MEASURES - len(own))
    off_boxes = look.off_mm * place.px_per_mm / place.edge
    return [*own, *_of_marker(look.marker), min(look.off_mm, 15.0) / _OFF_MM, min(off_boxes, _OFF_BOXES)]


def _of_surroundings(box: SeenBox, marker_px: float) -> list[float]:
    """Return what tells light from things: how far a box is washed out, and whether its lines are seen."""
    face, place, marker = box.face, box.place, box.look.marker
    glare = measure_glare(face, place, box.picture)
    inside = _WELL_INSIDE * marker_px
    under = place.centre if marker is None else marker.middle
    (row, column), reach = (round(one) for one in place.middle[::-1]), max(round(_IN_BOX * place.edge / 2), 2)
    known = face.known[max(row - reach, 0) : row + reach + 1, max(column - reach, 0) : column + reach + 1]
    return [
        glare.pale,
        glare.burnt,
        glare.around,
        glare.gap,
        print_visibility_in_square(face, place.centre, inside),
        print_visibility_in_square(face, under, inside),
        print_visibility_in_square(face, place.middle, _IN_BOX * place.edge),
        float(known.std(axis=(0, 1)).mean()) * 4 if known.size else 0.0,
        float(face.blocks.mean()),
    ]


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
