"""Names of dealt cards: the printed order, what speaks against it, and what people say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vision.enrolment.dealt_names import DealtOrder

FACES = ("a", "b", "c", "d", "e")
ORDERS = st.lists(st.sampled_from(FACES), min_size=1, max_size=12).map(
    lambda names: tuple(sorted(names, key=names.index))
)


def looks_of(names: list[str]) -> list[int | None]:
    """What cards of these faces look like: each like the first of its face."""
    return [None if names.index(name) == number else names.index(name) for number, name in enumerate(names)]


@given(ORDERS)
def test_a_copy_that_is_dealt_as_it_is_sorted_has_its_names(names: tuple[str, ...]) -> None:
    """Also where the list has a face several times; nothing is doubtful, nothing missing."""
    order = DealtOrder(names=names)
    known = order.named(looks_of(list(names)), {})

    assert list(names) == [one.name for one in known]
    assert not any(one.is_doubtful or one.is_extra for one in known)
    assert () == order.missing(known)


@given(ORDERS, st.data())
def test_single_cards_suffice(names: tuple[str, ...], data: st.DataObject) -> None:
    """Of a face that the list has several times one may be dealt, or some: the picture tells that."""
    many = {name: data.draw(st.integers(1, names.count(name))) for name in dict.fromkeys(names)}
    dealt = [name for name, count in many.items() for _ in range(count)]

    assert dealt == [one.name for one in DealtOrder(names=names).named(looks_of(dealt), {})]


@given(ORDERS, st.data())
def test_what_people_say_holds_and_moves_what_follows(names: tuple[str, ...], data: st.DataObject) -> None:
    """Whoever left cards out names the first one after them: the order goes on from there."""
    single = tuple(dict.fromkeys(names))
    start = data.draw(st.integers(0, len(single) - 1))
    dealt = list(single[start:])
    known = DealtOrder(names=single).named(looks_of(dealt), {0: dealt[0]})

    assert dealt == [one.name for one in known]
    assert known[0].is_said


@given(
    st.lists(st.one_of(st.none(), st.integers(0, 9)), max_size=14),
    st.dictionaries(st.integers(0, 13), st.sampled_from(FACES), max_size=4),
    ORDERS,
)
def test_no_face_comes_more_often_than_the_list_has_it(
    looks: list[int | None], said: dict[int, str], names: tuple[str, ...]
) -> None:
    """But where somebody says so, or what is seen says so; then it is doubtful."""
    firsts = [
        None if one is None or one >= number or looks[one] is not None else one
        for number, one in enumerate(looks)
    ]
    order = DealtOrder(names=names)
    known = order.named(firsts, said)
    for name in FACES:
        plain = [one for one in known if one.name == name and not one.is_extra]
        mentioned = sum(one == name for one in said.values())
        assert len(plain) <= max(names.count(name), mentioned)
    for card, one in enumerate(known):
        assert one.is_said is (card in said)
        assert one.name == said.get(card, one.name)
        assert one.is_doubtful or one.is_said or (one.name is not None and not one.is_extra)
    assert set(order.missing(known)) == set(names) - {one.name for one in known}


def test_one_that_looks_like_an_earlier_one_and_is_not_on_the_list_is_doubtful() -> None:
    """It keeps the other's name, and the order waits."""
    known = DealtOrder(names=("a", "b", "c")).named([None, 0, None], {})

    assert ["a", "a", "b"] == [one.name for one in known]
    assert [False, True, False] == [one.is_extra for one in known]
    assert known[1].is_doubtful


def test_faces_that_are_printed_alike_share_a_look() -> None:
    """The next one on the list that may look the same is meant."""
    order = DealtOrder(names=("1", "2", "3"), are_alike=lambda one, other: {one, other} <= {"2", "3"})

    assert ["1", "2", "3"] == [one.name for one in order.named([None, None, 1], {})]
    assert order.copy_is_due([None, None], {}, 1)
    assert not order.copy_is_due([None, None], {}, 0)
    assert "3" == order.following([None, None], {})


def test_after_the_end_nothing_is_expected() -> None:
    """One more has no name."""
    order = DealtOrder(names=("a",))

    assert order.following([None], {}) is None
    assert order.named([None, None], {})[1].is_doubtful
