"""The cards of Urbion as they look and lie: cities with dreams, hands, Books, polarities, decks and piles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from companion.games.kit.notation import UNSEEN
from companion.games.urbion.catalogue import (
    ARCHIPLACE,
    BOOKS,
    CHAOS,
    CITY_PAIRS,
    ELEMENT,
    INCUBUS,
    KIND,
    META,
    SANAE,
    SYMBOLS,
    VALUE,
    catalogue,
)
from companion.games.urbion.loose_pieces import CITIES
from companion.games.urbion.state import UrbionState
from companion.games.urbion.table import DISCARD
from companion.games.urbion.texts import BOOK_NAMES, lying_name, value_name
from companion.i18n import msg
from companion.table import Picture, kind_of, place
from companion.table_pieces import Corner, FacePrint, Mark, PieceSet, Shape, TablePiece

BACK_DREAM, BACK_CITY, BACK_BOOK = "back-dream", "back-city", "back-book"
POLARITIES: Final = ("sanae", "incubi")


def _dream(name: str) -> FacePrint:
    """Return a dream: what it adds on the right is printed left, what it takes on the left is right."""
    kind, value = KIND[name], VALUE[name]
    marks = []
    if kind != INCUBUS:
        marks.append(Mark(at="upper left", text=f"+{value}"))
    if kind != SANAE:
        marks.append(Mark(at="upper right", text=f"-{value}"))
    if name in ELEMENT:
        marks.append(Mark(at="lower right", ink=ELEMENT[name]))
    return FacePrint(name=name, marks=tuple(marks), family=name if name == CHAOS else name.rpartition("-")[0])


def _city(name: str) -> FacePrint:
    """Return a city with its symbols."""
    corners: tuple[Corner, ...] = ("lower left", "lower right", "upper left", "upper right")
    marks = tuple(
        Mark(at=corner, ink=element) for corner, element in zip(corners, sorted(SYMBOLS[name]), strict=False)
    )
    return FacePrint(name=name, marks=marks, family=f"city {name}")


_FACES: Final = {
    **{name: _dream(name) for kind in (INCUBUS, SANAE, CHAOS, META) for name in KIND if KIND[name] == kind},
    **{name: _city(name) for name in (*CITY_PAIRS, ARCHIPLACE)},
    **{name: FacePrint(name=name, family=f"polarity {name}") for name in POLARITIES},
    **{name: FacePrint(name=name, family="book") for name in BOOKS},
    **{name: FacePrint(name=name, family=name, is_back=True) for name in (BACK_DREAM, BACK_CITY, BACK_BOOK)},
}
_SIZES_MM: Final[Mapping[str, tuple[float, float]]] = {}


class UrbionPieces(PieceSet):
    """Nothing but cards, all of one size."""

    faces = _FACES
    sizes_mm = _SIZES_MM
    thickness_mm = 0.34
    is_readable = True

    def in_play(self, header: Mapping[str, Any]) -> Sequence[str]:
        """Return the dreams and cities of this game, its Books and polarities, and all backs."""
        box, with_all = catalogue(), bool(header["archiplaces"])
        known = {
            *box.dream_cards(with_metas=with_all),
            *box.city_cards(with_archiplaces=with_all),
            # Of decks that nobody knows anything of there is no list.
            *(header["dreams"] or ()),
            *(header["cities"] or ()),
            *header["paid"],
            *header["books"],
        }
        polarities = POLARITIES if len(header["players"]) > 1 else ()
        return [
            name for name, face in self.faces.items() if name in known or name in polarities or face.is_back
        ]

    def sorted_copy(self, header: Mapping[str, Any]) -> Sequence[str]:
        """Return all cards one by one: dreams and cities as often as the box holds them, all Books."""
        box, with_all = catalogue(), bool(header["archiplaces"])
        many = Counter(
            [*box.dream_cards(with_metas=with_all), *box.city_cards(with_archiplaces=with_all), *BOOKS]
        )
        many.update(POLARITIES if len(header["players"]) > 1 else ())
        return [name for name in self.faces for _ in range(many[name])]

    def name_of(self, face: str) -> str:
        """Return a card in words, by what is printed on it."""
        match face:
            case "back-dream":
                return msg("the back of a dream")
            case "back-city":
                return msg("the back of a city")
            case "back-book":
                return msg("the back of a Book")
            case "sanae" | "incubi":
                return value_name(place("polarity", ""), face)
        return msg(BOOK_NAMES[face]) if face in BOOK_NAMES else lying_name(face)

    def paints(self, header: Mapping[str, Any]) -> Mapping[str, Shape]:
        """Return nothing: there are no other pieces than cards."""
        del header
        return {}

    def laid(self, state: UrbionState, picture: Picture) -> Iterator[TablePiece]:
        """Yield the decks and piles, then the cards that lie open."""
        yield from _piles(state)
        for number, book in enumerate(state.books):
            yield TablePiece(
                key=f"book:{number}",
                place="book",
                area="book",
                face=book,
                number=number,
                count=len(state.books),
            )
        for where, face in picture.items():
            kind = kind_of(where)
            if face in (None, UNSEEN) or kind in ("stray", "pushed"):
                continue
            area = str(where)
            if kind in ("city", "dream"):
                area = CITIES
            elif kind != "polarity" and where != DISCARD:
                area = where.rpartition(":")[0]
            yield TablePiece(key=where, place=where, area=area, face=str(face))


def _piles(state: UrbionState) -> Iterator[TablePiece]:
    """Yield what lies in piles: both decks, what was discarded before the top card, the cities won."""
    under = state.discards[:-1]
    for name, area, face, many in (
        ("deck:dreams", "deck:dreams", BACK_DREAM, len(state.dreams)),
        ("deck:cities", "deck:cities", BACK_CITY, len(state.cities)),
        ("discard-under", str(DISCARD), under[-1] if under else "", len(under)),
        ("subdued", "subdued", state.claimed[-1] if state.claimed else "", len(state.claimed)),
    ):
        if many:
            yield TablePiece(key=name, place=name, area=area, face=face, thickness=many)


PIECES: Final = UrbionPieces()
