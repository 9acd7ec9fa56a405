"""People by name: values only, no file and no clock.

A person has an id that says nothing about them. Games name the id, never the name, so that a person who is
deleted is gone from every game at once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from companion.errors import MalformedError
from companion.i18n import msg
from companion.storage.strict import as_list, as_number, as_object, as_string, as_text

FORMAT: Final = "moontable-people/1"
MOST_NAME: Final = 24
MOST_MARKS: Final = 3
MOST_PEOPLE: Final = 1000
MOST_COLOURS: Final = 8

# Nothing to be seen, though Unicode does not call them spaces.
_BLANKS: Final = dict.fromkeys((0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0), " ")
# They join letters of Persian and the parts of an emoji; every other sign of this kind only hides.
_JOINERS: Final = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who plays.

    Attributes:
        id: stable; other files name a person by it alone.
        name: as it is shown.
        colours: of pieces they like or have played with, the favourite first.
        played_s: when they last sat down to a game, seconds since 1970; 0 = not yet.
    """

    id: str
    name: str
    colours: tuple[str, ...] = ()
    played_s: float = 0.0

    def favourite(self, offered: Collection[str]) -> str | None:
        """Return the colour they like best of those offered; None if they like none of these."""
        return next((colour for colour in self.colours if colour in offered), None)


@dataclass(frozen=True, slots=True)
class People:
    """Everybody who is remembered, in the order in which they were added; no two have the same name."""

    people: tuple[Person, ...] = ()

    def recent(self) -> tuple[Person, ...]:
        """Return everybody, who played last first; those who have not played yet by name at the end."""
        return tuple(sorted(self.people, key=lambda one: (-one.played_s, one.name.casefold())))

    def by_id(self, id: str) -> Person | None:
        """Return the person with an id; None if there is none."""
        return next((one for one in self.people if one.id == id), None)

    def by_name(self, name: str) -> Person | None:
        """Return the person of a name, however it is capitalised; None if there is none."""
        wanted = _folded(name)
        return next((one for one in self.people if _folded(one.name) == wanted), None)

    def names(self, seats: Mapping[str, str]) -> Mapping[str, str]:
        """Return what those on some seats are called, by player; whose id is unknown is missing."""
        found = ((player, self.by_id(id)) for player, id in seats.items())
        return {player: person.name for player, person in found if person is not None}

    def added(self, id: str, name: str, colour: str = "") -> People:
        """Return them with one more person; raises MalformedError if the name will not do."""
        person = Person(id=id, name=self._free_name(name), colours=(colour,) if colour else ())
        if len(self.people) >= MOST_PEOPLE:
            raise MalformedError(msg("No more than {most} people can be remembered.", most=MOST_PEOPLE))
        if self.by_id(id) is not None:
            raise MalformedError(f"two people have the id {id!r}")
        return People((*self.people, person))

    def renamed(self, id: str, name: str) -> People:
        """Return them with another name for one; raises MalformedError if the name will not do."""
        return self._changed(id, name=self._free_name(name, but=id))

    def liking(self, id: str, colour: str) -> People:
        """Return them with another favourite colour for one."""
        person = self.by_id(id)
        liked = () if person is None else tuple(each for each in person.colours if each != colour)
        return self._changed(id, colours=(colour, *liked)[:MOST_COLOURS])

    def played(self, id: str, colour: str, at_s: float) -> People:
        """Return them after one sat down to a game; the colour is remembered, the favourite stays."""
        person = self.by_id(id)
        if person is None:
            return self
        colours = person.colours if colour in person.colours else _with_colour(person.colours, colour)
        return self._changed(id, colours=colours, played_s=at_s)

    def without(self, id: str) -> People:
        """Return them without one."""
        return People(tuple(one for one in self.people if one.id != id))

    def _changed(self, id: str, **changes: Any) -> People:
        return People(tuple(replace(one, **changes) if one.id == id else one for one in self.people))

    def _free_name(self, name: str, but: str = "") -> str:
        wanted = clean_name(name)
        same = self.by_name(wanted)
        if same is not None and same.id != but:
            raise MalformedError(
                msg("{name} is already on the list. Add a letter or two to tell them apart.", name=same.name)
            )
        return wanted


def clean_name(text: str) -> str:
    """Return a name as it is kept: composed, single spaces, nothing invisible.

    Raises MalformedError if it is empty, too long or cannot be shown in a line of text.
    """
    composed = unicodedata.normalize("NFC", text.translate(_BLANKS))
    kept = (one for one in composed if unicodedata.category(one) != "Cf" or one in _JOINERS)
    name = " ".join("".join(kept).split())
    if not any(unicodedata.category(one)[0] in "LNPS" for one in name):
        raise MalformedError(msg("Please enter a name."))
    if len(name) > MOST_NAME:
        raise MalformedError(msg("A name can have {most} characters at most.", most=MOST_NAME))
    if any(unicodedata.category(one)[0] == "C" and one not in _JOINERS for one in name):
        raise MalformedError(msg("A name cannot contain control characters."))
    if any(one in "<>" for one in name):
        raise MalformedError(msg("A name cannot contain < or >."))
    if _most_marks(name) > MOST_MARKS:
        raise MalformedError(msg("There are too many accents on one letter of this name."))
    return name


def parse_people(data: object) -> People:
    """Return everybody of a file's JSON; raises MalformedError."""
    found = as_object(data, "the list of people", ("format", "people"))
    if found["format"] != FORMAT:
        raise MalformedError(msg("The list of people is of another version of Moontable."))
    return _gathered(
        _parse_person(one) for one in as_list(found["people"], "the list of people", most=MOST_PEOPLE)
    )


def format_people(people: People) -> dict[str, Any]:
    """Return everybody as JSON."""
    return {"format": FORMAT, "people": [asdict(one) for one in people.people]}


def _gathered(found: Iterable[Person]) -> People:
    people = People()
    for one in found:
        added = people.added(one.id, one.name)
        people = People((*added.people[:-1], one))
    return people


def _parse_person(data: object) -> Person:
    found = as_object(data, "a person", ("id", "name", "colours", "played_s"))
    colours = as_list(found["colours"], "colours", most=MOST_COLOURS)
    name = as_text(found["name"], "name")
    if clean_name(name) != name:
        raise MalformedError(f"{name!r} is not a name that Moontable has written")
    return Person(
        id=as_string(found["id"], "id"),
        name=name,
        colours=tuple(as_string(colour, "a colour") for colour in colours),
        played_s=as_number(found["played_s"], "played_s", 0),
    )


def _with_colour(colours: tuple[str, ...], colour: str) -> tuple[str, ...]:
    """Return the colours with one more; where there are too many, the oldest goes, never the favourite."""
    return (*colours, colour) if len(colours) < MOST_COLOURS else (colours[0], *colours[2:], colour)


def _folded(name: str) -> str:
    """Return what two names share that nobody could tell apart by ear."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


def _most_marks(name: str) -> int:
    """Return how many marks stand on one letter at most."""
    most = marks = 0
    for one in name:
        marks = marks + 1 if unicodedata.category(one) == "Mn" else 0
        most = max(most, marks)
    return most
