"""What the referee reports: an update after each call, and the list of what was played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from companion.decision import Decision
from companion.game import Event, Game
from companion.prompts import Prompt
from companion.reconcile.retrodiction import changed_places
from companion.session.ledger import GameLine
from companion.table import Place, Value

S = TypeVar("S")
A = TypeVar("A")


@dataclass(frozen=True, slots=True, kw_only=True)
class Update(Generic[A]):
    """The effects of one call of the referee.

    Attributes:
        decision: the verdict; `Accepted` if something was committed and nothing is wrong now.
        new_actions: the actions committed, in order.
        taken_back: the actions that were undone or replaced, in order.
        events: what the new actions made happen.
        opened, closed: prompts, in order.
        changed: places whose expected value has changed: before, after (None = nothing or no such place).
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
        player: the player whose action it is.
        action: the action.
        text: the action in words.
        by: ``table`` or ``player``: where it came from.
        entry: number of the journal's entry that holds it, for its evidence.
    """

    number: int
    player: str | None
    action: A
    text: str
    by: str
    entry: int


def update_between(
    game: Game[S, A],
    before: GameLine[S, A],
    after: GameLine[S, A],
    decision: Decision[A],
    opened: Iterable[Prompt],
    closed: Iterable[Prompt],
) -> Update[A]:
    """Return the difference between two games."""
    new = after.new_since(before)
    then, now = game.predict(before.state), game.predict(after.state)
    places = changed_places(then, now) if after is not before else ()
    return Update(
        decision=decision,
        new_actions=tuple(played.action for played in new),
        taken_back=tuple(played.action for played in before.new_since(after)),
        events=tuple(event for played in new for event in played.events),
        opened=tuple(opened),
        closed=tuple(closed),
        changed={where: (then.get(where), now.get(where)) for where in places},
        number=len(after),
    )


def history_of(game: Game[S, A], line: GameLine[S, A]) -> tuple[Past[A], ...]:
    """Return everything that was played, in order and in words."""
    return tuple(
        Past(
            number=number,
            player=game.turn_of(line.state_after(number - 1)),
            action=played.action,
            text=game.describe_action(line.state_after(number - 1), played.action),
            by=played.by,
            entry=played.entry,
        )
        for number, played in enumerate(line.played, 1)
    )
