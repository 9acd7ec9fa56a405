"""The faces that may lie on a table, prepared for being found at one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from companion.free_faces import Side
from vision.arrays import Floats, Image, Singles
from vision.faces.face_comparison import resized
from vision.free.cells import CellIndex
from vision.free.tokens import TokenFinder
from vision.photometry.light import linear, total, valued

BLOCK_MM: Final = 5.0
"""Edge of the blocks in which faces are compared with what is seen, mm."""
# A rim that shadows and neighbours blur is not compared, mm.
RIM_MM: Final = 1.5
ROUGH_EVERY: Final = 3
"""Faces are compared with a place at first sight in every so manieth pixel."""
_LOCAL_MM: Final = 3.0
_GRAIN: Final = 3.0
_SOFT_MM: Final = 1.4
# So many of the blocks of all faces are plain; relief that is so many times as strong as theirs, squared, may
# still be noise, and between these in any case.
_PLAINEST, _NOISIER, _FAINT = 0.1, 2.0, (0.15, 0.5)
# Rivals are told apart in pictures so large, shorter edge, px: small pieces have small print.
_TELLING_PX: Final = 64
# Large faces have as small print, px a millimetre.
_TELLING: Final = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFace:
    """A face, or a back, as it was learnt.

    Attributes:
        name: of the face; of a back, its deck's.
        side: which side of the piece it is.
        picture: (height, width, 3) uint8, upright, cut along its edges; 2 px a millimetre or more.
        width_mm, height_mm: its size.
        is_round: it fills the circle in its picture; what is around that is of no account.
    """

    name: str
    side: Side
    picture: Image
    width_mm: float
    height_mm: float
    is_round: bool = False

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height, mm."""
        return self.width_mm, self.height_mm

    @property
    def is_back(self) -> bool:
        """Whether it is a back: all pieces of a kind share it, so that there is nothing to tell it from."""
        return self.side is Side.BACK


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """The pixels of a face by which it is registered.

    Attributes:
        some: which rows and columns they are.
        x, y: where they are from the middle, px, (rows, columns).
        inner: 0 at the rim, else 1.
    """

    some: slice
    x: Singles
    y: Singles
    inner: Singles


@dataclass(frozen=True, slots=True, kw_only=True)
class Rough:
    """Faces as they are compared at first sight, in few pixels.

    Attributes:
        known: (faces, pixels) their softened relief, 0 at the rim.
        squares: the same squared; `whole` (faces,) their sums.
        inner: (height, width) of these pixels, 0 at the rim, else 1.
    """

    known: Singles
    squares: Singles
    whole: Singles
    inner: Singles


class Deck:
    """Faces of one size, prepared for one scale.

    Attributes:
        faces: the faces.
        size_mm: their width and height.
        shape: height and width of their pictures at this scale, px.
        index: their cells.
        relief: (faces, height, width) local contrast, in which faces are registered.
        soft: the same, softened: it tells where a face lies from further away.
        light: (faces, height, width, 3) linear colours at the scale at which rivals are told apart.
        small: (faces, 3, height, width) the same, coded.
        coarse: the same at a third of that scale.
        coarse_light: (faces, 3, pixels) the same, linear; `coarse_total` (faces, pixels) their sum.
        x, y: where each pixel is from the middle, px; `small_x`, `small_y` those of `small`.
        faint: relief, squared, up to which a block of a face may be plain: a photograph has noise.
        cover: (height, width) uint8, 0 where it is not: around a round one.
        inner: (height, width) float32, 0 at the rim.
        is_round: its faces fill the circles in their pictures.
        rough: the faces as they are compared at first sight.
        tokens: finds discs that may lie upon its faces, None if there are none.
        alike: for each face the others that are printed like it (`vision.free.comparison.tell_alike`).
        kin: for each face those that differ from it in little, the likest first.
        differences: of pairs of faces that were compared, where they differ
            (`vision.free.comparison.print_difference`).
    """

    def __init__(
        self, faces: Sequence[KnownFace], px_per_mm: float, tokens: TokenFinder | None = None
    ) -> None:
        """Prepare faces for rectified pictures of this scale."""
        self.faces = tuple(faces)
        self.tokens = tokens
        self.size_mm = faces[0].size_mm
        self.is_round = faces[0].is_round
        width, height = (max(round(edge * px_per_mm), 8) for edge in self.size_mm)
        self.shape = (height, width)
        pictures = [resized(one.picture, (width, height)) for one in faces]
        self.index = CellIndex(pictures, self.size_mm, px_per_mm)
        self.relief = np.stack([relief_of(one, px_per_mm) for one in pictures])
        self.soft = np.stack([softened(one, px_per_mm) for one in self.relief])
        telling = min(max(_TELLING_PX / min(self.size_mm), _TELLING), px_per_mm)
        self.small_wh = (round(self.size_mm[0] * telling), round(self.size_mm[1] * telling))
        self.light = np.stack([linear(resized(one.picture, self.small_wh)) for one in faces])
        self.small = np.asarray([cv2.split(valued(one)) for one in self.light], np.float32)
        coarse = (self.small_wh[0] // 3, self.small_wh[1] // 3)
        self.coarse = np.stack([reduced(one, coarse) for one in self.small])
        light = [cv2.resize(one, coarse, interpolation=cv2.INTER_AREA) for one in self.light]
        self.coarse_light = np.stack([one.reshape(-1, 3).T for one in light])
        self.coarse_total = np.stack([total(one).ravel() for one in light])
        self.blocks = (max(round(self.size_mm[1] / BLOCK_MM), 2), max(round(self.size_mm[0] / BLOCK_MM), 2))
        plainest = np.quantile([self.by_block(one * one) for one in self.relief], _PLAINEST)
        self.faint = float(np.clip(_NOISIER * plainest, *_FAINT))
        self.alike: tuple[tuple[int, ...], ...] = ((),) * len(self.faces)
        self.kin: tuple[tuple[int, ...], ...] = self.alike
        self.differences: dict[tuple[int, int], Singles] = {}
        self._slopes: dict[tuple[int, bool], Singles] = {}
        self._points: dict[bool, Points] = {}
        rim = RIM_MM * px_per_mm
        y, x = np.mgrid[:height, :width].astype(np.float32)
        self.x, self.y = x - np.float32((width - 1) / 2), y - np.float32((height - 1) / 2)
        self.small_x, self.small_y = (
            np.ascontiguousarray(cv2.resize(one, self.small_wh, interpolation=cv2.INTER_LINEAR))
            for one in (self.x, self.y)
        )
        inside = np.minimum(np.minimum(x, width - 1 - x), np.minimum(y, height - 1 - y))
        if self.is_round:
            inside = (1 - np.hypot(self.x / (width / 2), self.y / (height / 2))) * np.float32(
                min(self.shape) / 2
            )
        self.cover = (inside >= 0).astype(np.uint8)
        self.inner = (inside >= rim).astype(np.float32)
        some = (slice(None, None, ROUGH_EVERY),) * 2
        inner = np.ascontiguousarray(self.inner[some])
        few = np.ascontiguousarray(self.soft[:, some[0], some[1]] * inner)
        known = few.reshape(len(faces), -1)
        squares = known * known
        whole = squares.sum(axis=1)
        self.rough = Rough(known=known, squares=squares, whole=whole, inner=inner)

    @property
    def turns(self) -> Floats:
        """The turns, radians, that an outline leaves open."""
        return np.arange(4.0) * (np.pi / 2) if self.size_mm[0] == self.size_mm[1] else np.arange(2.0) * np.pi

    def slopes(self, face: int, *, soft: bool) -> Singles:
        """Return how a face's relief changes with its pose: x, y, turn, size; (4, pixels)."""
        key = face, soft
        if key not in self._slopes:
            relief = self.soft[face] if soft else cv2.GaussianBlur(self.relief[face], (0, 0), 0.8)
            x = cv2.Sobel(relief, cv2.CV_32F, 1, 0, scale=0.125)
            y = cv2.Sobel(relief, cv2.CV_32F, 0, 1, scale=0.125)
            slopes = np.stack([x, y, self.x * y - self.y * x, self.x * x + self.y * y])
            some = _every(soft=soft)
            self._slopes[key] = np.ascontiguousarray(slopes[:, some, some]).reshape(4, -1)
        return self._slopes[key]

    def points(self, *, soft: bool) -> Points:
        """Return the pixels by which faces are registered."""
        if soft not in self._points:
            some = _every(soft=soft)
            x, y, inner = (np.ascontiguousarray(one[some, some]) for one in (self.x, self.y, self.inner))
            self._points[soft] = Points(some=some, x=x, y=y, inner=inner)
        return self._points[soft]

    def by_block(self, values: Singles) -> Singles:
        """Return means over the blocks of a face, (rows, columns)."""
        size = (self.blocks[1], self.blocks[0])
        return np.asarray(cv2.resize(values, size, interpolation=cv2.INTER_AREA), np.float32)


def _every(*, soft: bool) -> slice:
    """Return the rows and columns by which faces are registered: of softened pictures fewer suffice."""
    return slice(None, None, 3 if soft else 2)


def reduced(colours: Singles, size_wh: tuple[int, int]) -> Singles:
    """Return colours (3, height, width) at a smaller size."""
    return np.asarray(
        np.stack([cv2.resize(one, size_wh, interpolation=cv2.INTER_AREA) for one in colours]), np.float32
    )


def relief_of(picture: Image, px_per_mm: float) -> Singles:
    """Return the brightness of a picture (height, width, 3) less that around, by the contrast around."""
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    spread = _LOCAL_MM * px_per_mm
    less = gray - cv2.GaussianBlur(gray, (0, 0), spread)
    energy = cv2.GaussianBlur(less * less, (0, 0), spread)
    return np.asarray(less / np.sqrt(energy + np.float32(_GRAIN**2)), np.float32)


def softened(relief: Singles, px_per_mm: float) -> Singles:
    """Return local contrast in which details of a millimetre or two are gone."""
    return np.asarray(cv2.GaussianBlur(relief, (0, 0), _SOFT_MM * px_per_mm), np.float32)


def decks_of(faces: Sequence[KnownFace], px_per_mm: float, tokens: TokenFinder | None = None) -> list[Deck]:
    """Return the faces by size, prepared."""
    sizes = dict.fromkeys(one.size_mm for one in faces)
    return [Deck([one for one in faces if one.size_mm == size], px_per_mm, tokens) for size in sizes]
