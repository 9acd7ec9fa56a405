"""Random legal games: endings, closed play, what is listed as legal, and totals with their reasons."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.game import Verdict
from companion.games.blue_moon_legends.actions import (
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


@pytest.mark.parametrize("number", range(0, 72, 9))
def test_totals_are_the_sum_of_their_reasons(number):
    """Every point of a total has a reason, in every position of a game."""
    rng = random.Random(number)
    for _, _, after, _ in playout(rng, GAME.deal(rng, {"decks": pairing(number)})):
        force = Force(after)
        for side in (0, 1):
            for element in ("fire", "earth"):
                reckoned = total(after, force, side, element)
                assert reckoned.value == sum(reason.points for reason in reckoned.reasons)
