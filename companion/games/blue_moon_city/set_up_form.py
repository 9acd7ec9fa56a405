"""What is chosen before a game of Blue Moon City: edition, city and pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.blue_moon_city.presenter import edition_name
from companion.games.blue_moon_city.setup import EDITIONS
from companion.i18n import msg
from companion.set_up_form import Answers, FormChoice, FormQuestion, SetUpForm


class CityForm(SetUpForm):
    """Blue Moon City's `SetUpForm`."""

    title = msg("Blue Moon City")
    least, most = 2, 4
    colours = ("purple", "white", "teal", "black")

    def questions(self, players: int) -> tuple[FormQuestion, ...]:
        """Return the edition, and where the start tiles lie."""
        del players
        editions = tuple(FormChoice(word=edition, text=edition_name(edition)) for edition in EDITIONS)
        cities = (
            FormChoice(word="standard", text=msg("palace and temples around the courtyard")),
            FormChoice(word="variant", text=msg("all tiles at random")),
        )
        return (
            FormQuestion(name="edition", text=msg("Edition"), choices=editions),
            FormQuestion(name="setup", text=msg("City"), choices=cities),
        )

    def seats(self, players: int, answers: Answers) -> tuple[str, ...]:
        """Return the usual colours."""
        del answers
        return self.colours[:players]

    def options(self, seats: Sequence[str], answers: Answers) -> Mapping[str, Any]:
        """Return the options for `Game.deal`."""
        return {"players": tuple(seats), **_chosen(self.questions(len(seats)), answers)}

    def answers(self, header: Mapping[str, Any]) -> Answers:
        """Return the edition and the city of a game."""
        return {"edition": header["edition"], "setup": header["setup"]}


def _chosen(questions: Sequence[FormQuestion], answers: Answers) -> dict[str, Any]:
    return {question.name: question.chosen(answers) for question in questions}
