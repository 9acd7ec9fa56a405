"""What a completed building and the golden scales pay: rulings 1 to 4 and 16 to 18, computed by hand."""

from dataclasses import replace

from companion.games.blue_moon_city.actions import Action
from companion.games.blue_moon_city.catalogue import COURTYARD
from companion.games.blue_moon_city.events import Completed, Exchanged, Rewarded
from companion.games.blue_moon_city.rules.rewards import majority
from companion.games.blue_moon_city.state import CityState, Options
from tests.helpers.city_scene import GAME, cell_of, done, end, pay, scene, told


def rewards(state: CityState, *actions: Action) -> list[tuple[str, str, str, int, int, int]]:
    """Return (player, reason, source, cards, crystals, scales) of each reward, in order."""
    return [
        (e.player, e.reason, e.source, e.cards, e.crystals, e.scales)
        for e in told(state, *actions)
        if isinstance(e, Rewarded)
    ]


def exchange(state: CityState, *actions: Action) -> Exchanged | None:
    return next((e for e in told(state, *actions) if isinstance(e, Exchanged)), None)


def test_rewards_come_in_the_order_of_ruling_1() -> None:
    """Majority; contributors clockwise from the active one; then neighbours north, west, east, south each."""
    # The Earth Temple's neighbours: courtyard (north), Thermae (west), Flight Tower (east), Mill (south).
    state = scene(
        3,
        active="white",
        at={"white": "earth_temple"},
        boxes={"earth_temple": ["purple", None, "teal"]},
        built=["thermae", "flight_tower", "mill", "fire_temple"],
        hands={"white": "terrah-3 khind-1"},
    )

    paid = rewards(state, pay(1, "terrah", "terrah-3 khind-1", player="white"))

    neighbours = [("thermae", 0, 1, 0), ("flight_tower", 0, 2, 0), ("mill", 0, 1, 0)]
    assert paid == [
        ("purple", "majority", "earth_temple", 0, 2, 0),
        ("white", "contributor", "earth_temple", 0, 2, 0),
        ("teal", "contributor", "earth_temple", 0, 2, 0),
        ("purple", "contributor", "earth_temple", 0, 2, 0),
        *(("white", "neighbour", *n) for n in neighbours),
        *(("teal", "neighbour", *n) for n in neighbours),
        *(("purple", "neighbour", *n) for n in neighbours),
    ]
    after = done(state, pay(1, "terrah", "terrah-3 khind-1", player="white"))
    assert after.crystals == (2 + 2 + 4, 2 + 4, 2 + 4)


def test_the_palace_pays_cards_crystals_and_scales() -> None:
    """All three kinds are paid; cards wait face down."""
    state = scene(
        at={"purple": "royal_palace"},
        boxes={"royal_palace": ["white", "purple", "white", None]},
        hands={"purple": "aqua-3"},
        deck="vulca-3 hoax-3 aqua-1 aqua-1 aqua-1 aqua-1",
    )

    after = done(state, pay(3, "aqua", "aqua-3"))

    # white and purple have two markers each; white's is leftmost
    assert after.crystals == (1, 2 + 1)
    assert after.scales == (1, 1)
    assert after.aside == (("vulca-3",), ("hoax-3",))
    assert GAME.defects(after) == ()


def test_the_majority_tie_goes_to_the_leftmost_of_the_tied() -> None:
    """Ruling 2: the leftmost marker of somebody with fewer markers does not count."""
    assert majority((0, 1, 1)) == 1
    assert majority((1, 0)) == 1
    assert majority((2, 0, 1, 0)) == 0
    assert majority((2, 1, 0, 1)) == 1
    assert majority((3, 1, 0, 0, 1)) == 1


def test_completing_one_alone_gives_everything() -> None:
    """The only contributor has the majority and is a contributor too."""
    state = scene(at={"purple": "aqueduct"}, hands={"purple": "aqua-3 aqua-2"})

    after = done(state, pay(0, "aqua", "aqua-3 aqua-2"))

    assert (after.crystals, after.scales, after.markers) == ((1, 0), (1, 0), (10, 10))
    assert cell_of("aqueduct") in after.built
    assert after.boxes[cell_of("aqueduct")] == ()


def test_a_neighbour_pays_each_player_once() -> None:
    """Ruling 3: three markers or one, the neighbour's reward is the same; the courtyard pays nothing."""
    state = scene(
        at={"purple": "fire_temple"},
        boxes={"fire_temple": ["purple", "purple", None]},
        built=["hospice"],
        hands={"purple": "vulca-3"},
    )

    paid = rewards(state, pay(2, "vulca", "vulca-3"))

    assert [p for p in paid if p[1] == "neighbour"] == [("purple", "neighbour", "hospice", 0, 1, 0)]
    assert all(source != COURTYARD for _, _, source, *_ in paid)


def test_only_built_orthogonal_neighbours_pay() -> None:
    """A sketch beside it and a built tile at its corner pay nothing."""
    state = scene(
        at={"purple": "hospice"}, built=["great_hall", "university"], hands={"purple": "terrah-3 terrah-2"}
    )

    assert not [p for p in rewards(state, pay(0, "terrah", "terrah-3 terrah-2")) if p[1] == "neighbour"]


def test_the_new_building_does_not_reward_itself() -> None:
    """Its own neighbourhood reward begins with the next building."""
    state = scene(at={"purple": "mill", "white": "mill"}, hands={"purple": "terrah-3"},
                  boxes={"mill": [None, "white", "white"]})  # fmt: skip

    assert {p[1] for p in rewards(state, pay(0, "terrah", "terrah-3"))} == {"majority", "contributor"}


def test_markers_go_back_to_their_owners() -> None:
    """All markers of a completed building return; the tile is built and takes no boxes."""
    state = scene(
        at={"purple": "mill"}, boxes={"mill": [None, "white", "white"]}, hands={"purple": "terrah-3"}
    )

    after = done(state, pay(0, "terrah", "terrah-3"))

    assert (state.markers, after.markers) == ((10, 8), (10, 10))
    completed = next(e for e in told(state, pay(0, "terrah", "terrah-3")) if isinstance(e, Completed))
    assert (completed.tile, completed.majority, completed.contributors) == (
        "mill",
        "white",
        ("purple", "white"),
    )


def test_reward_cards_wait_until_the_turn_is_over() -> None:
    """Ruling 4: set aside, whoever owns them; they join the hands after the active player's draw."""
    state = scene(
        at={"purple": "mill"},
        boxes={"mill": [None, "white", "white"]},
        built=["earth_temple"],  # two cards to each contributor
        hands={"purple": "terrah-3", "white": "hoax-1"},
        deck="flit-3 flit-3 aqua-1 aqua-1 vulca-1 vulca-1 pillar-1 pillar-1",
    )

    paid = done(state, pay(0, "terrah", "terrah-3"))
    over = done(paid, end())

    # majority (white): two cards; then white's and purple's neighbour cards, the active player first
    assert paid.aside == (("aqua-1", "aqua-1"), ("flit-3", "flit-3", "vulca-1", "vulca-1"))
    assert paid.hands == ((), ("hoax-1",))
    assert over.hands[0] == ("aqua-1", "aqua-1", "pillar-1", "pillar-1")
    assert over.hands[1] == ("flit-3", "flit-3", "hoax-1", "vulca-1", "vulca-1")
    assert over.aside == ((), ())


# -- golden scales (rulings 16 to 18) ---------------------------------------------------------------------


def test_dragons_scales_are_exchanged_before_the_building_is_scored() -> None:
    """Ruling 16: a contribution's dragons are one awarding action, the building's scales another."""
    # Nine scales: purple 4, white 4, one left; the fire dragon's is the last: 5 to 4.
    state = scene(
        at={"purple": "aqueduct"},
        dragons={"fire": "aqueduct"},
        scales={"purple": 4, "white": 4},
        hands={"purple": "aqua-3 aqua-2"},
    )

    after = done(state, pay(0, "aqua", "aqua-3 aqua-2"))

    # Purple alone leads (5): 6 crystals; white has 4: 3 crystals. Then the Aqueduct: 1 scale and 1 crystal.
    assert after.crystals == (6 + 1, 3)
    assert after.scales == (1, 0)
    assert after.supply == 8


def test_running_out_exactly_is_running_out() -> None:
    """Ruling 16: the last scale handed out exactly brings the exchange about."""
    state = scene(
        at={"purple": "mill"},
        dragons={"fire": "mill", "water": "mill"},
        scales={"purple": 1, "white": 6},
        hands={"purple": "terrah-2"},
    )

    happened = exchange(state, pay(1, "terrah", "terrah-2"))
    after = done(state, pay(1, "terrah", "terrah-2"))

    assert happened is not None
    assert (happened.counts, happened.crystals, happened.returned) == ((3, 6), (3, 6), (3, 6))
    assert (after.scales, after.supply, after.crystals) == ((0, 0), 9, (3, 6))


def test_all_scales_of_a_completion_are_one_action() -> None:
    """Ruling 16: the exchange waits for the whole building, neighbours included; owed scales count (17)."""
    # Supply 9: white 3, purple 4, two left. East of the Library the Water Temple pays two scales each.
    state = scene(
        at={"purple": "library"},
        boxes={"library": [None, "white", "white"]},
        built=["water_temple"],
        scales={"purple": 4, "white": 3},
        hands={"purple": "hoax-3 hoax-1"},
    )

    happened = exchange(state, pay(0, "hoax", "hoax-3 hoax-1"))
    after = done(state, pay(0, "hoax", "hoax-3 hoax-1"))

    # purple is active: gets the last two (6); white is owed two: 3 + 2 = 5 count, and gives back three.
    assert happened is not None
    assert (happened.counts, happened.crystals, happened.returned) == ((6, 5), (6, 3), (6, 3))
    assert (after.scales, after.supply) == ((0, 0), 9)
    # Library: majority (white) 2 crystals, contributors 2 each, and the exchange.
    assert after.crystals == (2 + 6, 2 + 2 + 3)


def owed() -> CityState:
    """Three scales left: purple gets two, white one of two, which is too few for crystals."""
    return scene(
        at={"purple": "library"},
        boxes={"library": [None, "white", "white"]},
        built=["water_temple"],
        scales={"purple": 6, "white": 0},
        hands={"purple": "hoax-3 hoax-1"},
    )


def test_owed_scales_count_and_are_lost() -> None:
    """Ruling 17: white counts 2 with the one he is owed, keeps the one that was there."""
    after = done(owed(), pay(0, "hoax", "hoax-3 hoax-1"))
    happened = exchange(owed(), pay(0, "hoax", "hoax-3 hoax-1"))

    assert happened is not None
    assert (happened.counts, happened.crystals) == ((8, 2), (6, 0))
    assert (after.scales, after.supply) == ((0, 1), 8)


def test_owed_scales_are_paid_where_players_agreed() -> None:
    """Ruling 17, option: the owed scale comes out of the returned ones."""
    state = scene(
        at={"purple": "library"},
        boxes={"library": [None, "white", "white"]},
        built=["water_temple"],
        scales={"purple": 6},
        hands={"purple": "hoax-3 hoax-1"},
        options=Options(owed_scales_paid=True),
    )

    after = done(state, pay(0, "hoax", "hoax-3 hoax-1"))

    assert (after.scales, after.supply) == ((0, 2), 7)


def test_several_leaders_get_three_each() -> None:
    """Ruling 18: tied leaders get 3 crystals, the others with three scales 3 too, and return theirs."""
    state = scene(
        4,
        at={"purple": "mill"},
        dragons={"fire": "mill"},
        scales={"purple": 3, "white": 4, "teal": 3, "black": 4},
        hands={"purple": "terrah-2"},
    )

    after = done(state, pay(1, "terrah", "terrah-2"))

    # 15 scales: purple 4, white 4, teal 3, black 4
    assert after.crystals == (3, 3, 3, 3)
    assert (after.scales, after.supply) == ((0, 0, 0, 0), 15)


def test_who_gets_nothing_keeps_his_scales() -> None:
    """Ruling 18: fewer than three and not leading: no crystals, and the scales stay."""
    state = scene(
        3,
        at={"purple": "mill"},
        dragons={"fire": "mill"},
        scales={"purple": 7, "white": 2, "teal": 2},
        hands={"purple": "terrah-2"},
    )

    after = done(state, pay(1, "terrah", "terrah-2"))

    assert after.crystals == (6, 0, 0)
    assert (after.scales, after.supply) == ((0, 2, 2), 8)


def test_a_leader_needs_no_three_scales() -> None:
    """Ruling 18: the single leader gets 6 crystals with two scales, tied leaders 3 each with one."""
    alone = scene(
        4,
        edition="cmon-2019",
        at={"purple": "mill"},
        dragons={"fire": "mill"},
        scales={"purple": 3, "white": 3, "teal": 2, "black": 3},
        hands={"purple": "terrah-2"},
    )

    # 12 scales in the 2019 edition: purple leads with 4, white and black have 3, teal 2.
    after = done(alone, pay(1, "terrah", "terrah-2"))

    assert after.crystals == (6, 3, 0, 3)
    assert (after.scales, after.supply) == ((0, 0, 2, 0), 10)
    assert few_leaders() == ((3, 3, 0, 0), (0, 0, 0, 0))


def few_leaders() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A supply of two scales only: purple and white end with one each."""
    state = scene(
        4, at={"purple": "mill"}, dragons={"fire": "mill"}, scales={"white": 1}, hands={"purple": "terrah-2"}
    )
    after = done(replace(state, supply=1), pay(1, "terrah", "terrah-2"))
    return after.crystals, after.scales


def test_without_scales_there_is_no_exchange() -> None:
    """A contribution that hands out no scale brings no exchange about."""
    state = scene(at={"purple": "mill"}, hands={"purple": "terrah-2"})

    assert exchange(state, pay(1, "terrah", "terrah-2")) is None
