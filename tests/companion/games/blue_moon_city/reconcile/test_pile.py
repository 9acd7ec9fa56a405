"""What the discard pile tells of a run."""

import random
from dataclasses import replace

import pytest

from companion.games.blue_moon_city.actions import Action, Contribute, End, Move, MoveDragon
from companion.games.blue_moon_city.game import BlueMoonCity
from companion.games.blue_moon_city.reconcile.differences import Differences
from companion.games.blue_moon_city.reconcile.hypotheses import CityRun, veil
from companion.games.blue_moon_city.reconcile.pile import UNEXPLAINED, oddity
from companion.games.blue_moon_city.rules.spending import DRAGON_CARDS, paid_after, tops_after, tops_of_turn
from companion.games.kit.search import Run

GAME = BlueMoonCity()
START = veil(GAME.start(GAME.deal(random.Random(1), {"players": 2, "edition": "kosmos-2006"})))
WALK = Move(player="purple", to=5, path=None, cards=())
ENDING = End(player="purple", discard=None)
DRAGON = MoveDragon(player="white", dragon="fire", to=5)
NEAR = replace(START, dragons=(5,) * len(START.dragons))  # a card of either value moves any dragon


def run_of(*actions: Action) -> CityRun:
    return Run(actions=actions, states=(NEAR,) * (len(actions) + 1), wrong=Differences())


def pile(*tops: str, now: str) -> Differences:
    return Differences(top_before=tops[-1], top_now=now, tops=tops)


@pytest.mark.parametrize(
    ("actions", "found", "odd"),
    [
        ((ENDING, DRAGON), pile("hoax-3", "vulca-1", now="vulca-2"), 0),
        ((DRAGON,), pile("hoax-3", "vulca-1", now="vulca-2"), 1),
        ((DRAGON,), pile("hoax-3", "terrah-1", now="vulca-2"), UNEXPLAINED),
        ((WALK,), pile("hoax-3", now="hoax-3"), 0),
        ((WALK,), pile("hoax-3", "terrah-1", now="terrah-1"), UNEXPLAINED),
        ((ENDING, WALK), pile("hoax-3", "terrah-1", now="terrah-1"), 0),
        ((ENDING, WALK), pile("hoax-3", "terrah-1", "aqua-1", now="aqua-1"), 1),
        ((ENDING, ENDING, WALK), pile("hoax-3", "terrah-1", "aqua-1", now="aqua-1"), 0),
        ((WALK,), pile("hoax-3", now="terrah-1"), 0),
    ],
)
def test_cards_are_laid_to_ends_of_turns_and_to_what_they_pay(
    actions: tuple[Action, ...], found: Differences, odd: int
) -> None:
    """A run explains the cards on the pile by its ends, by what was paid, or by an end still to be seen."""
    assert oddity(run_of(*actions), found) == odd


def test_a_contribution_leaves_cards_of_its_colour_or_what_stands_in_for_them() -> None:
    """What may lie on top after a contribution: its people, Khind, a pair of Mimix or a Hoax."""
    cell = next(i for i, b in enumerate(START.setup.buildings) if b is not None and b.colour == "aqua")
    figures = (cell, *START.figures[1:])
    here = GAME.start(GAME.deal(random.Random(1), {"players": 2, "edition": "kosmos-2006"}))
    state = veil(here)
    state = type(state)(**{**{name: getattr(state, name) for name in state.__slots__}, "figures": figures})
    paid = Contribute(player=state.player, box=0, colour="aqua", cards=None, pairs=None, recolour=None)

    assert tops_after(state, paid) == {
        *("aqua-1", "aqua-2", "aqua-3", "khind-1", "mimix-1", "mimix-2", "hoax-1", "hoax-2")
    }


def test_what_moves_pieces_is_paid_with_flits_and_dragons_cards() -> None:
    """In the movement phase nothing else comes on the pile."""
    assert tops_of_turn(START) == DRAGON_CARDS | {"flit-1", "flit-2"}


def test_what_a_turn_may_have_paid_follows_what_was_done_in_it() -> None:
    """A water dragon leaves no card of fire on the pile; a bare walk may hide a Flit; the end clears all."""
    summoned = paid_after(START, frozenset(), MoveDragon(player="purple", dragon="water", to=5))

    assert summoned == {"aqua-1"}  # from beside the city no value 2 card walks a dragon in
    assert paid_after(START, summoned, WALK) == summoned
    assert paid_after(START, summoned, Move(player="purple", to=5, path=None, cards=None)) == {
        *summoned,
        *("flit-1", "flit-2"),
    }
    assert paid_after(START, summoned, ENDING) == frozenset()


def test_the_state_keeps_what_may_have_been_paid() -> None:
    """In closed play it grows with what is done and is gone with the turn."""
    state, _ = GAME.apply(START, MoveDragon(player=START.player, dragon="fire", to=5))
    ended, _ = GAME.apply(state, End(player=START.player, discard=None))

    assert state.hidden is not None
    assert state.hidden.paid == {"vulca-1"}
    assert ended.hidden is not None
    assert ended.hidden.paid == frozenset()


def test_a_pile_that_emptied_and_filled_again_takes_two_events() -> None:
    """Cards are drawn after an end's discards: what lies on an emptied pile came with another turn."""
    found = Differences(top_before="terrah-1", top_now="vulca-1", tops=("hoax-3", None, "terrah-1"))

    assert oddity(run_of(ENDING, DRAGON), found) == UNEXPLAINED
    assert oddity(run_of(ENDING, ENDING, DRAGON), found) == 0
