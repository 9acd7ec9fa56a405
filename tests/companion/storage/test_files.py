"""Writing a file whole or not at all."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.storage.files import ensure_writable, written_whole


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


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """The file that it names is written, whole, wherever that lies."""
    (tmp_path / "there").mkdir()
    file, link = tmp_path / "there" / "a.txt", tmp_path / "link"
    file.write_text("old")
    link.symlink_to(file)
    with written_whole(link) as part:
        part.write_text("new")

    assert link.is_symlink()
    assert "new" == file.read_text()
    assert [file] == list(file.parent.iterdir())


def test_a_link_to_nothing_makes_the_file(tmp_path: Path) -> None:
    """As opening it for writing would."""
    (tmp_path / "link").symlink_to(tmp_path / "a.txt")
    with written_whole(tmp_path / "link") as part:
        part.write_text("new")

    assert (tmp_path / "link").is_symlink()
    assert "new" == (tmp_path / "a.txt").read_text()


def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    """What is no plain file takes what was written when the block has ended well."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with written_whole(pipe) as part:
            part.write_text("new")
            assert b"" == os.read(reading, 10)
        assert b"new" == os.read(reading, 10)
    finally:
        os.close(reading)

    assert pipe.is_fifo()
    assert [pipe] == list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_device_that_is_full_is_named_and_stays() -> None:
    """The refusal names it; nothing takes its place."""
    with pytest.raises(OSError, match="/dev/full"), written_whole(Path("/dev/full")) as part:
        part.write_text("new")

    assert Path("/dev/full").is_char_device()


def test_a_folder_is_not_written(tmp_path: Path) -> None:
    """A folder of that name refuses and stays."""
    (tmp_path / "a").mkdir()
    with pytest.raises(OSError), written_whole(tmp_path / "a") as part:  # noqa: PT011 -- each system has its own
        part.write_text("new")

    assert [tmp_path / "a"] == list(tmp_path.iterdir())
