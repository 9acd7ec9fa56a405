"""Looking back: take-backs, entries that the table does not show yet, and what was played out of sight."""

from collections.abc import Mapping
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from companion.observation import Query
from companion.reconcile.retrodiction import (
    Rewrite,
    Story,
    awaits_entry,
    changed_places,
    is_explained,
    retrodict,
    retrodict_undo,
)
from companion.reconcile.table_history import LastSeen
from companion.table import Place, Value, place
from tests.helpers.toy_game import GAME, Act, Lamps
from tests.helpers.toy_play import played

CELL, BOX = place("cell", 1), place("box", 1)
pictures = st.dictionaries(st.sampled_from([CELL, BOX]), st.sampled_from(["x", None]))


def story(seed: int, count: int, *, shown: int | None = None) -> Story[Lamps, Act]:
    """Return the first actions of a random game, all of them seen by the table unless told otherwise."""
    actions, states = played(seed, count)
    sights = {where: LastSeen(len(actions), 9) for where in GAME.predict(states[0])}
    return Story(
        states=states,
        actions=actions,
        shown=len(actions) if shown is None else shown,
        looks={},
        first_looks={},
        trails={},
        last_seen=sights,
        tables=10,
        watched_from=0,
    )


def seen(picture: Mapping[Place, Value], *unseen: Place) -> Query:
    return Query(picture=picture, unseen=frozenset(unseen))


@given(pictures, pictures)
def test_changed_places_are_those_that_differ(then: dict[Place, Value], now: dict[Place, Value]) -> None:
    """Also a place that only one of the pictures has is changed, even when nothing lies there."""
    unchanged = {
        where
        for where in (CELL, BOX)
        if (where in then) == (where in now) and then.get(where) == now.get(where)
    }

    assert changed_places(then, now) == {CELL, BOX} - unchanged


@given(st.integers(0, 500), st.integers(1, 12), st.integers(1, 4))
def test_the_nearest_earlier_moment_is_found(seed: int, count: int, back: int) -> None:
    """A table that shows an earlier state takes back to a moment that looked like it, never further."""
    past = story(seed, count)
    number = len(past.actions)
    if back > number:
        return
    shown = GAME.predict(past.states[number - back])
    rewrites = retrodict(GAME, past, seen(shown))
    if shown == GAME.predict(past.states[-1]):
        return
    (rewrite,) = rewrites

    assert rewrite.actions == ()
    assert rewrite.kept == number - rewrite.count >= number - back
    assert shown == GAME.predict(past.states[rewrite.kept])


def test_what_moved_back_must_be_seen() -> None:
    """A place that is remembered, or not in the picture, is no sign that anything was put back."""
    past = story(1, 1)
    (figure,) = changed_places(GAME.predict(past.states[0]), GAME.predict(past.states[1])) or {CELL}
    before = dict(GAME.predict(past.states[0]))

    assert retrodict(GAME, past, seen(before)) == [Rewrite(kept=0, count=1, actions=())]
    assert retrodict(GAME, past, seen(before, figure)) == []
    del before[figure]
    assert retrodict(GAME, past, seen(before)) == []


def test_nothing_is_taken_back_where_a_pile_shows_another_card() -> None:
    """The pieces may lie as before because play went on; a pile as it was before, or since, says nothing."""
    pile, before = place("pile"), dict(GAME.predict(story(1, 1).states[0]))
    after = dict(GAME.predict(story(1, 1).states[1]))
    looks = {0: Query(picture={**before, pile: "ace"}), 1: Query(picture={**after, pile: "king"})}
    past = replace(story(1, 1), looks=looks)
    undone: list[Rewrite[Act]] = [Rewrite(kept=0, count=1, actions=())]

    assert retrodict_undo(GAME, past, seen({**before, pile: "ace"})) == undone
    assert retrodict_undo(GAME, past, seen({**before, pile: "king"})) == undone
    assert retrodict_undo(GAME, past, seen(before)) == undone
    assert retrodict_undo(GAME, past, seen({**before, pile: "queen"}, pile)) == undone
    assert retrodict_undo(GAME, past, seen({**before, pile: "queen"})) == []


def test_what_was_only_entered_is_not_taken_back() -> None:
    """The table is waited for while it still shows, in part or whole, what was before the entry."""
    past = story(1, 3, shown=1)
    then, now = GAME.predict(past.states[1]), GAME.predict(past.states[3])

    assert awaits_entry(GAME, past, seen(then))
    assert not awaits_entry(GAME, past, seen(now))
    assert not awaits_entry(GAME, story(1, 3), seen(then))
    assert not awaits_entry(GAME, past, seen({**then, CELL: "broken"}))
    assert not awaits_entry(GAME, past, seen({}))
    assert retrodict(GAME, past, seen(then)) == []


def test_a_table_is_explained_by_what_is_seen() -> None:
    """Remembered and missing places contradict nothing."""
    _, states = played(1)
    picture = dict(GAME.predict(states[0]))

    assert is_explained(GAME, states[0], seen(picture))
    assert not is_explained(GAME, states[0], seen({**picture, CELL: "lit"}))
    assert is_explained(GAME, states[0], seen({**picture, CELL: "lit"}, CELL))
    assert is_explained(GAME, states[0], seen({}))
