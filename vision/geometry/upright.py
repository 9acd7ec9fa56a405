"""Patches of a rectified map that are turned and scaled so that what stands there is always seen alike.

What stands leans away from the camera. A patch is turned so that it leans towards its upper edge, and is as
large as the body makes it: pieces of any size and cameras at any angle give patches of one kind.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Labels
from vision.geometry.regions import Region

SIZE_PX = 32
"""Edge of a patch."""
# Rows of the patch between which a body stands, its foot on the lower one, and the column it stands in.
_TOP, _FOOT, _MIDDLE = 7.0, 26.0, 15.5
# A round base is a polygon with so many corners.
_AROUND = 24


@dataclass(frozen=True, slots=True)
class Upright:
    """How a patch lies on a map.

    Attributes:
        matrix: (2, 3) from pixels of the patch to those of the map.
        scale: how many pixels of the map one of the patch is.
        lean, base: how far a body leans and how wide its base is, px of the patch.
    """

    matrix: Floats
    scale: float
    lean: float
    base: float

    @classmethod
    def of(cls, foot: Floats, lean: Floats, base_px: float) -> Upright:
        """Return the patch of a body: the middle of its base, how far off its head is, its width, px."""
        length = float(np.hypot(*lean))
        up = lean / length if length > 1 else np.array([0.0, -1.0])
        scale = (length + base_px) / (_FOOT - _TOP)
        right, down = np.array([-up[1], up[0]]) * scale, -up * scale
        # The base's lower edge is on the patch's foot.
        start = foot - up * base_px / 2 - right * _MIDDLE - down * _FOOT
        return cls(np.column_stack([right, down, start]), scale, length / scale, base_px / scale)

    def within(self, shape: tuple[int, ...]) -> tuple[Region, Floats]:
        """Return the part of a map (height, width) that the patch shows, and from the patch to that part."""
        edges = self.matrix @ np.array([[0, 0, 1], [SIZE_PX, 0, 1], [0, SIZE_PX, 1], [SIZE_PX, SIZE_PX, 1]]).T
        rim, size = round(self.scale) + 1, np.array(shape[1::-1])
        left, top = (int(one) for one in np.clip(np.floor(edges.min(axis=1)) - rim, 0, size - 1))
        right, below = (int(one) for one in np.clip(np.ceil(edges.max(axis=1)) + rim, 1, size))
        moved = self.matrix - np.array([[0, 0, left], [0, 0, top]])
        return (slice(top, max(below, top + 1)), slice(left, max(right, left + 1))), moved

    def warped(self, layers: Labels, matrix: Floats) -> Labels:
        """Return the patch (size, size, N) of layers (height, width, N); beyond them is nothing.

        `matrix` is from the patch to the layers, see `within`.
        """
        size, flags = (SIZE_PX, SIZE_PX), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        reach = max(round(self.scale), 1)
        soft = layers if reach == 1 else np.asarray(cv2.blur(layers, (reach, reach)), np.uint8)
        # OpenCV moves four channels at a time.
        parts = [
            cv2.warpAffine(np.ascontiguousarray(soft[..., first : first + 4]), matrix, size, flags=flags)
            for first in range(0, soft.shape[2], 4)
        ]
        return np.asarray(np.dstack(parts), np.uint8)

    def body(self) -> Labels:
        """Return about where an upright body is seen in the patch, (size, size), 0 or 255."""
        around = np.arange(_AROUND) * (2 * np.pi / _AROUND)
        foot = np.array([_MIDDLE, _FOOT - self.base / 2])
        ring = np.column_stack([np.cos(around), np.sin(around)]) * self.base / 2
        both = np.concatenate([foot + ring, foot + ring - (0.0, self.lean)])
        drawn = np.zeros((SIZE_PX, SIZE_PX), np.uint8)
        cv2.fillConvexPoly(drawn, cv2.convexHull(np.rint(both).astype(np.int32)), 255)
        return drawn


def masked(where: Bools) -> Labels:
    """Return a mask as a layer, 0 or 255."""
    return np.where(where, np.uint8(255), np.uint8(0))
