"""Places in which a face may lie, the likest first, as long as something new may be seen there."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Image, Labels, Numbers, Singles
from vision.free.cells import CellField
from vision.free.comparison import Pose, Scene
from vision.free.known_faces import Deck
from vision.free.outlines import Poses

# So many places are scored again at a time.
_TOGETHER: Final = 64
_AT_ONCE: Final = 256
# How much an outline that is seen all around counts beside what is printed.
_OUTLINE: Final = 0.35
# A place that resembles no face more than this is not looked at.
_LEAST_SCORE: Final = 0.2
# An outline leaves the turn open; where a second one scores no less than this below the best, both are tried.
_CLOSE: Final = 0.15
# A place of which less can be seen, or less of what can be seen is new, shows nothing new.
_LEAST_OPEN: Final = 0.1
_LEAST_NEW: Final = 0.6
# Of places no further from each other than this, mm and radians, the likest is as good as all of them.
_BESIDE_MM: Final = 3.0
_BESIDE_TURN: Final = np.deg2rad(4.0)
# Two poses closer than this are of one piece: share of its shorter edge, radians.
SAME: Final = 0.12
SAME_TURN: Final = np.deg2rad(12.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where a face may lie.

    Attributes:
        deck: of which deck.
        pose: roughly where.
        support: share of its outline that is seen as an edge.
        turned: how much further it may be turned instead, radians; 0 = not at all.
    """

    deck: Deck
    pose: Pose
    support: float
    turned: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place that was taken out: its number, where it is, how like some face it is by its cells."""

    number: int
    spot: Spot
    score: float


class Scorer:
    """Scores places of one picture, of so many pixels a millimetre, by cells."""

    def __init__(self, picture: Image, scene: Scene, px_per_mm: float, news: Labels | None) -> None:
        """Describe a picture (height, width, 3) uint8.

        `news` (height, width), 0 or 1, is where something new may be seen, None = everywhere.
        """
        self._field = CellField(picture, px_per_mm)
        self._scene, self._news = scene, news
        self.px_per_mm = px_per_mm

    def scores(self, deck: Deck, at: Floats, turns: Floats) -> Singles:
        """Return how like some face each of N poses is, -1 where nothing new can be seen."""
        cells = deck.index.cells_px(at, turns, self.px_per_mm)
        x, y = np.ascontiguousarray(cells[..., 0]), np.ascontiguousarray(cells[..., 1])

        def looked_up(plane: Singles | Labels) -> Bools:
            got = cv2.remap(plane, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)
            return np.asarray(got > 0, np.bool_)

        seen = looked_up(self._scene.free)
        share = seen.mean(axis=1)
        is_new = share >= _LEAST_OPEN
        if self._news is not None:
            is_new &= (seen & looked_up(self._news)).mean(axis=1) >= _LEAST_NEW * share
        result = np.full(len(at), -1.0, np.float32)
        new = np.flatnonzero(is_new)
        # What all of them show together would not fit into a processor's cache.
        for some in (new[start : start + _AT_ONCE] for start in range(0, len(new), _AT_ONCE)):
            result[some] = deck.index.scores(self._field.at(cells[some], turns[some]), seen[some])
        return result


class Places:
    """Places that were not looked at yet."""

    def __init__(self, poses: Poses, decks: Sequence[Deck], scorer: Scorer) -> None:
        """Score proposed poses; `poses.sizes` counts decks."""
        self._decks, self._scorer = decks, scorer
        self._at, self._turns, self._sizes = poses.at.copy(), poses.turns.copy(), poses.sizes
        self._support = poses.support.mean(axis=1)
        self._turned = np.zeros(len(poses))
        self._scores = np.full(len(poses), -1.0, np.float32)
        for number, deck in enumerate(decks):
            self._score_turns(np.flatnonzero(poses.sizes == number), deck)
        self._is_left = self._scores >= _LEAST_SCORE
        self._thin_out(_BESIDE_MM * scorer.px_per_mm)
        self._is_fresh = np.ones(len(poses), np.bool_)
        self._is_out = np.zeros(len(poses), np.bool_)

    def _score_turns(self, mine: Numbers, deck: Deck) -> None:
        """Score places in all turns that their outlines leave open, and turn them as scores best."""
        if not len(mine):
            return
        turns = deck.turns
        turned = self._turns[mine][:, None] + turns
        scores = self._scorer.scores(deck, np.repeat(self._at[mine], len(turns), axis=0), turned.ravel())
        by_turn = scores.reshape(turned.shape)
        order = np.argsort(-by_turn, axis=1)
        row = np.arange(len(mine))
        best, second = order[:, 0], order[:, 1]
        self._turns[mine] = turned[row, best]
        first_score = by_turn[row, best]
        is_close = by_turn[row, second] > np.maximum(first_score - _CLOSE, 0)
        self._turned[mine] = np.where(is_close, turned[row, second] - turned[row, best], 0.0)
        self._scores[mine] = self._with_outline(first_score, mine)

    def _with_outline(self, scores: Singles, which: Numbers) -> Singles:
        told = scores + _OUTLINE * self._support[which]
        return np.asarray(np.where(scores >= 0, told, -1.0), np.float32)

    def outlined(self, least: float) -> list[Spot]:
        """Return the places of which at least this share of the outline is seen, the plainest first."""
        some = np.flatnonzero(self._support >= least)
        return [self._spot(n) for n in some[np.argsort(-self._support[some], kind="stable")].tolist()]

    def next(self) -> Place | None:
        """Take out the place that is likest to a face; None if no place is like one."""
        while (self._is_left & ~self._is_out).any():
            best = int(np.argmax(np.where(self._is_left & ~self._is_out, self._scores, -np.inf)))
            if self._is_fresh[best]:
                self._is_out[best] = True
                outline = _OUTLINE * float(self._support[best])
                return Place(number=best, spot=self._spot(best), score=float(self._scores[best]) - outline)
            self._score_again()
        return None

    def holds(self, number: int) -> bool:
        """Whether a place that was taken out is still as it was then."""
        return bool(self._is_out[number])

    def _spot(self, number: int) -> Spot:
        (x, y), turn = self._at[number].tolist(), float(self._turns[number])
        return Spot(
            deck=self._decks[int(self._sizes[number])],
            pose=Pose(x=x, y=y, turn=turn),
            support=float(self._support[number]),
            turned=float(self._turned[number]),
        )

    def _score_again(self) -> None:
        """Score again the best of the places over which something was found since."""
        stale = np.flatnonzero(self._is_left & ~self._is_out & ~self._is_fresh)
        some = stale[np.argsort(-self._scores[stale])[:_TOGETHER]]
        for number, deck in enumerate(self._decks):
            mine = some[self._sizes[some] == number]
            if len(mine):
                scores = self._scorer.scores(deck, self._at[mine], self._turns[mine])
                self._scores[mine] = self._with_outline(scores, mine)
        self._is_fresh[some] = True
        self._is_left[some] &= self._scores[some] >= _LEAST_SCORE

    def give_up(self, number: int) -> None:
        """Note that nothing was found in a place."""
        self._is_left[number] = False

    def _thin_out(self, near_px: float) -> None:
        """Leave out the places beside one that is likelier."""
        squares: dict[tuple[int, int, int], list[int]] = {}
        left = np.flatnonzero(self._is_left)
        corner = np.floor(self._at / near_px).astype(np.intp).tolist()
        at, turns, sizes = self._at.tolist(), self._turns.tolist(), self._sizes.tolist()
        for number in left[np.argsort(-self._scores[left], kind="stable")].tolist():
            (x, y), size = corner[number], sizes[number]
            near = (
                other
                for column, row in itertools.product(range(x - 1, x + 2), range(y - 1, y + 2))
                for other in squares.get((size, column, row), ())
            )
            if any(
                math.dist(at[other], at[number]) < near_px
                and _turned(turns[other] - turns[number]) < _BESIDE_TURN
                for other in near
            ):
                self._is_left[number] = False
            else:
                squares.setdefault((size, x, y), []).append(number)

    def take(self, pose: Pose, deck: Deck) -> None:
        """Note that a piece of a deck was found: those where it lies are no more, others show less."""
        self.rule_out(pose, deck)
        off = np.hypot(self._at[:, 0] - pose.x, self._at[:, 1] - pose.y)
        diagonals = np.array([np.hypot(*one.shape) for one in self._decks])
        overlaps = off < (diagonals[self._sizes] + np.hypot(*deck.shape)) / 2
        self._is_fresh &= ~overlaps
        self._is_out &= ~overlaps

    def rule_out(self, pose: Pose, deck: Deck) -> None:
        """Leave out the places where a piece of a deck is known to lie, plain to see."""
        off = np.hypot(self._at[:, 0] - pose.x, self._at[:, 1] - pose.y)
        period = np.pi / 2 if deck.shape[0] == deck.shape[1] else np.pi
        turn = np.abs((self._turns - pose.turn + period / 2) % period - period / 2)
        self._is_left &= ~((off < SAME * min(deck.shape)) & (turn < SAME_TURN))


def turned_over(spot: Spot) -> Spot:
    """Return the same place, turned the other way that it may be."""
    return replace(spot, pose=replace(spot.pose, turn=spot.pose.turn + spot.turned), turned=0.0)


def _turned(turn: float) -> float:
    """Return how far two rectangles are turned against each other that may lie across each other, radians."""
    return abs((turn + math.pi / 4) % (math.pi / 2) - math.pi / 4)
