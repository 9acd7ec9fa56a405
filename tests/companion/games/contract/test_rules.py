"""Every game's rules: sound states, refusals that change nothing, endings that everybody sees."""

from __future__ import annotations

import random

import pytest

from companion.errors import RuleViolation
from companion.game import Verdict
from tests.helpers.random_play import GAMES, applied, played

SEEDS = range(3)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_every_state_is_sound(name: str, seed: int) -> None:
    """No invariant is broken, neither in the open game nor in what everybody knows of it."""
    game = played(name, seed)

    for step in game.steps:
        assert () == game.game.defects(step.after)
        assert () == game.game.defects(step.known_after)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_what_is_legal_is_judged_so_until_the_game_is_over(name: str, seed: int) -> None:
    """What was played was legal, and those who see no hands cannot refuse it; at the end nothing is legal."""
    played_game = played(name, seed)
    game = played_game.game

    for step in played_game.steps:
        assert Verdict.LEGAL is game.judge(step.before, step.action)
        assert Verdict.REFUSED is not game.judge(step.known, step.told[0])
        is_over = game.result(step.after) is not None
        assert is_over == (game.turn_of(step.after) is None)
        assert is_over == (next(iter(game.legal_actions(step.after)), None) is None)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_a_refusal_changes_nothing_and_names_its_rule(name: str, seed: int) -> None:
    """Actions of other moments and games are refused by a rule that has words, or carried out soundly."""
    here, elsewhere = played(name, seed), played(name, seed + 1)
    game, rng = here.game, random.Random(seed)
    tried = [step.action for step in (*here.steps, *elsewhere.steps)]
    refused = 0

    for state in rng.sample(here.states, min(60, len(here.states))):
        before = repr(state)
        for action in rng.sample(tried, min(12, len(tried))):
            if game.judge(state, action) is not Verdict.REFUSED:
                assert () == game.defects(game.apply(state, action)[0])
                continue
            refused += 1
            with pytest.raises(RuleViolation) as refusal:
                game.apply(state, action)
            assert game.rule_text(refusal.value.rule, refusal.value.params)
            assert before == repr(state)

    assert refused > 0


@pytest.mark.parametrize("name", GAMES)
def test_a_game_folds_again_from_its_actions(name: str) -> None:
    """The same header and actions lead to the same states: nothing is drawn or read from a clock."""
    game = played(name, 0)
    actions = [step.action for step in game.steps]
    known = [action for step in game.steps for action in step.told]

    assert game.states[-1] == applied(game.game, game.game.start(game.header), actions)
    public = game.game.public_header(game.header)
    assert game.steps[-1].known_after == applied(game.game, game.game.start(public), known)
    assert public == game.game.public_header(public)


@pytest.mark.parametrize("name", GAMES)
def test_an_unknown_rule_is_a_key_error(name: str) -> None:
    """As the protocol says."""
    with pytest.raises(KeyError):
        GAMES[name].rule_text("no.such_rule", {})
