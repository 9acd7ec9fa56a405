"""Free areas of a simulated table, for tests: pieces laid with care, or by hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.game import Game
from companion.loose_pieces import LoosePiece, turned
from companion.observation import Observation
from companion.simulation.loose_pieces import Hands, LooseTable
from companion.table import Picture, Place, Value


def careful(
    game: Game[Any, Any], picture: Picture, moved: Mapping[Place, LoosePiece] | None = None
) -> dict[str, tuple[LoosePiece, ...]]:
    """Return the areas of a picture, all pieces laid with care but for those that are given."""
    return _areas(game, picture, {**game.spots(picture), **(moved or {})})


def by_hand(
    game: Game[Any, Any], states: Sequence[Any], seed: int, hands: Hands, turn_deg: float = 0.0
) -> dict[str, tuple[LoosePiece, ...]]:
    """Return the areas as hands have left them that played all the states, on a table turned by so much."""
    table = LooseTable(game, random.Random(seed), hands)
    for state in states:
        table.lay(game.predict(state))
    pieces = {}
    for where, piece in table.pieces().items():
        x, y = turned(piece.x_mm, piece.y_mm, turn_deg)
        pieces[where] = replace(piece, x_mm=x, y_mm=y, turn_deg=piece.turn_deg + turn_deg)
    return _areas(game, game.predict(states[-1]), pieces)


def read(game: Game[Any, Any], state: Any, areas: Mapping[str, tuple[LoosePiece, ...]]) -> Picture:
    """Return the places that a state reads out of areas."""
    seen = game.located(state, Observation(source="eye", seq=1, seen_at_s=0.0, areas=areas))
    return {where: sighting.value for where, sighting in seen.sightings.items()}


def known_from_areas(game: Game[Any, Any], picture: Picture) -> Picture:
    """Return the places of a picture that are known from areas."""
    return {where: value for where, value in picture.items() if game.area_of(where) is not None}


def groups_of(game: Game[Any, Any], picture: Picture) -> dict[str, Counter[Value]]:
    """Return what lies in each group whose pieces have no order, and at each place of its own."""
    groups: dict[str, Counter[Value]] = {}
    for where, value in picture.items():
        groups.setdefault(game.group_of(where) or where, Counter())[value] += 1
    return groups


def _areas(
    game: Game[Any, Any], picture: Picture, pieces: Mapping[Place, LoosePiece]
) -> dict[str, tuple[LoosePiece, ...]]:
    names = {area for where in picture if (area := game.area_of(where)) is not None}
    return {name: tuple(piece for piece in pieces.values() if piece.area == name) for name in sorted(names)}
