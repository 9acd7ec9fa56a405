"""The ring of recorded bytes."""

from __future__ import annotations

import errno
import io
from pathlib import Path

import pytest

from companion.errors import MalformedError
from firmware_bridge.recording import Chunk, FrameLog, old_part, read_log
from tests.helpers.logfail import WarningCollector


def test_chunks_come_back_in_order(tmp_path: Path) -> None:
    """Time, direction, bytes."""
    chunks = [Chunk(0.5, "|", b""), Chunk(0.6, "<", b"\x00\xff"), Chunk(0.7, ">", b"abc")]
    ring = FrameLog(tmp_path / "ring")
    for chunk in chunks:
        ring.write(chunk)
    ring.close()

    assert list(read_log(tmp_path / "ring")) == chunks


def test_the_ring_keeps_the_newest(tmp_path: Path) -> None:
    """Never more than was allowed, the last chunks always there."""
    ring = FrameLog(tmp_path / "ring", most_bytes=4000)
    for number in range(500):
        ring.write(Chunk(float(number), "<", bytes(10)))
    ring.close()
    kept = [chunk.at_s for chunk in read_log(tmp_path / "ring")]

    assert kept == [float(n) for n in range(500 - len(kept), 500)]
    assert len(kept) > 20
    size = (tmp_path / "ring").stat().st_size + old_part(tmp_path / "ring").stat().st_size
    assert size < 4200


def test_a_damaged_recording_names_its_line(tmp_path: Path) -> None:
    """The file and the line at fault."""
    (tmp_path / "ring").write_text('{"t": 0, "d": "<", "hex": "00"}\n{"t": 1, "hex": "zz"}\n')
    with pytest.raises(MalformedError, match="ring, line 2"):
        list(read_log(tmp_path / "ring"))


class FullDisk(io.StringIO):
    """A file that cannot be written any more."""

    def write(self, text: str) -> int:
        """Refuse."""
        del text
        raise OSError(errno.ENOSPC, "No space left on device")

    def close(self) -> None:
        """Refuse once more: what was buffered cannot be written either."""
        super().close()
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("fails_at", ["write", "close"])
def test_a_full_disk_only_ends_the_log(
    fails_at: str, tmp_path: Path, logged_warnings: WarningCollector
) -> None:
    """Whoever logs goes on; it is said once."""
    ring = FrameLog(tmp_path / "ring")
    assert ring._file is not None
    ring._file.close()
    ring._file = FullDisk()
    for number in range(3 if fails_at == "write" else 0):
        ring.write(Chunk(float(number), "<", b"abc"))
    ring.close()
    ring.close()

    (warning,) = logged_warnings.take()
    assert "the frame log ends here" in warning
