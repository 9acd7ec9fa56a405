"""A copy of a journal's seals in a small file beside it, as a second record of the journal's length.

One line of fixed width for each seal: the header's, then every entry's, with its number, how many actions it
brought, and its seal. A line is written when its entry is on the disk, before anyone learns of the entry. So
after a crash between the two, a journal may hold one entry more than the list; if it holds fewer, entries are
lost. The list is not needed to read a game, and a missing list or one of another game is ignored. The size of
the file gives the length, so a line with damaged bytes still counts.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.storage.files import sync_folder, written_whole

_WIDTH: Final = len("0000000 0000 ") + 64 + 1
# No game writes more; a longer file is not ours.
_MOST: Final = 1_000_000 * _WIDTH


@dataclass(frozen=True, slots=True)
class Seal:
    """One line of the list.

    Attributes:
        text: 64 hexadecimal digits.
        actions: how many actions the entry brought, 0 to 9999.
    """

    text: str
    actions: int = 0


def seals_file(journal: Path) -> Path:
    """Return the path of a journal's list of seals."""
    return journal.with_name(journal.name + "-seals")


def read_seals(journal: Path) -> tuple[Seal, ...]:
    """Return the valid part of the list beside a journal; empty if there is none. Raises OSError."""
    file = seals_file(journal)
    if not file.is_file() or file.stat().st_size > _MOST:
        return ()
    packed = file.read_bytes()
    return tuple(_parsed(packed[at : at + _WIDTH]) for at in range(0, len(packed), _WIDTH))


def are_of_same_game(told: Sequence[Seal], found: Sequence[Seal]) -> bool:
    """Whether a list belongs to the journal with these seals (header first), however short the journal is.

    Two games with the same set-up have the same header, so their first entries are compared too. One damaged
    line does not rule the list out.
    """
    same = [one.text == other.text for one, other in zip(told, found, strict=False)]
    return any(same[1:]) if len(same) > 2 else any(same)


def write_seals(journal: Path, seals: Sequence[Seal]) -> None:
    """Rewrite the whole list, flushed to the disk, unless it is up to date; raises OSError."""
    file = seals_file(journal)
    wanted = b"".join(_packed(number, seal) for number, seal in enumerate(seals))
    if file.is_file() and file.stat().st_size == len(wanted) and file.read_bytes() == wanted:
        return
    with written_whole(file) as part, part.open("wb") as stream:
        stream.write(wanted)
        stream.flush()
        os.fsync(stream.fileno())
    sync_folder(file.parent)


def add_seal(journal: Path, number: int, seal: Seal) -> None:
    """Write the line of entry `number`, flushed to the disk; raises OSError."""
    line = _packed(number, seal)
    with seals_file(journal).open("r+b", buffering=0) as stream:
        stream.seek(number * _WIDTH)
        if stream.write(line) != len(line):
            raise OSError("only a part of the line was written")
        os.fsync(stream.fileno())


def _packed(number: int, seal: Seal) -> bytes:
    return f"{number:07d} {min(seal.actions, 9999):04d} {seal.text}\n".encode("ascii")


def _parsed(line: bytes) -> Seal:
    text = line.decode("ascii", "replace")
    actions = text[8:12]
    return Seal(text[13:77], int(actions) if actions.isascii() and actions.isdigit() else 0)
