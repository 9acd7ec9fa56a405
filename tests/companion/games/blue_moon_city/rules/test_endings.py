"""The three endings and their tie-breaks: rulings 19 to 21, open and closed."""

from dataclasses import replace

import pytest

from companion.errors import RuleViolation
from companion.games.blue_moon_city.actions import Offer
from companion.games.blue_moon_city.catalogue import COURTYARD
from companion.games.blue_moon_city.events import GameEnded
from companion.games.blue_moon_city.state import CityState, Outcome
from tests.helpers.city_scene import GAME, LAYOUT, closed, done, end, pay, refusal, scene, told

ALL = [tile for tile in LAYOUT.values() if tile != COURTYARD]
OFFER = Offer(player="purple")


@pytest.mark.parametrize(("players", "wanted"), [(2, 6), (3, 5), (4, 4)])
def test_a_winning_number_of_offerings_ends_the_game_at_once(players: int, wanted: int) -> None:
    """Six, five or four offerings win; one fewer does not."""
    first = 2 if players == 2 else 0
    made = dict.fromkeys(range(first, first + wanted - 1), "purple")
    state = scene(players, obelisk=made, crystals={"purple": 12})
    before = scene(players, obelisk=dict.fromkeys(range(first, first + wanted - 2), "purple"),
                   crystals={"purple": 12})  # fmt: skip

    after = done(state, OFFER)

    assert after.outcome == Outcome(winners=("purple",), reason="offerings", draw=False)
    assert GAME.result(after) == {"winners": ["purple"], "reason": "offerings", "draw": False}
    assert GameEnded(winners=("purple",), reason="offerings") in told(state, OFFER)
    assert GAME.turn_of(after) is None
    assert list(GAME.legal_actions(after)) == []
    assert refusal(after, end()) == "game.over"
    assert done(before, OFFER).outcome is None


def out_of_markers(**kind: object) -> CityState:
    """Purple has one marker, white none: 2 x 10 on the sketches and the obelisk."""
    boxes = {
        "royal_palace": ["purple", "purple", "purple", None],
        "fire_temple": ["purple", "purple", None],
        "earth_temple": ["purple", "purple", None],
        "water_temple": ["purple", "purple", None],
        "library": ["white", "white", None],
        "market_hall": ["white", "white", None],
        "flight_tower": ["white", "white", None],
        "city_residence": ["white", "white", None],
        "thermae": ["white", "white", None],
    }
    return scene(boxes=boxes, **kind)  # type: ignore[arg-type]


def test_nobody_with_a_marker_is_a_draw() -> None:
    """Ruling 20: the last marker is placed and nobody has one: over at once, without winners."""
    state = out_of_markers(at={"purple": "trading_house"}, hands={"purple": "pillar-2"})
    assert state.markers == (1, 0)

    after = done(state, pay(1, "pillar", "pillar-2"))

    assert GAME.result(after) == {"winners": [], "reason": "no_markers", "draw": True}


def test_markers_come_back_before_the_draw_is_tested() -> None:
    """Ruling 20: a completed building has given its markers back first."""
    state = out_of_markers(at={"purple": "thermae"}, hands={"purple": "aqua-2"})

    after = done(state, pay(2, "aqua", "aqua-2"))

    assert (after.outcome, after.markers) == (None, (1, 2))


def test_the_win_by_offerings_comes_before_the_draw() -> None:
    """Ruling 20: the last marker of all makes the winning offering: a win."""
    boxes = {"royal_palace": ["purple", "purple", "purple", None], "mill": ["purple", None, None]}
    boxes |= {"library": ["white", "white", None], "market_hall": ["white", "white", None]}
    boxes |= {"flight_tower": ["white", "white", None], "city_residence": ["white", "white", None]}
    state = scene(
        boxes={**boxes, "thermae": ["white", "white", None]},
        obelisk=dict.fromkeys(range(2, 7), "purple"),
        crystals={"purple": 12},
    )
    assert state.markers == (1, 0)

    assert done(state, OFFER).outcome == Outcome(winners=("purple",), reason="offerings", draw=False)


def stalemate(crystals: dict[str, int], obelisk: dict[int, str], players: int = 2) -> CityState:
    """Everything but the Mill is built; purple is about to pay its last box (two crystals' worth to come)."""
    return scene(
        players,
        at={"purple": "mill"},
        boxes={"mill": [None, "purple", "purple"]},
        built=[tile for tile in ALL if tile != "mill"],
        hands={"purple": "terrah-3"},
        crystals=crystals,
        obelisk=obelisk,
    )


# The Mill's neighbours: Earth Temple (two cards), City Residence (2 crystals), Monastery Tower (a scale);
# the Mill itself gives its only contributor one crystal and two cards: purple gets 3 crystals.
PAID = 3


def test_all_built_and_nobody_can_pay() -> None:
    """Ruling 21: most offerings win."""
    after = done(stalemate({"white": 6}, {2: "white"}), pay(0, "terrah", "terrah-3"))

    assert after.crystals == (PAID, 6)
    assert GAME.result(after) == {"winners": ["white"], "reason": "stalemate", "draw": False}


def test_somebody_who_can_pay_goes_on() -> None:
    """Ruling 21: the bare price and a marker are enough, whoever has them and whoever's turn it is."""
    after = done(stalemate({"white": 7}, {}), pay(0, "terrah", "terrah-3"))

    assert after.outcome is None


def test_who_has_no_marker_cannot_pay() -> None:
    """Ruling 21: crystals without a marker are none."""
    rich = stalemate({"white": 50}, {})
    state = replace(rich, markers=(rich.markers[0], 0))

    assert done(state, pay(0, "terrah", "terrah-3")).outcome == Outcome(
        winners=("white",), reason="stalemate", draw=False
    )


def test_ties_go_by_crystals_and_then_are_shared() -> None:
    """Ruling 21: equal offerings, more crystals; equal crystals, shared in seat order."""
    shared = done(stalemate({"white": PAID + 2, "purple": 2}, {}), pay(0, "terrah", "terrah-3"))
    decided = done(stalemate({"white": PAID + 1}, {}), pay(0, "terrah", "terrah-3"))

    assert GAME.result(shared) == {"winners": ["purple", "white"], "reason": "stalemate", "draw": False}
    assert GAME.result(decided) == {"winners": ["white"], "reason": "stalemate", "draw": False}


def test_a_stalemate_is_tested_after_each_action() -> None:
    """Ruling 21: the offering after which nobody can pay ends the game too."""
    state = scene(built=ALL, crystals={"purple": 8, "white": 6})

    after = done(state, OFFER)

    assert GAME.result(after) == {"winners": ["purple"], "reason": "stalemate", "draw": False}


# -- closed -----------------------------------------------------------------------------------------------


def doubtful(purple: int, white: int) -> CityState:
    """A closed game, all built: purple made an offering and pays for another one with an unseen Pillar."""
    state = closed(
        scene(built=ALL, hands={"purple": "pillar-1 hoax-1"}, crystals={"purple": purple, "white": white})
    )
    return done(state, OFFER, OFFER)


def test_an_unseen_pillar_leaves_bounds() -> None:
    """The second offering cost one or two crystals more."""
    state = doubtful(24, 9)

    assert (state.crystals_low[0], state.crystals[0]) == (24 - 7 - 9, 24 - 7 - 8)


def test_whether_the_game_is_over_may_be_unknown() -> None:
    """Purple has 7 or 8 crystals left and the next box costs 8: a record may end here or go on."""
    state = doubtful(7 + 8 + 8 - 7 + 7, 1)
    assert (state.crystals_low[0], state.crystals[0]) == (7, 8)

    # With two offerings on the sevens (boxes 2 and 3) the next box costs 8.
    assert GAME.result(state) is None
    assert GAME.admits(state, {"winners": ["purple"], "reason": "stalemate", "draw": False})
    assert not GAME.admits(state, {"winners": ["white"], "reason": "stalemate", "draw": False})
    assert not GAME.admits(state, {"winners": ["purple"], "reason": "offerings", "draw": False})
    assert not GAME.admits(state, {"winners": ["purple"], "reason": "stalemate", "draw": 0})
    assert done(state, end(None)).player == "white"


def undecided() -> CityState:
    """Three offerings each; nobody can pay, and purple has 2 or 3 crystals left, white 3."""
    state = closed(
        scene(
            built=ALL,
            hands={"purple": "pillar-1 hoax-1"},
            crystals={"purple": 9 + 8 + 3 + 2, "white": 3},
            obelisk={2: "white", 3: "white", 4: "white", 5: "purple"},
        )
    )
    return done(state, OFFER, OFFER)  # the boxes of 9: 9, then 9 and one or two


def test_who_wins_a_stalemate_may_be_unknown() -> None:
    """Three offerings each; purple has 2 or 3 crystals left, white 3: white wins or they share."""
    state = undecided()

    assert (state.crystals_low[0], state.crystals[0]) == (2, 3)
    assert GAME.result(state) == {"winners": [], "reason": "stalemate", "draw": False}
    for winners, possible in ((["white"], True), (["purple", "white"], True), (["purple"], False)):
        assert GAME.admits(state, {"winners": winners, "reason": "stalemate", "draw": False}) is possible
    assert refusal(state, end(None)) == "game.over"


def test_the_winner_is_named_where_every_bound_agrees() -> None:
    """More offerings win, however many crystals are left."""
    state = doubtful(7 + 8 + 2, 1)

    assert GAME.result(state) == {"winners": ["purple"], "reason": "stalemate", "draw": False}


def test_the_players_are_asked_who_won_a_stalemate() -> None:
    """Only those who may have won are named, and no crystals; what they say is the result."""
    state = undecided()
    asked = GAME.open_ending(state)
    assert asked is not None
    settled, events = GAME.settle(state, {"winners": ["white"], "reason": "stalemate", "draw": False})

    assert [choice.text for choice in asked.choices] == ["white wins", "purple and white win"]
    assert not any(choice.actions for choice in asked.choices)
    assert [choice.result for choice in asked.choices if choice.result] == [
        {"winners": ["white"], "reason": "stalemate", "draw": False},
        {"winners": ["purple", "white"], "reason": "stalemate", "draw": False},
    ]
    assert GAME.result(settled) == asked.choices[0].result
    assert events == (GameEnded(winners=("white",), reason="stalemate"),)
    assert GAME.open_ending(settled) is None
    with pytest.raises(RuleViolation):
        GAME.settle(state, {"winners": ["purple"], "reason": "stalemate", "draw": False})


def test_the_players_are_asked_whether_anybody_can_pay() -> None:
    """The price is on the table, and so it is named; the first answer is that the game goes on."""
    asked = GAME.open_ending(doubtful(7 + 8 + 8 - 7 + 7, 1))

    assert asked is not None
    assert "8 crystals" in asked.text
    assert [(choice.text, choice.result is None) for choice in asked.choices] == [
        ("Yes, the game continues", True),
        ("purple wins", False),
    ]


def test_nothing_is_asked_while_the_ending_is_sure() -> None:
    """Somebody can surely pay, or all is known."""
    assert GAME.open_ending(doubtful(60, 9)) is None
    assert GAME.open_ending(stalemate({"purple": 1, "white": 0}, {2: "purple"})) is None
    assert GAME.open_ending(closed(scene())) is None
