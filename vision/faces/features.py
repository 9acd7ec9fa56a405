"""Finds learnt faces anywhere in a picture, at any rotation, by features that no other face has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Picture8, Singles
from vision.faces.registration import Face
from vision.photometry.light import coded, gray_of

# Learnt faces are small; enlarged by this they show as many features as a good photograph of them.
_ENLARGE = 2
_MOST_FEATURES = 5000
_LONGEST_PX = 1600
_RATIO = 0.85
_AT_ONCE = 1000
_LEAST_MATCHES = 6
_SAME_SPOT_PX = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A learnt face found in a picture.

    Attributes:
        face: index into the faces that are looked for.
        name: of the face.
        middle_px: position of its middle.
        turn: its rotation, radians, in the direction of `Pose2D.turn`.
        agreeing: number of features that agree.
        points: these features on the face and in the picture, (N, 2) px each.
    """

    face: int
    name: str
    middle_px: tuple[float, float]
    turn: float
    agreeing: int
    points: tuple[Floats, Floats]


class FaceFinder:
    """Finds faces at any size; each tile once, with the side that agrees better."""

    def __init__(self, faces: Sequence[Face], *, alike: bool = False) -> None:
        """Prepare; `alike` faces have nearly the same print, such as cards; the caller tells them apart."""
        self._alike = alike
        self._sift = cv2.SIFT.create(nfeatures=_MOST_FEATURES, contrastThreshold=0.025)
        self.faces = tuple(faces)
        self._names = [face.name for face in faces]
        self._shapes = [face.picture.shape[:2] for face in faces]
        features = [self._features_of(face) for face in faces]
        self._spots = np.concatenate([np.zeros((0, 2)), *(spots for spots, _ in features)])
        self._looks = np.concatenate([np.zeros((0, 128), np.float32), *(looks for _, looks in features)])
        self._owners = np.repeat(np.arange(len(faces)), [len(spots) for spots, _ in features])
        tiles = list(dict.fromkeys(tile_of(name) for name in self._names))
        numbers = np.array([tiles.index(tile_of(name)) for name in self._names], np.intp)
        # Features of both sides of a tile are grouped: they are not rivals of each other.
        order = np.argsort(numbers[self._owners], kind="stable")
        self._spots, self._looks, self._owners = self._spots[order], self._looks[order], self._owners[order]
        self._tiles = numbers[self._owners]

    def find(self, frame: Picture8, stretch: float = 1.0) -> list[Found]:
        """Return the faces found in a frame; each tile once, with the side that agrees better."""
        gray = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
        zoom = min(_LONGEST_PX / max(gray.shape), 1.0)
        scale = np.array([zoom, zoom * stretch])
        size = (round(gray.shape[1] * scale[0]), round(gray.shape[0] * scale[1]))
        keys, looks = self._sift.detectAndCompute(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), None)
        if len(keys) < _LEAST_MATCHES or not len(self._looks):
            return []
        at = (np.array([key.pt for key in keys], np.float64) + 0.5) / scale - 0.5
        pairs = self._matches(_rooted(np.asarray(looks, np.float32)))
        best: dict[str, Found] = {}
        for number, name in enumerate(self._names):
            mine = pairs[self._owners[pairs[:, 1]] == number]
            found = self._fit_face(number, at[mine[:, 0]], self._spots[mine[:, 1]])
            tile = tile_of(name)
            if found is not None and (tile not in best or best[tile].agreeing < found.agreeing):
                best[tile] = found
        return list(best.values())

    def _features_of(self, face: Face) -> tuple[Floats, Singles]:
        height, width = face.picture.shape[:2]
        gray = np.asarray(gray_of(coded(face.picture)), np.uint8)
        size = (width * _ENLARGE, height * _ENLARGE)
        large = cv2.resize(gray, size, interpolation=cv2.INTER_CUBIC)
        valid = cv2.resize(face.valid.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
        keys, looks = self._sift.detectAndCompute(large, valid)
        if not len(keys):
            return np.zeros((0, 2)), np.zeros((0, 128), np.float32)
        return (np.array([key.pt for key in keys], np.float64) + 0.5) / _ENLARGE - 0.5, _rooted(
            np.asarray(looks, np.float32)
        )

    def _matches(self, looks: Singles) -> NDArray[np.intp]:
        """Return pairs of matching features, in the picture and on a face, that match no other tile."""
        starts = np.flatnonzero(np.diff(self._tiles, prepend=-1))
        pairs = []
        for first in range(0, len(looks), _AT_ONCE):
            likeness = looks[first : first + _AT_ONCE] @ self._looks.T
            if self._alike:
                pairs.append(self._places(likeness) + np.array([first, 0]))
                continue
            # Both sides of a tile may show the same thing: only another tile's feature is a rival (ratio
            # test, Lowe 2004).
            by_tile = np.sort(np.maximum.reduceat(likeness, starts, axis=1), axis=1)
            best, second = by_tile[:, -1], by_tile[:, -2] if len(starts) > 1 else np.zeros(len(likeness))
            clear = np.flatnonzero(1 - best < _RATIO**2 * (1 - second))
            pairs.append(np.stack([first + clear, likeness[clear].argmax(axis=1)], axis=1))
        return np.concatenate(pairs)

    def _places(self, likeness: Singles) -> NDArray[np.intp]:
        """Return pairs of features, of the picture and of all faces that show it in the same place."""
        best = likeness.argmax(axis=1)
        most = likeness.max(axis=1)
        x, y = self._spots.astype(np.float32).T
        here = (np.abs(x[best][:, None] - x) < _SAME_SPOT_PX) & (np.abs(y[best][:, None] - y) < _SAME_SPOT_PX)
        rival = np.where(here | (self._tiles[best][:, None] == self._tiles[None]), -1, likeness).max(axis=1)
        clear = 1 - most < _RATIO**2 * (1 - rival)
        as_like = 1 - likeness <= ((1 - most) / _RATIO**2)[:, None]
        return np.argwhere(here & as_like & clear[:, None])

    def _fit_face(self, number: int, seen: Floats, known: Floats) -> Found | None:
        """Return a face if enough of its features agree with one perspective view of it."""
        if len(seen) < _LEAST_MATCHES:
            return None
        limit = 4.0
        matrix, inside = cv2.estimateAffine2D(known, seen, method=cv2.RANSAC, ransacReprojThreshold=limit)
        if matrix is None or not np.isfinite(matrix).all():
            return None
        use = inside.ravel() > 0
        stretches = np.linalg.svd(matrix[:, :2], compute_uv=False)
        if use.sum() < _LEAST_MATCHES or np.linalg.det(matrix[:, :2]) <= 0 or stretches[0] > 3 * stretches[1]:
            return None
        height, width = self._shapes[number]
        middle = matrix @ np.array([(width - 1) / 2, (height - 1) / 2, 1.0])
        return Found(
            face=number,
            name=self._names[number],
            turn=float(np.arctan2(matrix[1, 0] - matrix[0, 1], matrix[0, 0] + matrix[1, 1])),
            middle_px=(float(middle[0]), float(middle[1])),
            agreeing=int(use.sum()),
            points=(known[use], seen[use]),
        )


def _rooted(looks: NDArray[np.float32]) -> Singles:
    """Return descriptors normalised so that their dot product is their similarity, 1 = equal."""
    return np.asarray(np.sqrt(looks / (looks.sum(axis=1, keepdims=True) + 1e-6)), np.float32)


def tile_of(name: str) -> str:
    """Return the tile that a face belongs to."""
    return name.partition("/")[0]
