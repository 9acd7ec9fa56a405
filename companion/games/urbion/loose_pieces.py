"""Cards that lie freely: beside which city and on which side they lie, and where nobody could tell.

The open cities lie one below the other; how they lay before says which row is which. A dream belongs to the
city at whose height it lies, on the side on which it lies. A card between two rows, or upon its city, belongs
where it is missed, which is said at the place ``pushed``; else it is reported at the place ``stray`` with the
sides that it may belong to. The cards of a hand or a heap have an area of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, TypeAlias

from companion.games.kit.areas import card_at, in_row, only
from companion.games.kit.notation import UNSEEN
from companion.games.urbion.catalogue import KIND, LEFT, RIGHT, ROWS, SIDE_LIMIT, SIDES, SYMBOLS
from companion.games.urbion.state import UrbionState
from companion.games.urbion.table import (
    FANS,
    PUSHED,
    STRAY,
    WAITING,
    city_place,
    dream_places,
    hand_places,
)
from companion.loose_pieces import LoosePiece, mean_turn_deg
from companion.observation import Observation, Sighting
from companion.table import Picture, Place, Value, kind_of, parts_of, place

CITIES: Final = "cities"
_PITCH_MM, _FAN_MM, _BESIDE_MM = 110.0, 28.0, 68.0  # of a simulated table

# In heights of a card: rows are so far apart, and a card this far off its row's middle may be of the next.
_ROWS_APART, _OFF_ROW = (0.9, 2.2), 0.42
# In widths: nearer than this to a city's middle a card lies on neither side; so far off its line lies a city.
_ON_CITY, _IN_COLUMN = 0.6, 0.5
# A row may be this far, in heights, from where the others let it be expected.
_UNEVEN = 0.4

_Group: TypeAlias = tuple[int, str]


@dataclass(frozen=True, slots=True)
class _Cities:
    """Which piece is the city of which row, and how far apart rows are, mm."""

    rows: Mapping[int, LoosePiece]
    apart_mm: float


def located(state: UrbionState, observation: Observation) -> Observation:
    """Return the observation with the places on which the cards in its areas lie."""
    if not observation.areas:
        return observation
    sightings = dict(observation.sightings)
    rows = {f"hand:{parts_of(hand_places(name)[0])[0]}": hand_places(name) for name in state.players}
    rows |= {"waiting": WAITING} | {f"drawn:{number}": places for number, places in enumerate(FANS)}
    for area, pieces in observation.areas.items():
        if area == CITIES:
            found = _at_cities(state, only(pieces, {*KIND, *SYMBOLS}))
        else:
            cards = sorted(only(pieces, KIND), key=lambda piece: piece.x_mm)
            found = in_row(rows.get(area, ()), cards)
        sightings.update((sighting.place, sighting) for sighting in found)
    return replace(observation, sightings=sightings, areas={})


def area_of(where: Place) -> str | None:
    """Return the free area from which a place is known, None for a place that is looked at itself."""
    kind = kind_of(where)
    if kind in ("city", "dream"):
        return CITIES
    if kind in ("hand", "drawn"):
        return f"{kind}:{parts_of(where)[0]}"
    return kind if kind == "waiting" else None


# -- cities and dreams --------------------------------------------------------------------------------


def _at_cities(state: UrbionState, pieces: Sequence[LoosePiece]) -> Iterator[Sighting]:
    cities = _cities(state, pieces)
    if cities is None:
        return
    yield from _of_cities(cities)
    groups = [(row, side) for row in range(ROWS) for side in SIDES]
    sides: dict[_Group, list[tuple[float, LoosePiece]]] = {group: [] for group in groups}
    stray: list[tuple[float, LoosePiece, list[_Group]]] = []
    for piece in pieces:
        if not any(piece is city for city in cities.rows.values()):
            away, may_be = _groups(piece, cities)
            if len(may_be) > 1:
                stray.append((away, piece, may_be))
            else:
                sides[may_be[0]].append((away, piece))
    left: list[tuple[float, LoosePiece, list[_Group]]] = []
    pushed: list[str] = []
    for away, piece, may_be in stray:
        known = _known_at(state, piece, may_be, sides)
        if known is None:
            left.append((away, piece, may_be))
            continue
        sides[known].append((away, piece))
        others = sorted(group for group in may_be if group != known)
        pushed.append(_laid_at(piece.face or "", [known, *others]))
    for (row, side), there in sides.items():
        ordered = only((piece for _, piece in sorted(there, key=lambda each: each[0])), KIND)
        surplus = (place("dream", row, side, index) for index in range(SIDE_LIMIT, len(ordered)))
        yield from in_row((*dream_places(row, side), *surplus), ordered)
    yield Sighting(place=STRAY, value=_stray_value(left), confidence=1.0)
    if all(piece.face is not None for _, piece, _ in left):
        yield Sighting(place=PUSHED, value=";".join(sorted(pushed)) or None, confidence=1.0)


def _known_at(
    state: UrbionState,
    piece: LoosePiece,
    may_be: list[_Group],
    sides: Mapping[_Group, list[tuple[float, LoosePiece]]],
) -> _Group | None:
    """Return the side where a card is known to lie and is missed; None if there is not just one."""
    missed = []
    for row, side in may_be:
        known = state.rows[row]
        due = known.side(side).count(piece.face or "") if known is not None else 0
        if due > sum(each.face == piece.face for _, each in sides.get((row, side), ())):
            missed.append((row, side))
    return missed[0] if len(missed) == 1 else None


def _stray_value(stray: list[tuple[float, LoosePiece, list[_Group]]]) -> Value:
    if not stray:
        return None
    _, piece, may_be = stray[0]
    if len(stray) > 1 or piece.face is None:
        return UNSEEN
    return _laid_at(piece.face, sorted(may_be))


def _laid_at(face: str, groups: Sequence[_Group]) -> str:
    return " ".join((face, *(f"{row}:{side}" for row, side in groups)))


def _of_cities(cities: _Cities) -> Iterator[Sighting]:
    for row in range(ROWS):
        city = cities.rows.get(row)
        if city is None or city.face is not None:
            value, sure = (None, 1.0) if city is None else (city.face, city.confidence)
            yield Sighting(place=city_place(row), value=value, confidence=sure)


def _cities(state: UrbionState, pieces: Sequence[LoosePiece]) -> _Cities | None:
    """Tell the cities and their rows; None if more than one reading fits what lay there before."""
    if not pieces:
        return _Cities({}, 0.0)
    read = [piece for piece in pieces if piece.face in SYMBOLS]
    unread = [piece for piece in pieces if piece.face is None and _is_in_column(piece, read)]
    cards = sorted((*read, *unread), key=lambda piece: -piece.y_mm)
    if not cards or len(cards) > ROWS:
        return None
    best: list[tuple[int, tuple[int, ...]]] = []
    for rows in combinations(range(ROWS), len(cards)):
        if _apart_mm(rows, cards) is not None:
            pairs = zip(rows, cards, strict=True)
            best.append((sum(_is_city(state, row, card) for row, card in pairs), rows))
    best.sort(reverse=True)
    if not best or (len(best) > 1 and best[0][0] == best[1][0]):
        return None
    rows = best[0][1]
    apart = _apart_mm(rows, cards)
    return None if apart is None else _Cities(dict(zip(rows, cards, strict=True)), apart)


def _is_in_column(piece: LoosePiece, cities: Sequence[LoosePiece]) -> bool:
    """Whether an unread card lies above or below the cities, as a city does."""
    if not cities:
        return False
    nearest = min(cities, key=lambda city: abs(city.y_mm - piece.y_mm))
    right, away = nearest.offset_of(piece, nearest.turn_deg)
    return abs(right) < _IN_COLUMN * piece.width_mm and abs(away) > _ROWS_APART[0] * piece.height_mm


def _is_city(state: UrbionState, row: int, card: LoosePiece) -> bool:
    known = state.rows[row]
    return known is not None and known.city == card.face


def _apart_mm(rows: Sequence[int], cards: Sequence[LoosePiece]) -> float | None:
    """Return how far apart the rows are if the cards are the cities of these rows; None if they cannot be."""
    height = cards[0].height_mm
    if len(cards) == 1:
        return height * sum(_ROWS_APART) / 2
    apart = (cards[0].y_mm - cards[-1].y_mm) / (rows[-1] - rows[0])
    if not _ROWS_APART[0] <= apart / height <= _ROWS_APART[1]:
        return None
    ends = (cards[0].y_mm - apart * (row - rows[0]) for row in rows)
    uneven = max(abs(card.y_mm - y) for card, y in zip(cards, ends, strict=True))
    return apart if uneven <= _UNEVEN * height else None


def _groups(piece: LoosePiece, cities: _Cities) -> tuple[float, list[_Group]]:
    """Return how far a dream lies from the middle of its row, mm, and the sides that it may belong to."""
    offsets = {}
    for row, city in cities.rows.items():
        turn = mean_turn_deg((city.turn_deg,), 180.0)
        offsets[row] = city.offset_of(piece, turn)
    row, (right, away) = min(offsets.items(), key=lambda each: abs(each[1][1]))
    rows = [row]
    if abs(away) > _OFF_ROW * cities.apart_mm:
        rows.append(row - 1 if away > 0 else row + 1)
    rows = [each for each in rows if 0 <= each < ROWS]
    sides = [LEFT if right < 0 else RIGHT] if abs(right) >= _ON_CITY * piece.width_mm else list(SIDES)
    return abs(right), [(each, side) for each in rows for side in sides]


# -- where careful players lay cards ------------------------------------------------------------------


def spots(picture: Picture) -> dict[Place, LoosePiece]:
    """Return where the cards lie when they are laid with care, by place."""
    found = {}
    for where, face in picture.items():
        area = area_of(where)
        if area is not None and face is not None:
            found[where] = card_at(face, area, *_spot(where))
    return found


def _spot(where: Place) -> tuple[float, float]:
    parts = parts_of(where)
    if kind_of(where) == "city":
        return 0.0, -_PITCH_MM * int(parts[0])
    if kind_of(where) == "dream":
        away = _BESIDE_MM + _FAN_MM * int(parts[2])
        return (-away if parts[1] == LEFT else away), -_PITCH_MM * int(parts[0])
    return _BESIDE_MM * int(parts[-1]), 0.0
