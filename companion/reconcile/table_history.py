"""What the table has shown so far: the part that verdicts, retrodiction and the beam search need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.observation import Query, Snapshot
from companion.reconcile.debounce import added_up
from companion.table import Picture, Place, Value

# Number of unexplained looks to keep; later looks may help to explain them.
_LOOKS = 6
_NOWHERE = object()


@dataclass(frozen=True, slots=True)
class LastSeen:
    """When a place was seen: after how many actions, and on which table."""

    count: int
    table: int


class TableHistory:
    """The tables that one referee has seen.

    Attributes:
        agreed: the last look that agreed with the game, by number of actions.
        first_agreed: the first look that did: the one from which the actions were inferred.
        trails: the successive values of places that no state predicts: before that number of actions, just
            after it, and since.
        last_seen: the sight at which each place was last seen as the game has it.
        tables: number of tables at rest seen so far.
        watched_from: number of actions that were known when the watching began.
        looks: the looks since the game last moved on that could not be explained.
        seen: the table seen last, None before the first.
        glimpsed: how often readings differed from the settled values since table and game last agreed.
        shown: number of actions that the table has shown; later ones were entered by hand only.
        waited: the tables without an explanation since the game last moved on.
        suspected: what places likely showed on tables since then, though nobody could tell.
    """

    def __init__(self, watched_from: int, shown: int) -> None:
        self.agreed: dict[int, Snapshot] = {}
        self.first_agreed: dict[int, Snapshot] = {}
        self.trails: dict[int, dict[Place, tuple[Value, ...]]] = {}
        self.last_seen: dict[Place, LastSeen] = {}
        self.tables = 0
        self.watched_from = watched_from
        self.looks: list[Query] = []
        self.seen: Snapshot | None = None
        self.glimpsed: Mapping[Place, Mapping[Value, int]] = {}
        self.shown = shown
        self.waited: list[Picture] = []
        self.suspected: dict[Place, set[Value]] = {}
        self._unforeseen: set[Place] = set()

    @property
    def latest(self) -> Picture:
        """Return what the table showed when it last agreed with the game."""
        return _picture_of(self.agreed, max(self.agreed, default=0))

    def look_at(self, seen: Snapshot) -> None:
        """Take the table as it is seen now."""
        self.seen = seen
        self.tables += not seen.busy
        self.glimpsed = added_up((self.glimpsed, seen.glimpsed))

    def wait_at(self, seen: Snapshot) -> None:
        """Record a table that has no explanation yet."""
        if seen.picture not in self.waited:
            self.waited.append(seen.picture)

    def suspect(self, seen: Snapshot) -> None:
        """Record what a table likely shows."""
        for where, one in seen.likely.items():
            self.suspected.setdefault(where, set()).add(one.value)

    def move_on(self, first: int) -> None:
        """Note that the game has changed after action number `first`."""
        self.waited = []
        self.suspected = {}
        self.looks = []
        self.forget_after(first)

    def keep_look(self, look: Query) -> None:
        """Keep a look that could not be explained; an older one of the same picture makes room for it."""
        others = [kept for kept in self.looks if kept.picture != look.picture]
        self.looks = [*others[1 - _LOOKS :], look]

    def agree(self, count: int, expected: Picture, group_of: Callable[[Place], str | None]) -> None:
        """Record that the table shows the game after `count` actions, for which this picture is expected."""
        self.shown = count
        self.glimpsed = {}
        if self.seen is not None:
            self._mark_agreed(count, self.seen, laid_like(expected, self.seen.picture, group_of))

    def _mark_agreed(self, count: int, seen: Snapshot, predicted: Picture) -> None:
        earlier = _picture_of(self.agreed, count)
        before = _picture_of(self.agreed, max((n for n in self.agreed if n < count), default=-1))
        self.agreed[count] = seen
        self.first_agreed.setdefault(count, seen)
        trail = self.trails.setdefault(count, {})
        for where, value in seen.picture.items():
            if where in seen.unseen:
                continue
            if predicted.get(where, _NOWHERE) == value:
                self.last_seen[where] = LastSeen(count, self.tables)
            else:
                self._unforeseen.add(where)
            if where in self._unforeseen:
                at_first = earlier.get(where, value)
                last = self._last_shown(where, before.get(where, at_first))
                known = trail.get(where, (last, at_first))
                trail[where] = extended(known, value)

    def forget_after(self, count: int) -> None:
        """Forget what the table showed after action number `count`: those actions no longer count."""
        self.agreed = {number: seen for number, seen in self.agreed.items() if number <= count}
        self.first_agreed = {number: seen for number, seen in self.first_agreed.items() if number <= count}
        self.trails = {number: trail for number, trail in self.trails.items() if number <= count}
        for where, sight in self.last_seen.items():
            if sight.count > count:
                self.last_seen[where] = LastSeen(count, sight.table)
        self.watched_from = min(self.watched_from, count)
        self.shown = min(self.shown, count)

    def _last_shown(self, where: Place, default: Value) -> Value:
        """Return what a place showed at rest before the game last moved on."""
        known = [trail[where] for _, trail in sorted(self.trails.items()) if where in trail]
        return known[-1][-1] if known else default


def laid_like(predicted: Picture, seen: Picture, group_of: Callable[[Place], str | None]) -> Picture:
    """Return a predicted picture with the pieces of each group in the order in which they are seen.

    Pieces seen but not predicted do not take the place of others.
    """
    groups: dict[str, list[Place]] = {}
    for where in predicted:
        group = group_of(where)
        if group is not None:
            groups.setdefault(group, []).append(where)
    arranged = dict(predicted)
    for places in groups.values():
        left = Counter(predicted[where] for where in places)
        others = []
        for where in places:
            if where in seen and left[seen[where]] > 0:
                left[seen[where]] -= 1
                arranged[where] = seen[where]
            else:
                others.append(where)
        arranged.update(zip(others, left.elements(), strict=True))
    return arranged


def _picture_of(looks: Mapping[int, Snapshot], count: int) -> Picture:
    return looks[count].picture if count in looks else {}


def moved_to(looks: Mapping[int, Snapshot], count: int) -> int:
    """Return how many actions were accepted at the look that led to `count` actions; 0 if there was none."""
    earlier = [number for number in looks if number < count]
    return count - max(earlier) if earlier and count in looks else 0


def trail_before(
    trails: Mapping[int, Mapping[Place, tuple[Value, ...]]], count: int
) -> Mapping[Place, tuple[Value, ...]]:
    """Return the trail that ended when the game moved on to `count` actions."""
    return trails.get(max((number for number in trails if number < count), default=-1), {})


def trail_since(
    trails: Mapping[int, Mapping[Place, tuple[Value, ...]]], count: int
) -> dict[Place, tuple[Value, ...]]:
    """Return what places showed before `count` actions were played, just after that, and since."""
    joined: dict[Place, tuple[Value, ...]] = {}
    for number in sorted(n for n in trails if n >= count):
        for where, values in trails[number].items():
            joined[where] = extended(joined[where], *values[1:]) if where in joined else values
    return joined


def extended(trail: tuple[Value, ...], *values: Value) -> tuple[Value, ...]:
    """Return the trail with more values; equal values in a row are merged."""
    for value in values:
        if not trail or trail[-1] != value:
            trail = (*trail, value)
    return trail
