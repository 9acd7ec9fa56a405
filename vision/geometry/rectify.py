"""Rectifying: a window of the table redrawn as if the camera hung above it.

A `Flat` relates the pixels of such a picture to millimetres on a plane at a given height. Anything higher
than the plane leans away from the camera; `lean` says how far.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera_pose import CameraPose
from vision.arrays import Floats, Picture8

Maps: TypeAlias = tuple[NDArray[np.int16], NDArray[np.uint16]]

_KNOT_PX = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Flat:
    """A window on a plane over the table.

    Attributes:
        left_mm, far_mm: the table point of the window's upper left corner (not of a pixel's middle).
        width_px, height_px: size of the picture.
        px_per_mm: its scale.
        height_mm: of the plane over the table.
    """

    left_mm: float
    far_mm: float
    width_px: int
    height_px: int
    px_per_mm: float
    height_mm: float

    @classmethod
    def around(cls, x0: float, x1: float, y0: float, y1: float, px_per_mm: float, height_mm: float) -> Flat:
        """Return the window from x0 to x1 and y0 to y1, mm."""
        return cls(
            left_mm=x0,
            far_mm=y1,
            width_px=round((x1 - x0) * px_per_mm),
            height_px=round((y1 - y0) * px_per_mm),
            px_per_mm=px_per_mm,
            height_mm=height_mm,
        )

    def reduced(self, times: int) -> Flat:
        """Return the same window with this many times fewer rows and columns."""
        return replace(
            self,
            width_px=max(self.width_px // times, 1),
            height_px=max(self.height_px // times, 1),
            px_per_mm=self.px_per_mm / times,
        )

    def halved(self) -> Flat:
        """Return the same window at half the scale."""
        return self.reduced(2)

    def to_px(self, points_mm: Floats) -> Floats:
        """Return pixel coordinates (N, 2) of table points (N, 2) mm on the plane."""
        scale = self.px_per_mm
        shift = (-self.left_mm * scale - 0.5, self.far_mm * scale - 0.5)
        return np.asarray(points_mm, np.float64) * (scale, -scale) + shift

    def to_mm(self, points_px: Floats) -> Floats:
        """Return table points (N, 2) mm of pixel coordinates (N, 2)."""
        scale = 1 / self.px_per_mm
        shift = (0.5 * scale + self.left_mm, self.far_mm - 0.5 * scale)
        return np.asarray(points_px, np.float64) * (scale, -scale) + shift


def flat_maps(camera: CameraPose, flat: Flat, halvings: int = 0) -> Maps:
    """Return the maps for `flatten`: where each pixel comes from, to 1/32 of a pixel.

    The frame may already have been halved, once or more.
    """
    # A knot in the middle of every eight pixels, and one more on all sides.
    columns = (np.arange(-1, flat.width_px // _KNOT_PX + 2) + 0.5) * _KNOT_PX - 0.5
    rows = (np.arange(-1, flat.height_px // _KNOT_PX + 2) + 0.5) * _KNOT_PX - 0.5
    grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2).astype(np.float64)
    table = np.column_stack([flat.to_mm(grid), np.full(len(grid), flat.height_mm)])
    places = (camera.project(table) + 0.5) / 2**halvings - 0.5
    knots = places.reshape(len(rows), len(columns), 2).astype(np.float32)
    # The map is smooth: linear interpolation between knots 8 px apart is good to some hundredths of a pixel.
    size = (len(columns) * _KNOT_PX, len(rows) * _KNOT_PX)
    wide = cv2.resize(knots, size, interpolation=cv2.INTER_LINEAR)
    fine = wide[_KNOT_PX : _KNOT_PX + flat.height_px, _KNOT_PX : _KNOT_PX + flat.width_px]
    # OpenCV's fixed-point maps are twice as fast as floating-point ones.
    whole, share = cv2.convertMaps(fine[..., 0], fine[..., 1], cv2.CV_16SC2)
    return np.asarray(whole, np.int16), np.asarray(share, np.uint16)


def flatten(frame: Picture8, maps: Maps) -> Picture8:
    """Return the window of the frame, (height, width, 3) uint8; what lies outside the frame is black."""
    flat = cv2.remap(frame, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray(flat, np.uint8)


def lean(camera: CameraPose, points_mm: Floats, z_mm: float | Floats, plane_mm: float) -> Floats:
    """Return where points (N, 2) at height z, one or (N, 1), appear on the plane, (N, 2) mm."""
    eye = camera.eye_mm
    points = np.asarray(points_mm, np.float64)
    return np.asarray(points + (points - eye[:2]) * leaning(eye, z_mm, plane_mm), np.float64)


def leaning(eye_mm: Floats, z_mm: float | Floats, plane_mm: float) -> float | Floats:
    """Return how far a point at height z seems displaced, as a share of its level distance from the eye."""
    share: float | Floats = (z_mm - plane_mm) / (eye_mm[2] - z_mm)
    return share
