"""Rows of cards that lie freely: what lies there and where a row ends."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from companion.games.blue_moon_legends.reconcile.seen_table import SeenTable
from companion.observation import Observation
from companion.simulation.loose_pieces import Hands
from companion.table import Place, place
from tests.helpers.free_areas import by_hand, careful, known_from_areas, read
from tests.helpers.legends import GAME, pairing, playout


@given(number=st.integers(0, 35), actions=st.integers(1, 40))
def test_rows_are_read_from_cards_laid_by_hand(number: int, actions: int) -> None:
    rng = random.Random(number)
    steps = playout(rng, GAME.deal(rng, {"decks": pairing(number)}))
    states = [after for (_, _, after, _), _ in zip(steps, range(actions), strict=False)]

    picture = read(GAME, states[-1], by_hand(GAME, states, number, Hands()))

    expected = GAME.predict(states[-1])
    assert picture.keys() == known_from_areas(GAME, expected).keys()
    assert not SeenTable(states[-1].setup, picture).differences(states[-1])


def test_an_unread_card_keeps_its_place_in_the_row() -> None:
    """How many cards lie there is known, what one of them is is not."""
    rng = random.Random(1)
    steps = playout(rng, GAME.deal(rng, {"decks": pairing(1)}))
    state = next(
        after for _, _, after, _ in steps if any(len(side.active_combat) > 1 for side in after.sides)
    )
    picture = GAME.predict(state)
    where = next(place for place in picture if place.startswith("combat:") and place.endswith(":1"))
    hidden = replace(GAME.spots(picture)[where], face=None)

    seen = read(GAME, state, careful(GAME, picture, {where: hidden}))

    assert known_from_areas(GAME, picture).keys() - seen.keys() == {where}
    assert seen[Place(where[:-1] + "2")] is None


def test_a_row_says_where_its_cards_are_before_any_game_has_begun() -> None:
    """What lies under a hand leaves open how many cards there are, not what those beside it are."""
    lying = GAME.spots({place("combat", "a", 0): "hoax-05", place("combat", "a", 1): "hoax-21"})
    seen = Observation(
        source="eye",
        seq=1,
        seen_at_s=0.0,
        areas={"combat:a": tuple(lying.values()), "support:a": ()},
        covered={"combat:a": ((200.0, 0.0),)},
    )

    told = GAME.laid_out({"players": ["a", "b"]}, seen)

    assert {where: one.value for where, one in told.sightings.items()} == {
        "combat:a:0": "hoax-05",
        "combat:a:1": "hoax-21",
        "support:a:0": None,
    }
