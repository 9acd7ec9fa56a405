"""Looking back: whether the table shows an earlier moment of the game, or the same turn played otherwise.

Players take a move back by putting the pieces back, and change their minds while they walk. No legal action
explains such a table from where the game stands; an earlier state does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from companion.games.game import Game
from companion.reconcile.decision import Accepted, InStep
from companion.reconcile.observation import Snapshot
from companion.table import Picture, Place

S = TypeVar("S")
A = TypeVar("A")

# Nobody takes more than this many actions back by putting pieces back.
_FURTHEST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Story(Generic[S, A]):
    """The game so far, as far as looking back needs it.

    Attributes:
        states: the states from the start on, one more than actions.
        actions: the accepted actions.
        shown: number of actions that the table has shown; later ones were entered by hand only.
        before: what the table showed after so many actions, where that is known.
    """

    states: Sequence[S]
    actions: Sequence[A]
    shown: int
    before: dict[int, Picture]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite(Generic[A]):
    """Take the last `count` actions back and play `actions` instead (often none)."""

    count: int
    actions: tuple[A, ...]


def awaits_entry(game: Game[S, A], story: Story[S, A], seen: Snapshot) -> bool:
    """Say whether the table is still, or partly, as it was before what was entered by hand."""
    if story.shown >= len(story.actions):
        return False
    then, now = game.predict(story.states[story.shown]), game.predict(story.states[-1])
    due = changed_places(then, now)
    fresh = {where: value for where, value in seen.picture.items() if where not in seen.unseen}
    if any(where in now and value not in (now[where], then.get(where)) for where, value in fresh.items()):
        return False
    return any(where in then and fresh.get(where, object()) == then[where] for where in due)


def look_back(game: Game[S, A], story: Story[S, A], seen: Snapshot) -> Rewrite[A] | None:
    """Return how to rewrite the last actions for the table to make sense, None if that cannot be told."""
    if story.shown < len(story.actions):
        return None
    count = _taken_back(game, story, seen)
    if count:
        return Rewrite(count=count, actions=())
    return _replayed(game, story, seen)


def changed_places(then: Picture, now: Picture) -> set[Place]:
    """Return the places at which two pictures differ, also those that only one of them has."""
    return {where for where in then.keys() | now.keys() if _differ(then, now, where)}


def _differ(then: Picture, now: Picture, where: Place) -> bool:
    return (where in then, then.get(where)) != (where in now, now.get(where))


def _taken_back(game: Game[S, A], story: Story[S, A], seen: Snapshot) -> int:
    """Return how many of the last actions the players undid by putting back all that these had moved."""
    now = game.predict(story.states[-1])
    for count in range(1, min(_FURTHEST, len(story.actions)) + 1):
        then = game.predict(story.states[-1 - count])
        moved = [where for where in then if _differ(then, now, where)]
        if moved and _shows(seen, then) and all(_is_seen(seen, where) for where in moved):
            return count
    return 0


def _is_seen(seen: Snapshot, where: Place) -> bool:
    return where in seen.picture and where not in seen.unseen


def _shows(seen: Snapshot, picture: Picture) -> bool:
    """Whether nothing that is seen just now contradicts the picture."""
    return all(seen.picture[where] == value for where, value in picture.items() if _is_seen(seen, where))


def _replayed(game: Game[S, A], story: Story[S, A], seen: Snapshot) -> Rewrite[A] | None:
    """Return another way to play the last actions, as far as the players may still change their minds."""
    for count in range(1, min(_FURTHEST, len(story.actions)) + 1):
        at = len(story.actions) - count
        if not game.is_revisable(story.states[at], story.actions[at]):
            return None
        decision = game.explain(story.states[at], replace(seen, before=story.before.get(at, {})))
        if isinstance(decision, Accepted):
            return Rewrite(count=count, actions=decision.actions)
        if isinstance(decision, InStep):
            return Rewrite(count=count, actions=())
    return None
