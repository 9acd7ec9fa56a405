"""Contradicting senses: what is still to be asked, and how."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from companion.reconcile.decision import Ask, Choice
from companion.reconcile.observation import Snapshot
from companion.table import Place, Value

A = TypeVar("A")


def open_contradictions(
    seen: Snapshot, ruled: Mapping[Place, tuple[tuple[Value, ...], Value]]
) -> dict[Place, tuple[Value, ...]]:
    """Return the contradictions between the senses that no player has decided yet."""
    return {
        where: values
        for where, values in seen.contested.items()
        if where not in ruled or ruled[where][0] != values
    }


def contradiction(contested: Mapping[Place, tuple[Value, ...]]) -> Ask[A]:
    """Return the question that the first contradiction calls for."""
    where, values = next(iter(contested.items()))
    choices: tuple[Choice[A], ...] = tuple(Choice(actions=(), text=value or "nothing") for value in values)
    return Ask(text=f"The senses contradict each other: what is at {where}?", choices=choices)
