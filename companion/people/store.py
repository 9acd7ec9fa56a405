"""The list of people as a file on this computer, and what the names mean for the games kept here."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from companion import log
from companion.errors import MalformedError
from companion.i18n import msg
from companion.people.person import People, Person, format_people, parse_people
from companion.people.seating import Seats, read_seats, seated_games, write_seats
from companion.storage.files import written_whole
from companion.storage.strict import read_json_object

EXPORT: Final = "moontable-people-export/1"


def _new_id() -> str:
    return secrets.token_hex(6)


class PeopleStore:
    """The file of people. It is read anew each time, so that two programs can use it.

    All methods raise OSError if the disk fails and MalformedError if the file is not a list of people; a file
    that cannot be read is never overwritten.
    """

    def __init__(
        self,
        file: Path,
        *,
        clock: Callable[[], float] = time.time,
        new_id: Callable[[], str] = _new_id,
    ) -> None:
        self.file = file
        self._clock = clock
        self._new_id = new_id

    def read(self) -> People:
        """Return everybody who is remembered."""
        try:
            return parse_people(read_json_object(self.file))
        except FileNotFoundError:
            return People()

    def known(self) -> People:
        """Return who is remembered; nobody where the list cannot be read, which is logged."""
        try:
            return self.read()
        except (OSError, MalformedError) as error:
            log.engine.warning("people read=no reason=%s", error)
            return People()

    def add(self, name: str, colour: str = "") -> Person:
        """Remember somebody; raises MalformedError, with words for the players, if the name will not do."""
        people = self.read().added(self._new_id(), name, colour)
        self._write(people)
        return people.people[-1]

    def named(self, name: str, colour: str = "") -> Person:
        """Return the person of a name, remembered from now on if nobody had it."""
        return self.read().by_name(name) or self.add(name, colour)

    def rename(self, id: str, name: str) -> None:
        """Change what somebody is called, in all their games too."""
        self._write(self.read().renamed(id, name))

    def like(self, id: str, colour: str) -> None:
        """Remember somebody's favourite colour."""
        self._write(self.read().liking(id, colour))

    def delete(self, id: str, games: Path) -> None:
        """Forget somebody: their name, and their seats in all games of a folder, deleted games too."""
        self._write(self.read().without(id))
        for journal, seats in seated_games(games):
            if id in seats.values():
                write_seats(journal, {player: one for player, one in seats.items() if one != id})

    def seat(self, journal: Path, seats: Seats) -> None:
        """Keep who sits where in a game that has just begun, by id; colours are remembered."""
        write_seats(journal, seats)
        people = self.read()
        for player, id in seats.items():
            people = people.played(id, player, self._clock())
        self._write(people)

    def called(self, journal: Path) -> Mapping[str, str]:
        """Return what the players of a game are called; whose name is not known is missing."""
        return self.known().names(read_seats(journal))

    def export(self, games: Path) -> dict[str, Any]:
        """Return all that is kept about people, the games of a folder included, as JSON."""
        people = self.read()
        seated = list(seated_games(games))
        told = [
            asdict(person)
            | {
                "games": [
                    {"file": journal.name, "player": player}
                    for journal, seats in seated
                    for player, id in seats.items()
                    if id == person.id
                ]
            }
            for person in people.people
        ]
        return {"format": EXPORT, "people": told}

    def by_name(self, name: str) -> Person:
        """Return the person of a name; raises MalformedError if there is none."""
        person = self.read().by_name(name)
        if person is None:
            raise MalformedError(msg("Nobody called {name} is on the list.", name=name))
        return person

    def _write(self, people: People) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(self.file) as part:
            part.write_text(json.dumps(format_people(people), ensure_ascii=False, indent=1), "utf-8")
