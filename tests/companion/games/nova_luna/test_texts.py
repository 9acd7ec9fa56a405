"""Words for players of Nova Luna: numbers count from 1, everything goes by its name."""

from __future__ import annotations

import random

import pytest

from companion.errors import Param
from companion.games.nova_luna import GAME
from companion.games.nova_luna.actions import Take
from companion.games.nova_luna.texts import place_name, text, tile_name, value_name
from companion.i18n import Voice, catalogue, said
from companion.table import Place


@pytest.mark.parametrize(
    ("rule", "params", "expected"),
    [
        ("figure.moved", {"slot": 0}, "slot 1."),
        ("wheel.changed", {"slot": 11}, "slot 12 was"),
        ("track.moved", {"player": "red", "space": 0}, "red's belongs on space 1."),
        ("track.wrong_order", {"stack": "red>blue", "space": 4}, "bottom to top red, blue on space 5."),
        ("cover.not_fulfilled", {"player": "red", "task": 0, "cell": "-2,1"}, "task 1 of this tile"),
        ("place.occupied", {"cell": "-2,1"}, "2 up, 1 right from the first tile."),
        ("place.occupied", {"cell": "0,0"}, "the first tile's place."),
        ("take.not_on_wheel", {"tile": 1}, f"There is no {tile_name(1)} on the wheel."),
    ],
)
def test_rules_are_told_as_players_count(rule: str, params: dict[str, Param], expected: str) -> None:
    """Slots, spaces and tasks count from 1; tiles, cells and tokens are named."""
    assert expected in text(rule, params)


def test_players_in_a_rule_go_by_their_names() -> None:
    """Also those of a stack of tokens."""
    voice = Voice(catalogue("en"), {"red": "Ada", "blue": "Bo"})

    assert "bottom to top Ada, Bo on space 5." in said(
        text("track.wrong_order", {"stack": "red>blue", "space": 4}), voice
    )


@pytest.mark.parametrize(
    ("place", "value", "name", "seen"),
    [
        ("wheel:0", "1", "slot 1 of the wheel", tile_name(1)),
        ("meeple", "0", "the moon", "slot 1 of the wheel"),
        ("track:0", "red>blue", "space 1 of the moon track", "red, blue"),
        ("cover:red:0,-2:0", "token", "red's area, 2 left from the first tile, task 1", "a token"),
        ("area:red:1,0", None, "red's area, 1 down from the first tile", "nothing"),
        ("area:red", "0,0 0,1", "red's area", "the first tile's place; 1 right from the first tile"),
    ],
)
def test_places_count_from_one(place: str, value: str | None, name: str, seen: str) -> None:
    """Places and what lies there, as players say it."""
    assert name == place_name(Place(place))
    assert seen == value_name(Place(place), value)


def test_the_log_tells_where_a_tile_was_laid() -> None:
    """The first tile of an area, and others as they lie from it."""
    state = GAME.start(GAME.deal(random.Random(1), {"players": 2}))
    first, later = (Take(player="red", tile=1, at=at) for at in ((0, 0), (-1, 2)))

    assert GAME.describe_action(state, first) == f"red takes the {tile_name(1)}, the first of the area"
    assert GAME.describe_action(state, later).endswith("and lays it 1 up, 2 right from the first")
