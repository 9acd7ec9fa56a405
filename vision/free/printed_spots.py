"""Where groups of dots are printed on a copy's tiles, so that a disc is known to lie upon the second one.

Which group stands where is the copy's own. But some tiles have more groups than others: where all that have
a group look different from all without it, that group is printed. Elsewhere some of them are alike, for there
are tiles of one ground, and of one number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Singles
from vision.free.known_faces import KnownFace
from vision.photometry.light import linear, valued

# Tiles are compared at this many pixels an edge.
_EDGE_PX: Final = 48
# The outermost part of a tile, as a share of its edge, shows what lay beside it.
_RIM: Final = 0.06
# So many pairs of tiles are no more different than all others, as a share of them.
_ALIKE: Final = 0.2
# A spot is where the difference is more than this share of its most.
_IN_SPOT: Final = 0.5


def printed_spots(faces: Sequence[KnownFace], groups: Mapping[str, int]) -> tuple[tuple[float, float], ...]:
    """Return the middle of each group, in shares of a tile right of and below its upper left corner.

    Args:
        faces: of the copy.
        groups: how many groups each tile has by its name.

    The numbers go on as far as some tiles have a group and others lack it; with one alone there is nothing to
    compare.
    """
    known = {one.name: _coarse(one) for one in faces if one.name in groups}
    spots: list[tuple[float, float]] = []
    for number in range(max((groups[name] for name in known), default=0)):
        # One group more and one less: what differs is no other group.
        with_it = [tile for name, tile in known.items() if groups[name] == number + 1]
        without = [tile for name, tile in known.items() if groups[name] == number]
        if not with_it or not without:
            break
        spots.append(_middle_of(_apart(with_it, without)))
    return tuple(spots)


def _coarse(face: KnownFace) -> Singles:
    """Return the coded colours of a tile without its details, (edge, edge, 3)."""
    small = cv2.resize(face.picture, (_EDGE_PX, _EDGE_PX), interpolation=cv2.INTER_AREA)
    colours = valued(linear(np.asarray(small, np.uint8)))
    return np.asarray(cv2.GaussianBlur(colours, (0, 0), _EDGE_PX / 24), np.float32)


def _apart(some: Sequence[Singles], others: Sequence[Singles]) -> Singles:
    """Return how far the likest of some tiles are from the others, part by part, (edge, edge)."""
    pairs = [np.abs(one - other).sum(axis=2) for one in some for other in others]
    return np.asarray(np.quantile(np.stack(pairs), _ALIKE, axis=0), np.float32)


def _middle_of(more: Singles) -> tuple[float, float]:
    """Return the middle of the largest part in which a difference is plain."""
    rim = round(_RIM * _EDGE_PX)
    inner = np.zeros_like(more)
    inner[rim:-rim, rim:-rim] = more[rim:-rim, rim:-rim]
    plain = (inner > _IN_SPOT * inner.max()).astype(np.uint8)
    _, _, stats, middles = cv2.connectedComponentsWithStats(plain, connectivity=4)
    patch = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax()) if len(stats) > 1 else 0
    x, y = (middles[patch] + 0.5) / _EDGE_PX
    return float(x), float(y)
