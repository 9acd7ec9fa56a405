"""Played games of Nova Luna and Urbion: a state machine, random games, prompts, a referee following."""

from __future__ import annotations

import io
import random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from companion.decision import Ask, InStep
from companion.errors import RuleViolation
from companion.game import Verdict
from companion.games import registry
from companion.observation import Query
from companion.prompts import PromptKind
from companion.record.game_record import read_record, write_record
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.simulation.eye import Noise, NoisyEye
from companion.simulation.scorekeeper import Scorekeeper
from companion.simulation.table import Habits, SimulatedTable
from tests.benchmarks.nova_urbion_random import options_of, prove

GAMES = ("nova_luna", "urbion")


class PlayedGame(RuleBasedStateMachine):
    """Plays any legal actions and tries illegal ones between them."""

    name = ""

    @initialize(seed=st.integers(0, 10**6), number=st.integers(0, 41))
    def deal(self, seed: int, number: int) -> None:
        """Begin a game."""
        self.game: Any = registry.lookup(self.name)
        self.header = self.game.deal(random.Random(seed), options_of(self.name, number))
        self.state = self.game.start(self.header)
        self.others = self.game.start(self.game.deal(random.Random(seed + 1), options_of(self.name, number)))
        self.actions: list[Any] = []

    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        """Play a legal action; its line reads back, its picture is in step."""
        legal = list(self.game.legal_actions(self.state))
        assert bool(legal) == (self.game.result(self.state) is None)
        if not legal:
            return
        action = legal[data.draw(st.integers(0, len(legal) - 1))]
        before = self.state
        self.state, events = self.game.apply(before, action)
        self.actions.append(action)
        assert self.game.parse_action(self.game.format_action(action)) == action
        assert self.game.describe_action(before, action)
        assert self.game.prompts(before, action, self.state, events)

    @rule(data=st.data())
    def try_what_is_legal_elsewhere(self, data: st.DataObject) -> None:
        """An action of another game is legal only if listed, and changes nothing where it is refused."""
        elsewhere = list(self.game.legal_actions(self.others))
        action = elsewhere[data.draw(st.integers(0, len(elsewhere) - 1))]
        before = self.state
        if self.game.judge(before, action) is Verdict.LEGAL:
            after = self.game.apply(before, action)[0]
            listed = [self.game.apply(before, each)[0] for each in self.game.legal_actions(before)]
            assert any(self.game.predict(after) == self.game.predict(each) for each in listed)
            return
        with pytest.raises(RuleViolation) as refusal:
            self.game.apply(before, action)
        assert self.game.rule_text(refusal.value.rule, refusal.value.params)
        assert self.state is before

    @invariant()
    def is_sound(self) -> None:
        """Every state keeps its invariants, its checkpoint fits it, and it explains its own picture."""
        if not hasattr(self, "state"):
            return
        assert self.game.defects(self.state) == ()
        self.game.check(self.state, self.game.checkpoint(self.state))
        assert isinstance(self.game.explain(self.state, Query(picture=self.game.predict(self.state))), InStep)

    def teardown(self) -> None:
        """The whole game makes a record that reads back."""
        if hasattr(self, "state"):
            stream = io.StringIO()
            write_record(stream, self.game, self.header, self.actions, checkpoints=True)
            assert read_record(stream.getvalue().splitlines()).actions == tuple(self.actions)


class PlayedNovaLuna(PlayedGame):
    name = "nova_luna"


class PlayedUrbion(PlayedGame):
    name = "urbion"


PlayedNovaLuna.TestCase.settings = settings(max_examples=12, stateful_step_count=40, deadline=None)
PlayedUrbion.TestCase.settings = settings(max_examples=12, stateful_step_count=40, deadline=None)
TestNovaLuna = PlayedNovaLuna.TestCase
TestUrbion = PlayedUrbion.TestCase


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_random_games_keep_their_invariants_and_make_sound_records(name):
    """Whole random games over all set-ups: no exception, nothing broken, every record verifies."""
    figures = prove(name, 200, 0, 4)

    assert figures.defects == []
    assert figures.records == 50
    if name == "nova_luna":
        assert {ending.split()[1] for ending in figures.endings} == {"tokens", "no_tiles"}


def test_urbion_can_be_won():
    """A player who works for balance wins now and then."""
    game = registry.lookup("urbion")
    for seed in range(400):
        rng = random.Random(f"urbion/0/{seed}")
        state = game.start(game.deal(rng, {"books": seed % 7}))
        player = game.random_player(rng)
        while game.result(state) is None:
            state = game.apply(state, player(state))[0]
        if state.reason == "cities":
            break

    assert game.result(state) == {"winners": ["anna"], "reason": "cities", "draw": False}
    assert state.subdued == 12


@pytest.mark.parametrize("name", GAMES)
def test_prompts_have_unique_ids_and_the_turn_or_the_end(name):
    """After every action somebody is told what is next, and no id comes twice."""
    game = registry.lookup(name)
    rng = random.Random(5)
    state, player = game.start(game.deal(rng, {"players": 2})), game.random_player(rng)
    seen: set[str] = set()
    while game.result(state) is None:
        action = player(state)
        after, events = game.apply(state, action)
        prompts = game.prompts(state, action, after, events)
        ids = {prompt.id for prompt in prompts}
        assert len(ids) == len(prompts)
        assert not ids & seen
        seen |= ids
        kinds = {prompt.kind for prompt in prompts}
        over = game.result(after) is not None
        assert (PromptKind.END in kinds) == over
        assert over or kinds & {PromptKind.TURN, PromptKind.QUESTION}
        picture = game.predict(after)
        for prompt in prompts:
            assert all(picture.get(where) == value for where, value in prompt.done_when.items())
        state = after


@pytest.mark.parametrize(
    ("name", "players"), [("nova_luna", 1), ("nova_luna", 3), ("urbion", 1), ("urbion", 2)]
)
def test_a_referee_follows_a_game_at_a_simulated_table(name, players, tmp_path):
    """The house's referee, journal and simulated table serve the game: followed to its end, nothing wrong.

    The players answer what they are asked.
    """
    game: Any = registry.lookup(name)
    rng = random.Random(f"{name}{players}")
    header = game.deal(rng, {"players": players})
    table = SimulatedTable(game, header, rng, Habits(late=0.0))
    eye = NoisyEye(rng, Noise(dropped=0.0))
    journal = Journal.create(tmp_path / "game.moontable", game.public_header(header))
    referee = Referee(game, journal)
    score = Scorekeeper(table, referee)
    for moment in table.moments():
        if not moment.busy:
            referee.consider(eye.settled(moment))
        if isinstance(referee.decision, Ask) and (choice := score.answer(referee.decision)) is not None:
            referee.choose(choice)
    journal.close()

    assert score.wrong == 0
    assert referee.result is not None or game.predict(referee.state) == game.predict(table.states[-1])
