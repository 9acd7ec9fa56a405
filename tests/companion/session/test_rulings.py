"""What players ruled: printed and parsed, applied to what is seen, and lapsing with the table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.decision import Ask, Choice
from companion.errors import MalformedError
from companion.observation import Snapshot
from companion.record.game_record import format_object, parse_object
from companion.session.rulings import Belief, Rulings, ending_key, format_rulings, parse_rulings
from companion.table import Place

places = st.text(min_size=1, max_size=8).map(Place)
values = st.none() | st.text(max_size=8)
pictures = st.dictionaries(places, values, max_size=4)
beliefs = st.builds(Belief, claims=st.lists(values, max_size=3).map(tuple), right=values)
rulings = st.builds(
    Rulings,
    misread=pictures,
    believed=st.dictionaries(places, beliefs, max_size=3),
    held=pictures,
    goes_on=st.none() | st.text(min_size=1, max_size=8),
)
A, B, C = Place("cell:a"), Place("cell:b"), Place("cell:c")


@given(ruled=rulings)
def test_rulings_print_and_parse_to_themselves(ruled: Rulings) -> None:
    """As a line of JSON, which says nothing of what there is none of."""
    assert ruled == parse_rulings(parse_object(format_object(format_rulings(ruled))))
    assert format_rulings(Rulings()) == {}


@pytest.mark.parametrize(
    "told",
    [
        {"misread": []},
        {"misread": {"cell:a": 3}},
        {"believed": {"cell:a": {"claims": ["x"]}}},
        {"believed": {"cell:a": {"claims": "x", "right": "x"}}},
        {"held": None},
        {"goes_on": 1},
        {"goes_on": None},
        {"forgiven": {}},
    ],
)
def test_what_are_no_rulings_is_refused(told: dict[str, object]) -> None:
    """Unknown keys and values of another kind are named."""
    with pytest.raises(MalformedError):
        parse_rulings(told)


@given(ruled=rulings, picture=pictures, expected=pictures)
def test_what_lapses_never_comes_back_by_itself(ruled: Rulings, picture: dict, expected: dict) -> None:  # type: ignore[type-arg]
    """What still stands is part of what stood, and stands when the same is seen once more."""
    seen = Snapshot(picture=picture)
    left = ruled.lapsed(seen, expected)

    assert left.misread.items() <= ruled.misread.items()
    assert left.held in ({}, ruled.held)
    assert (left.believed, left.goes_on) == (ruled.believed, ruled.goes_on)
    assert left == left.lapsed(seen, expected)


def test_a_misread_place_is_not_compared_until_it_reads_otherwise() -> None:
    """Or until the game expects what it reads; a place that nobody sees changes nothing."""
    ruled = Rulings(misread={A: "x"})
    seen = Snapshot(picture={A: "x", B: "y"})

    assert ruled.compared(seen) == {B: "y"}
    assert ruled.lapsed(seen, {A: "z"}) == ruled
    assert ruled.lapsed(Snapshot(picture={B: "y"}), {A: "z"}) == ruled
    assert ruled.lapsed(Snapshot(picture={A: "z"}), {A: "z"}) == Rulings()
    assert ruled.lapsed(seen, {A: "x"}) == Rulings()


def test_a_belief_holds_for_the_claims_it_was_asked_about() -> None:
    """The same two senses saying something else are a new question."""
    ruled = Rulings(believed={A: Belief(claims=("x", None), right="x")})
    same, other = (Snapshot(picture={B: "y"}, contested={A: claims}) for claims in (("x", None), ("x", "z")))

    assert (ruled.open_conflicts(same), ruled.compared(same)) == ({}, {A: "x", B: "y"})
    assert (ruled.open_conflicts(other), ruled.compared(other)) == ({A: ("x", "z")}, {B: "y"})


def test_what_is_merely_remembered_is_not_compared() -> None:
    """Neither as it is nor as misread."""
    seen = Snapshot(picture={A: "x", B: "y"}, unseen=frozenset({A}))

    assert Rulings().compared(seen) == {B: "y"}


def test_all_that_differs_is_taken_for_misread() -> None:
    """What the game expects nothing of is nobody's mistake; earlier rulings stand."""
    ruled = Rulings(misread={C: None}).with_misread({A: "x", B: "y", Place("pile"): "q"}, {A: "z", B: "y"})

    assert ruled == Rulings(misread={C: None, A: "x"})


def test_a_held_table_is_let_go_when_any_of_it_changes() -> None:
    """Places that are not seen say nothing."""
    ruled = Rulings(held={A: "x", B: None})

    assert ruled.lapsed(Snapshot(picture={A: "x"}), {}) == ruled
    assert ruled.lapsed(Snapshot(picture={A: "x", B: "y"}), {}) == Rulings()


def test_an_open_ending_is_known_by_its_words_and_its_endings() -> None:
    """The same question about other winners is another."""
    ann, ben = ({"winners": [name]} for name in ("ann", "ben"))
    no: Choice[object] = Choice(actions=(), text="no")
    first = Ask(text="Who?", choices=(Choice(actions=(), text="Ann", result=ann), no))
    other = Ask(text="Who?", choices=(Choice(actions=(), text="Ann", result=ben), no))

    assert ending_key(first) == ending_key(Ask(text="Who?", choices=first.choices))
    assert ending_key(first) != ending_key(other)
