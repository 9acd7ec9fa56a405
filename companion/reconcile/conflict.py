"""Contradictions between sources, and the question about them to the players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from companion.decision import Ask, Choice
from companion.i18n import join, msg
from companion.table import Place, Value

A = TypeVar("A")


def contradiction(
    contested: Mapping[Place, tuple[Value, ...]],
    claims: Mapping[Place, tuple[tuple[str, Value], ...]],
    *,
    name_place: Callable[[Place], str],
    name_value: Callable[[Place, Value], str],
) -> Ask[A]:
    """Return the question about the first contradiction, with what each source claims.

    Its choices are in the order of the contested values.
    """
    where, values = next(iter(contested.items()))
    told = claims.get(where, ())
    choices: list[Choice[A]] = []
    for value in values:
        words = name_value(where, value)
        sources = [source for source, claimed in told if claimed == value]
        if sources:
            words = msg("{what} (according to the {sense})", what=words, sense=join(", ", sources))
        choices.append(Choice(actions=(), text=words))
    text = msg(
        "The camera and the sensor table disagree about {place}. Which is right?", place=name_place(where)
    )
    return Ask(text=text, choices=tuple(choices))
