"""Cards that lie freely: beside which city and on which side they lie, and where nobody could tell.

The open cities lie one below the other; how they lay before says which row is which. A dream belongs to the
city at whose height it lies, on the side on which it lies. A card between two rows, or upon its city, belongs
where it is missed, which is said at the place ``pushed``; else it is reported at the place ``stray`` with the
sides that it may belong to. The cards of a hand or a heap have an area of their own. Where something hides a
side or a hand, only the cards that are seen are told, and a city may be where the others let it be expected.
"""

from __future__ import annotations

import functools
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
from companion.loose_pieces import LoosePiece, Point, mean_turn_deg, turned
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
# What hides a card is no further than this from the middle of its row, in heights. What hides a city is no
# further from its middle, in widths, and what hides a dream beside it no nearer.
_HIDES_ROW, _HIDES_CITY, _HIDES_DREAM = 0.65, 0.5, 0.3
# In widths: a dream lies no further from the one before it, or from its city.
_NEXT = 1.6

_Group: TypeAlias = tuple[int, str]


@dataclass(frozen=True, slots=True)
class _Cities:
    """Which piece is the city of which row, and how far apart rows are, mm.

    Of a city that may be hidden the piece has no face, and is where the city would lie.
    """

    rows: Mapping[int, LoosePiece]
    apart_mm: float


@dataclass(frozen=True, slots=True)
class _Dream:
    """A card, how far it lies from the middle of its row, and the sides that it may belong to."""

    piece: LoosePiece
    away_mm: float
    may_be: Sequence[_Group]


def located(state: UrbionState, observation: Observation) -> Observation:
    """Return the observation with the places on which the cards in its areas lie."""
    if not observation.areas:
        return observation
    sightings = dict(observation.sightings)
    rows = {f"hand:{parts_of(hand_places(name)[0])[0]}": hand_places(name) for name in state.players}
    rows |= {"waiting": WAITING} | {f"drawn:{number}": places for number, places in enumerate(FANS)}
    for area, pieces in observation.areas.items():
        covered = observation.covered.get(area, ())
        if area == CITIES:
            found = _at_cities(state, only(pieces, {*KIND, *SYMBOLS}), covered)
        else:
            cards = sorted(only(pieces, KIND), key=lambda piece: piece.x_mm)
            found = in_row(rows.get(area, ()), cards, is_whole=not covered)
        sightings.update((sighting.place, sighting) for sighting in found)
    return replace(observation, sightings=sightings, areas={}, covered={})


def rows_alone(pieces: Sequence[LoosePiece], middle_mm: float) -> Iterator[tuple[int, Place]]:
    """Yield the place of each card among the cities by its number, whatever lay there before.

    Which rows they are if some have no city follows from where the four usually lie: `middle_mm` is the
    height of the middle of them.
    """
    numbers = [number for number, piece in enumerate(pieces) if piece.face in SYMBOLS]
    numbers.sort(key=lambda number: -pieces[number].y_mm)
    cards = [pieces[number] for number in numbers]
    readings = [
        (_off_middle(rows, cards, apart, middle_mm), rows, apart)
        for rows in combinations(range(ROWS), min(len(cards), ROWS))
        if cards and len(rows) == len(cards) and (apart := _apart_mm(rows, cards)) is not None
    ]
    if not readings:
        return
    _, rows, apart = min(readings)
    yield from ((number, city_place(row)) for row, number in zip(rows, numbers, strict=True))
    cities = _Cities(dict(zip(rows, cards, strict=True)), apart)
    sides: dict[_Group, list[tuple[float, int]]] = {}
    for number, piece in enumerate(pieces):
        if number not in numbers:
            dream = _dream(piece, cities)
            sides.setdefault(dream.may_be[0], []).append((dream.away_mm, number))
    for (row, side), dreams in sides.items():
        for index, (_, number) in enumerate(sorted(dreams)):
            yield number, place("dream", row, side, index)


def _off_middle(rows: Sequence[int], cards: Sequence[LoosePiece], apart_mm: float, middle_mm: float) -> float:
    """Return how far four rows so far apart are from their usual place if the cards are their cities."""
    far = middle_mm + apart_mm * (ROWS - 1) / 2
    return abs(
        sum(card.y_mm - (far - apart_mm * row) for card, row in zip(cards, rows, strict=True)) / len(rows)
    )


def area_of(where: Place) -> str | None:
    """Return the free area from which a place is known, None for a place that is looked at itself."""
    kind = kind_of(where)
    if kind in ("city", "dream"):
        return CITIES
    if kind in ("hand", "drawn"):
        return f"{kind}:{parts_of(where)[0]}"
    return kind if kind == "waiting" else None


# -- cities and dreams --------------------------------------------------------------------------------


def _at_cities(
    state: UrbionState, pieces: Sequence[LoosePiece], covered: Sequence[Point]
) -> Iterator[Sighting]:
    cities = _with_hidden(_cities(state, pieces), covered)
    if cities is None:
        return
    yield from _of_cities(cities)
    sides, pushed, stray = _sorted_out(
        state, [_dream(piece, cities) for piece in pieces if piece not in cities.rows.values()]
    )
    hidden = {group for group, there in sides.items() if _is_hidden(group, there, cities, covered)}
    for group, there in sides.items():
        yield from _of_side(group, there, is_whole=group not in hidden)
    if stray or not hidden:
        yield Sighting(place=STRAY, value=_stray_value(stray), confidence=1.0)
    if all(dream.piece.face is not None for dream in stray):
        yield Sighting(place=PUSHED, value=";".join(sorted(pushed)) or None, confidence=1.0)


def _with_hidden(cities: _Cities | None, covered: Sequence[Point]) -> _Cities | None:
    """Return the cities with those that may be hidden; None if nobody can tell which are seen."""
    if cities is None or not covered:
        return cities
    if len(cities.rows) < 2:
        return None
    rows = {row: cities.rows.get(row) or _expected(cities, row) for row in range(ROWS)}
    known = {
        row: city
        for row, city in rows.items()
        if row in cities.rows
        or any(abs(right) <= _HIDES_CITY * city.width_mm for right in _in_row_of(city, covered))
    }
    return replace(cities, rows=known)


def _is_hidden(group: _Group, dreams: Sequence[_Dream], cities: _Cities, covered: Sequence[Point]) -> bool:
    """Whether something hides a dream beside a city: one more than those that are seen, with no gap between.

    Beside a city that is hidden nobody can tell.
    """
    city = cities.rows.get(group[0])
    if city is None or not covered:
        return False
    last = max((dream.away_mm for dream in dreams), default=0.0)
    near, far = _HIDES_DREAM * city.width_mm, last + _NEXT * city.width_mm
    out = -1.0 if group[1] == LEFT else 1.0
    return city.face is None or any(near <= out * right <= far for right in _in_row_of(city, covered))


def _in_row_of(city: LoosePiece, covered: Sequence[Point]) -> Iterator[float]:
    """Yield how far right of a city something hides its row, mm."""
    turn = mean_turn_deg((city.turn_deg,), 180.0)
    for x, y in covered:
        right, away = turned(x - city.x_mm, y - city.y_mm, -turn)
        if abs(away) <= _HIDES_ROW * city.height_mm:
            yield right


def _expected(cities: _Cities, row: int) -> LoosePiece:
    """Return a piece that is not read where the city of a row would lie."""
    nearest = min(cities.rows, key=lambda other: abs(other - row))
    city = cities.rows[nearest]
    return replace(city, face=None, y_mm=city.y_mm - (row - nearest) * cities.apart_mm)


def _of_side(group: _Group, dreams: Sequence[_Dream], *, is_whole: bool) -> Iterator[Sighting]:
    """Yield the dreams of a side, those nearest to the city first."""
    ordered = only((dream.piece for dream in sorted(dreams, key=lambda each: each.away_mm)), KIND)
    surplus = (place("dream", *group, index) for index in range(SIDE_LIMIT, len(ordered)))
    return in_row((*dream_places(*group), *surplus), ordered, is_whole=is_whole)


def _sorted_out(
    state: UrbionState, dreams: Sequence[_Dream]
) -> tuple[dict[_Group, list[_Dream]], list[str], list[_Dream]]:
    """Return the dreams by side, in words those that are missed at just one side, and the others."""
    sides: dict[_Group, list[_Dream]] = {(row, side): [] for row in range(ROWS) for side in SIDES}
    for dream in dreams:
        if len(dream.may_be) == 1:
            sides[dream.may_be[0]].append(dream)
    pushed: list[str] = []
    stray: list[_Dream] = []
    for dream in dreams:
        if len(dream.may_be) == 1:
            continue
        known = _known_at(state, dream, sides)
        if known is None:
            stray.append(dream)
            continue
        sides[known].append(dream)
        others = sorted(group for group in dream.may_be if group != known)
        pushed.append(_laid_at(dream.piece.face or "", [known, *others]))
    return sides, pushed, stray


def _known_at(state: UrbionState, dream: _Dream, sides: Mapping[_Group, Sequence[_Dream]]) -> _Group | None:
    """Return the side where a card is known to lie and is missed; None if there is not just one."""
    face = dream.piece.face
    missed = []
    for row, side in dream.may_be:
        known = state.rows[row]
        due = known.side(side).count(face or "") if known is not None else 0
        if due > sum(each.piece.face == face for each in sides[row, side]):
            missed.append((row, side))
    return missed[0] if len(missed) == 1 else None


def _stray_value(stray: Sequence[_Dream]) -> Value:
    if not stray:
        return None
    face = stray[0].piece.face
    return UNSEEN if len(stray) > 1 or face is None else _laid_at(face, sorted(stray[0].may_be))


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
    readings = [
        (sum(map(functools.partial(_is_city, state), rows, cards)), rows, apart)
        for rows in combinations(range(ROWS), len(cards))
        if (apart := _apart_mm(rows, cards)) is not None
    ]
    readings.sort(reverse=True)
    if not readings or (len(readings) > 1 and readings[0][0] == readings[1][0]):
        return None
    _, rows, apart = readings[0]
    return _Cities(dict(zip(rows, cards, strict=True)), apart)


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


def _dream(piece: LoosePiece, cities: _Cities) -> _Dream:
    """Return a dream with the sides that it may belong to."""
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
    return _Dream(piece, abs(right), [(each, side) for each in rows for side in sides])


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
