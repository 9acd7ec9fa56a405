"""What a picture of the table means: in step, accepted, waiting, a question, out of step."""

from __future__ import annotations

import random
import statistics
import time
from dataclasses import replace

import pytest

from companion.decision import Accepted, Ask, InStep, OutOfStep, Waiting
from companion.games.blue_moon_legends.actions import (
    Action,
    Announce,
    Bluff,
    Call,
    Count,
    Decline,
    Discard,
    End,
    Launch,
    Lead,
    Load,
    Pay,
    Play,
    Retreat,
    Retrieve,
    Trust,
    Unload,
    Use,
)
from companion.games.blue_moon_legends.state import with_side
from companion.games.blue_moon_legends.table import format_table, row
from companion.observation import Query
from companion.reconcile.beam_search import agreed, courses
from companion.table import Place
from tests.benchmarks.legends_reconcile import Noise, Tally, follow
from tests.helpers.legends import GAME, announce, ids, play, position, refused, run_through


def veil(state, *sides):
    """Return the state with the hands and decks of these sides unknown."""
    hidden = list(state.sides)
    for number in sides or (0, 1):
        side = hidden[number]
        hidden[number] = replace(side, hand=(None,) * len(side.hand), deck=(None,) * len(side.deck))
    return replace(state, sides=tuple(hidden))


def seen(state, *, without=(), **kinds):
    """Return a snapshot of a state's table without the places of some kinds."""
    picture = {
        where: value for where, value in GAME.predict(state).items() if where.partition(":")[0] not in without
    }
    return Query(picture=picture, **kinds)


def changed(state, places, **kinds):
    """Return a snapshot of a state's table with some places changed."""
    return Query(picture={**GAME.predict(state), **places}, **kinds)


COUNTS = ("hand", "deck", "discard")


def fighting(**zones):
    """Return a running fight in fire, a to act against 3 of b, seen by an onlooker."""
    a = zones.pop("a", {})
    decks = zones.pop("decks", "vulca,hoax")
    b = dict(zones.pop("b", {"combat": ["hoax-05"]}))
    first, second = ("hoax-01", "hoax-02") if decks.endswith("hoax") else ("vulca-01", "vulca-03")
    b["hand"] = [card for card in (first, second) if card not in b["combat"]]
    hand = ["vulca-08", "vulca-18", "vulca-23", "vulca-14", "vulca-30", "vulca-12"]
    return veil(position(decks, fight="fire", a={"hand": hand, **a}, b=b, **zones))


def test_the_own_prediction_is_in_step():
    """Whole, in part, or with nothing seen at all."""
    state = fighting()

    assert isinstance(GAME.explain(state, seen(state)), InStep)
    assert isinstance(GAME.explain(state, seen(state, without=COUNTS)), InStep)
    assert isinstance(GAME.explain(state, Query(picture={})), InStep)


@pytest.mark.parametrize(
    "actions",
    [
        play("a", "vulca-08"),
        play("a", "vulca-08", "vulca-18"),
        [Lead(player="a", card="vulca-30")],
        [Lead(player="a", card="vulca-30"), *play("a", "vulca-08", "vulca-23")],
        [*play("a", "vulca-08"), Announce(player="a", element="fire", total=4), *play("b", "hoax-01")],
        [Retreat(player="a")],
        [Retreat(player="a"), *play("a", "vulca-08")],
    ],
)
def test_what_happened_is_found(actions):
    """From the cards on the table alone, a turn or more at once; orders that end alike are one."""
    state = fighting(b={"combat": ["hoax-07"]})
    after = run_through(state, *actions)
    decision = GAME.explain(state, seen(after, without=COUNTS))

    assert isinstance(decision, Accepted)
    assert GAME.predict(after) == GAME.predict(run_through(state, *decision.actions))
    assert len(actions) == len(decision.actions)


def test_numbers_of_cards_tell_what_cards_do_not():
    """A declined fight shows in the piles only; where they are not read, nothing is said."""
    state = veil(position(a={"hand": ["vulca-01", "vulca-03", "vulca-04"]}, b={"hand": ["hoax-01"]}))
    after = run_through(state, Decline(player="a", cards=(None, None)))

    assert (Decline(player="a", cards=(None, None)),) == GAME.explain(state, seen(after)).actions
    assert isinstance(GAME.explain(state, seen(after, without=COUNTS)), InStep)


def test_a_fight_of_the_other_side_means_that_this_one_declined():
    """How many cards were discarded stays open, for the table does not say."""
    state = veil(position(a={"hand": ["vulca-01", "vulca-03", "vulca-04"]}, b={"hand": ["hoax-01"]}))
    after = run_through(state, Decline(player="a", cards=(None,)), *play("b", "hoax-01"))
    decision = GAME.explain(state, seen(after, without=COUNTS))

    assert isinstance(decision, Accepted)
    assert Decline(player="a", cards=(None,), more=2) == decision.actions[0]


def test_how_many_were_discarded_is_asked_where_it_matters():
    """Of a deck so small the last card may have been drawn."""
    hand = ["vulca-01", "vulca-03", "vulca-04", "vulca-05", "vulca-06", "vulca-07"]
    mine = {"hand": hand, "deck": ["vulca-08", "vulca-09", "vulca-10"], "only": []}
    state = veil(position(a=mine, b={"hand": ["hoax-01"]}))
    after = run_through(state, Decline(player="a", cards=(None, None)), *play("b", "hoax-01"))
    look = seen(after, without=COUNTS)

    assert isinstance(GAME.explain(state, look), Waiting)
    left = replace(look, picture={**look.picture, Place("left:a"): "back"})
    assert isinstance(GAME.explain(state, left), Accepted)
    used_up = replace(look, picture={**look.picture, Place("deck:a"): None})
    assert (None, None, None) == GAME.explain(state, used_up).actions[0].cards


def test_a_deck_that_is_used_up_is_counted():
    """How many cards it had tells how many came to the hand; that is asked where nothing shows it."""
    mine = {"combat": ["vulca-14"], "hand": ["vulca-08", "vulca-18", "vulca-23"]}
    state = fighting(a=mine, b={"combat": ["hoax-07"]})
    state = with_side(state, 0, replace(state.sides[0], deck=(None,) * 6, uncounted=5))
    after = run_through(state, *play("a", "vulca-08"), Announce(player="a", element="fire", total=4))
    laid = run_through(after, *play("b", "hoax-01"))
    picture = seen(laid, without=COUNTS).picture
    empty = {**picture, Place("deck:a"): None}

    assert isinstance(GAME.explain(state, Query(picture={**picture, Place("left:a"): "back"})), Accepted)
    asked = GAME.explain(state, Query(picture=empty))
    assert isinstance(asked, Ask)
    assert [Count(player="a", number=number) for number in (1, 2, 3, 4)] == [
        choice.actions[0] for choice in asked.choices
    ]
    hands = {Place("hand:a"): "4", Place("hand:b"): GAME.predict(laid)[Place("hand:b")]}
    counted = GAME.explain(state, Query(picture={**empty, **hands}))
    assert Count(player="a", number=2) == counted.actions[0]
    assert isinstance(GAME.explain(state, Query(picture=picture)), Waiting)


def test_a_reading_that_includes_another_is_no_question():
    """Cards may have been laid unseen before a retreat; how many went to the pile is open all the same."""
    state = fighting()
    state = replace(state, sides=tuple(replace(side, discard=(None,)) for side in state.sides))
    after = run_through(state, Retreat(player="a"), Decline(player="a", cards=(None,)), *play("b", "hoax-02"))
    tops = {Place("top:a"): "vulca-25", Place("left:a"): "back", Place("left:b"): "back"}
    look = seen(after, without=COUNTS, before={Place("top:a"): "vulca-05"})

    decision = GAME.explain(state, replace(look, picture={**look.picture, **tops}))
    assert isinstance(decision, Accepted)
    assert sum(action.more or 0 for action in decision.actions[:2]) >= 2


def test_the_element_is_asked_when_no_token_shows_it():
    """The other side goes on: what was announced, nobody saw."""
    state = veil(position(a={"hand": ["vulca-13"]}, b={"hand": ["hoax-01"]}))
    after = run_through(
        state, *play("a", "vulca-13"), Announce(player="a", element="fire", total=2), *play("b", "hoax-01")
    )
    shown = GAME.explain(state, seen(after, without=COUNTS))
    hidden = GAME.explain(state, seen(after, without=(*COUNTS, "element")))

    assert "fire" == shown.actions[1].element
    assert isinstance(hidden, Ask)
    assert {"fire", "earth"} == {choice.actions[1].element for choice in hidden.choices}


def test_cards_that_go_are_explained_by_icons_and_powers():
    """Retrieved, discarded by Cinder, taken off with the earthquake."""
    own = fighting(
        decks="hoax,vulca", a={"hand": ["hoax-01"], "support": ["hoax-24"]}, b={"combat": ["vulca-13"]}
    )
    cinder = fighting(b={"combat": ["hoax-05"], "support": ["hoax-20", "hoax-21"]})
    back = run_through(own, Retrieve(player="a", card="hoax-24"))
    gone = run_through(cinder, *play("a", "vulca-14"), Use(player="a", card="vulca-14", cards=ids("hoax-20")))

    assert (Retrieve(player="a", card="hoax-24"),) == GAME.explain(own, seen(back, without=COUNTS)).actions
    assert ids("hoax-20") == GAME.explain(cinder, seen(gone, without=COUNTS)).actions[1].cards


def test_ships_are_followed():
    """Played, loaded, unloaded, played from."""
    state = veil(
        position(
            "buka,vulca",
            fight="fire",
            a={"hand": ["buka-29", "buka-01"], "ships": ["buka-30:buka-02"]},
            b={"combat": ["vulca-13"]},
        )
    )
    for actions in (
        [Launch(player="a", card="buka-29")],
        [*play("a", "buka-01"), Load(player="a", card="buka-03", ship="buka-30")],
        [Unload(player="a", ship="buka-30"), *play("a", "buka-02", from_ship=True)],
    ):
        after = run_through(state, *actions)
        assert tuple(actions) == GAME.explain(state, seen(after, without=COUNTS)).actions


def test_bluffs_are_followed_and_their_call():
    """A face-down card is a bluff nobody knows; turned up it is a call, and what to tidy up is said."""
    state = veil(
        position(
            "buka,vulca",
            fight="fire",
            a={"hand": ["buka-04", "buka-11"]},
            b={"combat": ["vulca-13"], "hand": ["vulca-01"]},
        )
    )
    table = {
        **GAME.predict(run_through(state, *play("a", "buka-04"))),
        **dict(row(("support", "a"), ["back"])),
    }
    table = {where: value for where, value in table.items() if where.partition(":")[0] not in COUNTS}
    laid = GAME.explain(state, Query(picture=table))
    after = run_through(state, *laid.actions)
    announced = announce(after)
    turned = GAME.explain(announced, changed(announced, dict(row(("support", "a"), ["buka-11"]))))
    trusted = run_through(announced, Trust(player="b"), *play("b", "vulca-01"))

    assert laid.actions[1].card is None
    assert (Call(player="b", cards=ids("buka-11"), is_true=True),) == turned.actions
    assert any("Take away Cannoneer Riba Ko" in fix.text for fix in turned.pending)
    assert Trust(player="b") in GAME.explain(announced, seen(trusted, without=COUNTS)).actions


@pytest.mark.parametrize(
    ("deck", "actions"),
    [
        ("hoax", [Lead(player="a", card="hoax-29"), *play("a", "hoax-01", "hoax-20", "hoax-21", "hoax-22")]),
        ("flit", [Lead(player="a", card="flit-31"), *play("a", "flit-01", "flit-15", "flit-17", "flit-22")]),
        ("hoax", play("a", "hoax-14", "hoax-20")),
        ("pillar", play("a", "pillar-11", "pillar-21")),
        ("aqua", play("a", "aqua-01", "aqua-16", "aqua-21")),
        ("aqua", play("a", "aqua-12", "aqua-18")),
        ("buka", [*play("a", "buka-20", "buka-25"), Bluff(player="a", card=None)]),
        ("buka", [*play("a", "buka-20"), Load(player="a", card="buka-02", ship="buka-30")]),
        (
            "buka",
            [
                Lead(player="a", card="buka-27"),
                Use(player="a", card="buka-27", cards=ids("buka-29")),
                Use(player="a", card="buka-29", cards=ids("buka-01")),
                Use(player="a", card="buka-29", cards=ids("buka-02")),
            ],
        ),
    ],
)
def test_turns_that_begin_a_fight_are_followed(deck, actions):
    """Boosters, supports, bluffs and loads that texts or icons allow; a ship that is found and loaded."""
    ships = {"ships": ["buka-30"]} if deck == "buka" else {}
    hand = [f"{deck}-{number:02}" for number in (3, 4, 5, 6, 7, 8)]
    state = veil(position(f"{deck},vulca", a={"hand": hand, **ships}, b={"hand": ["vulca-01"]}))
    after = run_through(state, *actions)
    decision = GAME.explain(state, seen(after))

    assert isinstance(decision, Accepted)
    assert len(actions) == len(decision.actions)
    assert GAME.predict(after) == GAME.predict(run_through(state, *decision.actions))


def test_a_fight_declined_after_bounce_back_is_followed():
    """The leadership card lies there, and one card more on the pile."""
    state = veil(position("pillar,vulca", a={"hand": ["khind-31", "pillar-07"]}, b={"hand": ["vulca-01"]}))
    led = run_through(state, Lead(player="a", card="khind-31"))
    declined = run_through(led, Decline(player="a", cards=(None,)))

    assert (Lead(player="a", card="khind-31"),) == GAME.explain(state, seen(led)).actions
    assert declined == run_through(led, *GAME.explain(led, seen(declined)).actions)


def test_payments_show_in_the_piles():
    """Two cards fewer in hand, two more on the pile: the Caterpillar was paid; which cards is not asked."""
    state = veil(
        position(
            "vulca,pillar",
            fight="fire",
            a={"hand": ["vulca-01", "vulca-12", "vulca-13"]},
            b={"combat": ["pillar-18"]},
        )
    )
    after = run_through(state, Pay(player="a", card="pillar-18", cards=(None, None)))

    assert (Pay(player="a", card="pillar-18", cards=(None, None)),) == GAME.explain(
        state, seen(after)
    ).actions


# -- waiting ------------------------------------------------------------------------------------------------


def test_a_hand_over_the_table_is_waited_for():
    """Nothing is decided meanwhile."""
    state = fighting()

    assert isinstance(
        GAME.explain(state, seen(run_through(state, *play("a", "vulca-08")), busy=True)), Waiting
    )


@pytest.mark.parametrize(
    ("decks", "card", "zones"),
    [
        ("vulca,hoax", "vulca-08", {}),
        ("vulca,hoax", "vulca-15", {"support": ["vulca-23"]}),  # Flare may draw before the turn ends
        ("buka,hoax", "buka-01", {"bluffs": ["buka-11"]}),  # the bluff may be called
    ],
)
def test_who_retreated_is_asked_where_no_dragon_tells(decks, card, zones):
    """Both areas are cleared: one retreated, or announced and the other did."""
    a = {"hand": [card, "vulca-01"] if decks.startswith("vulca") else [card, "buka-02"], **zones}
    laid = run_through(fighting(decks=decks, a=a), *play("a", card))
    after = run_through(laid, Retreat(player="a"))
    decision = GAME.explain(laid, seen(after, without=(*COUNTS, "dragon")))

    assert isinstance(decision, Ask)
    assert {"a", "b"} == {choice.actions[-1].player for choice in decision.choices}
    assert {Retreat} == {type(choice.actions[-1]) for choice in decision.choices}


def test_a_retreat_being_tidied_up_is_waited_for():
    """The dragon has moved or most cards are gone; the rest is listed."""
    state = fighting(a={"combat": ["vulca-13", "vulca-18"]}, b={"combat": ["hoax-05"]})
    after = run_through(state, Retreat(player="a"))
    half = changed(after, dict(row(("combat", "b"), ["hoax-05"])))
    dragon = {where: value for where, value in GAME.predict(after).items() if where.startswith("dragon")}

    first = GAME.explain(state, changed(state, dragon))
    second = GAME.explain(state, half)
    assert isinstance(first, Waiting)
    assert isinstance(second, Waiting)
    assert any("Take away Ciklarethas the Bitter" in fix.text for fix in second.pending)


def test_a_dragon_that_went_further_than_a_retreat_takes_it_is_named():
    """One step is a fight's; the other side's dragon goes back to the board first."""
    state = fighting(dragons=1, a={"combat": ["vulca-13", "vulca-18"]}, b={"combat": ["hoax-05"]})
    after = run_through(state, Retreat(player="a"))
    further = {Place("dragon:2"): "b"}

    named = GAME.explain(state, changed(after, further))

    assert isinstance(named, OutOfStep)
    assert (named.rule, dict(named.params)) == ("dragon.unearned", {"player": "b", "dragons": 0})


def test_an_unread_card_is_waited_for():
    """Something new lies there; what, will be seen."""
    state = fighting()
    picture = dict(GAME.predict(run_through(state, *play("a", "vulca-08"))))
    del picture[Place("combat:a:0")]

    assert isinstance(GAME.explain(state, Query(picture=picture)), Waiting)


@pytest.mark.parametrize("is_cut", [True, False])
def test_no_power_is_announced_while_something_hides_a_part_of_the_row(is_cut):
    """A booster that cannot be seen would make it another; before the turn ends nothing is lost."""
    state = fighting(b={"combat": ["hoax-07"]})
    laid = run_through(state, *play("a", "vulca-08"))
    after = run_through(laid, Announce(player="a", element="fire", total=4), *play("b", "hoax-01"))
    end = Place("combat:a:1")

    def told(now):
        picture = GAME.predict(now)
        assert picture[end] is None
        if is_cut:
            del picture[end]
        return GAME.explain(state, Query(picture=picture))

    assert isinstance(told(laid), Accepted)
    assert isinstance(told(after), Waiting if is_cut else Accepted)


def test_contradicted_and_remembered_places_are_no_evidence():
    """Two sources disagree, or the value is an old one: the place is unknown."""
    state = fighting()
    places = dict(row(("combat", "b"), []))
    contested = dict.fromkeys(GAME.predict(state), ("x", None))
    contested = {Place(p): v for p, v in contested.items() if p.startswith("combat:b")}

    assert isinstance(GAME.explain(state, changed(state, places, contested=contested)), InStep)
    assert isinstance(GAME.explain(state, changed(state, places, unseen=frozenset(contested))), InStep)


# -- out of step --------------------------------------------------------------------------------------------


def illegal(state, rule, places):
    """Return the verdict on a table with these places changed; the rule must be named."""
    decision = GAME.explain(state, changed(state, places))
    assert isinstance(decision, OutOfStep), decision
    assert rule == decision.rule
    assert decision.text
    assert decision.fixes
    removals = [fix.is_removal for fix in decision.fixes]
    assert sorted(removals, reverse=True) == removals
    return decision


def test_broken_rules_are_named():
    """A second character, two boosters, a booster at the start, a foreign card, a dragon, a card gone."""
    state = fighting(a={"combat": ["vulca-13"]}, b={"combat": ["hoax-05"], "support": ["hoax-20"]})
    played = run_through(state, *play("a", "vulca-08"))
    backed = run_through(played, *play("a", "vulca-18"))
    begun = run_through(veil(position(a={"hand": ["vulca-01"]})), *play("a", "vulca-01"))

    illegal(played, "character.limit", dict(row(("combat", "a"), ["vulca-08", "vulca-12"])))
    illegal(backed, "backing.limit", dict(row(("support", "a"), ["vulca-23"])))
    illegal(begun, "backing.first_turn", dict(row(("combat", "a"), ["vulca-01", "vulca-18"])))
    illegal(played, "card.foreign", dict(row(("combat", "a"), ["vulca-08", "hoax-02"])))
    illegal(played, "card.gone", dict(row(("support", "b"), [])))
    gone = dict(row(("combat", "a"), []))
    illegal(state, "card.gone", gone)
    illegal(state, "retrieve.no_icon", {**gone, Place("hand:a"): str(len(state.sides[0].hand) + 1)})
    illegal(state, "dragon.unearned", {Place("dragon:0"): "a"})
    illegal(played, "phase.over", {Place("leader:a"): "vulca-30"})
    illegal(state, "element.wrong", {Place("element"): "earth"})


def test_what_goes_beyond_a_text_in_the_turn_that_begins_a_fight_is_named():
    """A second support beside Genathones; a booster that no icon frees."""
    hand = {"hand": ["hoax-14", "hoax-20", "hoax-21"]}
    state = run_through(veil(position("hoax,vulca", a=hand)), *play("a", "hoax-14", "hoax-20"))

    illegal(state, "backing.first_turn", dict(row(("support", "a"), ["hoax-20", "hoax-21"])))
    illegal(state, "backing.first_turn", dict(row(("combat", "a"), ["hoax-14", "hoax-19"])))


def test_cards_laid_by_an_icon_that_is_ignored_are_named():
    """In the Fog no card lies face down, and only one of those from a ship."""
    fog = {"combat": ["terrah-10"], "support": ["terrah-26"]}
    a = {"hand": ["buka-04", "buka-05"], "ships": ["buka-30:buka-01,buka-02"]}
    state = veil(position("buka,terrah", fight="fire", a=a, b=fog))
    laid = run_through(state, *play("a", "buka-04"))
    landed = run_through(state, Unload(player="a", ship="buka-30"), *play("a", "buka-01", from_ship=True))
    two = {**dict(row(("combat", "a"), ["buka-01", "buka-02"])), **dict(row(("cargo", "a", "buka-30"), []))}

    illegal(laid, "bluff.ignored", dict(row(("support", "a"), ["back"])))
    illegal(landed, "character.limit", two)


def test_a_foreign_card_is_named_however_little_else_is_seen():
    """A card of the other deck lies in the area; where the area ends cannot be seen."""
    state = fighting(a={"combat": ["vulca-13"]})
    picture = {**GAME.predict(state), Place("combat:a:1"): "hoax-02"}
    decision = GAME.explain(state, Query(picture=picture))

    assert isinstance(decision, OutOfStep)
    assert "card.foreign" == decision.rule


def test_too_little_power_is_named_when_the_other_side_goes_on():
    """3 of fire are not 5: b's next card comes too early, and the sum says why."""
    state = run_through(fighting(b={"combat": ["hoax-01"]}), *play("a", "vulca-12"))
    decision = illegal(state, "power.too_low", dict(row(("combat", "b"), ["hoax-01", "hoax-02"])))

    assert {"total": 3, "reach": 5, "element": "fire"} == dict(decision.params)


def test_the_wrong_player_is_named():
    """b lays a card although a has done nothing yet."""
    state = fighting()
    illegal(state, "turn.not_yours", dict(row(("combat", "b"), ["hoax-01", "hoax-05"])))


def test_forbidden_cards_are_named_with_what_forbids_them():
    """Pandemonium forbids supports."""
    state = run_through(
        fighting(
            decks="hoax,vulca",
            a={"hand": ["hoax-01", "hoax-20"]},
            b={"combat": ["vulca-13"], "support": ["khind-26"]},
        ),
        *play("a", "hoax-01"),
    )
    decision = illegal(state, "play.forbidden", dict(row(("support", "a"), ["hoax-20"])))

    assert "Pandemonium forbids Tome of Wisdom." == decision.text


def test_overloaded_ships_are_named():
    """The Sea Falcon carries two."""
    state = run_through(
        veil(
            position(
                "buka,vulca",
                fight="fire",
                a={"hand": ["buka-01"], "ships": ["buka-28:buka-02,buka-03"]},
                b={"combat": ["vulca-13"]},
            )
        ),
        *play("a", "buka-01"),
    )
    illegal(state, "ship.full", dict(row(("cargo", "a", "buka-28"), ["buka-02", "buka-03", "buka-04"])))


def test_after_the_end_nothing_is_out_of_step():
    """The players put the game away."""
    state = run_through(position(fight="fire", dragons=-3, b={"combat": ["hoax-04"]}), Retreat(player="a"))

    assert isinstance(GAME.explain(state, changed(state, dict(row(("combat", "b"), [])))), InStep)


def test_explaining_changes_nothing_and_repeats_itself():
    """Pure and deterministic."""
    state = fighting()
    snapshot = seen(run_through(state, *play("a", "vulca-08", "vulca-18")))

    assert GAME.explain(state, snapshot) == GAME.explain(state, snapshot)


def test_whole_games_are_followed_without_a_wrong_commit():
    """Noisy pictures, actions not looked at, fouls: none committed wrongly, every foul named."""
    tally = Tally()
    rng = random.Random(4)
    for number in range(8):
        follow(number * 5, tally, rng, Noise(hide=0.05, skip=0.1, foul=0.2))

    assert tally.counts["Accepted"] > 250
    assert 0 == tally.counts["wrong commits"], tally.notes
    assert 0 == tally.counts["fouls missed"], tally.notes
    assert tally.counts["fouls"] > 10
    assert tally.counts["false alarms"] <= 3, tally.notes
    assert tally.counts["questions"] < 0.03 * tally.counts["turns"]


def test_explaining_one_change_is_quick():
    """The median of many single changes stays far below a frame's time."""
    state, spent = fighting(), []
    for actions in (play("a", "vulca-08"), [Retreat(player="a")], [Lead(player="a", card="vulca-30")]):
        snapshot = seen(run_through(state, *actions))
        for _ in range(5):
            started = time.perf_counter()
            GAME.explain(state, snapshot)
            spent.append(time.perf_counter() - started)

    assert statistics.median(spent) < 0.05


def test_an_open_game_is_explained_too():
    """Where the referee knows the hands, a card that nobody holds is none that was laid."""
    state = position(fight="fire", a={"hand": ["vulca-08"]}, b={"combat": ["hoax-05"]})
    after = run_through(state, Play(player="a", card="vulca-08"))

    assert (Play(player="a", card="vulca-08"),) == GAME.explain(state, seen(after)).actions
    illegal(state, "hand.lacks", dict(row(("combat", "a"), ["vulca-01"])))


# -- out of sight -------------------------------------------------------------------------------------------


def test_cards_laid_and_cleared_away_unseen_are_counted():
    """One more discarded: whoever plays next tells a retreat from a declined fight."""
    state = fighting()
    unseen = run_through(state, Retreat(player="a", cards=(None,)))
    declined = run_through(state, Retreat(player="a"), Decline(player="a", cards=(None,)))
    mine = run_through(unseen, *play("a", "vulca-08"))
    theirs = run_through(declined, *play("b", "hoax-01"))

    assert isinstance(GAME.explain(state, seen(unseen)), Waiting)
    assert isinstance(GAME.explain(state, seen(declined)), Waiting)
    assert Retreat(player="a", cards=(None,)) == GAME.explain(state, seen(mine)).actions[0]
    assert Decline(player="a", cards=(None,)) == GAME.explain(state, seen(theirs)).actions[1]


def test_unseen_cards_have_no_place_where_all_cards_are_known():
    """There each card is a line of its own."""
    state = position(fight="fire", a={"hand": ["vulca-08"]}, b={"combat": ["hoax-05"]})

    assert "retreat.cards" == refused(state, Retreat(player="a", cards=ids("vulca-08")))


def test_a_character_laid_again_is_inferred_from_what_follows():
    """Taken back and laid anew it leaves no trace; the booster beside it does."""
    state = fighting(
        decks="flit,vulca", a={"combat": ["flit-01"], "hand": ["flit-15"]}, b={"combat": ["vulca-13"]}
    )
    after = run_through(state, Retrieve(player="a", card="flit-01"), *play("a", "flit-01", "flit-15"))

    assert Retrieve(player="a", card="flit-01") in GAME.explain(state, seen(after)).actions


def test_the_end_is_seen_by_the_token_on_the_winners_leader():
    """The fourth dragon moves nothing; the token does. A token laid too early is named."""
    state = veil(position(fight="fire", dragons=-3, b={"combat": ["hoax-04"]}))
    over = run_through(state, Retreat(player="a"))

    assert (Retreat(player="a"),) == GAME.explain(state, seen(over, without=COUNTS)).actions
    early = veil(position(fight="fire", a={"hand": ["vulca-08"]}, b={"combat": ["hoax-04"]}))
    illegal(early, "winner.wrong", {Place("winner"): "b"})


def test_what_may_have_come_before_the_first_card_is_waited_for():
    """A card laid with the leader out of view may be the second one."""
    state = fighting(a={"combat": ["vulca-18"], "hand": ["vulca-08", "vulca-23", "vulca-30"]})
    done = run_through(state, *play("a", "vulca-08"))
    picture = GAME.predict(done)

    assert isinstance(GAME.explain(state, Query(picture=picture)), Accepted)
    unseen = {where: value for where, value in picture.items() if not where.startswith("leader")}
    assert isinstance(GAME.explain(state, Query(picture=unseen)), Waiting)

    went_on = run_through(done, Announce(player="a", element="fire", total=4), *play("b", "hoax-01"))
    other = {where: value for where, value in seen(went_on).picture.items() if where != "leader:b"}
    assert isinstance(GAME.explain(done, seen(went_on)), Accepted)
    assert isinstance(GAME.explain(done, Query(picture=other)), Waiting)


# -- more than one reading ----------------------------------------------------------------------------------


def test_any_covered_card_may_come_to_light_when_a_character_is_taken_back():
    """Cards that were seen together were laid in any order; one that was not laid there is none of them."""
    covered = ["flit-14", "flit-24", "flit-27"]
    state = fighting(
        decks="flit,vulca", a={"covered": covered, "combat": ["flit-05"]}, b={"combat": ["vulca-13"]}
    )
    after = run_through(state, Retrieve(player="a", card="flit-05"))

    for card in covered:
        shown = changed(after, dict(row(("combat", "a"), [card])))
        assert (Retrieve(player="a", card="flit-05"),) == GAME.explain(state, shown).actions
        assert isinstance(GAME.explain(after, shown), InStep)
        GAME.check(after, {"table": format_table(shown.picture)})
    assert isinstance(GAME.explain(after, changed(after, dict(row(("combat", "a"), ["flit-15"])))), OutOfStep)


def test_a_retreat_that_may_hide_a_declined_fight_is_told_by_who_plays_next():
    """The card was taken back, then discarded: it lies where it would have been cleared away to."""
    state = fighting(decks="flit,vulca", a={"combat": ["flit-06"]}, b={"combat": ["vulca-13"]})
    retreat = [Retreat(player="a")]
    disguised = [
        Retrieve(player="a", card="flit-06"),
        Retreat(player="a"),
        Decline(player="a", cards=(None,)),
    ]
    retreated, declined = run_through(state, *retreat), run_through(state, *disguised)
    look = seen(retreated)

    assert look == seen(declined)
    assert isinstance(GAME.explain(state, look), Waiting)
    for run, after, then in (
        (retreat, retreated, play("a", "flit-01")),
        (disguised, declined, [Lead(player="b", card="vulca-30")]),
    ):
        looks = [replace(look, doubting=True), seen(run_through(after, *then))]
        course = agreed(GAME, courses(GAME, state, looks, trusting=False))
        assert (*run, *then) == course.actions
    # Where nothing can be taken back there is nothing to wait for.
    plain = fighting(decks="flit,vulca", a={"combat": ["flit-14"]}, b={"combat": ["vulca-13"]})
    assert tuple(retreat) == GAME.explain(plain, seen(run_through(plain, *retreat))).actions


def begun(state, element, *cards):
    """Return the state after a fight was begun in an element, each turn with one of the cards."""
    for at, card in enumerate(cards):
        laid = run_through(state, *play(state.setup.players[state.active], card))
        state = announce(laid, None if at else element)
    return state


UNSEEN_OR_DECLINED = (
    [Retreat(player="a", cards=(None,))],
    [Retreat(player="a"), Decline(player="a", cards=(None,))],
)


@pytest.mark.parametrize(
    ("zones", "ended", "elements", "mine", "theirs", "later"),
    [
        # 4 of fire answer 4 of fire, whoever begins.
        ({}, UNSEEN_OR_DECLINED, ("fire", "fire"), "vulca-08", "hoax-04", ("vulca-12", "hoax-01")),
        # A card that turns the element, but not as the first one: begun in earth or in fire, it is fire now.
        (
            {"decks": "vulca,buka", "b": {"combat": ["buka-05"]}},
            UNSEEN_OR_DECLINED,
            ("earth", "fire"),
            "vulca-08",
            "buka-23",
            ("vulca-12", "buka-01"),
        ),
        # A card taken back goes to the pile after all when it is discarded for a declined fight.
        (
            {"decks": "hoax,vulca", "a": {"combat": ["hoax-05"]}, "b": {"combat": ["vulca-13"]}},
            (
                [Retreat(player="a")],
                [
                    Retrieve(player="a", card="hoax-05"),
                    Retreat(player="a"),
                    Decline(player="a", cards=(None,)),
                ],
            ),
            ("fire", "fire"),
            "hoax-04",
            "vulca-08",
            ("hoax-01", "vulca-12"),
        ),
    ],
)
def test_who_began_the_fight_after_a_retreat_is_told_by_who_plays_next(
    zones, ended, elements, mine, theirs, later
):
    """What went to the pile unseen was laid before the retreat, or discarded for the fight that b begins."""
    state = fighting(**zones)
    first, second = (run_through(state, *run) for run in ended)
    readings = begun(first, elements[0], mine, theirs), begun(second, elements[1], theirs, mine)
    look = seen(readings[0])

    assert look == seen(readings[1])
    assert isinstance(GAME.explain(state, look), Waiting)
    asked = GAME.explain(state, replace(look, doubting=True))
    assert list(readings) == sorted(
        (run_through(state, *choice.actions) for choice in asked.choices), key=lambda after: after.active
    )
    for after, player, card in zip(readings, "ab", later, strict=True):
        then = run_through(after, *play(player, card))
        course = agreed(
            GAME, courses(GAME, state, [replace(look, doubting=True), seen(then)], trusting=False)
        )
        assert then == course.state


def test_a_ship_may_have_been_played_before_a_retreat_or_after_it():
    """He who retreats begins the next fight: the table is the same, the turn is another's."""
    hand = ["buka-28", *(f"buka-{number:02}" for number in (1, 2, 3, 4, 6, 7))]
    state = fighting(decks="buka,hoax", a={"hand": hand, "combat": ["buka-05"]}, b={"combat": ["hoax-04"]})
    ship, retreat = Launch(player="a", card="buka-28"), Retreat(player="a")
    before, after = run_through(state, ship, retreat), run_through(state, retreat, ship)

    assert seen(before) == seen(after)
    asked = GAME.explain(state, seen(after))
    assert isinstance(asked, Ask)
    assert {(ship, retreat), (retreat, ship)} == {choice.actions for choice in asked.choices}


def test_cards_gone_unseen_may_be_discarded_after_a_leadership_card():
    """With an empty deck nobody draws: laid before the retreat, or discarded for the fight that b begins."""
    hand = ["vulca-08", "vulca-12", "vulca-14", "vulca-18", "vulca-28"]
    state = fighting(a={"hand": hand, "only": [], "combat": ["vulca-13"]}, b={"combat": ["hoax-05"]})
    state = run_through(state, *play("a", "vulca-08"))  # too late for a leadership card before the retreat
    lead = Lead(player="a", card="vulca-28")
    before = Retreat(player="a", cards=(None, None)), lead
    after = Retreat(player="a"), lead, Decline(player="a", cards=(None, None))
    look = seen(run_through(state, *after))

    assert look == seen(run_through(state, *before))
    asked = GAME.explain(state, look)
    assert isinstance(asked, Ask)
    assert {before, after} <= {choice.actions for choice in asked.choices}


def test_who_began_the_fight_is_plain_where_the_other_could_not():
    """5 of fire answer 3, but 3 do not answer 5."""
    state = fighting()
    retreated = run_through(state, Retreat(player="a", cards=(None,)))
    declined = run_through(state, Retreat(player="a"), Decline(player="a", cards=(None,)))
    for after in (
        begun(retreated, "fire", "vulca-12", "hoax-01"),
        begun(declined, "fire", "hoax-06", "vulca-08"),
    ):
        assert after == run_through(state, *GAME.explain(state, seen(after)).actions)


def test_the_token_may_have_been_turned_since_it_was_announced():
    """Earth was announced; the card that answers makes it fire."""
    state = veil(position("vulca,buka", a={"hand": ["vulca-08"]}, b={"hand": ["buka-23"]}))
    after = begun(state, "earth", "vulca-08", "buka-23")

    assert after == run_through(state, *GAME.explain(state, seen(after)).actions)


def test_a_game_that_ends_the_same_way_ends_without_cards_that_nobody_saw():
    """One card more on the pile: discarded for a power, rather than laid and cleared away unseen."""
    state = fighting(decks="khind,vulca", dragons=3, a={"combat": ["khind-13"]}, b={"combat": ["vulca-13"]})
    state = announce(run_through(state, *play("a", "khind-08")))
    run = (
        Use(player="a", card="khind-08"),
        Discard(player="b", cards=(None,)),
        Retreat(player="b"),
    )
    over = run_through(state, *run)

    assert GAME.result(over) is not None
    assert run == GAME.explain(state, seen(over)).actions


def test_whether_cards_were_drawn_is_asked_where_that_hand_is_not_counted():
    """The power of the leadership card just laid draws five cards; a deck shows that as little as a hand."""
    hand = ["hoax-27", "hoax-06", "hoax-01", "hoax-02"]
    state = veil(position("hoax,vulca", a={"hand": hand}, b={"hand": ["vulca-01", "vulca-03"]}))
    led = run_through(state, Lead(player="a", card="hoax-27"))
    after = run_through(led, *play("a", "hoax-06"))
    own, other = Place("hand:a"), Place("hand:b")
    picture = seen(after, without=("deck",)).picture

    asked = GAME.explain(led, Query(picture={at: one for at, one in picture.items() if at != own}))
    assert isinstance(asked, Ask)
    assert {Use(player="a", card="hoax-27") in choice.actions for choice in asked.choices} == {True, False}

    held = {at: one for at, one in picture.items() if at not in (own, other)}
    assert isinstance(GAME.explain(led, Query(picture=held)), Ask)
    assert isinstance(GAME.explain(led, Query(picture=picture)), Accepted)


def test_a_power_that_ends_the_turn_is_asked_where_that_hand_is_not_counted():
    """After it nothing is left to be used, so nobody says that the turn ends."""
    state = fighting(a={"combat": ["vulca-14"], "hand": ["vulca-15"]}, b={"combat": ["hoax-07"]})
    announced = run_through(state, *play("a", "vulca-15"), Announce(player="a", element="fire", total=2))
    after = run_through(announced, End(player="a"), *play("b", "hoax-01"))
    look = seen(after, without=COUNTS, before={Place("hand:a"): "6"})

    asked = GAME.explain(announced, look)
    assert isinstance(asked, Ask)
    assert [choice.actions[0] for choice in asked.choices] == [
        End(player="a"),
        Use(player="a", card="vulca-15"),
    ]


def test_unseen_discards_are_asked_about_where_no_pile_tells():
    """The hand was filled again since; the card on top of the pile tells if it is the same as before."""
    hand = ["aqua-11", "aqua-16", "aqua-01"]
    state = fighting(decks="aqua,hoax", a={"combat": ["aqua-03"], "hand": hand}, b={"combat": ["hoax-07"]})
    state = with_side(state, 0, replace(state.sides[0], discard=ids("aqua-05")))
    laid = run_through(state, *play("a", "aqua-11"))
    after = announce(laid, "fire")
    look = seen(after, without=("deck", "discard"), before={Place("top:a"): "aqua-05"})

    asked = GAME.explain(laid, look)
    assert isinstance(asked, Ask)
    assert Use(player="a", card="aqua-11", cards=(None,)) == asked.choices[1].actions[0]
    same = replace(look, picture={**look.picture, Place("top:a"): "aqua-05"})
    assert isinstance(GAME.explain(laid, same), Accepted)


def test_whether_a_card_was_taken_back_is_asked_where_that_hand_is_not_counted():
    """Another one lies where it lay, in the turn of either player."""
    state = fighting(a={"combat": ["vulca-14"], "hand": ["vulca-08"]})
    after = run_through(
        state,
        *play("a", "vulca-08"),
        Announce(player="a", element="fire", total=4),
        *play("b", "hoax-01"),
    )
    picture = seen(after, without=("deck",)).picture
    unseen = Query(picture={at: one for at, one in picture.items() if at != "hand:b"})

    asked = GAME.explain(state, unseen)
    assert isinstance(asked, Ask)
    taken_back = Retrieve(player="b", card="hoax-05")
    assert {taken_back in choice.actions for choice in asked.choices} == {True, False}
    assert isinstance(GAME.explain(state, Query(picture=picture)), Accepted)
    held = GAME.explain(state, seen(after, without=COUNTS))
    assert isinstance(held, Ask)
    assert {taken_back in choice.actions for choice in held.choices} == {True, False}


def test_an_old_unknown_card_does_not_lie_on_what_was_just_cleared_away():
    """What lies on top of that pile was laid, though nobody saw it, after the cards that were seen."""
    state = fighting()
    unknown = replace(state.sides[1], discard=(None,))
    state = with_side(state, 1, unknown)
    retreated = seen(run_through(state, Retreat(player="a")), without=COUNTS)

    plain = replace(retreated, picture={**retreated.picture, Place("top:b"): "hoax-05"})
    other = replace(retreated, picture={**retreated.picture, Place("top:b"): "hoax-06"})
    assert isinstance(GAME.explain(state, plain), Accepted)
    assert not isinstance(GAME.explain(state, other), Accepted)


def test_an_unknown_card_does_not_come_to_the_top_by_itself_even_where_powers_take_cards_back():
    """Both sides declined, say: cards of either came to its pile. A card laid since does not tell of that."""
    hand = ["aqua-11", "aqua-16", "aqua-01"]
    state = fighting(decks="aqua,hoax", a={"combat": ["aqua-03"], "hand": hand}, b={"combat": ["hoax-07"]})
    state = with_side(state, 0, replace(state.sides[0], discard=(None, *ids("aqua-05"))))
    after = run_through(state, *play("a", "aqua-01"))
    look = seen(after, without=COUNTS, before={Place("top:a"): "aqua-05"})

    same = replace(look, picture={**look.picture, Place("top:a"): "aqua-05"})
    assert isinstance(GAME.explain(state, same), Accepted)
    other = replace(look, picture={**look.picture, Place("top:a"): "aqua-16"})
    assert not isinstance(GAME.explain(state, other), Accepted)


def test_cards_laid_only_to_retreat_are_doubted_where_the_other_pile_cannot_be_read():
    """The fight may have gone on: what was laid against them would lie on top of that pile."""
    state = run_through(fighting(), *play("a", "vulca-08"))
    look = seen(run_through(state, Retreat(player="a")), without=COUNTS, before={Place("top:a"): "vulca-05"})

    assert isinstance(GAME.explain(state, look), Waiting)
    read = replace(look, picture={**look.picture, Place("top:b"): "hoax-05"})
    assert isinstance(GAME.explain(state, read), Accepted)
    never = replace(look, before={})
    assert isinstance(GAME.explain(state, never), Accepted)


def test_a_leadership_card_may_have_come_before_a_retreat_on_a_leader_out_of_view():
    state = fighting()
    picture = seen(run_through(state, Retreat(player="a")), without=COUNTS).picture
    hidden = {where: value for where, value in picture.items() if where != "leader:a"}

    assert isinstance(GAME.explain(state, Query(picture=picture)), Accepted)
    assert isinstance(GAME.explain(state, Query(picture=hidden)), Waiting)


@pytest.mark.parametrize("top", ["vulca-05", "vulca-08"])
def test_a_card_on_a_pile_that_never_lay_on_the_table_is_no_plain_retreat(top):
    """Whoever laid it before he retreated did so unseen; the card that lay there tells nothing new."""
    state = position(fight="fire", a={"combat": ["vulca-05"]}, b={"combat": ["hoax-04"]})
    after = run_through(state, Retreat(player="a"))
    table = {**seen(after, without=COUNTS).picture, Place("top:a"): top}
    decision = GAME.explain(veil(state), Query(picture=table))
    is_plain = isinstance(decision, Accepted) and decision.actions == (Retreat(player="a"),)

    assert is_plain == (top == "vulca-05")


def test_an_unknown_card_that_another_one_lay_on_is_not_what_lies_on_top():
    """A pile may have cards that nobody knows; once another top was seen, a new one came there since."""
    state = position(
        fight="fire", a={"combat": ["vulca-05"], "discard": ["vulca-03"]}, b={"combat": ["hoax-04"]}
    )
    unknown = replace(state.sides[0], discard=(None,))
    state = veil(replace(state, sides=(unknown, state.sides[1])))
    table = {**seen(state, without=COUNTS).picture, Place("top:a"): "vulca-08"}
    first, then = (
        GAME.explain(state, Query(picture=table, before={Place("top:a"): top})) for top in (None, "vulca-03")
    )

    assert isinstance(first, InStep)
    assert not isinstance(then, InStep)


def test_how_often_a_card_was_discarded_is_asked_where_no_hand_is_counted():
    """The top of the pile tells of one; what lies below it nobody sees."""
    hand = ["aqua-11", "aqua-16", "aqua-01", "aqua-05"]
    state = fighting(decks="aqua,hoax", a={"combat": ["aqua-03"], "hand": hand}, b={"combat": ["hoax-07"]})
    state = veil(with_side(state, 0, replace(state.sides[0], discard=ids("aqua-02"))))
    laid = run_through(state, *play("a", "aqua-11"))
    once = Use(player="a", card="aqua-11", cards=(None,))
    look = seen(run_through(laid, once, once), without=COUNTS, before={Place("top:a"): "aqua-02"})

    asked = GAME.explain(laid, replace(look, picture={**look.picture, Place("top:a"): "aqua-05"}))
    assert isinstance(asked, Ask)
    assert [choice.actions.count(once) for choice in asked.choices[:3]] == [1, 2, 3]


def test_a_covered_card_may_have_been_taken_back_by_a_power_unseen():
    """Another one lies on it: only the hand would tell."""
    state = position(
        decks="pillar,hoax",
        fight="fire",
        a={"combat": ["pillar-04"], "hand": ["pillar-12", "pillar-27"]},
        b={"combat": ["hoax-07"]},
    )
    laid = run_through(veil(state), *play("a", "pillar-12"))
    look = seen(run_through(laid, *play("a", "pillar-27")), without=COUNTS)

    asked = GAME.explain(laid, look)
    assert isinstance(asked, Ask)
    taken_back = Use(player="a", card="pillar-12", cards=("pillar-04",))
    assert {taken_back in choice.actions for choice in asked.choices} == {True, False}


def test_of_a_pile_that_was_all_known_no_other_card_comes_to_the_top():
    """Whoever may search it takes one of these; what was never there was laid or discarded."""
    state = position(
        decks="mimix,hoax",
        fight="fire",
        a={"combat": ["mimix-03"], "hand": ["mimix-31", "mimix-18"]},
        b={"combat": ["hoax-07"]},
    )
    state = veil(with_side(state, 0, replace(state.sides[0], discard=ids("mimix-28", "mimix-12"))))
    led = run_through(state, Lead(player="a", card="mimix-31"))
    look = seen(run_through(led, *play("a", "mimix-18")), without=COUNTS, before={Place("top:a"): "mimix-12"})

    def played(top: str) -> set[tuple[Action, ...]]:
        decision = GAME.explain(led, replace(look, picture={**look.picture, Place("top:a"): top}))
        choices = decision.choices if isinstance(decision, Ask) else (decision,)
        return {getattr(choice, "actions", ()) for choice in choices}

    alone = tuple(play("a", "mimix-18"))
    assert alone in played("mimix-12")
    assert alone in played("mimix-28")
    assert alone not in played("mimix-09")


def test_fights_that_both_sides_declined_are_followed_where_both_piles_show_it():
    """How many cards were discarded stays open. A side whose pile shows nothing new has not declined."""
    hands = {"a": ["vulca-01", "vulca-03", "vulca-04"], "b": ["hoax-01", "hoax-02"]}
    state = veil(position(**{player: {"hand": hand} for player, hand in hands.items()}))
    after = run_through(
        state, Decline(player="a", cards=(None,)), Decline(player="b", cards=(None,)), *play("a", "vulca-01")
    )
    picture = seen(after, without=COUNTS).picture
    tops = {Place("top:a"): "vulca-04", Place("top:b"): "hoax-02"}

    decision = GAME.explain(state, Query(picture={**picture, **tops}))
    assert isinstance(decision, Accepted)
    assert [(type(each), each.player) for each in decision.actions] == [
        (Decline, "a"),
        (Decline, "b"),
        (Play, "a"),
    ]
    alone = seen(run_through(state, Decline(player="a", cards=(None,))), without=COUNTS).picture
    one = GAME.explain(state, Query(picture={**alone, Place("top:a"): "vulca-04"}))
    assert isinstance(one, Accepted)
    assert [each.player for each in one.actions] == ["a"]
