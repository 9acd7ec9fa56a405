"""The pieces of Blue Moon Legends as they look and lie: cards, the board, dragons and the crystal.

A side's cards of a fight lie in a chain, each over a part of the one before, boosters half under or over it;
what was covered lies below the first. Loads lie on their ships, leadership cards on their leader.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from companion.games.blue_moon_legends.catalogue import (
    BOOSTER,
    DRAGONS,
    ELEMENTS,
    Card,
    CardId,
    Deck,
    catalogue,
)
from companion.games.blue_moon_legends.state import Side, State
from companion.games.blue_moon_legends.table import BACK, BOARD, ELEMENT, WINNER, rows_of
from companion.games.blue_moon_legends.texts import card_name
from companion.games.kit.notation import escape, unescape
from companion.i18n import msg
from companion.table import Picture, Value, place
from companion.table_pieces import Corner, FacePrint, Mark, PieceSet, Shape, TablePiece

GEM: Final = "gem"
_DRAGONS: Final = ("fire", "earth", "water")
_BOARD_MM: Final = (360.0, 88.0)
_VALUES_AT: Final[tuple[Corner, ...]] = ("upper left", "lower left")
_ALIKE: Final = "B.P."  # these cards share one picture
# Steps in own widths and heights: along a fight's chain, of leadership cards to their player, of loads.
_CHAIN, _LEADERSHIP, _LOAD = 0.57, 0.25, 0.32
_FIRST_OF_CHAIN: Final = -1.1
# Where the crystal stands on the board, in its widths from the middle, and how far apart dragons are.
_GEM_AT: Final[Mapping[Value, float]] = {"fire": -13.2, None: -11.2, "earth": -9.1}
_DRAGONS_APART, _FIRST_DRAGON = 3.3, -2.1


def _face(card: Card) -> FacePrint:
    marks = tuple(
        Mark(at=corner, text=str(value), ink=element)
        for element, corner, value in zip(ELEMENTS, _VALUES_AT, (card.fire, card.earth), strict=True)
        if value is not None
    )
    picture = _ALIKE if card.name.startswith(_ALIKE) else ""
    return FacePrint(name=card.id, marks=marks, picture=picture, family=card.people)


def _names(deck: Deck) -> list[str]:
    """Return a deck sorted: its leader, its own people by number, then cards of others."""
    return [deck.leader, *sorted(deck.cards, key=lambda card: (not card.startswith(deck.name), card))]


_FACES: Final = {
    **{
        name: FacePrint(name=name, family=deck.name)
        if name == deck.leader
        else _face(catalogue().cards[CardId(name)])
        for deck in catalogue().decks.values()
        for name in _names(deck)
    },
    BACK: FacePrint(name=BACK, family=BACK, is_back=True),
    BOARD: FacePrint(name=BOARD, family=BOARD, board="tracks"),
}
_SIZES_MM: Final = {BOARD: _BOARD_MM}


class LegendsPieces(PieceSet):
    """Two decks with one back, the dragons' board, three dragons and the crystal."""

    faces = _FACES
    sizes_mm = _SIZES_MM
    thickness_mm = 0.36
    is_readable = True

    def in_play(self, header: Mapping[str, Any]) -> Sequence[str]:
        """Return the cards of both decks, each sorted, and their back."""
        decks = catalogue().decks
        chosen = [decks[header["decks"][player]] for player in header["players"]]
        return [*(name for deck in chosen for name in _names(deck)), BACK]

    def seats_among(self, faces: Collection[str]) -> tuple[str, ...]:
        """Return the decks whose leaders are among these faces."""
        return tuple(name for name, deck in catalogue().decks.items() if deck.leader in faces)

    def name_of(self, face: str) -> str:
        """Return the name that is printed on a card."""
        if face == BACK:
            return msg("the back of a card")
        return msg("the dragons' board") if face == BOARD else card_name(face)

    def paints(self, header: Mapping[str, Any]) -> Mapping[str, Shape]:
        """Return the crystal and the dragons."""
        del header
        return {GEM: "gem", **dict.fromkeys(_DRAGONS, "dragon")}

    def laid(self, state: State, picture: Picture) -> Iterator[TablePiece]:
        """Yield the board, both sides, and what stands."""
        yield TablePiece(key=BOARD, place=BOARD, area="board", face=BOARD, shape="board")
        rows = {name: _cards_in(entries.values()) for name, entries in rows_of(picture).items()}
        for number, player in enumerate(state.setup.players):
            name, side = escape(player), state.sides[number]
            yield from _leader(name, side, state.setup.leaders[number], picture.get(place("leader", name)))
            yield from _fight(name, side, rows.get(f"combat:{name}", []))
            for kind in ("support", "open"):
                yield from _row(kind, name, rows.get(f"{kind}:{name}", []))
            for kind in ("ship", "landed"):
                yield from _ships(kind, name, rows)
            yield from _hidden(name, side, picture, len(rows.get(f"open:{name}", [])))
        yield from _standing(picture)


def _cards_in(values: Iterable[Value]) -> list[str]:
    """Return the cards of a row.

    While cards move it may have gaps: what lies behind one lies there all the same. One card may be at two
    places: it lies there once; backs are alike.
    """
    cards = [card for card in values if card is not None]
    return sorted([*{card for card in cards if card != BACK}, *(card for card in cards if card == BACK)])


def _leader(name: str, side: Side, leader: str, top: Value) -> Iterator[TablePiece]:
    """Yield the leader with the cards laid on it, the last one on top."""
    cards = [leader, *(card for card in side.leadership if card != top)]
    if top is not None and top != leader:
        cards.append(top)
    for number, card in enumerate(cards):
        at = "leader" if card == top else "under-leader"
        yield TablePiece(
            key=f"leader:{name}/{card}",
            place=f"{at}:{name}",
            area=f"leader:{name}",
            face=card,
            shift=(0.0, -_LEADERSHIP if number else 0.0),
        )


def _fight(name: str, side: Side, shown: Sequence[str]) -> Iterator[TablePiece]:
    """Yield the combat area: covered cards below the first one that is seen, the others in a chain."""
    area = f"combat:{name}"
    order = [laid.card for laid in side.combat if laid.card is not None]
    chain = sorted(shown, key=lambda card: order.index(CardId(card)) if card in order else len(order))
    first = f"{area}/{chain[0]}" if chain else ""
    for card in order:
        if card not in shown and chain:
            yield TablePiece(key=f"{area}/{card}", place=f"covered:{name}", area=area, face=card, on=first)
    pieces = [
        TablePiece(
            key=f"{area}/{card}",
            place=f"{area}:{shown.index(card)}",
            area=area,
            face=card,
            on=f"{area}/{chain[number - 1]}" if number else "",
            shift=(_CHAIN if number else _FIRST_OF_CHAIN, 0.0),
        )
        for number, card in enumerate(chain)
    ]
    tucked = [one for one in pieces[1:] if _is_tucked(one.face)]
    yield from tucked
    yield from (one for one in pieces if one not in tucked)


def _is_tucked(card: str) -> bool:
    """Whether a booster is pushed half under the card before it; about every second one is."""
    known = catalogue().cards.get(CardId(card))
    return known is not None and known.type == BOOSTER and sum(map(ord, card)) % 2 == 0


def _row(kind: str, name: str, cards: Sequence[str]) -> Iterator[TablePiece]:
    area = f"{kind}:{name}"
    for number, card in enumerate(cards):
        key = f"{area}:{number}"
        yield TablePiece(key=key, place=key, area=area, face=card, number=number, count=len(cards))


def _ships(kind: str, name: str, rows: Mapping[str, Sequence[str]]) -> Iterator[TablePiece]:
    area = f"{kind}:{name}"
    ships = rows.get(area, [])
    for number, ship in enumerate(ships):
        key = f"{area}:{number}"
        yield TablePiece(key=key, place=key, area=area, face=ship, number=number, count=len(ships))
        for load, card in enumerate(rows.get(f"cargo:{name}:{ship}", [])):
            at = f"cargo:{name}:{ship}:{load}"
            yield TablePiece(key=at, place=at, area=area, face=card, on=key, shift=(_LOAD * (load + 1), 0.0))


def _hidden(name: str, side: Side, picture: Picture, shown: int) -> Iterator[TablePiece]:
    """Yield the backs of the hand that are not shown, the deck and the discard pile."""
    many = max(_number(picture, f"hand:{name}") - shown, 0)
    for number in range(many):
        area = f"hand:{name}"
        yield TablePiece(key=f"{area}:{number}", place=area, area=area, face=BACK, number=number, count=many)
    if deck := _number(picture, f"deck:{name}"):
        yield TablePiece(
            key=f"deck:{name}", place=f"deck:{name}", area=f"deck:{name}", face=BACK, thickness=deck
        )
    discarded = _number(picture, f"discard:{name}")
    known = [card or BACK for card in side.discard[-discarded:]] or [BACK]
    area = f"discard:{name}"
    if discarded > 1:
        yield TablePiece(key=f"{area}/under", place=area, area=area, face=known[0], thickness=discarded - 1)
    if discarded:
        yield TablePiece(key=area, place=area, area=area, face=known[-1])


def _number(picture: Picture, where: str) -> int:
    kind, _, name = where.partition(":")
    return int(picture.get(place(kind, name)) or 0)


def _standing(picture: Picture) -> Iterator[TablePiece]:
    """Yield the dragons on the board, or on the side of whose they are, and the crystal."""
    for number in range(DRAGONS):
        held_by = picture.get(place("dragon", number))
        if held_by is not None:
            yield TablePiece(
                key=f"dragon:{number}",
                place=f"dragon:{held_by}",
                area="board",
                face=_DRAGONS[number],
                shape="dragon",
                shift=(_FIRST_DRAGON + number * _DRAGONS_APART, 0.0),
                toward="" if held_by == BOARD else unescape(held_by),
            )
    winner, element = picture.get(WINNER), picture.get(ELEMENT)
    if winner is not None:
        yield TablePiece(key=GEM, place=WINNER, area=f"leader:{winner}", face=GEM, shape="gem")
    else:
        at = _GEM_AT.get(element, _GEM_AT[None])
        yield TablePiece(key=GEM, place=ELEMENT, area="board", face=GEM, shape="gem", shift=(at, 0.0))


PIECES: Final = LegendsPieces()
