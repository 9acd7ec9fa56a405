"""Ships of the Buka, and bluffing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.blue_moon_legends.actions import (
    Announce,
    Bluff,
    Call,
    Decline,
    Drop,
    Launch,
    Lead,
    Load,
    Play,
    Trust,
    Unload,
    Use,
)
from tests.helpers.legends import GAME, announce, ids, play, position, refused, run_through

AGAINST = {"combat": ["vulca-13"]}


def test_a_ship_is_played_instead_of_a_leadership_card():
    """It stays in the influence area, also when the fight ends."""
    state = position("buka,vulca", a={"hand": ["buka-28", "buka-27", "buka-01"]})
    after = run_through(state, Launch(player="a", card="buka-28"))

    assert ["buka-28"] == [ship.card for ship in after.sides[0].ships]
    assert "lead.once" == refused(after, Lead(player="a", card="buka-27"))
    assert "lead.wrong_kind" == refused(state, Launch(player="a", card="buka-01"))


def test_loading_takes_the_place_of_a_support_and_ends_at_the_capacity():
    """One card a turn; a full ship takes no more."""
    zones = {"hand": ["buka-01", "buka-02", "buka-25"], "ships": ["buka-28:buka-03", "buka-30:"]}
    state = run_through(position("buka,vulca", fight="fire", a=zones, b=AGAINST), *play("a", "buka-01"))
    full = run_through(
        position(
            "buka,vulca",
            fight="fire",
            a={"hand": ["buka-01", "buka-02"], "ships": ["buka-28:buka-03,buka-04"]},
        ),
        *play("a", "buka-01"),
    )
    loaded = run_through(state, Load(player="a", card="buka-02", ship="buka-28"))

    assert ids("buka-03", "buka-02") == loaded.sides[0].ships[0].cargo
    assert "backing.limit" == refused(loaded, play("a", "buka-25")[0])
    assert "ship.full" == refused(full, Load(player="a", card="buka-02", ship="buka-28"))
    assert "ship.not_there" == refused(state, Load(player="a", card="buka-02", ship="buka-29"))


def test_nothing_is_loaded_in_the_turn_that_begins_a_fight():
    """Loading belongs to the phase that is left out then."""
    state = run_through(
        position("buka,vulca", a={"hand": ["buka-01", "buka-02"], "ships": ["buka-28"]}),
        *play("a", "buka-01"),
    )

    assert "backing.first_turn" == refused(state, Load(player="a", card="buka-02", ship="buka-28"))


def test_the_quartermaster_lets_ships_be_loaded_in_that_turn_too():
    """Loading takes the place of a support, and any number of those may be laid beside her."""
    zones = {"hand": ["buka-20", "buka-01", "buka-02", "buka-11"], "ships": ["buka-28"]}
    state = run_through(
        position("buka,vulca", a=zones),
        *play("a", "buka-20"),
        Load(player="a", card="buka-01", ship="buka-28"),
        Bluff(player="a", card="buka-11"),
        Load(player="a", card="buka-02", ship="buka-28"),
    )

    assert ids("buka-01", "buka-02") == state.sides[0].ships[0].cargo
    assert [True] == [laid.is_bluff for laid in state.sides[0].support]


def test_unloaded_cards_are_played_and_the_rest_is_discarded():
    """Buka characters from a ship are free; the hand stays closed; the ship goes before the announcement."""
    zones = {"hand": ["buka-01"], "ships": ["buka-30:buka-02,buka-03,buka-25,buka-26"]}
    state = position("buka,vulca", fight="fire", a=zones, b=AGAINST)
    landed = run_through(state, Unload(player="a", ship="buka-30"))
    laid = run_through(landed, *play("a", "buka-02", "buka-03", "buka-26", from_ship=True))
    after = announce(laid)

    assert "play.ship_only" == refused(landed, play("a", "buka-01")[0])
    assert "ship.lacks" == refused(landed, play("a", "buka-04", from_ship=True)[0])
    assert 2 == len(after.sides[0].active_combat)
    assert ids("buka-25", "buka-30") == after.sides[0].discard
    assert () == after.sides[0].landed


def test_the_falcon_lets_the_hand_be_played_as_well():
    """And Coxswain Mora Marn sweeps the other combat area when she comes from a ship."""
    zones = {"hand": ["buka-02"], "ships": ["buka-28:buka-19"]}
    state = position(
        "buka,vulca", fight="fire", a=zones, b={"covered": ["vulca-01"], "combat": ["vulca-13", "vulca-18"]}
    )
    landed = run_through(state, Unload(player="a", ship="buka-28"))
    swept = run_through(
        landed,
        *play("a", "buka-19", from_ship=True),
        Use(player="a", card="buka-19", cards=ids("vulca-01", "vulca-13", "vulca-18")),
    )

    assert () == swept.sides[1].combat
    assert 2 == len(run_through(swept, *play("a", "buka-02")).sides[0].active_combat)


def test_the_coxswain_from_the_hand_sweeps_nothing():
    """Her power counts from a ship only."""
    state = position("buka,vulca", fight="fire", a={"hand": ["buka-19"]}, b=AGAINST)
    laid = run_through(state, *play("a", "buka-19"))

    assert "use.not_offered" == refused(laid, Use(player="a", card="buka-19", cards=ids("vulca-13")))


def test_the_devil_is_loaded_as_it_is_played():
    """Up to three cards of the hand, one after the other."""
    hand = ["buka-29", "buka-01", "buka-02", "buka-03", "buka-04"]
    state = run_through(position("buka,vulca", a={"hand": hand}), Launch(player="a", card="buka-29"))
    for card in hand[1:4]:
        state = run_through(state, Use(player="a", card="buka-29", cards=ids(card)))

    assert ids(*hand[1:4]) == state.sides[0].ships[0].cargo
    assert "use.not_offered" == refused(state, Use(player="a", card="buka-29", cards=ids("buka-04")))


def test_a_favor_finds_a_ship_or_loads_one():
    """From the deck, which is shuffled afterwards."""
    state = position("buka,vulca", a={"hand": ["buka-27"], "ships": ["buka-28"]})
    led = run_through(state, Lead(player="a", card="buka-27"))
    found = run_through(led, Use(player="a", card="buka-27", cards=ids("buka-30")))
    loaded = run_through(led, Use(player="a", card="buka-27", cards=ids("buka-05"), ship="buka-28"))

    assert ["buka-28", "buka-30"] == [ship.card for ship in found.sides[0].ships]
    assert ids("buka-05") == loaded.sides[0].ships[0].cargo
    assert "use.target" == refused(led, Use(player="a", card="buka-27", cards=ids("buka-05")))


def test_a_ship_found_is_played_so_its_text_works():
    """The Devil takes up to three cards of the hand; other ships take none, and no second one follows."""
    hand = ["buka-27", "buka-01", "buka-02", "buka-03", "buka-04", "buka-28"]
    led = run_through(position("buka,vulca", a={"hand": hand}), Lead(player="a", card="buka-27"))
    devil = run_through(led, Use(player="a", card="buka-27", cards=ids("buka-29")))
    sun = run_through(led, Use(player="a", card="buka-27", cards=ids("buka-30")))
    full = devil
    for card in hand[1:4]:
        full = run_through(full, Use(player="a", card="buka-29", cards=ids(card)))

    assert ids(*hand[1:4]) == full.sides[0].ships[0].cargo
    assert "use.not_offered" == refused(full, Use(player="a", card="buka-29", cards=ids("buka-04")))
    assert "use.not_offered" == refused(sun, Use(player="a", card="buka-30", cards=ids("buka-01")))
    assert "lead.once" == refused(devil, Launch(player="a", card="buka-28"))
    later = run_through(devil, *play("a", "buka-01"))
    assert "use.not_offered" == refused(later, Use(player="a", card="buka-29", cards=ids("buka-02")))


def test_an_unloaded_ship_is_gone_after_a_declined_fight():
    """Ruling 23: whatever ends the turn discards it."""
    state = position("buka,vulca", a={"hand": ["buka-01"], "ships": ["buka-30:buka-02"]})
    after = run_through(state, Unload(player="a", ship="buka-30"), Decline(player="a", cards=ids("buka-01")))

    assert {"buka-30", "buka-02", "buka-01"} == set(after.sides[0].discard)


# -- bluffing -----------------------------------------------------------------------------------------------


def bluffing(card, element="fire", **zones):
    """Return the state in which a has announced with a bluff card and b may call it."""
    state = position(
        "buka,vulca", fight=element, a={"hand": ["buka-04", card], **zones}, b={"combat": ["vulca-13"]}
    )
    return announce(run_through(state, *play("a", "buka-04"), Bluff(player="a", card=card)))


def test_a_true_bluff_attracts_a_dragon():
    """A fire bluff in fire: one dragon for its owner, the cards are discarded, the game goes on."""
    called = run_through(bluffing("buka-11"), Call(player="b", cards=ids("buka-11"), is_true=True))

    assert 1 == called.dragons_of(0)
    assert ids("buka-11") == called.sides[0].discard
    assert "b" == GAME.turn_of(called)
    assert called.fight is not None


def test_a_false_bluff_costs_a_dragon_and_the_fight():
    """A neutral or wrong one: a dragon for the caller, and another for the retreat."""
    for card in ("buka-05", "buka-12"):
        called = run_through(bluffing(card), Call(player="b", cards=ids(card), is_true=False))

        assert 2 == called.dragons_of(1)
        assert called.fight is None
        assert "a" == GAME.turn_of(called)


def test_bluff_icons_that_are_ignored_are_false():
    """Impenetrable Fog takes the icons, so even a true card that lies there already fails."""
    state = position(
        "buka,terrah",
        fight="fire",
        a={"hand": ["buka-04"], "bluffs": ["buka-11"]},
        b={"combat": ["terrah-10"], "support": ["terrah-26"]},
    )
    waiting = announce(run_through(state, *play("a", "buka-04")))

    assert run_through(waiting, Call(player="b", cards=ids("buka-11"), is_true=False)).fight is None


@pytest.mark.parametrize(
    ("decks", "b", "is_refused"),
    [
        ("buka,terrah", {"combat": ["terrah-10"], "support": ["terrah-26"]}, True),  # Fog: all icons
        ("buka,aqua", {"combat": ["hoax-16"]}, True),  # Mekarthas: all icons
        ("buka,terrah", {"combat": ["flit-13"]}, True),  # Mad Mike: cards with icons
        ("buka,flit", {"combat": ["flit-08"]}, True),  # Flitterflutter: supports
        ("buka,flit", {"combat": ["flit-09"]}, False),  # Trillilling: boosters
        ("buka,hoax", {"combat": ["flit-12"]}, False),  # Hank: characters; face down it is a support
        ("buka,flit", {"combat": ["flit-07"]}, False),  # Tittertweet: texts
    ],
)
@pytest.mark.parametrize("is_seen", [True, False])
@pytest.mark.parametrize("from_ship", [True, False])
def test_no_card_is_laid_face_down_while_its_icon_is_ignored(decks, b, is_refused, is_seen, from_ship):
    """Known or not, from the hand or from a ship."""
    zones = {"hand": ["buka-22", "buka-11"], "ships": ["buka-28:buka-12,buka-01"]}
    state = position(decks, fight="fire", a=zones, b=b)
    if from_ship:
        state = run_through(state, Unload(player="a", ship="buka-28"))
    state = run_through(state, *play("a", "buka-01" if from_ship else "buka-22", from_ship=from_ship))
    bluff = Bluff(player="a", card="buka-12" if from_ship else "buka-11", from_ship=from_ship)
    if not is_seen and not from_ship:
        state = veiled_hand(state)
        bluff = Bluff(player="a", card=None)

    if is_refused:
        assert "bluff.ignored" == refused(state, bluff)
    else:
        assert run_through(state, bluff).sides[0].support[0].is_bluff


def veiled_hand(state):
    """Return the state with a's hand and deck unknown."""
    side = state.sides[0]
    hidden = replace(side, hand=(None,) * len(side.hand), deck=(None,) * len(side.deck))
    return replace(state, sides=(hidden, state.sides[1]))


@pytest.mark.parametrize(
    ("decks", "b", "is_free"),
    [
        ("buka,terrah", {"combat": ["terrah-10"], "support": ["terrah-26"]}, False),  # Fog
        ("buka,aqua", {"combat": ["hoax-16"]}, False),  # Mekarthas
        ("buka,terrah", {"combat": ["flit-13"]}, False),  # Mad Mike: with the free icon it has an icon
        ("buka,hoax", {"combat": ["flit-12"]}, False),  # Hank: characters
        ("buka,flit", {"combat": ["flit-08"]}, True),  # supports
        ("buka,flit", {"combat": ["flit-09"]}, True),  # boosters
        ("buka,flit", {"combat": ["flit-07"]}, True),  # texts
        ("buka,khind", {"combat": ["khind-10"], "support": ["khind-27"]}, True),
    ],
)
def test_characters_from_a_ship_are_free_unless_the_icon_is_ignored(decks, b, is_free):
    """The second one goes beyond the limit then."""
    state = position(decks, fight="fire", a={"ships": ["buka-30:buka-01,buka-02"]}, b=b)
    state = run_through(state, Unload(player="a", ship="buka-30"), *play("a", "buka-01", from_ship=True))
    second = play("a", "buka-02", from_ship=True)[0]

    if is_free:
        assert 2 == len(run_through(state, second).sides[0].active_combat)
    else:
        assert "character.limit" == refused(state, second)


def test_a_bluff_need_not_be_called():
    """Nobody acts before the answer; then the turn goes on."""
    state = bluffing("buka-05")

    assert "answer.first" == refused(state, play("a", "buka-01")[0])
    assert "call.cards" == refused(state, Call(player="b", cards=ids("buka-06"), is_true=False))
    assert "b" == GAME.turn_of(run_through(state, Trust(player="b")))
    assert run_through(state, Trust(player="b")).fight is not None


def test_a_letter_of_marque_forbids_the_call():
    """The turn passes without the question."""
    state = position(
        "buka,vulca", fight="fire", a={"hand": ["buka-04", "buka-24", "buka-05"]}, b={"combat": ["vulca-13"]}
    )
    laid = run_through(state, *play("a", "buka-04", "buka-24"), Bluff(player="a", card="buka-05"))
    after = announce(laid)

    assert () == after.pending
    assert "b" == GAME.turn_of(after)


def test_bluff_cards_are_supports_and_may_be_discarded_at_the_start():
    """One a turn, forbidden like supports, worth 2, dropped again in the start phase."""
    state = position(
        "buka,vulca",
        fight="fire",
        a={"hand": ["buka-04", "buka-05"]},
        b={"combat": ["vulca-13"], "support": ["khind-26"]},
    )
    own = position("buka,vulca", fight="fire", a={"support": ["buka-25"], "bluffs": ["buka-05"]}, b=AGAINST)

    assert "play.forbidden" == refused(
        run_through(state, *play("a", "buka-04")), Bluff(player="a", card="buka-05")
    )
    assert ids("buka-05") == run_through(own, Drop(player="a", at=1)).sides[0].discard
    assert "bluff.not_there" == refused(own, Drop(player="a", at=0))
    assert "bluff.no_icon" == refused(
        run_through(
            position("buka,vulca", fight="fire", a={"hand": ["buka-04", "buka-25"]}),
            Play(player="a", card="buka-04"),
        ),
        Bluff(player="a", card="buka-25"),
    )


def test_a_bluff_that_nobody_saw_may_be_any_card_that_has_the_icon():
    """No card of Vulca has one; of Buka none, once all that is hidden are cards without it."""
    vulca = position("vulca,buka", fight="fire", a={"hand": ["vulca-08", "vulca-01"]})
    bare = position("buka,vulca", fight="fire", a={"hand": ["buka-01", "buka-02"], "only": []})
    held = position("buka,vulca", fight="fire", a={"hand": ["buka-01", "buka-11"], "only": []})
    blind = Bluff(player="a", card=None)

    assert "bluff.no_icon" == refused(veiled_hand(run_through(vulca, *play("a", "vulca-08"))), blind)
    assert "bluff.no_icon" == refused(veiled_hand(run_through(bare, *play("a", "buka-01"))), blind)
    assert run_through(veiled_hand(run_through(held, *play("a", "buka-01"))), blind).sides[0].support


def test_a_bluff_may_carry_the_announcement():
    """2 of the character and 2 of the bluff reach 4."""
    state = position(
        "buka,vulca", fight="fire", a={"hand": ["buka-07", "buka-05"]}, b={"combat": ["vulca-08"]}
    )
    laid = run_through(state, *play("a", "buka-07"), Bluff(player="a", card="buka-05"))

    assert run_through(laid, Announce(player="a", element="fire", total=4)).pending


def test_sirens_take_their_dragon_once():
    """With the announcement, and not again with the retreat after a false bluff."""
    state = position(
        "buka,aqua",
        fight="fire",
        a={"hand": ["buka-04", "buka-05"]},
        b={"combat": ["aqua-10"], "support": ["aqua-28"]},
    )
    waiting = announce(run_through(state, *play("a", "buka-04"), Bluff(player="a", card="buka-05")))

    assert 1 == waiting.dragons_of(1)
    assert 3 == run_through(waiting, Call(player="b", cards=ids("buka-05"), is_true=False)).dragons_of(1)
