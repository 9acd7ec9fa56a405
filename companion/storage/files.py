"""Writing a file whole or not at all, and durably."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(file: Path) -> Iterator[Path]:
    """Give a path beside the file to write to; it takes the file's name when the block ends well.

    Otherwise nothing of it stays, and a file that was there before is as it was. A link stays one: the file
    that it names is written. A device or a pipe is written to when the block ends well, and never replaced.
    Raises OSError.
    """
    if _is_device(file):
        with tempfile.TemporaryDirectory(prefix="moontable-") as folder:
            part = Path(folder) / "part"
            yield part
            _pour(part, file)
        return
    target = Path(os.path.realpath(file))
    part = _part(target)
    try:
        yield part
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _is_device(file: Path) -> bool:
    return file.exists() and not file.is_file() and not file.is_dir()


def _part(target: Path) -> Path:
    return target.with_name(f"{target.name}.{os.getpid()}.part")


def _pour(part: Path, device: Path) -> None:
    """Write the data into something that has a name in a folder but is not a file (such as a device)."""
    try:
        with part.open("rb") as source, device.open("wb") as target:
            shutil.copyfileobj(source, target)
    except OSError as error:
        error.filename = error.filename or str(device)
        raise


def ensure_writable(file: Path) -> None:
    """Raise OSError, with the file's name, where `written_whole` would fail; nothing is changed."""
    try:
        if file.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if _is_device(file):  # how much it takes shows when it is written to
            return
        part = _part(Path(os.path.realpath(file)))
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
