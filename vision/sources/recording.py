"""Playing a recording back identically.

A recording is a folder: the pictures, and ``index.jsonl`` with one line a frame: file, seq, seen_at_s, name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.errors import DeviceError, DeviceFault, MalformedError
from vision.sources.frame import Frame, open_picture

INDEX = "index.jsonl"


class Recording:
    """Plays a recording back: the same pictures, numbers and times."""

    def __init__(self, folder: Path) -> None:
        """Read the index, without a last line cut off by a crash; raises DeviceError when it is broken."""
        self.name = folder.name
        self._folder = folder
        self._closed = False
        try:
            lines = (folder / INDEX).read_text(encoding="utf-8").splitlines(keepends=True)
        except (OSError, UnicodeDecodeError) as error:
            raise DeviceError(f"the recording {folder} cannot be read", DeviceFault.UNREADABLE) from error
        if lines and not lines[-1].endswith("\n"):
            lines.pop()
        self._entries = [self._parse(number, line) for number, line in enumerate(lines, 1)]

    def __len__(self) -> int:
        return len(self._entries)

    def frames(self) -> Iterator[Frame]:
        """Yield the frames as they were recorded, as fast as they are asked for."""
        for file, seq, seen_at_s, name in self._entries:
            if self._closed:
                return
            try:
                packed = (self._folder / file).read_bytes()
                image = open_picture(packed)
            except (OSError, MalformedError) as error:
                raise DeviceError(
                    f"the recording's {file} cannot be used: {error}", DeviceFault.UNREADABLE
                ) from error
            yield Frame(image=image, seq=seq, seen_at_s=seen_at_s, name=name, packed=packed)

    def close(self) -> None:
        """Stop delivering."""
        self._closed = True

    def _parse(self, number: int, line: str) -> tuple[str, int, float, str]:
        text = f"{self._folder / INDEX} line {number} is broken"
        try:
            found: Any = json.loads(line)
            file, seq, seen_at_s, name = found["file"], found["seq"], found["seen_at_s"], found["name"]
        except (ValueError, KeyError, TypeError) as error:
            raise DeviceError(
                f"{self._folder / INDEX} line {number} is broken", DeviceFault.UNREADABLE
            ) from error
        right = isinstance(file, str) and Path(file).name == file and isinstance(name, str)
        if not right or type(seq) is not int or not isinstance(seen_at_s, int | float):
            raise DeviceError(text, DeviceFault.UNREADABLE)
        return file, seq, float(seen_at_s), name


def is_recording(folder: Path) -> bool:
    """Tell whether a folder holds a recording."""
    return (folder / INDEX).is_file()
