"""Drawing: antialiased shapes, shading, hatching, textures and digits on a canvas measured in millimetres.

Independent of what is drawn. It uses only NumPy and OpenCV and gives the same pixels every time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Image

Colour: TypeAlias = tuple[int, int, int]
"""Blue, green, red, 0 to 255 each."""
Point: TypeAlias = tuple[float, float]
"""Millimetres right of and below the canvas' left upper corner."""

_OVERSAMPLE = 2
_SHIFT = 4

_DIGITS: dict[str, tuple[tuple[Point, ...], ...]] = {
    "0": (
        ((0.5, 0), (0.85, 0.12), (1, 0.5), (0.85, 0.88), (0.5, 1), (0.15, 0.88), (0, 0.5), (0.15, 0.12)),
        ((0.15, 0.12), (0.5, 0)),
    ),
    "1": (((0.15, 0.25), (0.55, 0), (0.55, 1)), ((0.15, 1), (0.95, 1))),
    "2": (((0.05, 0.2), (0.3, 0), (0.75, 0), (0.95, 0.25), (0.85, 0.5), (0, 1), (1, 1)),),
    "3": (((0.05, 0), (0.95, 0), (0.45, 0.4), (0.85, 0.5), (0.97, 0.75), (0.7, 1), (0.25, 1), (0, 0.82)),),
    "4": (((0.7, 1), (0.7, 0), (0, 0.68), (1, 0.68)),),
    "5": (((0.9, 0), (0.15, 0), (0.1, 0.45), (0.6, 0.4), (0.95, 0.6), (0.9, 0.85), (0.55, 1), (0, 0.9)),),
    "6": (
        ((0.85, 0), (0.25, 0.35), (0.02, 0.7), (0.2, 0.95), (0.55, 1), (0.9, 0.9), (0.95, 0.65), (0.6, 0.48)),
        ((0.6, 0.48), (0.15, 0.58)),
    ),
    "7": (((0, 0), (1, 0), (0.4, 1)),),
    "8": (
        ((0.5, 0.47), (0.12, 0.3), (0.2, 0.05), (0.5, 0), (0.8, 0.05), (0.88, 0.3), (0.5, 0.47)),
        ((0.5, 0.47), (0.02, 0.68), (0.15, 0.95), (0.5, 1), (0.85, 0.95), (0.98, 0.68), (0.5, 0.47)),
    ),
    "9": (
        ((0.15, 1), (0.75, 0.65), (0.98, 0.3), (0.8, 0.05), (0.45, 0), (0.1, 0.1), (0.05, 0.35), (0.4, 0.52)),
        ((0.4, 0.52), (0.85, 0.42)),
    ),
}  # fmt: skip


class Canvas:
    """A picture being drawn.

    Attributes:
        size_mm: width and height.
        px_per_mm: resolution of the finished picture.
    """

    def __init__(
        self, size_mm: tuple[float, float], px_per_mm: float, ground: Colour = (255, 255, 255)
    ) -> None:
        """Begin with a plain ground."""
        self.size_mm = size_mm
        self.px_per_mm = px_per_mm
        self._fine = px_per_mm * _OVERSAMPLE
        width, height = (max(1, round(edge * self._fine)) for edge in size_mm)
        self._pixels = np.empty((height, width, 3), np.float32)
        self._pixels[:] = ground

    def finish(self) -> Image:
        """Return the picture, (height, width, 3) BGR."""
        width, height = (max(1, round(edge * self.px_per_mm)) for edge in self.size_mm)
        small = cv2.resize(np.clip(self._pixels, 0, 255), (width, height), interpolation=cv2.INTER_AREA)
        return np.asarray(np.rint(small), np.uint8)

    def fill(
        self, points: Iterable[Point], colour: Colour, *, shade: float = 0.0, hatch: float = 0.0
    ) -> None:
        """Fill a polygon.

        Args:
            points: its corners.
            colour: its colour.
            shade: how much lighter its left and how much darker its right edge is, 0 to 1.
            hatch: darkness of the pen strokes on its right half, 0 to 1.
        """
        found = self._mask(np.array(list(points), np.float32))
        if found is None:
            return
        rows, cols, mask = found
        ramp = np.linspace(1.0 + shade, 1.0 - shade, mask.shape[1], dtype=np.float32)[None, :]
        if hatch:
            ramp = ramp * self._strokes(mask.shape, hatch)
        tint = ramp[:, :, None] * np.array(colour, np.float32)
        region = self._pixels[rows, cols]
        region += mask[:, :, None] * (np.clip(tint, 0, 255) - region)

    def disc(
        self, centre: Point, radii: Point, colour: Colour, *, shade: float = 0.0, hatch: float = 0.0
    ) -> None:
        """Fill an upright ellipse."""
        self.fill(arc(centre, radii), colour, shade=shade, hatch=hatch)

    def stroke(self, points: Iterable[Point], colour: Colour, width: float, *, closed: bool = False) -> None:
        """Draw a line through the points, `width` millimetres thick."""
        line = np.array(list(points), np.float32)
        for start, end in pairwise(line):
            self._segment(start, end, colour, width)
        if closed and len(line) > 2:
            self._segment(line[-1], line[0], colour, width)

    def digits(self, text: str, centre: Point, height: float, colour: Colour) -> None:
        """Draw a number, centred."""
        glyph, gap = height * 0.58, height * 0.24
        left = centre[0] - (len(text) * glyph + (len(text) - 1) * gap) / 2
        top = centre[1] - height / 2
        for i, digit in enumerate(text):
            x = left + i * (glyph + gap)
            for line in _DIGITS[digit]:
                self.stroke([(x + u * glyph, top + v * height) for u, v in line], colour, height * 0.17)

    def grain(self, amount: float, seed: int, *, patch_mm: float = 9.0) -> None:
        """Make the ground uneven, like paper, wood or cloth: clouds of `patch_mm` and fine grain."""
        height, width = self._pixels.shape[:2]
        cell = patch_mm * self._fine
        field = clouds((height, width), cell, seed) + 0.4 * clouds((height, width), cell / 6, seed + 1)
        self._pixels *= (1.0 + amount * field)[:, :, None]

    def fade(self, top: Colour, bottom: Colour, until_mm: float) -> None:
        """Paint a vertical gradient from the upper edge down to `until_mm`."""
        rows = min(self._pixels.shape[0], round(until_mm * self._fine))
        way = np.linspace(0, 1, max(rows, 1), dtype=np.float32)[:, None]
        self._pixels[:rows] = ((1 - way) * np.array(top) + way * np.array(bottom))[:, None, :]

    def edge(self, width: float, darkness: float) -> None:
        """Darken the picture towards its edges over `width` millimetres."""
        height, breadth = self._pixels.shape[:2]
        x = np.minimum(np.arange(breadth), np.arange(breadth)[::-1]) / self._fine
        y = np.minimum(np.arange(height), np.arange(height)[::-1]) / self._fine
        near = np.clip(np.minimum(y[:, None], x[None, :]) / width, 0, 1)
        self._pixels *= (1 - darkness * (1 - near) ** 2).astype(np.float32)[:, :, None]

    def paste(self, picture: Image, left_upper: Point, size_mm: tuple[float, float]) -> None:
        """Put a finished picture on the canvas."""
        width, height = (round(edge * self._fine) for edge in size_mm)
        x, y = (round(at * self._fine) for at in left_upper)
        nearest = width > picture.shape[1]
        way = cv2.INTER_NEAREST if nearest else cv2.INTER_AREA
        self._pixels[y : y + height, x : x + width] = cv2.resize(picture, (width, height), interpolation=way)

    def _segment(self, a: NDArray[np.float32], b: NDArray[np.float32], colour: Colour, width: float) -> None:
        along = b - a
        length = float(np.hypot(*along))
        along = along / length if length > 0 else np.array([1, 0], np.float32)
        across = np.array([-along[1], along[0]], np.float32) * width / 2
        turn = [along * np.cos(t) * width / 2 + across * np.sin(t) for t in np.linspace(-1.57, 1.57, 5)]
        tip = [b + step for step in turn]
        tail = [a - step for step in turn]
        self.fill([(float(p[0]), float(p[1])) for p in (*tip, *tail)], colour)

    def _mask(self, points: NDArray[np.float32]) -> tuple[slice, slice, NDArray[np.float32]] | None:
        """Return the rows and columns that the polygon touches, and how much of each pixel it covers."""
        px = points * self._fine
        height, width = self._pixels.shape[:2]
        x0, y0 = np.maximum(np.floor(px.min(axis=0)).astype(int) - 1, 0)
        x1, y1 = np.ceil(px.max(axis=0)).astype(int) + 2
        x1, y1 = min(int(x1), width), min(int(y1), height)
        if x1 <= x0 or y1 <= y0:
            return None
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        fixed = np.rint((px - (x0, y0) - 0.5) * (1 << _SHIFT)).astype(np.int32)
        cv2.fillPoly(mask, [fixed], 255, cv2.LINE_AA, _SHIFT)
        return slice(y0, y1), slice(x0, x1), np.asarray(mask / np.float32(255), np.float32)

    def _strokes(self, shape: tuple[int, ...], darkness: float) -> NDArray[np.float32]:
        """Return a factor for each pixel that draws slanting strokes on the right half."""
        period = 1.5 * self._fine
        y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
        wave = 0.5 + 0.5 * np.cos(2 * np.pi * (x + y) / period)
        side = np.clip((x / max(shape[1] - 1, 1) - 0.35) / 0.5, 0, 1)
        return np.asarray(1 - darkness * side * wave**2, np.float32)


def arc(centre: Point, radii: Point, start: float = 0.0, end: float = 360.0, steps: int = 48) -> list[Point]:
    """Return points on an ellipse, degrees clockwise from the right."""
    turn = np.radians(np.linspace(start, end, steps))
    xs, ys = centre[0] + radii[0] * np.cos(turn), centre[1] + radii[1] * np.sin(turn)
    return [(float(x), float(y)) for x, y in zip(xs, ys, strict=True)]


def box(left: float, top: float, right: float, bottom: float) -> list[Point]:
    """Return the corners of a rectangle, clockwise from its left upper one."""
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def clouds(shape: tuple[int, int], patch_px: float, seed: int) -> NDArray[np.float32]:
    """Return smooth noise of the given shape, about -1 to 1, in patches of `patch_px` pixels."""
    height, width = shape
    rng = np.random.default_rng(seed)
    coarse = rng.standard_normal((int(height / patch_px) + 4, int(width / patch_px) + 4)).astype(np.float32)
    x = np.arange(width, dtype=np.float32) / patch_px + 1
    y = np.arange(height, dtype=np.float32) / patch_px + 1
    map_x, map_y = np.meshgrid(x, y)
    return np.asarray(cv2.remap(coarse, map_x, map_y, cv2.INTER_CUBIC) * 0.6, np.float32)


def mix(a: Sequence[int], b: Sequence[int], share: float) -> Colour:
    """Return the colour that lies `share` of the way from a to b."""
    blue, green, red = (round(p + (q - p) * share) for p, q in zip(a, b, strict=True))
    return blue, green, red
