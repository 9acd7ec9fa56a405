"""Movement, contributions, offerings and the reset: what is allowed, and which rule refuses the rest."""

import pytest

from companion.games.blue_moon_city.actions import Action, Move, Offer
from companion.games.blue_moon_city.events import Offered, Rewarded, TurnPassed
from companion.games.blue_moon_city.state import CityState, Options
from tests.helpers.city_scene import (
    GAME,
    cell_of,
    done,
    end,
    fly,
    lead,
    pay,
    refusal,
    scene,
    summon,
    told,
    walk,
)


def offer(pillar: str | None = None, player: str = "purple") -> Offer:
    return Offer(player=player, pillar=pillar)


# -- movement (rulings 7 to 10) -----------------------------------------------------------------------


def test_steps_are_kept_until_the_phase_ends() -> None:
    """Ruling 7: two steps, taken in several moves, before and after a flight and between dragon moves."""
    state = scene(hands={"purple": "flit-1 aqua-1"})

    after = done(state, walk("fire_temple"), fly("mill"), summon("water", "mill", card="aqua-1"))

    assert after.steps == 1
    assert refusal(after, walk("earth_temple", "thermae")) == "move.too_far"
    assert done(after, walk("earth_temple")).steps == 0


def test_a_flit_of_value_2_adds_two_steps_each() -> None:
    """Each Flit 2 adds two steps; what is left of them stays; three cannot be spent on what one needs."""
    state = scene(hands={"purple": "flit-2 flit-2"})

    one = done(state, walk("fire_temple", "university", "market_hall", cards="flit-2"))
    two = done(one, walk("trading_house", "iron_foundry", cards="flit-2"))

    assert (one.steps, two.steps) == (1, 1)
    assert ("flit-2", "flit-2") == two.discard
    assert refusal(two, walk("trading_house", cards="flit-2")) == "cards.not_in_hand"


def test_a_flit_needs_a_step() -> None:
    """Ruling 8: no Flit 2 without a step."""
    state = scene(hands={"purple": "flit-2"})

    assert refusal(state, Move(player="purple", to=cell_of("courtyard"), path=(), cards=("flit-2",))) == (
        "move.no_step"
    )


def test_the_movement_phase_ends_with_the_first_contribution() -> None:
    """Ruling 7: after a contribution nothing moves, by whatever card."""
    state = scene(at={"purple": "mill"}, hands={"purple": "terrah-2 flit-1 flit-2 aqua-1"})

    after = done(state, pay(1, "terrah", "terrah-2"))

    for action in (
        walk("earth_temple"),
        walk("earth_temple", cards="flit-2"),
        fly("aqueduct"),
        summon("water", "mill", card="aqua-1"),
    ):
        assert refusal(after, action) == "phase.movement_is_over"


def test_the_movement_phase_ends_with_an_offering() -> None:
    """Ruling 7: after an offering nothing moves."""
    state = scene(crystals={"purple": 7}, hands={"purple": "flit-1"})

    assert refusal(done(state, offer()), fly("mill")) == "phase.movement_is_over"


def test_steps_do_not_outlive_the_turn() -> None:
    """The next turn starts with two steps, however many were left."""
    state = scene(hands={"purple": "flit-2"}, deck="aqua-1 aqua-1 aqua-1 aqua-1")

    after = done(state, walk("fire_temple", cards="flit-2"), end(), end(player="white"))

    assert (after.player, after.steps, after.moving) == ("purple", 2, True)


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        (walk("great_hall"), "move.step_not_orthogonal"),
        (walk("fire_temple", "aqueduct"), "move.step_not_orthogonal"),
        (walk("fire_temple", "hospice", "aqueduct"), "move.too_far"),
        (walk("fire_temple", "hospice", "aqueduct", cards="flit-1"), "move.wrong_card"),
        (walk("fire_temple", player="white"), "turn.not_yours"),
        (walk("fire_temple", player="teal"), "turn.no_such_player"),
        (fly("courtyard"), "fly.same_cell"),
        (fly("mill", card="flit-2"), "fly.wrong_card"),
        (fly("mill", card=None), "cards.must_be_named"),
        (summon("water", "mill", card="aqua-2"), "dragon.not_in_city"),
        (summon("water", "mill", card="aqua-3"), "dragon.wrong_card"),
        (summon("water", "mill", card="vulca-1"), "dragon.wrong_card"),
        (lead("water", "mill", card="aqua-1"), "dragon.value_1_has_no_path"),
        (lead("water", "mill", card="aqua-2"), "dragon.not_in_city"),
    ],
)
def test_movement_is_refused_by_its_rule(action: Action, rule: str) -> None:
    """Each forbidden move names the rule that forbids it and changes nothing."""
    state = scene(hands={"purple": "flit-1 flit-2 aqua-1 aqua-2 aqua-3 vulca-1"})

    assert refusal(state, action) == rule


def test_a_dragon_leaps_anywhere_by_value_1() -> None:
    """A value 1 card brings its dragon from outside or from any cell to any other, the courtyard too."""
    state = scene(hands={"purple": "aqua-1 aqua-1"})

    after = done(state, summon("water", "mill", card="aqua-1"), summon("water", "courtyard", card="aqua-1"))

    assert after.dragons == (-1, -1, cell_of("courtyard"))
    assert refusal(after, summon("water", "courtyard", card="aqua-1")) == "dragon.same_cell"


def test_a_dragon_walks_one_to_three_steps_by_value_2() -> None:
    """Ruling 9: one to three orthogonal steps, over anything; a fourth or a diagonal one is refused."""
    state = scene(dragons={"fire": "aqueduct"}, hands={"purple": "vulca-2"})

    after = done(state, lead("fire", "hospice", "fire_temple", "courtyard", card="vulca-2"))

    assert after.dragons[0] == cell_of("courtyard")
    too_far = lead("fire", "hospice", "fire_temple", "courtyard", "royal_palace", card="vulca-2")
    assert refusal(state, too_far) == "dragon.too_far"
    assert refusal(state, lead("fire", "fire_temple", card="vulca-2")) == "dragon.step_not_orthogonal"
    assert refusal(state, summon("fire", "hospice", card="vulca-2")) == "dragon.value_2_needs_path"


def test_dragons_may_step_diagonally_where_players_agreed() -> None:
    """Ruling 9, option: with diagonal dragons the same step is legal, a jump is not."""
    state = scene(
        dragons={"fire": "aqueduct"}, hands={"purple": "vulca-2"}, options=Options(diagonal_dragons=True)
    )

    assert done(state, lead("fire", "fire_temple", card="vulca-2")).dragons[0] == cell_of("fire_temple")
    assert refusal(state, lead("fire", "citadel", card="vulca-2")) == "dragon.step_not_orthogonal"


def test_cells_are_shared_without_limit() -> None:
    """Ruling 10: all figures and dragons may stand on one cell."""
    state = scene(
        3,
        at={"white": "fire_temple", "teal": "fire_temple"},
        dragons={"earth": "fire_temple", "water": "fire_temple"},
        hands={"purple": "vulca-1"},
    )

    after = done(state, walk("fire_temple"), summon("fire", "fire_temple", card="vulca-1"))

    assert set(after.figures) | set(after.dragons) == {cell_of("fire_temple")}


# -- contributions (rulings 11 to 15) -------------------------------------------------------------------


HAND = "terrah-1 terrah-2 terrah-3 khind-1 khind-1 mimix-1 mimix-2 mimix-3 hoax-1 hoax-2 hoax-3"
HAND += " aqua-3 aqua-1 flit-2"


def at_temple() -> CityState:
    """Purple on the Earth Temple: red boxes 5, 4 and 3."""
    return scene(at={"purple": "earth_temple"}, hands={"purple": HAND})


@pytest.mark.parametrize(
    "action",
    [
        pay(2, "terrah", "terrah-3"),
        pay(2, "terrah", "terrah-3 terrah-2"),
        pay(2, "terrah", "terrah-1 terrah-2 terrah-3 khind-1"),
        pay(2, "terrah", "terrah-1 khind-1 khind-1"),
        pay(2, "terrah", "", pairs=[("mimix-1", "mimix-2")]),
        pay(0, "terrah", "khind-1 khind-1", pairs=[("mimix-1", "mimix-2")]),
        pay(2, "terrah", "aqua-3", turn=[("hoax-2", "aqua-3")]),
        pay(1, "terrah", "aqua-3 aqua-1", turn=[("hoax-1", "aqua-3 aqua-1")]),
        pay(0, "terrah", "aqua-3 flit-2", turn=[("hoax-1", "aqua-3"), ("hoax-2", "flit-2")]),
        pay(2, "terrah", "mimix-3", turn=[("hoax-1", "mimix-3")]),
        pay(0, "terrah", "hoax-3 hoax-2", turn=[("hoax-1", "hoax-3 hoax-2")]),
        pay(2, "terrah", "terrah-2 khind-1", turn=[("hoax-1", "khind-1")]),
    ],
)
def test_what_pays_a_contribution(action: Action) -> None:
    """Rulings 11 to 13: overpaying, Khind, Mimix pairs, Hoax 1 and 2 alone and together."""
    state = at_temple()

    after = done(state, action)

    assert after.boxes[cell_of("earth_temple")][getattr(action, "box", -1)] == 0
    assert after.markers == (9, 10)
    assert GAME.defects(after) == ()


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        (pay(2, "terrah", "terrah-2"), "contribute.too_little"),
        (pay(0, "terrah", "terrah-3 khind-1"), "contribute.too_little"),
        (pay(1, "terrah", "", pairs=[("mimix-1", "mimix-2")]), "contribute.too_little"),
        (pay(2, "terrah", ""), "contribute.too_little"),
        (pay(2, "terrah", "aqua-3"), "contribute.wrong_card"),
        (pay(2, "terrah", "mimix-3"), "contribute.wrong_card"),
        (pay(2, "terrah", "terrah-3 flit-2"), "contribute.wrong_card"),
        (pay(2, "aqua", "aqua-3"), "contribute.wrong_colour"),
        (pay(2, "terrah", "", pairs=[("mimix-1", "mimix-3")]), "contribute.no_pair"),
        (pay(2, "terrah", "", pairs=[("mimix-1", "khind-1")]), "contribute.no_pair"),
        (pay(3, "terrah", "terrah-3"), "contribute.no_such_box"),
        (pay(-1, "terrah", "terrah-3"), "contribute.no_such_box"),
        (pay(2, "terrah", "terrah-3 terrah-3"), "cards.not_in_hand"),
        (pay(2, "terrah", None), "cards.must_be_named"),
        (pay(2, "terrah", "aqua-3", turn=[("hoax-3", "aqua-3")]), "recolour.wrong_card"),
        (pay(2, "terrah", "aqua-3", turn=[("khind-1", "aqua-3")]), "recolour.wrong_card"),
        (pay(1, "terrah", "aqua-3 aqua-1", turn=[("hoax-2", "aqua-3 aqua-1")]), "recolour.wrong_number"),
        (pay(2, "terrah", "terrah-3", turn=[("hoax-1", "")]), "recolour.wrong_number"),
        (pay(0, "terrah", "aqua-3 flit-2", turn=[("hoax-1", "aqua-3 flit-2")]), "recolour.two_colours"),
        (pay(2, "terrah", "terrah-3", turn=[("hoax-1", "terrah-3")]), "recolour.same_colour"),
        (pay(2, "terrah", "terrah-3", turn=[("hoax-1", "aqua-3")]), "recolour.not_played"),
        (pay(1, "terrah", "aqua-3 aqua-1", turn=[("hoax-2", "aqua-3")]), "contribute.wrong_card"),
        (pay(2, "terrah", "terrah-3", player="white"), "turn.not_yours"),
    ],
)
def test_what_does_not_pay_a_contribution(action: Action, rule: str) -> None:
    """Each payment that falls short names its rule and changes nothing."""
    assert refusal(at_temple(), action) == rule


def test_a_turned_mimix_makes_no_pair() -> None:
    """Ruling 13: a card is a value or half a pair, never both."""
    state = scene(at={"purple": "earth_temple"}, hands={"purple": "hoax-1 mimix-1 mimix-2"})
    action = pay(0, "terrah", "mimix-2", pairs=[("mimix-1", "mimix-2")], turn=[("hoax-1", "mimix-2")])

    assert refusal(state, action) == "cards.not_in_hand"


def test_a_power_is_never_turned() -> None:
    """Ruling 13: the Hoax spent as a power is not among the cards that count."""
    state = scene(at={"purple": "mill"}, hands={"purple": "hoax-2"})

    assert refusal(state, pay(1, "terrah", "hoax-2", turn=[("hoax-2", "hoax-2")])) == "cards.not_in_hand"


def test_pairs_count_in_a_brown_box_too() -> None:
    """Ruling 12: any two Mimix of value 1 or 2 are worth 3, in their own colour as well."""
    state = scene(at={"purple": "city_residence"}, hands={"purple": "mimix-1 mimix-1 mimix-2"})

    assert done(state, pay(1, "mimix", "", pairs=[("mimix-1", "mimix-1")])).markers == (9, 10)
    assert refusal(state, pay(1, "mimix", "mimix-1 mimix-1")) == "contribute.too_little"
    assert done(state, pay(0, "mimix", "mimix-2", pairs=[("mimix-1", "mimix-1")])).markers == (9, 10)


def test_the_palace_takes_any_one_colour() -> None:
    """Ruling 14: each box in any one colour; with wild cards alone any colour may be named."""
    state = scene(
        at={"purple": "royal_palace"},
        hands={"purple": "aqua-3 aqua-2 vulca-3 vulca-1 khind-1 khind-1 khind-1"},
    )

    after = done(state, pay(0, "aqua", "aqua-3 aqua-2"), pay(1, "vulca", "vulca-3 vulca-1"))

    assert after.boxes[cell_of("royal_palace")] == (0, 0, -1, -1)
    assert done(after, pay(3, "pillar", "khind-1 khind-1 khind-1")).markers == (7, 10)
    assert refusal(state, pay(1, "aqua", "aqua-3 vulca-1")) == "contribute.wrong_card"


def test_where_nothing_can_be_contributed() -> None:
    """The courtyard, a built tile, a paid box, and a player without markers."""
    hands = {"purple": "terrah-3 terrah-2"}

    assert refusal(scene(hands=hands), pay(0, "terrah", "terrah-3")) == "contribute.courtyard"
    built = scene(hands=hands, at={"purple": "mill"}, built=["mill"])
    assert refusal(built, pay(0, "terrah", "terrah-3")) == "contribute.already_built"
    taken = scene(hands=hands, at={"purple": "mill"}, boxes={"mill": ["white", None, None]})
    assert refusal(taken, pay(0, "terrah", "terrah-3")) == "contribute.box_taken"
    spent = scene(hands=hands, at={"purple": "mill"}, obelisk=dict.fromkeys(range(2, 12), "purple"))
    assert refusal(spent, pay(0, "terrah", "terrah-3")) == "contribute.no_marker"


def test_each_contribution_is_paid_by_itself() -> None:
    """Several contributions a turn; what was paid too much is lost."""
    state = scene(at={"purple": "mill"}, hands={"purple": "terrah-3 terrah-3 terrah-1"})

    after = done(state, pay(1, "terrah", "terrah-3"))

    assert refusal(after, pay(2, "terrah", "terrah-1")) == "contribute.too_little"
    assert done(after, pay(2, "terrah", "terrah-3")).hands[0] == ("terrah-1",)


@pytest.mark.parametrize("edition", ["kosmos-2006", "cmon-2019"])
def test_dragons_pay_once_a_turn(edition: str) -> None:
    """Ruling 15: a scale for each dragon on the tile at the turn's first contribution only, both editions."""
    state = scene(
        edition=edition,
        at={"purple": "mill", "white": "mill"},
        dragons={"fire": "mill", "earth": "mill", "water": "thermae"},
        hands={"purple": "terrah-2 terrah-2", "white": "terrah-3"},
        deck="aqua-1 aqua-1",
    )

    once = done(state, pay(1, "terrah", "terrah-2"))
    twice = done(once, pay(2, "terrah", "terrah-2"))
    other = done(once, end(), pay(0, "terrah", "terrah-3", player="white"))

    assert (once.scales, twice.scales, other.scales) == ((2, 0), (2, 0), (2, 2))
    assert once.supply == state.supply - 2


def test_no_scale_for_a_later_contribution() -> None:
    """Ruling 15: only the first contribution of a turn is rewarded, and the next turn's first again."""
    state = scene(
        at={"purple": "mill"},
        dragons={"fire": "mill"},
        hands={"purple": "terrah-2 terrah-3"},
        deck="aqua-1 " * 4,
    )

    after = done(
        state, pay(1, "terrah", "terrah-2"), end(), end(player="white"), pay(2, "terrah", "terrah-3")
    )

    assert after.scales == (2, 0)


def test_dragons_pay_nothing_in_the_courtyard() -> None:
    """Ruling 15: no scales for an offering beside dragons."""
    state = scene(dragons={"fire": "courtyard"}, crystals={"purple": 7})

    events = told(state, offer())

    assert done(state, offer()).scales == (0, 0)
    assert not any(isinstance(event, Rewarded) for event in events)


# -- offerings (rulings 19 and 23) ----------------------------------------------------------------------


def test_an_offering_takes_the_next_box_from_below() -> None:
    """The price of the next free box is paid and a marker put there; with two players boxes 0 and 1 rest."""
    state = scene(crystals={"purple": 8})

    after = done(state, offer())

    assert (after.obelisk.index(0), after.crystals, after.markers) == (2, (1, 0), (9, 10))
    assert Offered(player="purple", box=2, price=7, most=7, count=1) in told(state, offer())


@pytest.mark.parametrize(("players", "first"), [(2, 2), (3, 0), (4, 0)])
def test_the_shaded_boxes_serve_three_and_four(players: int, first: int) -> None:
    """The two outer sevens are used by three and four players only."""
    assert done(scene(players, crystals={"purple": 7}), offer()).obelisk.index(0) == first


@pytest.mark.parametrize(
    ("taken", "price"), [(2, 7), (3, 7), (4, 8), (5, 8), (6, 9), (8, 10), (10, 11), (12, 12)]
)
def test_prices_rise_from_7_to_12(taken: int, price: int) -> None:
    """The obelisk asks for 7, 7, 8, 8, 9, 9, 10, 10, 11, 11 and 12 crystals with two players."""
    obelisk = {box: ("purple", "white")[box % 2] for box in range(2, taken)}
    state = scene(obelisk=obelisk, crystals={"purple": price})

    assert done(state, offer()).crystals == (0, 0)
    poor = scene(obelisk=obelisk, crystals={"purple": price - 1, "white": 99})
    assert refusal(poor, offer()) == "offer.too_few_crystals"


def test_one_offering_a_turn() -> None:
    """Ruling 19: the second offering needs a Pillar, which costs one or two crystals more."""
    state = scene(crystals={"purple": 30}, hands={"purple": "pillar-1 pillar-2 pillar-3"}, deck="aqua-1 " * 4)

    once = done(state, offer())
    thrice = done(once, offer("pillar-1"), offer("pillar-2"))

    assert refusal(once, offer()) == "offer.once_a_turn"
    assert thrice.crystals == (30 - 7 - (7 + 1) - (8 + 2), 0)
    assert thrice.discard == ("pillar-1", "pillar-2")
    assert done(once, end(), end(player="white"), offer()).obelisk.count(0) == 2


@pytest.mark.parametrize(
    ("pillar", "crystals", "rule"),
    [
        ("pillar-3", 30, "offer.wrong_card"),
        ("khind-1", 30, "offer.wrong_card"),
        ("pillar-1", 14, "offer.too_few_crystals"),
        ("pillar-2", 15, "offer.too_few_crystals"),
    ],
)
def test_what_does_not_buy_another_offering(pillar: str, crystals: int, rule: str) -> None:
    """Only a Pillar 1 or 2 serves, and its crystals must be there too."""
    state = scene(crystals={"purple": crystals}, hands={"purple": "pillar-1 pillar-2 pillar-3 khind-1"})

    assert refusal(done(state, offer()), offer(pillar)) == rule


def test_a_pillar_comes_after_the_first_offering() -> None:
    """Ruling 19: the first offering of a turn takes no Pillar; a Pillar must be held."""
    state = scene(crystals={"purple": 30}, hands={"purple": "pillar-1"})

    assert refusal(state, offer("pillar-1")) == "offer.pillar_before_first"
    assert refusal(done(state, offer()), offer("pillar-2")) == "cards.not_in_hand"


def test_where_no_offering_can_be_made() -> None:
    """Outside the courtyard, without a marker, on a full obelisk."""
    away = scene(at={"purple": "fire_temple"}, crystals={"purple": 9})
    assert refusal(away, offer()) == "offer.not_in_courtyard"
    four = scene(
        4,
        crystals={"purple": 99},
        obelisk={i: ("white", "teal", "black", "purple")[i % 4] for i in range(13)},
    )
    assert refusal(four, offer()) == "offer.obelisk_full"
    boxes = {"royal_palace": ["purple"] * 3 + [None], "fire_temple": ["purple", "purple", None]}
    boxes |= {"earth_temple": ["purple", "purple", None], "water_temple": ["purple", "purple", None]}
    bare = scene(crystals={"purple": 9}, boxes={**boxes, "mill": ["purple", None, None]})
    assert refusal(bare, offer()) == "offer.no_marker"


def test_offerings_do_not_forbid_or_need_contributions() -> None:
    """An offering is possible on the first turn step by step: walk to the courtyard, then offer."""
    state = scene(at={"purple": "mill"}, crystals={"purple": 7})

    assert done(state, walk("earth_temple", "courtyard"), offer()).obelisk.count(0) == 1


# -- the reset (ruling 6) ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("discard", "drawn"), [("", 2), ("aqua-3", 3), ("aqua-3 vulca-1", 4)])
def test_two_more_are_drawn_than_discarded(discard: str, drawn: int) -> None:
    """The reset: nought to two discarded, two more drawn, and the turn passes clockwise."""
    state = scene(3, hands={"purple": "aqua-3 vulca-1 hoax-1"}, deck="flit-1 flit-1 flit-1 flit-1 mimix-3")

    after = done(state, end(discard))

    assert len(after.hands[0]) == 3 - len(discard.split()) + drawn
    assert after.player == "white"
    assert TurnPassed(player="white", drawn=drawn) in told(state, end(discard))


@pytest.mark.parametrize(
    ("discard", "rule"),
    [
        ("aqua-3 vulca-1 hoax-1", "end.too_many_discards"),
        ("mimix-3", "cards.not_in_hand"),
        (None, "cards.must_be_named"),
    ],
)
def test_what_cannot_be_discarded(discard: str | None, rule: str) -> None:
    """More than two cards, or cards that are not held."""
    assert refusal(scene(hands={"purple": "aqua-3 vulca-1 hoax-1"}), end(discard)) == rule


def test_the_turn_goes_round() -> None:
    """Clockwise in seat order, and round again."""
    state = scene(4)
    seats = []
    for name in ("purple", "white", "teal", "black", "purple"):
        seats.append(state.player)
        state = done(state, end(player=name))

    assert seats == ["purple", "white", "teal", "black", "purple"]
