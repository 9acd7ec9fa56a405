"""Writing a file whole or not at all, and for good."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(file: Path) -> Iterator[Path]:
    """Give a path beside the file to write to; it takes the file's name when the block ends well.

    Otherwise nothing of it stays, and a file that was there before is as it was. Raises OSError.
    """
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        yield part
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make a new file's name last as long as the file; not every system lets a folder be opened."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
