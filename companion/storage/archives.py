"""Zips from unknown sources: the caller says first what they may contain, and nothing else is unpacked.

A zip's directory states how large each member is. Members stated as too large are refused, and never more
than the stated size is unpacked.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.errors import MalformedError
from companion.storage.strict import read_bytes, shown

# The record that ends a zip, and what stands before it in one of more than 4 GB.
_END: Final = struct.Struct("<4s4H2LH")
_END_MARK: Final = b"PK\x05\x06"
_LARGE_MARK: Final = b"PK\x06\x07"
_LARGE_BYTES: Final = 20
_MOST_COMMENT: Final = 65_535
_MOST_DIRECTORY_BYTES: Final = 2**20
_MOST_MEMBERS: Final = 2000
_KINDS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED: Final = 0x1
# All that zipfile raises for bytes that are wrong.
_DAMAGE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveMember:
    """What a zip may hold.

    Attributes:
        pattern: regular expression that the whole name fits.
        most_bytes: how large it may be, unpacked.
        is_needed: the zip is refused without it.
    """

    pattern: str
    most_bytes: int
    is_needed: bool = False


def read_zip(file: Path, members: Sequence[ArchiveMember], most_bytes: int) -> dict[str, bytes]:
    """Return the members of a zip by name, `most_bytes` at most in all.

    Raises MalformedError, with the file's name, if it is not a zip, or is damaged, encrypted or packed
    unusually, or has members that no `ArchiveMember` allows, that occur twice or are too large; and OSError.
    """
    try:
        # Beside what it unpacks to there are the names of its members, twice.
        packed = read_bytes(file, most_bytes + 4 * _MOST_DIRECTORY_BYTES)
        if _directory_bytes(packed) > _MOST_DIRECTORY_BYTES:
            raise MalformedError("it lists too many members")
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            wanted = _checked(archive.infolist(), members, most_bytes)
            return {each.filename: _unpacked(archive, each) for each in wanted}
    except MalformedError as error:
        raise MalformedError(f"{file} is refused: {error}") from error
    except _DAMAGE as error:
        raise MalformedError(f"{file} is not a zip, or it is damaged: {error}") from error


def _directory_bytes(packed: bytes) -> int:
    """Return how long the zip's directory is, before anything makes room for what it lists."""
    tail = packed[-(_END.size + _MOST_COMMENT + _LARGE_BYTES) :]
    at = tail.rfind(_END_MARK)
    if at < 0 or at + _END.size > len(tail):
        raise MalformedError("it is not a zip, or its end is missing")
    if tail[max(at - _LARGE_BYTES, 0) : at].startswith(_LARGE_MARK):
        raise MalformedError("it is a zip of more than 4 GB")
    return int(_END.unpack_from(tail, at)[5])


def _checked(
    found: Sequence[zipfile.ZipInfo], members: Sequence[ArchiveMember], most_bytes: int
) -> Sequence[zipfile.ZipInfo]:
    if len(found) > _MOST_MEMBERS:
        raise MalformedError(f"it has {len(found)} members")
    names = {each.filename for each in found}
    if len(names) != len(found):
        raise MalformedError("a member occurs twice")
    for each in found:
        _check_member(each, members)
    for one in members:
        if one.is_needed and not any(re.fullmatch(one.pattern, name) for name in names):
            raise MalformedError(f"it has no {one.pattern.replace(chr(92), '')}")
    if sum(each.file_size for each in found) > most_bytes:
        raise MalformedError(f"its members are too large, more than {most_bytes} bytes in all")
    return found


def _check_member(found: zipfile.ZipInfo, members: Sequence[ArchiveMember]) -> None:
    """Raise MalformedError for what does not belong into the archive, or not like this."""
    name = shown(found.filename)
    about = next((one for one in members if re.fullmatch(one.pattern, found.filename)), None)
    if about is None:
        raise MalformedError(f"{name} does not belong in it")
    if found.file_size > about.most_bytes:
        raise MalformedError(f"{name} is too large, {found.file_size} bytes")
    if found.compress_type not in _KINDS or found.flag_bits & _ENCRYPTED:
        raise MalformedError(f"{name} is encrypted, or packed in an unusual way")


def _unpacked(archive: zipfile.ZipFile, about: zipfile.ZipInfo) -> bytes:
    with archive.open(about) as stream:
        found = stream.read(about.file_size + 1)
    if len(found) != about.file_size:
        raise MalformedError(f"{shown(about.filename)} is not {about.file_size} bytes as it says")
    return found
