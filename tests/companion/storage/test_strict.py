"""Bytes of unknown origin: what is read of them, and what is refused in one short line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import MOST_SHOWN, MalformedError, one_line
from companion.storage import strict
from companion.storage.strict import (
    MOST_DEPTH,
    MOST_NUMBER,
    as_each,
    as_file_name,
    as_integer,
    as_list,
    as_names,
    as_number,
    as_numbers,
    as_object,
    is_file_name,
    lines_of,
    named,
    parse_json,
    parse_json_object,
    read_bytes,
    read_json_object,
    read_lines,
    shown,
)

numbers = st.integers(-MOST_NUMBER, MOST_NUMBER) | st.floats(-(2.0**62), 2.0**62)
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(),
    lambda inside: st.lists(inside) | st.dictionaries(st.text(), inside),
    max_leaves=20,
)


def refusal(content: str | bytes) -> str:
    """Return the words in which a text is refused."""
    with pytest.raises(MalformedError) as caught:
        parse_json(content)
    return str(caught.value)


@given(value=values, is_escaped=st.booleans())
def test_what_is_written_is_read(value: Any, is_escaped: bool) -> None:
    """Every value within the limits comes back as it was, however its text is escaped."""
    assert value == parse_json(json.dumps(value, ensure_ascii=is_escaped).encode())


texts = st.text() | st.text(alphabet='[]{}",:019.eE-+\\u d8truefalsn ')


@given(content=st.binary() | texts.map(str.encode))
def test_any_bytes_are_a_value_or_one_short_line(content: bytes) -> None:
    """Nothing but a value or a MalformedError comes of any bytes."""
    told, value = "", None
    try:
        value = parse_json(content)
    except MalformedError as error:
        told = str(error)

    assert len(told) <= MOST_SHOWN
    assert told.isprintable()
    assert told or value == parse_json(json.dumps(value))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not JSON"),
        (b"\xff{}", "not UTF-8: invalid start byte at byte 0"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (b"{}{}", "not JSON: Extra data at character 3"),
        (b'{"a": 1, "b": {"a": 1, "a": 2}}', "the key 'a' occurs twice"),
        (b"[NaN]", "NaN is not a number"),
        (b"-Infinity", "-Infinity is not a number"),
        (b"[1e999]", "too large a number"),
        (b"[-1e999]", "too large a number"),
        (b"1e300", "too large a number"),
        (str(2**63).encode(), "too large a number"),
        (b"9" * 5000, "too large a number"),
        (b'["\\ud800"]', "half a character"),
        (b'{"\\udfff": 1}', "half a character"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[" * 800 + b"]" * 800, "nested too deeply"),
        (b'{"a":' * 60 + b"1" + b"}" * 60, "nested too deeply"),
        (b"[" + b"0," * strict.MOST_VALUES + b"0]", "values"),
        (b'"' + b"x" * strict.MOST_BYTES + b'"', "bytes"),
    ],
)
def test_what_json_allows_and_nobody_needs_is_refused(content: bytes, words: str) -> None:
    """Depth, numbers, doubles, half characters and sheer size have limits, and the words name which."""
    assert words in refusal(content)


def test_the_depth_that_is_allowed_is_read() -> None:
    """So many lists within each other, and not one more."""
    deepest = "[" * (MOST_DEPTH + 1) + "]" * (MOST_DEPTH + 1)

    assert isinstance(parse_json(deepest), list)
    assert "nested too deeply" in refusal(f"[{deepest}]")


def test_an_object_is_wanted(tmp_path: Path) -> None:
    """Other values are refused by their kind; a file is named."""
    with pytest.raises(MalformedError, match="expected an object, not a list"):
        parse_json_object("[]")
    (tmp_path / "a.json").write_text("3")
    with pytest.raises(MalformedError, match=r"a\.json: expected an object, not a number"):
        read_json_object(tmp_path / "a.json")
    with pytest.raises(FileNotFoundError):
        read_json_object(tmp_path / "b.json")


# -- files and lines --------------------------------------------------------------------------------


def test_no_more_of_a_file_is_read_than_may_be(tmp_path: Path) -> None:
    """A file at the limit is read, a larger one is refused, however large it says that it is."""
    (tmp_path / "a").write_bytes(b"12345")

    assert b"12345" == read_bytes(tmp_path / "a", 5)
    with pytest.raises(MalformedError, match="too large"):
        read_bytes(tmp_path / "a", 4)
    with pytest.raises(MalformedError, match="too large"):
        read_bytes(Path("/dev/zero"))


def test_lines_end_at_line_feeds_only(tmp_path: Path) -> None:
    """As many lines as there are line feeds; what is too long is refused where it begins to be."""
    (tmp_path / "a").write_bytes(b"a\rb\x0c\n\n" + "\u2028".encode())

    assert [b"a\rb\x0c\n", b"\n", "\u2028".encode()] == list(read_lines(tmp_path / "a", 100))
    with pytest.raises(MalformedError, match="too long"):
        list(read_lines(tmp_path / "a", 7))
    with pytest.raises(MalformedError, match="too long"):
        list(read_lines(Path("/dev/zero"), 2**40))


@given(lines=st.lists(st.binary().map(lambda line: line.replace(b"\n", b"")), min_size=1))
def test_lines_come_back(lines: list[bytes]) -> None:
    """Whatever the lines hold, with or without a last line feed."""
    joined = b"\n".join(lines)

    assert lines == lines_of(joined + b"\n", len(lines))
    if lines[-1]:
        assert lines == lines_of(joined, len(lines))
    with pytest.raises(MalformedError, match="more than"):
        lines_of(joined + b"\n", len(lines) - 1)


# -- values -----------------------------------------------------------------------------------------


def test_a_name_goes_before_the_refusal() -> None:
    """The outer name first; other errors pass as they are."""
    with pytest.raises(MalformedError, match=r"^the box: its lid: odd$"), named("the box"), named("its lid"):
        raise MalformedError("odd")
    with pytest.raises(KeyError), named("the box"):
        raise KeyError("odd")


@pytest.mark.parametrize("value", [True, "1", None, [], 1.0])
def test_integers_are_integers(value: object) -> None:
    """Neither truth nor text nor 1.0 is one."""
    with pytest.raises(MalformedError, match="the count must be an integer"):
        as_integer(value, "the count")


@given(low=st.integers(-9, 9), more=st.integers(0, 9), value=st.integers(-30, 30))
def test_bounds_are_kept(low: int, more: int, value: int) -> None:
    """A value is returned within its bounds, the bounds included, and refused beyond."""
    high = low + more
    if low <= value <= high:
        assert value == as_integer(value, "it", low, high)
        assert value == as_number(value, "it", low, high)
        return
    with pytest.raises(MalformedError, match="it cannot be"):
        as_integer(value, "it", low, high)
    with pytest.raises(MalformedError, match="it cannot be"):
        as_number(value, "it", low, high)


@pytest.mark.parametrize("value", [True, "1", None, float("nan"), float("inf")])
def test_numbers_are_finite(value: object) -> None:
    """Neither truth nor text nor infinity is a number."""
    with pytest.raises(MalformedError, match="is not a number"):
        as_numbers([0, value], "the place", 2)


def test_objects_have_their_keys() -> None:
    """A key that lacks and one too many are named; with any keys each value is read."""
    assert {"a": 1} == as_object({"a": 1}, "it", ("a",), ("b",))
    with pytest.raises(MalformedError, match="it lacks the key 'a'"):
        as_object({}, "it", ("a",))
    with pytest.raises(MalformedError, match="it has the unknown key 'c'"):
        as_object({"a": 1, "c": 1}, "it", ("a",), ("b",))
    assert {"a": 1, "b": 2} == as_each({"a": 1, "b": 2}, "it", as_integer)
    with pytest.raises(MalformedError, match="it 'b' must be an integer, not 'x'"):
        as_each({"a": 1, "b": "x"}, "it", as_integer)


def test_lists_have_their_length() -> None:
    """Exactly so many, or at most so many."""
    assert [1, 2] == as_list([1, 2], "it", 2)
    with pytest.raises(MalformedError, match="2 entries, not 3"):
        as_list([1, 2, 3], "it", 2)
    with pytest.raises(MalformedError, match="2 entries at most, not 3"):
        as_list([1, 2, 3], "it", most=2)
    with pytest.raises(MalformedError, match="2 to 4 names, not 1"):
        as_names(["ann"], "players", 2, 4)
    with pytest.raises(MalformedError, match="same name twice"):
        as_names(["ann", "ann"], "players", 2, 4)


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../a", "/a", "a/b", "a\\b", "c:a", "a\0", "a\nb", "\ud800", "x" * 256, "ж" * 128]
)
def test_a_name_of_a_file_leads_nowhere_else(name: str) -> None:
    """Nothing is the name of a file that leads out of its folder, or that some system cannot write."""
    assert not is_file_name(name)
    with pytest.raises(MalformedError, match="the picture"):
        as_file_name(name, "the picture")


@pytest.mark.parametrize("name", ["a", "a.png", "..a", "mill sketch.png", "мельница.png"])
def test_usual_names_are_names(name: str) -> None:
    """Dots, blanks and other alphabets are fine."""
    assert name == as_file_name(name, "the picture")


# -- words ------------------------------------------------------------------------------------------


@given(text=st.text(alphabet=st.characters()), most=st.integers(10, 400))
def test_every_text_becomes_one_line(text: str, most: int) -> None:
    """Never longer than asked for, never with a control character or half a character in it."""
    line = one_line(text, most)

    assert len(line) <= most
    assert line.replace("\N{NO-BREAK SPACE}", " ").isprintable()
    line.encode()
    if text.isprintable() and len(text) <= most:
        assert line is text


@given(value=values)
def test_quoted_values_are_short(value: object) -> None:
    """However large a value is, its quotation is not."""
    assert len(shown(value)) <= 120
    assert len(shown([value] * 1000)) <= 120
