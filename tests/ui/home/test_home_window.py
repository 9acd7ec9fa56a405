"""The home screen fits on a small screen with the largest text, in every language."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from companion.i18n import LANGUAGES
from ui import text
from ui.assembly.home import ProgramBehind
from ui.home.home_window import HomeWindow
from ui.settings import SCALES, Settings, write_settings

SMALL = (1280, 720)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_fits_with_the_largest_text(language: str, tmp_path: Path, qtbot: QtBot) -> None:
    """What the buttons' second lines say is still told to those who listen."""
    write_settings(tmp_path, Settings(language=language, scale=SCALES[-1]))
    window = HomeWindow(ProgramBehind(tmp_path, tmp_path, tmp_path / "people.json"), tmp_path)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: window.is_read)
    least = window.minimumSizeHint()
    text.install("en")

    assert least.width() <= SMALL[0]
    assert least.height() <= SMALL[1]
    assert all(button.accessibleDescription() for button in window.buttons.values())
