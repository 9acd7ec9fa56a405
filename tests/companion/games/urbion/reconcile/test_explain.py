"""Reconciling Urbion: what a seen table means, what is waited for, what is named as wrong."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.decision import Accepted, Ask, InStep, OutOfStep, Waiting
from companion.games.urbion import GAME
from companion.games.urbion.actions import (
    Balance,
    Chaos,
    ChooseSide,
    Discard,
    Play,
    Prophecy,
    Reveal,
    Swap,
    SwapPolarity,
    Vanish,
)
from companion.games.urbion.state import Row
from companion.games.urbion.texts import dream_name
from companion.observation import Query
from companion.table import Place
from tests.benchmarks.nova_urbion_mischief import urbion_mischief
from tests.benchmarks.nova_urbion_reconcile import Noise, run

HAND = ("sanae-fire-1", "incubus-fire-2", "sanae-air-3", "incubus-earth-1")
NEXT = (
    "sanae-water-1",
    "incubus-water-2",
    "sanae-water-3",
    "incubus-water-1",
    "sanae-earth-4",
    "incubus-air-3",
)
ROWS = (
    Row(city="fire-air", left=("incubus-air-3",), right=("sanae-fire-3",)),
    Row(city="earth-water", left=("incubus-fire-1", "chaos"), right=("sanae-water-2",)),
    Row(city="fire-air", left=("incubus-earth-2",), right=()),
    Row(city="water-fire", left=(), right=("sanae-earth-1",)),
)


def table(**changes):
    """Return a state in play on a table worked out by hand."""
    players = changes.pop("players", 1)
    state = GAME.start(GAME.deal(random.Random(3), {"players": players}))
    assert state.pending is None
    hands = (HAND, ("sanae-air-2", "incubus-air-2", "sanae-fire-2", "incubus-fire-3"))[:players]
    return replace(state, **{"rows": ROWS, "hands": hands, "dreams": NEXT, **changes})


def look(state, picture, **more):
    """Explain a picture in a state."""
    return GAME.explain(state, Query(picture=picture, **more))


def after(state, *actions):
    """Return the state after the actions."""
    for action in actions:
        state = GAME.apply(state, action)[0]
    return state


def at(seed, turns):
    """Return (state, random) after some random turns of a game without Prophecy."""
    rng = random.Random(seed)
    books = rng.choice(([], ["flying_incubi", "agoraphilia"], ["invisible_sanae", "amazing_balance"]))
    state = GAME.start(
        GAME.deal(rng, {"players": 1 + seed % 2, "books": books, "archiplaces": seed % 3 == 0})
    )
    player = GAME.random_player(rng)
    for _ in range(turns):
        if GAME.result(state) is not None:
            break
        state = after(state, player(state))
    return state, rng


# -- what is accepted ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action",
    [
        Play(player="anna", card=HAND[0], row=0, side="right"),
        Discard(player="anna", card=HAND[1]),
        Swap(player="anna", card=HAND[2], side="left", cards=((0, "incubus-air-3"), (1, "chaos"))),
        Balance(player="anna", card=HAND[3]),
    ],
)
def test_turns_of_the_worked_table_are_accepted(action):
    """Playing, discarding, swapping and claiming are told from rows and hand."""
    state = table()

    assert look(state, GAME.predict(after(state, action))).actions == (action,)


def test_cards_are_compared_as_multisets():
    """In which order cards lie on a side or in a hand says nothing."""
    state = table()
    picture = dict(GAME.predict(state))
    picture["dream:1:left:0"], picture["dream:1:left:1"] = "chaos", "incubus-fire-1"
    picture["hand:anna:0"], picture["hand:anna:3"] = HAND[3], HAND[0]

    assert isinstance(look(state, picture), InStep)


def test_two_turns_of_two_players_are_found_at_once():
    """The second turn may even touch what the first one laid."""
    state = table(players=2)
    play = Play(player="anna", card=HAND[0], row=0, side="right")
    swap = Swap(player="ben", card="sanae-air-2", side="right", cards=((0, HAND[0]), (3, "sanae-earth-1")))

    assert look(state, GAME.predict(after(state, play, swap))).actions == (play, swap)


def test_chaos_and_dealt_pairs_are_decided_by_the_table():
    """A placed Chaos card and a chosen side are told from the rows, together with their turn."""
    state = table(dreams=("chaos", *NEXT))
    turn = Play(player="anna", card=HAND[0], row=0, side="right")
    place = Chaos(player="anna", way="place", row=1)
    assert look(state, GAME.predict(after(state, turn, place))).actions == (turn, place)
    assert look(after(state, turn), GAME.predict(after(state, turn, place))).actions == (place,)

    dealt = table(dreams=("chaos", "chaos", *NEXT))
    claim, side = Balance(player="anna", card=HAND[3]), ChooseSide(player="anna", side="right")
    assert after(dealt, claim).pending == "side"
    assert look(dealt, GAME.predict(after(dealt, claim, side))).actions == (claim, side)


def test_a_hidden_order_of_prophecy_is_asked_for_and_a_shown_one_is_not():
    """The drawn card tells the order of two dreams; four leave an order that nobody can see."""
    two = table(books=("prophecy",))
    swapped = Prophecy(player="anna", card=HAND[0], order=(NEXT[1], NEXT[0]))
    assert look(two, GAME.predict(after(two, swapped))).actions == (swapped,)

    four = table(books=("prophecy", "prophecy"))
    order = Prophecy(player="anna", card=HAND[0], order=(NEXT[2], NEXT[1], NEXT[0], NEXT[3]))
    decision = look(four, GAME.predict(after(four, order)))
    assert isinstance(decision, Ask)
    assert len(decision.choices) == 6


def test_amazing_balance_without_a_perfect_one_is_no_question():
    """Two ways to the same state are no reason to ask."""
    state = table(books=("amazing_balance",))
    claim = Balance(player="anna", card=HAND[3], is_amazing=True)

    assert isinstance(look(state, GAME.predict(after(state, claim))), Accepted)


# -- hidden decks ----------------------------------------------------------------------------------------


def test_unknown_dreams_and_cities_are_read_off_the_table():
    """What was drawn lies open: hand, dealt pairs and new cities reveal it."""
    truth = table()
    closed = replace(truth, dreams=(None,) * len(NEXT), cities=(None,) * len(truth.cities))
    for action in (
        Play(player="anna", card=HAND[0], row=0, side="right"),
        Discard(player="anna", card=HAND[1]),
        Balance(player="anna", card=HAND[3]),
    ):
        done = after(truth, action)
        decision = look(closed, GAME.predict(done))
        assert isinstance(decision, Accepted)
        reveal, turn = decision.actions
        assert isinstance(reveal, Reveal)
        assert turn == action
        told = after(closed, *decision.actions)
        assert [row and (row.city, Counter(row.left), Counter(row.right)) for row in told.rows] == [
            row and (row.city, Counter(row.left), Counter(row.right)) for row in done.rows
        ]
        assert Counter(told.hands[0]) == Counter(done.hands[0])


def test_an_unknown_chaos_is_read_off_its_city():
    """A Chaos card at a city and a full hand show that it was drawn and placed."""
    truth = table(dreams=("chaos", *NEXT))
    closed = replace(truth, dreams=(None,) * 7)
    turn = Play(player="anna", card=HAND[0], row=0, side="right")
    place = Chaos(player="anna", way="place", row=1)
    decision = look(closed, GAME.predict(after(truth, turn, place)))

    chaos, drawn = Reveal(dreams=("chaos",)), Reveal(dreams=(NEXT[0],))
    assert decision.actions == (chaos, turn, drawn, place)


def test_what_a_chaos_draw_throws_away_is_read_and_never_guessed():
    """Four dreams drawn from an unknown deck are believed where they lie open, and nowhere else."""
    truth = table(dreams=("chaos", *NEXT))
    turn, draw = Discard(player="anna", card=HAND[0]), Chaos(player="anna", way="draw")
    closed = replace(after(truth, turn), dreams=(None,) * 6)
    picture = GAME.predict(after(truth, turn, draw))

    assert look(closed, picture).actions == (Reveal(dreams=NEXT[:5]), draw)
    heaped = {where: None if where.startswith("drawn") else value for where, value in picture.items()}
    assert not isinstance(look(closed, heaped), Accepted)


# -- what is waited for ----------------------------------------------------------------------------------


def test_a_spent_card_is_waited_for_until_its_effect_is_seen():
    """A card gone from the hand may still become anything."""
    state = table()
    picture = dict(GAME.predict(state))
    picture["hand:anna:0"], picture["discard"] = None, HAND[0]
    decision = look(state, picture)

    assert isinstance(decision, Waiting)
    assert dream_name(HAND[0]) in decision.text
    picture["dream:0:left:0"] = None
    assert isinstance(look(state, picture), Waiting)


def test_a_turn_without_a_trace_is_believed_only_with_the_drawn_card():
    """Until the hand is full again, or what was drawn is seen to wait, it may be the beginning of a swap."""
    state = table(dreams=("chaos", *NEXT))
    discard = Discard(player="anna", card=HAND[0])
    place = Chaos(player="anna", way="place", row=1)

    picture = GAME.predict(after(state, discard))
    assert look(state, picture).actions == (discard,)
    held = {where: None if where.startswith("waiting") else value for where, value in picture.items()}
    assert isinstance(look(state, held), Waiting)
    assert look(state, GAME.predict(after(state, discard, place))).actions == (discard, place)


def test_cards_still_to_be_laid_are_asked_for():
    """A claim whose new city is not laid out yet says what is missing."""
    state = table()
    done = GAME.predict(after(state, Balance(player="anna", card=HAND[3])))
    picture = {**done, **{w: None for w in done if w.startswith(("dream:0", "city:0"))}}
    picture["hand:anna:3"] = None
    decision = look(state, picture)

    assert isinstance(decision, Waiting)
    assert not isinstance(look(state, done), Waiting)


def test_a_hand_over_the_table_is_waited_for_and_a_game_that_is_over_is_not():
    """Nothing is decided under a hand, nothing is asked after the end."""
    state = table()
    done = after(state, Play(player="anna", card=HAND[0], row=0, side="right"))

    assert isinstance(look(state, GAME.predict(done), busy=True), Waiting)
    assert isinstance(look(replace(state, reason="dreams"), {}), InStep)


def test_a_late_discard_pile_is_waited_for():
    """Only the top of the pile is still the old one."""
    state = table()
    done = after(state, Discard(player="anna", card=HAND[0]))
    picture = {**GAME.predict(done), Place("discard"): None}

    assert isinstance(look(done, picture), Waiting)


# -- what is wrong ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_every_mischief_is_named_with_its_rule(seed):
    """Each thing that players get wrong names its rule, in words, with what to put back, removals first."""
    state, rng = at(seed, seed % 25)
    if GAME.result(state) is not None:
        return
    for name, (picture, rules) in urbion_mischief(rng, state):
        decision = look(state, picture)
        if isinstance(decision, Waiting) and name == "removed too much":
            continue  # the beginning of a legal removal
        assert isinstance(decision, OutOfStep), name
        assert decision.rule in rules, name
        assert GAME.rule_text(decision.rule, decision.params) == decision.text
        assert decision.fixes
        removals = [fix.is_removal for fix in decision.fixes]
        assert removals == sorted(removals, reverse=True)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"city:2": "water-fire"}, "city.changed"),
        ({"dream:2:right:0": "chaos"}, "chaos.none"),
        ({"dream:2:right:0": "sanae-fire-4"}, "card.added"),
        ({"dream:1:left:1": None}, "card.removed"),
        ({"hand:anna:0": "sanae-fire-4"}, "draw.other_card"),
    ],
)
def test_changes_without_a_turn_are_named(change, rule):
    """Cards and cities that change for no reason."""
    state = table()
    decision = look(state, {**GAME.predict(state), **change})

    assert isinstance(decision, OutOfStep)
    assert decision.rule == rule


def test_polarity_cards_do_not_change_places_by_themselves():
    """Without a spent card the polarity stays; with one it is a turn."""
    state = table(players=2)
    swapped = {**GAME.predict(state), Place("polarity:anna"): "incubi", Place("polarity:ben"): "sanae"}
    turn = SwapPolarity(player="anna", card=HAND[0])

    assert look(state, swapped).rule == "polarity.changed"
    assert look(state, GAME.predict(after(state, turn))).actions == (turn,)


def test_the_fixes_put_the_table_right():
    """Doing what is asked for leads back to a table that is in step."""
    state, rng = at(4, 9)
    for _, (picture, _) in urbion_mischief(rng, state):
        decision = look(state, picture)
        if not isinstance(decision, OutOfStep):
            continue
        fixed = dict(picture)
        for fix in decision.fixes:
            fixed[fix.place] = fix.wanted
        assert isinstance(look(state, fixed), InStep)


def test_noise_commits_nothing_wrong_and_names_what_is():
    """Through noise, unseen turns and fouls: no wrong commit, fouls named, no needless question."""
    tally = run("urbion", 12, 1, Noise())

    assert tally.counts["wrong commits"] == 0
    assert sum(tally.missed.values()) <= tally.counts["fouls"] / 50
    assert tally.counts["questions that the whole picture decides"] <= tally.counts["actions"] / 100


def test_a_card_counts_as_seen_only_beside_its_equals():
    """Of two Chaos cards at a city one is no evidence for the other, whose place was not seen."""
    rows = (*ROWS[:3], Row(city="water-fire", left=(), right=("chaos", "sanae-earth-1")))
    state = table(rows=rows, dreams=("chaos", "chaos", *NEXT))
    state = after(state, Discard(player="anna", card=HAND[0]))
    place = Chaos(player="anna", way="place", row=3)
    picture = dict(GAME.predict(after(state, place)))
    for where in ("dream:3:right:2", "dream:1:left:2"):
        del picture[where]

    assert isinstance(look(state, picture), InStep | Waiting)


# -- closed games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_everybody_knows_what_the_set_up_lays_out_and_nothing_more(seed):
    """The public header shows the same table as the dealt one; the rest of the decks is unknown."""
    header = GAME.deal(random.Random(seed), {"players": 1 + seed % 2, "books": seed % 3})
    public = GAME.public_header(header)
    state, known = GAME.start(header), GAME.start(public)

    assert GAME.predict(known) == GAME.predict(state)
    assert set(known.dreams) == set(known.cities) == {None}
    assert len(known.dreams) == len(state.dreams)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_players_can_tell_a_whole_game_at_a_closed_table(seed):
    """What is entered by hand, with the cards that came out, leads to the same table as the open game."""
    rng = random.Random(seed)
    books = ["prophecy"] if seed % 2 else []
    header = GAME.deal(rng, {"players": 1 + seed % 2, "books": books})
    true, known = GAME.start(header), GAME.start(GAME.public_header(header))
    choose = GAME.random_player(rng)
    for _ in range(40):
        if GAME.result(true) is not None:
            break
        action = choose(true)
        for told in GAME.told(known, true, action):
            known = after(known, told)
        true = after(true, action)

        assert GAME.predict(known) == GAME.predict(true)
        assert len(known.dreams) == len(true.dreams)


def test_a_card_that_may_have_been_drawn_again_is_no_turn():
    """When somebody out of turn spends a card, the other player has not just drawn what he spent."""
    truth = table(players=2)
    closed = replace(truth, dreams=(None,) * len(NEXT))
    wrong = after(replace(truth, active=1), Discard(player="ben", card="sanae-air-2"))
    decision = look(closed, GAME.predict(wrong))

    assert isinstance(decision, OutOfStep)
    assert decision.rule == "turn.other"


def test_a_discard_that_was_drawn_again_may_have_been_two_turns_of_one_who_plays_alone():
    """Two turns, in which any other card was spent first and drawn again, leave the very same table."""
    truth = table(dreams=(HAND[0], *NEXT))
    closed = replace(truth, dreams=(None,) * len(truth.dreams))
    decision = look(closed, GAME.predict(after(truth, Discard(player="anna", card=HAND[0]))))

    assert isinstance(decision, Ask)
    assert [len(choice.actions) for choice in decision.choices] == [2, 0]


@pytest.mark.parametrize(
    ("where", "card"), [("hand:anna:2", NEXT[1]), ("discard", NEXT[1]), ("city:2", "water-air")]
)
def test_what_was_glimpsed_and_has_no_place_in_a_turn_is_asked_about(where, card):
    """A card that was drawn and spent between two looks, or a city that came and went."""
    truth = table()
    closed = replace(truth, dreams=(None,) * len(NEXT))
    turn = Discard(player="anna", card=HAND[0])
    done = GAME.predict(after(truth, turn))

    decision = look(closed, done, glimpsed={Place(where): {card: 3}})

    assert isinstance(decision, Ask)
    assert decision.choices[0].actions == (Reveal(dreams=(NEXT[0],)), turn)
    assert decision.choices[1].actions == ()


@pytest.mark.parametrize(
    ("where", "card", "times"),
    [
        ("hand:anna:2", NEXT[1], 2),
        ("hand:anna:2", NEXT[0], 9),
        ("hand:anna:0", HAND[3], 9),
        ("hand:anna:0", None, 9),
        ("discard", HAND[0], 9),
        ("city:2", ROWS[2].city, 9),
        ("dream:2:left:1", NEXT[1], 9),
    ],
)
def test_what_was_glimpsed_of_a_turn_or_misread_is_not_asked_about(where, card, times):
    truth = table()
    closed = replace(truth, dreams=(None,) * len(NEXT))
    turn = Discard(player="anna", card=HAND[0])
    done = GAME.predict(after(truth, turn))

    decision = look(closed, done, glimpsed={Place(where): {card: times}})

    assert isinstance(decision, Accepted)
    assert decision.actions[-1] == turn


def test_a_city_dealt_just_like_the_claimed_one_may_never_have_been_claimed():
    """A dream of a balanced city vanishes and Chaos joins the other: or all was claimed and dealt alike."""
    truth = table(books=("invisible_sanae",), dreams=("chaos", *NEXT))
    closed = replace(truth, dreams=(None,) * 7, cities=(None,) * len(truth.cities))
    vanish = Vanish(player="anna", card=HAND[0], book="invisible_sanae", row=0, dream="sanae-fire-3")
    place_it = Chaos(player="anna", way="place", row=0)

    decision = look(closed, GAME.predict(after(truth, vanish, place_it)))

    assert isinstance(decision, Ask)
    told = [[action for action in c.actions if not isinstance(action, Reveal)] for c in decision.choices]
    assert told == [[Balance(player="anna", card=HAND[0])], [vanish, place_it]]


def test_no_city_is_claimed_if_the_same_cards_would_have_to_be_dealt_again():
    """Two dreams of balanced cities are swapped. Or both cities were claimed, and all of it came again."""
    rows = (
        Row(city="fire-air", left=("incubus-air-1",), right=("sanae-earth-1",)),
        Row(city="earth-water", left=("incubus-fire-1",), right=("sanae-water-1",)),
        *ROWS[2:],
    )
    truth = table(rows=rows, dreams=("incubus-water-3", *NEXT))
    closed = replace(truth, dreams=(None,) * 7, cities=(None,) * len(truth.cities))
    swap = Swap(player="anna", card=HAND[2], side="right", cards=((0, "sanae-earth-1"), (1, "sanae-water-1")))

    decision = look(closed, GAME.predict(after(truth, swap)))

    assert isinstance(decision, Accepted)
    assert [each for each in decision.actions if not isinstance(each, Reveal)] == [swap]


def test_a_swap_half_done_is_no_city_claimed_for_which_nothing_new_lies_there():
    """A Chaos card lies at its new city already. Or a city was claimed, dealt again, and Chaos laid there."""
    rows = (
        Row(city="earth-air", left=("incubus-fire-1",), right=()),
        Row(city="earth-fire", left=("chaos",), right=("sanae-air-2", "sanae-fire-3")),
        *ROWS[2:],
    )
    truth = table(rows=rows, dreams=("sanae-air-1", *NEXT))
    closed = replace(truth, dreams=(None,) * 7, cities=(None,) * len(truth.cities))
    swap = Swap(player="anna", card=HAND[1], side="left", cards=((0, "incubus-fire-1"), (1, "chaos")))
    swapped = GAME.predict(after(truth, swap))
    half = {**swapped, "dream:0:left:0": "incubus-fire-1", "dream:0:left:1": "chaos", "dream:1:left:0": None}

    decision = look(closed, half)

    assert isinstance(decision, Ask)
    assert [choice.actions for choice in decision.choices][1:] == [()]
    assert isinstance(look(closed, swapped), Accepted)


def test_a_turn_waits_until_its_card_is_drawn():
    """With an unknown deck the effect alone does not say what came into the hand."""
    truth = table()
    closed = replace(truth, dreams=(None,) * len(NEXT))
    done = GAME.predict(after(truth, Play(player="anna", card=HAND[0], row=0, side="right")))
    decision = look(closed, {**done, Place("hand:anna:3"): None})

    assert isinstance(decision, Waiting)
    assert "draws" in decision.text
