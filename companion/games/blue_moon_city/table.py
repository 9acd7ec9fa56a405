"""Table states (the JSON of cameras and checkpoints) and pictures, and the picture that a state casts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.errors import MalformedError
from companion.game import Json
from companion.games.blue_moon_city.catalogue import CARDS, CELLS, COURTYARD, DRAGONS, TILES, Catalogue
from companion.games.blue_moon_city.state import CityState
from companion.games.kit.notation import UNSEEN
from companion.storage.strict import as_choice, as_list, as_mapping, as_object, as_string
from companion.table import Picture, Place, Value, kind_of, parts_of, place

PILE = Place("discard")
# A camera's truth also tells the turn, the mover and whether a hand is there: no part of the table.
IGNORED = ("t", "confidence", "turn", "player", "hand")
KEYS = ("cells", "boxes", "pawns", "dragons", "obelisk", "discard", *IGNORED)


def predict(state: CityState) -> dict[Place, Value]:
    """Return the picture that the state casts; the discard pile is left out where it is not known."""
    setup = state.setup
    names = setup.players
    picture: dict[Place, Value] = {}
    for i, cell in enumerate(CELLS):
        side = "built" if i in state.built else "sketch"
        picture[Place(f"cell:{cell}")] = f"{setup.layout[i]}/{side}"
        for box, owner in enumerate(state.boxes[i]):
            picture[Place(f"box:{cell}:{box}")] = names[owner] if owner >= 0 else None
    for seat, name in enumerate(names):
        picture[Place(f"figure:{name}")] = CELLS[state.figures[seat]]
    for number, dragon in enumerate(DRAGONS):
        where = state.dragons[number]
        picture[Place(f"dragon:{dragon}")] = CELLS[where] if where >= 0 else None
    for box, owner in enumerate(state.obelisk):
        picture[Place(f"obelisk:{box}")] = names[owner] if owner >= 0 else None
    if state.hidden is None:
        picture[PILE] = state.discard[-1] if state.discard else None
    elif state.hidden.top is not None or state.hidden.pile_empty:
        picture[PILE] = state.hidden.top
    return picture


def parse_table(table: Json, catalogue: Catalogue) -> dict[Place, Value]:
    """Return the picture of a table state; what was not seen is absent. Raises MalformedError."""
    as_object(table, "the table state", (), KEYS)
    picture: dict[Place, Value] = {}
    for cell, content in as_object(table.get("cells", {}), "cells", (), CELLS).items():
        picture[place("cell", cell)] = _tile(content, cell)
    for cell, owners in as_object(table.get("boxes", {}), "boxes", (), CELLS).items():
        for box, owner in enumerate(as_list(owners, f"the boxes of {cell}")):
            if owner != UNSEEN:
                picture[place("box", cell, box)] = None if owner is None else as_string(owner, "an owner")
    for name, where in as_mapping(table.get("pawns", {}), "pawns").items():
        if where != UNSEEN:
            picture[place("figure", name)] = _where(where, f"the figure of {name}")
    for dragon, where in as_object(table.get("dragons", {}), "dragons", (), DRAGONS).items():
        if where != UNSEEN:
            picture[place("dragon", dragon)] = _where(where, f"the dragon {dragon}")
    if "obelisk" in table:
        for box, owner in enumerate(as_list(table["obelisk"], "obelisk", len(catalogue.obelisk))):
            if owner != UNSEEN:
                picture[place("obelisk", box)] = None if owner is None else as_string(owner, "an owner")
    if table.get("discard", UNSEEN) != UNSEEN:
        top = table["discard"]
        picture[PILE] = None if top is None else as_choice(top, "discard", CARDS)
    return picture


def _tile(content: object, cell: str) -> Value:
    if content is None:
        return None
    tile = as_object(content, f"the cell {cell}", ("tile", "side"))
    name = as_choice(tile["tile"], f"the tile on {cell}", TILES)
    return f"{name}/{as_choice(tile['side'], f'the side on {cell}', ('sketch', 'built'))}"


def _where(where: object, what: str) -> Value:
    return None if where is None else as_choice(where, what, CELLS)


def format_table(picture: Picture, catalogue: Catalogue) -> Json:
    """Return the table state of a picture."""
    return _write(picture, catalogue, lambda value, _: value, UNSEEN)


def confidences(picture: Picture, confidence: Mapping[Place, float], catalogue: Catalogue) -> Json:
    """Return the ``confidence`` member of a reading: the same shape as the table state."""
    return _write(picture, catalogue, lambda _, where: round(confidence[where], 4), 0.0)


def _write(picture: Picture, catalogue: Catalogue, entry: Callable[[Any, Place], Any], unseen: Any) -> Json:
    """Lay a picture out as a table state, each entry made by `entry`."""
    table: dict[str, Any] = {"cells": {}, "boxes": {}, "pawns": {}, "dragons": {}}
    groups = {"cell": "cells", "figure": "pawns", "dragon": "dragons"}
    for where, value in picture.items():
        kind = kind_of(where)
        if kind in groups:
            table[groups[kind]][where.partition(":")[2]] = entry(_shown(kind, value), where)
        elif kind == "discard":
            table["discard"] = entry(value, where)
    for cell in CELLS:
        count = _count_boxes(picture, cell, catalogue)
        if count:
            spots = [place("box", cell, i) for i in range(count)]
            table["boxes"][cell] = [entry(picture[p], p) if p in picture else unseen for p in spots]
    spots = [place("obelisk", i) for i in range(len(catalogue.obelisk))]
    if any(p in picture for p in spots):
        table["obelisk"] = [entry(picture[p], p) if p in picture else unseen for p in spots]
    return table


def _shown(kind: str, value: Value) -> Any:
    if kind != "cell" or value is None:
        return value
    tile, _, side = value.partition("/")
    return {"tile": tile, "side": side}


def _count_boxes(picture: Picture, cell: str, catalogue: Catalogue) -> int:
    value = picture.get(place("cell", cell))
    if value is not None:
        tile, _, side = value.partition("/")
        if side == "sketch" and tile != COURTYARD:
            return len(catalogue.buildings[tile].values) if tile in catalogue.buildings else 0
        if side == "built":
            return 0
    seen = [int(parts_of(p)[1]) for p in picture if kind_of(p) == "box" and parts_of(p)[0] == cell]
    return max(seen, default=-1) + 1


@dataclass(frozen=True, slots=True)
class CityTable:
    """The table of one copy of the game."""

    catalogue: Catalogue

    def predict(self, state: CityState) -> dict[Place, Value]:
        """Return the picture that the state casts."""
        return predict(state)

    def format_table(self, picture: Picture) -> Json:
        """Return the table state of a picture."""
        return format_table(picture, self.catalogue)

    def confidences(self, picture: Picture, confidence: Mapping[Place, float]) -> Json:
        """Return the ``confidence`` member of a reading of this picture."""
        return confidences(picture, confidence, self.catalogue)


# -- comparing -----------------------------------------------------------------------------------------


def equal_boxes(values: tuple[int, ...], first: int) -> list[list[Place]]:
    """Return the obelisk's boxes by equal value; those below `first` are not in use, a group apart."""
    groups: dict[int, list[Place]] = {}
    for box, value in enumerate(values):
        groups.setdefault(value if box >= first else 0, []).append(place("obelisk", box))
    return list(groups.values())


def obelisk_fits(
    seen: Mapping[Place, Value], wanted: Mapping[Place, Value], values: tuple[int, ...], first: int
) -> bool:
    """Whether the seen obelisk can be the wanted one: equal boxes are interchangeable (ruling 23)."""
    for spots in equal_boxes(values, first):
        have = Counter(seen[p] for p in spots if p in seen)
        want = Counter(wanted[p] for p in spots)
        if have - want:
            return False
    return True


def first_difference(seen: Picture, wanted: Picture, values: tuple[int, ...], first: int) -> str | None:
    """Return in words where a claimed table differs from the wanted one, None if it does not.

    A place that the wanted picture does not know (an unknown discard) differs from nothing.
    """
    for where, value in seen.items():
        kind = kind_of(where)
        if kind == "obelisk" or (kind == "discard" and where not in wanted):
            continue
        if where not in wanted:
            return f"{where} is not on this table"
        if wanted[where] != value:
            return f"{where} is {wanted[where]}, not {value}"
    if not obelisk_fits(seen, wanted, values, first):
        return "the obelisk holds other markers"
    return None


def compare_table(state: CityState, claimed: object) -> None:
    """Compare a checkpoint's table with the state; raises MalformedError naming the first difference."""
    catalogue, first = state.setup.catalogue, state.setup.first_obelisk_box
    picture = parse_table(as_mapping(claimed, "the table"), catalogue)
    difference = first_difference(picture, predict(state), catalogue.obelisk, first)
    if difference:
        raise MalformedError(f"the table differs: {difference}")
