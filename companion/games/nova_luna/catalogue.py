"""The printed facts of Nova Luna: 68 tiles, the wheel, the track, the tokens, each with how sure it is.

Tiles alike in colour, cost and tasks are *twins*: nobody at a table can tell them apart, so pictures of the
table name the lower id of the two.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final, TypeAlias

from companion.storage.strict import parse_json_object

Task: TypeAlias = tuple[tuple[str, int], ...]

SLOTS: Final = 12
START_TILES: Final = 11
REACH: Final = 3
MOST_TASKS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One tile.

    Attributes:
        id: our running number, not printed.
        cost: steps on the track, 1 to 7.
        tasks: each a set of colours with counts, in the catalogue's order.
        twin: the lowest id of the tiles that look the same.
    """

    id: int
    colour: str
    cost: int
    tasks: tuple[Task, ...]
    twin: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """All printed facts.

    Attributes:
        tiles: by id.
        tokens: tokens of a player, the one on the track included.
        fewer_tokens: the shorter game's number, by number of players.
        solo_piles: tokens of the first and of the second phase.
        confidence: how sure each group of facts is, and why.
    """

    colours: tuple[str, ...]
    tiles: Mapping[int, Tile]
    track_spaces: int
    tokens: int
    fewer_tokens: Mapping[int, int]
    solo_piles: tuple[int, int]
    confidence: Mapping[str, Mapping[str, str]]


@functools.cache
def catalogue() -> Catalogue:
    """Return the catalogue that ships with the product."""
    data = parse_json_object(resources.files(__package__).joinpath("catalogue.json").read_bytes())
    first, second = data["solo_piles"]
    return Catalogue(
        colours=tuple(data["colours"]),
        tiles=_tiles(data["tiles"]),
        track_spaces=data["track_spaces"],
        tokens=data["tokens"],
        fewer_tokens={int(players): count for players, count in data["fewer_tokens"].items()},
        solo_piles=(first, second),
        confidence=data["confidence"],
    )


def _tiles(rows: list[dict[str, Any]]) -> dict[int, Tile]:
    twins: dict[tuple[object, ...], int] = {}
    tiles: dict[int, Tile] = {}
    for row in rows:
        tasks = tuple(tuple(sorted(task.items())) for task in row["tasks"])
        looks = (row["colour"], row["cost"], tasks)
        twin = twins.setdefault(looks, row["id"])
        tiles[row["id"]] = Tile(id=row["id"], colour=row["colour"], cost=row["cost"], tasks=tasks, twin=twin)
    return tiles


TILES: Final = catalogue().tiles


def twin(tile: int) -> int:
    """Return the id under which a picture of the table shows the tile."""
    return TILES[tile].twin
