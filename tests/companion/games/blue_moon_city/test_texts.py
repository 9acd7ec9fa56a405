"""Blue Moon City in words."""

from __future__ import annotations

import pytest

from companion.games.blue_moon_city.texts import RULES, reading_text, text, tile_name
from companion.table import Place


def test_a_rule_names_its_parameters_for_people() -> None:
    """Tiles, cards, colours and numbers read as words; what is not known as an ellipsis."""
    assert "Flit 3 is not in the hand." == text("cards.not_in_hand", {"card": "flit-3"})
    assert "the Mill is in the city twice." == text("setup.tile_twice", {"tile": "mill"})
    assert "This box is paid in Aqua, not in Khind." == text(
        "contribute.wrong_colour", {"wanted": "aqua", "colour": "khind"}
    )
    assert "The offering costs 7 crystals, which is more than the player has." == text(
        "offer.too_few_crystals", {"price": 7}
    )
    assert (
        "The courtyard belongs in the middle; it lies here: row 1 from the far side, place 2 from the left."
        == text("setup.courtyard", {"cell": "0,2"})
    )
    assert "The offering costs …, which is more than the player has." == text("offer.too_few_crystals", {})


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_reads_without_parameters(rule: str) -> None:
    """A sentence without its parameters is still a sentence."""
    told = text(rule, {})

    assert "{" not in told
    assert told.endswith(".")


def test_names_of_tiles() -> None:
    """The courtyard is no building but has a name; an unknown tile keeps its own word."""
    assert ["the Courtyard", "the Fire Temple", "windmill"] == [
        tile_name(tile) for tile in ("courtyard", "fire_temple", "windmill")
    ]


@pytest.mark.parametrize(
    ("place", "value", "expected"),
    [
        ("cell:0,1", "fire_temple/sketch", "Fire Temple, sketch"),
        ("cell:2,2", "courtyard/built", "Courtyard, built"),
        ("figure:purple", "1,3", "purple"),
        ("dragon:fire", "0,2", "the fire dragon"),
        ("box:0,1:2", "white", "white"),
        ("discard", "aqua-2", "Aqua 2"),
        ("discard", None, "nothing"),
    ],
)
def test_what_was_recognised_is_named_for_people(place: str, value: str | None, expected: str) -> None:
    """Pieces are named, not their cells; tiles are named with their side."""
    assert expected == reading_text(Place(place), value)
