"""Compares a place with the face known to be there: what is as learnt, what is not, and in which colours.

Every face is corrected to the light it was learnt under, so that colours of pieces on it can be recognised
under any lamp.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, Picture8, Singles
from vision.faces.registration import BLOCK, Face, Match, Pose2D
from vision.photometry.light import LightFit, LightGrid, linear, unusable, valued

ODD = 0.09
# How much blurrier the learnt or the seen picture may be than the other: standard deviations, px.
_SOFT_PX = (0.0, 0.7, 1.1, 1.6, 2.3, 3.2, 4.5)
# Pixels of the coarse picture of a face from which the camera's tone curve is estimated.
COARSE_PX = 6
# The light varies slowly, so every other pixel in each direction suffices to fit it.
_EVERY = 2
# Smaller differences do not count as shadow either.
_HARDLY_ODD = 0.02
# A block has a print if its gradients reach this share of the face's. If it agrees less than the second
# figure while the face as a whole agrees at least as well as the third, its print is hidden.
_PRINTED, _LOST, _PLAIN_FACE = 0.35, 0.15, 0.5
# If it agrees so much nothing hides it.
_PLAIN = 0.6
# Below this coded brightness a camera does not distinguish colours.
_BLACK = 0.03


@dataclass(frozen=True, slots=True, kw_only=True)
class Residual:
    """One face where it lies, in the face's own pixels.

    Attributes:
        pose: where it lies.
        colours: (height, width, 3) float32, coded 0 to 1, under the light of learning.
        unlit: (height, width, 3) float32, the same in linear light for what stands on the face and does not
            mirror the lamps as it does.
        odd: (height, width) float32, how far beyond tolerance each pixel is from the learnt face, coded.
        shadow: (height, width) bool; odd, but only darker than learnt, evenly in all colours.
        darker, brighter: (height, width) bool; odd, and no colour of it is brighter (darker) than learnt.
        blind: (height, width) bool; unusable: burnt out, black, outside the picture or never learnt.
        known: (height, width, 3) float32, the learnt face, coded, blurred as it is seen.
        blur: how much blurrier than learnt it is seen, standard deviation in px.
        blocks: agreement of structure by block.
        lost: (rows, columns) bool of those blocks; the face has a print there, and none of it is seen, though
            the face is plain to see. `plain`: it has a print there, and all of that is seen.
        light: the fit of the light.
    """

    pose: Pose2D
    colours: Singles
    unlit: Singles
    odd: Singles
    shadow: Bools
    darker: Bools
    brighter: Bools
    blind: Bools
    known: Singles
    blur: float
    blocks: Singles
    lost: Bools
    plain: Bools
    light: LightFit

    @property
    def paint(self) -> Singles:
        """The coded colours of things on the face, which do not mirror the lamps as the face does."""
        return valued(self.unlit)

    @property
    def strange(self) -> Bools:
        """Where something else is seen than the face."""
        return self.strange_in((slice(None), slice(None)))

    def strange_in(self, region: tuple[slice, slice]) -> Bools:
        """Return where in a part of the face something else is seen."""
        return np.asarray((self.odd[region] > ODD) & ~self.blind[region], np.bool_)


class Pattern:
    """A learnt face, ready to be compared with what is seen."""

    def __init__(self, face: Face) -> None:
        self.face = face
        self.known = valued(face.picture)
        self._plain = _Bounds(self.known)
        self._slopes = slopes(self.known)
        # How strong the face's own gradients remain, by block, with increasing blur.
        self._left = np.stack([_by_block(self._slopes, slopes(_softer(self.known, px))) for px in _SOFT_PX])
        self._printed = self._left[0] > _PRINTED * self._left[0].mean()
        size = (face.picture.shape[1] // COARSE_PX, face.picture.shape[0] // COARSE_PX)
        gray = cv2.blur(cv2.cvtColor(face.picture, cv2.COLOR_BGR2GRAY), (COARSE_PX + 1, COARSE_PX + 1))
        self.coarse = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), np.float32)
        height, width = self.known.shape[:2]
        y, x = np.mgrid[:height, :width].astype(np.float32)
        self._where = np.dstack([np.ones_like(x), x / (width - 1) * 2 - 1, y / (height - 1) * 2 - 1])
        self._some, self._few, self._light_grid = _light_places((height, width))
        rows, columns = np.divmod(self._some, width)
        self._blocks = rows // BLOCK * (width // BLOCK) + columns // BLOCK
        self._lit = np.ascontiguousarray(face.picture[rows, columns].T)

    def residual(
        self, picture: Picture8, useless: Bools, match: Match, light: LightFit | None = None
    ) -> Residual:
        """Return what is seen beyond a face on a picture (height, width, 3) uint8; `useless` is its glare.

        The light on it is fitted to the face itself unless it is given.
        """
        height, width = self.known.shape[:2]
        matrix, size = match.pose.matrix(self.known.shape), (width, height)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        patch = cv2.warpAffine(picture, matrix, size, flags=flags, borderMode=cv2.BORDER_CONSTANT)
        outside = cv2.warpAffine(
            useless.view(np.uint8),
            matrix,
            size,
            flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP,
            borderValue=1,
        )
        blind = cv2.dilate(outside, np.ones((3, 3), np.uint8)) > 0
        blind |= ~self.face.valid
        if light is None:
            light = self._light(np.asarray(patch, np.uint8), blind, match.blocks)
        seen = linear(np.asarray(patch, np.uint8))
        gain = light.gain_at(self._where)
        colours = valued((seen - light.haze_at(self._where)) / gain)
        blur, sharper = self._softness(colours, match.blocks)
        plain = self._plain if blur == 0 else _Bounds(_softer(self.known, blur))
        soft = np.asarray(cv2.split(_smooth(_softer(colours, sharper))), np.float32)
        odd = np.maximum(np.maximum(soft - plain.high, plain.low - soft).max(axis=0), 0)
        beyond = odd > _HARDLY_ODD
        apart = soft - plain.soft
        return Residual(
            pose=match.pose,
            colours=colours,
            unlit=seen / gain,
            odd=np.asarray(odd, np.float32),
            darker=np.asarray((apart.max(axis=0) <= 0.03) & beyond, np.bool_),
            brighter=np.asarray((apart.min(axis=0) >= -0.03) & beyond, np.bool_),
            shadow=plain.darkened(soft) & beyond,
            blind=blind,
            known=plain.known,
            blur=blur,
            blocks=match.blocks,
            lost=(match.blocks < _LOST) & self._printed & (match.score > _PLAIN_FACE),
            plain=(match.blocks > _PLAIN) & self._printed,
            light=light,
        )

    def _softness(self, colours: Singles, blocks: Singles) -> tuple[float, float]:
        """Return how much blurrier than learnt a face is seen, and how much sharper, px; one of them is 0.

        Only the learnt gradients are measured: noise and things on the face do not contain them.
        """
        trust = np.clip(blocks - 0.3, 0, 1)
        left = (self._left * trust).sum(axis=(1, 2))
        if left[0] < 1e-6:
            return 0.0, 0.0
        seen = float((_by_block(self._slopes, slopes(colours)) * trust).sum()) / float(left[0])
        shares = left / left[0]
        if seen < 0.92:
            return float(np.interp(-seen, -shares, _SOFT_PX)), 0.0
        return 0.0, float(np.interp(-1 / seen, -shares, _SOFT_PX)) if seen > 1.12 else 0.0

    def _light(self, patch: Picture8, blind: Bools, blocks: Singles) -> LightFit:
        some = patch.reshape(-1, 1, 3)[self._some]
        trust = (np.clip(blocks, 0.02, 1) ** 2).ravel()[self._blocks]
        weight = np.asarray(trust * ~(blind.ravel()[self._some] | unusable(some)[:, 0]), np.float32)
        seen = linear(some)[:, 0]
        return self._light_grid.fit(self._lit, np.ascontiguousarray(seen.T), weight, few=self._few)


@lru_cache(maxsize=8)
def _light_places(shape: tuple[int, int]) -> tuple[NDArray[np.intp], int, LightGrid]:
    """Return the pixels for fitting the light of a face of this shape, and the size of their first subset."""
    rows, columns = np.meshgrid(*(np.arange(4, edge - 4, _EVERY) for edge in shape), indexing="ij")
    # Every other one comes first: a subset spread like all of them.
    is_late = (rows + columns) // _EVERY % 2 > 0
    order = np.argsort(is_late, axis=None, kind="stable")
    rows, columns = rows.ravel()[order], columns.ravel()[order]
    middle = (np.array(shape) - 1) / 2
    places = np.column_stack([columns / middle[1] - 1, rows / middle[0] - 1])
    grid = LightGrid(places.astype(np.float32))
    return rows * shape[1] + columns, int(np.count_nonzero(~is_late)), grid


class _Bounds:
    """What each pixel of a learnt face may show, the colours one after the other, (3, height, width)."""

    def __init__(self, face: Singles) -> None:
        self.known = _smooth(face)
        self.soft = np.stack(cv2.split(self.known))
        around = np.ones((3, 3), np.uint8)
        self.low = np.stack([cv2.erode(one, around) for one in self.soft])
        self.high = np.stack([cv2.dilate(one, around) for one in self.soft])
        self._floored = np.maximum(self.soft, np.float32(_BLACK))

    def darkened(self, seen: Singles) -> Bools:
        """Return where a coded picture (3, height, width) is darker than the face in all colours alike."""
        ratio = np.maximum(seen, np.float32(_BLACK)) / self._floored
        high, low = ratio.max(axis=0), ratio.min(axis=0)
        brighter, black, uneven = ((one ** (1 / 2.2)) for one in (1.05, 0.12, 1.6))
        return np.asarray((high < brighter) & (low > black) & (high < uneven * low), np.bool_)


def _smooth(picture: Singles) -> Singles:
    return np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.float32)


def _softer(picture: Singles, px: float) -> Singles:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), px), np.float32) if px > 0.1 else picture


def slopes(picture: Singles) -> Singles:
    """Return the gradients of a coded picture's brightness, (2, height, width)."""
    gray = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    return np.stack([cv2.Sobel(gray, cv2.CV_32F, 1, 0, ksize=3), cv2.Sobel(gray, cv2.CV_32F, 0, 1, ksize=3)])


def _by_block(one: Singles, other: Singles) -> Singles:
    """Return the correlation of two gradient fields (2, height, width), by block."""
    product = one[0] * other[0] + one[1] * other[1]
    size = (product.shape[1] // BLOCK, product.shape[0] // BLOCK)
    return np.asarray(cv2.resize(product, size, interpolation=cv2.INTER_AREA), np.float32) * BLOCK**2
