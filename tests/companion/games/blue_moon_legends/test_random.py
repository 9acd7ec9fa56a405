"""Random legal games: invariants, endings, closed play, and a state machine of any way through a game."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from companion.decision import InStep
from companion.errors import RuleViolation
from companion.game import Verdict
from companion.games.blue_moon_legends.actions import (
    Announce,
    Bluff,
    Drop,
    Launch,
    Lead,
    Load,
    Play,
    Retreat,
    Retrieve,
    Unload,
)
from companion.games.blue_moon_legends.rules.force import Force
from companion.games.blue_moon_legends.rules.legal import is_legal
from companion.games.blue_moon_legends.rules.totals import total
from companion.observation import Query
from tests.helpers.legends import GAME, PAIRINGS, pairing, playout, veiled


def test_all_pairings_are_played():
    """36 pairings of nine decks, each deck first as often as second."""
    games = {pairing(number) for number in range(72)}

    assert 36 == len(PAIRINGS)
    assert 72 == len(games)


def test_random_games_end_and_keep_every_invariant():
    """72 games over all pairings: no exception, an end, no card lost, reasons that add up."""
    endings = Counter()
    for number in range(72):
        rng = random.Random(number)
        steps = list(playout(rng, GAME.deal(rng, {"decks": pairing(number)})))
        assert [()] * len(steps) == [GAME.defects(after) for _, _, after, _ in steps]
        before, action, last, _ = steps[-1]
        assert Verdict.LEGAL is GAME.judge(before, action)
        assert GAME.turn_of(last) is None
        endings[GAME.result(last)["reason"]] += 1

    assert {"fourth_dragon", "fight", "decline"} == set(endings)


def test_an_onlooker_may_follow_every_legal_game():
    """Closed play refuses nothing that happened; what rests on unseen cards cannot be told."""
    verdicts = Counter()
    for number in range(0, 72, 6):
        rng = random.Random(number)
        header = GAME.deal(rng, {"decks": pairing(number)})
        state = GAME.start(GAME.public_header(header))
        for before, action, after, _ in playout(rng, header):
            verdicts[GAME.judge(state, veiled(before, action))] += 1
            state, _ = GAME.apply(state, veiled(before, action))
            if state.pending and state.pending[0].demand.value == "reveal":
                side = state.pending[0].side
                line = {
                    "player": state.setup.players[side],
                    "do": "reveal",
                    "cards": list(after.sides[side].hand),
                }
                state, _ = GAME.apply(state, GAME.parse_action(line))
            assert () == GAME.defects(state)
            assert len(after.sides[0].deck) == len(state.sides[0].deck)
        assert GAME.result(after) == GAME.result(state)

    assert verdicts[Verdict.LEGAL] > 0
    assert verdicts[Verdict.CANNOT_TELL] > 0
    assert verdicts[Verdict.REFUSED] == 0


def single_cards(state):
    """Yield whatever may be tried with one card of the active side, anywhere, and what needs none."""
    player, side = state.setup.players[state.active], state.mine
    for card in sorted(state.setup.owned[state.active]):
        yield from (kind(player=player, card=card) for kind in (Lead, Launch, Retrieve))
        yield Unload(player=player, ship=card)
        yield from (Load(player=player, card=card, ship=ship.card) for ship in side.ships)
        for from_ship in (False, True):
            yield Bluff(player=player, card=card, from_ship=from_ship)
            for joins in (False, True):
                yield Play(player=player, card=card, from_ship=from_ship, joins=joins)
    yield from (Drop(player=player, at=at) for at in range(len(side.support)))
    yield Retreat(player=player)


@pytest.mark.parametrize("number", range(0, 72, 5))
def test_what_is_listed_as_legal_is_what_the_rules_take(number):
    """Of all that may be tried with one card nothing legal is missing, and nothing else is listed."""
    rng = random.Random(500 + number)
    for before, _, _, _ in playout(rng, GAME.deal(rng, {"decks": pairing(number)})):
        tried = set() if before.pending else set(single_cards(before))
        listed = set(GAME.legal_actions(before))
        assert {each for each in tried if is_legal(before, each)} == listed & tried


class PlayedGame(RuleBasedStateMachine):
    """Any legal way through a game of any two decks."""

    def __init__(self):
        super().__init__()
        self.state = None
        self.header = None
        self.actions = []

    @precondition(lambda self: self.state is None)
    @rule(seed=st.integers(0, 2**32), number=st.integers(0, 71))
    def deal(self, seed, number):
        """Begin."""
        self.header = GAME.deal(random.Random(seed), {"decks": pairing(number)})
        self.state = GAME.start(self.header)

    @precondition(lambda self: self.state is not None and self.state.outcome is None)
    @rule(data=st.data())
    def act(self, data):
        """Do something legal, retreats being rare."""
        actions = list(GAME.legal_actions(self.state))
        assert actions
        likely = [action for action in actions if not isinstance(action, Retreat)] or actions
        action = data.draw(st.sampled_from(likely if data.draw(st.integers(0, 9)) else actions))
        assert action == GAME.parse_action(GAME.format_action(action))
        self.state, _ = GAME.apply(self.state, action)
        self.actions.append(action)

    @precondition(lambda self: self.state is not None)
    @rule(total=st.integers(50, 60))
    def boast(self, total):
        """A false total is refused and changes nothing."""
        before = self.state
        with pytest.raises(RuleViolation):
            GAME.apply(self.state, Announce(player=self.header["players"][0], element="fire", total=total))
        assert before == self.state

    @invariant()
    def sound(self):
        """Nothing is lost, reasons add up, the own prediction is in step, the state refolds."""
        if self.state is None:
            return
        assert () == GAME.defects(self.state)
        force = Force(self.state)
        for side in (0, 1):
            for element in ("fire", "earth"):
                reckoned = total(self.state, force, side, element)
                assert reckoned.value == sum(reason.points for reason in reckoned.reasons)
        assert isinstance(GAME.explain(self.state, Query(picture=GAME.predict(self.state))), InStep)

    def teardown(self):
        """Fold the whole game again."""
        if self.header is None:
            return
        state = GAME.start(self.header)
        for action in self.actions:
            state, _ = GAME.apply(state, action)
        assert state == self.state


PlayedGame.TestCase.settings = settings(max_examples=25, stateful_step_count=40, deadline=None)
TestPlayedGame = PlayedGame.TestCase
