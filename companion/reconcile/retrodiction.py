"""Retrodiction: whether the table shows an earlier moment, a turn played differently, or something missed.

Players take a move back by putting the pieces back, and change their minds while they walk. A figure may hide
the marker beside it until it moves on, turns later. No legal action explains such a table from the game's
current state, but one from an earlier state does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Generic, TypeVar

from companion.decision import Accepted, InStep
from companion.game import Game
from companion.observation import Query, Snapshot
from companion.reconcile.beam_search import agreed, course_of, courses
from companion.reconcile.table_history import LastSeen, laid_like, moved_to, trail_before, trail_since
from companion.table import Picture, Place, Value

S = TypeVar("S")
A = TypeVar("A")

# A place counts as hidden after it was missing from this many tables in a row, not counting the current one.
_MISSING = 2
# How many of the last decisions may turn out wrong when the next table contradicts them.
_RETHOUGHT = 2
# Nobody undoes more than this many actions by putting pieces back.
_FURTHEST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Story(Generic[S, A]):
    """What retrodiction needs of the game so far.

    Attributes:
        states: the states from the start on, one more than actions.
        actions: the accepted actions.
        shown: number of actions that the table has shown; later ones were entered by hand only.
        looks: the last look that agreed with the game, by number of actions, if there was one.
        first_looks: the first look that did.
        trails: the successive values of places that no state predicts, by number of actions.
        last_seen: the tables at which each place was last seen as the game has it.
        tables: number of tables seen so far, which is also the number of the current one.
        watched_from: number of actions already known when watching began.
    """

    states: Sequence[S]
    actions: Sequence[A]
    shown: int
    looks: Mapping[int, Snapshot]
    first_looks: Mapping[int, Snapshot]
    trails: Mapping[int, Mapping[Place, tuple[Value, ...]]]
    last_seen: Mapping[Place, LastSeen]
    tables: int
    watched_from: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite(Generic[A]):
    """Replaces the `count` actions after the first `kept` ones by `actions`; either may be none."""

    kept: int
    count: int
    actions: tuple[A, ...]


def awaits_entry(game: Game[S, A], story: Story[S, A], seen: Snapshot) -> bool:
    """Return whether the table is still, at least in part, as it was before the actions entered by hand."""
    if story.shown >= len(story.actions):
        return False
    then = _as_seen(game, story.states[story.shown], seen)
    now = _as_seen(game, story.states[-1], seen)
    due = changed_places(then, now)
    fresh = {where: value for where, value in seen.picture.items() if where not in seen.unseen}
    if any(where in now and value not in (now[where], then.get(where)) for where, value in fresh.items()):
        return False
    return any(where in then and fresh.get(where, object()) == then[where] for where in due)


def retrodict(game: Game[S, A], story: Story[S, A], seen: Query) -> list[Rewrite[A]]:
    """Return the rewrites of the game that may make sense of a table that is out of step.

    They are alternatives; if they lead to different states, it is unknown which is true.
    """
    if story.shown < len(story.actions):
        return []
    if undone := retrodict_undo(game, story, seen):
        return undone
    replayed = _replayed(game, story, seen)
    return [replayed] if replayed is not None else _missed(game, story, seen)


def retrodict_undo(game: Game[S, A], story: Story[S, A], seen: Snapshot) -> list[Rewrite[A]]:
    """Return the rewrite that undoes the last actions: everything they had moved is back.

    A piece that came from beside the table may also have been picked up, which must be seen. Players who only
    finish the work left by the last action undo nothing, although removing their marker first makes the table
    look as before.
    """
    if story.shown < len(story.actions) or _clears_up(game, story, seen):
        return []
    count = _taken_back(game, story, seen)
    return [Rewrite(kept=len(story.actions) - count, count=count, actions=())] if count else []


def retrodict_missed(game: Game[S, A], story: Story[S, A], seen: Query) -> Iterator[Rewrite[A]]:
    """Yield the rewrites that insert a missed action and change what was thought to follow it.

    A marker hidden by a figure may mean that a turn had ended that was thought to go on. The tables seen
    since it was played are explained again, which takes long: two rewrites that differ are enough to know
    that nobody can tell.
    """
    if story.shown < len(story.actions):
        return
    hidden, _ = _came_to_light(game, story, seen)
    for missed in _put_in(game, story, seen, hidden):
        state = story.states[missed.kept]
        for action in missed.actions:
            state, _ = game.apply(state, action)
        looks = [*_looks_after(story, missed.kept), replace(seen, trail={})]
        course = agreed(game, courses(game, state, looks, trusting=True))
        if course is not None:
            actions = (*missed.actions, *course.actions)
            yield Rewrite(kept=missed.kept, count=len(story.actions) - missed.kept, actions=actions)


def retrodict_unlikely(
    game: Game[S, A], story: Story[S, A], seen: Query, run: Sequence[A] = ()
) -> list[Rewrite[A]]:
    """Return the rewrite that explains a table by less likely explanations of earlier ones.

    Often only the turn order suggests who moved a piece; that player's next action shows more. If a `run` of
    actions explains the table as it is, the rewrite must be likelier than the run.
    """
    if story.shown < len(story.actions):
        return []
    counts = sorted(story.looks)
    for start in counts[-2 : -2 - _RETHOUGHT : -1]:
        looks = [
            look
            for count, following in pairwise(number for number in counts if number >= start)
            for look in _looks_at(story, count, following)
        ]
        looks.append(_looked_from(story, counts[-1], seen))
        found = courses(game, story.states[start], looks, trusting=True, skipping=False, trailing=True)
        course = agreed(game, found)
        if course is None:
            continue
        if not run or course.cost < course_of(game, story.states[start], [*story.actions[start:], *run]).cost:
            return [Rewrite(kept=start, count=len(story.actions) - start, actions=course.actions)]
    return []


def has_idle_turn(game: Game[S, A], state: S, run: Sequence[A]) -> bool:
    """Return whether a run from this state includes someone's whole turn without a visible trace."""
    return course_of(game, state, run).bare > 0


def is_explained(game: Game[S, A], state: S, seen: Snapshot) -> bool:
    """Return whether a table shows only what the state predicts."""
    return _shows(seen, _as_seen(game, state, seen))


def _as_seen(game: Game[S, A], state: S, seen: Snapshot) -> Picture:
    """Return what a state predicts, with unordered pieces matched to where they are seen."""
    return laid_like(game.predict(state), seen.picture, game.group_of)


def changed_places(then: Picture, now: Picture) -> set[Place]:
    """Return the places where two pictures differ, including those that only one of them has."""
    return {where for where in then.keys() | now.keys() if _differ(then, now, where)}


def _differ(then: Picture, now: Picture, where: Place) -> bool:
    return (where in then, then.get(where)) != (where in now, now.get(where))


def _taken_back(game: Game[S, A], story: Story[S, A], seen: Snapshot) -> int:
    """Return how many of the last actions the players undid by putting all their pieces back."""
    now = _as_seen(game, story.states[-1], seen)
    for count in range(1, min(_FURTHEST, len(story.actions)) + 1):
        at = len(story.actions) - count
        then = _as_seen(game, story.states[at], seen)
        moved = [where for where in then if _differ(then, now, where)]
        is_back = moved and _shows(seen, then) and all(_is_seen(seen, where) for where in moved)
        if is_back and not _shows_news(story, at, then, seen):
            return count
    return 0


def _shows_news(story: Story[S, A], count: int, then: Picture, seen: Snapshot) -> bool:
    """Whether a place of which no state tells shows what it did neither after `count` actions nor since.

    Another card on a discard pile, say: pieces may lie as they did before, but because play went on.
    """
    tables = [_table_before(story, number) for number in (count, len(story.actions))]
    return any(
        where not in then and all(value != table.get(where, value) for table in tables)
        for where, value in seen.picture.items()
        if where not in seen.unseen and any(where in table for table in tables)
    )


def _clears_up(game: Game[S, A], story: Story[S, A], seen: Snapshot) -> bool:
    """Whether everything that changed on the table in the current state is as that state wants it."""
    first = story.first_looks.get(len(story.actions))
    if first is None:
        return False
    now = _as_seen(game, story.states[-1], seen)
    changed = [
        where
        for where in changed_places(first.picture, seen.picture)
        if where in first.picture and _is_seen(seen, where)
    ]
    return bool(changed) and all(seen.picture[where] == now.get(where) for where in changed)


def _is_seen(seen: Snapshot, where: Place) -> bool:
    return where in seen.picture and where not in seen.unseen


def _shows(seen: Snapshot, picture: Picture) -> bool:
    """Whether nothing seen now contradicts the picture."""
    return all(seen.picture[where] == value for where, value in picture.items() if _is_seen(seen, where))


def _replayed(game: Game[S, A], story: Story[S, A], seen: Query) -> Rewrite[A] | None:
    """Return another way to play the last actions, within the limits of changing one's mind."""
    for count in range(1, min(_FURTHEST, len(story.actions)) + 1):
        at = len(story.actions) - count
        if not game.is_revisable(story.states[at], story.actions[at]) or _went_on(story, at + 1):
            return None
        # A card discarded before the last look does not belong to the changed actions.
        latest = _table_before(story, len(story.actions))
        decision = game.explain(
            story.states[at], replace(seen, before=latest, trail=trail_since(story.trails, at))
        )
        if isinstance(decision, Accepted) and not _ends_more(game, decision.actions, story.actions[at:]):
            return Rewrite(kept=at, count=count, actions=decision.actions)
        if isinstance(decision, InStep):
            return Rewrite(kept=at, count=count, actions=())
    return None


def _ends_more(game: Game[S, A], new: Sequence[A], old: Sequence[A]) -> bool:
    """Whether more turns ended in the new actions: a player changes only their own turn."""
    return sum(map(game.ends_turn, new)) > sum(map(game.ends_turn, old))


def _went_on(story: Story[S, A], count: int) -> bool:
    """Whether something that no state predicts has changed since `count` actions had been played."""
    return any(len(values) > len(("before", "after")) for values in trail_since(story.trails, count).values())


def _table_before(story: Story[S, A], count: int) -> Picture:
    """Return what the table showed after `count` actions, or when it was looked at last before that."""
    known = max((number for number in story.looks if number <= count), default=None)
    return {} if known is None else story.looks[known].picture


def _looked_from(story: Story[S, A], count: int, look: Snapshot) -> Query:
    """Return a look with what had been shown by the time of `count` actions, and since."""
    return replace(
        look if isinstance(look, Query) else Query.about(look),
        before=_table_before(story, count),
        trail=story.trails.get(count, {}),
        moved=moved_to(story.looks, count),
        earlier=trail_before(story.trails, count),
    )


def _looks_at(story: Story[S, A], before: int, count: int) -> Iterator[Query]:
    """Yield the first look after `count` actions, marked as doubting, and the last one.

    Between the two, a marker that showed who had paid may have been removed.
    """
    first, last = story.first_looks[count], story.looks[count]
    yield replace(_looked_from(story, before, first), doubting=True)
    if last.picture != first.picture:
        yield _looked_from(story, count, last)


def _looks_after(story: Story[S, A], count: int) -> list[Query]:
    """Return the looks that agreed with the game after more than `count` actions, one by one."""
    return [Query.about(story.looks[n]) for n in sorted(story.looks) if n > count]


def _missed(game: Game[S, A], story: Story[S, A], seen: Query) -> list[Rewrite[A]]:
    """Return what may have been played out of sight, and when, if nothing else on the table is odd."""
    hidden, rest = _came_to_light(game, story, seen)
    return [] if rest else list(_put_in(game, story, seen, hidden))


def _came_to_light(game: Game[S, A], story: Story[S, A], seen: Snapshot) -> tuple[Picture, Picture]:
    """Return the odd places of the table: those hidden for some time, and the others."""
    now = _as_seen(game, story.states[-1], seen)
    odd = {where: value for where, value in seen.picture.items() if where in now and now[where] != value}
    hidden = {
        where: value
        for where, value in odd.items()
        if not _is_seen(seen, where) or story.tables - _last_seen(story, where).table > _MISSING
    }
    return hidden, {where: value for where, value in odd.items() if where not in hidden}


def _last_seen(story: Story[S, A], where: Place) -> LastSeen:
    return story.last_seen.get(where, LastSeen(story.watched_from, 0))


def _put_in(game: Game[S, A], story: Story[S, A], seen: Query, hidden: Picture) -> Iterator[Rewrite[A]]:
    """Yield what may have been played at hidden places: one rewrite for every moment that fits.

    The newly visible place must have been hidden since that moment. The table of that moment is explained
    again with its value added.
    """
    counts = [_last_seen(story, where).count for where in hidden if _is_seen(seen, where)]
    if not counts:
        return
    for kept in range(max(counts), len(story.actions)):
        imagined = replace(
            seen,
            picture={**_as_seen(game, story.states[kept], seen), **hidden},
            before=_table_before(story, kept),
            trail={},
        )
        decision = game.explain(story.states[kept], imagined)
        if isinstance(decision, Accepted):
            yield Rewrite(kept=kept, count=0, actions=decision.actions)
