"""A film of tiles or cards that a hand lays one after another under the camera, on one heap or on several.

Hands also do what they should not: one passes without laying anything, a card comes face down and is laid
again, the heap is pushed a little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.table_layout import Content
from vision.arrays import Image
from vision.simulation.arrangement import Arranger
from vision.simulation.free_camera import FlatPiece, FreeCamera, LaidTable
from vision.simulation.free_photographs import laid_face, room_between_codes
from vision.simulation.scenery import HandPose

FRAMES_PER_S: Final = 15.0
_SLIP_MM, _TURN_DEG = 3.5, 3.0
_PUSHED_MM, _PUSHED_DEG = 2.0, 1.5
_CARRIED_MM: Final = 30.0
# Of a heap no more than the uppermost are drawn: the others are under them.
_DRAWN: Final = 12
# Tiles are thick: they are dealt on so many heaps in turn, so that none gets high.
_HEAPS: Final = (4, 2)
_PITCH: Final = 1.9
# Fingers are this share of a card's height from its middle.
_HELD_AT: Final = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealing:
    """How somebody deals.

    Attributes:
        coming, going, still: frames in which the hand comes with a card, in which it goes, and without it.
        passing: how often a hand passes without laying anything, 0 to 1 a card.
        face_down: how often a card comes face down first.
        pushing: how often the heap is pushed a little by a hand that lays nothing.
    """

    coming: int = 3
    going: int = 2
    still: int = 6
    passing: float = 0.0
    face_down: float = 0.0
    pushing: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtFrame:
    """One frame.

    Attributes:
        image: (height, width, 3) BGR.
        t: seconds since the first.
        top: the face that was laid last, empty = nothing lies there yet.
        piece: how it lies.
        laid: how many of the faces have been laid.
        is_still: no hand is over the table.
    """

    image: Image
    t: float
    top: str
    piece: FlatPiece | None
    laid: int
    is_still: bool


@dataclass(frozen=True, slots=True)
class _Moment:
    flat: tuple[FlatPiece, ...]
    hand: HandPose | None
    piece: FlatPiece | None
    laid: int


def dealt(
    camera: FreeCamera,
    arranger: Arranger,
    faces: Sequence[str],
    *,
    seed: int = 0,
    dealing: Dealing | None = None,
    back: str = "",
) -> Iterator[DealtFrame]:
    """Yield the frames in which these faces are laid, after some of the empty table.

    Args:
        camera: films.
        arranger: of the game.
        faces: in order.
        seed: decides on everything that hands do by chance.
        dealing: how somebody deals.
        back: what is seen of a card that lies face down.
    """
    hands = _Hands(arranger, dealing or Dealing(), seed, back)
    for number, one in enumerate(hands.deal(faces)):
        t = number / FRAMES_PER_S
        yield DealtFrame(
            image=camera.frame(LaidTable(flat=one.flat), hand_pose=one.hand, t=t),
            t=t,
            top="" if one.piece is None else one.piece.face.name,
            piece=one.piece,
            laid=one.laid,
            is_still=one.hand is None,
        )


class _Hands:
    """Somebody who deals."""

    def __init__(self, arranger: Arranger, dealing: Dealing, seed: int, back: str) -> None:
        self._arranger = arranger
        self._dealing = dealing
        self._dice = np.random.default_rng(seed)
        self._back = back
        self._number = 0
        x, y, self._wide, self._deep = room_between_codes(arranger)
        self._middle = (x, y)
        columns, rows = _HEAPS if arranger.content is Content.TILES else (1, 1)
        self._heaps: list[list[FlatPiece]] = [[] for _ in range(columns * rows)]
        self._columns, self._rows = columns, rows
        self._piece: FlatPiece | None = None
        self._laid = 0

    def deal(self, faces: Sequence[str]) -> Iterator[_Moment]:
        """Yield the moments."""
        yield from self._rest()
        for number, face in enumerate(faces):
            heap = number % len(self._heaps)
            if self._happens(self._dealing.passing):
                yield from self._reach(heap, None)
                yield from self._rest()
            if self._back and self._happens(self._dealing.face_down):
                card = self._card(self._back, heap)
                yield from self._reach(heap, card)
                yield from self._rest()
                self._heaps[heap].pop()
            card = self._card(face, heap)
            yield from self._reach(heap, card, counts=True)
            yield from self._rest()
            if self._happens(self._dealing.pushing):
                yield from self._reach(heap, None, pushes=True)
                yield from self._rest()

    def _happens(self, chance: float) -> bool:
        return bool(self._dice.random() < chance)

    def _card(self, face: str, heap: int) -> FlatPiece:
        """Return the next card of a heap, as it is laid."""
        row, column = divmod(heap, self._columns)
        steps = ((column - (self._columns - 1) / 2) * _PITCH, (row - (self._rows - 1) / 2) * _PITCH)
        card = laid_face(self._arranger, face, self._middle, steps)
        low = self._heaps[heap][-1].top_mm if self._heaps[heap] else 0.0
        x, y, turn = (float(one) for one in self._dice.standard_normal(3))
        self._number += 1
        return replace(
            card,
            key=f"{self._number}",
            x_mm=card.x_mm + x * _SLIP_MM,
            y_mm=card.y_mm + y * _SLIP_MM,
            turn_deg=turn * _TURN_DEG,
            lowest_mm=low,
            top_mm=low + card.top_mm,
        )

    def _reach(
        self, heap: int, card: FlatPiece | None, *, counts: bool = False, pushes: bool = False
    ) -> Iterator[_Moment]:
        """Yield a hand that comes, lays a card or pushes the heap, and goes."""
        there = self._heaps[heap]
        goal = card or (there[-1] if there else self._card(self._back or "", heap) if self._back else None)
        at = self._middle if goal is None else (goal.x_mm, goal.y_mm - goal.height_mm * _HELD_AT)
        for step in range(self._dealing.coming):
            tip, hand = self._hand(at, (step + 1) / (self._dealing.coming + 1))
            carried = () if card is None else (_carried(card, tip, at),)
            yield self._moment(carried, hand)
        if card is not None:
            there.append(card)
        if counts and card is not None:
            self._piece, self._laid = card, self._laid + 1
        if pushes and there:
            x, y, turn = (float(one) for one in self._dice.standard_normal(3))
            there[:] = [
                replace(
                    one,
                    x_mm=one.x_mm + x * _PUSHED_MM,
                    y_mm=one.y_mm + y * _PUSHED_MM,
                    turn_deg=one.turn_deg + turn * _PUSHED_DEG,
                )
                for one in there
            ]
        for step in range(self._dealing.going):
            _, hand = self._hand(at, 1 - step / (self._dealing.going + 1))
            yield self._moment((), hand)

    def _hand(self, at: tuple[float, float], reach: float) -> tuple[tuple[float, float], HandPose]:
        """Return where the fingers are, and the arm, 0 = still outside to 1 = there."""
        start = (at[0] + 60.0, self._middle[1] - self._deep * 1.1)
        x, y = (one + (other - one) * reach for one, other in zip(start, at, strict=True))
        return (x, y), HandPose(tip_mm=(x, y), elbow_mm=(x + 70.0, y - 420.0))

    def _rest(self) -> Iterator[_Moment]:
        for _ in range(self._dealing.still):
            yield self._moment((), None)

    def _moment(self, carried: tuple[FlatPiece, ...], hand: HandPose | None) -> _Moment:
        flat = tuple(one for heap in self._heaps for one in heap[-_DRAWN:])
        return _Moment((*flat, *carried), hand, self._piece, self._laid)


def _carried(card: FlatPiece, tip: tuple[float, float], at: tuple[float, float]) -> FlatPiece:
    """Return a card between fingers, above the table."""
    return replace(
        card,
        key=f"{card.key}/carried",
        x_mm=card.x_mm + tip[0] - at[0],
        y_mm=card.y_mm + tip[1] - at[1],
        lowest_mm=card.lowest_mm + _CARRIED_MM,
        top_mm=card.top_mm + _CARRIED_MM,
    )
