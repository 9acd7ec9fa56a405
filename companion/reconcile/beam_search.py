"""Beam search: explaining several looks at the table together when none of them is certain alone.

If one look leaves a question open, the next ones often answer it: the run of actions that explains one look
after another is the one that was played. All candidates are carried along. If the shortest of them lead to
the same game, the players need not be asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from companion.decision import Accepted, Ask, Decision, InStep, Waiting
from companion.game import Game
from companion.observation import Query, Snapshot
from companion.reconcile.table_history import laid_like
from companion.record.game_record import same
from companion.table import Picture, kind_of

S = TypeVar("S")
A = TypeVar("A")

# Beam width. A candidate may skip a look.
_WIDTH = 16
# The cost, in actions, of skipping a look that could have been explained, of skipping one that could not, and
# of explaining one in a less likely way.
_IGNORED, _UNCLEAR = 4, 1
_DOUBTED = 1


@dataclass(frozen=True, slots=True)
class Course(Generic[S, A]):
    """One way the game may have continued.

    Attributes:
        state: the state it leads to.
        actions: what was played.
        aside: the cost of the looks that were skipped or explained in a less likely way.
        ends: number of actions that do nothing but end a turn.
        bare: number of turns in which nothing else was played.
        acts: number of actions in the current turn; a turn that began earlier counts as one.
        even: by how much its answers to questions are dearer than the cheapest ones: which answer is right
            is not for the cost to tell.
        before: the last look it explained, None before the first.
        is_last_explained: it explains the newest look.
    """

    state: S
    actions: tuple[A, ...] = ()
    aside: int = 0
    ends: int = 0
    bare: int = 0
    acts: int = 1
    even: int = 0
    before: Picture | None = None
    is_last_explained: bool = False

    @property
    def cost(self) -> int:
        """Return the cost: the number of actions; a turn without a real action counts as two."""
        return len(self.actions) - self.ends + 2 * self.bare + self.aside - self.even


def courses(
    game: Game[S, A],
    state: S,
    looks: Sequence[Query],
    *,
    trusting: bool,
    skipping: bool = True,
    trailing: bool = False,
) -> list[Course[S, A]]:
    """Return the courses of the game that explain the newest look, the likeliest first.

    Looks are in the order in which they were taken. With `trusting`, what was not seen counts as unchanged.
    At looks that are `doubting`, less likely explanations are tried as well. Unless `skipping`, every look
    must be explained. With `trailing`, each look already holds what was shown before it and since then.
    """
    known: list[Course[S, A]] = [Course(state)]
    for look in looks:
        found: list[Course[S, A]] = []
        for course in known:
            for one in _advanced(game, course, look, trusting=trusting, skipping=skipping, trailing=trailing):
                if not any(one.state == other.state for other in found):
                    found.append(one)
        known = sorted(found, key=lambda one: one.cost)[:_WIDTH]
    return [one for one in known if one.is_last_explained and one.actions]


def likeliest(game: Game[S, A], found: Sequence[Course[S, A]]) -> list[Course[S, A]]:
    """Return the likeliest courses, only one of those that lead to the same game."""
    different: list[Course[S, A]] = []
    for one in found:
        if one.cost > found[0].cost:
            break
        if not any(_lead_alike(game, one.state, other.state) for other in different):
            different.append(one)
    return different


def agreed(game: Game[S, A], found: Sequence[Course[S, A]]) -> Course[S, A] | None:
    """Return the most likely course if all equally likely ones lead to the same game, else None."""
    best = likeliest(game, found)
    return best[0] if len(best) == 1 else None


def denied_by(game: Game[S, A], state: S, actions: Sequence[A], looks: Sequence[Snapshot]) -> int:
    """Return how many looks show a table that does not occur before, during or after these actions.

    In which order things were done in a turn is not for a look to say. Of a piece that never leaves the table
    but is nowhere to be seen a look shows that it no longer stood where it was at first.

    Raises RuleViolation for actions that are not legal.
    """
    turns = tables_by_turn(game, state, actions)
    return sum(not _agrees(game, look.picture, turns) for look in looks)


def _agrees(game: Game[S, A], shown: Picture, turns: Sequence[Sequence[Picture]]) -> bool:
    """Whether a table may be seen in one of these turns, the first of which begins as things lay at first."""
    first = turns[0][0]
    nowhere = {at for at, one in shown.items() if one is None and kind_of(at) in game.roaming_kinds}
    seen = {where: value for where, value in shown.items() if where not in nowhere}
    left = {where: first[where] for where in nowhere if first.get(where) is not None}
    laid = ([laid_like(each, seen, game.group_of) for each in turn] for turn in turns)
    return any(_occurs(seen, turn) and _is_left(left, turn) for turn in laid)


def tables_by_turn(game: Game[S, A], state: S, actions: Iterable[A]) -> list[list[Picture]]:
    """Return what lies on the table before, during and after some actions, turn by turn.

    Raises RuleViolation for actions that are not legal.
    """
    turns = [[game.predict(state)]]
    for action in actions:
        after, _ = game.apply(state, action)
        turns[-1] += [*game.stages(state, action, after), game.predict(after)]
        if game.ends_turn(action) or game.turn_of(after) != game.turn_of(state):
            turns.append([turns[-1][-1]])
        state = after
    return turns


def _is_left(places: Picture, turn: Sequence[Picture]) -> bool:
    """Whether each of these pieces leaves its place in a turn, or has left it before."""
    return all(any(each.get(where) != value for each in turn) for where, value in places.items())


def _occurs(seen: Picture, turn: Sequence[Picture]) -> bool:
    """Whether a table may be seen during a turn, in whatever order things were done in it."""
    known = ({each[where] for each in turn if where in each} for where in seen)
    return all(not some or value in some for value, some in zip(seen.values(), known, strict=True))


def course_of(game: Game[S, A], state: S, actions: Sequence[A]) -> Course[S, A]:
    """Return the course with these actions; raises RuleViolation for an illegal one."""
    return _played(game, Course(state), tuple(actions))


def _lead_alike(game: Game[S, A], one: S, other: S) -> bool:
    is_same_turn = game.turn_of(one) == game.turn_of(other)
    return is_same_turn and same(game.checkpoint(one), game.checkpoint(other))


def _advanced(
    game: Game[S, A],
    course: Course[S, A],
    look: Query,
    *,
    trusting: bool,
    skipping: bool,
    trailing: bool,
) -> Iterator[Course[S, A]]:
    """Yield the continuations of a course by one more look: each explanation of it, or skipping it."""
    if course.before is not None and not trailing:
        look = replace(look, before=course.before, trail={})
    plain = replace(look, doubting=False)
    decision = game.explain(course.state, plain)
    if trusting and isinstance(decision, Waiting):
        decision = game.explain(course.state, replace(plain, trusting=True))
    if isinstance(decision, InStep):
        yield replace(course, before=look.picture, is_last_explained=True)
        return
    runs = _runs(decision)
    tried = [(actions, 0) for actions in runs]
    if look.doubting:
        doubted = _runs(game.explain(course.state, look))
        tried += [(actions, _DOUBTED) for actions in doubted if actions not in runs]
    played = [_played(game, course, actions) for actions, _ in tried]
    cheapest = min((one.cost for one in played[: len(runs)]), default=0)
    for number, (one, (_, odd)) in enumerate(zip(played, tried, strict=True)):
        even = one.even + (one.cost - cheapest if number < len(runs) else 0)
        aside = course.aside + odd
        yield replace(one, aside=aside, even=even, before=look.picture, is_last_explained=True)
    if not skipping:
        return
    odd = _IGNORED if runs else _UNCLEAR
    yield replace(course, aside=course.aside + odd, is_last_explained=False)


def _played(game: Game[S, A], course: Course[S, A], actions: tuple[A, ...]) -> Course[S, A]:
    state, ends, bare, acts = course.state, course.ends, course.bare, course.acts
    for action in actions:
        state, _ = game.apply(state, action)
        if game.ends_turn(action):
            ends += 1
            bare += not acts
            acts = 0
        else:
            acts += 1
    return replace(course, state=state, actions=(*course.actions, *actions), ends=ends, bare=bare, acts=acts)


def _runs(decision: Decision[A]) -> list[tuple[A, ...]]:
    if isinstance(decision, Accepted):
        return [decision.actions]
    if isinstance(decision, Ask):
        return [choice.actions for choice in decision.choices if choice.actions]
    return []
