"""Journals as a crash leaves them, and what bad disks, power cuts and people do to their files."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from companion.errors import DamagedJournalError, JournalError
from companion.game import Json
from companion.session.journal import Journal, journal_files
from tests.helpers.toy_play import HEADER

NAME = "game.moontable"
LOG, SEALS = f"{NAME}-wal", f"{NAME}-seals"
_SECTOR = 512


class Stage(enum.Enum):
    """When the process was killed, or whether the journal was closed."""

    CLOSED = "closed"
    KILLED = "killed after an entry"
    IN_LOG = "killed while an entry lay in the log only"
    UNSEALED = "killed before an entry's seal was kept twice"
    NEVER_MOVED = "killed with all entries in the log"


_LEFT_OUT = {
    Stage.CLOSED: (),
    Stage.KILLED: (),
    Stage.IN_LOG: ("_move_from_log", "_keep_seal"),
    Stage.UNSEALED: ("_keep_seal",),
    Stage.NEVER_MOVED: ("_move_from_log",),
}


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a journal.

    Attributes:
        packed: their bytes by name.
        accepted: how many entries `append` has returned for.
    """

    packed: Mapping[str, bytes]
    accepted: int


def body(number: int) -> Json:
    """Return the body of an entry; they are of all lengths."""
    return {"actions": [{"n": number, "text": "x" * (number * 137 % 700)}], "by": "table"}


def written(folder: Path, stage: Stage, count: int) -> Files:
    """Write a journal of `count` accepted entries and return its files as they are at this stage."""
    path = folder / NAME
    journal = Journal.create(path, HEADER, clock=lambda: 1.0)
    with ExitStack() as stack:
        if stage is Stage.NEVER_MOVED:
            stack.enter_context(patch.object(Journal, "_move_from_log"))
        for number in range(count):
            journal.append("action", body(number))
        if stage in (Stage.IN_LOG, Stage.UNSEALED):  # in the midst of one more
            for step in _LEFT_OUT[stage]:
                stack.enter_context(patch.object(Journal, step))
            journal.append("action", body(count))
    if stage is Stage.CLOSED:
        journal.close()
    packed = {file.name: file.read_bytes() for file in journal_files(path)}
    journal.close()
    return Files(packed, count)


class Harm(enum.Enum):
    """What happens to one file."""

    FLIP = "a changed byte"
    SECTOR = "a sector of other bytes"
    CUT = "cut off"
    GONE = "gone"
    OLDER = "as it was earlier"


@dataclass(frozen=True, slots=True)
class Damage:
    """One damage.

    Attributes:
        file: name of the file.
        at: where, in bytes, modulo its size.
        by: 1 to 255: what the byte is changed by, what the sector is filled with.
    """

    harm: Harm
    file: str
    at: int = 0
    by: int = 1

    def done_to(self, packed: Mapping[str, bytes], earlier: Mapping[str, bytes]) -> dict[str, bytes]:
        """Return the files after it; `earlier` are those of the same game with fewer entries."""
        after = dict(packed)
        whole = bytearray(after.pop(self.file, b""))
        at = self.at % max(len(whole), 1)
        if self.harm is Harm.FLIP and whole:
            whole[at] ^= self.by
        elif self.harm is Harm.SECTOR:
            start = at - at % _SECTOR
            size = len(whole[start : start + _SECTOR])
            whole[start : start + size] = bytes([self.by]) * size
        elif self.harm is Harm.CUT:
            del whole[at:]
        elif self.harm is Harm.OLDER:
            whole = bytearray(earlier.get(self.file, b""))
        is_gone = self.harm is Harm.GONE or (self.harm is Harm.OLDER and self.file not in earlier)
        return after if is_gone else {**after, self.file: bytes(whole)}


class Outcome(enum.Enum):
    """What came of opening a journal."""

    WHOLE = "whole"
    TOLD_SHORT = "told short"
    REFUSED = "refused, nothing can be read"
    SILENTLY_SHORT = "silently short"
    WRONG = "wrong entries"
    TOUCHED = "touched though refused"
    NOT_SALVAGED = "not salvaged as told"


def tried(folder: Path, packed: Mapping[str, bytes], accepted: int) -> Outcome:
    """Open the files as a journal, salvage it where it is short, and return what came of it."""
    for name, content in packed.items():
        (folder / name).write_bytes(content)
    try:
        found = _entries(folder)
    except DamagedJournalError as error:
        if _there(folder) != packed:
            return Outcome.TOUCHED
        return Outcome.TOLD_SHORT if _is_salvaged(folder, packed, error) else Outcome.NOT_SALVAGED
    except JournalError:
        return Outcome.REFUSED if _there(folder) == packed else Outcome.TOUCHED
    if not _is_beginning(found):
        return Outcome.WRONG
    return Outcome.WHOLE if len(found) >= accepted else Outcome.SILENTLY_SHORT


def _is_salvaged(folder: Path, packed: Mapping[str, bytes], error: DamagedJournalError) -> bool:
    """Salvage the journal; whether it holds what was told, and the damaged files are kept as they were."""
    kept = Journal.salvage(folder / NAME)
    aside = {file.name.replace(kept.name, NAME): file.read_bytes() for file in folder.glob(f"{kept.name}*")}
    found = _entries(folder)
    return aside == packed and len(found) == error.read and _is_beginning(found)


def _entries(folder: Path) -> list[Json]:
    with Journal.open(folder / NAME) as journal:
        return [entry.body for entry in journal.entries()]


def _is_beginning(bodies: list[Json]) -> bool:
    return bodies == [body(number) for number in range(len(bodies))]


def _there(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}
