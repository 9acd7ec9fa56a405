"""What the table has shown: pieces that lie in no order are compared as they are seen."""

from companion.reconcile.table_history import laid_like, trail_before
from companion.table import Place, kind_of

HAND = [Place(f"hand:{at}") for at in range(3)]
MARK = Place("mark")


def _group_of(where: Place) -> str | None:
    return "hand" if kind_of(where) == "hand" else None


def test_cards_in_another_order_are_as_predicted() -> None:
    predicted = {HAND[0]: "a", HAND[1]: "b", HAND[2]: None, MARK: "x"}
    seen = {HAND[0]: None, HAND[1]: "a", HAND[2]: "b", MARK: "y"}

    assert laid_like(predicted, seen, _group_of) == {**seen, MARK: "x"}


def test_a_card_that_nobody_saw_may_be_the_one_that_is_missed() -> None:
    predicted = {HAND[0]: "a", HAND[1]: "b", HAND[2]: "c"}

    assert laid_like(predicted, {HAND[0]: "c", HAND[1]: "a"}, _group_of) == dict(
        zip(HAND, "cab", strict=True)
    )


def test_a_strange_card_takes_the_place_of_another() -> None:
    predicted = {HAND[0]: "a", HAND[1]: "b", HAND[2]: None}
    seen = {HAND[0]: "b", HAND[1]: "z", HAND[2]: None}

    assert laid_like(predicted, seen, _group_of) == {HAND[0]: "b", HAND[1]: "a", HAND[2]: None}


def test_the_trail_before_ended_when_the_game_moved_on() -> None:
    pile = Place("discard")
    trails = {3: {pile: ("a", "b", "c"), MARK: ("x", "y")}, 5: {pile: ("c", "d"), MARK: ("y", "z", "x")}}

    assert trail_before(trails, 5) == trails[3]
    assert trail_before(trails, 6) == trails[5]
    assert trail_before(trails, 3) == {}
