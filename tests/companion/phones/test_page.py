"""What a page shows: to each role what it may know, and nothing more."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from companion.games import registry
from companion.games.blue_moon_city import GAME
from companion.phones.admission import EVERYBODY, OVERLAY, SEAT, Role
from companion.phones.page import Shared, may_close, page_of
from companion.prompts import Prompt, PromptKind
from companion.view_model import CounterView, TableView
from tests.helpers.city_session import played_table

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


def test_a_page_is_json_of_the_whole_table() -> None:
    """Every tile, spot and piece is there."""
    view = table()
    page = json.loads(json.dumps(page_of(Shared(table=view, history=((1, "one"),)), ROLES[0])))

    assert [tile.name for tile in view.tiles] == [tile["name"] for tile in page["tiles"]]
    on_cells = [piece.name for piece in view.pieces if piece.cell is not None]
    assert sorted(on_cells) == sorted(piece["name"] for tile in page["tiles"] for piece in tile["pieces"])
    assert ["one"] == page["history"]
