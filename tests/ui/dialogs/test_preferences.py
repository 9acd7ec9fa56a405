"""The page of settings."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.helpers.measure import words_of
from ui.dialogs.about import About, version_of
from ui.dialogs.preferences import Preferences
from ui.settings import Settings
from ui.text import install


class Window:
    """Takes what is chosen, as the main window does."""

    def __init__(self) -> None:
        self.taken: list[Settings] = []
        self.heard: list[float] = []

    def adopt(self, settings: Settings) -> None:
        self.taken.append(settings)
        install(settings.language)


def test_every_choice_holds_at_once(qtbot: QtBot) -> None:
    """Theme, size, sounds and what is shown, each by its own control; nothing else changes with it."""
    window = Window()
    page = Preferences(Settings(language="en"), window.adopt, window.heard.append)
    qtbot.addWidget(page)
    page.theme.setCurrentIndex(page.theme.findData("dark"))
    page.scale.setCurrentIndex(page.scale.findData(1.3))
    page.volume.setValue(80)
    page.ticks["has_sounds"].click()
    page.ticks["is_spoken"].click()
    page.ticks["is_still"].click()

    assert window.taken == [
        Settings(language="en", theme="dark"),
        Settings(language="en", theme="dark", scale=1.3),
        Settings(language="en", theme="dark", scale=1.3, volume=0.8),
        Settings(language="en", theme="dark", scale=1.3, volume=0.8, has_sounds=False),
        Settings(language="en", theme="dark", scale=1.3, volume=0.8, has_sounds=False, is_spoken=True),
        Settings(
            language="en",
            theme="dark",
            scale=1.3,
            volume=0.8,
            has_sounds=False,
            is_spoken=True,
            is_still=True,
        ),
    ]
    assert [0.8] == window.heard
    assert not page.volume.isEnabled()


def test_what_is_chosen_is_shown(qtbot: QtBot) -> None:
    """The page opens on the settings as they are; what is on is ticked, also where the setting says off."""
    page = Preferences(Settings(language="es", is_still=True, volume=0.2), lambda _: None, lambda _: None)
    qtbot.addWidget(page)

    assert "Español" == page.language.currentText()
    assert not page.ticks["is_still"].isChecked()
    assert page.ticks["is_plain"].isChecked()
    assert 20 == page.volume.value()


def test_the_page_changes_its_language_with_the_window(qtbot: QtBot) -> None:
    """Chosen in the list, the language is that of the page, too."""
    window = Window()
    page = Preferences(Settings(language="en"), window.adopt, window.heard.append)
    qtbot.addWidget(page)
    page.language.setCurrentIndex(page.language.findData("uk"))

    assert "Preferences" != page.windowTitle()
    assert "Українська" == page.language.currentText()
    page.language.setCurrentIndex(page.language.findData("en"))
    assert "Preferences" == page.windowTitle()


def test_the_program_says_what_it_is(qtbot: QtBot, tmp_path: Path) -> None:
    """Licence, parts with their versions, and where everything is kept."""
    page = About(tmp_path, None)
    qtbot.addWidget(page)
    told = "\n".join(words_of(page))

    for words in ("GNU General Public License", f"numpy {version_of('numpy')}", "Apache-2.0", str(tmp_path)):
        assert words in told
    assert "" == version_of("no-such-package")
