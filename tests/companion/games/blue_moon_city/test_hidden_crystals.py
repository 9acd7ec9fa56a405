"""Crystals lie face down: nothing that a shared screen says tells who has how many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.games.blue_moon_city import GAME
from companion.games.blue_moon_city.actions import Action, Offer
from companion.games.blue_moon_city.presenter import CityPresenter
from companion.games.blue_moon_city.reconcile.hypotheses import veil
from companion.games.blue_moon_city.state import CityState
from companion.observation import Query
from companion.table import Place, kind_of
from tests.helpers.city import played_city
from tests.helpers.city_scene import scene
from tests.helpers.city_session import unseen_cards

SHOW = CityPresenter()


def with_crystals(state: CityState, number: int) -> CityState:
    """Return the state with so many crystals for everybody."""
    crystals = (number,) * len(state.crystals)
    hidden = state.hidden and replace(state.hidden, crystals_low=crystals)
    return replace(state, crystals=crystals, hidden=hidden)


def words_in(value: object) -> list[str]:
    """Return all texts within a value, what is kept secret until asked for left out."""
    if getattr(value, "secret", False):
        return []
    if isinstance(value, str):
        return [value]
    if is_dataclass(value):
        return [text for each in fields(value) for text in words_in(getattr(value, each.name))]
    if isinstance(value, Mapping):
        return [text for item in value.items() for text in words_in(item)]
    if isinstance(value, tuple | list | frozenset):
        return [text for each in value for text in words_in(each)]
    return [str(value)]


def told(state: CityState, action: Action) -> list[str]:
    """Return all that a shared screen says of a moment, of the action that follows and of its table."""
    said: list[object] = [SHOW.present(state), SHOW.entries(state), SHOW.hint(state)]
    said += [SHOW.alternatives(state, action), GAME.describe_action(state, action), GAME.reachable(state)]
    after, events = GAME.apply(state, action)
    said += [SHOW.present(after), GAME.prompts(state, action, after, events)]
    picture = GAME.predict(after)
    said.append(GAME.explain(state, Query(picture=picture)))
    # A hand over the obelisk: what must be seen does not tell either who could have paid there.
    hidden = {place: value for place, value in picture.items() if kind_of(place) != "obelisk"}
    said.append(GAME.explain(state, Query(picture=hidden)))
    return words_in(said)


@pytest.mark.parametrize("is_open", [True, False])
@given(steps=st.integers(1, 260), players=st.integers(2, 4), seed=st.integers(0, 400))
def test_no_text_depends_on_who_has_how_many_crystals(
    is_open: bool, steps: int, players: int, seed: int
) -> None:
    """Poor or rich, the screen says the same of the moment, of what is played and of what is seen."""
    played = played_city(steps, players=players, seed=seed)
    moment, action = next(one for one in reversed(played) if one[1] is not None)
    assert action is not None
    state = moment if is_open else veil(moment)
    action = action if is_open else unseen_cards(action)
    # An offering that cannot be paid is against the rules, and that is said: the price alone.
    poor, rich = (with_crystals(state, n) for n in (14 if isinstance(action, Offer) else 0, 60))
    # At the end everybody turns his crystals up: who can pay no more ends the game, who has most may win it.
    assume(all(GAME.apply(one, action)[0].outcome is None for one in (poor, rich)))

    assert told(poor, action) == told(rich, action)


def test_a_visit_to_the_courtyard_tells_the_price_alone() -> None:
    """Whoever comes to the obelisk hears what the next offering costs, not whether he can pay it."""
    state = scene(at={"purple": "royal_palace"})
    walk = next(a for a in GAME.legal_actions(state) if getattr(a, "to", None) == 10)
    for crystals in (0, 6, 7, 60):
        before = with_crystals(state, crystals)
        after, events = GAME.apply(before, walk)
        prompts = GAME.prompts(before, walk, after, events)

        assert ["The next offering costs 7 crystals."] == [prompt.text for prompt in prompts]
        assert [(Place("obelisk:2"),)] == [prompt.about for prompt in prompts]
