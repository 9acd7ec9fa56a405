"""What a recogniser of markers sees of a box: the box as it is now beside the box as it was learnt.

Every patch is turned so that what stands up leans towards its upper edge, and is as large as markers make it:
tiles of any size, boxes anywhere and cameras at any angle give patches of one kind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from calibration.profile import PieceRecord
from vision.arrays import Floats, Patches, Picture8, Singles
from vision.faces.residuals import Residual
from vision.photometry.light import leveled
from vision.photometry.palette import apart_from, light_and_shade
from vision.pieces.markers import BoxPlace

SIZE_PX = 24
"""Edge of a patch."""
_MARKER_PX = 9.0
# Where in the patch the box's middle is: what stands on it leans up from there.
_FOOT = (11.5, 15.0)
# A lean of so many markers' edges fills the channel that tells it.
_MOST_LEAN = 1.6
FILL_CHANNELS = 9
"""Now and as learnt (3 each), blind, how far the nearest of all markers' colours is, lean."""
COLOUR_CHANNELS = 14
"""Now and as learnt (3 each), blind, a marker's paint in light and in shade (3 each), lean."""


def fill_patches(found: Residual, places: Sequence[BoxPlace], markers: Sequence[PieceRecord]) -> Patches:
    """Return what tells whether something is on the boxes, (boxes, `FILL_CHANNELS`, size, size).

    Args:
        found: the face with the boxes, as it is seen.
        places: the boxes.
        markers: what markers look like.
    """
    shades = [shade for one in markers for shade in shades_of_piece(one)]
    patches = np.zeros((len(places), FILL_CHANNELS, SIZE_PX, SIZE_PX), np.uint8)
    for patch, spot in zip(patches, places, strict=True):
        seen, known, blind = _views(found, spot)
        patch[:3], patch[3:6], patch[6] = seen.transpose(2, 0, 1), known.transpose(2, 0, 1), blind
        patch[7] = apart_from(seen, shades)
        patch[8] = _lean_level(spot)
    return patches


def colour_patches(found: Residual, spot: BoxPlace, markers: Sequence[PieceRecord]) -> Patches:
    """Return what tells which marker is on a box, (markers, `COLOUR_CHANNELS`, size, size)."""
    seen, known, blind = _views(found, spot)
    patches = np.zeros((len(markers), COLOUR_CHANNELS, SIZE_PX, SIZE_PX), np.uint8)
    for patch, marker in zip(patches, markers, strict=True):
        patch[:3], patch[3:6], patch[6] = seen.transpose(2, 0, 1), known.transpose(2, 0, 1), blind
        for first, shade in zip((7, 10), shades_of_piece(marker), strict=True):
            patch[first : first + 3] = shade[:, None, None]
        patch[13] = _lean_level(spot)
    return patches


def shades_of_piece(piece: PieceRecord) -> tuple[Singles, Singles]:
    """Return the paint of a piece in light and in shade, each blue, green, red, 0 to 255."""
    return light_and_shade(piece.palette)


def _views(found: Residual, spot: BoxPlace) -> tuple[Picture8, Picture8, Picture8]:
    """Return the box now, as learnt (size, size, 3) and where nothing is known of it (size, size)."""
    matrix = _to_face(spot)
    size, flags = (SIZE_PX, SIZE_PX), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen, known = (
        np.asarray(
            cv2.warpAffine(one, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32
        )
        for one in (found.colours, found.known)
    )
    blind = cv2.warpAffine(
        found.blind.astype(np.float32),
        matrix,
        size,
        flags=flags,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=1,
    )
    return leveled(seen), leveled(known), leveled(np.asarray(blind, np.float32))


def _to_face(spot: BoxPlace) -> Floats:
    """Return the map (2, 3) from pixels of the patch to pixels of the face."""
    x, y = spot.lean
    length = math.hypot(x, y)
    up = (x / length, y / length) if length > 1e-3 else (0.0, -1.0)
    scale = spot.marker_mm * spot.px_per_mm / _MARKER_PX
    right, down = (-up[1] * scale, up[0] * scale), (-up[0] * scale, -up[1] * scale)
    u, v = _FOOT
    return np.array(
        [
            [right[0], down[0], spot.middle[0] - right[0] * u - down[0] * v],
            [right[1], down[1], spot.middle[1] - right[1] * u - down[1] * v],
        ]
    )


def _lean_level(spot: BoxPlace) -> int:
    lean = math.hypot(*spot.lean) / (spot.marker_mm * spot.px_per_mm)
    return round(255 * min(lean / _MOST_LEAN, 1.0))
