"""The printed facts of Blue Moon City: tiles, cards, obelisk, editions, each with how sure it is.

Nothing in the rules depends on a particular value: a player may correct what is printed differently on
their own copy (`Catalogue.corrected`), and the rules follow.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any, Final

from companion.errors import MalformedError
from companion.storage.strict import as_choice, as_integer, as_list, as_map, parse_json_object

PEOPLES: Final = ("vulca", "terrah", "aqua", "flit", "khind", "mimix", "hoax", "pillar")
DRAGONS: Final = ("fire", "earth", "water")
DRAGON_PEOPLE: Final = {"fire": "vulca", "earth": "terrah", "water": "aqua"}
COURTYARD: Final = "courtyard"
ANY: Final = "any"

CELLS: Final = tuple(
    f"{r},{c}" for r in range(5) for c in range(5) if (r, c) not in {(0, 0), (0, 4), (4, 0), (4, 4)}
)
INDEX: Final = {cell: i for i, cell in enumerate(CELLS)}
CENTRE: Final = INDEX["2,2"]
CARDS: Final = tuple(f"{p}-{v}" for p in PEOPLES for v in (1, 2, 3))
PEOPLE: Final = {card: card[:-2] for card in CARDS}
VALUE: Final = {card: int(card[-1]) for card in CARDS}
CARD_COUNT: Final = 80
HAND_SIZE: Final = 8
MARKERS: Final = 10
STEPS: Final = 2
MOST_BOXES: Final = 4
MOST_VALUE: Final = 9
MOST_PAID: Final = 12  # by one part of a tile, on a copy that prints something else
_REWARDS: Final = ("majority", "contributor", "neighbour")
MOST_DRAWN: Final = 4  # at the end of a turn, after two discards
# Four players with a reward and four neighbours of two cards each, and a majority: no completion pays more.
MOST_REWARD_CARDS: Final = 50


def _around(cell: str) -> tuple[int, ...]:
    """Return the orthogonal neighbours as indices, in the order north, west, east, south (ruling 1)."""
    row, col = map(int, cell.split(","))
    near = (f"{row - 1},{col}", f"{row},{col - 1}", f"{row},{col + 1}", f"{row + 1},{col}")
    return tuple(INDEX[c] for c in near if c in INDEX)


NEIGHBOURS: Final = tuple(_around(cell) for cell in CELLS)


def _distances(start: int) -> tuple[int, ...]:
    """Return the number of orthogonal steps from `start` to every cell."""
    far = {start: 0}
    queue = [start]
    for here in queue:
        for there in NEIGHBOURS[here]:
            if there not in far:
                far[there] = far[here] + 1
                queue.append(there)
    return tuple(far[i] for i in range(len(CELLS)))


DISTANCE: Final = tuple(_distances(i) for i in range(len(CELLS)))


@functools.cache
def shortest_path(start: int, end: int) -> tuple[int, ...]:
    """Return one shortest way, without `start`, with `end`; empty when they are the same."""
    way: list[int] = []
    here = start
    while here != end:
        here = next(n for n in NEIGHBOURS[here] if DISTANCE[n][end] == DISTANCE[here][end] - 1)
        way.append(here)
    return tuple(way)


@dataclass(frozen=True, slots=True)
class Reward:
    """What one part of a tile pays to one player."""

    cards: int = 0
    crystals: int = 0
    scales: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Building:
    """One building tile as printed.

    Attributes:
        values: what each contribution box asks for, left to right.
        colour: the people whose cards pay, or "any" (the palace).
        marks: how sure each printed fact is, by field ("boxes.0", "majority", ...).
    """

    tile: str
    name: str
    colour: str
    values: tuple[int, ...]
    majority: Reward
    contributor: Reward
    neighbour: Reward
    marks: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """What differs between the editions.

    Attributes:
        scales: golden scales in the supply, by number of players.
        fixed_start: the four start tiles have fixed cells (otherwise any order around the courtyard).
    """

    scales: Mapping[int, int]
    fixed_start: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """All printed facts of one copy of the game."""

    buildings: Mapping[str, Building]
    cards: Mapping[str, int]
    obelisk: tuple[int, ...]
    offerings: Mapping[int, int]
    editions: Mapping[str, Edition]
    start: Mapping[int, str]

    def corrected(self, corrections: Mapping[str, Any]) -> Catalogue:
        """Return the catalogue of a copy whose tiles print something else.

        `corrections` maps a tile to ``{"colour": people, "boxes": [values], "majority": {"cards": 2}, ...}``;
        what is left out stays. Raises MalformedError for an unknown tile or an impossible value.
        """
        buildings = dict(self.buildings)
        for tile, change in corrections.items():
            if tile not in buildings:
                raise MalformedError(f"there is no tile {tile!r} to correct")
            buildings[tile] = _corrected_building(buildings[tile], change)
        return replace(self, buildings=buildings)


def _corrected_building(old: Building, given: object) -> Building:
    change = as_map(given, f"what is printed on {old.tile}", ("boxes", "colour", *_REWARDS))
    boxes = as_list(change.get("boxes", list(old.values)), f"the boxes of {old.tile}", most=MOST_BOXES)
    if not boxes:
        raise MalformedError(f"{old.tile} cannot have the boxes {boxes}")
    rewards: dict[str, Any] = {part: _corrected_reward(old, part, change.get(part, {})) for part in _REWARDS}
    return replace(
        old,
        colour=as_choice(change.get("colour", old.colour), f"the colour of {old.tile}", (*PEOPLES, ANY)),
        values=tuple(as_integer(value, f"a box of {old.tile}", 1, MOST_VALUE) for value in boxes),
        marks={**old.marks, **dict.fromkeys(change, "own_copy")},
        **rewards,
    )


def _corrected_reward(old: Building, part: str, given: object) -> Reward:
    what = f"the {part} of {old.tile}"
    change = as_map(given, what, ("cards", "crystals", "scales"))
    reward: Reward = getattr(old, part)
    return replace(reward, **{name: as_integer(value, what, 0, MOST_PAID) for name, value in change.items()})


def _building(tile: str, printed: Mapping[str, Any]) -> Building:
    def reward(part: str) -> Reward:
        return Reward(**{k: printed[part][k] for k in ("cards", "crystals", "scales")})

    marks = {f"boxes.{i}": box["confidence"] for i, box in enumerate(printed["boxes"])}
    marks |= {part: printed[part]["confidence"] for part in _REWARDS}
    return Building(
        tile=tile,
        name=printed["name"],
        colour=printed["colour"],
        values=tuple(box["value"] for box in printed["boxes"]),
        majority=reward("majority"),
        contributor=reward("contributor"),
        neighbour=reward("neighbour"),
        marks=marks,
    )


@functools.cache
def printed() -> Catalogue:
    """Return the catalogue that ships with the product."""
    facts = parse_json_object(resources.files(__package__).joinpath("catalogue.json").read_bytes())
    return Catalogue(
        buildings={tile: _building(tile, b) for tile, b in facts["buildings"].items()},
        cards={f"{p}-{v}": n for p, c in facts["cards"].items() for v, n in c["counts"].items()},
        obelisk=tuple(facts["obelisk"]),
        offerings={int(k): v for k, v in facts["offerings"].items()},
        editions={
            name: Edition(
                scales={int(k): v for k, v in e["scales"].items()}, fixed_start=e["start"] == "fixed"
            )
            for name, e in facts["editions"].items()
        },
        start={INDEX[cell]: tile for cell, tile in facts["start"].items()},
    )


TILES: Final = (COURTYARD, *printed().buildings)
