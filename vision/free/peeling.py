"""Explains a picture piece by piece, the plainest first.

What lies on top is plainest. Once a piece is known, its pixels say nothing about others any more: of a piece
beneath it only the rest is compared, which tells far more about it than the whole would.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Image, Numbers, Singles
from vision.free.cells import CellField
from vision.free.comparison import Evidence, Pose, Scene, compare, register, resembles
from vision.free.known_faces import Deck
from vision.free.outlines import Poses

# Faces from the shortlist of each way of scoring, and how many are compared in one place.
_SHORTLIST: Final = 2
_COMPARED: Final = 5
# A face that is less far ahead of its closest rival is compared again with that one.
_DOUBTFUL: Final = 3.0
_CERTAIN: Final = 0.98
# After so many places in a row that show nothing known, the rest show nothing either.
_IN_VAIN: Final = 120
# So many places are scored again at a time.
_TOGETHER: Final = 64
# How much an outline that is seen all around counts beside what is printed.
_OUTLINE: Final = 0.35
# A place that resembles no face more than this is not looked at.
_LEAST_SCORE: Final = 0.2
# An outline leaves the turn open; where a second one scores no less than this below the best, both are tried.
_CLOSE: Final = 0.15
# An outline of which this share is seen is that of something flat, whatever is printed on it.
_PLAIN_OUTLINE: Final = 0.9
# What nobody can name lies apart from a find if their middles are further from each other, in shorter edges.
_APART: Final = 0.6
# Two finds closer than this are of one piece: share of its shorter edge, radians.
_SAME: Final = 0.12
_SAME_TURN: Final = np.deg2rad(12.0)
_LEAST_OPEN: Final = 0.1
# Overlaps are measured in so many parts of a block along each edge.
_FINER: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """A face that explains a part of a picture.

    Attributes:
        deck: its deck.
        evidence: what speaks for it.
        support: share of its outline that is seen as an edge.
        confidence: probability that it lies there.
    """

    deck: Deck
    evidence: Evidence
    support: float
    confidence: float

    def corners(self) -> Floats:
        """Return its corners, px, from its top left clockwise, (4, 2)."""
        return self.evidence.pose.corners(self.deck.shape)

    def moved(self, off: Floats) -> Find:
        """Return it in a picture whose origin is elsewhere by x, y, px."""
        pose = self.evidence.pose
        pose = replace(pose, x=pose.x + float(off[0]), y=pose.y + float(off[1]))
        return replace(self, evidence=replace(self.evidence, pose=pose))

    def shown_in(self, region: Singles) -> float:
        """Return the share of a part of the picture, a polygon in px, in which it is what is seen."""
        pose, (rows, columns) = self.evidence.pose, self.deck.blocks
        height, width = self.deck.shape
        points = np.asarray(region, np.float64).reshape(-1, 2) - (pose.x, pose.y)
        cos, sin = np.cos(pose.turn) / pose.size, np.sin(pose.turn) / pose.size
        own = points @ np.array([[cos, -sin], [sin, cos]]) + (width / 2, height / 2)
        polygon = own * (columns / width, rows / height) * _FINER
        mask = np.zeros((rows * _FINER, columns * _FINER), np.uint8)
        cv2.fillPoly(mask, [np.round(polygon).astype(np.int32)], 1)
        shown = np.kron(self.evidence.mask, np.ones((_FINER, _FINER), np.bool_))
        return float(shown[mask > 0].mean()) if mask.any() else 0.0


class Peeling:
    """Explains one picture with the faces of some decks."""

    def __init__(
        self,
        picture: Image,
        px_per_mm: float,
        decks: Sequence[Deck],
        confidence: Callable[[Evidence, float], float],
    ) -> None:
        """Prepare a rectified picture (height, width, 3) uint8 of this scale."""
        self.scene = Scene(picture, px_per_mm)
        self.finds: list[Find] = []
        self.doubtful: list[Find] = []
        self._px_per_mm = px_per_mm
        self._decks = decks
        self._confidence = confidence
        self._field = CellField(picture, px_per_mm)

    def peel(self, poses: Poses, least: float) -> None:
        """Find pieces among proposed poses; `poses.sizes` counts decks, `least` is the least confidence."""
        places = [one for n in range(len(self._decks)) for one in self._places(n, poses)]
        in_vain = 0
        while places and in_vain < _IN_VAIN:
            best = max(range(len(places)), key=lambda n: places[n].score)
            place = places.pop(best)
            if place.score < _LEAST_SCORE:
                break
            if not place.is_fresh:
                places.append(place)
                self._rescore(places)
                continue
            find = self._find(place)
            if find is None or find.confidence < least:
                in_vain += 1
                if find is not None and find.support >= _PLAIN_OUTLINE:
                    self.doubtful.append(find)
                continue
            in_vain = 0
            self._take(find, places)

    def unnamed(self) -> list[Find]:
        """Return where something flat plainly lies apart from all finds that nobody can name."""
        apart: list[Find] = []
        for one in sorted(self.doubtful, key=lambda each: -each.support):
            if not any(_is_near(one, other) for other in (*self.finds, *apart)):
                apart.append(one)
        return apart

    def _take(self, find: Find, places: list[_Place]) -> None:
        """Note a find, and what it means for the places that are left."""
        self.finds.append(find)
        self.cover(find)
        places[:] = [one for one in places if not _is_same(one.pose, find)]
        for one in places:
            one.is_fresh = one.is_fresh and not _overlaps(one, find)

    def _places(self, number: int, poses: Poses) -> list[_Place]:
        """Return the proposed places for a deck, scored."""
        deck = self._decks[number]
        mine = poses.some(poses.sizes == number)
        if not len(mine):
            return []
        places = []
        turns = deck.turns
        at, support = np.repeat(mine.at, len(turns), axis=0), np.repeat(mine.support.mean(axis=1), len(turns))
        turned = (mine.turns[:, None] + turns).ravel()
        best, order = self._scores(deck, at, turned)
        for n in range(len(mine)):
            start = n * len(turns)
            ranked = (np.argsort(-best[start : start + len(turns)]) + start).tolist()
            which, other = int(ranked[0]), int(ranked[1])
            pose = Pose(x=float(at[which, 0]), y=float(at[which, 1]), turn=float(turned[which]))
            places.append(
                _Place(
                    deck=deck,
                    pose=pose,
                    support=float(support[which]),
                    score=float(best[which]) + _OUTLINE * float(support[which]),
                    faces=order[which].tolist(),
                    turned=float(turned[other] - turned[which])
                    if best[other] > best[which] - _CLOSE
                    else 0.0,
                    turned_faces=order[other].tolist(),
                )
            )
        return places

    def _scores(self, deck: Deck, at: Floats, turns: Floats) -> tuple[Singles, Numbers]:
        """Return the best score in each pose, and the faces with the best scores."""
        cells = deck.index.cells_px(at, turns, self._px_per_mm)
        seen = self._field.at(cells, turns)
        open_ = cv2.remap(
            self.scene.free,
            np.ascontiguousarray(cells[..., 0]),
            np.ascontiguousarray(cells[..., 1]),
            cv2.INTER_NEAREST,
            borderMode=cv2.BORDER_CONSTANT,
        )
        fifth, mean = deck.index.scores(seen, open_ > 0.5)
        top = np.concatenate([np.argsort(-one, axis=1)[:, :_SHORTLIST] for one in (mean, fifth)], axis=1)
        return np.asarray(mean.max(axis=1), np.float32), np.asarray(top, np.intp)

    def _rescore(self, places: Sequence[_Place]) -> None:
        """Score again the best of the places over which something was found since."""
        stale = [one for one in places if not one.is_fresh]
        some = sorted(stale, key=lambda one: -one.score)[:_TOGETHER]
        for deck in self._decks:
            mine = [one for one in some if one.deck is deck]
            if not mine:
                continue
            at = np.array([(one.pose.x, one.pose.y) for one in mine], np.float64)
            best, order = self._scores(deck, at, np.array([one.pose.turn for one in mine], np.float64))
            for one, score, faces in zip(mine, best.tolist(), order.tolist(), strict=True):
                one.score = score + _OUTLINE * one.support
                one.faces = faces
                one.is_fresh = True

    def _find(self, place: _Place) -> Find | None:
        """Return the face that explains a place best, turned either way that it may lie."""
        best = self._found_at(place)
        if place.turned and not _is_certain(best):
            pose = replace(place.pose, turn=place.pose.turn + place.turned)
            other = self._found_at(replace(place, pose=pose, faces=place.turned_faces))
            finds = [one for one in (best, other) if one is not None]
            best = max(finds, key=_confidence_of, default=None)
        return best

    def _found_at(self, place: _Place) -> Find | None:
        """Return the face that explains a place best, turned as it says."""
        best: Find | None = None
        tried: set[int] = set()
        queue = deque(one for one in dict.fromkeys(place.faces) if self._resembles(place, one))
        while queue and len(tried) < _COMPARED and not _is_certain(best):
            face = queue.popleft()
            if face in tried:
                continue
            tried.add(face)
            find = self._compared(place, face, place.pose if best is None else best.evidence.pose)
            if find is None:
                continue
            best = find if best is None else max(best, find, key=_confidence_of)
            if find.evidence.ahead < _DOUBTFUL:
                queue.appendleft(find.evidence.rival)
        return best

    def _resembles(self, place: _Place, face: int) -> bool:
        return resembles(self.scene, place.deck, face, place.pose)

    def _compared(self, place: _Place, face: int, start: Pose) -> Find | None:
        """Return a face as it lies in a place, None if it does not."""
        pose = register(self.scene, place.deck, face, start)
        evidence = compare(self.scene, place.deck, face, pose)
        if evidence is None or evidence.open_share < _LEAST_OPEN:
            return None
        return Find(
            deck=place.deck,
            evidence=evidence,
            support=place.support,
            confidence=self._confidence(evidence, place.support),
        )

    def cover(self, find: Find) -> None:
        """Take what shows a find as explained."""
        self.scene.free[self._mask(find)] = 0

    def _mask(self, find: Find) -> Bools:
        """Return which pixels of the picture show a find, (height, width)."""
        deck, pose = find.deck, find.evidence.pose
        height, width = deck.shape
        shown = cv2.resize(
            find.evidence.mask.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST
        )
        cos, sin = pose.size * np.cos(pose.turn), pose.size * np.sin(pose.turn)
        matrix = np.array(
            [
                [cos, -sin, pose.x - cos * (width - 1) / 2 + sin * (height - 1) / 2],
                [sin, cos, pose.y - sin * (width - 1) / 2 - cos * (height - 1) / 2],
            ]
        )
        size = self.scene.free.shape[1::-1]
        return np.asarray(cv2.warpAffine(shown, matrix, size, flags=cv2.INTER_NEAREST) > 0, np.bool_)


def _is_certain(find: Find | None) -> bool:
    return find is not None and find.confidence > _CERTAIN


@dataclass(slots=True, kw_only=True)
class _Place:
    deck: Deck
    pose: Pose
    support: float
    score: float
    faces: list[int]
    is_fresh: bool = True
    turned: float = 0.0
    turned_faces: list[int] = field(default_factory=list)


def _confidence_of(find: Find) -> float:
    return find.confidence


def _is_same(pose: Pose, find: Find) -> bool:
    short = min(find.deck.shape)
    other = find.evidence.pose
    off = float(np.hypot(pose.x - other.x, pose.y - other.y))
    period = np.pi / 2 if find.deck.shape[0] == find.deck.shape[1] else np.pi
    turn = abs((pose.turn - other.turn + period / 2) % period - period / 2)
    return off < _SAME * short and turn < _SAME_TURN


def _is_near(one: Find, other: Find) -> bool:
    off = np.hypot(*(one.corners().mean(axis=0) - other.corners().mean(axis=0)))
    return bool(off < _APART * min(*one.deck.shape, *other.deck.shape))


def _overlaps(place: _Place, find: Find) -> bool:
    off = np.hypot(place.pose.x - find.evidence.pose.x, place.pose.y - find.evidence.pose.y)
    return bool(off < (np.hypot(*place.deck.shape) + np.hypot(*find.deck.shape)) / 2)
