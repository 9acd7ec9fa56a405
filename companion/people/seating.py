"""Who sat where in one game: a small file beside the game's journal.

A journal is sealed, so a name in it could never be deleted; the record's header has no place for it either
(`formats.md`). The file names ids only: who has them is in the list of people.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from companion import log
from companion.errors import MalformedError
from companion.i18n import msg
from companion.storage.files import written_whole
from companion.storage.strict import as_each, as_object, as_string, read_json_object

FORMAT: Final = "moontable-seats/1"
ENDING: Final = "-people"
MOST_BYTES: Final = 64 * 1024

# The id of the person on each seat, by player ("purple"); seats of nobody known are missing.
Seats = Mapping[str, str]
NOBODY: Final[Seats] = MappingProxyType({})


def seats_file(journal: Path) -> Path:
    """Return the path of the file that belongs to a journal."""
    return journal.with_name(journal.name + ENDING)


def parse_seats(data: object) -> Seats:
    """Return the seats of a file's JSON; raises MalformedError."""
    found = as_object(data, "the seats", ("format", "seats"))
    if found["format"] != FORMAT:
        raise MalformedError("the seats are of another version of Moontable")
    seats = as_each(found["seats"], "seats", as_string)
    if len(set(seats.values())) != len(seats):
        raise MalformedError(msg("One person cannot have two seats."))
    return seats


def format_seats(seats: Seats) -> dict[str, object]:
    """Return the seats as JSON; raises MalformedError if somebody has two."""
    document: dict[str, object] = {"format": FORMAT, "seats": dict(seats)}
    parse_seats(document)
    return document


def read_seats(journal: Path) -> Seats:
    """Return who sat where; nobody if that is not known. What cannot be read is logged, the game goes on."""
    try:
        return parse_seats(read_json_object(seats_file(journal), MOST_BYTES))
    except FileNotFoundError:
        return {}
    except (OSError, MalformedError) as error:
        log.engine.warning("seats read=no reason=%s", error)
        return {}


def write_seats(journal: Path, seats: Seats) -> None:
    """Keep who sits where; no file where nobody is known. Raises OSError, MalformedError."""
    file = seats_file(journal)
    document = format_seats(seats)
    if not seats:
        file.unlink(missing_ok=True)
        return
    with written_whole(file) as part:
        part.write_text(json.dumps(document), "utf-8")


def seated_games(folder: Path) -> Iterator[tuple[Path, Seats]]:
    """Yield the journals in and under a folder whose seats are known, and these; deleted games too."""
    for file in sorted(folder.rglob(f"*{ENDING}")):
        journal = file.with_name(file.name.removesuffix(ENDING))
        seats = read_seats(journal)
        if seats:
            yield journal, seats
