"""From what lies free to the places of Urbion: the rows of cities with their dreams, hands, piles.

The open cities and the dream deck say where the rest is: piles lie to the deck as in the layout, whatever
lies at the height of a city belongs to the cities, and what lies before or behind them is somebody's hand.
Which row and which side of it a card belongs to is not for here (`loose_pieces.located`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.free_faces import FreeFace, FreeReading, Side
from companion.free_pieces import FreeTable, Homes, Placed
from companion.games.kit.notation import escape
from companion.games.kit.placing import covered_points, loose, top_of
from companion.games.urbion.catalogue import BOOKS, KIND, MOST_FANS, ROWS, SYMBOLS
from companion.games.urbion.loose_pieces import CITIES, rows_alone
from companion.games.urbion.table import DISCARD, hand_places, polarity_place
from companion.loose_pieces import LoosePiece, Point
from companion.observation import Sighting
from companion.table import Place, parts_of, place
from companion.table_layout import Area, TableLayout

BACK_OF_DREAMS: Final = "back-dream"
_POLARITIES: Final = ("sanae", "incubi")
_DECK: Final = "deck:dreams"
_WAITING: Final = "waiting"
_BOOK: Final = Place("book")
_UNDER_DISCARD: Final = Place("discard-under")
# The piles that lie about the deck.
_PILES: Final = (DISCARD, "subdued", _WAITING, "deck:cities", _DECK)
# In widths and heights of a card: a card whose middle is no further from that of a pile lies upon it, beyond
# half the size of its area.
_ON_PILE: Final = (0.55, 0.6)
# What hides the deck is no further than this from where it usually lies, mm.
_DECK_MM: Final = 150.0
# In heights: so far off the outermost city's middle a card still lies in its row; and so far from each other
# are the middles of a hand and of what was drawn.
_IN_ROW, _IN_HAND = 0.62, 0.6
# In heights: rows are about so far apart; what hides a city is no further off its row; a hand is no further
# from the last row if no other one has room between.
_ROWS_APART, _HIDES, _BESIDE = 1.15, 0.65, 1.8


@dataclass(slots=True)
class _Table:
    """The cards of a table by what they belong to.

    Attributes:
        piles: by the name of the pile.
        cities: the cities and their dreams.
        near, far: what lies before and behind them.
        polarities: those that lie open.
        ends: the heights of the last and of the first row, mm; None where something may hide a further one.
    """

    piles: dict[str, list[FreeFace]]
    cities: list[FreeFace] = field(default_factory=list)
    near: list[FreeFace] = field(default_factory=list)
    far: list[FreeFace] = field(default_factory=list)
    polarities: list[FreeFace] = field(default_factory=list)
    ends: tuple[float | None, float | None] = (None, None)


def placed(layout: TableLayout, players: Sequence[str], table: FreeTable) -> Placed:
    """Return what is known of the places by itself, and the cards of the rows, the hands and those drawn.

    While the deck may be hidden, or all cities but one, nobody can tell what lies where.
    """
    faces, is_clear = table.reading.faces, not table.reading.hidden
    around = layout.areas[_DECK].around
    if not _decks_of(faces) and not table.reading.is_clear(around.x_mm, around.y_mm, _DECK_MM):
        return Placed()
    if not is_clear and sum(one.name in SYMBOLS for one in faces) == 1:
        return Placed()
    sorted_out = _sorted_out(layout, table.reading)
    areas = {CITIES: sorted_out.cities, _WAITING: sorted_out.piles[_WAITING]}
    hands = [f"hand:{parts_of(hand_places(player)[0])[0]}" for player in players]
    low, high = sorted_out.ends
    near, drawn = _hand_and_beyond(sorted_out.near, is_near=True)
    if is_clear or _is_beside(near, low):
        areas |= {hands[0]: near, **_fans(layout, drawn)}
    far, _ = _hand_and_beyond(sorted_out.far, is_near=False)
    if len(hands) > 1 and (is_clear or _is_beside(far, high)):
        areas[hands[1]] = far
    pieces: dict[str, tuple[LoosePiece, ...]] = {}
    covered: dict[str, tuple[Point, ...]] = {}
    for name, cards in areas.items():
        seat = 180.0 if hands[1:] == [name] else 0.0
        pieces[name] = tuple(loose(one, name, name=_known(one), seat_deg=seat) for one in cards)
        covered[name] = covered_points(table, layout.areas[name], cards, seat_deg=seat)
    sightings = [*_discard(layout, sorted_out.piles[DISCARD], table), *_polarities(players, sorted_out)]
    return Placed(sightings=tuple(sightings), areas=pieces, covered=covered)


def homes(layout: TableLayout, players: Sequence[str], table: FreeTable) -> Homes:
    """Return where each card is; in hands and fans counted from the left, dreams from their city."""
    cards = table.reading.faces
    sorted_out = _sorted_out(layout, table.reading)
    faces = dict(_homes_of_piles(layout, sorted_out, cards))
    middle = layout.areas[CITIES].around.y_mm + _shift(layout, cards)[1]
    rows_of = [loose(one, CITIES, name=_known(one)) for one in sorted_out.cities]
    for number, where in rows_alone(rows_of, middle):
        faces[sorted_out.cities[number].order] = where
    hands = [Place(f"hand:{escape(player)}") for player in players]
    hand, drawn = _hand_and_beyond(sorted_out.near, is_near=True)
    rows = {hands[0]: hand, **{Place(name): fan for name, fan in _fans(layout, drawn).items()}}
    if len(hands) > 1:
        rows[hands[1]], _ = _hand_and_beyond(sorted_out.far, is_near=False)
    rows[Place(_WAITING)] = sorted_out.piles[_WAITING]
    for name, row in rows.items():
        for number, one in enumerate(sorted(row, key=lambda each: each.x_mm)):
            faces[one.order] = place(name, number)
    for player, one in zip(players, sorted(sorted_out.polarities, key=lambda each: each.y_mm), strict=False):
        faces[one.order] = polarity_place(player)
    return Homes(faces=faces)


def _homes_of_piles(
    layout: TableLayout, found: _Table, cards: Sequence[FreeFace]
) -> Iterator[tuple[int, Place]]:
    """Yield the places of the cards of piles, of what lies face down, and of the Books."""
    right, away = _shift(layout, cards)
    for one in cards:
        if one.name in BOOKS:
            yield one.order, _BOOK
        elif one.side is Side.BACK:
            name = _pile_of(layout, one, right, away)
            yield one.order, _BOOK if name is None else Place(name)
    for pile, there in found.piles.items():
        top = top_of(there)
        for one in there:
            is_under = pile == DISCARD and one is not top
            yield one.order, _UNDER_DISCARD if is_under else Place(pile)


def _known(face: FreeFace) -> str | None:
    return face.name if face.side is Side.FACE else None


def _sorted_out(layout: TableLayout, reading: FreeReading) -> _Table:
    """Return the cards by what they belong to; what lies face down is no part of it, nor are the Books."""
    right, away = _shift(layout, reading.faces)
    cards = [one for one in reading.faces if one.side is not Side.BACK and one.name not in BOOKS]
    found = _Table({name: [] for name in _PILES})
    others = []
    for card in cards:
        pile = _pile_of(layout, card, right, away)
        if pile is not None:
            found.piles[pile].append(card)
        elif card.name in _POLARITIES:
            found.polarities.append(card)
        else:
            others.append(card)
    _by_height(layout, others, reading.hidden, found)
    return found


def _shift(layout: TableLayout, faces: Iterable[FreeFace]) -> tuple[float, float]:
    """Return how far the deck of dreams lies from where the layout has it, right and away, mm."""
    usual = layout.areas[_DECK].around
    shifts = [(one.x_mm - usual.x_mm, one.y_mm - usual.y_mm) for one in _decks_of(faces)]
    return min(shifts, key=lambda shift: abs(shift[0]) + abs(shift[1]), default=(0.0, 0.0))


def _decks_of(faces: Iterable[FreeFace]) -> list[FreeFace]:
    """Return the dreams that lie face down."""
    return [one for one in faces if one.name == BACK_OF_DREAMS and one.side is Side.BACK]


def _pile_of(layout: TableLayout, card: FreeFace, right_mm: float, away_mm: float) -> str | None:
    """Return the pile that a card lies upon, or the deck beside which it lies; None for no pile."""
    apart = {}
    for name in _PILES:
        around = layout.areas[name].around
        across = abs(card.x_mm - around.x_mm - right_mm)
        along = abs(card.y_mm - around.y_mm - away_mm)
        wide = max((around.width_mm - card.width_mm) / 2, 0.0) + _ON_PILE[0] * card.width_mm
        deep = max((around.height_mm - card.height_mm) / 2, 0.0) + _ON_PILE[1] * card.height_mm
        if across <= wide and along <= deep:
            apart[name] = across / wide + along / deep
    return min(apart, key=lambda name: apart[name], default=None)


def _by_height(
    layout: TableLayout, cards: Sequence[FreeFace], hidden: Sequence[Point], found: _Table
) -> None:
    """Add the cards to the cities, if they lie at the height of these, else to one of both hands.

    What lies at the height of a row that may be hidden lies in it or before it: it is left out.
    """
    heights = [one.y_mm for one in cards if one.name in SYMBOLS]
    around = layout.areas[CITIES].around
    low, high = (min(heights), max(heights)) if heights else (around.y_mm, around.y_mm)
    rows = list(_hidden_rows(cards, hidden))
    found.ends = (
        None if min(rows, default=low) < low else low,
        None if max(rows, default=high) > high else high,
    )
    for card in cards:
        slack = _IN_ROW * card.height_mm
        if heights and low - slack <= card.y_mm <= high + slack:
            found.cities.append(card)
        elif any(abs(card.y_mm - row) <= slack for row in rows):
            continue
        elif card.y_mm < (low + high) / 2:
            found.near.append(card)
        else:
            found.far.append(card)


def _hidden_rows(cards: Sequence[FreeFace], hidden: Sequence[Point]) -> Iterator[float]:
    """Yield the heights at which a city may be hidden beyond those that are seen, at least two of them."""
    cities = sorted((one for one in cards if one.name in SYMBOLS), key=lambda one: one.y_mm)
    if len(cities) < 2 or not hidden:
        return
    width, height = cities[0].width_mm, cities[0].height_mm
    steps = [other.y_mm - one.y_mm for one, other in itertools.pairwise(cities)]
    rows = [max(1, round(step / (_ROWS_APART * height))) for step in steps]
    apart = min(step / count for step, count in zip(steps, rows, strict=True))
    ends = ((cities[0], -apart), (cities[-1], apart))
    for end, far in itertools.product(ends, range(1, ROWS - sum(rows))):
        x, y = end[0].x_mm, end[0].y_mm + end[1] * far
        if any(abs(x - at[0]) <= width / 2 and abs(y - at[1]) <= _HIDES * height for at in hidden):
            yield y


def _is_beside(hand: Sequence[FreeFace], end_mm: float | None) -> bool:
    """Whether cards lie so near to the last row that no hand can be hidden between."""
    return end_mm is not None and bool(hand) and abs(hand[0].y_mm - end_mm) <= _BESIDE * hand[0].height_mm


def _hand_and_beyond(cards: Sequence[FreeFace], *, is_near: bool) -> tuple[list[FreeFace], list[FreeFace]]:
    """Return the cards of a hand, which lies nearest to the cities, and those that lie beyond it."""
    if not cards:
        return [], []
    heights = [one.y_mm if is_near else -one.y_mm for one in cards]
    first, slack = max(heights), _IN_HAND * cards[0].height_mm
    hand = [one for one, height in zip(cards, heights, strict=True) if height >= first - slack]
    return hand, [one for one in cards if one not in hand]


def _fans(layout: TableLayout, drawn: Sequence[FreeFace]) -> dict[str, list[FreeFace]]:
    """Return what was drawn for Chaos cards, one fan beside the other, the first on the left."""
    areas: dict[str, Area] = {f"drawn:{fan}": layout.areas[f"drawn:{fan}"] for fan in range(MOST_FANS)}
    fans: dict[str, list[FreeFace]] = {name: [] for name in areas}
    for card in drawn:
        fans[min(areas, key=lambda name: abs(areas[name].around.x_mm - card.x_mm))].append(card)
    return fans


def _discard(layout: TableLayout, pile: Sequence[FreeFace], table: FreeTable) -> Iterator[Sighting]:
    """Yield the top of the discard pile; a card that is partly hidden may not be the top."""
    top, faces = top_of(pile), table.reading.faces
    if top is not None and _known(top) in KIND:
        if table.reading.is_clear(top.x_mm, top.y_mm, top.width_mm / 2):
            yield Sighting(place=DISCARD, value=top.name, confidence=top.confidence)
    elif top is None and faces and not covered_points(table, layout.areas[DISCARD]):
        yield Sighting(place=DISCARD, value=None, confidence=min(one.confidence for one in faces))


def _polarities(players: Sequence[str], found: _Table) -> Iterator[Sighting]:
    """Yield the polarity of each of two players: that of the first lies on the near side."""
    if len(players) < 2 or len(found.polarities) != len(players):
        return
    for player, card in zip(players, sorted(found.polarities, key=lambda one: one.y_mm), strict=True):
        yield Sighting(place=polarity_place(player), value=card.name, confidence=card.confidence)
