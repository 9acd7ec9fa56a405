"""Choices for the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.logfail import WarningCollector
from ui.settings import SCALES, Settings, read_settings, write_settings


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """Settings survive a restart, in a folder that did not exist."""
    chosen = Settings(theme="dark", scale=1.3, language="uk", is_still=True)
    write_settings(tmp_path / "new", chosen)

    assert chosen == read_settings(tmp_path / "new")
    assert 1 == len(list((tmp_path / "new").iterdir()))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"scale": "big", "theme": 3, "other": 1}', '{"scale": 1e9}', "\x00"]
)
def test_unreadable_settings_are_as_at_first(
    tmp_path: Path, text: str, logged_warnings: WarningCollector
) -> None:
    """A broken file is no reason not to start; the log says that it is broken."""
    (tmp_path / "window.json").write_text(text)

    assert Settings() == read_settings(tmp_path)
    assert all(line.startswith("settings ") for line in logged_warnings.take())


def test_a_folder_that_cannot_be_written_is_only_a_warning(
    tmp_path: Path, logged_warnings: WarningCollector
) -> None:
    """Where settings cannot be kept the game goes on."""
    (tmp_path / "file").write_text("in the way")
    write_settings(tmp_path / "file", Settings())

    assert 1 == len(logged_warnings.take())


@given(steps=st.lists(st.sampled_from([1, -1]), max_size=20))
def test_text_sizes_stay_in_their_range(steps: list[int]) -> None:
    """Larger and smaller walk along the sizes and stop at both ends."""
    settings = Settings()
    for step in steps:
        settings = settings.larger(step)

        assert settings.scale in SCALES
