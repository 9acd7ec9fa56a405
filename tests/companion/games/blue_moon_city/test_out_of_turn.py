"""Whose turn it is has one answer wherever it is said; who has passed without a trace can be said."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.decision import Accepted, InStep, OutOfStep
from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.actions import Action, Move
from companion.games.blue_moon_city.catalogue import CELLS, NEIGHBOURS
from companion.games.blue_moon_city.presenter import CityPresenter
from companion.games.blue_moon_city.reconcile.explain import explain
from companion.games.blue_moon_city.reconcile.hypotheses import veil
from companion.games.blue_moon_city.state import CityState
from companion.observation import Query
from companion.session.journal import Journal
from companion.session.referee import Referee
from companion.table import Place, Value
from tests.helpers.city import closed_city, played_city

Table = dict[Place, Value]


def watched(folder: Path, players: int) -> Referee[CityState, Action]:
    """Return the referee of a closed game that has just begun, the table in step."""
    setup = closed_city(players).setup
    header = {
        "record": "moontable/1",
        "game": "blue_moon_city",
        "edition": setup.edition,
        "setup": "standard",
        "players": list(setup.players),
        "layout": dict(zip(CELLS, setup.layout, strict=True)),
        "hands": None,
        "deck": None,
    }
    referee = Referee(GAME, Journal.create(folder / "game", header))
    referee.consider(Query(picture=table_of(referee)))
    return referee


def table_of(referee: Referee[CityState, Action], **figures: int) -> Table:
    """Return the table as the game has it, with some figures on other cells."""
    moved = {Place(f"figure:{name}"): CELLS[cell] for name, cell in figures.items()}
    return {**GAME.predict(referee.state), **moved}


def out_of_step(referee: Referee[CityState, Action]) -> OutOfStep[Action]:
    """Return the verdict, which must be that the table is out of step."""
    assert isinstance(referee.decision, OutOfStep)
    return referee.decision


def active_in_view(state: CityState) -> list[str]:
    """Return whose turn it is on the players' panel, which the banner follows."""
    return [player.player for player in CityPresenter().present(state).players if player.is_active]


def test_who_has_passed_can_be_said(tmp_path: Path) -> None:
    """White moves though it is purple's turn: one answer says that purple passed, and all is well."""
    referee = watched(tmp_path, 2)
    purple, white = referee.state.setup.players
    beside = NEIGHBOURS[referee.state.figures[1]][0]
    referee.consider(Query(picture=table_of(referee, **{white: beside})))
    verdict = out_of_step(referee)

    assert f"It is {purple}'s turn, not {white}'s." == verdict.text
    assert [purple] == active_in_view(referee.state) == [referee.turn_of]
    assert [f"{purple} passed"] == [offer.text for offer in verdict.offers]
    assert f"1. {purple} passed" in referee.prompts[0].text

    update = referee.choose(0)

    assert isinstance(update.decision, Accepted | InStep)
    assert [purple, white] == [action.player for action in referee.actions]
    assert white == referee.turn_of
    referee.journal.close()


def test_a_turn_begun_is_named_as_the_running_one(tmp_path: Path) -> None:
    """Purple has moved, white did nothing, teal moves: it is purple's turn in every word."""
    referee = watched(tmp_path, 3)
    purple, white, teal = referee.state.setup.players
    first, second = NEIGHBOURS[referee.state.figures[0]][:2]
    referee.consider(Query(picture=table_of(referee, **{purple: first})))
    assert [purple] == [action.player for action in referee.actions]
    referee.consider(Query(picture=table_of(referee, **{teal: second})))
    verdict = out_of_step(referee)

    assert f"It is {purple}'s turn, not {teal}'s." == verdict.text
    assert [purple] == active_in_view(referee.state) == [referee.turn_of]
    assert [f"{purple}'s turn is over, {white} passed"] == [offer.text for offer in verdict.offers]

    referee.choose(0)

    assert [purple, purple, white, teal] == [action.player for action in referee.actions]
    assert teal == referee.turn_of
    referee.journal.close()


def test_what_was_played_unseen_before_is_entered_too(tmp_path: Path) -> None:
    """Purple and teal have moved since the table was seen, white did nothing."""
    referee = watched(tmp_path, 3)
    purple, white, teal = referee.state.setup.players
    first, second = NEIGHBOURS[referee.state.figures[0]][:2]
    referee.consider(Query(picture=table_of(referee, **{purple: first, teal: second})))
    verdict = out_of_step(referee)

    assert f"It is {purple}'s turn, not {teal}'s." == verdict.text
    assert [f"{purple}'s turn is over, {white} passed"] == [offer.text for offer in verdict.offers]

    referee.choose(0)

    assert isinstance(referee.actions[0], Move)
    assert [purple, purple, white, teal] == [action.player for action in referee.actions]
    referee.journal.close()


@pytest.mark.parametrize("players", [2, 3, 4])
@given(steps=st.integers(0, 200), seed=st.integers(0, 200), luck=st.integers(0, 10_000))
def test_every_word_names_the_same_player(players: int, steps: int, seed: int, luck: int) -> None:
    """Whatever figure is moved: who is said to be on turn is who is, and what is offered can be played."""
    state = veil(played_city(steps, players=players, seed=seed)[-1][0])
    rng = random.Random(luck)
    mover = rng.choice(state.setup.players)
    picture = {**GAME.predict(state), Place(f"figure:{mover}"): rng.choice(CELLS)}
    verdict = explain(state, Query(picture=picture))
    if not isinstance(verdict, OutOfStep) or verdict.rule != "turn.not_yours":
        return

    assert state.player == verdict.params["active"] != verdict.params["player"]
    for offer in verdict.offers:
        after = state
        for action in offer.actions:
            after, _ = GAME.apply(after, action)

        assert verdict.params["player"] == after.player
