"""What the players are asked to do with their hands after an accepted action."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.blue_moon_city.actions import Action, Offer
from companion.games.blue_moon_city.events import Completed, Exchanged, Offered, Rewarded, TurnPassed
from companion.games.blue_moon_city.reconcile.hypotheses import veil
from companion.games.blue_moon_city.state import CityState
from companion.prompts import Prompt, PromptKind
from tests.helpers.city import played_city
from tests.helpers.city_scene import GAME, done, end, pay, scene
from tests.helpers.city_session import unseen_cards


def prompts_of(state: CityState, action: Action) -> tuple[Prompt, ...]:
    """Return what is told after the action."""
    after, events = GAME.apply(state, action)
    return GAME.prompts(state, action, after, events)


def texts_of(state: CityState, action: Action, kind: PromptKind) -> list[str]:
    """Return the texts of one kind."""
    return [prompt.text for prompt in prompts_of(state, action) if prompt.kind is kind]


@pytest.mark.parametrize("edition", ["kosmos-2006", "cmon-2019"])
def test_an_offering_asks_for_its_price(edition: str) -> None:
    """Both rulebooks: the crystals of the box go back to the supply."""
    state = scene(edition=edition, crystals={"purple": 9})

    assert ["purple pays 7 crystals for the offering."] == texts_of(
        state, Offer(player="purple"), PromptKind.PAYMENT
    )


@pytest.mark.parametrize(("pillar", "price"), [("pillar-1", 8), ("pillar-2", 9)])
def test_a_pillars_offering_asks_for_its_extra_crystals(pillar: str, price: int) -> None:
    """Ruling 19: a Pillar 1 costs one crystal more, a Pillar 2 two."""
    state = scene(crystals={"purple": 30}, hands={"purple": "pillar-1 pillar-2"})
    once = done(state, Offer(player="purple"))
    asked = texts_of(once, Offer(player="purple", pillar=pillar), PromptKind.PAYMENT)

    assert [f"purple pays {price} crystals for the offering."] == asked


def test_an_unseen_pillar_leaves_both_prices_open() -> None:
    """Where nobody saw the card, both prices are told."""
    once = done(veil(scene(crystals={"purple": 30}, hands={"purple": "pillar-1"})), Offer(player="purple"))
    asked = texts_of(once, Offer(player="purple"), PromptKind.PAYMENT)

    assert ["purple pays 8 crystals for the offering with a Pillar 1, or 9 with a Pillar 2."] == asked


def test_the_winning_offering_is_paid_too() -> None:
    """The end comes first, but the last offering costs as much as the others."""
    taken = dict.fromkeys(range(2, 7), "purple")
    told = prompts_of(scene(obelisk=taken, crystals={"purple": 12}), Offer(player="purple"))

    assert [PromptKind.END, PromptKind.PAYMENT] == [prompt.kind for prompt in told]


def test_reward_cards_are_taken_up_when_the_turn_is_over() -> None:
    """Ruling 4: they wait face down until then; whoever has none there is asked for nothing."""
    completed = done(
        scene(at={"purple": "mill"}, boxes={"mill": ["white", None]}, hands={"purple": "terrah-3"}),
        pay(1, "terrah", "terrah-3"),
    )
    with_cards = replace(completed, aside=(("aqua-1",), ("aqua-2", "flit-1")))

    assert [] == texts_of(replace(completed, aside=((), ())), end(), PromptKind.HOUSEKEEPING)
    assert ["The turn is over: purple and white pick up their reward cards."] == texts_of(
        with_cards, end(), PromptKind.HOUSEKEEPING
    )
    assert ["The turn is over: white picks up the reward cards."] == texts_of(
        replace(completed, aside=((), ("flit-1",))), end(), PromptKind.HOUSEKEEPING
    )


def test_an_empty_deck_asks_for_a_new_one() -> None:
    """Ruling 5: the discards become the deck; in closed play this is said once, before it can happen."""
    asked = ["When the last card of the deck is drawn, shuffle the discards into a new deck."]
    state = veil(scene())
    assert state.hidden is not None
    low = replace(state, hidden=replace(state.hidden, deck_low=4, deck_high=4))
    after = done(low, end(None))

    assert [] == texts_of(state, end(None), PromptKind.HOUSEKEEPING)
    assert asked == texts_of(low, end(None), PromptKind.HOUSEKEEPING)
    assert [] == texts_of(after, end(None, player="white"), PromptKind.HOUSEKEEPING)


@pytest.mark.parametrize("is_open", [True, False])
@given(steps=st.integers(1, 300), players=st.integers(2, 4), seed=st.integers(0, 400))
def test_whatever_hands_must_do_is_asked_for(is_open: bool, steps: int, players: int, seed: int) -> None:
    """Paying, taking, exchanging, turning over, taking up: each has a prompt that names whoever does it."""
    played = played_city(steps, players=players, seed=seed)
    state, action = played[-2]
    assert action is not None
    if not is_open:
        state, action = veil(state), unseen_cards(action)
    after, events = GAME.apply(state, action)
    asked = GAME.prompts(state, action, after, events)
    concerned = {(prompt.kind, player) for prompt in asked for player in prompt.concerns}
    for event in events:
        match event:
            case Offered():
                wanted = {(PromptKind.PAYMENT, event.player)}
            case Rewarded(cards=0, crystals=0, scales=0):
                continue
            case Rewarded():
                wanted = {(PromptKind.REWARD, event.player)}
            case Exchanged():
                wanted = {(PromptKind.EXCHANGE, player) for player in event.players}
            case Completed():
                wanted = {(PromptKind.HOUSEKEEPING, player) for player in event.contributors}
            case TurnPassed():
                aside = state.hidden.aside_high if state.hidden else state.aside
                holders = zip(state.setup.players, aside, strict=True)
                wanted = {(PromptKind.HOUSEKEEPING, player) for player, cards in holders if cards}
            case _:
                continue

        assert wanted <= concerned, event
