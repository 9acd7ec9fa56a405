"""Record codec: a game's action lines and checkpoints, described once, read strictly and written alike.

A line is an object whose words (``"do": "play"``, say) tell which kind of action it is, and whose keys hold
the action's fields. Keys that the description does not name are refused, and so is a value that the key's
reader does not take. What was read is written as it was, keys in the order of the description.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, Generic, TypeAlias, TypeVar

from companion.errors import MalformedError
from companion.game import Json
from companion.games.kit.notation import compare
from companion.storage.strict import as_choice, as_list, as_object, as_string

S = TypeVar("S")
A = TypeVar("A")

# Takes a JSON value and the words for it, returns what it stands for or raises MalformedError.
Reader: TypeAlias = Callable[[object, str], Any]


# -- readers and writers ----------------------------------------------------------------------------


def maybe(read: Reader) -> Reader:
    """Return the reader that also takes null, for what nobody saw: None."""
    return lambda value, what: None if value is None else read(value, what)


def each(read: Reader, *, least: int = 0) -> Reader:
    """Return the reader of a list of such values: a tuple, of `least` entries or more."""

    def read_all(value: object, what: str) -> tuple[Any, ...]:
        entries = tuple(read(entry, f"an entry of {what}") for entry in as_list(value, what))
        if len(entries) < least:
            raise MalformedError(f"{what} must have at least {least}, not {len(entries)}")
        return entries

    return read_all


def choice(*choices: str) -> Reader:
    """Return the reader of one of these words."""
    return lambda value, what: as_choice(value, what, choices)


def plain(value: Any) -> Any:
    """Return the JSON value of a field that is one already, or a tuple of such."""
    return [plain(entry) for entry in value] if isinstance(value, tuple) else value


# -- lines ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Word:
    """A key whose value tells what kind of line this is."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Key:
    """A key that holds a field of the action.

    Attributes:
        name: the key.
        read, write: from the JSON value to the field's, and back.
        field: the field's name where it is not the key's.
        is_optional: the key is left out where the field is None.
    """

    name: str
    read: Reader
    write: Callable[[Any], Any] = plain
    field: str = ""
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A key that holds an object, whose keys hold fields of the action: one of them at least."""

    name: str
    members: tuple[Key, ...]


Member: TypeAlias = Word | Key | Group
PLAYER: Final = Key("player", as_string)
_NO_LINE: Final = "this is no header, action, check or result: the line"


def _read(members: tuple[Member, ...], value: object, what: str) -> dict[str, Any]:
    """Return the fields that an object with these members holds."""
    may_lack = [one.name for one in members if isinstance(one, Key) and one.is_optional]
    found = as_object(value, what, [one.name for one in members if one.name not in may_lack], may_lack)
    if not found:
        raise MalformedError(f"{what} shows nothing")
    read: dict[str, Any] = {}
    for one in members:
        if isinstance(one, Group):
            read.update(_read(one.members, found[one.name], one.name))
        elif isinstance(one, Key) and one.name in found:
            read[one.field or one.name] = one.read(found[one.name], one.name)
    return read


def _write(members: tuple[Member, ...], action: Any) -> Json:
    """Return the object with these members that holds an action's fields."""
    written: Json = {}
    for one in members:
        if isinstance(one, Word):
            written[one.name] = one.value
        elif isinstance(one, Group):
            written[one.name] = _write(one.members, action)
        else:
            value = getattr(action, one.field or one.name)
            if value is not None or not one.is_optional:
                written[one.name] = one.write(value)
    return written


@dataclass(frozen=True, slots=True)
class ActionLine:
    """How one kind of action is written: the player, then `members`; without words there is no player.

    Attributes:
        kind: the class of the action.
        members: words and keys, in the order of writing.
        given: the values of fields that the line does not say; an action with others is written otherwise.
        make: from the fields to the action, where that is more than calling its class.
    """

    kind: type[Any]
    members: tuple[Member, ...]
    given: Mapping[str, Any] = field(default_factory=dict)
    make: Callable[..., Any] | None = None

    @property
    def words(self) -> dict[str, str]:
        """The values of the keys that tell the line's kind."""
        return {member.name: member.value for member in self.members if isinstance(member, Word)}

    @property
    def all_members(self) -> tuple[Member, ...]:
        """The members, with the player in front where there is one."""
        return (PLAYER, *self.members) if self.words else self.members

    @property
    def known(self) -> dict[str, Any]:
        """The fields whose values are known before anything is read: words may be fields as well."""
        own = {one.name for one in fields(self.kind)}
        return {**{name: word for name, word in self.words.items() if name in own}, **self.given}

    def parse(self, line: Json) -> Any:
        """Return the action of a line of this kind; raises MalformedError."""
        what = f"a {' '.join(self.words.values())!r} line" if self.words else "the line"
        return (self.make or self.kind)(**{**self.known, **_read(self.all_members, line, what)})

    def format(self, action: Any) -> Json:
        """Return the line of an action of this kind."""
        return _write(self.all_members, action)


class RecordCodec(Generic[A]):
    """The action lines of a game.

    Of several lines for one kind of action the first is written whose `given` fields are the action's. Where
    the same words begin several, a line is read as the one with most keys in common, the last of equals.
    """

    def __init__(self, *lines: ActionLine) -> None:
        self._lines = lines

    def parse_action(self, line: Json) -> A:
        """Return the action of one record line; raises MalformedError for unknown keys or values."""
        action: A = self._line_of(line).parse(line)
        return action

    def format_action(self, action: A) -> Json:
        """Return the record line of an action; the inverse of `parse_action`."""
        for line in self._lines:
            if type(action) is line.kind and all(getattr(action, k) == v for k, v in line.known.items()):
                return line.format(action)
        raise TypeError(f"no line is described for {action}")

    def _line_of(self, line: Json) -> ActionLine:
        """Return the description that a line follows, word by word."""
        bare = [one for one in self._lines if not one.words and one.members[0].name in line]
        if bare:
            return bare[0]
        left, told = [one for one in self._lines if one.words], set[str]()
        while key := next((key for one in left for key in one.words if key not in told), None):
            left = _left_by(left, key, line, "the line" if told else _NO_LINE)
            told.add(key)
        return max(reversed(left), key=lambda one: len({member.name for member in one.members} & line.keys()))


def _left_by(lines: list[ActionLine], key: str, line: Json, what: str) -> list[ActionLine]:
    """Return the descriptions whose word under a key is the line's; raises MalformedError."""
    if key not in line:
        raise MalformedError(f"{what} lacks the key {key!r}")
    word = as_choice(line[key], key, dict.fromkeys(one.words[key] for one in lines if key in one.words))
    return [one for one in lines if one.words.get(key) == word]


# -- checkpoints ------------------------------------------------------------------------------------


def _is_always_sure(_: object) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Fact(Generic[S]):
    """One key of a checkpoint.

    Attributes:
        name: the key.
        of: what the state says.
        compare: refuses a claim that is not the truth; takes both, and the words for it.
        write: from what the state says to the JSON value.
        is_sure: whether the state says it at all: else the key is left out.
    """

    name: str
    of: Callable[[S], Any]
    compare: Callable[[object, Any, str], None] = compare
    write: Callable[[Any], Any] = plain
    is_sure: Callable[[S], bool] = _is_always_sure


class CheckCodec(Generic[S]):
    """The checkpoints of a game: its facts, and the table."""

    def __init__(
        self,
        *facts: Fact[S],
        table: Callable[[S], Json],
        compare_table: Callable[[S, object], None],
    ) -> None:
        self._facts = {fact.name: fact for fact in facts}
        self._table = table
        self._compare_table = compare_table

    def checkpoint(self, state: S) -> Json:
        """Return the full checkpoint of the state."""
        told = {fact.name: fact.write(fact.of(state)) for fact in self._facts.values() if fact.is_sure(state)}
        return {**told, "table": self._table(state)}

    def check(self, state: S, claimed: Json) -> None:
        """Compare a checkpoint's keys with the state; raises MalformedError naming the first difference."""
        as_object(claimed, "the checkpoint", (), (*self._facts, "table"))
        for key, value in claimed.items():
            if key == "table":
                self._compare_table(state, value)
            else:
                self._facts[key].compare(value, self._facts[key].of(state), key)
