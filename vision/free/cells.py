"""Cells of oriented gradients and colours: a descriptor of faces that survives covering.

A face is divided into cells of some millimetres. Of each, the directions of the edges are kept as the first
harmonics of their angle, and the mean colour. Harmonics turn with the face by a mere factor, so the picture
is described once, for faces at any place and any turn. Less what the faces have on average, a cell speaks
for some faces and against others. Cells are compared in groups: what a few of them say together is less a
matter of chance, and groups that speak against a face count for nothing, because they may be covered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Image, Numbers, Singles

_CELL_MM: Final = 5.0
_HARMONICS: Final = (2, 4, 6)
# How much each harmonic counts: those of a bin 20 degrees wide.
_WEIGHTS: Final = (1.0, 0.8, 0.55)
_COLOUR: Final = 1.2
# Gradients weaker than this, levels a pixel, are mostly noise.
_NOISE: Final = 2.0
_SMALLER: Final = 2
# So many cells along each edge are compared together; one of which fewer can be seen counts less.
_TOGETHER: Final = 3
_LEAST_SEEN: Final = 1 / 3
# What of a face can be seen counts as this share of it at least: less would look like it by chance.
_LEAST_SHARE: Final = 0.2


class CellField:
    """A rectified picture, described at every point."""

    def __init__(self, picture: Image, px_per_mm: float) -> None:
        """Describe a picture (height, width, 3) uint8 at this scale."""
        self._scale = 1 / _SMALLER
        spread = _CELL_MM * px_per_mm * 0.4
        gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
        x = cv2.Sobel(gray, cv2.CV_32F, 1, 0, scale=0.25)
        y = cv2.Sobel(gray, cv2.CV_32F, 0, 1, scale=0.25)
        strength, angle = cv2.cartToPolar(x, y)
        size = (max(gray.shape[1] // _SMALLER, 1), max(gray.shape[0] // _SMALLER, 1))
        small = cv2.resize(strength * strength, size, interpolation=cv2.INTER_AREA)
        energy = cv2.GaussianBlur(small, (0, 0), 2.0 * spread / _SMALLER)
        factor = 1 / np.sqrt(energy + np.float32(_NOISE**2))
        planes: list[Singles] = []
        for harmonic, weight in zip(_HARMONICS, _WEIGHTS, strict=True):
            for part in cv2.polarToCart(strength, angle * np.float32(harmonic)):
                mean = cv2.resize(np.asarray(part, np.float32), size, interpolation=cv2.INTER_AREA)
                mean = cv2.GaussianBlur(mean, (0, 0), spread / _SMALLER)
                planes.append(np.asarray(mean * factor * np.float32(weight), np.float32))
        light = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32) + 8
        light = np.log(cv2.GaussianBlur(light, (0, 0), spread / _SMALLER))
        planes.append((light[..., 2] - light[..., 1]) * np.float32(_COLOUR))
        planes.append((light[..., 0] - light[..., 1]) * np.float32(_COLOUR))
        self._planes = planes

    def at(self, cells_px: Singles, turns: Floats) -> Singles:
        """Return the descriptors of cells, (N, cells, channels).

        Args:
            cells_px: (N, cells, 2) their middles, px of the picture.
            turns: (N,) how far each face is turned there, radians, clockwise as pixels run.
        """
        where = (cells_px + 0.5) * self._scale - 0.5
        x, y = np.ascontiguousarray(where[..., 0]), np.ascontiguousarray(where[..., 1])
        got = [
            cv2.remap(plane, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            for plane in self._planes
        ]
        result = np.empty((*x.shape, len(got)), np.float32)
        for number, harmonic in enumerate(_HARMONICS):
            cos = np.cos(harmonic * turns).astype(np.float32)[:, None]
            sin = np.sin(harmonic * turns).astype(np.float32)[:, None]
            one, other = got[2 * number], got[2 * number + 1]
            result[..., 2 * number] = one * cos + other * sin
            result[..., 2 * number + 1] = other * cos - one * sin
        result[..., -2], result[..., -1] = got[-2], got[-1]
        return result


class CellIndex:
    """Faces of one size, by their cells.

    Attributes:
        middles_mm: (cells, 2) the cells' middles, mm from the middle of a face, right and down.
    """

    def __init__(self, pictures: Sequence[Image], size_mm: tuple[float, float], px_per_mm: float) -> None:
        """Prepare the pictures of faces, (height, width, 3) uint8, all of this size at this scale."""
        columns, rows = (max(round((edge - 2) / _CELL_MM), 2) for edge in size_mm)
        x = ((np.arange(columns) + 0.5) / columns - 0.5) * (size_mm[0] - 2)
        y = ((np.arange(rows) + 0.5) / rows - 0.5) * (size_mm[1] - 2)
        self.middles_mm = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2).astype(np.float32)
        known = []
        for picture in pictures:
            middle = (np.array(picture.shape[1::-1], np.float32) - 1) / 2
            cells = self.middles_mm * np.float32(px_per_mm) + middle
            known.append(
                CellField(picture, px_per_mm).at(np.asarray(cells[None], np.float32), np.zeros(1))[0]
            )
        faces = np.stack(known)
        # What a deck shows on average tells its faces from nothing; of a single one all speaks for it.
        self._mean = faces.mean(axis=0) if len(faces) > 1 else np.zeros_like(faces[0])
        less = faces - self._mean
        # Cells in which faces are alike say nothing.
        self._floor = float(np.sqrt((less**2).sum(axis=-1).mean())) * 0.5 + 1e-6
        unit = less / (np.sqrt((less**2).sum(axis=-1, keepdims=True)) + self._floor)
        self._groups = _groups(rows, columns)
        # (groups, cells and channels, faces)
        self._unit = np.ascontiguousarray(self._grouped(unit).transpose(0, 2, 1))

    def cells_px(self, at: Floats, turns: Floats, px_per_mm: float) -> Singles:
        """Return where the cells of faces in N poses are, (N, cells, 2) px."""
        cos, sin = np.cos(turns)[:, None] * px_per_mm, np.sin(turns)[:, None] * px_per_mm
        x, y = self.middles_mm[:, 0], self.middles_mm[:, 1]
        return np.stack([at[:, :1] + cos * x - sin * y, at[:, 1:] + sin * x + cos * y], axis=-1).astype(
            np.float32
        )

    def scores(self, seen: Singles, visible: Bools) -> Singles:
        """Return how like the likest face each pose is, (N,), 0 to 1.

        Args:
            seen: (N, cells, channels) what the cells show.
            visible: (N, cells) which of them can be seen at all.
        """
        less = seen - self._mean
        unit = less / (np.sqrt((less**2).sum(axis=-1, keepdims=True)) + self._floor)
        unit *= visible[..., None]
        # (groups, N, faces)
        alike = np.matmul(self._grouped(unit), self._unit)
        many = np.array([visible[:, group].sum(axis=1) for group in self._groups], np.float32)
        whole = np.array([len(group) for group in self._groups], np.float32)
        share = many / np.maximum(many, whole[:, None] * np.float32(_LEAST_SEEN))
        told = (np.maximum(alike, 0) * share[..., None]).sum(axis=0).max(axis=1)
        return np.asarray(told / np.maximum(many.sum(axis=0), _LEAST_SHARE * visible.shape[1]), np.float32)

    def _grouped(self, cells: Singles) -> Singles:
        """Return cells (N, cells, channels) by group, (groups, N, cells and channels); gaps are 0."""
        most = max(map(len, self._groups))
        result = np.zeros((len(self._groups), len(cells), most, cells.shape[2]), np.float32)
        for number, group in enumerate(self._groups):
            result[number, :, : len(group)] = cells[:, group]
        return result.reshape(len(self._groups), len(cells), -1)


def _groups(rows: int, columns: int) -> list[Numbers]:
    """Return which cells of so many rows and columns are compared together."""
    cells = np.arange(rows * columns, dtype=np.intp).reshape(rows, columns)
    return [
        part.ravel()
        for band in np.array_split(cells, max(round(rows / _TOGETHER), 1), axis=0)
        for part in np.array_split(band, max(round(columns / _TOGETHER), 1), axis=1)
    ]
