"""Total power with the reason of each point; the worked examples of the rulebook."""

from __future__ import annotations

import pytest

from companion.games.blue_moon_legends.actions import Adjust, Announce, Bluff, Call
from companion.games.blue_moon_legends.rules.force import Force
from companion.games.blue_moon_legends.rules.totals import total
from tests.helpers.legends import GAME, ids, play, position, refused, run_through, value


def test_doubled_support_cards_count_twice():
    """The first example: 2 for Demegodas and twice 1 for the Trebuchet are 4 in earth."""
    state = position("vulca,hoax", fight="earth", b={"combat": ["hoax-12"], "support": ["hoax-21"]})

    assert 4 == value(state, "b", "earth")


def test_a_character_and_a_booster_add_up():
    """The last fight of the example: Glimmer and Fireblast are 5 in earth, and so is the answer to them."""
    state = position(
        "vulca,hoax",
        fight="earth",
        a={"combat": ["vulca-13", "vulca-18"]},
        b={"combat": ["hoax-09"], "support": ["hoax-22"]},
    )

    assert (5, 5) == (value(state, "a", "earth"), value(state, "b", "earth"))


def test_ignored_power_texts_count_no_more():
    """The example of ignoring: without the Gauntlets' text the total falls from 12 to 6."""
    doubled = position(
        "vulca,hoax",
        fight="fire",
        active=1,
        a={"combat": ["vulca-03", "vulca-21"]},
        b={"hand": ["hoax-28", "hoax-04"], "support": ["hoax-20"]},
    )
    lead = next(each for each in GAME.legal_actions(doubled) if getattr(each, "card", "") == "hoax-28")
    after = run_through(doubled, lead, *play("b", "hoax-04"))

    assert 12 == value(doubled, "a", "fire")
    assert (6, 7) == (value(after, "a", "fire"), value(after, "b", "fire"))


@pytest.mark.parametrize(
    ("decks", "combat", "support", "fire", "earth"),
    [
        ("vulca,hoax", ["vulca-14", "vulca-20"], [], 6, 6),  # the total is raised to 6
        ("vulca,hoax", ["vulca-01", "vulca-20"], [], 7, 6),  # never lowered
        ("aqua,hoax", ["aqua-05", "aqua-19"], [], 7, 0),  # in fire only
        ("flit,hoax", ["flit-06", "aqua-20"], [], 2, 7),  # in earth only
        ("flit,hoax", ["flit-11", "flit-15"], [], 6, 6),  # boosters count twice
        ("khind,hoax", ["khind-14", "khind-10"], [], 6, 4),  # characters count twice
        ("pillar,hoax", ["pillar-09", "pillar-21"], [], 2, 8),  # both values of one character
        ("pillar,hoax", ["pillar-04", "pillar-22"], [], 5, 5),  # raised to the sum of the printed values
        ("pillar,hoax", ["pillar-04", "pillar-23"], [], 5, 5),  # raised to the higher printed value
        ("pillar,hoax", ["pillar-11", "pillar-24", "pillar-25"], [], 6, 6),
        ("hoax,vulca", ["hoax-09", "pillar-26"], [], 5, 5),
        ("hoax,vulca", ["hoax-09"], ["hoax-25"], 1, 6),  # earth of one character twice
        ("buka,vulca", ["buka-04"], ["buka-26"], 8, 3),  # fire of one character twice
        ("flit,vulca", ["flit-03", "vulca-22"], [], 2, 8),
    ],
)
def test_powers_change_values_and_totals(decks, combat, support, fire, earth):
    """Raising and multiplying, one card or all of a type, in the elements named."""
    state = position(decks, fight="fire", a={"combat": combat, "support": support})

    assert (fire, earth) == (value(state, "a", "fire"), value(state, "a", "earth"))


def test_values_are_raised_before_they_are_multiplied():
    """Ruling 12: 2 raised to 6 and doubled is 12."""
    state = position("pillar,hoax", fight="fire", a={"combat": ["pillar-11", "pillar-24", "pillar-21"]})

    assert 12 == value(state, "a", "fire")


def test_a_power_for_one_character_goes_where_it_is_worth_most():
    """Ruling 13: of two characters the stronger one is doubled."""
    state = position("buka,vulca", fight="fire", a={"combat": ["buka-12", "buka-04"], "support": ["buka-26"]})

    assert 8 == value(state, "a", "fire")


@pytest.mark.parametrize(
    ("card", "expected"),
    [("khind-01", (7, 2)), ("khind-02", (3, 5)), ("khind-03", (4, 5)), ("khind-04", (7, 3))],
)
def test_odd_and_even_printed_values_count_nothing(card, expected):
    """Against Blaze (4/3) with Fireblast (3/2): odd or even values of characters or of boosters are 0."""
    state = position(
        "khind,vulca", fight="fire", a={"combat": [card]}, b={"combat": ["vulca-06", "vulca-18"]}
    )

    assert expected == (value(state, "b", "fire"), value(state, "b", "earth"))


def test_protected_cards_keep_their_values():
    """Odd values of the Kelp Leech are not touched: it is protected."""
    state = position("khind,aqua", fight="fire", a={"combat": ["khind-01"]}, b={"combat": ["aqua-09"]})

    assert 3 == value(state, "b", "fire")


def test_bluff_cards_are_worth_two_in_the_contested_element():
    """Whatever they are, face-down cards count 2 there and 0 in the other one; 4 with their Powdermaster."""
    plain = position("buka,vulca", fight="fire", a={"combat": ["buka-11"], "bluffs": ["buka-12"]})
    raised = position("buka,vulca", fight="fire", a={"combat": ["buka-21"], "bluffs": ["buka-12", "buka-11"]})

    assert (2, 4) == (value(plain, "a", "fire"), value(plain, "a", "earth"))
    assert 2 + 4 + 4 == value(raised, "a", "fire")


@pytest.mark.parametrize(
    ("card", "plain", "raised"),
    [("khind-01", 4, 8), ("khind-02", 4, 8), ("khind-03", 4, 8), ("khind-04", 0, 8)],
)
def test_bluff_cards_print_an_even_number(card, plain, raised):
    """Two are worth nothing against CoolCub, of all its gang, and 8 where the Powdermaster raises them."""
    bluffs = {"bluffs": ["buka-12", "buka-11"]}
    state = position("khind,buka", fight="fire", a={"combat": [card]}, b=bluffs)
    master = position("khind,buka", fight="fire", a={"combat": [card]}, b={"combat": ["buka-21"], **bluffs})
    hers = 0 if card == "khind-02" else 2  # her own 2 in fire is the even value of a character

    assert plain == value(state, "b", "fire")
    assert raised + hers == value(master, "b", "fire")
    assert 0 == value(state, "b", "earth")


def test_a_bluff_before_the_first_announcement_counts_in_the_element_that_is_announced():
    """Laid by leave of the Quartermaster it is 2 of fire or 2 of earth, and then of that element alone."""
    state = position("buka,vulca", a={"hand": ["buka-20", "buka-12"]}, b={"hand": ["vulca-13"]})
    laid = run_through(state, *play("a", "buka-20"), Bluff(player="a", card="buka-12"))

    assert (4, 4) == (value(laid, "a", "fire"), value(laid, "a", "earth"))
    for element, other in (("fire", "earth"), ("earth", "fire")):
        begun = run_through(laid, Announce(player="a", element=element, total=4))
        assert (4, 2) == (value(begun, "a", element), value(begun, "a", other))
        call = Call(player="b", cards=ids("buka-12"), is_true=element == "earth")
        called = run_through(begun, call)
        assert (element == "earth") == (called.dragons == 1)
        assert (element == "earth") == (called.fight is not None)


def test_reasons_add_up_to_the_total_and_name_their_cards():
    """Each point has a card that it comes from and a card that gives it."""
    state = position("hoax,vulca", fight="earth", a={"combat": ["hoax-12"], "support": ["hoax-21"]})
    reckoned = total(state, Force(state), 0, "earth")

    assert reckoned.value == sum(reason.points for reason in reckoned.reasons)
    assert ("multiplied", "hoax-12", 1) in {(r.why, r.by, r.points) for r in reckoned.reasons}


def test_a_power_outside_the_vocabulary_is_applied_by_hand():
    """It is announced when laid, its points are entered, and they count as long as the card is active."""
    strange = {"when": "continuous", "effect": "sings_loudly", "params": {}, "note": "Sings"}
    state = position(
        "vulca,hoax",
        fight="fire",
        corrections={"vulca-13": {"fire": 4, "power": strange}},
        a={"hand": ["vulca-13", "vulca-12"]},
        b={"combat": ["hoax-09"]},
    )
    after, events = GAME.apply(state, play("a", "vulca-13")[0])
    prompts = GAME.prompts(state, play("a", "vulca-13")[0], after, events)
    adjusted = run_through(after, Adjust(player="a", card="vulca-13", fire=5, earth=-1))

    assert any("by hand" in prompt.text for prompt in prompts)
    assert (4, 9) == (value(after, "a", "fire"), value(adjusted, "a", "fire"))
    assert 2 == value(adjusted, "a", "earth")
    assert "adjust.not_by_hand" == refused(state, Adjust(player="a", card="vulca-12", fire=1, earth=0))


@pytest.mark.parametrize(
    ("power", "executed"),
    [
        ({"when": "continuous", "effect": "raise_total_to", "params": {"elements": ["fire"], "to": 9}}, True),
        (
            {"when": "continuous", "effect": "raise_total_to", "params": {"elements": ["water"], "to": 9}},
            False,
        ),
        ({"when": "on_play", "effect": "raise_total_to", "params": {"elements": ["fire"], "to": 9}}, False),
        ({"when": "end_of_my_turn", "effect": "draw", "params": {"n": 4, "optional": True}}, True),
        ({"when": "end_of_my_turn", "effect": "draw", "params": {"n": 4, "blindfolded": True}}, False),
    ],
)
def test_a_corrected_power_is_executed_where_its_shape_is_known(power, executed):
    """Other numbers are fine; other words are not guessed at but applied by hand."""
    state = position(
        corrections={"vulca-13": {"power": {**power, "note": "As printed"}}},
        fight="fire",
        a={"hand": ["vulca-13"]},
        b={"combat": ["hoax-19"]},
    )
    after, events = GAME.apply(state, play("a", "vulca-13")[0])

    assert executed == state.card("vulca-13").power.is_executed
    assert executed != any(type(event).__name__ == "ByHand" for event in events)
    assert () == GAME.defects(after)


def test_a_bluff_needs_its_icon():
    """Commodore Lo Tan shows none."""
    state = position(
        "buka,vulca", fight="fire", a={"hand": ["buka-04", "buka-01"]}, b={"combat": ["vulca-13"]}
    )
    laid = run_through(state, *play("a", "buka-04"))

    assert "bluff.no_icon" == refused(laid, Bluff(player="a", card="buka-01"))
