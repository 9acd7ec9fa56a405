"""Proposes where learnt faces may be in a picture: features vote for a face and how it lies there.

Every feature of the picture votes for the faces that show something like it, and with that for a place, a
size and a turn (generalised Hough transform, Lowe 2004). Votes that agree become one view of the face. A
face's copies are proposed one after the other; so are faces that resemble each other: the caller tells them
apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Gray, Numbers, Singles

# A feature votes for at most this many faces, all of them nearly as like it as the one that is most like it.
_FACES_EACH: Final = 6
_AS_LIKE: Final = 1.35
# Similarity, cosine, below which a feature resembles nothing.
_LEAST_LIKENESS: Final = 0.72
_AT_ONCE: Final = 256
# Of a face no more votes than this are compared with each other.
_MOST_VOTES: Final = 500
# Votes agree if their turns, sizes (octaves) and middles (share of the face's diagonal) are this close. A
# face seen from 55 degrees is half as high as it is wide, so its own features disagree by as much.
_TURN: Final = np.deg2rad(35.0)
_OCTAVES: Final = 0.9
_MIDDLE: Final = 0.3
_LEAST_VOTES: Final = 4
_DIRECTIONS: Final = 64
_MOST_COPIES: Final = 16
# Features that belong to one view are this close to it, as a share of the face's diagonal in the picture, and
# at least this many pixels.
_CLOSE: Final = 0.02
_CLOSE_PX: Final = 2.0
# The most that a view may stretch a face one way more than the other.
_MOST_STRETCH: Final = 3.2
_FEATURES_EACH: Final = 300
_CONTRAST: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A face that may be in a picture.

    Attributes:
        face: its index.
        matrix: (2, 3), from pixels of the face to pixels of the picture.
        votes: number of features that agree.
    """

    face: int
    matrix: Floats
    votes: int


@dataclass(frozen=True, slots=True)
class _Features:
    """N features: their places, (N, 2) px, sizes and turns, (N,), and what they look like, (N, 128)."""

    at: Floats
    sizes: Floats
    turns: Floats
    looks: Singles


@dataclass(frozen=True, slots=True)
class _Votes:
    """N votes for one face: matching points on it and in the picture, and the view that each suggests."""

    known: Floats
    seen: Floats
    turns: Floats
    octaves: Floats
    middles: Floats
    likeness: Singles

    def some(self, which: Bools | Numbers) -> _Votes:
        """Return some of the votes."""
        return _Votes(
            self.known[which],
            self.seen[which],
            self.turns[which],
            self.octaves[which],
            self.middles[which],
            self.likeness[which],
        )


class FaceVoting:
    """Proposes views of learnt faces.

    Attributes:
        count: number of faces.
    """

    def __init__(self, faces: Sequence[Gray], *, most_features: int = 8_000) -> None:
        """Prepare faces (height, width) uint8; of a picture at most so many features are used."""
        self.count = len(faces)
        self._sift = cv2.SIFT.create(nfeatures=most_features, contrastThreshold=_CONTRAST)
        sift = cv2.SIFT.create(nfeatures=_FEATURES_EACH, contrastThreshold=_CONTRAST)
        features = [_features_of(sift, face) for face in faces]
        self._sizes_wh = np.array([face.shape[::-1] for face in faces], np.float64).reshape(-1, 2)
        self._owners = np.repeat(np.arange(len(faces)), [len(one.at) for one in features])
        self._known = _joined(features)
        # The directions in which the faces' features lie; the others tell nothing and would take time.
        square = self._known.looks.T @ self._known.looks
        self._axes = np.asarray(np.linalg.eigh(square)[1][:, -_DIRECTIONS:], np.float32)
        self._known_looks = self._known.looks @ self._axes

    def propose(
        self,
        picture: Gray,
        mask: Gray | None = None,
        *,
        sizes: tuple[float, float] | None = None,
        faces: Bools | None = None,
    ) -> list[Proposal]:
        """Return views of faces in a picture (height, width) uint8, those with the most votes first.

        Args:
            picture: to search.
            mask: (height, width), 0 where nothing is searched.
            sizes: the least and the most that a face may be enlarged; None = any.
            faces: (count,) which of them may be there; None = all.
        """
        seen = _features_of(self._sift, picture, mask)
        if len(seen.at) < _LEAST_VOTES or not len(self._owners):
            return []
        here, there = self._pairs(seen.looks, faces)
        owners = self._owners[there]
        proposals: list[Proposal] = []
        for face in np.unique(owners):
            mine = owners == face
            votes = self._votes(int(face), seen, here[mine], there[mine])
            if sizes is not None:
                low, high = np.log2(sizes)
                votes = votes.some((votes.octaves >= low - _OCTAVES) & (votes.octaves <= high + _OCTAVES))
            proposals += self._views(int(face), votes, sizes)
        return sorted(proposals, key=lambda one: -one.votes)

    def _pairs(self, looks: Singles, faces: Bools | None) -> tuple[Numbers, Numbers]:
        """Return which features of the picture match which features of the faces."""
        known, origin = self._known_looks, np.arange(len(self._owners))
        if faces is not None:
            origin = np.flatnonzero(faces[self._owners])
            known = known[origin]
        looks = looks @ self._axes
        voting, starts = np.unique(self._owners[origin], return_index=True)
        spans = list(zip(starts.tolist(), [*starts[1:].tolist(), len(known)], strict=True))
        here: list[int] = []
        there: list[int] = []
        for first in range(0, len(looks) if len(voting) else 0, _AT_ONCE):
            likeness = looks[first : first + _AT_ONCE] @ known.T
            best = np.stack([likeness[:, start:end].max(axis=1) for start, end in spans], axis=1)
            enough = np.maximum(1 - _AS_LIKE**2 * (1 - best.max(axis=1)), _LEAST_LIKENESS)
            if len(spans) > _FACES_EACH:
                kth = len(spans) - _FACES_EACH
                enough = np.maximum(enough, np.partition(best, kth, axis=1)[:, kth])
            for row, column in np.argwhere(best >= enough[:, None]).tolist():
                start, end = spans[column]
                here.append(first + row)
                there.append(int(origin[start + int(likeness[row, start:end].argmax())]))
        return np.array(here, np.intp), np.array(there, np.intp)

    def _votes(self, face: int, seen: _Features, here: Numbers, there: Numbers) -> _Votes:
        """Return what matching features say of a face."""
        known = self._known
        turns = seen.turns[here] - known.turns[there]
        octaves = np.log2(seen.sizes[here] / known.sizes[there])
        middle = (self._sizes_wh[face] - 1) / 2
        away = (middle - known.at[there]) * 2.0 ** octaves[:, None]
        c, s = np.cos(turns), np.sin(turns)
        turned = np.column_stack([c * away[:, 0] - s * away[:, 1], s * away[:, 0] + c * away[:, 1]])
        likeness = (seen.looks[here] * known.looks[there]).sum(axis=1)
        return _Votes(known.at[there], seen.at[here], turns, octaves, seen.at[here] + turned, likeness)

    def _views(self, face: int, votes: _Votes, sizes: tuple[float, float] | None) -> Iterator[Proposal]:
        """Yield the views of one face, those with many votes first."""
        if len(votes.turns) < _LEAST_VOTES:
            return
        votes = votes.some(np.argsort(-votes.likeness, kind="stable")[:_MOST_VOTES])
        agree = self._agreement(face, votes)
        left = np.ones(len(votes.turns), np.bool_)
        for _ in range(_MOST_COPIES):
            count = (agree @ left.astype(np.float32)) * left
            seed = int(count.argmax())
            if count[seed] < _LEAST_VOTES:
                return
            together = left & (agree[seed] > 0)
            fit = self._fit(face, votes, together)
            if fit is None:
                left &= ~together
                continue
            proposal, explained = fit
            left &= ~explained
            left[seed] = False
            if sizes is None or _is_of_size(proposal.matrix, sizes):
                yield proposal

    def _agreement(self, face: int, votes: _Votes) -> Singles:
        """Return which votes agree with which, (N, N), 1 = they do."""
        diagonal = float(np.hypot(*self._sizes_wh[face]))
        turns, octaves = (one.astype(np.float32) for one in (votes.turns, votes.octaves))
        x, y = votes.middles.astype(np.float32).T
        reach = (_MIDDLE * diagonal * 2.0**octaves)[:, None] ** 2
        near = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2 < reach
        near &= np.abs(octaves[:, None] - octaves) < _OCTAVES
        apart = np.abs(turns[:, None] - turns)
        near &= (apart < _TURN) | (apart > 2 * np.pi - _TURN)
        return np.asarray(near, np.float32)

    def _fit(self, face: int, votes: _Votes, together: Bools) -> tuple[Proposal, Bools] | None:
        """Return the view that most of some votes agree on, and which of all votes it explains."""
        size = 2.0 ** float(np.median(votes.octaves[together]))
        close = max(_CLOSE * float(np.hypot(*self._sizes_wh[face])) * size, _CLOSE_PX)
        matrix, inside = cv2.estimateAffine2D(
            votes.known[together],
            votes.seen[together],
            method=cv2.RANSAC,
            ransacReprojThreshold=close,
            maxIters=500,
        )
        if matrix is None or not np.isfinite(matrix).all():
            return None
        spots = len(np.unique(np.round(votes.seen[together][inside.ravel() > 0]), axis=0))
        stretches = np.linalg.svd(matrix[:, :2], compute_uv=False)
        if (
            spots < _LEAST_VOTES
            or np.linalg.det(matrix[:, :2]) <= 0
            or stretches[0] > _MOST_STRETCH * stretches[1]
        ):
            return None
        off = votes.known @ matrix[:, :2].T + matrix[:, 2] - votes.seen
        explained = (np.hypot(off[:, 0], off[:, 1]) < 3 * close) | (
            together & (np.hypot(off[:, 0], off[:, 1]) < 6 * close)
        )
        return Proposal(face=face, matrix=np.asarray(matrix, np.float64), votes=spots), explained


def _is_of_size(matrix: Floats, sizes: tuple[float, float]) -> bool:
    enlarged = float(np.sqrt(np.linalg.det(matrix[:, :2])))
    return sizes[0] <= enlarged <= sizes[1]


def _features_of(sift: cv2.SIFT, picture: Gray, mask: Gray | None = None) -> _Features:
    keys, looks = sift.detectAndCompute(picture, mask)
    if not len(keys):
        return _Features(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros((0, 128), np.float32))
    looks = np.asarray(looks, np.float32)
    rooted = np.sqrt(looks / (looks.sum(axis=1, keepdims=True) + 1e-6))
    return _Features(
        np.array([key.pt for key in keys], np.float64),
        np.array([key.size for key in keys], np.float64),
        np.deg2rad([key.angle for key in keys]),
        np.asarray(rooted, np.float32),
    )


def _joined(features: Sequence[_Features]) -> _Features:
    return _Features(
        np.concatenate([np.zeros((0, 2)), *(one.at for one in features)]),
        np.concatenate([np.zeros(0), *(one.sizes for one in features)]),
        np.concatenate([np.zeros(0), *(one.turns for one in features)]),
        np.concatenate([np.zeros((0, 128), np.float32), *(one.looks for one in features)]),
    )
