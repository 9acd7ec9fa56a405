"""Discards that nobody counted, and decks of which only bounds are known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import MalformedError
from companion.games.blue_moon_legends.actions import Announce, Count, Decline, Lead, Retreat, Use
from companion.games.blue_moon_legends.state import State
from tests.helpers.legends import GAME, play, position, refused, run_through

HAND = ("vulca-01", "vulca-03", "vulca-04", "vulca-05", "vulca-06", "vulca-07")
DECLINED = Decline(player="a", cards=(None,), more=2)


def closed(state: State) -> State:
    """Return a state whose hands and decks nobody but their owners know."""
    sides = (
        replace(side, hand=(None,) * len(side.hand), deck=(None,) * len(side.deck)) for side in state.sides
    )
    first, second = sides
    return replace(state, sides=(first, second))


def start(*, deck: int = 18, uncounted: int = 0) -> State:
    """Return a closed state in which a is to begin a fight with six cards and so many in the deck."""
    state = closed(position(a={"hand": HAND}, b={"hand": ["hoax-01"]}))
    mine = state.sides[0]
    cut = replace(mine, deck=mine.deck[:deck], discard=mine.deck[deck:], uncounted=uncounted)
    return replace(state, sides=(cut, state.sides[1]))


def test_discards_that_nobody_counted_leave_bounds() -> None:
    side = run_through(start(), DECLINED).sides[0]

    assert len(side.hand) == 6
    assert (side.fewest_in_deck, len(side.deck)) == (15, 17)
    assert side.uncounted == 2


@pytest.mark.parametrize("number", [15, 16, 17])
def test_a_count_settles_them(number: int) -> None:
    """Every count within the bounds is as if it had been told at once how many were discarded."""
    after = run_through(start(), DECLINED, Count(player="a", number=number))
    told = run_through(start(), Decline(player="a", cards=(None,) * (18 - number)))

    assert after.sides[0] == told.sides[0]
    assert after.turn == told.turn


def test_what_cannot_be_left_is_refused() -> None:
    declined = run_through(start(), DECLINED)

    assert refused(declined, Count(player="a", number=14)) == "deck.count"
    assert refused(declined, Count(player="a", number=18)) == "deck.count"
    assert refused(declined, Count(player="b", number=18)) == "deck.count"


def test_only_what_nobody_knows_stays_uncounted() -> None:
    """Not where all cards are known, where more would go than there are, or where the hand would show it."""
    known = position(a={"hand": HAND}, b={"hand": ["hoax-01"]})
    full = start()
    many = replace(full.sides[0], hand=(None,) * 9, deck=full.sides[0].deck[:15])

    assert refused(known, Decline(player="a", cards=("vulca-01",), more=2)) == "cards.uncounted"
    assert refused(full, Decline(player="a", cards=(None,), more=3)) == "cards.uncounted"
    assert refused(replace(full, sides=(many, full.sides[1])), DECLINED) == "cards.uncounted"


def test_as_long_as_it_is_not_counted_a_deck_is_not_used_up() -> None:
    """Who would draw all that may be left must count them first."""
    assert run_through(start(deck=2), DECLINED).sides[0].fewest_in_deck == 1
    assert refused(start(deck=1), DECLINED) == "deck.uncounted"
    assert refused(start(deck=3, uncounted=2), Decline(player="a", cards=(None,) * 3)) == "deck.uncounted"


def test_who_enters_what_uses_up_a_deck_says_how_many_cards_were_left() -> None:
    """Else the companion would let the player draw cards that are not there."""
    true, state = start(deck=1), start(deck=3, uncounted=2)
    declined = Decline(player="a", cards=(None,) * 2)
    told = GAME.told(state, true, declined)

    assert told == (Count(player="a", number=1), declined)
    assert len(run_through(state, *told).sides[0].hand) == 5
    assert GAME.told(state, start(deck=3), declined) == (declined,)


def test_cards_laid_unseen_before_a_retreat_need_not_be_counted() -> None:
    state = closed(
        position(fight="fire", a={"hand": HAND, "combat": ["vulca-14"]}, b={"combat": ["hoax-05"]})
    )
    after = run_through(state, Retreat(player="a", more=3))
    plain = run_through(state, Retreat(player="a"))

    assert after.sides[0].uncounted == 3
    assert replace(after.sides[0], uncounted=0) == plain.sides[0]
    open_game = position(fight="fire", a={"hand": HAND}, b={"combat": ["hoax-05"]})
    assert refused(open_game, Retreat(player="a", more=3)) == "retreat.cards"


def test_a_shuffle_of_all_that_was_discarded_settles_them() -> None:
    """What was not counted comes back into the deck."""
    state = closed(position("aqua,vulca", a={"hand": ["aqua-31"]}, b={"hand": ["vulca-01"]}))
    mine = replace(state.sides[0], discard=(None,) * 4, uncounted=2)
    led = run_through(replace(state, sides=(mine, state.sides[1])), Lead(player="a", card="aqua-31"))
    after = run_through(led, Use(player="a", card="aqua-31"))

    assert after.sides[0].uncounted == 0
    assert after.sides[0].discard == ()


def test_what_is_not_counted_is_no_claim() -> None:
    """A checkpoint tells the bounds, and the table is predicted without the piles."""
    after = run_through(start(), DECLINED)

    assert GAME.checkpoint(after)["deck_counts"] == {"a": [15, 17], "b": len(after.sides[1].deck)}
    assert not {"deck:a", "discard:a"} & set(GAME.predict(after))
    for number in (15, 17):
        GAME.check(after, {"deck_counts": {"a": number, "b": len(after.sides[1].deck)}})
    with pytest.raises(MalformedError):
        GAME.check(after, {"deck_counts": {"a": 18, "b": len(after.sides[1].deck)}})
    fought = run_through(after, *play("b", "hoax-01"), Announce(player="b", element="fire", total=5))
    assert fought.sides[0] == after.sides[0]
