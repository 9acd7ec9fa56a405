"""Writing a file whole or not at all."""

from __future__ import annotations

import errno
import re
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.files import ensure_writable, written_whole


def test_a_file_appears_when_the_block_ends_well(tmp_path: Path) -> None:
    """What was written beside it takes its name, over an older file too."""
    file = tmp_path / "a.txt"
    file.write_text("old")
    with written_whole(file) as part:
        part.write_text("new")
        assert "old" == file.read_text()

    assert "new" == file.read_text()
    assert [file] == list(tmp_path.iterdir())


def test_a_failure_leaves_everything_as_it_was(tmp_path: Path) -> None:
    """An error within the block leaves the older file and nothing beside it."""
    file = tmp_path / "a.txt"
    file.write_text("old")

    def write_half() -> None:
        with written_whole(file) as part:
            part.write_text("ne")
            raise ValueError("torn")

    with pytest.raises(ValueError, match="torn"):
        write_half()

    assert "old" == file.read_text()
    assert [file] == list(tmp_path.iterdir())


def test_what_can_be_written_is_left_as_it_is(tmp_path: Path) -> None:
    """Trying changes neither the file nor what lies beside it."""
    file = tmp_path / "file"
    ensure_writable(file)
    assert [] == list(tmp_path.iterdir())
    file.write_text("kept")
    ensure_writable(file)
    assert ("kept", [file]) == (file.read_text(), list(tmp_path.iterdir()))


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    """A folder, a missing folder, a full disk: the file asked for is named, and nothing stays."""
    for file in (tmp_path, tmp_path / "nowhere" / "file"):
        with pytest.raises(OSError, match=re.escape(f"'{file}'")):
            ensure_writable(file)
    with (
        patch.object(Path, "write_bytes", side_effect=OSError(errno.ENOSPC, "No space left on device")),
        pytest.raises(OSError, match=r"No space left on device: '.*file'"),
    ):
        ensure_writable(tmp_path / "file")
    assert [] == list(tmp_path.iterdir())
