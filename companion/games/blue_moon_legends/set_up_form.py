"""What is chosen before a game of Blue Moon Legends: the two decks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.games.blue_moon_legends.catalogue import catalogue
from companion.games.blue_moon_legends.setup import DEFAULT_DECKS
from companion.i18n import msg
from companion.names import player_name
from companion.set_up_form import Answers, FormChoice, FormQuestion, SetUpForm

_DECKS: Final = ("first_deck", "second_deck")


class LegendsForm(SetUpForm):
    """Blue Moon Legends' `SetUpForm`; a player without a name goes by the deck's."""

    title = msg("Blue Moon Legends")
    least, most = 2, 2

    def questions(self, players: int) -> tuple[FormQuestion, ...]:
        """Return each player's deck."""
        del players
        texts = (msg("Deck of the first player"), msg("Deck of the second player"))
        return tuple(
            FormQuestion(name=name, text=text, choices=_decks(usual))
            for name, text, usual in zip(_DECKS, texts, DEFAULT_DECKS, strict=True)
        )

    def fault(self, answers: Answers) -> str:
        """Return that both have the same deck, if they do: there is one of each."""
        first, second = self.seats(2, answers)
        return msg("Each player needs a different deck.") if first == second else ""

    def seats(self, players: int, answers: Answers) -> tuple[str, ...]:
        """Return the decks."""
        return tuple(str(question.chosen(answers)) for question in self.questions(players))

    def options(self, seats: Sequence[str], answers: Answers) -> Mapping[str, Any]:
        """Return the options for `Game.deal`."""
        return {"players": tuple(seats), "decks": self.seats(2, answers)}

    def answers(self, header: Mapping[str, Any]) -> Answers:
        """Return the decks of a game."""
        decks = (header["decks"][player] for player in header["players"])
        return dict(zip(_DECKS, decks, strict=True))


def _decks(usual: str) -> tuple[FormChoice, ...]:
    """Return all decks, the usual one first."""
    names = sorted(catalogue().decks, key=lambda name: name != usual)
    return tuple(FormChoice(word=name, text=player_name(name).capitalize()) for name in names)
