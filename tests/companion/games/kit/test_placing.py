"""What games share to make places of what lies free."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.free_faces import FreeFace, FreeReading, Side
from companion.free_pieces import FreeTable
from companion.games.kit.placing import area_at, as_many_as_exist, covered_points, is_covered, loose, top_of
from companion.table_layout import Area, Arrangement, Content, TableLayout, around

CARD = FreeFace(
    name="fox",
    side=Side.FACE,
    x_mm=0.0,
    y_mm=0.0,
    turn_deg=90.0,
    width_mm=60.0,
    height_mm=90.0,
    visible_share=1.0,
    order=0,
    confidence=0.9,
    area=None,
)


def area(x: float, y: float, width: float, height: float) -> Area:
    return Area(outline_mm=around(x, y, width, height), content=Content.CARDS, arrangement=Arrangement.ROW)


LAYOUT = TableLayout(
    name="two areas",
    fiducials=(),
    cells={},
    tile_edge_mm=0.0,
    areas={"left": area(-100, 0, 100, 100), "right": area(100, 0, 100, 100)},
)


@pytest.mark.parametrize(
    ("at", "expected"),
    [((-100, 0), "left"), ((60, 40), "right"), ((30, 0), "right"), ((0, 300), None), ((151, 80), "right")],
)
def test_a_point_is_in_the_area_around_it_or_just_beside(at: tuple[float, float], expected: str) -> None:
    assert area_at(LAYOUT, *at) == expected


def test_what_hides_an_area_or_is_beside_its_cards_is_told_in_its_owner_s_axes() -> None:
    hidden = ((-100.0, 0.0), (0.0, 0.0), (10.0, 150.0))
    table = FreeTable(reading=FreeReading(hidden=hidden))
    above = replace(CARD, x_mm=10.0, y_mm=90.0)

    assert covered_points(table, LAYOUT.areas["left"]) == ((-100.0, 0.0),)
    assert covered_points(table, LAYOUT.areas["left"], [above], seat_deg=180.0) == (
        pytest.approx((100.0, 0.0)),
        pytest.approx((-10.0, -150.0)),
    )
    assert covered_points(table, LAYOUT.areas["left"], [above], reach=0.5) == ((-100.0, 0.0),)
    assert covered_points(table, None, [above]) == ((10.0, 150.0),)


def test_a_loose_piece_is_in_the_axes_of_who_sits_there() -> None:
    piece = loose(replace(CARD, x_mm=10.0, y_mm=-4.0, turn_deg=-170.0), "left", name="fox", seat_deg=90.0)
    assert (piece.x_mm, piece.y_mm) == (pytest.approx(-4.0), pytest.approx(-10.0))
    assert piece.turn_deg == pytest.approx(100.0)


def test_of_more_copies_than_exist_the_surest_count() -> None:
    cards = [replace(CARD, confidence=sure) for sure in (0.5, 0.99, 0.98)]
    backs = [replace(CARD, side=Side.BACK)] * 3
    names = [one.name for one in as_many_as_exist([*cards, *backs], lambda _: 2)]
    assert names == [None, "fox", "fox", "fox", "fox", "fox"]


def test_two_claims_of_what_exists_once_speak_against_each_other() -> None:
    """Of what is right with 0.9 and 0.8 only one can be: 9 : 4 : 1 for the first, the second, neither."""
    found = as_many_as_exist([replace(CARD, confidence=sure) for sure in (0.9, 0.8)], lambda _: 1)
    assert [one.name for one in found] == [None, None]
    assert [one.confidence for one in found] == [pytest.approx(9 / 14), pytest.approx(4 / 14)]


@given(st.lists(st.floats(0.01, 0.995), min_size=1, max_size=6), st.integers(1, 3))
def test_claims_are_as_sure_as_where_no_more_than_exist_are_right(claimed: list[float], many: int) -> None:
    """The same by going through all cases."""
    found = as_many_as_exist([replace(CARD, confidence=sure) for sure in claimed], lambda _: many)
    cases = [
        (case, math.prod(sure if right else 1 - sure for sure, right in zip(claimed, case, strict=True)))
        for case in itertools.product((False, True), repeat=len(claimed))
        if sum(case) <= many
    ]
    whole = sum(weight for _, weight in cases)
    for at, one in enumerate(found):
        assert one.confidence == pytest.approx(sum(w for case, w in cases if case[at]) / whole, rel=1e-6)


@pytest.mark.parametrize(
    ("x", "y", "order", "covered"),
    [(0, 15, 1, True), (0, 15, -1, False), (0, 25, 1, False), (22, 0, 1, False), (15, 5, 1, True)],
)
def test_a_card_is_covered_by_what_lies_upon_nearly_all_of_it(
    x: float, y: float, order: int, covered: bool
) -> None:
    """The card is turned by a right angle: its width runs along y."""
    assert is_covered(CARD, [CARD, replace(CARD, x_mm=x, y_mm=y, order=order)]) == covered


def test_the_top_of_a_pile() -> None:
    assert top_of([]) is None
    assert top_of([replace(CARD, order=2), replace(CARD, order=5), CARD]).order == 5  # type: ignore[union-attr]
