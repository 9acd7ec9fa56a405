"""Learns the paints of discs, figures and gems from a photograph in which a player points at them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from calibration.profile import PieceRecord
from vision.arrays import Bools, Floats, Image, Singles
from vision.faces.squares import likeness_to_ground
from vision.photometry.light import coded, linear
from vision.photometry.palette import Shade, paint_of, shades_of

SOLIDS: Final = ("disc", "meeple", "gem", "dragon")
"""The shapes that have a paint."""
# How far around its axis a piece is looked at, and how high, mm: the least that such pieces are.
_ABOUT_MM: Final = {"disc": (4.0, 3.0), "meeple": (7.0, 25.0), "gem": (4.0, 6.0), "dragon": (8.0, 20.0)}
# So far from every piece there is nothing but the table, mm.
_CLEAR_MM: Final = 30.0
_GROUND: Final = 0.5

Point = tuple[str, str, tuple[float, float]]


def learn_paints(
    frame: Image, camera: CameraPose, light_at: Callable[[Floats], Singles], points: Sequence[Point]
) -> tuple[list[PieceRecord], list[str]]:
    """Return what was learnt of the pieces, and the names of those whose paint is not clear.

    Args:
        frame: the photograph, (height, width, 3).
        camera: its view.
        light_at: gives the light on white paper, (rows, columns, 3), at points (rows, columns, 2) mm.
        points: of each piece its name, its shape and where its foot is, px; several of a name are one paint.
    """
    if not points:
        return [], []
    bodies = [_body(frame, camera, shape, at) for _, shape, at in points]
    covered = np.logical_or.reduce(bodies)
    ground = likeness_to_ground(frame, _away(frame, camera, points), covered)
    paints: dict[tuple[str, str], list[Shade]] = {(shape, name): [] for name, shape, _ in points}
    for (name, shape, at), body in zip(points, bodies, strict=True):
        light = light_at(camera.to_table(np.array([at], np.float64), 0.0)[None])[0, 0]
        # The table's own colours around a piece are left out, unless the piece has them.
        own = body & (ground < _GROUND)
        pixels = frame[own if np.count_nonzero(own) * 4 >= np.count_nonzero(body) else body]
        colours = coded(np.asarray(linear(pixels) / np.maximum(light, 1e-3), np.float32))
        paint = paint_of(np.asarray(colours, np.float32) / np.float32(255))
        if paint is not None:
            paints[shape, name].append(paint)
    records = [
        PieceRecord(kind=shape, name=name, palette=shades_of(_middle(found)))
        for (shape, name), found in paints.items()
        if found
    ]
    return records, [name for (_, name), found in paints.items() if not found]


def _middle(paints: Sequence[Shade]) -> Shade:
    blue, green, red = (round(float(one)) for one in np.median(np.array(paints, float), axis=0))
    return blue, green, red


def _body(frame: Image, camera: CameraPose, shape: str, at_px: tuple[float, float]) -> Bools:
    """Return about where a piece is seen that stands at a pixel, (height, width)."""
    radius, height = _ABOUT_MM[shape]
    foot = camera.to_table(np.array([at_px], np.float64), 0.0)[0]
    turns = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    ring = foot + radius * np.column_stack([np.cos(turns), np.sin(turns)])
    hull = np.concatenate([np.column_stack([ring, np.full(len(ring), z)]) for z in (0.0, height)])
    mask = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(camera.project(hull)).astype(np.int32)), 1)
    return mask > 0


def _away(frame: Image, camera: CameraPose, points: Sequence[Point]) -> Bools:
    """Return where nothing but the table is seen around the pieces, (height, width)."""
    feet = camera.to_table(np.array([at for _, _, at in points], np.float64), 0.0)
    area, near = (np.zeros(frame.shape[:2], np.uint8) for _ in range(2))
    turns = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    ring = np.column_stack([np.cos(turns), np.sin(turns)])
    for mask, radius in ((area, 2 * _CLEAR_MM), (near, _CLEAR_MM)):
        for foot in feet:
            points_mm = np.column_stack([foot + radius * ring, np.zeros(len(ring))])
            cv2.fillConvexPoly(mask, np.rint(camera.project(points_mm)).astype(np.int32), 1)
    return np.asarray((area > 0) & (near == 0), np.bool_)
