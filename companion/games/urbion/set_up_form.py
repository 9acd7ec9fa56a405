"""What is chosen before a game of Urbion: Archiplaces, Books and their price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.urbion.catalogue import MOST_BOOKS
from companion.games.urbion.setup import NAMES, PRICES
from companion.i18n import msg, nmsg
from companion.set_up_form import Answers, FormChoice, FormQuestion, SetUpForm


class UrbionForm(SetUpForm):
    """Urbion's `SetUpForm`."""

    title = msg("Urbion")
    least, most = 1, 2

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
