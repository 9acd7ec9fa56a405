"""Retreats, dragons and the endings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.blue_moon_legends.actions import Announce, Decline, Lead, Retreat, Use
from tests.helpers.legends import GAME, announce, ids, play, position, run_through

SIX = {"covered": ["hoax-01", "hoax-02", "hoax-03"], "combat": ["hoax-04"], "support": ["hoax-20", "hoax-21"]}


def test_the_one_who_retreats_begins_the_next_turn():
    """One dragon to the winner, areas cleared, hands filled, no fight."""
    state = position(
        fight="fire", a={"combat": ["vulca-13"], "hand": ["vulca-01"]}, b={"combat": ["hoax-04"]}
    )
    after = run_through(state, Retreat(player="a"))

    assert (0, 1) == (after.dragons_of(0), after.dragons_of(1))
    assert not after.sides[0].combat
    assert not after.sides[1].combat
    assert ("vulca-13",) == after.sides[0].discard
    assert (6, 6) == tuple(len(side.hand) for side in after.sides)
    assert after.fight is None
    assert "a" == GAME.turn_of(after)


def test_six_cards_attract_two_dragons_and_bluff_cards_do_not_count():
    """Covered cards count, face-down ones do not."""
    six = position(fight="fire", b=SIX)
    bluff = position(
        "vulca,buka",
        fight="fire",
        b={
            "covered": ["buka-01", "buka-02"],
            "combat": ["buka-03"],
            "support": ["buka-25", "buka-26"],
            "bluffs": ["buka-11"],
        },
    )

    assert 2 == run_through(six, Retreat(player="a")).dragons_of(1)
    assert 1 == run_through(bluff, Retreat(player="a")).dragons_of(1)


def test_the_reminder_counts_the_cards_as_the_rules_do():
    """Six in the areas, covered ones too, face-down ones not; nothing is said of active ones."""
    words = next(each.text for each in GAME.reminders() if each.id == "dragons")

    assert "six or more cards in the combat and support areas, covered ones too, bluff cards not" in words
    assert "active" not in words


def test_the_example_of_a_retreat():
    """Ten cards in hand after Muster Reinforcements, seven cards: one dragon back, one attracted."""
    state = position(
        "vulca,hoax",
        fight="fire",
        active=1,
        dragons=-1,
        a={
            "covered": ["vulca-05", "vulca-06", "vulca-07"],
            "combat": ["vulca-03", "vulca-21"],
            "support": ["vulca-23", "khind-26"],
            "hand": ["vulca-08", "vulca-09", "vulca-10", "vulca-11", "vulca-12", "vulca-13"],
        },
        b={"hand": ["hoax-01", "hoax-02", "hoax-03", "hoax-04", "hoax-05", "hoax-27"]},
    )
    after = run_through(
        state, Lead(player="b", card="hoax-27"), Use(player="b", card="hoax-27"), Retreat(player="b")
    )

    assert (1, 0) == (after.dragons_of(0), after.dragons_of(1))
    assert (6, 10) == tuple(len(side.hand) for side in after.sides)
    assert "b" == GAME.turn_of(after)


@pytest.mark.parametrize(
    ("decks", "theirs"),
    [
        ("vulca,hoax", {"combat": ["hoax-10"]}),
        ("hoax,vulca", {"combat": ["vulca-01"], "support": ["vulca-27"]}),
    ],
)
def test_more_dragons_by_a_power(decks, theirs):
    """Redamikanas and the Fearsome Spirits attract one dragon more."""
    state = position(decks, fight="fire", b=theirs)

    assert 2 == run_through(state, Retreat(player="a")).dragons_of(1)


@pytest.mark.parametrize(
    ("decks", "mine", "theirs", "dragons"),
    [
        ("hoax,vulca", {"combat": ["hoax-11"]}, {"combat": ["vulca-01"], "support": ["vulca-27"]}, 0),
        ("flit,vulca", {"combat": ["flit-27"]}, {"combat": ["vulca-01"], "support": ["vulca-27"]}, 1),
        ("flit,vulca", {"combat": ["flit-27"]}, {"combat": ["vulca-01"]}, 0),
        ("khind,vulca", {"support": ["mimix-29"]}, {"combat": ["vulca-01"]}, 0),
    ],
)
def test_fewer_dragons_by_a_power(decks, mine, theirs, dragons):
    """One fewer, or none at all, also against cards that attract more."""
    state = position(decks, fight="fire", a=mine, b=theirs)

    assert dragons == run_through(state, Retreat(player="a")).dragons_of(1)


def test_distracted_dragons_come_one_at_most():
    """Distract Holy Dragon caps what a retreat of this turn costs."""
    state = position("flit,hoax", fight="fire", a={"hand": ["flit-29"]}, b=SIX)
    after = run_through(state, Lead(player="a", card="flit-29"), Retreat(player="a"))

    assert 1 == after.dragons_of(1)


@pytest.mark.parametrize(
    ("decks", "a", "b", "cards", "dragons"),
    [
        ("hoax,vulca", {}, {"combat": ["vulca-01"]}, ["hoax-11"], 1),  # Bethenitana: none
        ("flit,vulca", {}, {"combat": ["vulca-01"]}, ["flit-01", "flit-27"], 1),  # Sloth Gas: one fewer
        ("khind,vulca", {}, {"combat": ["vulca-01"]}, ["khind-10", "mimix-29"], 1),  # Fearsome Chant
        ("khind,hoax", {}, SIX, ["khind-10", "mimix-29"], 2),
        ("flit,vulca", {}, {"combat": ["vulca-01"], "support": ["vulca-27"]}, ["flit-08"], 2),  # ignores it
        ("flit,hoax", {}, {"combat": ["hoax-10"]}, ["flit-07"], 2),
        ("khind,vulca", {"support": ["mimix-29"]}, {"combat": ["vulca-01"]}, ["khind-10"], 0),  # laid before
        ("flit,vulca", {"combat": ["flit-27"]}, {"combat": ["vulca-01"]}, ["flit-01"], 1),  # covered now
        ("hoax,vulca", {"combat": ["hoax-11"]}, {"combat": ["vulca-01"]}, ["hoax-01"], 1),
        # What it costs once Tittertweet is covered is not lowered by Sloth Gas.
        ("flit,hoax", {"combat": ["flit-07"]}, {"combat": ["hoax-10"]}, ["flit-01", "flit-27"], 2),
    ],
)
def test_cards_laid_before_a_retreat_make_it_no_cheaper(decks, a, b, cards, dragons):
    """They may make it dearer, by covering what kept dragons away."""
    state = position(decks, fight="fire", a={**a, "hand": cards}, b=b)
    after = run_through(state, *play("a", *cards), Retreat(player="a"))

    assert dragons == after.dragons_of(1)


def test_cards_discarded_by_cards_laid_before_a_retreat_make_it_no_cheaper():
    """Not what Earthtremor or Cinder takes; what TopNotch of the last turn takes before is another matter."""
    spirits = position("terrah,vulca", fight="fire", b={"combat": ["vulca-01"], "support": ["vulca-27"]})
    tremor = position(
        "terrah,vulca",
        fight="fire",
        a={"hand": ["terrah-01", "terrah-19"]},
        b={"combat": ["vulca-01"], "support": ["vulca-27"]},
    )
    cinder = position("vulca,hoax", fight="fire", a={"hand": ["vulca-14"]}, b=SIX)
    notch = position("khind,hoax", fight="fire", a={"combat": ["khind-07"]}, b=SIX)
    for dragons, state, cards, gone in (
        (2, spirits, (), ()),
        (2, tremor, ("terrah-01", "terrah-19"), ("vulca-27",)),
        (2, cinder, ("vulca-14",), ("hoax-20",)),
        (1, notch, (), ("hoax-20",)),
    ):
        laid = run_through(state, *play("a", *cards))
        for card in gone:
            by = cards[-1] if cards else "khind-07"
            laid = run_through(laid, Use(player="a", card=by, cards=ids(card)))
        assert dragons == run_through(laid, Retreat(player="a")).dragons_of(1)


def test_cards_of_an_earlier_turn_count_for_the_next_retreat():
    """Fearsome Chant, announced with, keeps a dragon away a turn later."""
    state = position(
        "khind,vulca",
        fight="fire",
        a={"hand": ["khind-10", "mimix-29"]},
        b={"combat": ["vulca-13"], "hand": ["vulca-01"]},
    )
    held = announce(run_through(state, *play("a", "khind-10", "mimix-29")))
    answered = announce(run_through(held, *play("b", "vulca-01")))

    assert held.turn.retreat_cost is None
    assert 0 == run_through(answered, Retreat(player="a")).dragons_of(1)


def test_cards_cleared_away_unseen_keep_no_dragon_either():
    """Whether somebody says that Bethenitana was among them or not; she may have covered herself."""
    state = position(
        "hoax,vulca", fight="fire", a={"combat": ["hoax-11"], "hand": ["hoax-01"]}, b={"combat": ["vulca-01"]}
    )
    side = state.sides[0]
    hidden = replace(side, hand=(None, None), deck=(None,) * (len(side.deck) - 1))
    state = replace(state, sides=(hidden, state.sides[1]))

    assert 0 == run_through(state, Retreat(player="a")).dragons_of(1)
    assert 1 == run_through(state, Retreat(player="a", cards=(None,))).dragons_of(1)
    assert 1 == run_through(state, Retreat(player="a", cards=ids("hoax-02"))).dragons_of(1)


def test_dragons_of_the_other_side_go_to_the_board_first():
    """Two attracted against one dragon: one goes home, one comes over."""
    state = position(fight="fire", dragons=1, b=SIX)
    after = run_through(state, Retreat(player="a"))

    assert (0, 1) == (after.dragons_of(0), after.dragons_of(1))


# -- endings ------------------------------------------------------------------------------------------------


def test_the_fourth_dragon_wins_at_once():
    """All three are there already; the fight is not even cleared."""
    state = position(fight="fire", dragons=-3, b={"combat": ["hoax-04"]})
    after = run_through(state, Retreat(player="a"))

    assert {"winners": ["b"], "reason": "fourth_dragon", "draw": False, "dragons": 3} == GAME.result(after)
    assert [] == list(GAME.legal_actions(after))


def test_the_third_dragon_does_not_win():
    """Two dragons and one more are three: the game goes on."""
    state = position(fight="fire", dragons=-2, b={"combat": ["hoax-04"]})

    assert GAME.result(run_through(state, Retreat(player="a"))) is None


def test_the_example_of_a_won_game():
    """Vulca has laid its last card and had one dragon: it goes to the board, and Hoax, with cards, wins."""
    state = position(
        fight="earth",
        dragons=1,
        a={"hand": ["vulca-13", "vulca-18"], "only": []},
        b={"combat": ["hoax-12"], "support": ["hoax-21", "hoax-22"], "hand": ["hoax-09"]},
    )
    # Demegodas with two doubled supports is worth 8 here; the example has the Trebuchet only.
    lone = position(
        fight="earth",
        dragons=1,
        a={"hand": ["vulca-13", "vulca-18"], "only": []},
        b={"combat": ["hoax-12"], "support": ["hoax-21"], "hand": ["hoax-09", "hoax-22"]},
    )
    announced = run_through(
        lone, *play("a", "vulca-13", "vulca-18"), Announce(player="a", element="earth", total=5)
    )
    answered = run_through(announced, *play("b", "hoax-09", "hoax-22"))
    over = run_through(announce(answered), Retreat(player="a"))

    assert 8 == GAME.checkpoint(state)["totals"]["b"]["earth"]
    assert {"winners": ["b"], "reason": "fight", "draw": False, "dragons": 0} == GAME.result(over)


def test_most_dragons_win_when_the_cards_run_out_in_a_fight():
    """The one without cards wins all the same, with a dragon more."""
    state = position(fight="fire", dragons=2, a={"only": []}, b={"combat": ["hoax-04"]})

    assert ["a"] == GAME.result(run_through(state, Retreat(player="a")))["winners"]


def test_a_declined_fight_without_cards_ends_the_game():
    """The last card is discarded: no dragons anywhere, so the one with cards wins."""
    state = position(a={"hand": ["vulca-13"], "only": []})
    over = run_through(state, Decline(player="a", cards=ids("vulca-13")))

    assert {"winners": ["b"], "reason": "decline", "draw": False, "dragons": 0} == GAME.result(over)


def test_who_ran_out_last_wins_when_neither_has_cards_or_dragons():
    """Both used up their cards in the fight; b a turn later."""
    state = position(
        fight="fire",
        dragons=1,
        a={"hand": ["vulca-08"], "only": []},
        b={"combat": ["hoax-06"], "hand": ["hoax-01"], "only": []},
    )
    fought = announce(
        run_through(announce(run_through(state, *play("a", "vulca-08"))), *play("b", "hoax-01"))
    )
    over = run_through(fought, Retreat(player="a"))

    assert (0, 1) == over.out
    assert {"winners": ["b"], "reason": "fight", "draw": False, "dragons": 0} == GAME.result(over)


def test_a_power_can_bring_the_fourth_dragon():
    """Charm Holy Dragon paid with 8 in fire wins with three dragons."""
    state = position(dragons=3, a={"hand": ["vulca-29", "vulca-01", "vulca-10"]})
    over = run_through(
        state,
        Lead(player="a", card="vulca-29"),
        Use(player="a", card="vulca-29", cards=ids("vulca-01", "vulca-10")),
    )

    assert "fourth_dragon" == GAME.result(over)["reason"]
