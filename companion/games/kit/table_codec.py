"""Table codec: a game's ``table state`` object, each member described once, read strictly, written alike.

A member that is left out was not seen, and so is a place under ``"?"``: the picture lacks it. A reading
writes how sure each sighting is into an object of the same shape.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from companion.errors import MalformedError
from companion.game import Json
from companion.games.kit.notation import UNSEEN, escape, unescape
from companion.observation import Observation
from companion.storage.strict import as_list, as_map, as_mapping, as_string, shown
from companion.table import Picture, Place, Value, kind_of, place

# From a JSON value, with the words for it, to what a picture says; raises MalformedError.
ReadValue: TypeAlias = Callable[[object, str], Value]
# What is written for a place: its value, or how sure the sighting is.
Entry: TypeAlias = Callable[[Place], Any]

ABSENT: Final = object()
"""What a member gives of which nothing was seen: its key is left out."""


def or_none(read: Callable[[object, str], str]) -> ReadValue:
    """Return the reader of a value that may be null: nothing lies there."""
    return lambda value, what: None if value is None else read(value, what)


class Member(ABC):
    """One key of a table state, and the places that it tells of."""

    key: str

    @abstractmethod
    def parse(self, value: object) -> Iterator[tuple[Place, Value]]:
        """Yield the places that were seen; raises MalformedError."""

    @abstractmethod
    def lay_out(self, picture: Picture, entry: Entry, unseen: object) -> Any:
        """Return the member with an entry for each place of the picture, ABSENT where none was seen."""


@dataclass(frozen=True, slots=True)
class One(Member):
    """A member that is one place."""

    key: str
    place: Place
    read: ReadValue

    def parse(self, value: object) -> Iterator[tuple[Place, Value]]:
        """Yield the place, unless it was not seen."""
        if value != UNSEEN:
            yield self.place, self.read(value, self.key)

    def lay_out(self, picture: Picture, entry: Entry, unseen: object) -> Any:
        """Return its entry."""
        del unseen
        return entry(self.place) if self.place in picture else ABSENT


@dataclass(frozen=True, slots=True)
class Listed(Member):
    """A list with an entry for each place of a kind, which are numbered from 0."""

    key: str
    kind: str
    count: int
    read: ReadValue

    def parse(self, value: object) -> Iterator[tuple[Place, Value]]:
        """Yield the places whose entries were seen."""
        for at, each in enumerate(as_list(value, self.key, self.count)):
            if each != UNSEEN:
                yield place(self.kind, at), self.read(each, f"{self.key} {at}")

    def lay_out(self, picture: Picture, entry: Entry, unseen: object) -> Any:
        """Return the list, with `unseen` for the places that were not seen."""
        places = [place(self.kind, at) for at in range(self.count)]
        if not any(where in picture for where in places):
            return ABSENT
        return [entry(where) if where in picture else unseen for where in places]


@dataclass(frozen=True, slots=True)
class Named(Member):
    """An object with an entry for each place of a kind, by the last part of its name.

    Attributes:
        names: those there may be; None = any, players' names.
        is_kept: the member is there also where nothing was seen.
        is_escaped: names stand in the places as `escape` writes them.
        may_be_unseen: an entry may say so; else what was not seen must be left out.
    """

    key: str
    kind: str
    read: ReadValue
    names: tuple[str, ...] | None = None
    is_kept: bool = False
    is_escaped: bool = True
    may_be_unseen: bool = True

    def parse(self, value: object) -> Iterator[tuple[Place, Value]]:
        """Yield the places whose entries were seen."""
        found = as_mapping(value, self.key) if self.names is None else as_map(value, self.key, self.names)
        for name, each in found.items():
            if each != UNSEEN or not self.may_be_unseen:
                read = self.read(each, f"{self.key} of {shown(name)}")
                known = as_string(name, f"a name in {self.key}")
                yield place(self.kind, escape(known) if self.is_escaped else known), read

    def lay_out(self, picture: Picture, entry: Entry, unseen: object) -> Any:
        """Return the object; what was not seen is left out."""
        del unseen
        mine = (where for where in picture if kind_of(where) == self.kind)
        seen = {self._name(where): entry(where) for where in mine}
        return seen if seen or self.is_kept else ABSENT

    def _name(self, where: Place) -> str:
        name = where.partition(":")[2]
        return unescape(name) if self.is_escaped else name


@dataclass(frozen=True, slots=True)
class Own(Member):
    """A member that a game reads and lays out in a way of its own; the functions are those of `Member`."""

    key: str
    read: Callable[[object], Iterator[tuple[Place, Value]]]
    write: Callable[[Picture, Entry, object], Any]

    def parse(self, value: object) -> Iterator[tuple[Place, Value]]:
        """Yield the places that were seen."""
        return self.read(value)

    def lay_out(self, picture: Picture, entry: Entry, unseen: object) -> Any:
        """Return the member."""
        return self.write(picture, entry, unseen)


class TableCodec:
    """The table state of a game.

    Attributes:
        members: in the order of writing.
        ignored: keys that may be there and say nothing of the table.
        may_be_unseen: a whole member may say so; else what was not seen must be left out.
        write: from what a picture says of a place to the JSON value; by kind of place, else as it is.
    """

    def __init__(
        self,
        *members: Member,
        write: Mapping[str, Callable[[Value], Any]] | None = None,
        ignored: Iterable[str] = ("t", "confidence"),
        may_be_unseen: bool = True,
    ) -> None:
        self._members = members
        self._write = write or {}
        self._may_be_unseen = may_be_unseen
        self._known = (*(member.key for member in members), *ignored)

    def parse_table(self, table: object) -> dict[Place, Value]:
        """Return the picture of a table state; raises MalformedError."""
        found = as_map(table, "the table", self._known)
        picture: dict[Place, Value] = {}
        for member in self._members:
            value = found.get(member.key, ABSENT)
            if value is not ABSENT and not (value == UNSEEN and self._may_be_unseen):
                picture.update(member.parse(value))
        return picture

    def format_table(self, picture: Picture) -> Json:
        """Return the table state of a picture."""
        return self.lay_out(picture, lambda where: self._written(where, picture[where]), UNSEEN)

    def confidences(self, picture: Picture, confidence: Mapping[Place, float], unseen: object = None) -> Json:
        """Return the ``confidence`` member of a reading of this picture: how sure each sighting is."""
        return self.lay_out(picture, confidence.__getitem__, unseen)

    def format_reading(self, observation: Observation) -> Json:
        """Return the table state of one observation, with its ``confidence`` member."""
        picture = {where: sighting.value for where, sighting in observation.sightings.items()}
        confidence = {where: sighting.confidence for where, sighting in observation.sightings.items()}
        sure = self.confidences(picture, confidence)
        return {"t": observation.seen_at_s, **self.format_table(picture), "confidence": sure}

    def lay_out(self, picture: Picture, entry: Entry, unseen: object) -> Json:
        """Return the table state with what `entry` gives for each place of the picture."""
        laid = ((member.key, member.lay_out(picture, entry, unseen)) for member in self._members)
        return {key: value for key, value in laid if value is not ABSENT}

    def _written(self, where: Place, value: Value) -> Any:
        write = self._write.get(kind_of(where))
        return value if write is None else write(value)


def compare_pictures(seen: Picture, expected: Picture) -> None:
    """Refuse a claimed picture that differs from the expected one; raises MalformedError naming the place."""
    for where, value in seen.items():
        if where not in expected and value is not None:
            raise MalformedError(f"{where} is not on this table")
        if value != expected.get(where):
            raise MalformedError(f"{where} of the table is {shown(expected.get(where))}, not {shown(value)}")
