"""From cards that lie free to the places of Urbion."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from companion.free_faces import Side
from companion.free_pieces import FreeTable
from companion.games.urbion import GAME
from companion.games.urbion.catalogue import SIDES
from companion.games.urbion.placing import BACK_OF_DREAMS
from companion.games.urbion.state import UrbionState, polarities
from companion.games.urbion.table import DISCARD, STRAY, city_place, dream_places, predict
from tests.helpers.free_tables import Laying, contradictions, differences, seen_places, under_a_hand
from tests.helpers.random_play import played

CARD_MM = (59.0, 91.0)
PITCH_MM, BESIDE_MM = 98.0, 63.0


def laid(state: UrbionState, rng: random.Random) -> FreeTable:
    """Lay a state's table, somewhere around the middle and a little closer or wider."""
    hands = Laying(rng)
    x, y = rng.uniform(-15, 15), rng.uniform(-10, 60)
    for number, row in enumerate(state.rows):
        if row is None:
            continue
        height = y + PITCH_MM * (1.5 - number)
        hands.flat(row.city, (x, height), CARD_MM)
        for side in SIDES:
            for index, dream in enumerate(row.side(side)):
                away = BESIDE_MM * (index + 1)
                hands.flat(dream, (x - away if side == "left" else x + away, height), CARD_MM)
    for player, (seat, hand) in enumerate(zip((0.0, 180.0), state.hands, strict=False)):
        depth = y - 2.6 * PITCH_MM if player == 0 else -y - 2.6 * PITCH_MM
        for index, card in enumerate(hand):
            hands.flat(card, (BESIDE_MM * (index - 1.5), depth), CARD_MM, seat_deg=seat)
    for (player_name, polarity), seat in zip(polarities(state).items(), (0.0, 180.0), strict=False):
        del player_name
        hands.flat(polarity, (-187.0, (y if seat == 0 else -y) - 2.6 * PITCH_MM), CARD_MM, seat_deg=seat)
    _lay_piles(hands, state, (x + 262.0, y + 125.0))
    return hands.table()


def _lay_piles(hands: Laying, state: UrbionState, deck: tuple[float, float]) -> None:
    """Lay the decks, the discard pile, what waits for a decision, what was drawn, and the Books."""
    hands.flat(BACK_OF_DREAMS, deck, CARD_MM, side=Side.BACK)
    hands.flat("back-city", (deck[0] + 66, deck[1]), CARD_MM, side=Side.BACK)
    for card in state.discards[-3:]:
        hands.flat(card, (deck[0], deck[1] - 100), CARD_MM)
    for index, card in enumerate(state.waiting):
        hands.flat(card, (deck[0] + 20.0 * (index % 3), deck[1] - 195), CARD_MM)
    for fan in range(5):
        for index, card in enumerate(state.fan(fan)):
            hands.flat(card, ((fan - 2) * 139.0 + 14.0 * (index - 1.5), -370.0), CARD_MM)
    hands.flat("agoraphilia", (-270.0, 0.0), CARD_MM)


@given(seed=st.integers(0, 6), step=st.integers(0, 50))
def test_a_table_laid_by_hand_is_read_as_it_is(seed: int, step: int) -> None:
    states = played("urbion", seed).states
    at = min(step, len(states) - 1)
    state, known = states[at], states[max(0, at - 1)]

    picture = seen_places(GAME, known, state.players, laid(state, random.Random(seed + step)))

    assert differences(GAME, picture, predict(state)) == {}
    cards = {where for where, value in predict(state).items() if value is not None}
    assert cards <= picture.keys()


def test_what_a_hand_hides_is_not_told() -> None:
    state = played("urbion", 1).states[-5]
    table = laid(state, random.Random(1))
    row = next(number for number, each in enumerate(state.rows) if each and len(each.side("right")) < 3)
    there = state.rows[row]
    assert there is not None
    city = next(one for one in table.reading.faces if one.name == there.city)
    beside = replace(table.reading, hidden=((city.x_mm - 60.0, city.y_mm),))
    upon = replace(
        table.reading,
        faces=tuple(one for one in table.reading.faces if one is not city),
        hidden=((city.x_mm, city.y_mm),),
    )

    seen = [
        seen_places(GAME, state, state.players, replace(table, reading=reading)) for reading in (beside, upon)
    ]

    left, right = dream_places(row, "left"), dream_places(row, "right")
    assert all(seen[0][where] is not None for where in left if where in seen[0])
    assert any(seen[0].get(where, "") is None for where in right)
    assert seen[0][city_place(row)] == there.city
    assert city_place(row) not in seen[1]
    assert not any(seen[1].get(where, "") is None for where in (*left, *right))
    assert STRAY not in seen[0].keys() | seen[1].keys()


@given(seed=st.integers(0, 6), step=st.integers(0, 60), hand=st.integers(0, 1000))
def test_beside_a_hand_nothing_wrong_is_told(seed: int, step: int, hand: int) -> None:
    states = played("urbion", seed).states
    state = states[min(step, len(states) - 1)]
    table = under_a_hand(laid(state, random.Random(seed)), random.Random(hand))

    picture = seen_places(GAME, state, state.players, table)

    assert contradictions(GAME, picture, predict(state)) == {}


def test_a_discard_pile_that_is_gone_is_empty_and_a_turned_card_on_it_is_unknown() -> None:
    state = next(one for one in played("urbion", 0).states if one.discards)
    table = laid(state, random.Random(2))
    pile = [one for one in table.reading.faces if one.name in state.discards[-1:]][-1:]
    rest = tuple(one for one in table.reading.faces if one not in pile)
    unread = replace(pile[0], name=None, side=Side.UNKNOWN)

    seen = {}
    for name, faces in (("empty", rest), ("unread", (*rest, unread))):
        seen[name] = seen_places(
            GAME, state, state.players, replace(table, reading=replace(table.reading, faces=faces))
        )

    assert seen["empty"].get(DISCARD, "unsaid") != state.discards[-1]
    assert DISCARD not in seen["unread"]
