"""Every game's record: lines, checkpoints, headers and whole files are read strictly and written alike."""

from __future__ import annotations

import io
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import MalformedError, RecordError
from companion.record.game_record import read_record, write_record
from tests.helpers.random_play import GAMES, played

SEEDS = range(3)
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 70) | st.sampled_from(["?", "", "x", "0,0", "chaos"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["row", "card", "x"]), inner),
    max_leaves=5,
)


def through_json(value: Any) -> Any:
    """Return a value as it is after being written and read."""
    return json.loads(json.dumps(value))


def lookup(name: str) -> Any:
    """Return a game, the ones made for tests included."""
    return GAMES[name]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_lines_read_as_they_were_written(name: str, seed: int) -> None:
    """Those of the open game, and those by which everybody follows it; other keys are refused."""
    game = played(name, seed)

    for step in game.steps:
        for action in (step.action, *step.told):
            line = through_json(game.game.format_action(action))
            assert action == game.game.parse_action(line)
            with pytest.raises(MalformedError):
                game.game.parse_action({**line, "odd": 1})


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data())
def test_junk_is_malformed_or_a_line(name: str, data: st.DataObject) -> None:
    """Whatever stands in a line: MalformedError and no other, or an action that is written alike."""
    game = played(name, 0)
    step = data.draw(st.sampled_from(game.steps))
    line = through_json(game.game.format_action(step.action))
    key = data.draw(st.sampled_from(sorted(line)))
    spoilt = {each: value for each, value in line.items() if each != key}
    if data.draw(st.booleans()):
        spoilt[key] = data.draw(JUNK)
    try:
        action = game.game.parse_action(spoilt)
    except MalformedError:
        return

    assert spoilt == through_json(game.game.format_action(action))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_a_checkpoint_fits_its_own_state_and_no_other(name: str, seed: int) -> None:
    """As a whole and key by key; that of another moment is refused where it says something else."""
    played_game = played(name, seed)
    game, rng = played_game.game, random.Random(seed)

    for step in rng.sample(played_game.steps, min(25, len(played_game.steps))):
        for state in (step.after, step.known_after):
            own = through_json(game.checkpoint(state))
            game.check(state, own)
            for key, value in own.items():
                game.check(state, {key: value})
            with pytest.raises(MalformedError):
                game.check(state, {**own, "odd": 1})
        other = through_json(game.checkpoint(step.before))
        if other != through_json(game.checkpoint(step.after)):
            with pytest.raises(MalformedError):
                game.check(step.after, other)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", GAMES)
def test_whole_records_read_as_they_were_written(name: str, seed: int) -> None:
    """The open game's and everybody's, with a checkpoint whenever the turn passes, to the result."""
    played_game = played(name, seed)
    game = played_game.game
    known = [action for step in played_game.steps for action in step.told]

    for header, actions in (
        (played_game.header, [step.action for step in played_game.steps]),
        (game.public_header(played_game.header), known),
    ):
        stream = io.StringIO()
        last = write_record(stream, game, header, actions, checkpoints=True)
        record = read_record(stream.getvalue().splitlines(), lookup)
        assert tuple(actions) == record.actions
        assert last == record.state


@pytest.mark.parametrize("name", GAMES)
def test_a_record_is_refused_at_the_line_that_does_not_fit(name: str) -> None:
    """A line that stands twice, or is left out, is noticed there or soon after."""
    game, rng = played(name, 1), random.Random(1)
    stream = io.StringIO()
    actions = [step.action for step in game.steps]
    write_record(stream, game.game, game.header, actions, checkpoints=True)
    lines = stream.getvalue().splitlines()

    for at in rng.sample(range(1, len(lines) - 1), 12):
        if "check" in json.loads(lines[at]):
            continue
        for spoilt in ([*lines[:at], *lines[at + 1 :]], [*lines[: at + 1], "{}", *lines[at + 1 :]]):
            with pytest.raises(RecordError) as refused:
                read_record(spoilt, lookup)
            assert at < refused.value.line
            assert refused.value.text


@pytest.mark.parametrize("name", GAMES)
def test_headers_have_every_key_and_no_other(name: str) -> None:
    """A header that lacks a key of its own, or has an unknown one, is malformed; so is an unknown option."""
    game = played(name, 0)

    for key in game.header:
        with pytest.raises(MalformedError):
            read_or_start(game, {k: v for k, v in game.header.items() if k != key})
    with pytest.raises(MalformedError):
        game.game.start({**game.header, "odd": 1})
    with pytest.raises(MalformedError):
        game.game.deal(random.Random(0), {"odd": 1})
    with pytest.raises(MalformedError):
        game.game.corrected({"odd": 1})


def read_or_start(game: Any, header: dict[str, Any]) -> None:
    """Begin a game from a header as a record would: its first keys are the record's own."""
    if "record" not in header or "game" not in header:
        try:
            read_record([json.dumps(header)], lookup)
        except RecordError as error:
            raise MalformedError(error.text) from error
    game.game.start(header)
