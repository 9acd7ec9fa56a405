"""Writing a file whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.files import written_whole


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
