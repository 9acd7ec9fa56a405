"""Where the pieces of a simulated table are, in millimetres: put down by hand, sometimes nudged.

A game says where careful players would put its pieces (`Game.spots`). Hands are not that careful: each piece
ends up a little off its neighbours and a little turned, so rows drift and gaps open. Now and then a
sleeve nudges one, or one is put down so far off that nobody could tell where it belongs.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.game import Game
from companion.loose_pieces import LoosePiece, mean_turn_deg, turned
from companion.table import Picture, Place

# Pieces hardly further away than the nearest one are neighbours as well.
_NEIGHBOURS = 1.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """How carelessly pieces are laid, and how exactly they are seen.

    Attributes:
        slip_mm, turn_deg: standard deviation of where and how a piece is laid beside its neighbours.
        nudged: probability that a movement in an area nudges a piece there, by as much.
        astray: probability that a piece is put down a third to two thirds of its width away from its place.
        blur_mm, blur_deg: standard deviation of what one frame measures.
    """

    slip_mm: float = 3.0
    turn_deg: float = 3.0
    nudged: float = 0.1
    astray: float = 0.0
    blur_mm: float = 0.7
    blur_deg: float = 0.7


class LooseTable:
    """The pieces of the free areas of one table.

    Attributes:
        counts: how often pieces were put down, nudged or misplaced.
    """

    def __init__(self, game: Game[Any, Any], rng: random.Random, hands: Hands | None = None) -> None:
        self._game = game
        self.hands = hands or Hands()
        self.counts: Counter[str] = Counter()
        self._rng = rng
        self._area_of: dict[Place, str | None] = {}
        self._picture: Picture = {}
        self._areas: frozenset[str] = frozenset()
        self._lying: dict[Place, LoosePiece] = {}
        self._spots: Mapping[Place, LoosePiece] = {}

    def lay(self, picture: Picture) -> None:
        """Bring the pieces to where the picture has them; what has not changed stays where it lies."""
        if picture == self._picture:
            return
        spots = self._game.spots(picture)
        self._areas = frozenset(area for where in picture if (area := self.area_of(where)) is not None)
        stays = {where for where, spot in spots.items() if self._spots.get(where) == spot}
        self._lying = {where: lying for where, lying in self._lying.items() if where in stays}
        changed = {spots[where].area for where in spots.keys() - stays}
        self._spots, self._picture = spots, dict(picture)
        for where in sorted(spots.keys() - stays, key=lambda where: (self._distance(where), where)):
            self._lying[where] = self._laid(where)
        for area in sorted(changed):
            if self._rng.random() < self.hands.nudged:
                self._nudge(area)

    def area_of(self, where: Place) -> str | None:
        """Return the free area from which a place is known, None for all other places."""
        if where not in self._area_of:
            self._area_of[where] = self._game.area_of(where)
        return self._area_of[where]

    def pieces(self) -> dict[Place, LoosePiece]:
        """Return where each piece really lies, by the place it stands for."""
        return dict(self._lying)

    def areas(self) -> frozenset[str]:
        """Return the names of the free areas, empty ones too."""
        return self._areas

    def measured(self, lying: LoosePiece, *, face: str | None, confidence: float) -> LoosePiece:
        """Return a piece as one frame measures it, read as this face (None = not read)."""
        return LoosePiece(
            face=face,
            area=lying.area,
            x_mm=lying.x_mm + self._rng.gauss(0.0, self.hands.blur_mm),
            y_mm=lying.y_mm + self._rng.gauss(0.0, self.hands.blur_mm),
            turn_deg=lying.turn_deg + self._rng.gauss(0.0, self.hands.blur_deg),
            width_mm=lying.width_mm,
            height_mm=lying.height_mm,
            confidence=confidence,
        )

    def _distance(self, where: Place) -> float:
        """Return how far a new piece is from the pieces that lie there: the nearest is laid first."""
        spot = self._spots[where]
        return min((_apart(spot, self._spots[other]) for other in self._beside(where)), default=0.0)

    def _beside(self, where: Place) -> list[Place]:
        area = self._spots[where].area
        return [other for other in self._lying if self._spots[other].area == area]

    def _laid(self, where: Place) -> LoosePiece:
        """Lay a piece beside those of its neighbours that lie there already."""
        spot = self._spots[where]
        others = self._beside(where)
        self.counts["pieces laid"] += 1
        if not others:
            return self._moved(spot, 3 * self.hands.slip_mm, self.hands.turn_deg)
        apart = {other: _apart(spot, self._spots[other]) for other in others}
        near = [other for other in others if apart[other] <= _NEIGHBOURS * min(apart.values())]
        ends = [self._end(spot, self._spots[other], self._lying[other]) for other in near]
        careful = replace(
            spot,
            x_mm=sum(x for x, _ in ends) / len(ends),
            y_mm=sum(y for _, y in ends) / len(ends),
            turn_deg=mean_turn_deg((self._lying[other].turn_deg for other in near), 360.0),
        )
        laid = self._moved(careful, self.hands.slip_mm, self.hands.turn_deg)
        return self._astray(laid) if self._rng.random() < self.hands.astray else laid

    def _end(self, spot: LoosePiece, ideal: LoosePiece, actual: LoosePiece) -> tuple[float, float]:
        """Return where a piece comes to lie if it is laid by one neighbour alone."""
        turn = actual.turn_deg - ideal.turn_deg
        x, y = turned(spot.x_mm - ideal.x_mm, spot.y_mm - ideal.y_mm, turn)
        return actual.x_mm + x, actual.y_mm + y

    def _moved(self, lying: LoosePiece, mm: float, deg: float) -> LoosePiece:
        return replace(
            lying,
            x_mm=lying.x_mm + self._rng.gauss(0.0, mm),
            y_mm=lying.y_mm + self._rng.gauss(0.0, mm),
            turn_deg=lying.turn_deg + self._rng.gauss(0.0, deg),
        )

    def _astray(self, lying: LoosePiece) -> LoosePiece:
        self.counts["pieces laid astray"] += 1
        far = lying.width_mm * self._rng.uniform(0.33, 0.67)
        x, y = turned(far, 0.0, self._rng.choice((0.0, 90.0, 180.0, 270.0)) + lying.turn_deg)
        return replace(lying, x_mm=lying.x_mm + x, y_mm=lying.y_mm + y)

    def _nudge(self, area: str) -> None:
        there = sorted(where for where in self._lying if self._spots[where].area == area)
        if there:
            where = self._rng.choice(there)
            self._lying[where] = self._moved(self._lying[where], self.hands.slip_mm, self.hands.turn_deg)
            self.counts["pieces nudged"] += 1


def _apart(one: LoosePiece, other: LoosePiece) -> float:
    return math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
