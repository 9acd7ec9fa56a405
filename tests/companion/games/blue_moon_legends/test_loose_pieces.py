"""Rows of cards that lie freely: what lies there and where a row ends."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from companion.games.blue_moon_legends.reconcile.seen_table import SeenTable
from companion.simulation.loose_pieces import Hands
from companion.table import Place
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
