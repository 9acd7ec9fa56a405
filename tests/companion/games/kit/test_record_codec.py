"""Lines and checkpoints that are described once: read strictly, written as they were read."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import MalformedError
from companion.games.kit.notation import as_cell, compare_counts, format_cell
from companion.games.kit.record_codec import (
    ActionLine,
    CheckCodec,
    Fact,
    Group,
    Key,
    RecordCodec,
    Word,
    choice,
    each,
    maybe,
)
from companion.storage.strict import as_integer


@dataclass(frozen=True)
class Step:
    player: str
    to: tuple[int, int]
    path: tuple[tuple[int, int], ...] | None = None


@dataclass(frozen=True)
class Spell:
    player: str
    book: str
    cards: tuple[int | None, ...]
    again: int | None = None


@dataclass(frozen=True)
class Shown:
    stock: tuple[int, ...] | None = None
    hand: tuple[int, ...] | None = None


_CARDS = Key("cards", each(maybe(as_integer)))
CODEC = RecordCodec[Step | Spell | Shown](
    ActionLine(
        Shown, (Group("shows", tuple(Key(k, each(as_integer), is_optional=True) for k in ("stock", "hand"))),)
    ),
    ActionLine(Step, (Word("do", "step"), Key("to", as_cell, format_cell)), given={"path": None}),
    ActionLine(
        Step,
        (Word("do", "step"), Key("path", each(as_cell, least=1), lambda path: [*map(format_cell, path)])),
        make=lambda path, **others: Step(path=path, to=path[-1], **others),
    ),
    ActionLine(
        Spell, (Word("do", "spell"), Word("book", "red"), _CARDS, Key("again", as_integer, is_optional=True))
    ),
    ActionLine(Spell, (Word("do", "spell"), Word("book", "blue"), _CARDS), given={"again": None}),
)
LINES: list[dict[str, Any]] = [
    {"shows": {"stock": [1, 2]}},
    {"player": "ann", "do": "step", "to": "0,-1"},
    {"player": "ann", "do": "step", "path": ["0,0", "0,1"]},
    {"player": "ann", "do": "spell", "book": "red", "cards": [1, None], "again": 3},
    {"player": "ann", "do": "spell", "book": "red", "cards": []},
    {"player": "ann", "do": "spell", "book": "blue", "cards": [7]},
]


@pytest.mark.parametrize("line", LINES, ids=str)
def test_lines_are_written_as_they_were_read(line: dict[str, Any]) -> None:
    """Keys keep the order of the description; what is optional is left out where it was."""
    written = CODEC.format_action(CODEC.parse_action(copy.deepcopy(line)))

    assert list(line.items()) == list(written.items())


def test_fields_that_a_line_does_not_say_are_filled_in() -> None:
    """The word of a book is a field as well; the end of a path is where the step leads."""
    assert Step("ann", (0, 1), ((0, 0), (0, 1))) == CODEC.parse_action(LINES[2])
    assert Spell("ann", "blue", (7,)) == CODEC.parse_action(LINES[5])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({}, "no header, action, check or result: the line lacks the key 'do'"),
        ({"do": "jump"}, "do cannot be 'jump': it is one of step, spell"),
        ({"do": "spell"}, "the line lacks the key 'book'"),
        ({"do": "spell", "book": "green"}, "book cannot be 'green': it is one of red, blue"),
        ({"do": "step", "to": "0,0"}, "a 'step' line lacks the key 'player'"),
        ({"player": "ann", "do": "step"}, "a 'step' line lacks the key 'path'"),
        ({"player": "ann", "do": "step", "path": []}, "path must have at least 1, not 0"),
        ({**LINES[1], "by": 1}, "a 'step' line has the unknown key 'by'"),
        ({**LINES[1], "to": "0,01"}, "to must be a cell like \"0,-1\", not '0,01'"),
        ({**LINES[5], "cards": [True]}, "an entry of cards must be an integer, not True"),
        ({**LINES[5], "again": 1}, "a 'spell blue' line has the unknown key 'again'"),
        ({"shows": {}}, "shows shows nothing"),
        ({"shows": {"deck": []}}, "shows has the unknown key 'deck'"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(line: dict[str, Any], told: str) -> None:
    """The message names the key and what it may be."""
    with pytest.raises(MalformedError) as refused:
        CODEC.parse_action(line)

    assert told in str(refused.value)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(LINES), st.data())
def test_junk_is_malformed_or_a_line(line: dict[str, Any], data: st.DataObject) -> None:
    """Whatever stands under a key, it is refused, or read as an action that writes the same line."""
    spoilt = {**line, data.draw(st.sampled_from([*line, "odd"])): data.draw(JUNK)}
    try:
        action = CODEC.parse_action(spoilt)
    except MalformedError:
        return

    assert spoilt == CODEC.format_action(action)


def test_an_action_without_a_description_is_our_own_fault() -> None:
    """It is no matter of the input."""
    with pytest.raises(TypeError, match="no line is described"):
        CODEC.format_action(Spell("ann", "green", ()))


@dataclass(frozen=True)
class Counts:
    tokens: dict[str, int]
    deck: int
    is_counted: bool = True


def _compare_table(state: Counts, claimed: object) -> None:
    if claimed != {"deck": state.deck}:
        raise MalformedError("the table differs")


CHECKS = CheckCodec[Counts](
    Fact("tokens", lambda state: state.tokens, compare_counts),
    Fact("deck", lambda state: state.deck, is_sure=lambda state: state.is_counted),
    table=lambda state: {"deck": state.deck},
    compare_table=_compare_table,
)
STATE = Counts({"ann": 3}, 4)


def test_a_checkpoint_tells_what_is_sure_and_fits_its_state() -> None:
    """What is not sure is left out when written, and may be claimed all the same."""
    whole = {"tokens": {"ann": 3}, "deck": 4, "table": {"deck": 4}}

    assert whole == CHECKS.checkpoint(STATE)
    assert "deck" not in CHECKS.checkpoint(Counts({"ann": 3}, 4, is_counted=False))
    CHECKS.check(STATE, {"deck": 4, "table": {"deck": 4}})
    CHECKS.check(STATE, {})


@pytest.mark.parametrize(
    ("claimed", "told"),
    [
        ({"tokens": {"ann": 2}}, "tokens of ann is 3, not 2"),
        ({"tokens": {}}, "tokens lacks the key 'ann'"),
        ({"deck": True}, "deck is 4, not True"),
        ({"table": {}}, "the table differs"),
        ({"hand": 1}, "the checkpoint has the unknown key 'hand'"),
    ],
)
def test_false_claims_are_named(claimed: dict[str, Any], told: str) -> None:
    """The first difference is named with what is true."""
    with pytest.raises(MalformedError, match=told):
        CHECKS.check(STATE, claimed)


def test_choices_are_listed() -> None:
    """A reader of choices says which there are."""
    with pytest.raises(MalformedError, match="one of left, right"):
        choice("left", "right")("up", "side")
