"""What the discard pile tells of a run: which cards came on it, and whether the run can have put them there.

The pile is the only part of a closed hand that a table shows. Its top was seen to change while nothing else
moved where a turn ended with a discard, or where a card was laid down before what it pays for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from companion.errors import RuleViolation
from companion.games.blue_moon_city.actions import Contribute, End, Fly, Move, MoveDragon
from companion.games.blue_moon_city.reconcile.differences import Differences
from companion.games.blue_moon_city.reconcile.hypotheses import CityRun, RunRefused, Spend, spends_of
from companion.games.blue_moon_city.record import format_action, parse_action
from companion.games.blue_moon_city.rules.apply import apply
from companion.games.blue_moon_city.state import CityState
from companion.table import Place, Value

# How odd it is that a card on the pile comes from nowhere; that a card which was spent was never seen; that a
# card lay there some time before what it paid for was done, or only after it; that two discards of one end
# were seen apart.
UNEXPLAINED = 4
_UNSEEN = 4
_IN_ADVANCE = 1
_APART = 1


def check_discards(run: CityRun, found: Differences, view: CityState, *, may_be_unpaid: bool) -> CityRun:
    """Return the run, its last card named where the pile shows it.

    Raises RunRefused if the discard pile disproves it: the top did not change though a card was spent.
    With `may_be_unpaid` a contribution's cards may still be to come, or be covered by one that looks like the
    card below them.
    """
    spends = spends_of(run)
    if not spends or found.top_now == "":
        return run
    last = spends[-1]
    has_ended = _ends_after(run, last.index)
    if found.top_now in last.tops:
        return run if has_ended else _named(run, last.index, str(found.top_now))
    if not found.top_unchanged or found.top_now in _tops_of_phase(run, spends):
        return run
    if has_ended and last.tops & set(found.tops):
        return run
    action = run.actions[last.index]
    match action:
        case MoveDragon():
            violation = RuleViolation("dragon.no_card", dragon=action.dragon)
            raise RunRefused(violation, [Place(f"dragon:{action.dragon}")])
        case Fly() | Move():
            violation = RuleViolation("move.too_far", steps=view.steps + 1, allowed=view.steps)
            raise RunRefused(violation, [Place(f"figure:{action.player}")])
        case _:
            if may_be_unpaid and not has_ended:
                return run
            earlier = _mismatch(_events(run), found.tops[1:], found.earlier_discards)
            rule = "cards.none_spent" if has_ended else "cards.unpaid"
            raise RunRefused(RuleViolation(rule), [], odd=earlier)


def _ends_after(run: CityRun, index: int) -> bool:
    """Whether a turn ended after an action, so that any card may lie on top."""
    return any(isinstance(action, End) for action in run.actions[index + 1 :])


def _tops_of_phase(run: CityRun, spends: list[Spend]) -> set[str]:
    """Return what may lie on top if the run ends in a movement phase: its moves come in any order."""
    tops: set[str] = set()
    for spend in reversed(spends):
        if not all(isinstance(a, Move | Fly | MoveDragon) for a in run.actions[spend.index :]):
            break
        tops |= spend.tops
    return tops


def _named(run: CityRun, index: int, card: str) -> CityRun:
    """Return the run with the one card that its last action must have spent.

    Raises RunRefused if all cards of that kind were spent before.
    """
    line = format_action(run.actions[index])
    if "card" not in line or index != len(run.actions) - 1:
        return run
    named = parse_action({**line, "card": card})
    try:
        apply(run.states[index], named)
    except RuleViolation as violation:
        raise RunRefused(violation, []) from None
    return replace(run, actions=(*run.actions[:index], named))


# -- how well a run explains all that was seen on the pile ------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Event:
    """Something in a run that puts cards on the pile.

    Attributes:
        tops: what may lie on top after it, None = any card.
        most: how many of its cards may be seen on top one after the other.
        is_visible: it changes more than the pile, so what lay there before it was laid in advance.
    """

    tops: frozenset[str] | None
    most: int
    is_visible: bool


def oddity(run: CityRun, found: Differences) -> int:
    """Return how badly a run explains the cards that were seen on top of the pile; 0 = it explains them all.

    The tops seen before the last look came while the table still lay as it had lain: they belong to ends of
    turns before the run's first visible action, or were laid in advance for that action.
    """
    if len(found.tops) < 2 and not found.top_changed:
        return 0
    seen = found.tops[1:] + ((found.top_now,) if found.top_changed else ())
    earlier = len(found.tops) - 1
    late = len([top for top in seen[:earlier] if top in found.payable])
    paid_late = tuple(top for number, top in enumerate(seen) if number >= earlier or top not in found.payable)
    as_late = late * _IN_ADVANCE + _mismatch(_events(run), paid_late, earlier - late)
    return min(_mismatch(_events(run), seen, earlier), as_late) + _UNSEEN * _is_unseen(run, found)


def _events(run: CityRun) -> tuple[_Event, ...]:
    spends = {spend.index: spend.tops for spend in spends_of(run)}
    events = []
    for index, action in enumerate(run.actions):
        if isinstance(action, End):
            events.append(_Event(None, 2, is_visible=False))
        else:
            most = 4 if isinstance(action, Contribute) else 1
            events.append(_Event(spends.get(index, frozenset()), most, is_visible=True))
    return tuple(events)


def _is_unseen(run: CityRun, found: Differences) -> bool:
    """Whether the run ends with a card that must be on top and was seen to come before all else happened."""
    spends = spends_of(run)
    if not spends or _ends_after(run, spends[-1].index) or not found.top_unchanged:
        return False
    first = next(i for i, action in enumerate(run.actions) if not isinstance(action, End))
    return spends[-1].index > first or found.earlier_discards <= first


@lru_cache(maxsize=4096)
def _mismatch(events: tuple[_Event, ...], seen: tuple[Value, ...], earlier: int) -> int:
    """Return the least oddity of any way to share the seen tops out among the events, both in order.

    The first `earlier` tops were seen before the first visible event. After the last event a turn may have
    ended, which shows on the pile alone.
    """
    if not seen:
        return 0
    if not events:
        return UNEXPLAINED * (earlier + max(0, len(seen) - earlier - 2))
    event, rest = events[0], events[1:]
    best = UNEXPLAINED + _mismatch(events, seen[1:], max(0, earlier - 1))
    for count in range(min(event.most, len(seen)) + 1):
        taken = seen[:count]
        if event.tops is not None and not all(top in event.tops for top in taken):
            break
        if None in taken[:-1]:  # cards are drawn, and the pile reshuffled, after all of an event's have come
            break
        left = max(0, earlier - count)
        odd = _APART * max(0, count - 1)
        if event.is_visible:
            odd = _IN_ADVANCE * min(count, earlier) + UNEXPLAINED * left
            best = min(best, odd + _mismatch(rest, seen[count + left :], 0))
        else:
            best = min(best, odd + _mismatch(rest, seen[count:], left))
    return best
