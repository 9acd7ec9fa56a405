"""How all wizards look: theme, style, and titles that grow with the text."""

from __future__ import annotations

from typing import Final

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QWizard

from ui.settings import Settings
from ui.theme import THEMES, dress

# How large a page's title is where text has its usual size, px.
_TITLE_PX: Final = 24


def dress_wizard(wizard: QWizard, settings: Settings) -> None:
    """Give a wizard the chosen theme and the style of all wizards; its first page has no way back."""
    dress(wizard, THEMES[settings.theme_name], settings.scale)
    wizard.setTitleFormat(Qt.TextFormat.RichText)
    wizard.setWizardStyle(QWizard.WizardStyle.ClassicStyle)
    wizard.setOption(QWizard.WizardOption.NoBackButtonOnStartPage)


def enlarge_titles(wizard: QWizard, scale: float) -> None:
    """Make the titles of all pages large; `scale` is that of text."""
    size = round(_TITLE_PX * scale)
    for number in wizard.pageIds():
        if (page := wizard.page(number)) is not None:
            page.setTitle(f'<span style="font-size: {size}px">{page.title()}</span>')
