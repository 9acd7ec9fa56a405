"""The set-up of both editions and of the variant, headers, dealing, and a player's own copy."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import MalformedError
from companion.games.blue_moon_city.catalogue import CELLS, INDEX, NEIGHBOURS, printed
from companion.games.blue_moon_city.game import BlueMoonCity
from tests.helpers.city_scene import GAME, done, header, pay, refusal, scene

START = {"2,3": "royal_palace", "1,2": "fire_temple", "3,2": "earth_temple", "2,1": "water_temple"}


def refused(changed: dict[str, Any]) -> str:
    with pytest.raises(MalformedError) as caught:
        GAME.start(changed)
    return str(caught.value)


def swapped(one: str, other: str, **kind: Any) -> dict[str, Any]:
    """Return a header in which the tiles of two cells are exchanged."""
    changed = header(**kind)
    layout: Any = changed["layout"]
    layout[one], layout[other] = layout[other], layout[one]
    return changed


@pytest.mark.parametrize(
    ("edition", "players", "scales"),
    [
        ("kosmos-2006", 2, 9),
        ("kosmos-2006", 3, 12),
        ("kosmos-2006", 4, 15),
        ("cmon-2019", 2, 7),
        ("cmon-2019", 3, 10),
        ("cmon-2019", 4, 12),
    ],
)
def test_the_first_state(edition: str, players: int, scales: int) -> None:
    """Figures in the courtyard, ten markers, eight cards each, dragons outside, the edition's scales."""
    state = GAME.start(header(players, edition=edition))

    assert state.supply == scales
    assert state.figures == (INDEX["2,2"],) * players
    assert state.markers == (10,) * players
    assert [len(hand) for hand in state.hands] == [8] * players
    assert len(state.deck) == 80 - 8 * players
    assert state.dragons == (-1, -1, -1)
    assert state.built == {INDEX["2,2"]}
    assert (state.crystals, state.scales) == ((0,) * players, (0,) * players)
    assert (state.player, state.steps, GAME.defects(state)) == ("purple", 2, ())


def test_the_catalogue_is_that_of_the_printed_game() -> None:
    """Twenty buildings, eighty cards, the obelisk from 7 to 12, every printed fact with its confidence."""
    catalogue = printed()

    assert len(catalogue.buildings) == 20
    assert sum(catalogue.cards.values()) == 80
    assert catalogue.obelisk == (7, 7, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12)
    assert catalogue.offerings == {2: 6, 3: 5, 4: 4}
    assert sum(len(b.values) for b in catalogue.buildings.values()) == 51
    for building in catalogue.buildings.values():
        boxes = {f"boxes.{i}" for i in range(len(building.values))}
        assert set(building.marks) == boxes | {"majority", "contributor", "neighbour"}


def test_the_2006_start_tiles_are_fixed() -> None:
    """Palace and temples on their cells; elsewhere any order."""
    assert "belongs here" in refused(swapped("2,3", "1,2"))
    assert "belongs here" in refused(swapped("2,3", "0,1"))
    assert GAME.start(swapped("0,1", "0,2")).setup.layout[0] == "hospice"


def test_the_2019_start_tiles_lie_around_the_courtyard() -> None:
    """Ruling 22: the same four, in any order around the courtyard."""
    around = swapped("2,3", "1,2", edition="cmon-2019")

    assert GAME.start(around).setup.layout[INDEX["1,2"]] == "royal_palace"
    assert "next to the courtyard" in refused(swapped("2,3", "0,1", edition="cmon-2019"))


@pytest.mark.parametrize("edition", ["kosmos-2006", "cmon-2019"])
def test_the_variant_lays_all_buildings_anyhow(edition: str) -> None:
    """Only the courtyard stays in the middle."""
    anyhow = {**swapped("2,3", "0,1", edition=edition), "setup": "variant"}
    moved = {**swapped("2,2", "0,1", edition=edition), "setup": "variant"}

    assert GAME.start(anyhow).setup.variant
    assert "in the middle" in refused(moved)


@pytest.mark.parametrize(
    "change",
    [
        {"edition": "kosmos-2007"},
        {"setup": "random"},
        {"game": "nova_luna"},
        {"players": ["purple"]},
        {"players": ["a", "b", "c", "d", "e"]},
        {"players": ["purple", "purple"]},
        {"players": ["purple", ""]},
        {"players": ["purple", 3]},
        {"layout": {"0,1": "mill"}},
        {"layout": None},
        {"hands": None},
        {"deck": None},
        {"deck": []},
        {"hands": {"purple": ["aqua-1"] * 8, "white": ["aqua-2"] * 8}},
        {"extra": 1},
    ],
)
def test_odd_headers_are_refused(change: dict[str, Any]) -> None:
    """Unknown words, missing cells, cards that do not exist or are missing, hands without a deck."""
    assert refused({**header(), **change})


@pytest.mark.parametrize("key", ["edition", "setup", "players", "layout", "hands", "deck"])
def test_every_key_of_the_header_is_needed(key: str) -> None:
    """A header without one of its keys is refused."""
    assert key in refused({k: v for k, v in header().items() if k != key})


def test_a_tile_lies_in_the_city_once() -> None:
    """Two Mills are one too many."""
    twice = header()
    layout: Any = twice["layout"]
    layout["0,1"] = "mill"

    assert "twice" in refused(twice)


def test_a_closed_header_knows_no_card() -> None:
    """Hands and deck both null: a closed game with bounds that are exact at the start."""
    state = GAME.start({**header(3), "hands": None, "deck": None})

    assert state.hidden is not None
    assert (state.hidden.hand_low, state.hidden.hand_high) == ((8, 8, 8), (8, 8, 8))
    assert (state.hidden.deck_low, state.hidden.deck_high) == (56, 56)


@given(
    st.integers(0, 10_000),
    st.sampled_from([2, 3, 4]),
    st.sampled_from(["kosmos-2006", "cmon-2019"]),
    st.sampled_from(["standard", "variant"]),
)
def test_every_deal_is_a_sound_start(seed: int, players: int, edition: str, setup: str) -> None:
    """What is dealt for any options is accepted, the same again for the same seed."""
    options = {"players": players, "edition": edition, "setup": setup}

    dealt = GAME.deal(random.Random(seed), options)

    assert GAME.defects(GAME.start(dealt)) == ()
    assert dealt == GAME.deal(random.Random(seed), options)
    assert json.loads(json.dumps(dealt)) == dealt


@pytest.mark.parametrize(
    "options", [{"players": 1}, {"players": 5}, {"edition": "x"}, {"setup": "x"}, {"books": 1}]
)
def test_unknown_options_are_refused(options: dict[str, Any]) -> None:
    """A deal for one or five players or with foreign words is refused."""
    with pytest.raises(MalformedError):
        GAME.deal(random.Random(1), options)


def test_the_city_has_21_cells_and_symmetric_neighbours() -> None:
    """A square of five without its corners; neighbours are listed north, west, east, south."""
    assert len(CELLS) == 21
    assert [CELLS[i] for i in NEIGHBOURS[INDEX["2,2"]]] == ["1,2", "2,1", "2,3", "3,2"]
    assert [CELLS[i] for i in NEIGHBOURS[INDEX["0,1"]]] == ["0,2", "1,1"]
    assert all(a in NEIGHBOURS[b] for a in range(21) for b in NEIGHBOURS[a])


# -- a player's own copy ----------------------------------------------------------------------------------


def test_a_corrected_copy_is_played_as_it_is_printed() -> None:
    """Another number, colour and reward on the player's own tile: the rules follow, nothing else changes."""
    own = printed().corrected({"mill": {"boxes": [3, 3], "colour": "aqua", "majority": {"crystals": 4}}})
    state = scene(
        at={"purple": "mill"},
        boxes={"mill": [None, "white"]},
        hands={"purple": "aqua-2 khind-1"},
        catalogue=own,
    )

    after = done(state, pay(0, "aqua", "aqua-2 khind-1"))

    # majority: two cards as printed and 4 crystals; contributors 1 crystal each
    assert after.crystals == (4 + 1, 1)
    assert refusal(state, pay(0, "terrah", "aqua-2 khind-1")) == "contribute.wrong_colour"
    assert own.buildings["mill"].marks["boxes"] == "own_copy"
    assert printed().buildings["mill"].values == (3, 2, 2)
    assert own.buildings["thermae"] == printed().buildings["thermae"]


def test_corrected_values_reach_the_record() -> None:
    """A game of the corrected copy deals, plays and predicts with the corrected number of boxes."""
    own = BlueMoonCity(printed().corrected({"aqueduct": {"boxes": [5, 5, 5, 5]}}))
    state = own.start(header())

    assert state.boxes[INDEX["0,1"]] == (-1, -1, -1, -1)
    assert own.boxes_of_tile["aqueduct"] == 4


@pytest.mark.parametrize(
    "corrections",
    [
        {"bakery": {"boxes": [1]}},
        {"mill": {"boxes": []}},
        {"mill": {"boxes": [1, 2, 3, 4, 5]}},
        {"mill": {"boxes": [0]}},
        {"mill": {"boxes": [True]}},
        {"mill": {"colour": "pink"}},
        {"mill": {"majority": {"crystals": -1}}},
        {"mill": {"majority": {"gold": 1}}},
        {"mill": {"roof": "red"}},
    ],
)
def test_impossible_corrections_are_refused(corrections: dict[str, Any]) -> None:
    """Unknown tiles, numbers, colours and rewards."""
    with pytest.raises(MalformedError):
        printed().corrected(corrections)
