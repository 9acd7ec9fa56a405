"""Names of people: which are taken, how they are kept, in which order they are offered."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import MalformedError
from companion.people.person import (
    MOST_COLOURS,
    MOST_NAME,
    People,
    clean_name,
    format_people,
    parse_people,
)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ada", "Ada"),
        ("  Ada \t King\n", "Ada King"),
        ("Jose\N{COMBINING ACUTE ACCENT}", "José"),
        ("Оля", "Оля"),
        ("דנה", "דנה"),
        ("O'Neil", "O'Neil"),
        ("🦊", "🦊"),
        ("👩\N{ZERO WIDTH JOINER}🚀", "👩\N{ZERO WIDTH JOINER}🚀"),
        ("A\N{RIGHT-TO-LEFT OVERRIDE}da", "Ada"),
        ("A\N{ZERO WIDTH SPACE}da", "Ada"),
        ("x" * MOST_NAME, "x" * MOST_NAME),
    ],
)
def test_a_name_is_kept_as_it_is_typed(typed: str, kept: str) -> None:
    """Spaces are tidied and what cannot be seen is left out."""
    assert kept == clean_name(typed)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "   ",
        "\N{ZERO WIDTH SPACE}",
        "\N{ZERO WIDTH JOINER}",
        "\N{HANGUL FILLER}",
        "\N{COMBINING ACUTE ACCENT}",
        "x" * (MOST_NAME + 1),
        "A\x07da",
        "A\x1b[31mda",
        "A\ud800da",
        "\ue000",
        "<b>Ada</b>",
        "A" + "\N{COMBINING ACUTE ACCENT}\N{COMBINING GRAVE ACCENT}" * 3,
    ],
)
def test_a_name_that_will_not_do_is_refused(typed: str) -> None:
    """In one line that can be shown."""
    with pytest.raises(MalformedError) as refused:
        clean_name(typed)

    assert str(refused.value).isprintable()


@given(st.text(max_size=40))
def test_any_text_is_a_name_or_is_refused(typed: str) -> None:
    """A kept name is its own kept form, fits into a line, and hides nothing."""
    try:
        name = clean_name(typed)
    except MalformedError:
        return

    assert clean_name(name) == name
    assert 1 <= len(name) <= MOST_NAME
    assert not any(unicodedata.category(one) in ("Cc", "Cs", "Zl", "Zp") for one in name)
    assert not set(name) & set("<>\u202e\u2066\u2067\u2068\u2069")


def test_the_same_name_twice_is_refused() -> None:
    """However it is written; one may be renamed to another spelling of the same name."""
    people = People().added("a", "Ada").added("b", "Ben")

    for same in ("ada", " ADA ", "Ａｄａ"):
        with pytest.raises(MalformedError, match="already on the list"):
            people.added("c", same)
        with pytest.raises(MalformedError, match="already on the list"):
            people.renamed("b", same)
    assert people.renamed("a", "ADA").by_id("a") == people.renamed("a", "ADA").by_name("Ada")


def test_who_played_last_comes_first() -> None:
    """Those who have not played yet follow by name."""
    people = People().added("a", "Zoe").added("b", "Ada").added("c", "Ben").added("d", "Cy")
    people = people.played("c", "red", 10.0).played("d", "blue", 20.0)

    assert ["Cy", "Ben", "Ada", "Zoe"] == [one.name for one in people.recent()]


def test_colours_are_remembered() -> None:
    """The first one is the favourite until another is chosen; a game offers only its own."""
    people = People().added("a", "Ada").played("a", "red", 1.0).played("a", "blue", 2.0)
    person = people.by_id("a")
    assert person is not None
    assert ("red", "blue") == person.colours
    assert "red" == person.favourite(("blue", "red"))
    assert "blue" == person.favourite(("white", "blue"))
    assert person.favourite(("white",)) is None

    liked = people.liking("a", "white").by_id("a")
    assert liked is not None
    assert ("white", "red", "blue") == liked.colours


def test_a_favourite_outlives_many_colours() -> None:
    """Only so many colours are remembered."""
    people = People().added("a", "Ada", "red")
    for number in range(3 * MOST_COLOURS):
        people = people.played("a", f"colour {number}", float(number))
    person = people.by_id("a")

    assert person is not None
    assert "red" == person.colours[0]
    assert MOST_COLOURS == len(person.colours)


_names = st.text(min_size=1, max_size=MOST_NAME).filter(str.strip)


@given(st.lists(st.tuples(_names, st.sampled_from(["", "red", "blue"]), st.floats(0, 1e10)), max_size=8))
def test_what_is_written_is_read_again(given_people: list[tuple[str, str, float]]) -> None:
    """Whoever could be added is the same after the file was read."""
    people = People()
    for number, (name, colour, at_s) in enumerate(given_people):
        try:
            people = people.added(f"id{number}", name, colour).played(f"id{number}", "green", at_s)
        except MalformedError:
            continue

    assert people == parse_people(json.loads(json.dumps(format_people(people))))
