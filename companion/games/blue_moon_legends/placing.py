"""From what lies free to the places of Blue Moon Legends: both sides with their ships, the dragons' board.

A card belongs to the area of the layout in which its middle is; behind the row to what it is. What nearly
vanishes under another card is covered by it; of a booster tucked under a character more is to be seen.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final

from companion.free_faces import FreeFace, Side
from companion.free_pieces import FreePiece, FreeTable, Homes, Placed, Shape
from companion.games.blue_moon_legends.catalogue import DRAGONS, ELEMENTS, SHIP, catalogue
from companion.games.blue_moon_legends.table import BACK, BOARD, ELEMENT, LEFT, ROWS, TOP, WINNER, row
from companion.games.kit.notation import escape
from companion.games.kit.placing import (
    area_at,
    as_many_as_exist,
    covered_points,
    is_covered,
    loose,
    top_of,
)
from companion.loose_pieces import LoosePiece, Point, turned
from companion.observation import Sighting
from companion.table import Place, Value, kind_of, place
from companion.table_layout import Area, TableLayout

# The face of the dragons' board in a profile.
BOARD_FACE: Final = "board"
# Rows of whose cards the reader of areas makes places; the first holds covered cards as well.
_LOOSE: Final = ("combat", "support")
# Of a fan of backs in which the next card is more than so many times as far as most are, one may be missed
# between; a strip narrower than this, in widths of a card, may be missed anywhere.
_GAP, _LEAST_STRIP = 1.5, 0.28
# How sure a counted fan is: a strip by itself may be anything, but not one that lies evenly among others.
_COUNTED: Final = 0.97
# What lies behind a row, where there is room.
_BEHIND: Final = ("ship", "landed", "hand", "open")
# In heights of the board: a dragon further from its middle stands on a player's side.
_ASIDE = 0.17
# In heights of a card: what hides one of a row is no further off the row's middle; what hides a card beside
# another one is no further from that one's middle.
_HIDES_ROW, _BESIDE = 0.55, 0.8
# The token is at the element whose place is no further away, mm.
_AT_ELEMENT_MM = 12.0
# In widths and heights of a card: a ship's load lies no further from its middle.
_ABOARD: Final = (0.6, 0.6)


def placed(layout: TableLayout, players: Sequence[str], table: FreeTable) -> Placed:
    """Return what is known of the places by itself, and the cards of both sides' rows."""
    cards = as_many_as_exist(table.reading.faces, lambda _: 1)
    there = _by_area(layout, cards)
    areas: dict[str, tuple[LoosePiece, ...]] = {}
    covered: dict[str, tuple[Point, ...]] = {}
    hidden = {name for name, area in layout.areas.items() if covered_points(table, area, there[name])}
    sightings: list[Sighting] = []
    for number, player in enumerate(players):
        name, seat = escape(player), 180.0 * number
        areas.update(_rows(name, there, seat_deg=seat))
        for row_of in areas.keys() - covered.keys():
            covered[row_of] = _hidden_in_row(layout.areas[row_of], there[row_of], table, seat_deg=seat)
        sightings += [*_leader(name, there), *_behind(name, there, hidden)]
        if table.reading.faces:
            sightings += _piles(name, there, hidden)
    if table.pieces is not None:
        sightings += _on_board(layout, players, cards, table)
    return Placed(sightings=tuple(sightings), areas=areas, covered=covered)


def homes(layout: TableLayout, players: Sequence[str], table: FreeTable) -> Homes:
    """Return where each card, dragon and token is; cards of a row are counted from the left."""
    cards = as_many_as_exist(table.reading.faces, lambda _: 1)
    faces: dict[int, Place] = {one.order: Place(BOARD) for one in cards if one.name == BOARD_FACE}
    for area, there in _by_area(layout, cards).items():
        owner = layout.areas[area].owner
        if owner is not None:
            faces.update(_homes_in(area, escape(owner), there))
    return Homes(faces=faces, pieces=dict(_homes_of_pieces(layout, players, cards, table)))


def _homes_in(area: str, owner: str, cards: Sequence[FreeFace]) -> Iterator[tuple[int, Place]]:
    """Yield the places of the cards of an area."""
    kind = kind_of(Place(area))
    ships = list(filter(_is_ship, cards))
    numbers: Counter[Place] = Counter()
    top = top_of(cards)
    for one in sorted(cards, key=lambda each: each.x_mm):
        where = Place(area)
        if kind == "leader" and one is not top:
            where = place("under-leader", owner)
        elif kind in _LOOSE and is_covered(one, cards):
            where = place("covered", owner)
        elif kind in _BEHIND and one.side is Side.BACK:
            where = place("hand", owner)
        elif kind in _BEHIND and one not in ships:
            ship = _ship_under(one, ships)
            where = place("open", owner) if ship is None else place("cargo", owner, ship)
        if kind_of(where) in (*ROWS, "cargo"):
            numbers[where] += 1
            where = place(where, numbers[where] - 1)
        yield one.order, where


def _homes_of_pieces(
    layout: TableLayout, players: Sequence[str], cards: Sequence[FreeFace], table: FreeTable
) -> Iterator[tuple[int, Place]]:
    """Yield the places of the dragons and of the token by their number."""
    around = layout.areas[BOARD].around
    y_mm = next((one.y_mm for one in cards if one.name == BOARD_FACE), around.y_mm)
    for number, one in enumerate(table.pieces or ()):
        if one.shape is Shape.DRAGON:
            yield number, place("dragon", _side_of(one, players, y_mm, _ASIDE * around.height_mm))
        elif one.shape is Shape.GEM:
            area = area_at(layout, one.x_mm, one.y_mm)
            is_won = area is not None and kind_of(Place(area)) == "leader"
            yield number, place(WINNER, area.partition(":")[2]) if is_won and area else ELEMENT


def _by_area(layout: TableLayout, cards: Sequence[FreeFace]) -> dict[str, list[FreeFace]]:
    """Return the cards by the area in which they lie; the dragons' board is none."""
    there: dict[str, list[FreeFace]] = {name: [] for name in layout.areas}
    for card in cards:
        area = area_at(layout, card.x_mm, card.y_mm) if card.name != BOARD_FACE else None
        if area is not None:
            there[area].append(card)
    return there


def _rows(
    name: str, there: Mapping[str, Sequence[FreeFace]], *, seat_deg: float
) -> Iterator[tuple[str, tuple[LoosePiece, ...]]]:
    """Yield a player's rows with the cards that nothing covers."""
    for area in (f"{kind}:{name}" for kind in _LOOSE):
        shown = [one for one in there[area] if not is_covered(one, there[area])]
        yield area, tuple(loose(one, area, name=_name(one), seat_deg=seat_deg) for one in shown)


def _hidden_in_row(
    area: Area, cards: Sequence[FreeFace], table: FreeTable, *, seat_deg: float
) -> tuple[Point, ...]:
    """Return the points at which something hides a row: what lies behind it hides none of it."""
    height = max((one.height_mm for one in cards), default=area.around.height_mm)
    middle = sum(one.y_mm for one in cards) / len(cards) if cards else area.around.y_mm
    near = covered_points(table, area, cards, reach=_BESIDE)
    hidden = [at for at in near if abs(at[1] - middle) <= _HIDES_ROW * height]
    return tuple(turned(x, y, -seat_deg) for x, y in hidden)


def _name(card: FreeFace) -> str | None:
    """Return what a card is called in a row; one that lies face down is any."""
    return BACK if card.side is Side.BACK else card.name


def _leader(name: str, there: Mapping[str, Sequence[FreeFace]]) -> Iterator[Sighting]:
    top = top_of(there[f"leader:{name}"])
    if top is not None and top.side is Side.FACE:
        yield Sighting(place=place("leader", name), value=top.name, confidence=top.confidence)


def _piles(name: str, there: Mapping[str, Sequence[FreeFace]], hidden: Container[str]) -> Iterator[Sighting]:
    """Yield the deck and the discard pile where no card is left of them, and what lies on the latter."""
    sure = min(one.confidence for cards in there.values() for one in cards)
    for kind in ("deck", "discard"):
        where = place(kind, name)
        if not there[where] and where not in hidden:
            yield Sighting(place=where, value=None, confidence=sure)
    deck, pile = place("deck", name), place("discard", name)
    left = max((one.confidence for one in there[deck]), default=None)
    if left is not None and deck not in hidden:
        yield Sighting(place=place(LEFT, name), value=BACK, confidence=left)
    top = top_of(there[pile])
    if top is not None and top.side is Side.FACE and top.name is not None and pile not in hidden:
        yield Sighting(place=place(TOP, name), value=top.name, confidence=top.confidence)


# -- hands and ships ------------------------------------------------------------------------------------


def _behind(name: str, there: Mapping[str, Sequence[FreeFace]], hidden: Container[str]) -> Iterator[Sighting]:
    """Yield what lies behind a player's row: ships with what is on them, the hand, open or face down.

    Hands lie where there is room, so cards tell what they are. Nothing is told if one of them cannot be read.
    """
    areas = [f"{kind}:{name}" for kind in _BEHIND]
    cards = [one for area in areas for one in there[area]]
    if any(one.side is Side.UNKNOWN for one in cards) or any(area in hidden for area in areas):
        return
    faces = [one for one in cards if one.side is Side.FACE]
    ships = list(filter(_is_ship, faces))
    others = [one for one in faces if not _is_ship(one)]
    yield from _of_ships(name, ships, others, there[f"landed:{name}"])
    shown = [one for one in others if _ship_under(one, ships) is None]
    yield from _row(("open", name), shown)
    yield from _hand(name, shown, [one for one in cards if one.side is Side.BACK])


def _hand(name: str, shown: Sequence[FreeFace], backs: Sequence[FreeFace]) -> Iterator[Sighting]:
    """Yield how many cards a player's hand has, those that lie open among them, if none can be missed."""
    hand = [*shown, *backs]
    if hand and _is_counted(backs):
        sure = min([_COUNTED, *(one.confidence for one in shown)])
        yield Sighting(place=place("hand", name), value=str(len(hand)), confidence=sure)


def _is_counted(backs: Sequence[FreeFace]) -> bool:
    """Whether no back of a fan can have been missed: its cards lie evenly, and a strip of each is seen."""
    ordered = sorted(backs, key=lambda one: one.x_mm)
    gaps = [
        math.dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm)) / one.width_mm
        for one, other in itertools.pairwise(ordered)
    ]
    fanned = [gap for gap in gaps if gap < 1.0]
    if not fanned:
        return True
    usual = statistics.median_low(fanned)
    return min(fanned) >= _LEAST_STRIP and max(fanned) <= _GAP * usual


def _of_ships(
    name: str, ships: Sequence[FreeFace], others: Sequence[FreeFace], landed: Sequence[FreeFace]
) -> Iterator[Sighting]:
    """Yield a player's ships, those that have landed among them, and the cards on each."""
    yield from _row(("ship", name), [one for one in ships if one not in landed])
    yield from _row(("landed", name), [one for one in ships if one in landed])
    for ship in ships:
        load = [one for one in others if _ship_under(one, ships) == ship.name]
        yield from _row(("cargo", name, ship.name or ""), load)


def _is_ship(card: FreeFace) -> bool:
    return any(known.id == card.name and known.type == SHIP for known in catalogue().cards.values())


def _ship_under(card: FreeFace, ships: Sequence[FreeFace]) -> str | None:
    """Return the ship that a card lies on, the nearest of several; None for one that lies beside them."""
    aboard = [
        (math.dist((card.x_mm, card.y_mm), (ship.x_mm, ship.y_mm)), ship.name)
        for ship in ships
        if abs(card.x_mm - ship.x_mm) <= _ABOARD[0] * ship.width_mm
        and abs(card.y_mm - ship.y_mm) <= _ABOARD[1] * ship.height_mm
    ]
    return min(aboard, default=(0.0, None))[1]


def _row(parts: tuple[str, ...], cards: Sequence[FreeFace]) -> Iterator[Sighting]:
    sure = min((one.confidence for one in cards), default=1.0)
    for where, value in row(parts, [one.name or "" for one in cards]):
        yield Sighting(place=where, value=value, confidence=sure)


# -- the dragons' board ---------------------------------------------------------------------------------


def _on_board(
    layout: TableLayout, players: Sequence[str], cards: Sequence[FreeFace], table: FreeTable
) -> Iterator[Sighting]:
    """Yield where the dragons and the token of the element are."""
    board = layout.areas["board"]
    around = board.around
    faces = [one for one in cards if one.name == BOARD_FACE]
    x, y = (faces[0].x_mm, faces[0].y_mm) if faces else (around.x_mm, around.y_mm)
    yield from _dragons(layout, players, table.of_shape(Shape.DRAGON), y, _ASIDE * around.height_mm)
    tokens = table.of_shape(Shape.GEM)
    off = (x - around.x_mm, y - around.y_mm)
    elements = {
        where: (at[0] + off[0], at[1] + off[1]) for where, at in layout.areas[ELEMENT].places_mm.items()
    }
    # There is but one: of several nobody can tell which it is.
    for token in tokens if len(tokens) == 1 else ():
        at = _element_at(elements, token)
        area = area_at(layout, token.x_mm, token.y_mm)
        if at is not None:
            yield at
            yield Sighting(place=WINNER, value=None, confidence=token.confidence)
        elif area is not None and kind_of(Place(area)) == "leader" and _are_clear(table, elements):
            yield Sighting(place=WINNER, value=area.partition(":")[2], confidence=token.confidence)
            yield Sighting(place=ELEMENT, value=None, confidence=token.confidence)


def _dragons(
    layout: TableLayout, players: Sequence[str], dragons: Sequence[FreePiece], y_mm: float, aside_mm: float
) -> Iterator[Sighting]:
    """Yield on whose side the dragons stand, if all are seen; none stands behind a player's row of cards."""
    areas = [area_at(layout, dragon.x_mm, dragon.y_mm) for dragon in dragons]
    if len(dragons) != DRAGONS or any(kind_of(Place(area)) in _BEHIND for area in areas if area is not None):
        return
    sides: list[Value] = []
    for dragon in dragons:
        sides.append(_side_of(dragon, players, y_mm, aside_mm))
    sure = min(dragon.confidence for dragon in dragons)
    for at, side in enumerate(sorted(sides, key=lambda side: (side == BOARD, side))):
        yield Sighting(place=place("dragon", at), value=side, confidence=sure)


def _side_of(dragon: FreePiece, players: Sequence[str], y_mm: float, aside_mm: float) -> str:
    """Return on whose side of the board a dragon stands, or that it stands in its middle."""
    off = dragon.y_mm - y_mm
    return BOARD if abs(off) < aside_mm else escape(players[0 if off < 0 else 1])


def _are_clear(table: FreeTable, places: Mapping[str, Point]) -> bool:
    """Whether nothing hides a place of the token: it may lie there, and what was found elsewhere be print."""
    return all(table.reading.is_clear(x, y, _AT_ELEMENT_MM) for x, y in places.values())


def _element_at(places: Mapping[str, Point], token: FreePiece) -> Sighting | None:
    """Return which element the token lies at, None if it lies at no place for it."""
    for where, (x, y) in places.items():
        if abs(token.x_mm - x) < _AT_ELEMENT_MM and abs(token.y_mm - y) < 2 * _AT_ELEMENT_MM:
            element = where.rpartition(":")[2]
            value = element if element in ELEMENTS else None
            return Sighting(place=ELEMENT, value=value, confidence=token.confidence)
    return None
