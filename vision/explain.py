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
        known: (height, width, 3) float32, the learnt face, coded.
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
        soft = cv2.GaussianBlur(self.known, (3, 3), 0)
        self._soft = np.asarray(soft, np.float32)
        self._high = cv2.dilate(soft, np.ones((3, 3), np.uint8))
        self._low = cv2.erode(soft, np.ones((3, 3), np.uint8))
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
        soft = cv2.GaussianBlur(colours, (3, 3), 0)
        odd = greatest(np.maximum(soft - self._high, self._low - soft))
        return Examined(
            lie=match.lie,
            colours=colours,
            paint=_code(paint.reshape(height, width, 3)),
            odd=np.asarray(np.maximum(odd, 0), np.float32),
            darker=np.asarray((greatest(soft - self._soft) <= 0.03) & (odd > 0.02), np.bool_),
            brighter=np.asarray((least(soft - self._soft) >= -0.03) & (odd > 0.02), np.bool_),
            shadow=_shadow(np.asarray(soft, np.float32), self._soft) & (odd > 0.02),
            blind=blind,
            known=self.known,
            blocks=match.blocks,
            light=light,
        )

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


def _code(light: Singles) -> Singles:
    """Return linear light as coded values around 0 to 1; overshoots are kept up to 1.5."""
    return np.asarray(cv2.pow(np.clip(light, 0, 2.5), 1 / 2.2), np.float32)
