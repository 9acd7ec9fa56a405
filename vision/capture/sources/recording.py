"""Playing a recording back identically.

A recording is a folder: the pictures, and ``index.jsonl`` with one line for each frame: file, seq, seen_at_s,
name.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.errors import DeviceError, DeviceFault, MalformedError
from companion.storage.strict import (
    as_file_name,
    as_integer,
    as_number,
    as_object,
    as_text,
    named,
    parse_json,
    read_bytes,
    read_lines,
)
from vision.capture.pictures import MOST_BYTES
from vision.capture.sources.frame import Frame, open_picture

INDEX = "index.jsonl"
MOST_INDEX_BYTES: Final = 64 * 2**20
MOST_S: Final = 1e12


class Recording:
    """Plays a recording back: the same pictures, numbers and times."""

    def __init__(self, folder: Path) -> None:
        """Read the index, ignoring a last line cut off by a crash; raises DeviceError if it is broken."""
        self.name = folder.name
        self._folder = folder
        self._closed = False
        try:
            with named(f"the recording {folder} cannot be read"):
                lines = list(read_lines(folder / INDEX, MOST_INDEX_BYTES))
                if lines and not lines[-1].endswith(b"\n"):
                    lines.pop()
                self._entries = [_parse(number, line) for number, line in enumerate(lines, 1)]
        except OSError as error:
            text = f"the recording {folder} cannot be read: {error.strerror or error}"
            raise DeviceError(text, DeviceFault.UNREADABLE) from error
        except MalformedError as error:
            raise DeviceError(str(error), DeviceFault.UNREADABLE) from error

    def __len__(self) -> int:
        return len(self._entries)

    def frames(self) -> Iterator[Frame]:
        """Yield the frames as they were recorded, as fast as they are asked for."""
        for file, seq, seen_at_s, name in self._entries:
            if self._closed:
                return
            try:
                packed = read_bytes(self._folder / file, MOST_BYTES)
                image = open_picture(packed)
            except (OSError, MalformedError) as error:
                raise DeviceError(
                    f"the recording's {file} cannot be used: {error}", DeviceFault.UNREADABLE
                ) from error
            yield Frame(image=image, seq=seq, seen_at_s=seen_at_s, name=name, packed=packed)

    def close(self) -> None:
        """Stop delivering."""
        self._closed = True


def _parse(number: int, line: bytes) -> tuple[str, int, float, str]:
    with named(f"line {number} is broken"):
        found = as_object(parse_json(line), "it", ("file", "seq", "seen_at_s", "name"))
        return (
            as_file_name(found["file"], "file"),
            as_integer(found["seq"], "seq"),
            as_number(found["seen_at_s"], "seen_at_s", -MOST_S, MOST_S),
            as_text(found["name"], "name"),
        )


def is_recording(folder: Path) -> bool:
    """Return whether a folder holds a recording."""
    return (folder / INDEX).is_file()
