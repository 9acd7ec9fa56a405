"""Boards: there is one of each, it lies anywhere, and pieces stand upon it.

A board is found by its print in a coarse picture, in all turns, and then laid exactly. Nothing else of its
size lies on the table, so that no outlines need be looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Floats, Image, Singles
from vision.free.alignment import roughly_like
from vision.free.comparison import Evidence, Pose, Scene, compare, register
from vision.free.known_faces import Deck, KnownFace
from vision.free.peeling import Find

# The coarse picture, px a millimetre.
_COARSE: Final = 0.2
# From turn to turn the furthest point of a board moves so far in it, px.
_STEP_PX: Final = 1.5
# So many of the likest places are looked at closely, of each turn no more than this.
_LOOKED_AT: Final = 40
_OF_A_TURN: Final = 12
# Places nearer to each other than this share of the shorter edge, and turned alike, are one.
_SAME: Final = 0.15
_SAME_TURN: Final = np.deg2rad(8.0)
# A place with so little to see proves nothing.
_FLOOR: Final = 0.05
# No outline was looked for; half of it is seen, say.
_SUPPORT: Final = 0.5
# Of a board that is told by its print alone so much is seen and as learnt.
_MOSTLY: Final = 0.6
# A window around a board in which it is laid again reaches so far beyond it, as a share of its size.
_BEYOND: Final = 0.1


class BoardFinder:
    """Finds the boards of a game in rectified pictures of one scale."""

    def __init__(
        self,
        faces: Sequence[KnownFace],
        px_per_mm: float,
        confidence: Callable[[Evidence, float], float],
    ) -> None:
        """Prepare; `confidence` says how sure a find is.

        Discs that lie upon a board just hide a part of it: it need not be told from any other.
        """
        self.decks = [Deck([one], px_per_mm) for one in faces]
        self._px_per_mm = px_per_mm
        self._confidence = confidence
        self._turned = {id(deck): list(_turned(deck, px_per_mm)) for deck in self.decks}

    def is_board(self, find: Find) -> bool:
        """Whether a find is one of the boards."""
        return any(find.deck is deck for deck in self.decks)

    def find(self, picture: Image, least: float, known: Sequence[Find] = ()) -> list[Find]:
        """Return where boards lie in a picture (height, width, 3) uint8, those that are at least so sure.

        Those of which it is `known` where they lie are not looked for.
        """
        missing = [deck for deck in self.decks if not any(one.deck is deck for one in known)]
        if not missing:
            return []
        scene = Scene(picture, self._px_per_mm)
        found = (self._laid(scene, deck, self._likest(scene, deck), least) for deck in missing)
        return [one for one in found if one is not None]

    def find_again(self, picture: Image, before: Find, least: float) -> Find | None:
        """Return a board that still lies where it did, None if it does not."""
        corners = before.corners()
        beyond = _BEYOND * float(np.ptp(corners, axis=0).max())
        low = np.maximum(np.floor(corners.min(axis=0) - beyond), 0).astype(int)
        high = np.ceil(corners.max(axis=0) + beyond).astype(int)
        part = np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]])
        off = low.astype(np.float64)
        scene = Scene(part, self._px_per_mm)
        found = self._laid(scene, before.deck, [before.moved(-off).evidence.pose], least)
        return None if found is None else found.moved(off)

    def _laid(self, scene: Scene, deck: Deck, starts: Sequence[Pose], least: float) -> Find | None:
        """Return a board as it lies exactly, from where it may lie roughly; None if it lies nowhere there.

        A mirrored lamp may whiten most of a dark board, but its print is still to be seen: its colours count
        only if anything shows them.
        """
        likest: tuple[float, Find] | None = None
        for start in starts:
            pose = self._exactly(scene, deck, start)
            ways = [self._compared(scene, deck, pose, by_print_alone=alone) for alone in (False, True)]
            sure = [one for one in ways if one is not None and one.confidence >= least]
            # What lies a little off may be as sure, but less of it is as learnt.
            alike = sum(one.evidence.shown for one in ways if one is not None)
            if sure and (likest is None or alike > likest[0]):
                likest = alike, sure[0]
        return None if likest is None else likest[1]

    @staticmethod
    def _exactly(scene: Scene, deck: Deck, start: Pose) -> Pose:
        """Return exactly where a board lies that is roughly there."""
        likes = roughly_like(scene, deck, start)
        return register(scene, deck, 0, likes[0].pose if likes else start)

    def _compared(self, scene: Scene, deck: Deck, pose: Pose, *, by_print_alone: bool) -> Find | None:
        """Return a board that lies somewhere, None if nothing there resembles it."""
        evidence = compare(scene, deck, 0, pose, lambda _: True, by_print_alone=by_print_alone)
        if evidence is None or (by_print_alone and evidence.shown < _MOSTLY):
            return None
        sure = self._confidence(evidence, _SUPPORT)
        return Find(deck=deck, evidence=evidence, support=_SUPPORT, confidence=sure)

    def _likest(self, scene: Scene, deck: Deck) -> list[Pose]:
        """Return the poses that are likest to a board in the coarse picture, the likest first."""
        scale = _COARSE / self._px_per_mm
        coarse = np.asarray(
            cv2.resize(scene.soft, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.float32
        )
        likes = [
            (_likeness(coarse, known, inner), turn)
            for turn, known, inner in self._turned[id(deck)]
            if known.shape[0] <= coarse.shape[0] and known.shape[1] <= coarse.shape[1]
        ]
        found: list[Pose] = []
        # A line of the board may be taken for another one, more so where a lamp whitens a part of it.
        height, width = coarse.shape
        tops = sorted(
            # From the upper left corner of the turned board to its middle.
            (
                (
                    float(like[row, column]),
                    column + (width - like.shape[1]) / 2,
                    row + (height - like.shape[0]) / 2,
                    turn,
                )
                for like, turn in likes
                for row, column in _tops(like)
            ),
            reverse=True,
        )
        short = _SAME * min(deck.shape)
        for _, x, y, turn in tops:
            pose = Pose(x=(x + 0.5) / scale - 0.5, y=(y + 0.5) / scale - 0.5, turn=turn)
            if not any(_is_same(pose, other, short) for other in found):
                found.append(pose)
            if len(found) == _LOOKED_AT:
                break
        return found


def _tops(like: Singles) -> Iterator[tuple[int, int]]:
    """Yield the rows and columns of the likest places, which lie apart."""
    left = like.copy()
    for _ in range(_OF_A_TURN):
        row, column = np.unravel_index(int(left.argmax()), left.shape)
        yield int(row), int(column)
        left[max(row - 3, 0) : row + 4, max(column - 3, 0) : column + 4] = -1.0


def _is_same(one: Pose, other: Pose, near_px: float) -> bool:
    turn = abs((one.turn - other.turn + np.pi) % (2 * np.pi) - np.pi)
    return bool(np.hypot(one.x - other.x, one.y - other.y) < near_px and turn < _SAME_TURN)


def _likeness(coarse: Singles, known: Singles, inner: Singles) -> Singles:
    """Return how like a turned board each place is, -1 to 1."""
    both = cv2.matchTemplate(coarse, known, cv2.TM_CCORR)
    others = cv2.matchTemplate(coarse * coarse, inner, cv2.TM_CCORR)
    ones = float((known * known).sum())
    floor = _FLOOR * ones
    return np.asarray(both / np.sqrt((ones + floor) * (np.maximum(others, 0) + floor)), np.float32)


def _turned(deck: Deck, px_per_mm: float) -> Iterator[tuple[float, Singles, Singles]]:
    """Yield a board in all turns, radians clockwise, as the coarse picture shows it, and its pixels."""
    scale = _COARSE / px_per_mm
    reach = float(np.hypot(*deck.shape)) / 2 * scale
    edge = 2 * int(np.ceil(reach)) + 1
    count = max(int(np.ceil(2 * np.pi * reach / _STEP_PX)), 8)
    small = cv2.resize(deck.soft[0] * deck.inner, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    inside = cv2.resize(deck.inner, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    for number in range(count):
        turn = 2 * np.pi * number / count
        matrix = _to_middle(small.shape, turn, edge)
        known, inner = (
            np.asarray(cv2.warpAffine(one, matrix, (edge, edge), flags=cv2.INTER_LINEAR), np.float32)
            for one in (small, inside)
        )
        rows, columns = _filled(inner > 0)
        filled = np.ascontiguousarray(known[rows, columns]), np.ascontiguousarray(inner[rows, columns])
        yield float(turn), *filled


def _filled(some: Bools) -> tuple[slice, slice]:
    """Return the rows and columns that something fills, as many on either side of the middle."""
    height, width = some.shape
    rows, columns = np.flatnonzero(some.any(axis=1)), np.flatnonzero(some.any(axis=0))
    top = min(int(rows[0]), height - 1 - int(rows[-1]))
    left = min(int(columns[0]), width - 1 - int(columns[-1]))
    return slice(top, height - top), slice(left, width - left)


def _to_middle(shape: tuple[int, ...], turn: float, edge: int) -> Floats:
    """Return how a picture is turned about its middle into the middle of a square."""
    cos, sin = np.cos(turn), np.sin(turn)
    matrix = np.array([[cos, -sin], [sin, cos]])
    middle = np.array([(shape[1] - 1) / 2, (shape[0] - 1) / 2])
    return np.column_stack([matrix, np.full(2, (edge - 1) / 2) - matrix @ middle])
