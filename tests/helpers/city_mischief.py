"""What goes wrong at a table of Blue Moon City: one function a fault, each with the rule that names it."""

from __future__ import annotations

import random

from companion.games.blue_moon_city.catalogue import CELLS, CENTRE, DISTANCE, DRAGON_PEOPLE, DRAGONS, INDEX
from companion.games.blue_moon_city.state import CityState
from companion.simulation.table import MakeMischief, Mischief
from companion.table import Picture, Place, Value

Changes = dict[Place, Value]


def _wrong(name: str, rule: str, picture: Picture, changes: Changes) -> Mischief:
    return Mischief(name=name, picture={**picture, **changes}, rule=rule)


def _boxes(picture: Picture, *, paid: bool) -> list[Place]:
    """Return the contribution boxes that are paid, or free."""
    return sorted(p for p, v in picture.items() if p.startswith("box:") and (v is not None) == paid)


def knocked_aside(rng: random.Random, state: CityState, picture: Picture) -> Mischief | None:
    """A marker is knocked to a neighbouring box of its tile."""
    del state
    pairs = [
        (one, other)
        for one in _boxes(picture, paid=True)
        for other in _boxes(picture, paid=False)
        if one.rpartition(":")[0] == other.rpartition(":")[0] and abs(int(one[-1]) - int(other[-1])) == 1
    ]
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    changes = {one: None, other: picture[one]}
    return _wrong("marker knocked aside", "table.marker_moved", picture, changes)


def marker_removed(rng: random.Random, state: CityState, picture: Picture) -> Mischief | None:
    """A marker is taken off a building that is not complete."""
    del state
    paid = _boxes(picture, paid=True)
    if not paid:
        return None
    return _wrong("marker removed", "table.marker_missing", picture, {rng.choice(paid): None})


def wrong_tile(rng: random.Random, state: CityState, picture: Picture) -> Mischief | None:
    """A cube of the active player on a tile where his figure is not."""
    here = CELLS[state.figures[state.active]]
    free = [p for p in _boxes(picture, paid=False) if p.split(":")[1] != here]
    if not free or not state.markers[state.active]:
        return None
    changes: Changes = {rng.choice(free): state.player}
    return _wrong("cube on a wrong tile", "contribute.figure_elsewhere", picture, changes)


def too_far(rng: random.Random, state: CityState, picture: Picture) -> Mischief | None:
    """The active figure walks three steps; in mid-walk it might only have changed its mind."""
    here = state.figures[state.active]
    cells = [c for c in range(len(CELLS)) if DISTANCE[here][c] == state.steps + 1 and not _diagonal(here, c)]
    if not cells or state.acts or picture.get(Place("discard")) in ("flit-1", "flit-2"):
        return None
    changes: Changes = {Place(f"figure:{state.player}"): CELLS[rng.choice(cells)]}
    return _wrong("figure one step too far", "move.too_far", picture, changes)


def _diagonal(one: int, other: int) -> bool:
    (r1, c1), (r2, c2) = (map(int, CELLS[i].split(",")) for i in (one, other))
    return abs(r1 - r2) == abs(c1 - c2) == 1


def wrong_player(rng: random.Random, state: CityState, picture: Picture) -> Mischief | None:
    """The figure of a player whose turn is not next walks before the active player has done anything.

    The player before him may still be changing his mind, as far as a table shows.
    """
    if state.acts or len(state.figures) < 3:
        return None
    seat = (state.active + rng.randrange(1, len(state.figures) - 1)) % len(state.figures)
    cells = [c for c in range(len(CELLS)) if DISTANCE[state.figures[seat]][c] == 1]
    changes: Changes = {Place(f"figure:{state.setup.players[seat]}"): CELLS[rng.choice(cells)]}
    return _wrong("figure of the wrong player", "turn.not_yours", picture, changes)


def dragon_unpaid(rng: random.Random, state: CityState, picture: Picture) -> Mischief | None:
    """A dragon is moved and no card discarded."""
    number = rng.randrange(len(DRAGONS))
    dragon = DRAGONS[number]
    on_top = picture.get(Place("discard"))
    if on_top is None or str(on_top).startswith(DRAGON_PEOPLE[dragon]):
        return None
    cells = [c for c in range(len(CELLS)) if c != state.dragons[number]]
    changes: Changes = {Place(f"dragon:{dragon}"): CELLS[rng.choice(cells)]}
    return _wrong("dragon without a card", "dragon.no_card", picture, changes)


def no_marker_left(rng: random.Random, state: CityState, picture: Picture) -> Mischief | None:
    """A player without markers contributes with one from the box of the game."""
    here = CELLS[state.figures[state.active]]
    free = [p for p in _boxes(picture, paid=False) if p.split(":")[1] == here]
    if state.markers[state.active] or not free:
        return None
    changes: Changes = {rng.choice(free): state.player, Place("discard"): "khind-1"}
    return _wrong("contribution without a marker", "contribute.no_marker", picture, changes)


def offered_outside(rng: random.Random, state: CityState, picture: Picture) -> Mischief | None:
    """An offering of a player whose figure is not in the courtyard."""
    del rng
    if state.figures[state.active] == CENTRE or state.next_box == len(state.obelisk):
        return None
    if not state.markers[state.active]:
        return None
    changes: Changes = {_next_free(state, picture): state.player}
    return _wrong("offering from outside", "offer.not_in_courtyard", picture, changes)


def _next_free(state: CityState, picture: Picture) -> Place:
    boxes = range(state.setup.first_obelisk_box, len(state.obelisk))
    return next(p for i in boxes if picture.get(p := Place(f"obelisk:{i}")) is None)


def offered_out_of_order(rng: random.Random, state: CityState, picture: Picture) -> Mischief | None:
    """An offering on a box that is not of the next value."""
    values = state.setup.catalogue.obelisk
    box = state.next_box
    later = [i for i in range(box, len(values)) if values[i] > values[min(box, len(values) - 1)]]
    if state.figures[state.active] != CENTRE or not later or not state.markers[state.active]:
        return None
    changes: Changes = {Place(f"obelisk:{rng.choice(later)}"): state.player}
    return _wrong("offering out of order", "offer.wrong_box", picture, changes)


def offering_removed(rng: random.Random, state: CityState, picture: Picture) -> Mischief | None:
    """A marker is taken off the obelisk; who takes off the one that came last only changes his mind."""
    first = state.setup.first_obelisk_box
    made = [p for i in range(first, len(state.obelisk)) if picture[p := Place(f"obelisk:{i}")] is not None]
    made = made[:-1]
    if not made:
        return None
    return _wrong("offering removed", "table.offering_missing", picture, {rng.choice(made): None})


def flipped_early(rng: random.Random, state: CityState, picture: Picture) -> Mischief | None:
    """A tile that is not complete is turned over; its markers come off."""
    cells = sorted(p for p, v in picture.items() if str(v).endswith("/sketch"))
    where = rng.choice(cells) if cells else None
    if where is None or INDEX[where.partition(":")[2]] in state.built:
        return None
    cell = INDEX[where.partition(":")[2]]
    if cell in state.figures and state.boxes[cell].count(-1) == 1:
        return None  # it looks as if the last box had been paid, and its cards were still to come
    boxes = [p for p in picture if p.startswith(f"box:{where.partition(':')[2]}:")]
    changes: Changes = {where: str(picture[where]).replace("sketch", "built"), **dict.fromkeys(boxes)}
    return _wrong("tile flipped early", "table.flipped_early", picture, changes)


def tiles_swapped(rng: random.Random, state: CityState, picture: Picture) -> Mischief | None:
    """Two tiles change places."""
    del state
    cells = sorted(p for p in picture if p.startswith("cell:"))
    one, other = rng.sample(cells, 2)
    changes = {one: picture[other], other: picture[one]}
    return _wrong("tiles swapped", "table.tile_moved", picture, changes)


MISCHIEF: tuple[MakeMischief[CityState], ...] = (
    knocked_aside,
    marker_removed,
    wrong_tile,
    too_far,
    wrong_player,
    dragon_unpaid,
    no_marker_left,
    offered_outside,
    offered_out_of_order,
    offering_removed,
    flipped_early,
    tiles_swapped,
)
