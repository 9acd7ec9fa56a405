"""Comparing a place with what is known to lie there: what is as learnt, what is not, and in which colours.

Every examined face is shown under the light it was learnt under, so that colours of pieces on it can be told
whatever lamp burns now.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.laying import BLOCK, Face, Lie, Match
from vision.light import LightFit, fit_light, greatest, least, linear, unusable

Singles: TypeAlias = NDArray[np.float32]
Bools: TypeAlias = NDArray[np.bool_]
Picture8: TypeAlias = NDArray[np.uint8]

ODD = 0.09
# How much softer one of two pictures, learnt and seen, may be than the other: standard deviations, px.
_SOFT_PX = (0.0, 0.7, 1.1, 1.6, 2.3, 3.2, 4.5)
# Pixels of the coarse picture of a face that the camera's tone curve is told from.
COARSE_PX = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """One face where it lies, in the face's own pixels.

    Attributes:
        lie: where it lies.
        colours: (height, width, 3) float32, coded 0 to 1, under the light of learning.
        paint: the same for what stands on the face and does not mirror the lamps as it does.
        odd: (height, width) float32, how far beyond tolerance each pixel is from the learnt face, coded.
        shadow: (height, width) bool; odd, but only darker than learnt, evenly in all colours.
        darker, brighter: (height, width) bool; odd, and no colour of it is brighter (darker) than learnt.
        blind: (height, width) bool; burnt out, black, outside the picture or never learnt: says nothing.
        known: (height, width, 3) float32, the learnt face, coded, as soft as it is seen.
        blur: how much softer than learnt it is seen, standard deviation in px.
        blocks: agreement of structure by block.
        light: the fit of the light.
    """

    lie: Lie
    colours: Singles
    paint: Singles
    odd: Singles
    shadow: Bools
    darker: Bools
    brighter: Bools
    blind: Bools
    known: Singles
    blur: float
    blocks: Singles
    light: LightFit

    @property
    def strange(self) -> Bools:
        """Where something else is seen than the face."""
        return np.asarray((self.odd > ODD) & ~self.blind, np.bool_)


class Pattern:
    """A learnt face, prepared for examining."""

    def __init__(self, face: Face) -> None:
        self.face = face
        self.known = _code(face.picture)
        self._plain = _bounds(self.known)
        self._slopes = _slopes(self.known)
        # How strong the face's own slopes remain, block by block, when it is seen softer and softer.
        self._left = np.stack([_by_block(self._slopes, _slopes(_softer(self.known, px))) for px in _SOFT_PX])
        size = (face.picture.shape[1] // COARSE_PX, face.picture.shape[0] // COARSE_PX)
        gray = cv2.blur(cv2.cvtColor(face.picture, cv2.COLOR_BGR2GRAY), (COARSE_PX + 1, COARSE_PX + 1))
        self.coarse = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), np.float32)
        height, width = self.known.shape[:2]
        y, x = np.mgrid[:height, :width].astype(np.float32)
        places = np.stack([x / (width - 1) * 2 - 1, y / (height - 1) * 2 - 1], axis=-1)
        self._places = places.reshape(-1, 2)
        self._where = np.column_stack([np.ones(height * width, np.float32), self._places]).astype(np.float32)
        some = np.zeros((height, width), bool)
        some[4:-4:2, 4:-4:2] = True
        self._some = np.flatnonzero((some & face.valid).ravel())

    def examine(self, picture: Picture8, useless: Bools, match: Match) -> Examined:
        """Examine the face laid on a city picture (height, width, 3) uint8; `useless` is its glare."""
        height, width = self.known.shape[:2]
        matrix, size = match.lie.matrix(self.known.shape), (width, height)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        patch = cv2.warpAffine(picture, matrix, size, flags=flags, borderMode=cv2.BORDER_CONSTANT)
        unseen = cv2.warpAffine(
            useless.astype(np.uint8),
            matrix,
            size,
            flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP,
            borderValue=1,
        )
        blind = cv2.dilate(unseen, np.ones((3, 3), np.uint8)) > 0
        blind |= ~self.face.valid
        light = self._light(np.asarray(patch, np.uint8), blind, match.blocks)
        seen = linear(np.asarray(patch, np.uint8)).reshape(-1, 3)
        shown = light.undo_at(self._where, seen)
        paint = seen / light.gain_at(self._where)
        colours = _code(shown.reshape(height, width, 3))
        blur, sharper = self._softness(colours, match.blocks)
        known, low, high = self._plain if blur == 0 else _bounds(_softer(self.known, blur))
        soft = _smooth(_softer(colours, sharper))
        odd = greatest(np.maximum(soft - high, low - soft))
        return Examined(
            lie=match.lie,
            colours=colours,
            paint=_code(paint.reshape(height, width, 3)),
            odd=np.asarray(np.maximum(odd, 0), np.float32),
            darker=np.asarray((greatest(soft - known) <= 0.03) & (odd > 0.02), np.bool_),
            brighter=np.asarray((least(soft - known) >= -0.03) & (odd > 0.02), np.bool_),
            shadow=_shadow(soft, known) & (odd > 0.02),
            blind=blind,
            known=known,
            blur=blur,
            blocks=match.blocks,
            light=light,
        )

    def _softness(self, colours: Singles, blocks: Singles) -> tuple[float, float]:
        """Return how much softer than learnt a face is seen, and how much sharper, px; one of them is 0.

        It is told by the learnt slopes: noise and what lies on the face have none of them.
        """
        trust = np.clip(blocks - 0.3, 0, 1)
        left = (self._left * trust).sum(axis=(1, 2))
        if left[0] < 1e-6:
            return 0.0, 0.0
        seen = float((_by_block(self._slopes, _slopes(colours)) * trust).sum()) / float(left[0])
        shares = left / left[0]
        if seen < 0.92:
            return float(np.interp(-seen, -shares, _SOFT_PX)), 0.0
        return 0.0, float(np.interp(-1 / seen, -shares, _SOFT_PX)) if seen > 1.12 else 0.0

    def _light(self, patch: Picture8, blind: Bools, blocks: Singles) -> LightFit:
        height, width = self.known.shape[:2]
        trust = np.repeat(np.repeat(np.clip(blocks, 0.02, 1) ** 2, BLOCK, axis=0), BLOCK, axis=1)
        weight = (trust[:height, :width] * ~(blind | unusable(patch))).ravel()[self._some].astype(np.float32)
        seen = linear(patch).reshape(-1, 3)[self._some]
        known = self.face.picture.reshape(-1, 3)[self._some]
        return fit_light(self._places[self._some], seen, known, weight)


def _shadow(seen: Singles, known: Singles) -> Bools:
    """Return where a picture is darker than the known one in all colours alike, both coded."""
    ratio = np.asarray(cv2.pow(np.maximum(seen, 0.03) / np.maximum(known, 0.03), 2.2), np.float32)
    high, low = greatest(ratio), least(ratio)
    return np.asarray((high < 1.05) & (low > 0.12) & (high < 1.6 * low), np.bool_)


def _bounds(known: Singles) -> tuple[Singles, Singles, Singles]:
    """Return a learnt face smoothed, and the least and the most that each pixel of it may show."""
    soft = _smooth(known)
    around = np.ones((3, 3), np.uint8)
    low, high = cv2.erode(soft, around), cv2.dilate(soft, around)
    return soft, np.asarray(low, np.float32), np.asarray(high, np.float32)


def _smooth(picture: Singles) -> Singles:
    return np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.float32)


def _softer(picture: Singles, px: float) -> Singles:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), px), np.float32) if px > 0.1 else picture


def _slopes(picture: Singles) -> Singles:
    """Return the slopes of a coded picture's brightness, (2, height, width)."""
    gray = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    return np.stack([cv2.Sobel(gray, cv2.CV_32F, 1, 0, ksize=3), cv2.Sobel(gray, cv2.CV_32F, 0, 1, ksize=3)])


def _by_block(one: Singles, other: Singles) -> Singles:
    """Return how far two fields of slopes (2, height, width) go together, block by block."""
    product = (one * other).sum(axis=0)
    height, width = product.shape[0] // BLOCK, product.shape[1] // BLOCK
    return np.asarray(product.reshape(height, BLOCK, width, BLOCK).sum(axis=(1, 3)), np.float32)


def _code(light: Singles) -> Singles:
    """Return linear light as coded values around 0 to 1; overshoots are kept up to 1.5."""
    return np.asarray(cv2.pow(np.clip(light, 0, 2.5), 1 / 2.2), np.float32)
