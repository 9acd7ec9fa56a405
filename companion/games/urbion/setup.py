"""The set-up of Urbion: dealing a new game, and the state that a record's header describes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from companion.errors import MalformedError, RuleViolation
from companion.game import Json
from companion.games.kit.notation import escape
from companion.games.urbion.catalogue import (
    ARCHIPLACE,
    ARCHIPLACES,
    BASE_CITIES,
    BOOKS,
    CHAOS,
    CHAOS_CARDS,
    CHAOS_LOOKS,
    DEALT,
    HAND_SIZE,
    KIND,
    META,
    MOST_BOOKS,
    PROPHECY,
    ROWS,
    SIDE_LIMIT,
    SIDES,
    SYMBOLS,
    Catalogue,
    check_dreams,
    dream_totals,
)
from companion.games.urbion.draft import Draft
from companion.games.urbion.state import Job, Options, UrbionState
from companion.i18n import Message, msg
from companion.storage.strict import as_boolean, as_choice, as_integer, as_list, as_names, as_object
from companion.table import Picture, Place, kind_of, parts_of, place

HEADER_KEYS: Final = (
    "record", "game", "players", "archiplaces", "books", "book_price", "paid", "cities", "dreams"
)  # fmt: skip
DEAL_OPTIONS: Final = ("players", "books", "archiplaces", "book_price")
NAMES: Final = ("anna", "ben")
PRICES: Final = (2, 3, 4)


def deal(rng: random.Random, options: Mapping[str, Any], cards: Catalogue) -> Json:
    """Return the header of a new open game.

    Options: `players` (1 or 2, or names), `books` (how many are open, or which), `archiplaces`, `book_price`.
    """
    given = {key: value for key, value in options.items() if value is not None}
    for key in given:
        if key not in DEAL_OPTIONS:
            raise MalformedError(f"Urbion has no option {key!r}")
    archiplaces = as_boolean(given.get("archiplaces", False), "archiplaces")
    books = _deal_books(rng, given.get("books", 0), cards)
    price = as_integer(given.get("book_price", PRICES[0]), "book_price", PRICES[0], PRICES[-1])
    dreams = cards.dream_cards(with_metas=archiplaces)
    rng.shuffle(dreams)
    paid, rest = dreams[: price * len(books)], dreams[price * len(books) :]
    rest += [card for card in paid if card == CHAOS]
    rng.shuffle(rest)
    cities = cards.city_cards(with_archiplaces=archiplaces)
    rng.shuffle(cities)
    return {
        "record": "moontable/1",
        "game": "urbion",
        "players": _deal_players(given.get("players", 1)),
        "archiplaces": archiplaces,
        "books": books,
        "book_price": price if books else PRICES[0],
        "paid": paid,
        "cities": cities,
        "dreams": rest,
    }


def _deal_players(value: object) -> list[str]:
    if isinstance(value, list | tuple):
        return list(as_names(list(value), "players", 1, 2))
    return list(NAMES[: as_integer(value, "players", 1, 2)])


def _deal_books(rng: random.Random, value: object, cards: Catalogue) -> list[str]:
    """Return the open Books: as many as wanted of six out of eight, or the named ones."""
    if isinstance(value, list | tuple):
        return list(_books(list(value)))
    count = as_integer(value, "books", 0, MOST_BOOKS)
    shuffled = list(cards.books)
    rng.shuffle(shuffled)
    return shuffled[:count]


def bare(given: Mapping[str, Any], options: Options) -> UrbionState:
    """Return the empty table of a game that is about to be dealt; raises MalformedError."""
    players = tuple(_deal_players(given.get("players", 1)))
    return UrbionState(
        players=players,
        archiplaces=bool(given.get("archiplaces", False)),
        books=(),
        rows=(None,) * ROWS,
        hands=((),) * len(players),
        cities=(),
        dreams=(),
        is_setup=True,
        is_closed=True,
        options=options,
    )


def header_from_table(picture: Picture, options: Mapping[str, Any]) -> Json:
    """Return the closed header of a game without Books whose set-up lies on the table.

    Chaos cards beyond a city's pair were drawn into the hands and placed; they come first among the hands'
    cards, so that the set-up waits for them. Raises MalformedError for what is missing, hidden or odd.
    """
    players = _deal_players(options.get("players", 1))
    archiplaces = bool(options.get("archiplaces", False))
    if options.get("books"):
        raise MalformedError(msg("the camera cannot see what the Books cost: give a set-up file (--setup)"))
    if picture.get(Place("discard"), "") is not None:
        raise MalformedError(msg("the discard pile must be empty"))
    cities = [
        _seen(picture, place("city", row), msg("the city of row {row} must be seen", row=row + 1))
        for row in range(ROWS)
    ]
    pairs, chaos = _pairs_on(picture)
    dreams = [*pairs, *[CHAOS] * chaos, *_drawn_to_hands(picture, players)]
    unknown = BASE_CITIES + (ARCHIPLACES if archiplaces else 0) - len(cities)
    total = CHAOS_CARDS + sum(dream_totals(with_metas=archiplaces).values())
    header: Json = {
        "record": "moontable/1",
        "game": "urbion",
        "players": players,
        "archiplaces": archiplaces,
        "books": [],
        "book_price": PRICES[0],
        "paid": [],
        "cities": [*cities, *[None] * unknown],
        "dreams": [*dreams, *[None] * (total - len(dreams))],
    }
    start(header, Options())
    return header


def _drawn_to_hands(picture: Picture, players: Sequence[str]) -> list[str]:
    """Return what was drawn to the hands: all their cards, or those up to a Chaos card that waits now."""
    places = [place("hand", escape(player), index) for player in players for index in range(HAND_SIZE)]
    waits = [place("waiting", index) for index in range(CHAOS_LOOKS)]
    if picture.get(waits[0]) is None:
        return [_seen(picture, where, msg("all cards of all hands must be seen")) for where in places]
    if any(where not in picture for where in (*places, *waits)):
        raise MalformedError(msg("all cards of all hands must be seen"))
    waiting = [card for where in waits if (card := picture[where]) is not None]
    cards = [card for where in places if (card := picture[where]) is not None]
    full = [picture[where] is not None for where in places]
    if waiting != [CHAOS] or all(full) or full != sorted(full, reverse=True):
        raise MalformedError(msg("a dealt card waits for its place: lay it down first"))
    return [*cards, CHAOS]


def _pairs_on(picture: Picture) -> tuple[list[str], int]:
    """Return the pairs dealt to the rows, and the number of Chaos cards that were placed besides."""
    rows = [_cards_at(picture, row) for row in range(ROWS)]
    pairs = [_pair_of(row, cards) for row, cards in enumerate(rows)]
    return [card for pair in pairs for card in pair], sum(map(len, rows)) - DEALT * ROWS


def _cards_at(picture: Picture, row: int) -> list[str]:
    places = [place("dream", row, side, index) for side in SIDES for index in range(SIDE_LIMIT)]
    if any(where not in picture for where in places):
        raise MalformedError(msg("all dreams of row {row} must be seen", row=row + 1))
    return [card for where in places if (card := picture[where]) is not None]


def _pair_of(row: int, cards: list[str]) -> list[str]:
    """Return the cards of a row without the Chaos cards that are too many."""
    rest = list(cards)
    while len(rest) > DEALT and CHAOS in rest:
        rest.remove(CHAOS)
    if len(rest) != DEALT:
        raise MalformedError(msg("two dreams are dealt to row {row}", row=row + 1))
    return rest


def _seen(picture: Picture, where: Place, fault: Message) -> str:
    """Return what lies at a place; raises MalformedError with the fault if nothing is seen there."""
    value = picture.get(where)
    if value is None:
        raise MalformedError(fault)
    return value


def relaid(rng: random.Random, header: Json, old: str, where: Place, new: str, cards: Catalogue) -> Json:
    """Return the header of the table that shows card `new` at a place where `old` lies.

    If all copies of the card are dealt or paid already, one of them changes places with the one here. What a
    change of the deal turns up besides is drawn. Raises MalformedError for what cannot lie there.
    """
    if kind_of(where) == "discard":
        return _paid_otherwise(header, new)
    deck = "cities" if kind_of(where) == "city" else "dreams"
    known = [card for card in header[deck] if card is not None]
    whole = _whole_decks(header, cards)
    at = _dealt_as(known, old, where)
    paid = list(header["paid"])
    if known.count(new) < whole[deck][new]:
        known[at] = new
    elif new in paid[:-1] and deck == "dreams":  # nobody knows what was paid but for the card on top
        paid[paid.index(new)], known[at] = known[at], new
    elif new in known:
        other = known.index(new)
        known[at], known[other] = new, known[at]
    else:
        raise MalformedError(f"there is no {new} in this game")
    full = {**header, deck: known, "paid": paid}
    for name, all_cards in _whole_decks(full, cards).items():
        dealt = [card for card in full[name] if card is not None]
        rest = list((all_cards - Counter(dealt)).elements())
        rng.shuffle(rest)
        full[name] = [*dealt, *rest]
    return public_header(full, Options())


def _paid_otherwise(header: Json, new: str) -> Json:
    """Return the header with another card as the last one that was paid for the Books."""
    paid = list(header["paid"])
    last = max((number for number, card in enumerate(paid) if card != CHAOS), default=None)
    if last is None or new == CHAOS:
        raise MalformedError("the discard pile begins with what was paid for Books")
    paid[last] = new
    changed = {**header, "paid": paid}
    start(changed, Options())
    return changed


def exchange_book(header: Json, number: int, book: str, cards: Catalogue) -> Json:
    """Return the header with another open Book; if all of its copies are open one changes places with it."""
    books = list(header["books"])
    if books.count(book) == cards.books.count(book) and book in books:
        other = max(place for place, open_one in enumerate(books) if open_one == book)
        books[other] = books[number]
    books[number] = book
    changed = {**header, "books": books}
    start(changed, Options())
    return changed


def _whole_decks(header: Json, cards: Catalogue) -> dict[str, Counter[str]]:
    """Return what is in the decks of cities and dreams before anything is dealt."""
    is_large = header["archiplaces"]
    paid = Counter(card for card in header["paid"] if card != CHAOS)
    return {
        "cities": Counter(cards.city_cards(with_archiplaces=is_large)),
        "dreams": Counter(cards.dream_cards(with_metas=is_large)) - paid,
    }


def _dealt_as(known: list[str], card: str, where: Place) -> int:
    """Return which of the dealt cards lies at a place: cities and pairs are dealt row by row, hands last."""
    copies = [number for number, other in enumerate(known) if other == card]
    if not copies:
        raise MalformedError(f"{card} was not dealt")
    match kind_of(where), parts_of(where):
        case "city", (row,):
            return min(copies, key=lambda number: number != int(row))
        case "dream", (row, *_):
            return min(copies, key=lambda number: number // DEALT != int(row))
        case _:
            return copies[-1]


def start(header: Json, options: Options) -> UrbionState:
    """Return the state after the set-up, as far as it goes without a choice; raises MalformedError."""
    as_object(header, "the header", HEADER_KEYS)
    players = as_names(header["players"], "players", 1, 2)
    archiplaces = as_boolean(header["archiplaces"], "archiplaces")
    books = _books(header["books"])
    price = as_integer(header["book_price"], "book_price")
    if price not in PRICES or (not books and price != PRICES[0]):
        raise MalformedError(f"book_price cannot be {price}")
    paid = _paid(header["paid"], price * len(books))
    dreams = _dreams(header["dreams"], paid, with_metas=archiplaces)
    cities = _cities(header["cities"], with_archiplaces=archiplaces)
    state = UrbionState(
        players=players,
        archiplaces=archiplaces,
        books=books,
        rows=(None,) * ROWS,
        hands=((),) * len(players),
        cities=cities,
        dreams=dreams,
        is_setup=True,
        is_closed=None in dreams or None in cities,
        options=options,
    )
    return _dealt(state, [card for card in paid if card != CHAOS])


def public_header(header: Json, options: Options) -> Json:
    """Return the header with null for every card that the set-up does not lay out at once."""
    dealt = start(header, options)
    hidden = {"cities": len(dealt.cities), "dreams": len(dealt.dreams)}
    known = {deck: header[deck][: len(header[deck]) - count] for deck, count in hidden.items()}
    return {**header, **{deck: [*cards, *[None] * hidden[deck]] for deck, cards in known.items()}}


def _dealt(state: UrbionState, thrown: list[str]) -> UrbionState:
    """Lay out cities, pairs and hands until the first choice (ruling 1: the Books were paid before)."""
    draft = Draft(state)
    draft.thrown += thrown
    draft.jobs = [
        *(Job(row=row) for row in range(ROWS)),
        *(Job(seat=seat) for seat in range(len(state.hands))),
    ]
    try:
        draft.open_cities()
        draft.run()
    except RuleViolation as violation:
        raise MalformedError(f"the set-up cannot be dealt: {violation}") from violation
    return replace(draft.finish()[0], actions=0)


def _books(value: object) -> tuple[str, ...]:
    books = tuple(as_choice(book, "a Book", BOOKS) for book in as_list(value, "books"))
    if len(books) > MOST_BOOKS:
        raise MalformedError(f"there are at most {MOST_BOOKS} open Books")
    for book, count in Counter(books).items():
        if count > (2 if book == PROPHECY else 1):
            raise MalformedError(f"the Book {book} is there {count} times")
    return books


def as_dream(value: object, what: str) -> str:
    """Return a dream card's id."""
    if not isinstance(value, str) or value not in KIND:
        raise MalformedError(f"{what} cannot be {value!r}: there is no such dream")
    return value


def as_city(value: object, what: str) -> str:
    """Return a city's id."""
    if not isinstance(value, str) or value not in SYMBOLS:
        raise MalformedError(f"{what} cannot be {value!r}: there is no such city")
    return value


def _paid(value: object, count: int) -> list[str]:
    return [as_dream(card, "a paid card") for card in as_list(value, "paid", count)]


def _dreams(value: object, paid: list[str], *, with_metas: bool) -> tuple[str | None, ...]:
    deck = [None if card is None else as_dream(card, "a dream") for card in as_list(value, "dreams")]
    check_dreams([*deck, *(card for card in paid if card != CHAOS)], with_metas=with_metas)
    if not with_metas and any(KIND[card] == META for card in paid):
        raise MalformedError("a meta was paid, but metas are not in the game")
    paid_chaos = paid.count(CHAOS)
    if paid_chaos > min(CHAOS_CARDS, deck.count(CHAOS) + deck.count(None)):
        raise MalformedError(f"{paid_chaos} paid Chaos cards went back, but are not among the dreams")
    return tuple(deck)


def _cities(value: object, *, with_archiplaces: bool) -> tuple[str | None, ...]:
    archiplaces = ARCHIPLACES if with_archiplaces else 0
    deck = [
        None if city is None else as_city(city, "a city")
        for city in as_list(value, "cities", BASE_CITIES + archiplaces)
    ]
    named = deck.count(ARCHIPLACE)
    if named > archiplaces or len(deck) - named - deck.count(None) > BASE_CITIES:
        raise MalformedError(f"there must be {BASE_CITIES} cities and {archiplaces} archiplaces")
    return tuple(deck)
