"""What is chosen before a game of Urbion: Archiplaces, Books and their price."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from companion.errors import MalformedError
from companion.games.urbion.catalogue import MOST_BOOKS, catalogue
from companion.games.urbion.setup import NAMES, PRICES, exchange_book, relaid, start
from companion.games.urbion.state import Options
from companion.games.urbion.table import predict
from companion.games.urbion.texts import BOOK_NAMES
from companion.i18n import msg, nmsg
from companion.set_up_form import Answers, FormChoice, FormQuestion, SetUpForm
from companion.table import Place, Value, kind_of, parts_of


class UrbionForm(SetUpForm):
    """Urbion's `SetUpForm`."""

    title = msg("Urbion")
    least, most = 1, 2
    laid_kinds = ("city", "dream", "hand", "waiting", "discard", "book")

    def questions(self, players: int) -> tuple[FormQuestion, ...]:
        """Return Archiplaces, the number of Books and what a Book costs."""
        del players
        archiplaces = (
            FormChoice(word=False, text=msg("without Archiplaces")),
            FormChoice(word=True, text=msg("with Archiplaces and Metas")),
        )
        books = (
            FormChoice(word=0, text=msg("no Books")),
            *(
                FormChoice(word=count, text=nmsg("{n} Book, drawn", "{n} Books, drawn", count))
                for count in range(1, MOST_BOOKS + 1)
            ),
        )
        prices = tuple(
            FormChoice(word=price, text=nmsg("{n} dream for each Book", "{n} dreams for each Book", price))
            for price in PRICES
        )
        return (
            FormQuestion(name="archiplaces", text=msg("Cities"), choices=archiplaces),
            FormQuestion(name="books", text=msg("Books of Power"), choices=books),
            FormQuestion(name="book_price", text=msg("Price of the Books"), choices=prices),
        )

    def seats(self, players: int, answers: Answers) -> tuple[str, ...]:
        """Return the usual names."""
        del answers
        return NAMES[:players]

    @property
    def everything(self) -> Answers:
        """With Archiplaces and Metas; the Books are always there."""
        return {"archiplaces": True}

    def options(self, seats: Sequence[str], answers: Answers) -> Mapping[str, Any]:
        """Return the options for `Game.deal`."""
        chosen = {question.name: question.chosen(answers) for question in self.questions(len(seats))}
        return {"players": tuple(seats), **chosen}

    def answers(self, header: Mapping[str, Any]) -> Answers:
        """Return what a game was begun with; which Books there were is drawn anew."""
        return {
            "archiplaces": header["archiplaces"],
            "books": len(header["books"]),
            "book_price": header["book_price"],
        }

    def choices(self, header: Mapping[str, Any], where: Place) -> tuple[FormChoice, ...]:
        """Return the Books that may be open at a Book's place."""
        if kind_of(where) != "book":
            return ()
        now = header["books"][int(parts_of(where)[0])]
        books = (now, *sorted(set(catalogue().books) - {now}))
        return tuple(FormChoice(word=book, text=msg(BOOK_NAMES[book])) for book in books)

    def relaid(
        self, rng: random.Random, header: Mapping[str, Any], where: Place, value: Value
    ) -> dict[str, Any]:
        """Return the header with another city, dream or Book at a place."""
        if kind_of(where) == "book" and value is not None:
            return exchange_book(dict(header), int(parts_of(where)[0]), value, catalogue())
        old = predict(start(dict(header), Options())).get(where)
        if old is None or value is None:
            raise MalformedError(f"{where} cannot show {value} before the game")
        return relaid(rng, dict(header), old, where, value, catalogue())
