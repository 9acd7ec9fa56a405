"""Table states (the JSON of cameras and checkpoints) and pictures, and the picture that a state casts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from companion.errors import MalformedError
from companion.game import Json
from companion.games.blue_moon_city.catalogue import CARDS, CELLS, COURTYARD, DRAGONS, TILES, Catalogue
from companion.games.blue_moon_city.state import CityState
from companion.games.kit.notation import UNSEEN
from companion.games.kit.record_codec import choice
from companion.games.kit.table_codec import Entry, Listed, Named, One, Own, TableCodec, or_none
from companion.storage.strict import as_choice, as_list, as_map, as_object, as_string
from companion.table import Picture, Place, Value, kind_of, parts_of, place

PILE = Place("discard")
# A camera's truth also tells the turn, the mover and whether a hand is there: no part of the table.
IGNORED = ("t", "confidence", "turn", "player", "hand")


def predict(state: CityState) -> dict[Place, Value]:
    """Return the picture that the state casts; the discard pile is left out where it is not known."""
    layout, names = state.setup.layout, state.setup.players
    owners: dict[int, Value] = {-1: None, **dict(enumerate(names))}
    cells: dict[int, Value] = {-1: None, **dict(enumerate(CELLS))}
    picture: dict[Place, Value] = {}
    for i, cell in enumerate(CELLS):
        picture[Place(f"cell:{cell}")] = f"{layout[i]}/{'built' if i in state.built else 'sketch'}"
        for box, owner in enumerate(state.boxes[i]):
            picture[Place(f"box:{cell}:{box}")] = owners[owner]
    for seat, name in enumerate(names):
        picture[Place(f"figure:{name}")] = cells[state.figures[seat]]
    for number, dragon in enumerate(DRAGONS):
        picture[Place(f"dragon:{dragon}")] = cells[state.dragons[number]]
    for box, owner in enumerate(state.obelisk):
        picture[Place(f"obelisk:{box}")] = owners[owner]
    if state.hidden is None:
        picture[PILE] = state.discard[-1] if state.discard else None
    elif state.hidden.top is not None or state.hidden.pile_empty:
        picture[PILE] = state.hidden.top
    return picture


# -- the table state object --------------------------------------------------------------------------


def _as_tile(value: object, what: str) -> Value:
    if value is None:
        return None
    tile = as_object(value, what, ("tile", "side"))
    return f"{as_choice(tile['tile'], 'tile', TILES)}/{as_choice(tile['side'], 'side', ('sketch', 'built'))}"


def _format_tile(value: Value) -> Json | None:
    if value is None:
        return None
    tile, _, side = value.partition("/")
    return {"tile": tile, "side": side}


def _parse_boxes(value: object) -> Iterator[tuple[Place, Value]]:
    for cell, owners in as_map(value, "boxes", CELLS).items():
        for box, owner in enumerate(as_list(owners, f"the boxes of {cell}")):
            if owner != UNSEEN:
                yield place("box", cell, box), _as_owner(owner, "an owner")


_as_owner: Final = or_none(as_string)
_as_cell: Final = or_none(choice(*CELLS))


class CityTable:
    """The table of one copy of the game: `codec` writes and reads it."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self.codec = TableCodec(
            Named("cells", "cell", _as_tile, names=CELLS, is_kept=True, may_be_unseen=False),
            Own("boxes", _parse_boxes, self._boxes),
            Named("pawns", "figure", _as_cell, is_kept=True, is_escaped=False),
            Named("dragons", "dragon", _as_cell, names=DRAGONS, is_kept=True),
            Listed("obelisk", "obelisk", len(catalogue.obelisk), _as_owner),
            One("discard", PILE, or_none(choice(*CARDS))),
            write={"cell": _format_tile},
            ignored=IGNORED,
            may_be_unseen=False,
        )
        self.format_table = self.codec.format_table

    def predict(self, state: CityState) -> dict[Place, Value]:
        """Return the picture that the state casts."""
        return predict(state)

    def confidences(self, picture: Picture, confidence: Mapping[Place, float]) -> Json:
        """Return the ``confidence`` member of a reading of this picture; 0 for what was not seen."""
        return self.codec.lay_out(picture, lambda where: round(confidence[where], 4), 0.0)

    def _boxes(self, picture: Picture, entry: Entry, unseen: object) -> Json:
        """Return the boxes of each cell that has some."""
        table = {}
        for cell in CELLS:
            spots = [place("box", cell, box) for box in range(self._count_boxes(picture, cell))]
            if spots:
                table[cell] = [entry(where) if where in picture else unseen for where in spots]
        return table

    def _count_boxes(self, picture: Picture, cell: str) -> int:
        value = picture.get(place("cell", cell))
        if value is not None:
            tile, _, side = value.partition("/")
            buildings = self._catalogue.buildings
            if side == "sketch" and tile != COURTYARD:
                return len(buildings[tile].values) if tile in buildings else 0
            if side == "built":
                return 0
        seen = [int(parts_of(p)[1]) for p in picture if kind_of(p) == "box" and parts_of(p)[0] == cell]
        return max(seen, default=-1) + 1


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
    picture = CityTable(catalogue).codec.parse_table(claimed)
    difference = first_difference(picture, predict(state), catalogue.obelisk, first)
    if difference:
        raise MalformedError(f"the table differs: {difference}")
