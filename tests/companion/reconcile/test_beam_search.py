"""Catching up: several looks explained together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.observation import Query
from companion.reconcile.beam_search import Course, agreed, courses, denied_by
from companion.table import kind_of, place
from tests.helpers.toy_game import GAME, ToyGame
from tests.helpers.toy_play import played


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


def test_a_piece_that_nobody_sees_denies_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is somewhere on the table all the while; a box that is seen to be empty is another thing."""
    monkeypatch.setattr(ToyGame, "roaming_kinds", frozenset({"figure"}))
    actions, states = played(5, 12)
    before, after = GAME.predict(states[-2]), GAME.predict(states[-1])
    marked = next(at for at, owner in before.items() if kind_of(at) == "box" and owner is not None)
    unseen = Query(picture={**after, place("figure", "ann"): None})
    emptied = Query(picture={**after, marked: None})

    assert denied_by(GAME, states[-2], actions[-1:], [unseen]) == 0
    assert denied_by(GAME, states[-2], actions[-1:], [emptied]) == 1
