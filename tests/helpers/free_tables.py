"""Tables on which everything lies free, for tests: laid by hand, and seen whole and rightly."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.free_faces import FreeFace, FreeReading, Side
from companion.free_pieces import FreePiece, FreeTable, Placed, Shape
from companion.game import Game
from companion.loose_pieces import Point, turned
from companion.observation import Observation
from companion.table import Picture, kind_of

# Kinds of places that no state predicts: what lies on top of a pile, and whether cards are left in a deck.
_KNOWN_FROM_SIGHT = frozenset({"left", "top"})


class Laying:
    """Lays pieces one after the other, each upon those before it, as hands do."""

    def __init__(self, rng: random.Random, *, slip_mm: float = 1.5, turn_deg: float = 2.0) -> None:
        self._rng = rng
        self._slip_mm, self._turn_deg = slip_mm, turn_deg
        self._faces: list[FreeFace] = []
        self._pieces: list[FreePiece] = []

    def flat(
        self,
        name: str,
        at: tuple[float, float],
        size_mm: tuple[float, float],
        *,
        turn_deg: float = 0.0,
        seat_deg: float = 0.0,
        side: Side = Side.FACE,
    ) -> FreeFace:
        """Lay a face; `at` and `turn_deg` are as someone sees them for whom the table is turned."""
        x, y = turned(*at, seat_deg)
        turn = turn_deg + seat_deg + self._rng.gauss(0.0, self._turn_deg)
        face = FreeFace(
            name=name,
            side=side,
            x_mm=x + self._rng.gauss(0.0, self._slip_mm),
            y_mm=y + self._rng.gauss(0.0, self._slip_mm),
            turn_deg=(turn + 180.0) % 360.0 - 180.0,
            width_mm=size_mm[0],
            height_mm=size_mm[1],
            visible_share=1.0,
            order=len(self._faces),
            confidence=0.99,
            area=None,
        )
        self._faces.append(face)
        return face

    def solid(
        self, name: str, shape: Shape, at: tuple[float, float], *, on: FreeFace | None = None, **more: int
    ) -> None:
        """Put a piece down; `more` are its spot and its level."""
        self._pieces.append(
            FreePiece(
                name=name,
                shape=shape,
                x_mm=at[0] + self._rng.gauss(0.0, self._slip_mm),
                y_mm=at[1] + self._rng.gauss(0.0, self._slip_mm),
                confidence=0.99,
                on=None if on is None else on.order,
                **more,
            )
        )

    def table(self, hidden: Sequence[Point] = ()) -> FreeTable:
        """Return what is seen of it; something hides these points."""
        reading = FreeReading(faces=tuple(self._faces), hidden=tuple(hidden))
        return FreeTable(reading=reading, pieces=tuple(self._pieces))


def under_a_hand(table: FreeTable, rng: random.Random) -> FreeTable:
    """Return what is seen of a table while a hand lies somewhere over its cards and tiles."""
    middle = rng.choice(table.reading.faces)
    around, reach = (
        (middle.x_mm + rng.gauss(0.0, 20.0), middle.y_mm + rng.gauss(0.0, 20.0)),
        rng.uniform(25, 90),
    )

    def is_seen(one: FreeFace | FreePiece) -> bool:
        return math.dist((one.x_mm, one.y_mm), around) > reach

    faces = tuple(filter(is_seen, table.reading.faces))
    orders = {one.order for one in faces}
    pieces = [
        one if one.on in orders else replace(one, on=None, spot=None)
        for one in table.pieces or ()
        if is_seen(one)
    ]
    steps = [10.0 * step for step in range(-9, 10)]
    points = [
        (around[0] + x, around[1] + y)
        for x, y in itertools.product(steps, steps)
        if math.hypot(x, y) <= reach
    ]
    return replace(table, reading=FreeReading(faces=faces, hidden=tuple(points)), pieces=tuple(pieces))


def seen_places(game: Game[Any, Any], state: Any, players: Sequence[str], table: FreeTable) -> Picture:
    """Return the places that a game reads out of a table, knowing the state."""
    layout = game.table_layout(players)
    assert layout is not None
    return located(game, state, game.placed(layout, players, table))


def located(game: Game[Any, Any], state: Any, placed: Placed) -> Picture:
    """Return the places of what a game has made of a table."""
    sightings = {one.place: one for one in placed.sightings}
    seen = Observation(
        source="eye", seq=1, seen_at_s=0.0, sightings=sightings, areas=placed.areas, covered=placed.covered
    )
    return {where: one.value for where, one in game.located(state, seen).sightings.items()}


def differences(game: Game[Any, Any], picture: Picture, truth: Picture) -> dict[str, tuple[Any, Any]]:
    """Return what is claimed otherwise than it is, by group of places or place: the claim, and the truth.

    The members of a group have no order. A group is compared by what is claimed of it.
    """
    claimed, true = _by_group(game, picture), _by_group(game, truth)
    return {
        name: (values, true.get(name))
        for name, values in claimed.items()
        if _present(values) != _present(true.get(name, []))
    }


def contradictions(game: Game[Any, Any], picture: Picture, truth: Picture) -> dict[str, tuple[Any, Any]]:
    """Return what is claimed that is not so, where not everything is claimed: see `differences`."""
    claimed, true = _by_group(game, picture), _by_group(game, truth)
    return {
        name: (values, true.get(name))
        for name, values in claimed.items()
        if Counter(values) - Counter(true.get(name, [None] * len(values)))
    }


def _by_group(game: Game[Any, Any], picture: Picture) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for where, value in picture.items():
        if kind_of(where) in _KNOWN_FROM_SIGHT:
            continue
        found.setdefault(game.group_of(where) or str(where), []).append(value)
    return found


def _present(values: Sequence[Any]) -> list[str]:
    return sorted(value for value in values if value is not None)
