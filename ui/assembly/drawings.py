"""Drawn things that take long to draw, kept on disk, so that they are drawn only once."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion import log
from companion.errors import MalformedError
from companion.storage.files import written_whole
from companion.storage.strict import read_bytes

# The largest is a table, four bytes a colour, for a camera of 1920x1080: 24 MiB.
_MOST_BYTES: Final = 32 * 2**20
_SUM_BYTES: Final = hashlib.sha256().digest_size


class Drawings:
    """Arrays kept in a folder, each in a file that begins with the checksum of the rest."""

    def __init__(self, folder: Path) -> None:
        """Keep them in a folder, which is made once there is something to keep."""
        self._folder = folder

    def kept(self, name: str, draw: Callable[[], NDArray[np.generic]]) -> NDArray[np.generic]:
        """Return what is kept under a name, or else draw it and keep it.

        What is damaged is drawn again. Where nothing can be written, it is drawn each time.
        """
        file = self._folder / f"{name}.drawn"
        try:
            return _unpacked(read_bytes(file, _MOST_BYTES))
        except (OSError, MalformedError) as error:
            log.ui.info("drawing kept=no name=%s reason=%s", name, error)
        drawn = draw()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with written_whole(file) as part:
                part.write_bytes(_packed(drawn))
        except OSError as error:
            log.ui.info("drawing kept=no name=%s reason=%s", name, error)
        return drawn


def _packed(drawn: NDArray[np.generic]) -> bytes:
    stream = io.BytesIO()
    np.save(stream, drawn, allow_pickle=False)
    content = stream.getvalue()
    return hashlib.sha256(content).digest() + content


def _unpacked(packed: bytes) -> NDArray[np.generic]:
    """Return an array that `_packed` wrote; raises MalformedError for anything else."""
    found, content = packed[:_SUM_BYTES], packed[_SUM_BYTES:]
    if hashlib.sha256(content).digest() != found:
        raise MalformedError("the drawing is damaged")
    # The checksum fits, so this is what was written; an array of objects would be refused all the same.
    try:
        return np.asarray(np.load(io.BytesIO(content), allow_pickle=False))
    except (ValueError, EOFError) as error:
        raise MalformedError(f"the drawing is damaged ({error})") from error
