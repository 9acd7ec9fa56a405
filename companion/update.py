"""What the referee tells: the update after each call, and the list of what was played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from companion.games.game import Event
from companion.prompts import Prompt
from companion.reconcile.decision import Decision
from companion.table import Place, Value

A = TypeVar("A")


@dataclass(frozen=True, slots=True, kw_only=True)
class Update(Generic[A]):
    """What one call of the referee led to.

    Attributes:
        decision: the verdict; `Accepted` where something was committed and nothing is amiss now.
        new_actions: the actions committed, in order.
        taken_back: the actions that no longer stand, in order.
        events: what the new actions made happen.
        opened, closed: prompts, in order.
        changed: places whose expected value is another now: before, after (None = nothing or no such place).
        number: number of accepted actions.
    """

    decision: Decision[A]
    new_actions: tuple[A, ...] = ()
    taken_back: tuple[A, ...] = ()
    events: tuple[Event, ...] = ()
    opened: tuple[Prompt, ...] = ()
    closed: tuple[Prompt, ...] = ()
    changed: Mapping[Place, tuple[Value, Value]] = field(default_factory=dict)
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Past(Generic[A]):
    """One accepted action, for the list of what was played.

    Attributes:
        number: 1 for the first action.
        player: whose action it is.
        action: the action.
        text: the action in words.
        by: ``table`` or ``player``: who brought it.
        entry: number of the journal's entry that brought it, for its evidence.
    """

    number: int
    player: str | None
    action: A
    text: str
    by: str
    entry: int
