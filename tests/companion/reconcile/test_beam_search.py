"""Catching up: several looks explained together."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.observation import Query
from companion.reconcile.beam_search import Course, agreed, courses, denied_by
from companion.table import Picture, kind_of, place
from tests.helpers.toy_game import GAME, Act, Lamps, ToyGame
from tests.helpers.toy_play import HEADER, played


@given(st.integers(0, 500), st.integers(1, 12), st.lists(st.integers(1, 11), max_size=4))
def test_the_likeliest_course_shows_the_newest_look(seed: int, length: int, at: list[int]) -> None:
    """Whatever was looked at in between, a course leads to the table seen last, by legal actions."""
    _, states = played(seed, length)
    counts = sorted({count for count in at if count < len(states)} | {len(states) - 1})
    looks = [Query(picture=GAME.predict(states[count])) for count in counts]

    for course in courses(GAME, states[0], looks, trusting=False):
        state = states[0]
        for action in course.actions:
            state, _ = GAME.apply(state, action)
        assert state == course.state
        assert GAME.predict(state) == looks[-1].picture


@given(st.integers(0, 500), st.integers(1, 12))
def test_looks_at_every_action_are_followed(seed: int, length: int) -> None:
    """Where each action was looked at, the course is the game played, but for what no look can tell."""
    actions, states = played(seed, length)
    looks = [Query(picture=GAME.predict(state)) for state in states[1:]]

    best = courses(GAME, states[0], looks, trusting=False)[0]

    assert [(act.player, act.to) for act in best.actions] == [(act.player, act.to) for act in actions]
    assert best.aside == 0


def test_a_look_left_aside_makes_a_course_less_likely() -> None:
    """Of two courses of one length the one that explains every look comes first."""
    _, states = played(3, 4)
    looks = [Query(picture=GAME.predict(state)) for state in states[1:]]

    found = courses(GAME, states[0], looks, trusting=False)

    assert [one.cost for one in found] == sorted(one.cost for one in found)


def test_courses_of_one_cost_that_differ_agree_on_nothing() -> None:
    """Where equally likely courses lead to different games nobody can tell which is true."""
    actions, states = played(5, 2)
    one = Course(states[1], (actions[0],), is_last_explained=True)
    other = Course(states[2], (actions[0],), is_last_explained=True)

    assert agreed(GAME, [one, other]) is None
    assert agreed(GAME, [one, one]) is one
    assert agreed(GAME, []) is None


@given(st.integers(0, 500), st.integers(1, 8), st.integers(0, 7))
def test_looks_on_the_way_deny_nothing_and_others_do(seed: int, length: int, at: int) -> None:
    """The tables between two actions lie on the way, whichever of their pieces moved first; others do not."""
    actions, states = played(seed, length)
    at = min(at, len(actions) - 1)
    before, after = GAME.predict(states[at]), GAME.predict(states[at + 1])
    half = dict(before)
    changed = [where for where in after if after[where] != before.get(where)]
    half.update({where: after[where] for where in changed[:1]})
    strange = {**before, next(iter(before)): "nowhere"}

    assert denied_by(GAME, states[0], actions, [Query(picture=before), Query(picture=half)]) == 0
    assert denied_by(GAME, states[0], actions, [Query(picture=strange), Query(picture=half)]) == 1


class LongTurns(ToyGame):
    """The toy game with one long turn in which a box holds a spark, for a moment, before its lamp is lit."""

    def turn_of(self, state: Lamps) -> str | None:
        """It is always the first player's."""
        return state.players[0] if None in state.owners else None

    def stages(self, before: Lamps, action: Act, after: Lamps) -> Iterable[Picture]:
        """See `Game.stages`."""
        del after
        if action.do == "plain":
            yield {**self.predict(before), place("box", action.to): "spark"}


def test_in_which_order_things_are_done_in_a_turn_denies_nothing() -> None:
    """Nor what lies there for a moment; what is done in another turn does."""
    game, long = GAME, LongTurns()
    start = game.start(HEADER)
    first, second = start.players
    acts = [Act(first, "plain", 0), Act(first, "step", 1), Act(first, "plain", 1)]
    before, end = long.predict(start), {**long.predict(start), place("box", 1): first}
    sparks = {**before, place("box", 1): "spark"}

    assert denied_by(long, start, acts, [Query(picture=end), Query(picture=sparks)]) == 0
    assert denied_by(long, start, acts[:2], [Query(picture=end), Query(picture=sparks)]) == 2
    by_turns = [acts[0], Act(second, "step", 3), acts[1]]
    late = {**before, place("figure", first): "1"}
    assert denied_by(game, start, by_turns, [Query(picture=late)]) == 1
    assert denied_by(long, start, acts, [Query(picture=late)]) == 0


def test_a_piece_that_is_nowhere_denies_only_that_it_never_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may stand anywhere but where it stood; a box that is seen to be empty is another thing."""
    monkeypatch.setattr(ToyGame, "roaming_kinds", frozenset({"figure"}))
    actions, states = played(5, 12)
    before, after = GAME.predict(states[-2]), GAME.predict(states[-1])
    marked = next(at for at, owner in before.items() if kind_of(at) == "box" and owner is not None)
    mover = next(at for at in before if kind_of(at) == "figure" and before[at] != after[at])
    other = next(at for at in before if kind_of(at) == "figure" and before[at] == after[at])
    emptied = Query(picture={**after, marked: None})

    assert denied_by(GAME, states[-2], actions[-1:], [Query(picture={**after, mover: None})]) == 0
    assert denied_by(GAME, states[-2], actions[-1:], [Query(picture={**after, other: None})]) == 1
    assert denied_by(GAME, states[-2], actions[-1:], [emptied]) == 1
