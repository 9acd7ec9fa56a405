"""Hands, deck and discards: rulings 5 and 6, known cards and bounds."""

import pytest

from companion.game import Verdict
from companion.games.blue_moon_city.actions import Action, Move
from companion.games.blue_moon_city.events import Reshuffled
from companion.table import Place
from tests.helpers.city_scene import (
    GAME,
    cell_of,
    closed,
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

# -- open -------------------------------------------------------------------------------------------------


def test_cards_lie_on_the_pile_in_the_order_of_the_record() -> None:
    """Cards, pairs, then the recolouring Hoax, which is on top."""
    state = scene(
        at={"purple": "earth_temple"},
        hands={"purple": "terrah-1 aqua-1 mimix-1 mimix-2 hoax-2"},
    )

    after = done(
        state,
        pay(0, "terrah", "terrah-1 aqua-1", pairs=[("mimix-1", "mimix-2")], turn=[("hoax-2", "aqua-1")]),
    )

    assert after.discard == ("terrah-1", "aqua-1", "mimix-1", "mimix-2", "hoax-2")


def test_discards_lie_on_the_pile_before_the_draw() -> None:
    """Ruling 6: the discarded cards take part in the reshuffle that the draw brings about."""
    state = scene(hands={"purple": "aqua-3 hoax-3"}, deck="flit-1 flit-1 flit-1", pile=None)
    rest = (*state.discard, "aqua-3")

    after = done(state, end("aqua-3", reshuffle=" ".join(sorted(rest))))

    assert (after.hands[0], after.discard) == (("flit-1", "flit-1", "flit-1", "hoax-3"), ())
    assert after.deck == tuple(sorted(rest))


def test_the_discards_are_reshuffled_as_soon_as_the_last_card_is_drawn() -> None:
    """Ruling 5: also when nothing more is to be drawn."""
    state = scene(hands={"purple": "aqua-3"}, deck="flit-1 flit-3", pile=None)
    order = " ".join(state.discard)

    assert refusal(state, end()) == "reshuffle.missing"
    after = done(state, end(reshuffle=order))
    assert (after.deck, after.discard, after.hands[0]) == (
        tuple(order.split()),
        (),
        ("aqua-3", "flit-1", "flit-3"),
    )
    assert Reshuffled() in told(state, end(reshuffle=order))


def test_the_draw_goes_on_after_the_reshuffle() -> None:
    """What is missing comes from the new deck."""
    state = scene(hands={"purple": "aqua-3"}, deck="flit-1", pile=None)
    order = tuple(sorted(state.discard, reverse=True))

    after = done(state, end(reshuffle=" ".join(order)))

    assert after.hands[0] == tuple(sorted(("aqua-3", "flit-1", order[0])))
    assert after.deck == order[1:]


def test_cards_of_the_running_action_are_reshuffled_too() -> None:
    """Ruling 5: a contribution's own cards lie on the pile when its building's reward empties the deck."""
    state = scene(
        at={"purple": "mill"},
        boxes={"mill": [None, "purple", "purple"]},
        hands={"purple": "terrah-3"},
        deck="flit-1 flit-3",
        pile=None,
    )
    order = sorted((*state.discard, "terrah-3"))

    after = done(state, pay(0, "terrah", "terrah-3", reshuffle=" ".join(order)))

    assert after.aside[0] == ("flit-1", "flit-3")
    assert "terrah-3" in after.deck
    assert GAME.defects(after) == ()


@pytest.mark.parametrize(
    ("deck", "order", "rule"),
    [
        ("flit-1 flit-3 aqua-1", "vulca-1", "reshuffle.not_due"),
        ("flit-1 flit-3", "vulca-1", "reshuffle.other_cards"),
    ],
)
def test_wrong_reshuffles(deck: str, order: str, rule: str) -> None:
    """A reshuffle that is not due, or of other cards than the discards."""
    assert refusal(scene(deck=deck, pile=None), end(reshuffle=order)) == rule


def test_with_no_discards_the_deck_stays_empty_until_the_next_draw() -> None:
    """Ruling 5: no discards when the last card is drawn: reshuffled at the next draw."""
    state = scene(deck="flit-1 flit-3", pile="")
    held = {c: n for c, n in GAME.catalogue.cards.items() if n}
    everything = " ".join(c for c, n in held.items() for _ in range(n))
    state = scene(hands={"white": _without(everything, "flit-1 flit-3 aqua-1"), "purple": "aqua-1"},
                  deck="flit-1 flit-3", pile=None)  # fmt: skip
    assert state.discard == ()

    empty = done(state, end())
    later = done(empty, end("vulca-1 vulca-1", player="white", reshuffle="vulca-1 vulca-1"))

    assert (empty.deck, empty.discard) == ((), ())
    assert len(later.hands[1]) == len(state.hands[1])


def _without(cards: str, missing: str) -> str:
    left = cards.split()
    for card in missing.split():
        left.remove(card)
    return " ".join(left)


def test_a_draw_from_nothing_is_short_and_nothing_is_owed() -> None:
    """Ruling 5: deck and pile empty: fewer cards, none later."""
    everything = " ".join(c for c, n in GAME.catalogue.cards.items() for _ in range(n))
    state = scene(
        hands={"white": _without(everything, "flit-1 aqua-1"), "purple": "aqua-1"}, deck="flit-1", pile=None
    )

    after = done(state, end())

    assert after.hands[0] == ("aqua-1", "flit-1")
    assert (after.deck, after.discard) == ((), ())
    assert GAME.defects(after) == ()


def test_a_small_hand_discards_what_it_has() -> None:
    """Ruling 6: one card held, one discarded; two are refused."""
    state = scene(hands={"purple": "aqua-3"}, deck="flit-1 flit-1 flit-3 vulca-1")

    assert done(state, end("aqua-3")).hands[0] == ("flit-1", "flit-1", "flit-3")
    assert refusal(state, end("aqua-3 aqua-3")) == "cards.not_in_hand"


# -- closed -----------------------------------------------------------------------------------------------


def test_a_closed_hand_is_a_number_between_bounds() -> None:
    """A contribution of 5 took at least two cards; the reset brings two more than were discarded."""
    state = closed(
        scene(
            at={"purple": "aqueduct"}, hands={"purple": "aqua-3 aqua-2 vulca-1 vulca-1 vulca-2 flit-1 flit-1"}
        )
    )
    assert state.hidden is not None
    assert (state.hidden.hand_low[0], state.hidden.hand_high[0]) == (7, 7)

    paid = done(state, pay(0, "aqua", None, pairs=None))
    over = done(paid, end(None))

    assert paid.hidden is not None
    assert over.hidden is not None
    assert (paid.hidden.hand_low[0], paid.hidden.hand_high[0]) == (0, 5)
    assert (over.hidden.hand_low[0], over.hidden.hand_high[0]) == (2, 7)


def test_what_no_hidden_cards_could_pay_is_refused() -> None:
    """Two cards pay 6 at most; an empty hand moves no dragon."""
    poor = closed(scene(at={"purple": "aqueduct"}, hands={"purple": "aqua-3"}))

    assert refusal(poor, pay(0, "aqua", None, pairs=None)) == "cards.hand_too_small"
    bare = closed(scene(dragons={"fire": "mill"}))
    assert refusal(bare, summon("fire", "hospice", card=None)) == "cards.hand_too_small"
    assert refusal(bare, fly("mill", card=None)) == "cards.hand_too_small"


def test_no_card_is_played_more_often_than_it_exists() -> None:
    """Four Flits of value 1 have been named; a fifth is refused."""
    state = closed(scene(hands={"purple": "vulca-1 vulca-1"}, pile="flit-1 flit-1 flit-1 flit-1"))

    assert refusal(state, fly("mill")) == "cards.no_more_copies"


def test_a_possible_reshuffle_forgets_the_pile() -> None:
    """Cards that were named may be in the deck again."""
    state = closed(scene(hands={"purple": "hoax-1", "white": "hoax-1"}, deck="aqua-1 aqua-1", pile=None))
    assert refusal(state, fly("mill")) == "cards.no_more_copies"

    assert done(state, end(None), fly("mill", player="white")).figures[1] == cell_of("mill")


def test_an_unseen_card_covers_the_pile() -> None:
    """After an unseen card nobody knows the top; an unseen number of Flits may even have been none."""
    state = closed(scene(hands={"purple": "flit-2 aqua-1"}, pile="hoax-3"))
    bare = closed(scene(hands={"purple": "flit-2 aqua-1"}))

    assert GAME.predict(state)[Place("discard")] == "hoax-3"
    assert GAME.predict(bare)[Place("discard")] is None
    for action in (summon("water", "mill", card=None), walk("fire_temple", cards=None), end(None)):
        for start in (state, bare):
            assert Place("discard") not in GAME.predict(done(start, action))


def test_steps_are_bounds_where_the_way_or_the_flits_are_unknown() -> None:
    """A walk that may have used Flits may leave more steps, one whose way is unknown fewer."""
    state = closed(scene(hands={"purple": "flit-2 flit-2 aqua-1"}))
    to_hospice = Move(player="purple", to=cell_of("hospice"), path=None, cards=None)
    far = Move(player="purple", to=cell_of("mill"), path=None, cards=())

    after = done(state, to_hospice)

    assert after.hidden is not None
    assert (after.hidden.steps_low, after.steps) == (0, 6)
    assert GAME.judge(after, far) is Verdict.CANNOT_TELL
    assert (
        GAME.judge(state, Move(player="purple", to=cell_of("hospice"), path=None, cards=())) is Verdict.LEGAL
    )


def test_a_walk_to_and_fro_is_no_fault() -> None:
    """Where only the end was seen, figure and dragon may have come back to where they were."""
    state = closed(scene(at={"purple": "mill"}, dragons={"fire": "mill"}, hands={"purple": "vulca-2"}))
    back = Move(player="purple", to=cell_of("mill"), path=None, cards=())

    assert done(state, back).steps == 0
    assert done(state, summon("fire", "mill", card="vulca-2")).figures == state.figures
    assert refusal(state, summon("fire", "mill", card="vulca-1")) == "dragon.same_cell"


@pytest.mark.parametrize(
    ("action", "verdict"),
    [
        (walk("fire_temple"), Verdict.LEGAL),
        (walk("fire_temple", "hospice"), Verdict.LEGAL),
        (walk("fire_temple", "hospice", "aqueduct"), Verdict.REFUSED),
        (walk("fire_temple", "hospice", "aqueduct", cards="flit-2"), Verdict.CANNOT_TELL),
        (walk("fire_temple", "hospice", "aqueduct", cards=None), Verdict.CANNOT_TELL),
        (walk("great_hall"), Verdict.REFUSED),
        (fly("aqueduct", card=None), Verdict.CANNOT_TELL),
        (fly("courtyard", card=None), Verdict.REFUSED),
        (summon("fire", "mill", card=None), Verdict.CANNOT_TELL),
        (lead("fire", "mill", card=None), Verdict.REFUSED),
        (end(None), Verdict.LEGAL),
        (end(""), Verdict.LEGAL),
        (end("hoax-1"), Verdict.CANNOT_TELL),
        (end("hoax-1 hoax-1 hoax-1"), Verdict.REFUSED),
        (pay(0, "aqua", None, pairs=None), Verdict.REFUSED),
        (end(None, player="white"), Verdict.REFUSED),
    ],
)
def test_closed_play_answers_legal_refused_or_cannot_tell(action: Action, verdict: Verdict) -> None:
    """What needs no card is surely legal; what no card allows is refused; the rest cannot be told."""
    state = closed(scene(hands={"purple": "vulca-3 vulca-3 vulca-3 vulca-2"}))

    assert GAME.judge(state, action) is verdict


def test_open_play_always_can_tell() -> None:
    """With known hands an action is legal or refused."""
    state = scene(hands={"purple": "flit-1"})

    assert GAME.judge(state, fly("mill")) is Verdict.LEGAL
    assert GAME.judge(state, fly("mill", card=None)) is Verdict.REFUSED


def test_a_told_reshuffle_must_be_possible() -> None:
    """A reshuffle is refused while the deck surely holds cards; its order may be unseen."""
    early, late = closed(scene()), closed(scene(deck="aqua-1 aqua-1 aqua-1", pile=None))
    line = {"player": "purple", "do": "end", "discard": None, "reshuffle": None}
    action = GAME.parse_action(line)

    assert GAME.format_action(action) == line
    assert refusal(early, action) == "reshuffle.not_due"
    assert done(late, action).player == "white"
    assert refusal(scene(deck="aqua-1 aqua-1", pile=None), GAME.parse_action({**line, "discard": []})) == (
        "reshuffle.other_cards"
    )
