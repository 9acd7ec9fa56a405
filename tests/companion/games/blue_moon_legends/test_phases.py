"""The phases of a turn and the limits on cards."""

from __future__ import annotations

import pytest

from companion.games.blue_moon_legends.actions import (
    Announce,
    Decline,
    End,
    Lead,
    Load,
    Play,
    Retreat,
    Retrieve,
    Trust,
)
from companion.games.blue_moon_legends.state import Phase
from tests.helpers.legends import GAME, announce, ids, play, position, refused, run_through


def fighting(decks="vulca,hoax", element="fire", **zones):
    """Return a running fight in which b attacks with next to nothing."""
    b = {"combat": ["hoax-04"]} if decks.endswith("hoax") else {}
    return position(decks, fight=element, **{"b": b, **zones})


# -- beginning and giving up --------------------------------------------------------------------------


def test_a_fight_begins_with_a_character_and_the_choice_of_the_element():
    """The first announcement chooses fire or earth; the other side must reach it."""
    state = position(a={"hand": ["vulca-13"]}, b={"hand": ["hoax-09"]})
    begun = run_through(state, *play("a", "vulca-13"))
    announced = run_through(begun, Announce(player="a", element="earth", total=3))

    assert {"fire", "earth"} == {a.element for a in GAME.legal_actions(begun) if isinstance(a, Announce)}
    assert "earth" == announced.fight.element
    assert "b" == GAME.turn_of(announced)
    assert 6 == len(announced.sides[0].hand)


def test_no_booster_or_support_in_the_turn_that_begins_a_fight():
    """Only characters are laid then; and nobody retreats from the own attack."""
    state = run_through(position(a={"hand": ["vulca-13", "vulca-18", "vulca-23"]}), *play("a", "vulca-13"))

    assert "backing.first_turn" == refused(state, play("a", "vulca-18")[0])
    assert "backing.first_turn" == refused(state, play("a", "vulca-23")[0])
    assert "retreat.no_fight" == refused(state, Retreat(player="a"))


@pytest.mark.parametrize(
    ("deck", "lead", "cards"),
    [
        ("hoax", "hoax-29", ["hoax-01", "hoax-20", "hoax-21", "hoax-22"]),  # any number of supports
        ("flit", "flit-31", ["flit-01", "aqua-20", "vulca-22", "flit-15"]),  # any number of boosters
        ("hoax", None, ["hoax-14", "hoax-20"]),  # one support more than none
        ("pillar", None, ["pillar-11", "pillar-21"]),  # one booster more than none
        ("buka", None, ["buka-20", "buka-25", "buka-26"]),  # any number of supports
        ("buka", None, ["buka-01", "buka-24"]),  # a free booster
        (
            "pillar",
            None,
            ["pillar-14", "pillar-16", "pillar-18", "pillar-29"],
        ),  # free ones
        ("aqua", None, ["aqua-07", "aqua-16", "aqua-17", "aqua-21", "aqua-22"]),
        ("aqua", None, ["aqua-12", "aqua-18"]),  # the next card counts as free
        ("aqua", None, ["aqua-12", "aqua-25"]),
    ],
)
def test_what_icons_and_texts_allow_in_the_turn_that_begins_a_fight(deck, lead, cards):
    """All of these are laid then, and may be announced."""
    state = position(f"{deck},vulca", a={"hand": [*cards, *([lead] if lead else [])]})
    if lead:
        state = run_through(state, Lead(player="a", card=lead))
    laid = run_through(state, *play("a", *cards))

    assert () == laid.sides[0].hand
    assert "b" == GAME.turn_of(announce(laid, "earth"))


@pytest.mark.parametrize(
    ("deck", "lead", "cards"),
    [
        ("hoax", None, ["hoax-14", "hoax-20", "hoax-21"]),  # one support more, not two
        ("hoax", None, ["hoax-14", "hoax-19"]),  # a support more, no booster
        ("hoax", "hoax-29", ["hoax-01", "hoax-19"]),
        ("pillar", None, ["pillar-11", "pillar-21", "pillar-22"]),
        ("pillar", None, ["pillar-11", "pillar-28"]),
        ("flit", None, ["flit-01", "flit-15"]),  # a pair counts as one, which is one too many
        ("flit", "flit-29", ["flit-01", "flit-15"]),
        ("aqua", None, ["aqua-12", "aqua-18", "aqua-25"]),  # only the next card counts as free
        ("aqua", None, ["aqua-07", "aqua-21", "aqua-23"]),
    ],
)
def test_what_they_do_not_allow_then(deck, lead, cards):
    """The last of these cards goes beyond what icons and texts allow."""
    state = position(f"{deck},vulca", a={"hand": [*cards, *([lead] if lead else [])]})
    if lead:
        state = run_through(state, Lead(player="a", card=lead))
    *first, last = play("a", *cards)

    assert "backing.first_turn" == refused(run_through(state, *first), last)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_declining_discards_one_to_three_and_draws_up_to_six(number):
    """The turn passes without a fight."""
    hand = ["vulca-01", "vulca-03", "vulca-04", "vulca-05"]
    state = position(a={"hand": hand})
    after = run_through(state, Decline(player="a", cards=ids(*hand[:number])))

    assert number == len(after.sides[0].discard)
    assert 6 == len(after.sides[0].hand)
    assert "b" == GAME.turn_of(after)


def test_declining_is_neither_for_nothing_nor_for_four_nor_in_a_fight():
    """One, two or three cards, and only while nobody fights."""
    hand = ["vulca-01", "vulca-03", "vulca-04", "vulca-05"]
    state = position(a={"hand": hand})

    assert "decline.number" == refused(state, Decline(player="a", cards=()))
    assert "decline.number" == refused(state, Decline(player="a", cards=ids(*hand)))
    assert "decline.in_fight" == refused(fighting(a={"hand": hand}), Decline(player="a", cards=ids(hand[0])))


def test_whose_turn_it_is_not_cannot_act():
    """Only the active player acts; and nobody who does not play."""
    state = position(a={"hand": ["vulca-13"]}, b={"hand": ["hoax-09"]})

    assert "turn.not_yours" == refused(state, play("b", "hoax-09")[0])
    assert "player.unknown" == refused(state, play("c", "hoax-09")[0])
    assert "answer.not_asked" == refused(state, Trust(player="a"))


# -- the announcement -----------------------------------------------------------------------------------


def test_the_total_must_reach_the_other_sides():
    """4 are to be reached: 3 are refused, 4 are enough; without a character nothing is announced."""
    state = fighting(a={"hand": ["vulca-12", "vulca-08"]})

    low = run_through(state, *play("a", "vulca-12"))
    even = run_through(state, *play("a", "vulca-08"))

    assert "power.too_low" == refused(low, Announce(player="a", element="fire", total=3))
    assert "power.total" == refused(even, Announce(player="a", element="fire", total=5))
    assert "power.element" == refused(even, Announce(player="a", element="earth", total=2))
    assert "power.no_character" == refused(state, Announce(player="a", element="fire", total=0))
    assert "b" == GAME.turn_of(announce(even))


def test_a_shield_lets_the_other_total_be_ignored_in_its_element():
    """Infernal Armor shields earth, not fire."""
    hand = {"hand": ["vulca-08", "vulca-19"]}
    earth = run_through(fighting(element="earth", a=hand, b={"combat": ["hoax-07", "hoax-19"]}))
    fire = fighting(a=hand, b={"combat": ["hoax-01"]})

    assert "b" == GAME.turn_of(announce(run_through(earth, *play("a", "vulca-08", "vulca-19"))))
    laid = run_through(fire, *play("a", "vulca-08", "vulca-19"))
    assert "power.too_low" == refused(laid, Announce(player="a", element="fire", total=4))


# -- characters -----------------------------------------------------------------------------------------


def test_one_character_a_turn_and_it_covers_the_old_cards():
    """The cards of the last turn stay in the area, covered."""
    state = fighting(a={"combat": ["vulca-12", "vulca-18"], "hand": ["vulca-01", "vulca-03"]})
    laid = run_through(state, *play("a", "vulca-01"))

    assert [False, False, True] == [card.is_active for card in laid.sides[0].combat]
    assert "character.limit" == refused(laid, play("a", "vulca-03")[0])


@pytest.mark.parametrize(
    ("decks", "cards", "limit"),
    [
        ("mimix,hoax", ["mimix-09", "mimix-10"], None),  # a pair counts as one
        ("mimix,hoax", ["mimix-09", "mimix-11"], "character.limit"),  # pair icons, other first words
        ("mimix,hoax", ["mimix-22", "mimix-23", "mimix-24", "mimix-18"], None),  # free ones do not count
        ("mimix,hoax", ["mimix-18", "mimix-22"], None),
        ("mimix,hoax", ["mimix-13", "mimix-14", "mimix-20"], "character.limit"),
        ("khind,hoax", ["khind-10", "khind-11", "khind-12", "khind-13"], None),  # a gang counts as one
        ("khind,hoax", ["khind-10", "khind-15"], "character.limit"),  # two gangs
    ],
)
def test_pairs_gangs_and_free_characters(decks, cards, limit):
    """More than one character only as a pair, a gang or free."""
    state = fighting(decks, a={"hand": cards})
    *first, last = play("a", *cards)
    laid = run_through(state, *first)

    if limit is None:
        assert len(cards) == len(run_through(laid, last).sides[0].active_combat)
    else:
        assert limit == refused(laid, last)


def test_three_cards_of_a_word_are_more_than_a_pair():
    """A third Launch counts as a second booster."""
    state = fighting("flit,hoax", a={"hand": ["flit-01", "flit-15", "flit-16", "flit-17"]})
    laid = run_through(state, *play("a", "flit-01", "flit-15", "flit-16"))

    assert "backing.limit" == refused(laid, play("a", "flit-17")[0])


def test_a_gang_joins_its_own_and_covers_nothing():
    """Where only characters of the gang are active, more of it may be laid beside them."""
    state = fighting("khind,hoax", a={"combat": ["khind-15", "khind-16"], "hand": ["khind-17", "khind-18"]})
    laid = run_through(state, *play("a", "khind-17", "khind-18", joins=True))

    assert 4 == len(laid.sides[0].active_combat)


def test_a_gang_joins_nothing_else():
    """Not another gang, not beside a booster, not after a character has covered the area."""
    other = fighting("khind,hoax", a={"combat": ["khind-10"], "hand": ["khind-17"]})
    empty = fighting("khind,hoax", a={"hand": ["khind-17"]})
    late = run_through(
        fighting("khind,hoax", a={"combat": ["khind-15"], "hand": ["khind-16", "khind-17"]}),
        *play("a", "khind-16"),
    )

    assert "gang.other_cards" == refused(other, play("a", "khind-17", joins=True)[0])
    assert "gang.other_cards" == refused(empty, play("a", "khind-17", joins=True)[0])
    assert "gang.too_late" == refused(late, play("a", "khind-17", joins=True)[0])


# -- boosters and supports --------------------------------------------------------------------------------


def test_one_booster_or_one_support_a_turn():
    """A second one of either kind is refused; before a character neither is laid."""
    state = fighting(a={"hand": ["vulca-08", "vulca-18", "vulca-23"]})
    booster = run_through(state, *play("a", "vulca-08", "vulca-18"))
    support = run_through(state, *play("a", "vulca-08", "vulca-23"))

    assert "backing.limit" == refused(booster, play("a", "vulca-23")[0])
    assert "backing.limit" == refused(support, play("a", "vulca-18")[0])
    assert "backing.before_character" == refused(state, play("a", "vulca-18")[0])


def test_no_character_after_a_booster_and_nothing_after_the_announcement():
    """Phases do not run backwards."""
    state = fighting("mimix,hoax", a={"hand": ["mimix-05", "mimix-25", "mimix-22"]})
    backed = run_through(state, *play("a", "mimix-05", "mimix-25"))

    assert "phase.over" == refused(backed, play("a", "mimix-22")[0])


def test_cards_that_stop_are_the_last_of_the_turn():
    """After a mutant or a Shaman with the stop icon no card is laid."""
    state = fighting("mimix,hoax", a={"hand": ["mimix-20", "mimix-25", "mimix-22"]})
    stopped = run_through(state, *play("a", "mimix-20"))

    assert "play.stopped" == refused(stopped, play("a", "mimix-25")[0])
    assert "play.stopped" == refused(stopped, play("a", "mimix-22")[0])


# -- leadership -------------------------------------------------------------------------------------------


def test_one_leadership_card_before_the_fight_goes_on():
    """It is laid on the leader, works in this turn only and stays there."""
    state = fighting("vulca,hoax", a={"hand": ["vulca-30", "vulca-28", "vulca-08"]})
    led = run_through(state, Lead(player="a", card="vulca-30"))
    done = announce(run_through(led, *play("a", "vulca-08")))

    assert "lead.once" == refused(led, Lead(player="a", card="vulca-28"))
    assert "phase.over" == refused(
        run_through(state, *play("a", "vulca-08")), Lead(player="a", card="vulca-28")
    )
    assert "lead.wrong_kind" == refused(state, Lead(player="a", card="vulca-08"))
    assert ("vulca-30",) == done.sides[0].leadership
    assert done.sides[0].lead is None


# -- retrieve -----------------------------------------------------------------------------------------------


def test_active_cards_with_the_icon_go_back_at_the_start():
    """Homing Missiles return; Tome of Wisdom has no icon; covered cards do not return."""
    state = fighting(
        "hoax,vulca", a={"covered": ["hoax-05"], "combat": ["hoax-04"], "support": ["hoax-24", "hoax-20"]}
    )
    back = run_through(state, Retrieve(player="a", card="hoax-24"))

    assert "hoax-24" in back.sides[0].hand
    assert Phase.START == back.turn.phase
    assert "retrieve.no_icon" == refused(state, Retrieve(player="a", card="hoax-20"))
    assert "retrieve.not_active" == refused(state, Retrieve(player="a", card="hoax-05"))


def test_an_active_retriever_of_the_other_side_keeps_characters_where_they_are():
    """Characters stay, other cards may still return."""
    state = fighting("flit,hoax", a={"combat": ["flit-01", "flit-26"]}, b={"combat": ["hoax-05"]})

    assert "retrieve.blocked" == refused(state, Retrieve(player="a", card="flit-01"))
    assert "flit-26" in run_through(state, Retrieve(player="a", card="flit-26")).sides[0].hand


def test_nothing_returns_after_the_start_phase():
    """Once a card was laid it is too late."""
    state = fighting("hoax,vulca", a={"support": ["hoax-24"], "hand": ["hoax-01"]})
    laid = run_through(state, *play("a", "hoax-01"))

    assert "phase.over" == refused(laid, Retrieve(player="a", card="hoax-24"))


# -- the end of a turn --------------------------------------------------------------------------------------


def test_the_hand_is_drawn_up_to_six_and_never_down():
    """Somebody with more than six cards draws none."""
    many = [f"vulca-{number:02}" for number in (1, 3, 4, 5, 6, 7, 9, 10)]
    state = announce(run_through(fighting(a={"hand": [*many, "vulca-08"]}), *play("a", "vulca-08")))

    assert 8 == len(state.sides[0].hand)


def test_a_turn_ends_by_itself_unless_a_power_may_still_be_used():
    """Flare waits for its owner to draw or to end the turn."""
    state = fighting(a={"hand": ["vulca-15", "vulca-18"]}, b={"combat": ["hoax-09"]})
    waiting = announce(run_through(state, *play("a", "vulca-15", "vulca-18")))

    assert Phase.END == waiting.turn.phase
    assert "a" == GAME.turn_of(waiting)
    assert "phase.over" == refused(waiting, play("a", "vulca-01")[0])
    assert "b" == GAME.turn_of(run_through(waiting, End(player="a")))
    assert "end.too_early" == refused(state, End(player="a"))


def test_wrong_kinds_are_refused():
    """A support is no leadership card, a leadership card no character, a ship carries no leadership card."""
    state = fighting("buka,hoax", a={"hand": ["buka-27", "buka-25", "buka-01"], "ships": ["buka-28"]})
    laid = run_through(state, *play("a", "buka-01"))

    assert "play.wrong_kind" == refused(state, Play(player="a", card="buka-27"))
    assert "ship.wrong_kind" == refused(laid, Load(player="a", card="buka-27", ship="buka-28"))
    assert "hand.lacks" == refused(state, play("a", "buka-02")[0])
