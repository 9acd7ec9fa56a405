"""What is chosen before a game of Nova Luna: pieces, and how many tokens each player takes."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.nova_luna.setup import COLOURS, relaid, token_counts
from companion.i18n import msg, nmsg
from companion.set_up_form import Answers, FormChoice, FormQuestion, SetUpForm
from companion.table import Place, Value


class NovaForm(SetUpForm):
    """Nova Luna's `SetUpForm`."""

    title = msg("Nova Luna")
    least, most = 1, 4
    colours = COLOURS
    note = msg("Who starts is drawn: the top token of the stack on the track moves first.")

    laid_kinds = ("wheel", "track")

    def questions(self, players: int) -> tuple[FormQuestion, ...]:
        """Return the number of tokens where there is a choice."""
        counts = token_counts(players)
        if len(counts) < 2:
            return ()
        choices = tuple(
            FormChoice(word=count, text=nmsg("{n} token each", "{n} tokens each", count)) for count in counts
        )
        return (FormQuestion(name="tokens", text=msg("Length of the game"), choices=choices),)

    def seats(self, players: int, answers: Answers) -> tuple[str, ...]:
        """Return the usual colours."""
        del answers
        return self.colours[:players]

    def options(self, seats: Sequence[str], answers: Answers) -> Mapping[str, Any]:
        """Return the options for `Game.deal`."""
        chosen = {question.name: question.chosen(answers) for question in self.questions(len(seats))}
        return {"players": tuple(seats), **chosen}

    def answers(self, header: Mapping[str, Any]) -> Answers:
        """Return the number of tokens of a game."""
        return {"tokens": header["tokens"]}

    def relaid(
        self, rng: random.Random, header: Mapping[str, Any], where: Place, value: Value
    ) -> dict[str, Any]:
        """Return the header with another tile on the wheel, or the tokens stacked otherwise."""
        del rng
        return relaid(header, where, value)
