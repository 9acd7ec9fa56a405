"""What a page shows: to each role what it may know, and nothing more."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import registry
from companion.games.blue_moon_city import GAME
from companion.i18n import catalogue, said
from companion.phones.admission import EVERYBODY, OVERLAY, SEAT, Answered, Named, Role, roles_of
from companion.phones.page import MOST_PROMPTS, Shared, hand_of, may_answer, may_close, may_name, page_of
from companion.prompts import Prompt, PromptKind
from companion.view_model import (
    CounterView,
    Option,
    SeatQuestion,
    SeatView,
    TableView,
    UnnamedAction,
    UnnamedCards,
)
from tests.helpers.city_session import played_table
from tests.helpers.hidden import REDEALT
from tests.helpers.random_play import played

MOST_ACTIONS = 60
PLAYERS = ("red", "blue")
ROLES = (Role(kind=EVERYBODY), Role(kind=OVERLAY), *(Role(kind=SEAT, player=one) for one in PLAYERS))


def table() -> TableView:
    """Return a table whose players are two, each with a secret of their own."""
    state = GAME.start(played_table(1, players=2).header)
    view = registry.components(GAME.name).presenter.present(state)
    players = tuple(
        replace(
            one,
            player=name,
            counters=(CounterView(name="x", label="Hoard", low=number, high=number, secret=True),),
        )
        for one, name, number in zip(view.players, PLAYERS, (70001, 70002), strict=True)
    )
    return replace(view, players=players)


@pytest.mark.parametrize("role", ROLES, ids=str)
def test_secrets_are_for_their_owner(role: Role) -> None:
    """A seat sees its own number; nobody else sees any."""
    page = json.dumps(page_of(Shared(table=table()), role))

    assert ("70001" in page) == (role.player == "red")
    assert ("70002" in page) == (role.player == "blue")


@pytest.mark.parametrize("role", ROLES, ids=str)
def test_only_a_seat_closes_only_its_own(role: Role) -> None:
    """What concerns all, or another, is closed at the window."""
    own = Prompt(id="a", kind=PromptKind.REWARD, text="for red", concerns=("red",))
    all_ = Prompt(id="b", kind=PromptKind.TURN, text="for all")

    assert may_close(own, role) == (role.player == "red")
    assert not may_close(all_, role)


def test_a_seat_is_not_told_what_concerns_others() -> None:
    """Everybody's page lists all prompts, a seat's its own and those for all, the overlay's none."""
    prompts = (
        Prompt(id="a", kind=PromptKind.REWARD, text="for red", concerns=("red",)),
        Prompt(id="b", kind=PromptKind.TURN, text="for all"),
    )
    pages = {str(role): page_of(Shared(table=table(), prompts=prompts), role) for role in ROLES}
    told = {name: [one["id"] for one in page.get("prompts", ())] for name, page in pages.items()}

    assert [["a", "b"], [], ["a", "b"], ["b"]] == list(told.values())


def test_a_page_is_plain_json() -> None:
    """Players, what happened, and no more of the table than its title: it is sent as pictures."""
    view = table()
    page = json.loads(json.dumps(page_of(Shared(table=view, history=((1, "one"),)), ROLES[0])))

    assert [one.player for one in view.players] == [one["player"] for one in page["players"]]
    assert ["one"] == page["history"]
    assert view.title == page["title"]


def shared_of(name: str, state: Any) -> Shared:
    """Return what is shared of an open game: the table, and each hand for its owner."""
    presenter = registry.display(name).presenter
    view = presenter.present(state)
    own = (SeatView(player=one.player, hand=presenter.hand(state, one.player)) for one in view.players)
    return Shared(table=view, own=tuple(own))


@pytest.mark.parametrize("name", registry.NAMES)
@settings(max_examples=15)
@given(data=st.data())
def test_what_a_role_cannot_know_changes_nothing_on_its_page(name: str, data: st.DataObject) -> None:
    """Hands of others and decks dealt anew: the page stays what it was, whoever looks."""
    states = played(name, data.draw(st.integers(0, 1), label="seed"), MOST_ACTIONS).states
    state = states[data.draw(st.integers(0, len(states) - 1), label="moment")]
    shared = shared_of(name, state)
    rng = random.Random(data.draw(st.integers(0, 99), label="deal"))
    for role in roles_of([one.player for one in shared.table.players]):
        other = shared_of(name, REDEALT[name](state, role.player, rng))

        assert json.dumps(page_of(shared, role)) == json.dumps(page_of(other, role))


@pytest.mark.parametrize("name", ["blue_moon_city", "blue_moon_legends"])
def test_a_seat_sees_its_own_hand_and_no_other_does(name: str) -> None:
    """Cards of an open game: all of a hand for its owner, none for anybody else."""
    state = played(name, 1, MOST_ACTIONS).states[5]
    shared = shared_of(name, state)
    players = [one.player for one in shared.table.players]
    for player, own in zip(players, shared.own, strict=True):
        for role in roles_of(players):
            seen = page_of(shared, role).get("hand", [])

            assert (role.player == player) == (hand_of(shared, role) == own.hand)
            assert len(hand_of(shared, role)) == len(seen)


def test_a_seat_names_only_what_it_is_asked_for() -> None:
    """An own action that is asked about, cards to choose from, neither too few nor too many."""
    cards = UnnamedCards(cards=(Option(value="a", text="A"), Option(value="b", text="B")), least=1, most=2)
    own = SeatView(player="red", unnamed=(UnnamedAction(number=4, text="red pays", cards=cards),))
    shared = Shared(table=table(), own=(own,))
    red, blue = ROLES[2:]

    assert may_name(shared, red, Named(action=4, cards=("a", "b")))
    assert not may_name(shared, blue, Named(action=4, cards=("a",)))
    assert not may_name(shared, ROLES[0], Named(action=4, cards=("a",)))
    for action, named in ((3, ("a",)), (4, ()), (4, ("a", "a", "b")), (4, ("c",))):
        assert not may_name(shared, red, Named(action=action, cards=named))
    assert [4] == [one["action"] for one in page_of(shared, red)["asked"]]
    assert [] == page_of(shared, blue)["asked"]


def test_a_seat_answers_only_what_is_about_its_own_actions() -> None:
    """The answers are on its page alone; it may give these, to this question, and no others."""
    asked = SeatQuestion(number=3, concerns=("red",), choices=("once", "twice"))
    shared = Shared(table=table(), notice="How often?", asked=asked)
    right = Answered(question=3, choice=1)
    told = [page_of(shared, role).get("answers") for role in ROLES]

    assert [role.player == "red" for role in ROLES] == [may_answer(shared, role, right) for role in ROLES]
    assert [None, None, {"question": 3, "choices": ["once", "twice"]}, None] == told
    for question, choice in ((3, 2), (2, 1), (4, 1), (3, -1)):
        assert not may_answer(shared, ROLES[2], Answered(question=question, choice=choice))
    assert not may_answer(Shared(table=table()), ROLES[2], right)


def test_of_many_prompts_the_most_important_are_shown() -> None:
    """The rest is a number."""
    prompts = tuple(Prompt(id=str(n), kind=PromptKind.REWARD, text=str(n)) for n in range(MOST_PROMPTS + 3))
    page = page_of(Shared(table=table(), prompts=prompts), ROLES[0])

    assert [one.id for one in prompts[:MOST_PROMPTS]] == [one["id"] for one in page["prompts"]]
    assert "3 more to do" == page["more"]


def test_players_are_called_in_the_language_of_the_page() -> None:
    """Names are said where the page is made, so nothing that holds them may be passed over."""
    told = said(page_of(Shared(table=table()), ROLES[0]), catalogue("es"))

    assert ["Rojo", "Azul"] == [one["name"] for one in told["players"]]
