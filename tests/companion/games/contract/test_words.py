"""Every game's words: prompts, states, actions, places, rules to look up."""

from __future__ import annotations

import pytest

from companion.prompts import PromptKind
from tests.helpers.random_play import GAMES, played

SEEDS = range(3)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_no_two_prompts_of_a_game_have_one_id(name: str, seed: int) -> None:
    """In the open game, and as everybody follows it."""
    played_game = played(name, seed)
    game, seen = played_game.game, set[str]()

    for step in played_game.steps:
        prompts = game.prompts(step.before, step.action, step.after, step.events)
        ids = {prompt.id for prompt in prompts}
        assert len(ids) == len(prompts)
        assert not ids & seen
        assert all(prompt.text for prompt in prompts)
        seen |= ids


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_somebody_is_told_what_is_next(name: str, seed: int) -> None:
    """When the turn passes it is said whose it is, and so is the end; what is to be done can be seen."""
    played_game = played(name, seed)
    game = played_game.game

    for step in played_game.steps:
        prompts = game.prompts(step.before, step.action, step.after, step.events)
        kinds = {prompt.kind for prompt in prompts}
        assert (PromptKind.END in kinds) == (game.result(step.after) is not None)
        if game.turn_of(step.before) != game.turn_of(step.after) is not None:
            assert kinds & {PromptKind.TURN, PromptKind.QUESTION}
        places = game.predict(step.after)
        for prompt in prompts:
            assert prompt.done_when.keys() <= places.keys()


@pytest.mark.parametrize("name", GAMES)
def test_everything_can_be_said(name: str) -> None:
    """States, actions, places and what lies there have words."""
    game = played(name, 0)

    for step in game.steps[::5]:
        assert game.game.describe(step.before)
        assert game.game.describe_action(step.before, step.action)
        for where, value in game.game.predict(step.after).items():
            assert game.game.name_place(step.after, where)
            assert game.game.name_value(step.after, where, value)


@pytest.mark.parametrize("name", GAMES)
def test_rules_to_look_up_have_an_id_each(name: str) -> None:
    """And say something under their title."""
    reminders = GAMES[name].reminders()

    assert len({each.id for each in reminders}) == len(reminders)
    assert all(each.title and each.text for each in reminders)
