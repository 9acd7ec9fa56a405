"""Game records: what is read, what is refused and where, and that writing is the inverse of reading."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import MalformedError, RecordError
from companion.record.game_record import (
    RecordReader,
    RecordWriter,
    parse_object,
    read_record,
    same,
    verify,
    write_record,
)
from tests.helpers.toy_game import GAME
from tests.helpers.toy_play import HEADER, lines_of, lookup, played

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=3),
    max_leaves=8,
)


def refusal(lines: list[bytes]) -> RecordError:
    with pytest.raises(RecordError) as caught:
        read_record(lines, lookup)
    return caught.value


def encoded(seed: int, length: int = 100) -> list[bytes]:
    return [json.dumps(line).encode() + b"\n" for line in lines_of(seed, length)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b'{"a": 1, "a": 2}', "occurs twice"),
        (b'{"a": {"b": 1, "b": 1}}', "occurs twice"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": -Infinity}', "Infinity"),
        (b'{"a": 1.0}', "not an integer"),
        (b'{"a": [1e3]}', "not an integer"),
        (b'{"t": 1e999}', "too large a number"),
        (b"[1]", "a list"),
        (b"7", "a number"),
        (b'"x"', "a string"),
        (b"null", "null"),
        (b"{", "not JSON"),
        (b'{"a": 1} {"b": 2}', "not JSON"),
        (b"{'a': 1}", "not JSON"),
        (b'\xef\xbb\xbf{"a": 1}', "not JSON"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'{"a": "\\ud800"}', "half a character"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not JSON"),
        (b'{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_odd_lines_are_refused(text: bytes, reason: str) -> None:
    """A line is one JSON object without doubles, floats or half characters."""
    with pytest.raises(MalformedError, match=reason):
        parse_object(text)


def test_measurements_may_be_floats() -> None:
    """Times and confidences of a table state are not counts."""
    line = {"check": {"table": {"t": 1.5, "confidence": {"cells": {"0,1": 0.998}}}}}

    assert line == parse_object(json.dumps(line))


@given(json_values, json_values)
def test_same_is_equality_of_texts(left: object, right: object) -> None:
    """Two values are the same where their canonical texts are."""
    texts = [json.dumps(value, sort_keys=True) for value in (left, right)]

    assert (texts[0] == texts[1]) == same(left, right)


def test_true_is_not_one() -> None:
    """A flag is never taken for a number."""
    assert not same({"draw": False}, {"draw": 0})


@given(st.integers(0, 10_000), st.integers(0, 50))
def test_a_sound_record_is_read_whole(seed: int, length: int) -> None:
    """Every random game, finished or not, verifies and gives back its actions and states."""
    actions, states = played(seed, length)

    record = read_record(encoded(seed, length), lookup)

    assert (tuple(actions), tuple(states)) == (record.actions, record.states)
    assert record.result == GAME.result(states[-1])


@given(st.integers(0, 10_000), st.booleans())
def test_writing_is_the_inverse_of_reading(seed: int, checkpoints: bool) -> None:
    """What the writer writes verifies, with and without checkpoints, and holds the same actions."""
    actions, states = played(seed)
    stream = io.StringIO()

    last = write_record(stream, GAME, HEADER, actions, checkpoints=checkpoints)
    record = read_record(stream.getvalue().encode().splitlines(keepends=True), lookup)

    assert last == states[-1]
    assert tuple(actions) == record.actions
    assert checkpoints == (b'"check"' in stream.getvalue().encode())


def test_the_writer_flushes_every_line(tmp_path: Path) -> None:
    """A record that is still being written can be read at any moment."""
    actions, states = played(3)
    path = tmp_path / "game.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        writer = RecordWriter(stream, GAME, HEADER)
        for number, action in enumerate(actions, 1):
            writer.add(action, states[number])

            assert number == len(read_record(path, lookup).actions)


@given(st.integers(0, 500), st.data())
def test_any_refused_line_is_named(seed: int, data: st.DataObject) -> None:
    """A line that is cut, blank, doubled or of no object refuses the record at that very line."""
    lines = encoded(seed)
    at = data.draw(st.integers(0, len(lines) - 1))
    odd = data.draw(
        st.sampled_from([lines[at][:-3], b"\n", b" \r\n", b"[]\n", b'{"surprise": 1}\n', lines[0]])
    )
    mutated = [*lines[:at], odd, *lines[at + 1 :]]
    if odd == lines[at]:
        return

    assert refusal(mutated).line == at + 1


@given(st.integers(0, 500), st.data())
def test_a_false_checkpoint_is_refused_at_its_line(seed: int, data: st.DataObject) -> None:
    """A checkpoint that differs from the state refuses the record there."""
    lines = lines_of(seed)
    checks = [number for number, line in enumerate(lines) if "check" in line]
    at = data.draw(st.sampled_from(checks))
    lines[at] = {"check": {**lines[at]["check"], "bright": "somebody"}}

    assert refusal([json.dumps(line).encode() for line in lines]).line == at + 1


@given(st.integers(0, 500), st.data())
def test_a_broken_rule_is_named_with_line_and_state(seed: int, data: st.DataObject) -> None:
    """An illegal action is refused at its line, with the rule's id and the state before it."""
    lines = lines_of(seed, checks=False)[:-1]
    at = data.draw(st.integers(1, len(lines) - 1))
    other = {"ann": "ben", "ben": "ann"}[lines[at]["player"]]
    lines[at] = {**lines[at], "player": other}

    error = refusal([json.dumps(line).encode() for line in lines])

    assert (at + 1, "turn.other") == (error.line, error.rule)
    assert error.state == GAME.describe(played(seed)[1][at - 1])


def test_nothing_follows_the_end() -> None:
    """After the result nothing is read; after the end only checkpoints and the result."""
    lines = encoded(1)

    assert refusal([*lines, lines[-2]]).line == len(lines) + 1
    assert refusal([*lines, lines[-1]]).line == len(lines) + 1
    assert refusal([*lines[:-1], lines[1]]).line == len(lines)
    assert read_record(lines[:-1], lookup).result is None


@pytest.mark.parametrize("change", [{"draw": 0}, {"winners": []}, {"reason": "offerings"}, {"surprise": 1}])
def test_the_result_must_be_the_games_own(change: dict[str, object]) -> None:
    """A result that differs in any way is refused at its line."""
    lines = lines_of(1)
    lines[-1] = {"result": {**lines[-1]["result"], **change}}

    assert refusal([json.dumps(line).encode() for line in lines]).line == len(lines)


def test_no_result_before_the_end() -> None:
    """A result is refused while the game runs."""
    lines = encoded(1)

    assert refusal([*lines[:4], lines[-1]]).line == 5


@pytest.mark.parametrize(
    "change",
    [
        {"record": "moontable/2"},
        {"record": None},
        {"game": "chess"},
        {"game": 4},
        {"players": ["ann"]},
        {"x": 1},
    ],
)
def test_odd_headers_are_refused(change: dict[str, object]) -> None:
    """The header names the version and a known game, and satisfies the game."""
    assert refusal([json.dumps({**HEADER, **change}).encode()]).line == 1


@pytest.mark.parametrize(
    "line", ['{"check": {}, "x": 1}', '{"check": 3}', '{"result": null}', '{"result": {}, "t": 1}']
)
def test_checks_and_results_stand_alone(line: str) -> None:
    """Nothing stands beside a checkpoint or a result, and both are objects."""
    assert refusal([json.dumps(HEADER).encode(), line.encode()]).line == 2


def test_measured_keys_do_not_excuse_floats_in_actions() -> None:
    """Floats are refused in headers and actions whatever they are called."""
    action = {"player": "ann", "do": "step", "to": {"t": 1.5}}

    assert refusal([json.dumps(HEADER).encode(), json.dumps(action).encode()]).line == 2


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    """A name may hold what other alphabets count as line ends; a carriage return before it is fine."""
    header = {**HEADER, "players": ["an\u2028n", "b\u0085en"]}
    action = {"player": "an\u2028n", "do": "step", "to": 1}
    path = tmp_path / "odd.jsonl"
    path.write_bytes(b"\r\n".join(json.dumps(line, ensure_ascii=False).encode() for line in (header, action)))

    assert verify(path, lookup).ok


def test_verify_reports_instead_of_raising(tmp_path: Path) -> None:
    """A verification carries file, line, error, rule and result."""
    sound, cut, empty = (tmp_path / name for name in ("sound", "cut", "empty"))
    sound.write_bytes(b"".join(encoded(5)))
    cut.write_bytes(b"".join(encoded(5))[:-10])
    empty.write_bytes(b"")

    good, bad, none, missing = (verify(path, lookup) for path in (sound, cut, empty, tmp_path / "missing"))

    assert good.ok
    assert (good.line, good.error, good.result) == (None, None, lines_of(5)[-1]["result"])
    assert (bad.ok, bad.line) == (False, len(encoded(5)))
    assert (none.ok, none.line) == (False, 1)
    assert (missing.ok, missing.line) == (False, 0)


def test_a_refused_line_changes_nothing() -> None:
    """The reader can go on with a corrected line."""
    reader = RecordReader(lookup)
    lines = encoded(2)
    reader.feed(lines[0])
    before = reader.state
    with pytest.raises(RecordError):
        reader.feed(lines[0])

    assert before == reader.state
    assert reader.feed(lines[1]).action is not None
