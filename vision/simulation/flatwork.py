"""Flat printed things, drawn in true perspective through the camera's lens."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from vision.arrays import Floats, Image, Singles
from vision.simulation.bodies import Patch

_KNOT_PX = 8
_MARGIN_PX = 64
_FINE = 3
_TO_LINEAR = ((np.arange(256) / 255) ** 2.2).astype(np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatPose:
    """Pose of a flat thing: its middle, the height of its face, its turn (anticlockwise) and its size."""

    x_mm: float
    y_mm: float
    z_mm: float
    turn_deg: float
    width_mm: float
    height_mm: float

    def at(self, right_mm: float, away_mm: float) -> tuple[float, float]:
        """Return the table point this far right of and beyond the thing's middle, along its own axes."""
        c, s = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        return self.x_mm + c * right_mm - s * away_mm, self.y_mm + s * right_mm + c * away_mm

    def corners_mm(self) -> tuple[tuple[float, float, float], ...]:
        """Return the corners of the face: far left, far right, near right, near left."""
        w, h = self.width_mm / 2, self.height_mm / 2
        return tuple((*self.at(i * w, j * h), self.z_mm) for i, j in ((-1, 1), (1, 1), (1, -1), (-1, -1)))


class Easel:
    """Paints flat pictures as one camera sees them."""

    def __init__(self, pose: CameraPose) -> None:
        """Compute the viewing direction at every few pixels."""
        width, height = pose.lens.size_wh
        self._view = pose
        self._turn = np.asarray(cv2.Rodrigues(pose.rotation)[0], np.float64)
        xs = np.arange(-_MARGIN_PX, width + _MARGIN_PX + _KNOT_PX, _KNOT_PX, dtype=np.float64)
        ys = np.arange(-_MARGIN_PX, height + _MARGIN_PX + _KNOT_PX, _KNOT_PX, dtype=np.float64)
        seen = np.stack(np.meshgrid(xs, ys), axis=-1)
        straight = _without_distortion((seen - pose.lens.centre_px) / pose.lens.focal_px, pose)
        self._rays = np.asarray(straight, np.float32)

    def table_points(self, z_mm: float, *, step_px: int) -> Floats:
        """Return the x, y mm on the plane at this height under each `step_px`-th pixel, (rows, cols, 2)."""
        width, height = self._view.lens.size_wh
        columns, rows = np.meshgrid(np.arange(0, width, step_px), np.arange(0, height, step_px))
        return self._to_plane(columns.astype(np.float32), rows.astype(np.float32), z_mm).astype(np.float64)

    def paint(self, picture: Image, pose: FlatPose, mask: Singles | None = None) -> Patch | None:
        """Return the picture in this pose, or None if it is outside the frame.

        `mask` is the opacity of each pixel of the picture, (height, width), 0 to 1.
        """
        corners = self._view.project(np.array(pose.corners_mm()))
        width, height = self._view.lens.size_wh
        low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 2, -_MARGIN_PX // 2)
        high = np.ceil(corners.max(axis=0)).astype(int) + 3
        high = np.minimum(high, (width + _MARGIN_PX // 2, height + _MARGIN_PX // 2))
        if (high <= low).any():
            return None
        x0, y0 = int(low[0]), int(low[1])
        return self._sample(picture, pose, (x0, y0), (int(high[0]) - x0, int(high[1]) - y0), mask=mask)

    def cover(self, frame: Singles, picture: Image, pose: FlatPose) -> None:
        """Paint a picture as large as the table, strip by strip, in place."""
        height, width = frame.shape[:2]
        for top in range(0, height, 90):
            rows = min(90, height - top)
            patch = self._sample(picture, pose, (0, top), (width, rows), fine=2)
            frame[top : top + rows] = patch.colour

    def _sample(
        self,
        picture: Image,
        pose: FlatPose,
        start: tuple[int, int],
        size: tuple[int, int],
        fine: int = _FINE,
        mask: Singles | None = None,
    ) -> Patch:
        width, height = size
        x = start[0] + (np.arange(width * fine, dtype=np.float32) + 0.5) / fine - 0.5
        y = start[1] + (np.arange(height * fine, dtype=np.float32) + 0.5) / fine - 0.5
        columns, rows = (np.asarray(one, np.float32) for one in np.meshgrid(x, y))
        table = self._to_plane(columns, rows, pose.z_mm)
        dx, dy = table[..., 0] - np.float32(pose.x_mm), table[..., 1] - np.float32(pose.y_mm)
        c, s = math.cos(math.radians(pose.turn_deg)), math.sin(math.radians(pose.turn_deg))
        u = (c * dx + s * dy) / pose.width_mm + 0.5
        v = 0.5 - (-s * dx + c * dy) / pose.height_mm
        map_x = np.asarray(u * picture.shape[1] - 0.5, np.float32)
        map_y = np.asarray(v * picture.shape[0] - 0.5, np.float32)
        light = _TO_LINEAR[cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)]
        inside = ((u >= 0) & (u <= 1) & (v >= 0) & (v <= 1)).astype(np.float32)
        if mask is not None:
            inside *= cv2.remap(mask, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        colour = cv2.resize(light * inside[:, :, None], size, interpolation=cv2.INTER_AREA)
        cover = cv2.resize(inside, size, interpolation=cv2.INTER_AREA)
        colour /= np.maximum(cover, 1e-3)[:, :, None]
        return Patch(
            x=start[0], y=start[1], colour=np.asarray(colour, np.float32), cover=np.asarray(cover, np.float32)
        )

    def _to_plane(self, x: Singles, y: Singles, z_mm: float) -> Singles:
        """Return the x, y mm on the plane at this height that pixels x, y see."""
        at_x = np.asarray((x + _MARGIN_PX) / _KNOT_PX, np.float32)
        at_y = np.asarray((y + _MARGIN_PX) / _KNOT_PX, np.float32)
        rays = cv2.remap(self._rays, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        turn = self._turn.astype(np.float32)
        eye = self._view.eye_mm.astype(np.float32)
        across = rays[..., 0] * turn[0, 2] + rays[..., 1] * turn[1, 2] + turn[2, 2]
        far = (np.float32(z_mm) - eye[2]) / np.minimum(across, -1e-3)
        right = eye[0] + far * (rays[..., 0] * turn[0, 0] + rays[..., 1] * turn[1, 0] + turn[2, 0])
        away = eye[1] + far * (rays[..., 0] * turn[0, 1] + rays[..., 1] * turn[1, 1] + turn[2, 1])
        return np.asarray(np.stack([right, away], axis=-1), np.float32)


def _without_distortion(seen: Floats, pose: CameraPose) -> Floats:
    """Return directions (..., 2) as a lens without distortion would see them."""
    straight = seen.copy()
    for _ in range(30):
        square = (straight**2).sum(axis=-1, keepdims=True)
        straight = seen / (1 + pose.lens.k1 * square + pose.lens.k2 * square**2)
    return straight
