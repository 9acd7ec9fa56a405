"""Finds flat printed things anywhere in a photograph, turned, seen at a slant, partly covered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.arrays import Corners, Floats, Image
from vision.faces.face_comparison import Compared, FaceComparison, resized, shape_of
from vision.faces.voting import FaceVoting, Proposal

# Longer edge of a photograph and of a face's picture when features are looked for, px.
_PHOTO_PX: Final = 2000
_SMALL_PHOTO_PX: Final = 1600
_FACE_PX: Final = 400
# A table seen at a slant is lower than it is wide. Features are looked for in the picture as it is, and
# in one made higher, as if seen from 50 degrees less.
_STRETCHES: Final = (1.0, 1.6)
# Views whose middles are closer than this share of their size are of one thing.
_SAME: Final = 0.3
# More votes, or a greater distance from the closest rival, prove no more.
_MOST_VOTES: Final = 40
_MOST_AHEAD: Final = 200.0
# At most this much of a face may be covered. One that is covered is at most this certain.
_MOST_COVERED: Final = 0.7
_UNDER_COVER: Final = 0.9
_SHOWN: Final = 3
# Of the faces that are proposed in one place so many are compared with it.
_COMPARED: Final = 6
_LEAST_LIKENESS: Final = 0.3
# Nothing is looked for where a face is this certain.
_CERTAIN: Final = 0.98

FACTORS: Final = np.array([-11.68, 3.15, 2.14, 2.24, -8.79, 0.13, 0.95])
"""Logistic regression of `features_of`: ``tests/benchmarks/find_faces.py --fit`` on the sets of three games
that end in 1, with all of their faces and with half of them, so that the rest must not be taken for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundInPhoto:
    """A face in a photograph.

    Attributes:
        face: its name.
        confidence: probability that it is this face and lies there.
        corners_px: (4, 2), from its top left, clockwise as printed.
        compared: what supports it.
        votes: number of features that agree.
    """

    face: str
    confidence: float
    corners_px: Corners
    compared: Compared
    votes: int


class PhotoSearch:
    """Looks for faces in photographs, without knowing the camera, the table or any scale."""

    def __init__(
        self, pictures: Mapping[str, Image], sizes: Mapping[str, tuple[float, float]] | None = None
    ) -> None:
        """Prepare faces by name: pictures (height, width, 3), and widths and heights where they are known."""
        self._names = list(pictures)
        sizes = sizes or {}
        self._sizes = [
            sizes.get(name, (float(one.shape[1]), float(one.shape[0]))) for name, one in pictures.items()
        ]
        shapes = [shape_of(*size) for size in self._sizes]
        self._groups = {
            shape: [n for n, one in enumerate(shapes) if one == shape] for shape in dict.fromkeys(shapes)
        }
        listed = list(pictures.values())
        self._comparisons = {
            shape: FaceComparison([listed[n] for n in members], shape)
            for shape, members in self._groups.items()
        }
        self._shapes = shapes
        large = [_of_longest(one, shape) for one, shape in zip(listed, shapes, strict=True)]
        self._large_wh = [one.shape[1::-1] for one in large]
        self._voting = FaceVoting(
            [np.asarray(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY), np.uint8) for one in large]
        )

    def find(self, photograph: Image) -> list[FoundInPhoto]:
        """Return the faces in a photograph (height, width, 3), the most certain first."""
        longest = max(photograph.shape[:2])
        zoom = min(_PHOTO_PX / longest, 1.0) if longest > _SMALL_PHOTO_PX else _SMALL_PHOTO_PX / longest
        picture = resized(photograph, (round(photograph.shape[1] * zoom), round(photograph.shape[0] * zoom)))
        proposals = [one for stretch in _STRETCHES for one in self._propose(picture, stretch)]
        proposals.sort(key=lambda one: -one.votes)
        found: list[FoundInPhoto] = []
        for place in _by_place([(one, self._corners(one)) for one in proposals]):
            best = self._best(picture, place, zoom)
            if best is not None:
                found.append(best)
        return _settled(found)

    def _propose(self, picture: Image, stretch: float) -> list[Proposal]:
        """Return views of faces in a picture that is made higher before features are looked for."""
        height, width = picture.shape[:2]
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        if stretch > 1:
            gray = cv2.resize(gray, (width, round(height * stretch)), interpolation=cv2.INTER_LINEAR)
        back = np.diag([1.0, height / gray.shape[0]])
        return [
            Proposal(face=one.face, matrix=back @ one.matrix, votes=one.votes)
            for one in self._voting.propose(np.asarray(gray, np.uint8))
        ]

    def _corners(self, proposal: Proposal) -> Corners:
        width, height = self._large_wh[proposal.face]
        return _quad((height, width)) @ proposal.matrix[:, :2].T + proposal.matrix[:, 2]

    def _best(self, picture: Image, place: Sequence[Proposal], zoom: float) -> FoundInPhoto | None:
        """Return the face that is most like a place, None if none is like it at all."""
        best: tuple[float, Compared, Proposal] | None = None
        for proposal in place[:_COMPARED]:
            one = self._compare(picture, proposal)
            if one is None:
                continue
            confidence = confidence_of(one, proposal.votes)
            if best is None or confidence > best[0]:
                best = confidence, one, proposal
            if confidence > _CERTAIN:
                break
        if best is None:
            return None
        confidence, one, proposal = best
        number = proposal.face
        quad = cv2.perspectiveTransform(_quad(self._shapes[number])[None], one.matrix)[0]
        corners = (np.asarray(quad, np.float64) + 0.5) / zoom - 0.5
        return FoundInPhoto(
            face=self._names[number],
            confidence=confidence,
            corners_px=corners,
            compared=one,
            votes=proposal.votes,
        )

    def _compare(self, picture: Image, proposal: Proposal) -> Compared | None:
        number = proposal.face
        shape = self._shapes[number]
        comparison, member = self._comparisons[shape], self._groups[shape].index(number)
        # The picture of the face as compared against that in which features are looked for.
        across, down = self._large_wh[number][0] / shape[1], self._large_wh[number][1] / shape[0]
        smaller = np.array([[across, 0, (across - 1) / 2], [0, down, (down - 1) / 2], [0, 0, 1.0]])
        matrix = np.vstack([proposal.matrix, [0, 0, 1.0]]) @ smaller
        scale = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
        halvings = 0
        while scale > 1.6:
            scale, halvings = scale / 2, halvings + 1
        near, view = _near(picture, matrix, shape, halvings)
        exact = comparison.register(near, member, view)
        if not _is_a_view(exact, shape):
            return None
        one = comparison.compare(near, member, exact, scale)
        if one.likeness < _LEAST_LIKENESS:
            return None
        back = matrix @ np.linalg.inv(view) @ exact
        return Compared(
            face=number,
            matrix=back / back[2, 2],
            likeness=one.likeness,
            shown=one.shown,
            covered=one.covered,
            free_shown=one.free_shown,
            inner=one.inner,
            rival=self._groups[shape][one.rival] if one.rival >= 0 else -1,
            ahead=one.ahead,
            clear=one.clear,
        )


def features_of(one: Compared, votes: int) -> Floats:
    """Return what the confidence depends on, in the order of the factors."""
    return np.array(
        [
            1.0,
            np.log(min(votes, _MOST_VOTES)),
            one.likeness,
            one.shown,
            np.sqrt(one.inner),
            np.log1p(min(max(one.ahead, 0.0), _MOST_AHEAD)),
            max(one.clear, -1.0),
        ]
    )


def confidence_of(one: Compared, votes: int) -> float:
    """Return the probability that a compared face is really there, and not the one most like it."""
    features = features_of(one, votes)
    there = _logistic(features @ FACTORS)
    if one.covered <= _MOST_COVERED:
        # What covers a face may as well be a part of another face: then it is never quite certain.
        features[_SHOWN] = one.free_shown
        there = max(there, _UNDER_COVER * _logistic(features @ FACTORS))
    return there * _logistic(one.ahead)


def _logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(value, -30, 30))))


def _of_longest(picture: Image, shape: tuple[int, int]) -> Image:
    zoom = _FACE_PX / max(shape)
    return resized(picture, (round(shape[1] * zoom), round(shape[0] * zoom)))


def _quad(shape: tuple[int, ...]) -> Corners:
    """Return the corners of a picture, (4, 2)."""
    height, width = shape[:2]
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64) - 0.5


def _near(picture: Image, matrix: Floats, shape: tuple[int, int], halvings: int) -> tuple[Image, Floats]:
    """Return the part of a picture around a view, halved some times, and the view in it."""
    quad = _quad(shape) @ matrix[:2, :2].T + matrix[:2, 2]
    margin = 0.35 * float(np.ptp(quad, axis=0).max()) + 8
    low = np.maximum(np.floor(quad.min(axis=0) - margin), 0).astype(int)
    high = np.minimum(np.ceil(quad.max(axis=0) + margin), [picture.shape[1], picture.shape[0]]).astype(int)
    part = picture[low[1] : max(high[1], low[1] + 2), low[0] : max(high[0], low[0] + 2)]
    shrink = 0.5**halvings
    if halvings:
        part = np.asarray(
            cv2.resize(part, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
        )
    moved = np.array([[shrink, 0, -shrink * low[0]], [0, shrink, -shrink * low[1]], [0, 0, 1.0]])
    return part, moved @ matrix


def _is_a_view(matrix: Floats, shape: tuple[int, int]) -> bool:
    """Whether the corners of a face are seen in their order, from its front."""
    quad = np.asarray(cv2.perspectiveTransform(_quad(shape)[None], matrix)[0], np.float64)
    edges = np.roll(quad, -1, axis=0) - quad
    after = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0]
    return bool((turns > 0).all() and np.isfinite(quad).all())


@dataclass(frozen=True, slots=True)
class _Place:
    """Where faces are proposed: middle and size, px, and the views, those with the most votes first."""

    middle: Floats
    size: float
    views: list[Proposal]

    def has(self, middle: Floats, size: float) -> bool:
        """Return whether a view with this middle and size is of the same thing."""
        near = float(np.hypot(*(self.middle - middle))) < _SAME * min(self.size, size)
        return near and 0.7 < self.size / size < 1.4

    def add(self, view: Proposal) -> None:
        """Add a view, unless there is one of the same face."""
        if all(one.face != view.face for one in self.views):
            self.views.append(view)


def _by_place(views: Sequence[tuple[Proposal, Corners]]) -> list[list[Proposal]]:
    """Return the views of each place, those with the most votes first."""
    places: list[_Place] = []
    for proposal, quad in views:
        middle, size = np.asarray(quad.mean(axis=0), np.float64), _size(quad)
        place = next((one for one in places if one.has(middle, size)), None)
        if place is None:
            places.append(_Place(middle, size, [proposal]))
        else:
            place.add(proposal)
    return [place.views for place in places]


def _size(quad: Corners) -> float:
    """Return the square root of a quadrilateral's area."""
    x, y = quad.T
    return float(np.sqrt(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)) + 1e-6


def _settled(found: Sequence[FoundInPhoto]) -> list[FoundInPhoto]:
    """Return what was found without what lies in the same place as something more certain."""
    kept: list[FoundInPhoto] = []
    for one in sorted(found, key=lambda each: -each.confidence):
        middle, size = one.corners_px.mean(axis=0), _size(one.corners_px)
        if all(np.hypot(*(other.corners_px.mean(axis=0) - middle)) > _SAME * size for other in kept):
            kept.append(one)
    return kept
