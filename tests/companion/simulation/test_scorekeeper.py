"""The scorekeeper: what is accepted against what was played, and what players say to set it right."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.decision import Ask, Choice, OutOfStep, Waiting
from companion.errors import RuleViolation
from companion.game import Json
from companion.observation import Snapshot
from companion.session.watch import watch
from companion.simulation.scorekeeper import agrees
from companion.simulation.table import Habits
from tests.helpers.logfail import WarningCollector
from tests.helpers.toy_game import GAME, Act, Lamps
from tests.helpers.toy_play import played
from tests.helpers.watched_toy import Watched

WRONG = Choice(actions=(Act("ann", "step", 1), Act("ben", "step", 3), Act("ann", "step", 0)), text="wrong")


def test_a_wrong_commit_is_counted(tmp_path: Path, logged_warnings: WarningCollector) -> None:
    """What the table never showed counts as wrong, and what was not seen as missed."""
    watched = Watched(tmp_path, 1)
    watched.referee.enter(Act("ann", "step", 1))
    assert watched.score.wrong == 1
    assert "wrong commit" in logged_warnings.take()[0]
    list(watched.table.moments())

    assert watched.score.missed == len(watched.table.actions)
    watched.journal.close()


def test_players_say_what_was_played_where_no_answer_is_right(tmp_path: Path) -> None:
    """A question whose answers are all wrong is answered by entering what was truly played."""
    watched = Watched(tmp_path, 3)
    moments = watched.table.moments()
    while not watched.table.actions:
        next(moments)

    assert watched.score.answer(Ask(text="What?", choices=(WRONG,))) is None
    assert watched.referee.actions == tuple(watched.table.actions)
    assert (watched.score.entered, watched.score.wrong, watched.score.missed) == (1, 0, 0)
    watched.journal.close()


def test_blamed_players_say_what_was_played(tmp_path: Path) -> None:
    """Where turns ran into each other out of sight, the players tell what happened and the game goes on."""
    seeds = (seed for seed in range(100, 200))
    for seed in seeds:
        watched = Watched(tmp_path, seed, Habits(pause=0.0, hurry=0.6))
        summary = watch(
            watched.source, watched.referee, answer=watched.score.answer, protest=watched.score.protest
        )
        watched.journal.close()
        if watched.score.entered:
            break

    assert watched.score.entered > 0
    assert (watched.score.wrong, watched.score.missed) == (0, 0)
    assert summary.result == watched.table.result


def test_players_mend_what_went_before_where_what_they_missed_does_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What looked right was not: they say again what was played, from the last moment from which it fits."""
    watched = Watched(tmp_path, 3)
    moments = watched.table.moments()
    while len(watched.table.actions) < 3:
        next(moments)
    states, actions = watched.table.states, watched.table.actions
    watched.referee.enter(actions[0])
    watched.referee.enter(actions[1])
    asked: list[Lamps] = [states[0]]

    def told(state: Lamps, true: Lamps, action: Act) -> tuple[Act, ...]:
        del true
        asked.append(state)
        if asked[-2:] != [states[1], states[2]] and state == states[2]:
            raise RuleViolation("toy.other", "the cards do not add up")
        return (action,)

    monkeypatch.setattr(GAME, "told", told)
    watched.score.protest(Waiting(text="?"))
    watched.journal.close()

    assert watched.referee.actions == tuple(actions)
    assert (watched.score.entered, watched.score.wrong, watched.score.missed) == (1, 0, 0)


def test_players_say_that_a_place_was_misread_which_lies_as_it_should(tmp_path: Path) -> None:
    """Then the referee sees by himself what was played."""
    watched = Watched(tmp_path, 3)
    moments = watched.table.moments()
    while not watched.table.actions:
        next(moments)
    for _ in range(3):
        next(moments)
    misread = next(at for at, value in GAME.predict(watched.table.states[0]).items() if value is None)
    seen = {**GAME.predict(watched.table.states[1]), misread: "ben"}
    blamed = watched.referee.consider(Snapshot(picture=seen)).decision
    assert isinstance(blamed, OutOfStep)
    watched.score.protest(blamed)
    watched.journal.close()

    assert watched.referee.actions == tuple(watched.table.actions[:1])
    assert watched.referee.line.rulings.misread == {misread: "ben"}
    assert (watched.score.overruled, watched.score.entered, watched.score.wrong) == (1, 0, 0)


def test_players_take_what_a_complaint_offers_if_it_is_true(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They do not tell it all by hand then; where no offer is true they do."""
    watched = Watched(tmp_path, 3)
    moments = watched.table.moments()
    while not watched.table.actions:
        next(moments)
    right = Choice(actions=tuple(watched.table.actions), text="right")
    complaint = OutOfStep(rule="toy.other", text="?", offers=(WRONG, right))
    chosen: list[int] = []

    def choose(number: int) -> None:
        chosen.append(number)
        watched.referee.enter(*complaint.offers[number].actions)

    monkeypatch.setattr(watched.referee, "choose", choose)
    watched.score.protest(complaint)
    assert (chosen, watched.score.agreed_to, watched.score.entered) == ([1], 1, 0)

    while len(watched.table.actions) < 2:
        next(moments)
    legal = GAME.legal_actions(watched.referee.state)
    untrue = Choice(actions=(next(act for act in legal if act != watched.table.actions[1]),), text="wrong")
    watched.score.protest(replace(complaint, offers=(untrue,)))
    watched.journal.close()

    assert (watched.score.agreed_to, watched.score.entered, watched.score.missed) == (1, 1, 0)


def test_what_lies_wrongly_is_not_protested(tmp_path: Path) -> None:
    """Careless players do not argue about what really lies wrongly."""
    watched = Watched(tmp_path, 3, Habits(careless=0.5))
    watch(watched.source, watched.referee, answer=watched.score.answer, protest=watched.score.protest)
    watched.journal.close()

    assert watched.table.mischiefs
    assert (watched.score.entered, watched.table.unnoticed) == (0, 0)


def test_states_agree_as_far_as_the_first_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table and the checkpoint are compared; what the referee's checkpoint leaves open agrees."""
    _, states = played(3)
    open_ends: Json = {"bright": None, "table": {}}
    bright = next(state for seed in range(50) for state in played(seed)[1] if state.bright)
    plain = Lamps(bright.players, bright.at, bright.owners, None, bright.count)

    assert all(agrees(GAME, state, state) for state in states)
    assert not agrees(GAME, states[0], states[1])
    assert not agrees(GAME, plain, bright)
    assert agrees(GAME, plain, bright, besides=frozenset({"bright", "table"}))
    monkeypatch.setattr(type(GAME), "checkpoint", lambda *_: open_ends)
    assert agrees(GAME, plain, bright)
    monkeypatch.setattr(type(GAME), "checkpoint", lambda _, state: {"table": {"number": state.count}})
    assert not agrees(GAME, states[0], states[1])
    assert agrees(GAME, states[0], states[1], GAME.predict(states[1]))


def test_what_no_table_shows_is_counted_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit that errs only in what is reckoned is no wrong one, but it is counted."""
    watched = Watched(tmp_path, 3)
    true = watched.table.states
    monkeypatch.setattr(type(GAME), "reckoned", frozenset({"guess"}))
    monkeypatch.setattr(type(GAME), "checkpoint", lambda _, state: {"guess": any(s is state for s in true)})
    watched.watch()

    assert (watched.score.wrong, watched.score.missed) == (0, 0)
    assert watched.score.misreckoned > 0
