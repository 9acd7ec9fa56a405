"""Writing a file whole or not at all, and for good."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(file: Path) -> Iterator[Path]:
    """Give a path beside the file to write to; it takes the file's name when the block ends well.

    Otherwise nothing of it stays, and a file that was there before is as it was. Raises OSError.
    """
    part = _part(file)
    try:
        yield part
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def _part(file: Path) -> Path:
    return file.with_name(f"{file.name}.{os.getpid()}.part")


def ensure_writable(file: Path) -> None:
    """Raise OSError, with the file's name, where `written_whole` would fail; nothing is changed."""
    try:
        if file.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        part = _part(file)
        try:
            part.write_bytes(bytes(4096))
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error


def sync_folder(folder: Path) -> None:
    """Make a new file's name last as long as the file; not every system lets a folder be opened."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
