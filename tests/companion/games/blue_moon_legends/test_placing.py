"""From cards, dragons and the token that lie free to the places of Blue Moon Legends."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.free_faces import FreeFace
from companion.free_faces import Side as Up
from companion.free_pieces import FreeTable, Shape
from companion.games.blue_moon_legends import GAME
from companion.games.blue_moon_legends.placing import BOARD_FACE
from companion.games.blue_moon_legends.state import Side, State
from companion.games.blue_moon_legends.table import BACK, ELEMENT, LEFT, TOP, UNFORESEEN, WINNER, predict
from companion.games.kit.notation import escape
from companion.loose_pieces import turned
from companion.table import Place, kind_of, place
from tests.helpers.free_tables import Laying, contradictions, differences, seen_places, under_a_hand
from tests.helpers.random_play import played

CARD_MM = (70.0, 120.0)
FANNED = 6  # of more backs than this the strips that are seen may be too narrow to be counted
ROW_MM, BEHIND_MM, OPEN_MM = -115.0, -240.0, -370.0
ELEMENTS_MM = {"fire": -158.0, None: -134.0, "earth": -109.0}


def laid(state: State, rng: random.Random) -> FreeTable:
    """Lay a state's table, both sides of it, the hands beside the ships."""
    hands = Laying(rng)
    hands.flat(BOARD_FACE, (0.0, 0.0), (360.0, 88.0))
    for number, side in enumerate(state.sides):
        _lay_side(hands, side, 180.0 * number, state.setup.leaders[number])
    shown = predict(state)
    for at in range(3):
        owner = shown[place("dragon", at)]
        ahead = {escape(name): aside for name, aside in zip(state.setup.players, (-28.0, 28.0), strict=True)}
        hands.solid("fire", Shape.DRAGON, (-50.0 + 80 * at, ahead.get(owner or "", 0.0)))
    winner = shown[WINNER]
    if winner is not None:
        seat = 180.0 * [escape(name) for name in state.setup.players].index(winner)
        hands.solid("token", Shape.GEM, turned(-330.0, ROW_MM, seat))
    else:
        hands.solid("token", Shape.GEM, (ELEMENTS_MM[shown[ELEMENT]], 2.0))
    return hands.table()


def _lay_side(hands: Laying, side: Side, seat: float, leader: str) -> None:
    def lay(card: str, x: float, y: float, up: Up = Up.FACE) -> None:
        hands.flat(card, (x, y), CARD_MM, seat_deg=seat, side=up)

    lay(leader, -330.0, ROW_MM)
    for card in side.leadership:
        lay(card, -330.0, ROW_MM - 27.0)
    covered = [one for one in side.combat if not one.is_active]
    for one in covered:
        lay(one.card or BACK, 20.0, ROW_MM)
    for index, one in enumerate(side.active_combat):
        lay(one.card or BACK, 20.0 + index * _step(41.0, len(side.active_combat)), ROW_MM)
    for index, one in enumerate(side.support):
        is_down = one.is_bluff or one.card is None
        at = -57.0 - index * _step(65.0, len(side.support))
        lay(BACK if is_down else one.card or BACK, at, ROW_MM, Up.BACK if is_down else Up.FACE)
    if side.deck:
        lay(BACK, 274.0, ROW_MM, Up.BACK)
    for card in side.discard[-2:]:
        lay(card or BACK, 348.0, ROW_MM, Up.FACE if card else Up.BACK)
    _lay_behind(lay, side)


def _lay_behind(lay: object, side: Side) -> None:
    assert callable(lay)
    for index, ship in enumerate(side.ships):
        lay(ship.card, -260.0 + 75.0 * index, BEHIND_MM)
        for at, card in enumerate(ship.cargo):
            lay(card, -260.0 + 75.0 * index + 4.0, BEHIND_MM - 40.0 - 3 * at)
    for index, ship in enumerate(side.landed):
        lay(ship.card, 290.0 - 75.0 * index, BEHIND_MM)
        for at, card in enumerate(ship.cargo):
            lay(card, 290.0 - 75.0 * index, BEHIND_MM - 40.0 - 3 * at)
    hidden = len(side.hand) - len(side.revealed)
    for index in range(hidden):
        lay(BACK, 10.0 + 140.0 / max(hidden - 1, 1) * index, BEHIND_MM - 20, Up.BACK)
    for index, card in enumerate(sorted(side.revealed)):
        lay(card, -150.0 + 40.0 * index, OPEN_MM - 60.0)


def _step(most: float, cards: int) -> float:
    return min(most, 200.0 / max(cards - 1, 1))


def untold(state: State) -> set[str]:
    """Return the places that nobody can tell from above: numbers in piles and narrow fans, empty hands."""
    found = set()
    for name, side in zip(state.setup.players, state.sides, strict=True):
        found |= {f"deck:{name}", f"discard:{name}"}
        if not side.hand or len(side.hand) - len(side.revealed) > FANNED:
            found.add(f"hand:{name}")
    return found


@given(seed=st.integers(0, 7), step=st.integers(0, 90))
def test_a_table_laid_by_hand_is_read_as_it_is(seed: int, step: int) -> None:
    states = played("blue_moon_legends", seed).states
    state = states[min(step, len(states) - 1)]
    truth = predict(state)

    picture = seen_places(GAME, state, state.setup.players, laid(state, random.Random(seed)))

    tops = {where: value for where, value in picture.items() if kind_of(where) in UNFORESEEN}
    places = {where: value for where, value in picture.items() if where not in tops}
    assert differences(GAME, places, truth) == {}
    assert truth.keys() - picture.keys() <= untold(state)
    for name, side in zip(state.setup.players, state.sides, strict=True):
        assert tops.get(place(TOP, escape(name))) == (side.discard[-1] if side.discard else None)
        assert (place(LEFT, escape(name)) in tops) == bool(side.deck)


@given(seed=st.integers(0, 7), step=st.integers(0, 90), hand=st.integers(0, 1000))
def test_beside_a_hand_no_row_is_told_wrongly(seed: int, step: int, hand: int) -> None:
    states = played("blue_moon_legends", seed).states
    state = states[min(step, len(states) - 1)]
    table = under_a_hand(laid(state, random.Random(seed)), random.Random(hand))

    picture = seen_places(GAME, state, state.setup.players, table)

    rows = {where: value for where, value in picture.items() if kind_of(where) in ("combat", "support")}
    assert contradictions(GAME, rows, predict(state)) == {}


def side_of(state: State, cards: Sequence[FreeFace]) -> FreeTable:
    """Return the start's table with more cards on it."""
    table = laid(state, random.Random(5))
    last = len(table.reading.faces)
    more = tuple(replace(one, order=last + at) for at, one in enumerate(cards))
    return replace(table, reading=replace(table.reading, faces=(*table.reading.faces, *more)))


def card_at(name: str | None, x: float, y: float, side: Up = Up.FACE) -> FreeFace:
    return FreeFace(
        name=name,
        side=side,
        x_mm=x,
        y_mm=y,
        turn_deg=0.0,
        width_mm=70.0,
        height_mm=120.0,
        visible_share=1.0,
        order=0,
        confidence=0.98,
        area=None,
    )


def start() -> State:
    state = played("blue_moon_legends", 2).states[0]
    assert isinstance(state, State)
    return state


def test_a_tucked_booster_lies_beside_its_character_and_a_covered_card_does_not() -> None:
    state = start()
    near = escape(state.setup.players[0])
    cards = sorted(card for card in state.setup.owned[0] if card not in state.setup.leaders)[:3]
    covered, booster, fighter = (card_at(cards[at], x, ROW_MM) for at, x in enumerate((18.0, 62.0, 21.0)))

    picture = seen_places(GAME, state, state.setup.players, side_of(state, (covered, booster, fighter)))

    assert {picture[place("combat", near, at)] for at in (0, 1)} == {cards[1], cards[2]}
    assert picture[place("combat", near, 2)] is None


@pytest.mark.parametrize("side", [Up.UNKNOWN, Up.BACK])
def test_an_unread_card_behind_the_row_leaves_all_there_open(side: Up) -> None:
    state = start()
    near = escape(state.setup.players[0])
    odd = card_at(None if side is Up.UNKNOWN else BACK, -200.0, BEHIND_MM, side)

    picture = seen_places(GAME, state, state.setup.players, side_of(state, (odd,)))

    is_told = Place(f"hand:{near}") in picture
    assert is_told == (side is Up.BACK)
    if is_told:
        assert picture[Place(f"hand:{near}")] == str(len(state.sides[0].hand) + 1)


@pytest.mark.parametrize(
    ("fan", "told"),
    [
        ((0.0, 26.0, 52.0, 78.0), "4"),
        ((0.0, 26.0, 130.0), "3"),  # one lies apart
        ((0.0, 26.0, 68.0, 94.0), None),  # one may be missed between
        ((0.0, 18.0, 36.0, 54.0), None),  # so narrow a strip may be missed anywhere
    ],
)
def test_a_fan_is_counted_only_where_no_back_can_be_missed(fan: tuple[float, ...], told: str | None) -> None:
    state = start()
    near = escape(state.setup.players[0])
    backs = tuple(card_at(BACK, -200.0 + x, BEHIND_MM, Up.BACK) for x in fan)
    table = laid(state, random.Random(5))
    others = [one for one in table.reading.faces if one.side is not Up.BACK]
    faces = tuple(replace(one, order=at) for at, one in enumerate((*others, *backs)))

    picture = seen_places(
        GAME, state, state.setup.players, replace(table, reading=replace(table.reading, faces=faces))
    )

    assert picture.get(Place(f"hand:{near}")) == told


def test_no_pieces_no_dragons() -> None:
    state = start()
    table = replace(laid(state, random.Random(0)), pieces=None)
    picture = seen_places(GAME, state, state.setup.players, table)
    assert not {kind_of(where) for where in picture} & {"dragon", "element", "winner"}
    two = replace(table, pieces=laid(state, random.Random(0)).of_shape(Shape.DRAGON)[:2])
    assert "dragon" not in {kind_of(where) for where in seen_places(GAME, state, state.setup.players, two)}


def test_what_stands_behind_a_row_of_cards_is_no_dragon() -> None:
    """On a fan of backs something may look like one; then nobody knows where the third one is."""
    state = start()
    table = laid(state, random.Random(0))
    stray, *others = table.pieces or ()
    strays = replace(table, pieces=(replace(stray, x_mm=150.0, y_mm=360.0), *others))

    assert "dragon" in {kind_of(where) for where in seen_places(GAME, state, state.setup.players, table)}
    assert "dragon" not in {kind_of(where) for where in seen_places(GAME, state, state.setup.players, strays)}


@pytest.mark.parametrize("over_elements", [False, True])
def test_a_token_on_a_leader_counts_where_no_hand_is_over_its_place_on_the_board(
    *, over_elements: bool
) -> None:
    """Print on the leader may look like the token, and the token may lie below the hand."""
    state = start()
    table = laid(state, random.Random(0))
    (token,) = table.of_shape(Shape.GEM)
    others = [one for one in table.pieces or () if one is not token]
    moved = replace(table, pieces=(*others, replace(token, x_mm=-330.0, y_mm=ROW_MM)))
    hand_at = (ELEMENTS_MM["earth"], 2.0) if over_elements else (ELEMENTS_MM["earth"] + 60.0, 2.0)
    under_hand = replace(moved, reading=replace(moved.reading, hidden=(hand_at,)))

    picture = seen_places(GAME, state, state.setup.players, under_hand)

    assert picture.get(WINNER) == (None if over_elements else escape(state.setup.players[0]))
    assert (WINNER in picture) is not over_elements
