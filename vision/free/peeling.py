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

from vision.arrays import Bools, Floats, Image, Labels, Numbers, Singles
from vision.free.cells import CellField
from vision.free.comparison import Evidence, Pose, Scene, aligned, compare, register, resembles
from vision.free.known_faces import Deck
from vision.free.outlines import Poses

# Faces from the shortlist of each way of scoring, and how many are compared in one place.
_SHORTLIST: Final = 2
_COMPARED: Final = 5
# So many of the shortlist are compared at once, if they are not less like the place than the first by this.
_STARTED: Final = 2
_LESS_LIKE: Final = 0.25
# A place that is no more like a face than this, -1 to 1, shows none: of true ones on drawn tables all are.
_LIKE: Final = 0.38
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
_MOSTLY: Final = 0.6
_STILL: Final = 0.4
# What nobody can name lies apart from a find if their middles are further from each other, in shorter edges.
_APART: Final = 0.6
# Two finds closer than this are of one piece: share of its shorter edge, radians.
_SAME: Final = 0.12
_SAME_TURN: Final = np.deg2rad(12.0)
# Places no further from each other than this share of a shorter edge are as good as one; so often one fails.
_BESIDE: Final = 0.06
_TWICE: Final = 2
# Pieces beside a known one are so far from it, in its widths and heights; half of their outline is seen, say.
_SIDEWAYS: Final = np.arange(0.2, 1.11, 0.1)
_SIDE_SUPPORT: Final = 0.5
_SIDE_ROUNDS: Final = 3
_ASIDE: Final = 60
_LEAST_OPEN: Final = 0.1
# What is less likely than this even without any rival is no face.
_HOPELESS: Final = 0.1
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

    def drawn(self, shape: tuple[int, ...], reduced: int = 1) -> Labels:
        """Return which pixels of a picture of this height and width show it, uint8, 0 or 1.

        The picture is reduced so many times.
        """
        pose, (height, width) = self.evidence.pose, self.deck.shape
        rows, columns = self.evidence.mask.shape
        across, along = width / columns * pose.size / reduced, height / rows * pose.size / reduced
        cos, sin = np.cos(pose.turn), np.sin(pose.turn)
        turn = np.array([[cos * across, -sin * along], [sin * across, cos * along]])
        middle = (np.array([pose.x, pose.y]) + 0.5) / reduced - 0.5
        matrix = np.column_stack([turn, middle - turn @ ((columns - 1) / 2, (rows - 1) / 2)])
        mask = self.evidence.mask.astype(np.uint8)
        size = (shape[1], shape[0])
        return np.asarray(cv2.warpAffine(mask, matrix, size, flags=cv2.INTER_NEAREST), np.uint8)

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
        self._outlined: list[_Place] = []
        self._kept: list[Find] = []
        self._px_per_mm = px_per_mm
        self._decks = decks
        self._confidence = confidence
        self._field = CellField(picture, px_per_mm)

    def peel(self, poses: Poses, least: float) -> None:
        """Find pieces among proposed poses; `poses.sizes` counts decks, `least` is the least confidence.

        What lies half under another piece may show no corner, so that nothing proposes it: it is looked for
        beside all that was found.
        """
        places = [one for n in range(len(self._decks)) for one in self._places(n, poses)]
        self._outlined += [one for one in places if one.support >= _PLAIN_OUTLINE]
        self._peel(places, least, _IN_VAIN)
        for _ in range(_SIDE_ROUNDS):
            known = len(self.finds)
            beside = self._beside()
            self._peel(
                [one for n in range(len(self._decks)) for one in self._places(n, beside)], least, _ASIDE
            )
            if len(self.finds) == known:
                break

    def _peel(self, places: list[_Place], least: float, most_in_vain: int) -> None:
        in_vain = 0
        failed: list[_Place] = []
        while places and in_vain < most_in_vain:
            place = self._next(places)
            if place is None:
                break
            find = self._find(place)
            if find is None or find.confidence < least:
                in_vain += 1
                _give_up_near(place, places, failed)
                continue
            in_vain = 0
            self._take(find, places)
            failed = [one for one in failed if not _overlaps(one, find)]

    def _beside(self) -> Poses:
        """Return poses beside all that is known, as people lay pieces: straight, touching or half covered."""
        at, turns, sizes = [np.zeros((0, 2))], [np.zeros(0)], [np.zeros(0, np.intp)]
        for one in (*self._kept, *self.finds):
            pose, (height, width) = one.evidence.pose, one.deck.shape
            steps = np.concatenate([-_SIDEWAYS, _SIDEWAYS])
            own = np.concatenate([np.outer(steps, (width, 0.0)), np.outer(steps, (0.0, height))])
            cos, sin = np.cos(pose.turn), np.sin(pose.turn)
            there = own @ np.array([[cos, sin], [-sin, cos]]) + (pose.x, pose.y)
            there = there[self._are_open(there)]
            at.append(there)
            turns.append(np.full(len(there), pose.turn))
            sizes.append(np.full(len(there), self._decks.index(one.deck), np.intp))
        many = sum(map(len, turns))
        return Poses(
            np.concatenate(at),
            np.concatenate(turns),
            np.concatenate(sizes),
            np.full((many, 4), _SIDE_SUPPORT),
        )

    def _are_open(self, at: Floats) -> Bools:
        """Return which points are in the picture."""
        height, width = self.scene.free.shape
        return np.asarray((at >= 0).all(axis=1) & (at < (width, height)).all(axis=1), np.bool_)

    def _next(self, places: list[_Place]) -> _Place | None:
        """Take out the place that is likest to a face, None if no place is like one."""
        while True:
            best = max(range(len(places)), key=lambda n: places[n].score)
            place = places.pop(best)
            if place.score < _LEAST_SCORE:
                return None
            if place.is_fresh:
                return place
            places.append(place)
            self._rescore(places)

    def look_again(self, finds: Sequence[Find], least: float) -> None:
        """Keep what was found here before as far as it still lies there, what is plainest first."""
        for one in sorted(finds, key=lambda each: -each.confidence):
            place = _Place(
                deck=one.deck,
                pose=one.evidence.pose,
                support=one.support,
                score=1.0,
                faces=[one.evidence.face],
            )
            if not resembles(self.scene, one.deck, one.evidence.face, one.evidence.pose):
                continue
            found = self._compared(place, one.evidence.face, one.evidence.pose)
            if found is None or not _is_same(found.evidence.pose, one):
                continue
            if _still_agrees(found.evidence):
                # What was laid upon it since takes nothing from what was seen before.
                found = replace(found, confidence=max(found.confidence, one.confidence))
            if found.confidence >= least:
                self._take(found, [])

    def unnamed(self) -> list[Find]:
        """Return where something flat plainly lies apart from all finds that nobody can name."""
        apart: list[Find] = []
        for place in sorted(self._outlined, key=lambda each: -each.support):
            one = _unread(place)
            if self._is_open(one) and not any(_is_near(one, other) for other in (*self.finds, *apart)):
                apart.append(one)
        return apart

    def _is_open(self, find: Find) -> bool:
        """Whether nothing explains most of what is seen within an outline."""
        x, y = find.evidence.pose.maps(find.deck.x[::4, ::4], find.deck.y[::4, ::4])
        free = cv2.remap(self.scene.free, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)
        return float(free.mean()) >= _MOSTLY

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
        starts = self._starts(place)
        queue = deque(starts)
        while queue and len(tried) < _COMPARED and not _is_certain(best):
            face = queue.popleft()
            if face in tried:
                continue
            tried.add(face)
            start = starts.get(face, place.pose) if best is None else best.evidence.pose
            find = self._compared(place, face, start)
            if find is None:
                continue
            best = find if best is None else max(best, find, key=_confidence_of)
            if find.evidence.ahead < _DOUBTFUL:
                queue.appendleft(find.evidence.rival)
        return best

    def _starts(self, place: _Place) -> dict[int, Pose]:
        """Return the faces of the shortlist that a place is like, the likest first, and where they lie."""
        found = {
            face: aligned(self.scene, place.deck, face, place.pose) for face in dict.fromkeys(place.faces)
        }
        ranked = sorted(found, key=lambda face: -found[face][0])[:_STARTED]
        return {
            face: found[face][1]
            for face in ranked
            if found[face][0] >= max(found[ranked[0]][0] - _LESS_LIKE, _LIKE)
            and resembles(self.scene, place.deck, face, found[face][1])
        }

    def _compared(self, place: _Place, face: int, start: Pose) -> Find | None:
        """Return a face as it lies in a place, None if it does not."""
        pose = register(self.scene, place.deck, face, start)

        def is_worth(alone: Evidence) -> bool:
            return alone.open_share >= _LEAST_OPEN and self._confidence(alone, place.support) >= _HOPELESS

        evidence = compare(self.scene, place.deck, face, pose, is_worth)
        if evidence is None:
            return None
        return Find(
            deck=place.deck,
            evidence=evidence,
            support=place.support,
            confidence=self._confidence(evidence, place.support),
        )

    def keep(self, find: Find) -> None:
        """Take a piece as known that need not be found again."""
        self._kept.append(find)
        self.cover(find)

    def cover(self, find: Find) -> None:
        """Take what shows a find as explained."""
        self.scene.free[self._mask(find)] = 0

    def _mask(self, find: Find) -> Bools:
        """Return which pixels of the picture show a find, (height, width)."""
        return find.drawn(self.scene.free.shape) > 0


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


def _still_agrees(evidence: Evidence) -> bool:
    """Whether most of what is seen of a face is as learnt, and like no other rather."""
    return evidence.ahead > 0 and evidence.shown >= _STILL * evidence.open_share


def _unread(place: _Place) -> Find:
    """Return an outline as that of something of which nothing is known."""
    evidence = Evidence(
        face=place.faces[0],
        pose=place.pose,
        open_share=1.0,
        shown=0.0,
        likeness=0.0,
        ahead=0.0,
        rival=-1,
        clear=0.0,
        hole=0.0,
        mask=np.zeros(place.deck.blocks, np.bool_),
        closest=(),
    )
    return Find(deck=place.deck, evidence=evidence, support=place.support, confidence=0.0)


def _give_up_near(place: _Place, places: list[_Place], failed: list[_Place]) -> None:
    """Leave out the places beside one in which nothing was found, once nothing was found there twice."""
    failed.append(place)
    if sum(_is_beside(place, one) for one in failed) >= _TWICE:
        places[:] = [one for one in places if not _is_beside(one, place)]


def _is_beside(one: _Place, other: _Place) -> bool:
    off = float(np.hypot(one.pose.x - other.pose.x, one.pose.y - other.pose.y))
    turn = abs((one.pose.turn - other.pose.turn + np.pi / 4) % (np.pi / 2) - np.pi / 4)
    return one.deck is other.deck and off < _BESIDE * min(one.deck.shape) and turn < _SAME_TURN


def _is_near(one: Find, other: Find) -> bool:
    off = np.hypot(*(one.corners().mean(axis=0) - other.corners().mean(axis=0)))
    return bool(off < _APART * min(*one.deck.shape, *other.deck.shape))


def _overlaps(place: _Place, find: Find) -> bool:
    off = np.hypot(place.pose.x - find.evidence.pose.x, place.pose.y - find.evidence.pose.y)
    return bool(off < (np.hypot(*place.deck.shape) + np.hypot(*find.deck.shape)) / 2)
