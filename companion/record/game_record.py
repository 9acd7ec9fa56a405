"""Game records: whole games as JSON lines, read strictly and written line by line.

A record is a header, the actions in order, checkpoints anywhere after the header, and the result after
the deciding action. A record that stops before the end of its game is the record of an unfinished game. A
record is refused at the first line that does not fit, with its number, the broken rule and the state before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

from companion.errors import MalformedError, RecordError, RuleViolation
from companion.game import Event, Game, Json
from companion.games import registry
from companion.storage.strict import as_mapping, parse_json_object, read_lines, shown

RECORD_VERSION = "moontable/1"
# A record of a game that filled a weekend has some 200 kB.
MOST_BYTES: Final = 64 * 2**20

# A checkpoint's table may come from a camera: these of its members are measurements, not counts.
_MEASURED = frozenset({"t", "confidence"})

AnyGame: TypeAlias = Game[Any, Any]
GameLookup: TypeAlias = Callable[[str], AnyGame]


# -- one line ---------------------------------------------------------------------------------------


def parse_object(text: str | bytes) -> Json:
    """Return the one JSON object that the text holds.

    Raises MalformedError as `companion.storage.strict.parse_json` does, for numbers that are not integers
    (except under ``t`` and ``confidence``), and for everything that is not an object.
    """
    value = parse_json_object(text)
    _refuse_floats(value)
    return value


def format_object(value: Json) -> str:
    """Return the object as one line without its line end."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def same(left: object, right: object) -> bool:
    """Compare two JSON values strictly: ``true`` is not 1, and lists keep their order."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and left == right


def _refuse_floats(value: object, except_for: Collection[str] = _MEASURED) -> None:
    """Refuse numbers that are not integers, except under these keys."""
    if isinstance(value, float):
        raise MalformedError(f"{value!r} is not an integer")
    if isinstance(value, list):
        for item in value:
            _refuse_floats(item, except_for)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in except_for:
                _refuse_floats(item, except_for)


# -- reading ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What one line of a record was: an action, or a header, checkpoint or result (then ``action`` is None).

    Attributes:
        line: 1-based number of the line.
        action: the accepted action.
        state: the state after the line.
        events: what the action made happen.
    """

    line: int
    action: Any
    state: Any
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A whole record that was read and found sound.

    Attributes:
        game: the game that it is a record of.
        header: the first line, as it stands.
        actions: in order.
        lines: the 1-based line number of each action.
        states: one more than actions: the start, then the state after each.
        result: the record's result, or None if it does not say one.
    """

    game: AnyGame
    header: Json
    actions: tuple[Any, ...]
    lines: tuple[int, ...]
    states: tuple[Any, ...]
    result: Json | None

    @property
    def state(self) -> Any:
        """Return the last state."""
        return self.states[-1]


class RecordReader:
    """Reads a record line by line and refuses the first line that does not fit.

    Attributes:
        line: number of lines read.
        game, header, state: None until the header was read.
        result: the record's result, None until it was read.
    """

    def __init__(self, game_lookup: GameLookup = registry.lookup) -> None:
        self._lookup = game_lookup
        self.line = 0
        self.game: AnyGame | None = None
        self.header: Json | None = None
        self.state: Any = None
        self.result: Json | None = None

    def feed(self, text: str | bytes) -> Step:
        """Read the next line, with or without its line end; raises RecordError and changes nothing."""
        self.line += 1
        try:
            return self._line(text)
        except RuleViolation as error:
            raise self._refusal(str(error), error.rule) from error
        except MalformedError as error:
            raise self._refusal(str(error), None) from error

    def close(self) -> None:
        """Say that there are no more lines; raises RecordError if not even a header was read."""
        if self.header is None:
            raise RecordError(1, "the header is missing: the file is empty")

    def _refusal(self, text: str, rule: str | None) -> RecordError:
        described = "" if self.game is None or self.header is None else self.game.describe(self.state)
        return RecordError(self.line, text, rule=rule, state=described)

    def _line(self, text: str | bytes) -> Step:
        if not text.strip():
            raise MalformedError("the line is blank")
        if self.result is not None:
            raise MalformedError("nothing may follow the result")
        parsed = parse_object(text)
        if self.header is None:
            self._start(parsed)
        elif "check" in parsed:
            self._check(only_member(parsed, "check"))
        elif "result" in parsed:
            self._finish(only_member(parsed, "result"))
        else:
            return self._act(parsed)
        return Step(line=self.line, action=None, state=self.state)

    def _start(self, header: Json) -> None:
        self.game = game_of(header, self._lookup)
        self.state = self.game.start(header)
        self.header = header

    def _check(self, claimed: Json) -> None:
        self._known_game().check(self.state, claimed)

    def _finish(self, claimed: Json) -> None:
        game = self._known_game()
        result = game.result(self.state)
        if game.admits(self.state, claimed):
            self.result = claimed
            return
        if result is None:
            raise MalformedError("a result is claimed, but the game is not over")
        if not same(claimed, result):
            raise MalformedError(f"the result is {format_object(result)}, not {format_object(claimed)}")
        self.result = claimed

    def _act(self, parsed: Json) -> Step:
        game = self._known_game()
        refuse_measurements(parsed)
        if game.result(self.state) is not None:
            raise MalformedError("the game is over: only its result may follow")
        action = game.parse_action(parsed)
        self.state, events = game.apply(self.state, action)
        return Step(line=self.line, action=action, state=self.state, events=events)

    def _known_game(self) -> AnyGame:
        if self.game is None:
            raise MalformedError("the header is missing")
        return self.game


def game_of(header: Json, game_lookup: GameLookup = registry.lookup) -> AnyGame:
    """Return the game that a header names; raises MalformedError for another version or an unknown game."""
    refuse_measurements(header)
    if header.get("record") != RECORD_VERSION:
        raise MalformedError(f'the first line must be a header with "record": "{RECORD_VERSION}"')
    name = header.get("game")
    if not isinstance(name, str):
        raise MalformedError("the header does not name its game")
    return game_lookup(name)


def refuse_measurements(value: object) -> None:
    """Refuse floats altogether: headers and actions have no measured members."""
    _refuse_floats(value, except_for=())


def only_member(line: Json, key: str) -> Json:
    """Return the object under the line's only key; raises MalformedError for others beside it."""
    others = [other for other in line if other != key]
    if others:
        raise MalformedError(f"unknown key {shown(others[0])} beside {key!r}")
    return as_mapping(line[key], repr(key))


def read_record(
    source: Path | str | Iterable[str | bytes], game_lookup: GameLookup = registry.lookup
) -> Record:
    """Read a whole record from a file (a path) or from its lines; raises RecordError."""
    reader = RecordReader(game_lookup)
    steps = [reader.feed(line) for line in _lines_of(source)]
    reader.close()
    game, header = reader.game, reader.header
    if game is None or header is None:
        raise RecordError(1, "the header is missing")
    acted = [step for step in steps if step.action is not None]
    return Record(
        game=game,
        header=header,
        actions=tuple(step.action for step in acted),
        lines=tuple(step.line for step in acted),
        states=(steps[0].state, *(step.state for step in acted)),
        result=reader.result,
    )


def _lines_of(source: Path | str | Iterable[str | bytes]) -> Iterator[str | bytes]:
    if not isinstance(source, Path | str):
        yield from source
        return
    try:
        yield from read_lines(Path(source), MOST_BYTES)
    except MalformedError as error:
        raise RecordError(0, f"the file cannot be read: {error}") from error
    except OSError as error:
        raise RecordError(0, f"the file cannot be read: {error.strerror or error}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The verdict on one record file.

    Attributes:
        file: the path, as given.
        ok: whether every line fits.
        line: the refused line, None if ok; 0 = the file as a whole.
        error: why, None if ok.
        rule: the broken rule, None if the form is at fault.
        state: the state before the refused line, in words; empty when ok.
        result: the record's result; None if it was refused or has none.
    """

    file: str
    ok: bool
    line: int | None = None
    error: str | None = None
    rule: str | None = None
    state: str = ""
    result: Json | None = None


def verify(path: Path | str, game_lookup: GameLookup = registry.lookup) -> Verification:
    """Check every line of a record file; raises nothing for what the file holds."""
    reader = RecordReader(game_lookup)
    try:
        for line in _lines_of(Path(path)):
            reader.feed(line)
        reader.close()
    except RecordError as error:
        return Verification(
            file=str(path), ok=False, line=error.line, error=error.text, rule=error.rule, state=error.state
        )
    return Verification(file=str(path), ok=True, result=reader.result)


# -- writing ----------------------------------------------------------------------------------------


class RecordWriter:
    """Writes a record as the game goes on: each line is flushed as soon as it is known."""

    def __init__(self, stream: IO[str], game: AnyGame, header: Json, *, checkpoints: bool = False) -> None:
        self._stream = stream
        self._game = game
        self._checkpoints = checkpoints
        self._turn = game.turn_of(game.start(header))
        self._write(header)

    def add(self, action: Any, after: Any, *, settled: Json | None = None) -> None:
        """Write an action, a checkpoint if the turn passes (and it is wanted), the result if the game ends.

        `settled` is the result that the players agreed on if the cards alone leave it open.
        """
        self._write(self._game.format_action(action))
        result = settled or self._game.result(after)
        turn = self._game.turn_of(after)
        if self._checkpoints and (turn != self._turn or result is not None):
            self._write({"check": self._game.checkpoint(after)})
        self._turn = turn
        if result is not None:
            self._write({"result": result})

    def _write(self, line: Mapping[str, Any]) -> None:
        self._stream.write(format_object(dict(line)) + "\n")
        self._stream.flush()


def write_record(
    stream: IO[str],
    game: AnyGame,
    header: Json,
    actions: Iterable[Any],
    *,
    checkpoints: bool = False,
    result: Json | None = None,
) -> Any:
    """Write a whole record and return its last state; raises RuleViolation if an action does not fit.

    `result` is how the game ended, where more is known of it than the actions tell.
    """
    writer = RecordWriter(stream, game, header, checkpoints=checkpoints)
    state = game.start(header)
    played = list(actions)
    for number, action in enumerate(played, 1):
        state, _ = game.apply(state, action)
        writer.add(action, state, settled=result if number == len(played) else None)
    return state
