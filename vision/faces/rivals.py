"""Tells a face from all the others: is it this one, and can every other be ruled out?

A face whose lines agree may still be another one printed in other colours, or the same picture with another
number on it. So all of it must look as learnt, under light of a plausible colour; and wherever another learnt
face would look different, it must look like this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Singles
from vision.faces.registration import Face, Match
from vision.faces.residuals import Pattern, Residual
from vision.faces.scene import PX_PER_MM, Plane
from vision.photometry.light import greatest, linear

# Two faces differ at a place if their colours there are this far apart, coded 0 to 1.
_APART = 0.14
# A difference smaller than this, mm2, is not visible.
_LEAST_MM2 = 5.0
# Faces are cut out to within a millimetre, so their rims are not compared.
_RIM_MM = 2.5
# A worn or dirty spot is at most this large; anything larger lies on the face.
_SPECK_MM2 = 60.0
# Edge, in pixels of the face, of one cell of its coarse colours.
_COARSE_PX = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceEvidence:
    """How well a registered face matches what is seen.

    Attributes:
        score: agreement of its lines.
        strange: share of its visible part that looks different from learnt.
        patch_mm2: the largest patch of that; `scattered`: the share without it.
        hidden: share of it that cannot be seen.
        tint: how far the light's colour is from that on white paper, None without such paper.
        rival: number of the face hardest to tell from it, -1 for none.
        vote: of the places where the two differ, the share that supports this face.
        apart_mm2: the area of these places.
    """

    score: float
    strange: float
    patch_mm2: float
    scattered: float
    hidden: float
    tint: float | None
    rival: int
    vote: float
    apart_mm2: float

    @property
    def is_whole(self) -> bool:
        """Whether nothing significant lies on it."""
        return self.strange < 0.12 and self.hidden < 0.4 and self.patch_mm2 < _SPECK_MM2

    def confidence(self) -> float:
        """Return the confidence that it is this face, 0 = claim nothing."""
        if self.score < 0.5 or self.apart_mm2 < _LEAST_MM2 or self.vote < 0.75 or (self.tint or 0.0) > 0.5:
            return 0.0
        if not self.is_whole:
            # One thing may lie on a part of it; then all the rest must agree.
            is_plain = self.strange < 0.4 and self.scattered < 0.05 and self.vote > 0.85 and self.hidden < 0.4
            return 0.9 if is_plain and self.score > 0.62 else 0.0
        is_sure = self.score > 0.7 and self.strange < 0.06 and self.vote > 0.88 and self.hidden < 0.2
        return 0.995 if is_sure and self.tint is not None and self.tint < 0.3 else 0.95


class FaceClassifier:
    """Classifies registered faces of one size; each is compared with all the others."""

    def __init__(self, faces: Sequence[Face]) -> None:
        self._patterns = [Pattern(face) for face in faces]
        self._hues = [_hues(face.picture, face.valid) for face in faces]

    def likeliest(self, plane: Plane, matches: Sequence[Match], white: Singles | None) -> int:
        """Return which of several faces registered in one place agrees best in lines and colours together."""
        pattern = self._patterns[matches[0].face]
        height, width = pattern.known.shape[:2]
        matrix, flags = matches[0].pose.matrix((height, width)), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        patch = linear(
            np.asarray(cv2.warpAffine(plane.picture, matrix, (width, height), flags=flags), np.uint8)
        )
        if white is not None:
            patch = patch / cv2.warpAffine(white, matrix, (width, height), flags=flags, borderValue=(1, 1, 1))
        seen = _hues(np.asarray(patch, np.float32), pattern.face.valid)
        off = [float(np.abs(seen - self._hues[one.face]).mean()) - one.score for one in matches]
        return matches[int(np.argmin(off))].face

    def classify(self, plane: Plane, match: Match, white: Singles | None) -> FaceEvidence:
        """Return how well a face registered in a window matches what is seen.

        `white` is the light on white paper over the window, (height, width, 3) linear, None if not known.
        """
        pattern = self._patterns[match.face]
        residual = pattern.residual(plane.picture, plane.blind, match)
        inside = _inside(pattern.face.valid)
        seen = inside & ~residual.blind
        count = max(int(seen.sum()), 1)
        strange = residual.strange & seen
        largest = _largest(strange)
        patch = int(largest.sum())
        free = seen
        if patch > _SPECK_MM2 * PX_PER_MM**2:
            # Things on a face must not influence which face it is.
            free = seen & (cv2.dilate(largest.astype(np.uint8), np.ones((7, 7), np.uint8)) == 0)
        rival, vote, apart = self._closest(match.face, residual, free)
        return FaceEvidence(
            score=match.score,
            strange=float(strange.sum() / count),
            patch_mm2=patch / PX_PER_MM**2,
            scattered=float((strange.sum() - patch) / count),
            hidden=1 - float(seen.sum() / max(int(inside.sum()), 1)),
            tint=None if white is None else _tint(residual, white),
            rival=rival,
            vote=vote,
            apart_mm2=apart / PX_PER_MM**2,
        )

    def _closest(self, face: int, residual: Residual, seen: NDArray[np.bool_]) -> tuple[int, float, float]:
        """Return the face hardest to tell from this one, the vote against it, and its number of pixels."""
        own_off = greatest(np.abs(residual.colours - residual.known))
        worst = -1, 1.0, np.inf
        for number, other in enumerate(self._patterns):
            if number == face:
                continue
            shown = other.known
            if residual.blur > 0.1:
                shown = np.asarray(cv2.GaussianBlur(shown, (0, 0), residual.blur), np.float32)
            apart = greatest(np.abs(residual.known - shown))
            where = (apart > _APART) & seen & other.face.valid
            count = int(where.sum())
            if count < _LEAST_MM2 * PX_PER_MM**2:
                return number, 0.0, float(count)
            other_off = greatest(np.abs(residual.colours - shown))
            weight = apart[where]
            vote = float((weight * (own_off[where] < other_off[where])).sum() / weight.sum())
            if vote < worst[1]:
                worst = number, vote, float(count)
        return worst


def _hues(light: Singles, valid: NDArray[np.bool_]) -> Singles:
    """Return a face's colours without fine detail, coded, normalised to a common mean brightness."""
    known = valid.astype(np.float32)
    size = light.shape[1] // _COARSE_PX, light.shape[0] // _COARSE_PX
    share = np.maximum(cv2.resize(known, size, interpolation=cv2.INTER_AREA), 1e-3)
    mean = cv2.resize(light * known[:, :, None], size, interpolation=cv2.INTER_AREA) / share[:, :, None]
    mean *= 0.25 / max(float(mean.mean()), 1e-4)
    return np.asarray(np.maximum(mean, 0) ** (1 / 2.2), np.float32)


def _inside(valid: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the learnt part of a face without its rim."""
    reach = 2 * round(_RIM_MM * PX_PER_MM) + 1
    padded = cv2.copyMakeBorder(valid.astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    return np.asarray(cv2.erode(padded, np.ones((reach, reach), np.uint8))[1:-1, 1:-1] > 0, np.bool_)


def _largest(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the largest patch."""
    count, patches, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    if count < 2:
        return np.zeros_like(mask)
    return np.asarray(patches == 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA])), np.bool_)


def _tint(residual: Residual, white: Singles) -> float:
    """Return how far the light's colour is from that on white paper, as a logarithm."""
    height, width = white.shape[:2]
    column = min(max(round(residual.pose.x_px), 0), width - 1)
    row = min(max(round(residual.pose.y_px), 0), height - 1)
    gain = residual.light.gain_at(np.array([[1, 0, 0]], np.float32))[0] / white[row, column]
    logs = np.log(np.maximum(gain, 1e-3))
    return float(np.abs(logs - logs.mean()).max())
