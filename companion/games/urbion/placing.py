"""From what lies free to the places of Urbion: the rows of cities with their dreams, hands, piles.

The open cities and the dream deck say where the rest is: piles lie to the deck as in the layout, whatever
lies at the height of a city belongs to the cities, and what lies before or behind them is somebody's hand.
Which row and which side of it a card belongs to is not for here (`loose_pieces.located`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from companion.free_faces import FreeFace, Side
from companion.free_pieces import FreeTable, Homes, Placed
from companion.games.kit.notation import escape
from companion.games.kit.placing import loose, top_of
from companion.games.urbion.catalogue import BOOKS, KIND, MOST_FANS, SYMBOLS
from companion.games.urbion.loose_pieces import CITIES, rows_alone
from companion.games.urbion.table import DISCARD, hand_places, polarity_place
from companion.loose_pieces import LoosePiece
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
# In heights: so far off the outermost city's middle a card still lies in its row; and so far from each other
# are the middles of a hand and of what was drawn.
_IN_ROW, _IN_HAND = 0.62, 0.6


@dataclass(frozen=True, slots=True)
class _Table:
    """The cards of a table by what they belong to."""

    piles: dict[str, list[FreeFace]]
    cities: list[FreeFace]
    near: list[FreeFace]
    far: list[FreeFace]
    polarities: list[FreeFace]


def placed(layout: TableLayout, players: Sequence[str], table: FreeTable) -> Placed:
    """Return what is known of the places by itself, and the cards of the rows, the hands and those drawn."""
    sorted_out = _sorted_out(layout, table.reading.faces)
    areas = {CITIES: sorted_out.cities, _WAITING: sorted_out.piles[_WAITING]}
    hands = [f"hand:{parts_of(hand_places(player)[0])[0]}" for player in players]
    areas[hands[0]], drawn = _hand_and_beyond(sorted_out.near, is_near=True)
    if len(hands) > 1:
        areas[hands[1]], _ = _hand_and_beyond(sorted_out.far, is_near=False)
    areas.update(_fans(layout, drawn))
    pieces: dict[str, tuple[LoosePiece, ...]] = {}
    for name, cards in areas.items():
        if table.is_seen(name):
            seat = 180.0 if hands[1:] == [name] else 0.0
            pieces[name] = tuple(loose(one, name, name=_known(one), seat_deg=seat) for one in cards)
    sightings = [*_discard(sorted_out.piles[DISCARD], table), *_polarities(players, sorted_out)]
    return Placed(sightings=tuple(sightings), areas=pieces)


def homes(layout: TableLayout, players: Sequence[str], table: FreeTable) -> Homes:
    """Return where each card is; in hands and fans counted from the left, dreams from their city."""
    cards = table.reading.faces
    sorted_out = _sorted_out(layout, cards)
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


def _sorted_out(layout: TableLayout, faces: Iterable[FreeFace]) -> _Table:
    """Return the cards by what they belong to; what lies face down is no part of it, nor are the Books."""
    everything = list(faces)
    right, away = _shift(layout, everything)
    cards = [one for one in everything if one.side is not Side.BACK and one.name not in BOOKS]
    found = _Table({name: [] for name in _PILES}, [], [], [], [])
    others = []
    for card in cards:
        pile = _pile_of(layout, card, right, away)
        if pile is not None:
            found.piles[pile].append(card)
        elif card.name in _POLARITIES:
            found.polarities.append(card)
        else:
            others.append(card)
    _by_height(layout, others, found)
    return found


def _shift(layout: TableLayout, faces: Iterable[FreeFace]) -> tuple[float, float]:
    """Return how far the deck of dreams lies from where the layout has it, right and away, mm."""
    usual = layout.areas[_DECK].around
    decks = [one for one in faces if one.name == BACK_OF_DREAMS and one.side is Side.BACK]
    if not decks:
        return 0.0, 0.0
    shifts = [(one.x_mm - usual.x_mm, one.y_mm - usual.y_mm) for one in decks]
    return min(shifts, key=lambda shift: abs(shift[0]) + abs(shift[1]))


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


def _by_height(layout: TableLayout, cards: Sequence[FreeFace], found: _Table) -> None:
    """Add the cards to the cities, if they lie at the height of these, else to one of both hands."""
    heights = [one.y_mm for one in cards if one.name in SYMBOLS]
    around = layout.areas[CITIES].around
    low, high = (min(heights), max(heights)) if heights else (around.y_mm, around.y_mm)
    for card in cards:
        slack = _IN_ROW * card.height_mm
        if heights and low - slack <= card.y_mm <= high + slack:
            found.cities.append(card)
        elif card.y_mm < (low + high) / 2:
            found.near.append(card)
        else:
            found.far.append(card)


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


def _discard(pile: Sequence[FreeFace], table: FreeTable) -> Iterator[Sighting]:
    """Yield the top of the discard pile."""
    top = top_of(pile)
    if top is not None and _known(top) in KIND:
        yield Sighting(place=DISCARD, value=top.name, confidence=top.confidence)
    elif top is None and table.is_seen(DISCARD) and table.reading.faces:
        sure = min(one.confidence for one in table.reading.faces)
        yield Sighting(place=DISCARD, value=None, confidence=sure)


def _polarities(players: Sequence[str], found: _Table) -> Iterator[Sighting]:
    """Yield the polarity of each of two players: that of the first lies on the near side."""
    if len(players) < 2 or len(found.polarities) != len(players):
        return
    for player, card in zip(players, sorted(found.polarities, key=lambda one: one.y_mm), strict=True):
        yield Sighting(place=polarity_place(player), value=card.name, confidence=card.confidence)
