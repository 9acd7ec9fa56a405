"""What is to be chosen before a game begins: how many play, with which pieces, and by which variants.

Each game fills in its own form; a window shows it without knowing the game.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from companion.errors import MalformedError
from companion.i18n import msg
from companion.table import Place, Value

Word: TypeAlias = str | int | bool
Answers: TypeAlias = Mapping[str, Word]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormChoice:
    """One answer: its stable word, and the text that players read."""

    word: Word
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormQuestion:
    """One thing to choose.

    Attributes:
        name: stable word of the question.
        text: what players read.
        choices: at least two; the first is the usual one.
    """

    name: str
    text: str
    choices: tuple[FormChoice, ...]

    def chosen(self, answers: Answers) -> Word:
        """Return the answer that was given, the usual one if there is none that can be."""
        word = answers.get(self.name)
        words = [one.word for one in self.choices]
        return words[0] if word is None or word not in words else word


class SetUpForm(ABC):
    """A game's form.

    Attributes:
        title: what players call the game.
        least, most: how many may play.
        colours: of the pieces that players choose from, the usual order; empty where nobody has pieces.
        note: what else is to be known of who starts; "" where the first one listed does.
        laid_kinds: kinds of places whose open cards or tiles players may name, one by one, where their table
            is laid out already; empty where all tables of the game are alike, or differ by swaps only.
    """

    title: ClassVar[str]
    least: ClassVar[int]
    most: ClassVar[int]
    colours: ClassVar[tuple[str, ...]] = ()
    note: ClassVar[str] = ""
    laid_kinds: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def questions(self, players: int) -> tuple[FormQuestion, ...]:
        """Return what is to be chosen when so many play."""

    def fault(self, answers: Answers) -> str:
        """Return what is wrong with the answers, in words; "" if they go together."""
        del answers
        return ""

    @abstractmethod
    def seats(self, players: int, answers: Answers) -> tuple[str, ...]:
        """Return what so many players are called in the record if they choose nothing."""

    @property
    def everything(self) -> Answers:
        """What to answer so that all tiles and cards of a copy come into the game."""
        return {}

    @abstractmethod
    def options(self, seats: Sequence[str], answers: Answers) -> Mapping[str, Any]:
        """Return the options for `Game.deal`; `seats` are the players in the record's order."""

    @abstractmethod
    def answers(self, header: Mapping[str, Any]) -> Answers:
        """Return the answers that a game of this header was begun with."""

    def choices(self, header: Mapping[str, Any], where: Place) -> tuple[FormChoice, ...]:
        """Return what may lie at a place that the picture of the table leaves out, what is there first."""
        del header, where
        return ()

    def relaid(
        self, rng: random.Random, header: Mapping[str, Any], where: Place, value: Value
    ) -> dict[str, Any]:
        """Return the header of the table that shows this value at a place, else as it is laid out.

        What lies there already elsewhere changes places with it; `rng` draws what the change turns up. Raises
        MalformedError where that cannot lie there.
        """
        del rng, header, value
        raise MalformedError(msg("nothing else can lie here: {place}", place=where))
