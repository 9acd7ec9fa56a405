"""A game played by hypothesis: after every step nothing is lost, and the record folds back to the state."""

import random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.decision import InStep
from companion.errors import RuleViolation
from companion.game import Verdict
from companion.games.blue_moon_city.actions import Action, Contribute, End, Move, Offer
from companion.games.blue_moon_city.reconcile.hypotheses import veil
from companion.games.blue_moon_city.rules.legal import legal_groups
from companion.games.blue_moon_city.state import CityState
from companion.observation import Query
from companion.record.game_record import RecordReader, format_object
from tests.helpers.city_scene import GAME
from tests.helpers.city_veil import random_header


class PlayedCity(RuleBasedStateMachine):
    """One open game, its journal of actions, and the reader that verifies its record."""

    state: CityState
    start: CityState
    journal: list[Action]

    @initialize(seed=st.integers(0, 10_000))
    def deal(self, seed: int) -> None:
        """Deal a game of any kind."""
        self.rng = random.Random(seed)
        header = random_header(self.rng)
        self.start = self.state = GAME.start(header)
        self.journal = []
        self.reader = RecordReader()
        self.reader.feed(format_object(header))

    @precondition(lambda self: self.state.outcome is None)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        """Play any legal action, of a kind drawn first so that rare ones come up."""
        groups = legal_groups(self.state)
        group = groups[data.draw(st.sampled_from(sorted(groups)))]
        action = group[data.draw(st.integers(0, len(group) - 1))]
        action = GAME.with_chance(self.state, action, self.rng)
        self.state, _ = GAME.apply(self.state, action)
        self.journal.append(action)
        self.reader.feed(format_object(GAME.format_action(action)))

    @precondition(lambda self: self.state.outcome is None)
    @rule(many=st.integers(1, 25))
    def let_random_players_play(self, many: int) -> None:
        """Let the random players go on for a while, so that buildings are completed."""
        choose = GAME.random_player(self.rng)
        for _ in range(many):
            if self.state.outcome is None:
                action = GAME.with_chance(self.state, choose(self.state), self.rng)
                self.state, _ = GAME.apply(self.state, action)
                self.journal.append(action)
                self.reader.feed(format_object(GAME.format_action(action)))

    @rule(box=st.integers(-1, 9), pillar=st.sampled_from([None, "pillar-1", "khind-1"]))
    def refuse_another_player(self, box: int, pillar: str | None) -> None:
        """Nobody acts out of turn, whatever he does; nothing changes."""
        names = self.state.setup.players
        other = names[(self.state.active + 1) % len(names)]
        before = repr(self.state)
        tried: list[Action] = [
            Contribute(player=other, box=box, colour="aqua", cards=("aqua-1",)),
            Offer(player=other, pillar=pillar),
            End(player=other, discard=()),
            Move(player="nobody", to=0, path=(0,), cards=()),
        ]
        for action in tried:
            assert GAME.judge(self.state, action) is Verdict.REFUSED
            with pytest.raises(RuleViolation):
                GAME.apply(self.state, action)
        assert before == repr(self.state)

    @invariant()
    def nothing_is_lost(self) -> None:
        """Markers, scales, cards and crystals are all accounted for, in open and closed eyes."""
        if hasattr(self, "state"):
            assert GAME.defects(self.state) == ()
            assert GAME.defects(veil(self.state)) == ()

    @invariant()
    def the_record_agrees(self) -> None:
        """The reader of the record is in the same state, and its checkpoint fits."""
        if hasattr(self, "state"):
            assert self.reader.state == self.state
            GAME.check(self.state, GAME.checkpoint(self.state))

    @invariant()
    def the_predicted_table_is_in_step(self) -> None:
        """What the state predicts needs no explanation."""
        if hasattr(self, "state"):
            assert isinstance(GAME.explain(self.state, Query(picture=GAME.predict(self.state))), InStep)

    def teardown(self) -> None:
        """Fold the journal again: the same state; a game that is over has a result."""
        if not hasattr(self, "state"):
            return
        state: Any = self.start
        for action in self.journal:
            state, _ = GAME.apply(state, action)
        assert state == self.state
        assert (GAME.result(state) is None) == (state.outcome is None)


TestPlayedCity = PlayedCity.TestCase
TestPlayedCity.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)
