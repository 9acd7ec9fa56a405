"""Every game's reconciling: what was legally played is found or asked about, and never taken for else."""

from __future__ import annotations

import json
import random
from collections.abc import Collection
from typing import Any

import pytest

from companion.decision import Accepted, Ask, Decision, InStep, OutOfStep
from companion.errors import MalformedError
from companion.observation import Query
from companion.prompts import PromptKind
from companion.record.game_record import AnyGame
from companion.table import Picture, Place
from tests.helpers.random_play import GAMES, Step, applied, played

SEEDS = range(3)
MOST = 120


def looked(game: AnyGame, known: Any, picture: Picture, before: Picture) -> tuple[Any, Decision[Any]]:
    """Return the state and the verdict when a table is looked at until nothing more is accepted."""
    for _ in range(4):
        decision = game.explain(known, Query(picture=picture, before=before))
        if not isinstance(decision, Accepted):
            break
        known = applied(game, known, decision.actions)
    return known, decision


def fault(game: AnyGame, state: Any, truth: Any) -> str:
    """Return in what a state differs from the true one, as a checkpoint shows it; empty where it does not."""
    claims = json.loads(json.dumps(game.checkpoint(truth)))
    try:
        game.check(state, {key: claims[key] for key in claims if key not in game.reckoned})
    except MalformedError as error:
        return str(error)
    return ""


def is_asking(game: AnyGame, step: Step) -> bool:
    """Whether the players were left with a choice to make at once: the table is on its way."""
    prompts = game.prompts(step.before, step.action, step.after, step.events)
    return any(prompt.kind is PromptKind.QUESTION for prompt in prompts)


def look_at(game: AnyGame, step: Step, hidden: Collection[Place]) -> None:
    """Assert that a step is not taken for anything else, though these places are not seen at first."""
    whole, before = game.predict(step.after), game.predict(step.before)
    seen = {where: value for where, value in whole.items() if where not in hidden}
    then, first = looked(game, step.known, seen, before)

    if then is not step.known:
        assert "" == fault(game, then, step.known_after), first
    if isinstance(first, Ask) and then is step.known:
        ends = [applied(game, step.known, choice.actions) for choice in first.choices]
        assert "" in [fault(game, end, step.known_after) for end in ends], first
    if isinstance(first, OutOfStep):
        assert is_asking(game, step), first
    if hidden:
        now, then_seen = looked(game, then, whole, before)
        assert not isinstance(then_seen, OutOfStep) or is_asking(game, step), then_seen
        assert now is step.known or "" == fault(game, now, step.known_after)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_the_own_picture_is_in_step(name: str, seed: int) -> None:
    """What a state predicts needs no explanation, whole, in part, or with nothing seen at all."""
    played_game = played(name, seed, MOST)
    game, rng = played_game.game, random.Random(seed)

    for step in played_game.steps:
        for state in (step.after, step.known_after):
            picture = game.predict(state)
            part = {where: value for where, value in picture.items() if rng.random() < 0.5}
            for seen in (picture, part, {}):
                decision = game.explain(state, Query(picture=seen, before=picture))
                assert isinstance(decision, InStep), decision


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_every_action_is_found(name: str, seed: int) -> None:
    """Seen whole it is accepted, asked about or waited for; no change of the table passes unnoticed."""
    played_game = played(name, seed, MOST)
    game = played_game.game
    found = 0

    for step in played_game.steps:
        look_at(game, step, ())
        before, after = game.predict(step.known), game.predict(step.known_after)
        decision = game.explain(step.known, Query(picture=game.predict(step.after), before=before))
        found += isinstance(decision, Accepted | Ask)
        if before != after and not game.ends_turn(step.action):
            assert not isinstance(decision, InStep), decision

    assert found > len(played_game.steps) / 2


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_one_hidden_place_is_never_worse_than_a_question(name: str, seed: int) -> None:
    """No other action is accepted, nobody is accused; and when all is seen again it comes right."""
    game, rng = played(name, seed, MOST), random.Random(seed)

    for step in game.steps:
        look_at(game.game, step, rng.sample(sorted(game.game.predict(step.after)), 1))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_many_hidden_places_are_never_worse_than_a_question(name: str, seed: int) -> None:
    """Up to half of the table."""
    game, rng = played(name, seed, MOST), random.Random(seed)

    for step in game.steps:
        places = sorted(game.game.predict(step.after))
        look_at(game.game, step, rng.sample(places, rng.randint(2, max(2, len(places) // 2))))


@pytest.mark.parametrize("name", GAMES)
def test_explaining_repeats_itself(name: str) -> None:
    """The same table means the same again, and the state is as it was."""
    game = played(name, 0, MOST)

    for step in game.steps[::7]:
        before = repr(step.known)
        seen = Query(picture=game.game.predict(step.after), before=game.game.predict(step.before))
        assert game.game.explain(step.known, seen) == game.game.explain(step.known, seen)
        assert before == repr(step.known)
