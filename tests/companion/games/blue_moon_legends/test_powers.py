"""Every kind of power: what it does, and what it refuses."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from companion.errors import RuleViolation
from companion.games.blue_moon_legends.actions import (
    Announce,
    Decline,
    Discard,
    Double,
    Lead,
    Pay,
    Retreat,
    Retrieve,
    Reveal,
    Use,
)
from companion.games.blue_moon_legends.events import PowerWorked
from companion.games.blue_moon_legends.state import Phase
from tests.helpers.legends import (
    GAME,
    announce,
    ids,
    play,
    position,
    refused,
    run_through,
    value,
)


def uses(state, card):
    """Return the legal uses of a card's power."""
    return [each for each in GAME.legal_actions(state) if isinstance(each, Use) and each.card == card]


def targets(state, card):
    """Return the sets of cards on which a card's power may be used."""
    return {frozenset((*use.cards, *use.backs)) for use in uses(state, card)}


def used(state, card, *cards, **more):
    """Return the state after the power of a card was used by whoever is active."""
    player = state.setup.players[state.active]
    return run_through(state, Use(player=player, card=card, cards=ids(*cards), **more))


# -- discarding the other side's cards --------------------------------------------------------------------

FULL = {"covered": ["vulca-01"], "combat": ["vulca-13", "vulca-18"], "support": ["vulca-23", "vulca-27"]}


@pytest.mark.parametrize(
    ("decks", "before", "card", "wanted"),
    [
        ("terrah,vulca", "terrah-06", "terrah-19", {("vulca-18",), ("vulca-23",), ("vulca-27",)}),
        ("khind,vulca", None, "khind-07", {("vulca-18",), ("vulca-23",), ("vulca-27",)}),
        ("buka,vulca", None, "buka-22", {("vulca-18",), ("vulca-23", "vulca-27")}),
        ("terrah,vulca", "lead", "terrah-29", {("vulca-01", "vulca-13", "vulca-18")}),
        ("khind,vulca", "lead", "aqua-30", {("vulca-18",)}),  # one character stays
        ("flit,vulca", None, "flit-06", set()),  # the last character stays
        ("khind,vulca", None, "khind-06", set()),  # nothing with an icon
    ],
)
def test_cards_of_the_other_side_are_discarded(decks, before, card, wanted):
    """Each power takes what its text names, in every set that it may."""
    state = position(
        decks,
        fight="fire",
        a={"hand": [card, *([before] if before != "lead" else [])]} if before else {"hand": [card]},
        b=FULL,
    )
    if before == "lead":
        state = run_through(state, Lead(player="a", card=card))
    else:
        state = run_through(state, *play("a", *([before] if before else []), card))

    assert {frozenset(cards) for cards in wanted} == targets(state, card)
    for use in uses(state, card):
        after = run_through(state, use)
        assert set(use.cards) <= set(after.sides[1].discard)
        assert len(use.cards) == len(after.sides[1].discard)


def test_a_support_power_of_vulca_takes_one_or_all():
    """Cinder one booster or support, Cast Cataclysm all supports."""
    b = {"combat": ["hoax-04", "hoax-19"], "support": ["hoax-20", "hoax-21"]}
    cinder = run_through(position(fight="fire", a={"hand": ["vulca-14"]}, b=b), *play("a", "vulca-14"))
    cast = run_through(
        position(fight="fire", a={"hand": ["vulca-30"]}, b=b), Lead(player="a", card="vulca-30")
    )

    assert {frozenset(["hoax-19"]), frozenset(["hoax-20"]), frozenset(["hoax-21"])} == targets(
        cinder, "vulca-14"
    )
    assert {frozenset(["hoax-20", "hoax-21"])} == targets(cast, "vulca-30")
    assert "use.target" == refused(cinder, Use(player="a", card="vulca-14", cards=ids("hoax-04")))


def test_protected_cards_are_not_discarded():
    """Neither the Kraken by an earthquake nor the Razorjaw by Earthtremor."""
    b = {"covered": ["aqua-05"], "combat": ["aqua-03"], "support": ["aqua-23", "aqua-21"]}
    quake = position("terrah,aqua", fight="fire", a={"hand": ["terrah-29"]}, b=b)
    tremor = position("terrah,aqua", fight="fire", a={"hand": ["terrah-06", "terrah-19"]}, b=b)

    assert {frozenset(["aqua-05"])} == targets(
        run_through(quake, Lead(player="a", card="terrah-29")), "terrah-29"
    )
    laid = run_through(tremor, *play("a", "terrah-06", "terrah-19"))
    assert {frozenset(["aqua-21"])} == targets(laid, "terrah-19")


def test_one_of_several_characters_or_cards_with_icons():
    """Highchirp takes one of two characters; TopDog a card with an icon, a bluff card too."""
    two = {"combat": ["mimix-09", "mimix-10"]}
    chirp = run_through(
        position("flit,mimix", fight="fire", a={"hand": ["flit-06"]}, b=two), *play("a", "flit-06")
    )
    bluff = {"combat": ["buka-04"], "support": ["buka-25"], "bluffs": ["buka-11"]}
    dog = position("khind,buka", fight="fire", a={"combat": ["khind-06"]}, b=bluff)

    assert {frozenset(["mimix-09"]), frozenset(["mimix-10"])} == targets(chirp, "flit-06")
    assert {frozenset([1])} == targets(dog, "khind-06")
    after = run_through(dog, Use(player="a", card="khind-06", backs=(1,)))
    assert ("buka-11",) == after.sides[1].discard
    assert [] == uses(after, "khind-06")


# -- drawing and searching ------------------------------------------------------------------------------


def test_muster_draws_five():
    """Into the hand, from the own deck."""
    state = run_through(position("hoax,vulca", a={"hand": ["hoax-27"]}), Lead(player="a", card="hoax-27"))

    assert 5 == len(used(state, "hoax-27").sides[0].hand)


@pytest.mark.parametrize(
    ("decks", "zones", "card", "drawn"),
    [
        ("vulca,hoax", {"hand": ["vulca-15"]}, "vulca-15", 2),
        ("khind,hoax", {"hand": ["khind-05"]}, "khind-05", 1),
        ("khind,hoax", {"hand": ["khind-21"], "support": ["khind-28"]}, "khind-28", 1),
        ("khind,hoax", {"hand": ["hoax-15"]}, "hoax-15", 3),  # up to nine
    ],
)
def test_cards_are_drawn_at_the_end_of_the_turn(decks, zones, card, drawn):
    """After the hand was filled to six."""
    state = position(decks, fight="fire", a=zones, b={"combat": ["hoax-09"]})
    waiting = announce(run_through(state, *play("a", zones["hand"][0])))
    after = used(waiting, card)

    assert 6 + drawn == len(after.sides[0].hand)
    assert "b" == GAME.turn_of(after)


def test_the_shaman_of_sacrifice_turns_cards_up_and_discards_one():
    """Three turned up: one is discarded, two come into the hand."""
    state = position("mimix,hoax", fight="fire", a={"hand": ["mimix-18"]}, b={"combat": ["hoax-09"]})
    waiting = announce(run_through(state, *play("a", "mimix-18")))
    top = waiting.sides[0].deck[:3]
    after = run_through(waiting, Use(player="a", card="mimix-18", cards=(top[1],), number=3))

    assert (top[1],) == after.sides[0].discard
    assert {top[0], top[2]} <= set(after.sides[0].hand)
    assert "use.number" == refused(waiting, Use(player="a", card="mimix-18", cards=(top[1],), number=4))
    assert "use.target" == refused(waiting, Use(player="a", card="mimix-18", cards=(top[2],), number=2))


def test_the_shaman_of_deeds_shuffles_two_back():
    """Any two of the hand go back, and the deck follows the next order of the header."""
    state = position("mimix,hoax", fight="fire", a={"hand": ["mimix-19"]}, b={"combat": ["hoax-09"]})
    waiting = announce(run_through(state, *play("a", "mimix-19")))
    back = waiting.sides[0].hand[:2]
    after = run_through(waiting, Use(player="a", card="mimix-19", cards=back, number=3))
    order = state.setup.shuffles[0][0]

    assert 7 == len(after.sides[0].hand)
    assert set(back) <= set(after.sides[0].deck)
    assert sorted(after.sides[0].deck, key=order.index) == list(after.sides[0].deck)


def test_decks_and_piles_are_searched():
    """A wished card comes into the hand: from the deck, from the discard pile."""
    whistle = run_through(position("khind,hoax", a={"hand": ["khind-29"]}), Lead(player="a", card="khind-29"))
    pile = run_through(
        position("mimix,hoax", a={"hand": ["mimix-31"], "discard": ["mimix-03"]}),
        Lead(player="a", card="mimix-31"),
    )
    shaman = run_through(
        position("mimix,hoax", fight="fire", a={"hand": ["mimix-20"]}), *play("a", "mimix-20")
    )

    assert ("khind-15",) == used(whistle, "khind-29", "khind-15").sides[0].hand
    assert ("mimix-03",) == used(pile, "mimix-31", "mimix-03").sides[0].hand
    found = used(shaman, "mimix-20", "mimix-03")
    assert ("mimix-03",) == found.sides[0].hand
    assert Phase.POWER == found.turn.phase
    assert "use.target" == refused(pile, Use(player="a", card="mimix-31", cards=ids("mimix-04")))


def test_cards_come_back_from_a_shuffled_discard_pile():
    """Two for the Shaman of the Afterlife, three for the Lucky Bag, in the order of the shuffle."""
    gone = ["mimix-03", "mimix-04", "mimix-05"]
    state = run_through(
        position("mimix,hoax", fight="fire", a={"hand": ["mimix-21"], "discard": gone}),
        *play("a", "mimix-21"),
    )
    after = used(state, "mimix-21")
    order = sorted(ids(*gone), key=state.setup.shuffles[0][0].index)

    assert tuple(order[:2]) == after.sides[0].hand
    assert tuple(order[2:]) == after.sides[0].discard


def test_the_discard_pile_becomes_deck_again():
    """Administer Water of Immortality."""
    state = run_through(
        position("aqua,hoax", a={"hand": ["aqua-31"], "discard": ["aqua-01", "aqua-02"]}),
        Lead(player="a", card="aqua-31"),
    )
    after = used(state, "aqua-31")

    assert () == after.sides[0].discard
    assert 29 == len(after.sides[0].deck)


def test_own_cards_are_discarded_or_put_under_the_deck_one_by_one():
    """As many as wanted, each an action of its own."""
    discard = position("aqua,hoax", a={"hand": ["aqua-11", "aqua-01", "aqua-02"]})
    under = position("aqua,hoax", a={"hand": ["aqua-14", "aqua-01", "aqua-02"]})

    gone = used(used(run_through(discard, *play("a", "aqua-11")), "aqua-11", "aqua-02"), "aqua-11", "aqua-01")
    below = used(used(run_through(under, *play("a", "aqua-14")), "aqua-14", "aqua-02"), "aqua-14", "aqua-01")

    assert ids("aqua-02", "aqua-01") == gone.sides[0].discard
    assert ids("aqua-02", "aqua-01") == below.sides[0].deck[-2:]


# -- the own cards on the table ---------------------------------------------------------------------------


def test_own_cards_are_taken_back_by_powers():
    """Active cards, any card of the combat area, another card of it."""
    zones = {"covered": ["vulca-01"], "combat": ["vulca-13"], "support": ["vulca-23"]}
    summon = run_through(
        position(fight="fire", a={**zones, "hand": ["vulca-28"]}), Lead(player="a", card="vulca-28")
    )
    call = run_through(
        position(
            "mimix,hoax",
            fight="fire",
            a={"covered": ["mimix-03"], "combat": ["mimix-04"], "hand": ["mimix-30"]},
        ),
        Lead(player="a", card="mimix-30"),
    )
    gracia = run_through(
        position("pillar,hoax", fight="fire", a={"combat": ["pillar-01"], "hand": ["pillar-12"]}),
        *play("a", "pillar-12"),
    )

    assert {frozenset(["vulca-13"]), frozenset(["vulca-23"])} == targets(summon, "vulca-28")
    assert {frozenset(["mimix-03"]), frozenset(["mimix-04"])} == targets(call, "mimix-30")
    assert {frozenset(["pillar-01"])} == targets(gracia, "pillar-12")
    assert "pillar-01" in used(gracia, "pillar-12", "pillar-01").sides[0].hand


def test_active_cards_fight_again():
    """Bounce Back stands for a new character, and nothing else may be laid."""
    state = position(
        "pillar,hoax",
        fight="fire",
        a={"combat": ["pillar-01"], "hand": ["khind-31", "pillar-07"]},
        b={"combat": ["hoax-01"]},
    )
    again = run_through(state, Lead(player="a", card="khind-31"))

    assert "play.stopped" == refused(again, play("a", "pillar-07")[0])
    assert "b" == GAME.turn_of(announce(again))


def test_bounce_back_needs_no_active_cards_and_begins_no_fight():
    """Without a fight it leaves only declining; in a fight supports alone may be enough."""
    empty = position("pillar,hoax", a={"hand": ["khind-31", "pillar-07"]})
    led = run_through(empty, Lead(player="a", card="khind-31"))
    fight = position(
        "pillar,hoax",
        fight="fire",
        a={"hand": ["khind-31"], "support": ["pillar-28"]},
        b={"combat": ["hoax-09"]},
    )

    assert {Decline} == {type(action) for action in GAME.legal_actions(led)}
    assert "play.stopped" == refused(led, play("a", "pillar-07")[0])
    assert "power.no_character" == refused(led, Announce(player="a", element="fire", total=0))
    assert "retreat.no_fight" == refused(led, Retreat(player="a"))
    assert "b" == GAME.turn_of(run_through(led, Decline(player="a", cards=ids("pillar-07"))))
    assert "b" == GAME.turn_of(announce(run_through(fight, Lead(player="a", card="khind-31"))))


@pytest.mark.parametrize(
    ("decks", "zones", "cards"),
    [
        ("hoax,vulca", {}, ["hoax-14", "hoax-20", "hoax-21"]),  # one support more
        ("pillar,vulca", {}, ["pillar-11", "pillar-21", "pillar-24"]),  # one booster more
        ("buka,vulca", {"support": ["buka-25"]}, ["buka-01", "buka-24", "buka-26"]),
        ("buka,vulca", {}, ["buka-20", "buka-25", "buka-26"]),  # any number of supports
        ("hoax,vulca", {"lead": "hoax-29"}, ["hoax-01", "hoax-20", "hoax-21", "hoax-22"]),
        ("flit,vulca", {"lead": "flit-31"}, ["flit-01", "aqua-20", "vulca-22", "flit-15"]),
        ("pillar,vulca", {}, ["pillar-14", "pillar-16", "pillar-18", "pillar-19", "pillar-21"]),  # free ones
    ],
)
def test_more_cards_may_be_laid(decks, zones, cards):
    """All of these go into one turn."""
    lead = zones.get("lead")
    table = {key: cards_ for key, cards_ in zones.items() if key != "lead"}
    state = position(decks, fight="fire", a={**table, "hand": [*cards, *([lead] if lead else [])]})
    if lead:
        state = run_through(state, Lead(player="a", card=lead))

    assert () == run_through(state, *play("a", *cards)).sides[0].hand


def test_an_additional_support_is_no_additional_booster():
    """Genathones lets a second support be laid beside a booster, not a second booster."""
    hand = ["hoax-14", "hoax-19", "hoax-20", "pillar-26"]
    state = run_through(position("hoax,vulca", fight="fire", a={"hand": hand}), *play("a", *hand[:3]))

    assert "backing.limit" == refused(state, play("a", "pillar-26")[0])


def test_the_next_card_counts_as_free():
    """After Yang a second character may follow, but no third."""
    state = position("aqua,hoax", fight="fire", a={"hand": ["aqua-12", "aqua-07", "aqua-08"]})
    laid = run_through(state, *play("a", "aqua-12", "aqua-07"))

    assert 2 == len(laid.sides[0].active_combat)
    assert "character.limit" == refused(laid, play("a", "aqua-08")[0])


FOG = {"combat": ["terrah-10"], "support": ["terrah-26"]}
MIKE = {"combat": ["flit-13"]}


@pytest.mark.parametrize(
    ("decks", "b", "cards", "limit"),
    [
        ("aqua,vulca", {"combat": ["vulca-13"]}, ["aqua-12", "aqua-18", "aqua-25"], None),
        ("aqua,terrah", FOG, ["aqua-12", "aqua-07"], "character.limit"),
        ("aqua,terrah", FOG, ["aqua-12", "aqua-05"], "character.limit"),  # protected, but of that icon only
        ("aqua,terrah", FOG, ["aqua-12", "aqua-18", "aqua-25"], "backing.limit"),
        ("aqua,terrah", MIKE, ["aqua-12", "aqua-07"], "character.limit"),
        ("aqua,terrah", MIKE, ["aqua-12", "aqua-05"], None),  # a protected card is not ignored by him
        ("aqua,terrah", MIKE, ["aqua-12", "aqua-25", "aqua-26"], "backing.limit"),
        ("aqua,hoax", {"combat": ["flit-12"]}, ["aqua-12", "aqua-18", "aqua-25"], "backing.limit"),  # no text
        ("aqua,flit", {"combat": ["flit-08"]}, ["aqua-12", "aqua-25", "aqua-26"], "backing.limit"),
        ("aqua,flit", {"combat": ["flit-08"]}, ["aqua-12", "aqua-23", "aqua-26"], None),  # protected
        ("aqua,flit", {"combat": ["flit-08"]}, ["aqua-12", "aqua-18", "aqua-26"], None),  # a booster
        ("aqua,flit", {"combat": ["flit-09"]}, ["aqua-12", "aqua-18", "aqua-26"], "backing.limit"),
        ("aqua,flit", {"combat": ["flit-09"]}, ["aqua-12", "aqua-25", "aqua-26"], None),  # a support
        ("aqua,flit", {"combat": ["flit-09"]}, ["aqua-12", "aqua-07"], None),  # a character
    ],
)
def test_the_free_icon_of_the_next_card_may_be_ignored(decks, b, cards, limit):
    """It is ignored as if it were printed there; the next card it is all the same."""
    state = position(decks, fight="fire", a={"hand": cards}, b=b)
    *first, last = play("a", *cards)
    laid = run_through(state, *first)

    if limit is None:
        assert () == run_through(laid, last).sides[0].hand
    else:
        assert limit == refused(laid, last)


@pytest.mark.parametrize(
    ("decks", "b", "is_free"),
    [
        ("buka,terrah", {"combat": ["terrah-10"], "support": ["terrah-26", "terrah-20"]}, False),
        ("buka,aqua", {"combat": ["hoax-16"], "support": ["aqua-23", "aqua-24"]}, False),
        ("buka,terrah", {"combat": ["flit-13"], "support": ["terrah-20", "terrah-21"]}, False),
        ("buka,hoax", {"combat": ["flit-12"], "support": ["hoax-20", "hoax-21"]}, False),
        ("buka,khind", {"combat": ["khind-10"], "support": ["khind-27", "khind-28"]}, True),  # ruling 9
    ],
)
def test_the_free_icon_of_a_condition_may_be_ignored(decks, b, is_free):
    """B.P. Mystery against two supports."""
    state = position(decks, fight="fire", a={"hand": ["buka-01", "buka-16"]}, b=b)
    laid = run_through(state, *play("a", "buka-01"))

    if is_free:
        assert 2 == len(run_through(laid, *play("a", "buka-16")).sides[0].active_combat)
    else:
        assert "character.limit" == refused(laid, play("a", "buka-16")[0])


@pytest.mark.parametrize(
    ("card", "b"),
    [
        (
            "buka-13",
            {
                "covered": ["hoax-01", "hoax-02", "hoax-03"],
                "combat": ["hoax-04"],
                "support": ["hoax-20", "hoax-21"],
            },
        ),
        ("buka-16", {"combat": ["hoax-04"], "support": ["hoax-20", "hoax-21"]}),
        ("buka-17", {"combat": ["hoax-05", "hoax-19"]}),
    ],
)
def test_free_under_a_condition(card, b):
    """Free when the other side has so many cards, supports, or cards with icons; else not."""
    free = position("buka,hoax", fight="fire", a={"hand": ["buka-01", card]}, b=b)
    not_free = position("buka,hoax", fight="fire", a={"hand": ["buka-01", card]}, b={"combat": ["hoax-04"]})

    assert 2 == len(run_through(free, *play("a", "buka-01", card)).sides[0].active_combat)
    assert "character.limit" == refused(run_through(not_free, *play("a", "buka-01")), play("a", card)[0])


@pytest.mark.parametrize(
    ("card", "decks", "b"),
    [
        ("buka-14", "buka,mimix", ["mimix-09", "mimix-10"]),
        ("buka-15", "buka,flit", ["flit-01", "flit-15", "flit-16"]),
    ],
)
def test_free_against_several_characters_or_boosters(card, decks, b):
    """Two active characters, or two active boosters."""
    state = position(decks, fight="fire", a={"hand": ["buka-01", card]}, b={"combat": b})

    assert 2 == len(run_through(state, *play("a", "buka-01", card)).sides[0].active_combat)


# -- mutants --------------------------------------------------------------------------------------------


def test_mutants_need_their_condition_and_turn_the_element():
    """Zig-nur-Don comes against 5 in earth and turns the fight to fire, with a shield."""
    strong = position("vulca,terrah", fight="earth", a={"hand": ["mutant-106"]}, b={"combat": ["terrah-01"]})
    weak = position("vulca,terrah", fight="earth", a={"hand": ["mutant-106"]}, b={"combat": ["terrah-06"]})
    after = run_through(strong, *play("a", "mutant-106"))

    assert "fire" == after.fight.element
    assert after.turn.stopped
    assert "play.condition" == refused(weak, play("a", "mutant-106")[0])
    assert "b" == GAME.turn_of(announce(after))


@pytest.mark.parametrize(
    ("decks", "card", "a", "b", "element"),
    [
        ("hoax,vulca", "mutant-105", {}, {"combat": ["vulca-01"]}, "earth"),  # 7 in any element
        (
            "mimix,vulca",
            "mutant-104",
            {},
            {"combat": ["vulca-13", "vulca-18"], "support": ["vulca-23"]},
            "earth",
        ),
        ("flit,vulca", "mutant-109", {}, {"combat": ["vulca-13"]}, "earth"),  # no own cards
        ("terrah,vulca", "mutant-107", {}, {"combat": ["vulca-04"]}, "earth"),  # 5 in fire
        ("pillar,vulca", "mutant-103", {}, FULL | {"covered": ["vulca-01", "vulca-03"]}, "earth"),
        ("aqua,vulca", "mutant-102", {}, {"hand": ["vulca-01", "vulca-03", "vulca-04"]}, "earth"),
        ("buka,vulca", "buka-23", {}, {"combat": ["vulca-01"]}, "earth"),  # no own ship
    ],
)
def test_conditions_of_mutants(decks, card, a, b, element):
    """Each condition met once."""
    state = position(decks, fight="fire", a={"hand": [card], **a}, b=b)

    assert element == run_through(state, *play("a", card)).fight.element


@pytest.mark.parametrize(
    ("decks", "card", "a", "b"),
    [
        ("hoax,vulca", "mutant-105", {}, {"combat": ["vulca-03"]}),
        ("mimix,vulca", "mutant-104", {}, {"combat": ["vulca-13", "vulca-18"]}),
        ("flit,vulca", "mutant-109", {"combat": ["flit-01"]}, {"combat": ["vulca-13"]}),
        ("terrah,vulca", "mutant-107", {}, {"combat": ["vulca-06"]}),
        ("pillar,vulca", "mutant-103", {}, FULL),
        ("aqua,vulca", "mutant-102", {}, {"hand": ["vulca-01", "vulca-03"]}),
        ("buka,vulca", "buka-23", {"ships": ["buka-28"]}, {"combat": ["vulca-01"]}),
        ("khind,vulca", "mutant-101", {}, {"combat": ["vulca-01"]}),
    ],
)
def test_conditions_of_mutants_that_do_not_hold(decks, card, a, b):
    """Each condition missed by one."""
    state = position(decks, fight="fire", a={"hand": [card], **a}, b=b)

    assert "play.condition" == refused(state, play("a", card)[0])


def test_a_mutant_against_a_dragon():
    """Den-bal-Ton comes as soon as the other side has a dragon, even to begin a fight."""
    state = position("khind,vulca", dragons=-1, a={"hand": ["mutant-101"]})

    assert run_through(state, *play("a", "mutant-101")).fight.element is None


# -- forbidding and limiting ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("decks", "forbidding", "first", "card"),
    [
        ("hoax,vulca", ("combat", "vulca-16"), None, "hoax-04"),  # characters without a text
        ("hoax,vulca", ("support", "khind-26"), "hoax-04", "hoax-20"),  # supports
        ("hoax,mimix", ("support", "mimix-28"), "hoax-04", "hoax-19"),  # boosters
        ("hoax,terrah", ("combat", "terrah-12"), None, "hoax-10"),  # cards with a text
        ("hoax,terrah", ("combat", "terrah-16"), None, "hoax-04"),  # cards without a text
        ("hoax,terrah", ("support", "terrah-25"), None, "hoax-01"),  # characters above 4
        ("hoax,pillar", ("support", "vulca-25"), None, "hoax-10"),  # characters, boosters with a text
        ("vulca,hoax", ("combat", "hoax-13"), "vulca-08", "vulca-18"),
        ("vulca,hoax", ("combat", "hoax-13"), "vulca-08", "vulca-23"),
    ],
)
def test_cards_are_forbidden(decks, forbidding, first, card):
    """The power of the other side names what may not be laid."""
    zone, name = forbidding
    state = position(decks, fight="fire", a={"hand": [card, *([first] if first else [])]}, b={zone: [name]})
    state = run_through(state, *(play("a", first) if first else []))

    assert "play.forbidden" == refused(state, play("a", card)[0])


@pytest.mark.parametrize("zone", [("combat", "hoax-13"), ("support", "vulca-24")])
def test_leadership_cards_are_forbidden(zone):
    """By Thirkomedas, by Flickering Fires."""
    area, card = zone
    decks = "vulca,hoax" if card == "hoax-13" else "hoax,vulca"
    mine = "vulca-30" if card == "hoax-13" else "hoax-29"
    state = position(decks, fight="fire", a={"hand": [mine]}, b={area: [card]})

    assert "play.forbidden" == refused(state, Lead(player="a", card=mine))


def test_one_card_a_turn():
    """Brain Drain: a leadership card or a character; Cheepchirrup: one card in the combat area."""
    drain = position(fight="fire", a={"hand": ["vulca-30", "vulca-08"]}, b={"support": ["hoax-26"]})
    chirp = position(
        "hoax,flit", fight="fire", a={"hand": ["hoax-04", "hoax-19", "hoax-20"]}, b={"combat": ["flit-10"]}
    )
    led = run_through(drain, Lead(player="a", card="vulca-30"))
    laid = run_through(chirp, *play("a", "hoax-04"))

    assert "play.card_limit" == refused(led, play("a", "vulca-08")[0])
    assert "play.card_limit" == refused(laid, play("a", "hoax-19")[0])
    assert 1 == len(run_through(laid, *play("a", "hoax-20")).sides[0].support)


def test_one_active_character():
    """Boatswain Mena Marn breaks up pairs."""
    state = position(
        "mimix,buka", fight="fire", a={"hand": ["mimix-09", "mimix-10"]}, b={"combat": ["buka-18"]}
    )

    assert "character.active_limit" == refused(
        run_through(state, *play("a", "mimix-09")), play("a", "mimix-10")[0]
    )


@pytest.mark.parametrize(("card", "kind"), [("terrah-13", "hoax-20"), ("terrah-14", "hoax-19")])
def test_a_card_of_a_kind_must_be_laid(card, kind):
    """Without a support (a booster) nothing is announced."""
    state = position("hoax,terrah", fight="fire", a={"hand": ["hoax-01", kind]}, b={"combat": [card]})
    bare = run_through(state, *play("a", "hoax-01"))

    assert "power.must_play" == refused(bare, Announce(player="a", element="fire", total=5))
    assert "b" == GAME.turn_of(announce(run_through(bare, *play("a", kind))))


@pytest.mark.parametrize(
    ("card", "decks", "drawn"), [("vulca-26", "hoax,vulca", 0), ("khind-25", "hoax,khind", 1)]
)
def test_drawing_is_limited(card, decks, drawn):
    """No card from the deck, or one in the own turn."""
    state = position(decks, fight="fire", a={"hand": ["hoax-01", "hoax-02"]}, b={"support": [card]})

    assert 1 + drawn == len(announce(run_through(state, *play("a", "hoax-01"))).sides[0].hand)


@pytest.mark.parametrize(
    ("card", "decks", "zone", "held"),
    [("terrah-27", "hoax,terrah", "support", 4), ("pillar-15", "hoax,pillar", "combat", 1)],
)
def test_the_hand_takes_no_more_cards(card, decks, zone, held):
    """With four cards in hand, or not at all; nothing is taken back either."""
    state = position(
        decks, fight="fire", a={"hand": ["hoax-01", "hoax-02"], "support": ["hoax-24"]}, b={zone: [card]}
    )

    assert held == len(announce(run_through(state, *play("a", "hoax-01"))).sides[0].hand)
    if card == "pillar-15":
        assert "hand.closed" == refused(state, Retrieve(player="a", card="hoax-24"))


# -- the other side's hand ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("decks", "card", "number"), [("hoax,vulca", "hoax-17", 2), ("mimix,vulca", "pillar-13", 1)]
)
def test_cards_are_drawn_blind_from_the_other_hand(decks, card, number):
    """Every set of so many cards is possible."""
    state = run_through(
        position(decks, a={"hand": [card]}, b={"hand": ["vulca-01", "vulca-03", "vulca-04"]}),
        *play("a", card),
    )

    assert 3 == len(uses(state, card))
    assert 3 - number == len(run_through(state, uses(state, card)[0]).sides[1].hand)


def test_the_other_side_chooses_what_it_discards():
    """Bashdin two cards at once, TopBanana one at the end of the turn, Tranquility down to five."""
    hand = [f"vulca-{number:02}" for number in (1, 3, 4, 5, 6, 7, 8)]
    bashdin = run_through(
        position("flit,vulca", a={"hand": ["terrah-15"]}, b={"hand": hand}), *play("a", "terrah-15")
    )
    water = run_through(
        position("aqua,vulca", a={"hand": ["aqua-29"]}, b={"hand": hand}), Lead(player="a", card="aqua-29")
    )
    asked = used(bashdin, "terrah-15")

    assert "b" == GAME.turn_of(asked)
    assert "answer.first" == refused(asked, Announce(player="a", element="fire", total=1))
    assert "answer.number" == refused(asked, Discard(player="b", cards=ids("vulca-01")))
    assert 5 == len(run_through(asked, Discard(player="b", cards=ids("vulca-01", "vulca-03"))).sides[1].hand)
    assert 2 == water.pending[0].number
    assert "a" == GAME.turn_of(run_through(water, Discard(player="b", cards=ids("vulca-01", "vulca-03"))))


def test_banana_and_shot_work_at_the_end_of_the_turn():
    """One card from the hand, one from the top of the deck."""
    state = position(
        "khind,vulca",
        fight="fire",
        a={"hand": ["khind-08", "khind-09"]},
        b={"combat": ["vulca-13"], "hand": ["vulca-01", "vulca-03"]},
    )
    waiting = announce(run_through(state, *play("a", "khind-08", "khind-09")))
    top = waiting.sides[1].deck[0]
    milled = used(waiting, "khind-09")
    after = run_through(used(milled, "khind-08"), Discard(player="b", cards=ids("vulca-01")))

    assert (top, "vulca-01") == after.sides[1].discard
    assert "b" == GAME.turn_of(after)


def test_a_hand_is_laid_open():
    """An open game knows the cards; where nobody does, they are named first. Drawn cards are not open."""
    opened = run_through(
        position("pillar,vulca", a={"hand": ["pillar-30"]}, b={"hand": ["vulca-01", "vulca-03"]}),
        Lead(player="a", card="pillar-30"),
    )
    header = GAME.public_header(GAME.deal(random.Random(2), {"decks": "pillar,vulca", "players": ["a", "b"]}))
    asked = run_through(GAME.start(header), Lead(player="a", card="pillar-30"))
    six = ids("vulca-01", "vulca-03", "vulca-04", "vulca-05", "vulca-06", "vulca-07")
    shown = run_through(asked, Reveal(player="b", cards=six))

    assert set(ids("vulca-01", "vulca-03")) == opened.sides[1].revealed
    assert "b" == GAME.turn_of(asked)
    assert set(six) == shown.sides[1].revealed


# -- demands ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "pays", "fails"),
    [
        ("pillar-16", ["vulca-12"], ["vulca-13"]),  # 3 in fire
        ("pillar-17", ["vulca-13"], ["vulca-12"]),  # 3 in earth
        ("pillar-18", ["vulca-12", "vulca-13"], ["vulca-06"]),  # 2 in fire and 2 in earth, on different cards
        ("pillar-19", ["vulca-05"], ["vulca-06"]),  # 5 in fire or 5 in earth
    ],
)
def test_caterpillars_eat_cards_or_make_retreat(card, pays, fails):
    """Exactly what they demand, in the other side's next turn, before the announcement."""
    hand = ["vulca-01", "vulca-05", "vulca-06", "vulca-12", "vulca-13"]
    decks = "vulca,pillar" if card != "pillar-17" else "vulca,terrah"
    state = position(decks, fight="fire", a={"hand": hand}, b={"combat": [card]})
    laid = run_through(state, *play("a", "vulca-01"))

    assert "power.unpaid" == refused(laid, Announce(player="a", element="fire", total=7))
    assert "pay.wrong_cards" == refused(laid, Pay(player="a", card=card, cards=ids(*fails)))
    assert "pay.wrong_cards" == refused(
        laid,
        Pay(player="a", card=card, cards=ids(*pays, "vulca-05" if "vulca-05" not in pays else "vulca-06")),
    )
    paid = run_through(laid, Pay(player="a", card=card, cards=ids(*pays)))
    assert "pay.not_demanded" == refused(paid, Pay(player="a", card=card, cards=ids("vulca-06")))
    assert "b" == GAME.turn_of(announce(paid))


def test_a_doubled_caterpillar_eats_twice_as_much():
    """The one laid first, or the one its owner chooses."""
    hand = ["vulca-01", "vulca-03", "vulca-12"]
    state = position(
        "pillar,vulca",
        fight="earth",
        a={"combat": ["pillar-14", "pillar-16", "pillar-19"], "hand": ["pillar-01"]},
        b={"hand": hand},
    )
    theirs = run_through(state, Double(player="a", card="pillar-14", target="pillar-19"))
    first = replace(state, active=1)
    second = replace(theirs, active=1)

    assert "pay.wrong_cards" == refused(first, Pay(player="b", card="pillar-16", cards=ids("vulca-12")))
    assert (
        ids("vulca-03")
        == run_through(first, Pay(player="b", card="pillar-16", cards=ids("vulca-03"))).sides[1].discard
    )
    assert (
        ids("vulca-12")
        == run_through(second, Pay(player="b", card="pillar-16", cards=ids("vulca-12"))).sides[1].discard
    )
    assert "use.not_offered" == refused(theirs, Double(player="a", card="pillar-14", target="pillar-16"))


def test_sirens_call_a_character_or_a_dragon():
    """Unpaid, a dragon comes with the announcement or the retreat; paid, it does not."""
    state = position(
        "vulca,aqua",
        fight="fire",
        a={"hand": ["vulca-01", "vulca-12"]},
        b={"combat": ["aqua-05"], "support": ["aqua-28"]},
    )
    laid = run_through(state, *play("a", "vulca-01"))
    paid = run_through(laid, Pay(player="a", card="aqua-28", cards=ids("vulca-12")))

    assert 1 == announce(laid).dragons_of(1)
    assert 0 == announce(paid).dragons_of(1)
    assert 2 == run_through(state, Retreat(player="a")).dragons_of(1)


@pytest.mark.parametrize(
    ("decks", "card", "pays"),
    [
        ("vulca,hoax", "vulca-29", ["vulca-01", "vulca-10"]),
        ("terrah,hoax", "terrah-30", ["terrah-01", "terrah-18"]),
        ("flit,hoax", "flit-30", ["flit-01", "flit-02", "flit-03"]),
    ],
)
def test_cards_buy_a_dragon(decks, card, pays):
    """8 in fire, 8 in earth, or three characters; never more than is needed."""
    spare = next(c for c in ("vulca-11", "terrah-10", "flit-04") if c.startswith(decks.split(",")[0]))
    state = run_through(position(decks, a={"hand": [card, *pays, spare]}), Lead(player="a", card=card))

    assert 1 == used(state, card, *pays).dragons_of(0)
    assert "pay.wrong_cards" == refused(state, Use(player="a", card=card, cards=ids(*pays, spare)))
    assert "pay.wrong_cards" == refused(state, Use(player="a", card=card, cards=ids(pays[0])))


def test_nothing_is_claimed_of_cards_that_a_power_passed_over_may_have_moved():
    """Two cards of the pile, unseen by all, may be in the hand now; at an open table it is known that not."""
    a = {"hand": ["mimix-21", "mimix-01"], "discard": ["mimix-28", "mimix-22"]}
    known = position("mimix,vulca", fight="fire", a=a, b={"combat": ["vulca-13"]})
    side = known.sides[0]
    hidden = replace(side, hand=("mimix-21", None), deck=(None,) * len(side.deck))
    closed = replace(known, sides=(hidden, known.sides[1]))

    for state, shown in ((known, True), (closed, False)):
        after = run_through(state, *play("a", "mimix-21"), Retreat(player="a"))
        assert ("mimix-28" in after.sides[0].discard) is shown
        assert len(after.sides[0].discard) == 3


# -- families -----------------------------------------------------------------------------------------------


def test_two_storms_bring_one_dragon_at_the_start_of_the_turn():
    """However many there are beyond two."""
    storms = ["terrah-21", "terrah-22", "terrah-23"]
    for number, dragons in ((1, 0), (2, 1), (3, 1)):
        state = position(
            "vulca,terrah",
            fight="fire",
            a={"hand": ["vulca-01"]},
            b={"combat": ["terrah-08"], "support": storms[:number]},
        )
        after = announce(run_through(state, *play("a", "vulca-01")))

        assert dragons == after.dragons_of(1)


@pytest.mark.parametrize(
    "storms", list(itertools.permutations(("terrah-21", "terrah-22", "terrah-23", "terrah-24"), 2))
)
def test_any_two_storms_bring_it_and_the_first_of_them_says_so(storms):
    state = position(
        "vulca,terrah",
        fight="fire",
        a={"hand": ["vulca-01"]},
        b={"combat": ["terrah-08"], "support": list(storms)},
    )
    laid = run_through(state, *play("a", "vulca-01"))
    called = next(each for each in GAME.legal_actions(laid) if isinstance(each, Announce))
    after, events = GAME.apply(laid, called)

    assert after.dragons_of(1) == 1
    assert [event.card for event in events if isinstance(event, PowerWorked)] == [storms[0]]


def test_two_floods_make_the_other_side_retreat():
    """After the own turn, at once; the one who retreats begins the next turn."""
    state = position(
        "aqua,vulca",
        fight="fire",
        a={"hand": ["aqua-01", "aqua-26"], "support": ["aqua-25"]},
        b={"combat": ["vulca-13"]},
    )
    after = announce(run_through(state, *play("a", "aqua-01", "aqua-26")))

    assert 1 == after.dragons_of(0)
    assert after.fight is None
    assert "b" == GAME.turn_of(after)


# -- ignoring -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("decks", "mine", "b", "fire"),
    [
        ("hoax,vulca", ["flit-12"], {"combat": ["vulca-01", "vulca-18"]}, 3),  # characters
        ("flit,vulca", ["flit-08"], {"combat": ["vulca-01"], "support": ["vulca-23"]}, 7),  # supports
        ("flit,vulca", ["flit-09"], {"combat": ["vulca-01", "vulca-18"]}, 7),  # boosters
        ("terrah,mimix", ["flit-13"], {"combat": ["mimix-05", "mimix-25"]}, 2),  # cards with icons
        ("flit,vulca", ["flit-07"], {"combat": ["vulca-13", "vulca-21"]}, 2),  # texts
        ("flit,hoax", ["flit-07"], {"combat": ["flit-12"]}, 0),
    ],
)
def test_cards_are_ignored(decks, mine, b, fire):
    """Their values, icons and texts count for nothing; they stay where they are."""
    state = position(decks, fight="fire", a={"combat": mine}, b=b)

    assert fire == value(state, "b", "fire")


def test_flit_characters_are_not_ignored():
    """Hank ignores characters, but not the Flit's."""
    state = position("hoax,flit", fight="fire", a={"combat": ["flit-12"]}, b={"combat": ["flit-01"]})

    assert 4 == value(state, "b", "fire")


def test_icons_are_ignored():
    """Impenetrable Fog takes shields, pairs and retrieving, but neither stop nor protected."""
    fog = {"support": ["terrah-26"]}
    pair = position("mimix,terrah", fight="fire", a={"hand": ["mimix-09", "mimix-10"]}, b=fog)
    shield = position(
        "aqua,terrah", fight="fire", a={"hand": ["aqua-07", "aqua-18"]}, b={**fog, "combat": ["terrah-06"]}
    )
    stop = position("mimix,terrah", fight="fire", a={"hand": ["mimix-20", "mimix-25"]}, b=fog)

    assert "character.limit" == refused(run_through(pair, *play("a", "mimix-09")), play("a", "mimix-10")[0])
    laid = run_through(shield, *play("a", "aqua-07", "aqua-18"))
    assert "power.too_low" == refused(laid, Announce(player="a", element="fire", total=3))
    assert "play.stopped" == refused(run_through(stop, *play("a", "mimix-20")), play("a", "mimix-25")[0])


def test_mekarthas_ignores_even_protection():
    """All icons but stop: the Razorjaw can then be discarded."""
    b = {"combat": ["buka-22"], "support": ["buka-25"]}
    state = position("aqua,buka", fight="fire", a={"combat": ["hoax-16"]}, b=b)
    plain = position("khind,buka", fight="fire", a={"combat": ["khind-02"]}, b=b)
    shrewd = position("aqua,khind", fight="fire", a={"combat": ["hoax-16"]}, b={"combat": ["khind-10"]})

    assert value(plain, "b", "fire") == 1 + 1
    assert value(state, "b", "fire") == 1 + 1
    assert 3 == value(shrewd, "b", "fire")


def test_laughing_gas_and_tittertweet_against_each_other():
    """The Flit's character is spared, so it is the Gas that is ignored; Enthrall is void against both."""
    gas = position(
        "khind,flit",
        fight="fire",
        a={"combat": ["khind-14", "khind-10"], "support": ["khind-27"]},
        b={"combat": ["flit-07"]},
    )
    enthrall = position(
        "hoax,khind",
        fight="fire",
        a={"hand": ["hoax-28"]},
        b={"combat": ["khind-14", "khind-10"], "support": ["khind-27"]},
    )

    assert 3 == value(gas, "a", "fire")
    led = run_through(enthrall, Lead(player="a", card="hoax-28"))
    assert 6 == value(led, "b", "fire")


def test_an_ignored_power_cannot_be_used():
    """Against Laughing Gas Cinder discards nothing."""
    state = run_through(
        position(
            "vulca,khind",
            fight="fire",
            a={"hand": ["vulca-14"]},
            b={"combat": ["khind-10"], "support": ["khind-27"]},
        ),
        *play("a", "vulca-14"),
    )

    assert [] == uses(state, "vulca-14")
    with pytest.raises(RuleViolation, match="cannot be used now"):
        run_through(state, Use(player="a", card="vulca-14", cards=ids("khind-27")))


def test_powers_of_cards_just_laid_lapse_with_the_next_card():
    """Cinder's power is used before anything else is laid, or not at all."""
    state = position(
        fight="fire", a={"hand": ["vulca-14", "vulca-18"]}, b={"support": ["hoax-20"], "combat": ["hoax-09"]}
    )
    laid = run_through(state, *play("a", "vulca-14"))
    later = run_through(laid, *play("a", "vulca-18"))

    assert 1 == len(uses(laid, "vulca-14"))
    assert [] == uses(later, "vulca-14")
